"""Numbers that would be read as others are refused, wherever an array or a buffer is passed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner import ArgumentError, InvalidValueError, ShapeError, WrongTypeError

from ..listings import listing

SHADERS = Path(__file__).parents[2] / "shaders"
X = np.arange(8, dtype=np.float32)
MASKED: Any = np.ma.masked_array(X, mask=X > 3)
PARAMS = {"a": 1, "count": 8}

COPY = listing(
    ["ishl r0.x, vThreadID.x, l(2)", "ld_raw r0.y, r0.x, t0.x", "iadd r0.y, r0.y, CB0[0].x",
     "store_raw u0.x, r0.x, r0.y"],
    ["dcl_constantbuffer CB0[1], immediateIndexed", "dcl_resource_raw t0", "dcl_uav_raw u0"],
    group=(1, 1, 1),
)  # fmt: skip


def copied(device: Any, t0: Any, cb0: Any = None) -> list[int]:
    seen = np.zeros(8, np.uint32)
    return device.kernel(COPY).dispatch(8, t0=t0, cb0=cb0, u0=seen).u0.tolist()


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.arange(8, dtype=np.int64), "int64, NumPy's dtype for Python's integers"),
        (np.arange(8, dtype=np.float64), "float64, NumPy's default dtype"),
        (np.ones(32, np.bool_), "bool, whose values are single bytes"),
    ],
)
def test_dtypes_that_numpy_chooses(device: Any, array: Any, reason: str) -> None:
    numbers = array[:8].astype(np.uint32)
    buffer = device.buffer(array)
    for given in (array, buffer):
        with pytest.raises(WrongTypeError, match=f"t0 takes no {reason}"):
            copied(device, given)
        with pytest.raises(WrongTypeError, match=f"cb0 takes no {reason}"):
            copied(device, numbers, given)
    assert copied(device, numbers) == numbers.tolist()
    assert copied(device, buffer.view(stride=4)) == array.view(np.uint32)[:8].tolist()


def test_buffers_of_other_widths(device: Any) -> None:
    kernel = device.kernel(SHADERS / "saxpy.dxbc")
    for dtype in (np.float64, np.int64):
        buffer = device.buffer(np.arange(8, dtype=dtype))
        fault = r"t0 \(x\).*array\.astype\(np\.float32\).*buffer's.*buffer\.view\(stride=4\)$"
        with pytest.raises(WrongTypeError, match=fault):
            kernel.dispatch(1, x=buffer, y=X, Params=PARAMS)
    assert kernel.dispatch(1, x=device.buffer(X), y=X, Params=PARAMS).y.tolist() == (2 * X).tolist()


def test_buffers_of_other_kinds(device: Any) -> None:
    """Whole buffers have the kind of their array; a view, integers and bytes are of any kind."""
    kernel = device.kernel(SHADERS / "saxpy.dxbc")
    twice = (2 * X).tolist()

    def y_of(x: Any) -> list[float]:
        return kernel.dispatch(1, x=x, y=X, Params=PARAMS).y.tolist()

    half = device.buffer(np.arange(16, dtype=np.float16))
    fault = r"t0 \(x\).*float16.*array\.astype\(np\.float32\).*buffer\.view\(stride=4\)$"
    with pytest.raises(WrongTypeError, match=fault):
        y_of(half)
    assert len(y_of(half.view(stride=4))) == 8
    for bits in (np.uint32, np.int32, np.uint8, "V4"):
        assert y_of(device.buffer(X.view(bits))) == twice

    advice = r"takes float32, not an array of int32: pass array\.astype\(np\.float32\)$"
    with pytest.raises(WrongTypeError, match=advice):
        y_of(X.astype(np.int32))

    sums = device.kernel(SHADERS / "prefix_sum.dxbc")
    arrays = dict.fromkeys(("offsets", "sums", "totals"), np.zeros(8, np.uint32))
    with pytest.raises(WrongTypeError, match=r"t0 \(values\).*uint32.*float32"):
        sums.dispatch(1, values=device.buffer(X), Params={"count": 8, "add_offsets": 0}, **arrays)


def test_structures_in_another_order(device: Any) -> None:
    kernel = device.kernel(SHADERS / "compact.dxbc")
    given: dict[str, Any] = {
        "points": np.array([[0, 0], [9, 9], [1, -1]], np.float32),
        "dropped": np.zeros(3, np.uint32),
        "Params": {"centre": [0, 0], "radius": 2, "count": 3},
    }
    own = kernel.interface["kept"].dtype
    for fields in (
        [("index", "u4"), ("position", "f4", (2,))],
        [("position", "f8"), ("index", "u4")],
        [("position", "i4", (2,)), ("index", "u4")],
        [("position", "f4", (2,)), ("index", "f4")],
    ):
        array = np.zeros(3, fields)
        for kept in (array, device.buffer(array, counter=0)):
            with pytest.raises(ShapeError, match=r"u0 \(kept\)"):
                kernel.dispatch(1, **given, kept=kept)
    for dtype in (own, [("position", "f4", (2,)), ("index", "i4")], [("x", "f8"), ("n", "u4")]):
        result = kernel.dispatch(1, **given, kept=np.zeros(3, dtype))
        found = result.u0.view(own)[: result.counters["u0"]]
        assert sorted(found["index"].tolist()) == [0, 2]


def test_masked_values(device: Any) -> None:
    kernel = device.kernel(SHADERS / "saxpy.dxbc")
    buffer, texture = device.buffer(X), device.texture(X.reshape(2, 4))
    with device.record() as work:
        step = work.dispatch(kernel, 1, x=X, y=X, Params=PARAMS)
        with pytest.raises(WrongTypeError):
            work.copy(MASKED, buffer)
    for call in (
        lambda: kernel.dispatch(1, x=MASKED, y=X, Params=PARAMS),
        lambda: kernel.dispatch(1, x=X, y=MASKED, Params=PARAMS),
        lambda: kernel.dispatch(1, x=X, y=X, Params={"a": np.ma.masked, "count": 8}),
        lambda: work.submit({step: {"x": MASKED}}),
        lambda: device.buffer(MASKED),
        lambda: buffer.write(MASKED),
        lambda: device.texture(MASKED.reshape(2, 4)),
        lambda: texture.write(MASKED.reshape(2, 4)),
    ):
        with pytest.raises(WrongTypeError, match=r"array\.filled"):
            call()
    unmasked = np.ma.masked_array(X)
    result = kernel.dispatch(1, x=unmasked, y=MASKED.filled(1), Params=PARAMS)
    assert result.y.tolist() == [0, 2, 4, 6, 5, 6, 7, 8]


def test_other_numbers_in_a_buffer(device: Any) -> None:
    buffer = device.buffer(X)
    for wrong in (np.arange(8, dtype=np.int32), np.arange(4.0), np.zeros(16, np.float16)):
        fault = f"the buffer has numbers of float32.*{wrong.dtype}"
        with pytest.raises(WrongTypeError, match=fault):
            buffer.write(wrong)
        with device.record() as work, pytest.raises(WrongTypeError, match="float32"):
            work.copy(wrong, buffer)
    for right in (X[::-1], X[::-1].astype(">f4"), X[::-1].tobytes(), X[::-1].view([("x", "f4")])):
        buffer.write(X)
        buffer.write(right)
        assert buffer.read().tolist() == X[::-1].tolist()
    plain = device.buffer(32)
    plain.write(X)
    assert plain.read().view(np.float32).tolist() == X.tolist()


def test_other_texels_in_a_texture(device: Any) -> None:
    texels = X.reshape(2, 4)
    texture = device.texture(texels)
    for wrong, message in (
        (texels.T, r"the shape \[2, 4\], not \[4, 2\]"),
        (texels.astype(np.int32), "the view has numbers of float32, the array of int32"),
        (texels.view(np.uint32), "the view has numbers of float32, the array of uint32"),
        (np.zeros(4), "the view has numbers of float32, the array of float64"),
    ):
        with pytest.raises(ArgumentError, match=message):
            texture.write(wrong)
        with device.record() as work, pytest.raises(ArgumentError, match=message):
            work.copy(wrong, texture)
    texture.write(np.zeros(8, np.float32))
    texture.write(texels.tobytes())
    np.testing.assert_array_equal(texture.read(), texels)


@pytest.mark.parametrize("span", [(30, 8), (-4, 8), (4, -4), (2**40, 8), (33, 0)])
def test_bytes_that_a_buffer_does_not_have(device: Any, span: tuple[int, int]) -> None:
    buffer = device.buffer(X)
    with pytest.raises(InvalidValueError, match="32"):
        buffer.read_bytes(*span)
    assert buffer.read_bytes(32, 0).tolist() == []
    assert buffer.read_bytes(28, 4).view(np.float32).tolist() == [7]


def test_reading_into_the_other_byte_order(device: Any) -> None:
    buffer = device.buffer(X)
    with pytest.raises(ShapeError, match=r"C.*32"):
        buffer.read(np.zeros(8, X.dtype.newbyteorder()))


# What fxc 10.1 makes of: r[i] = !a[i]; f[i] = (float)a[i]; n[i] = a[i] ? 2 : (int)a[i];
BOOLS = Path(__file__).parent / "data/bools.asm"
BITS = np.array([0xFFFFFFFF, 0, 0, 0xFFFFFFFF], np.uint32)
FLAGS = BITS != 0


def test_bools_are_all_bits(device: Any) -> None:
    """A bool of 1 would be true, also once it is inverted, and 0 as a float."""
    kernel = device.kernel(BOOLS)
    given = {"r": ~BITS, "f": np.zeros(4, np.float32), "n": np.zeros(4, np.int32)}
    for flags in (FLAGS, FLAGS.reshape(4, 1)):
        result = kernel.dispatch(1, a=flags, **given)
        assert result.r.tolist() == (~BITS).tolist()
        assert result.f.tolist() == [1, 0, 0, 1]
        assert result.n.tolist() == [2, 0, 0, 2]
    with device.record() as work:
        step = work.dispatch(kernel, 1, a=~FLAGS, **given)
    for flags in (FLAGS, ~FLAGS):
        assert (work.submit({step: {"a": flags}}).result(step).f != 0).tolist() == flags.tolist()
    advice = r"np\.where\(array, 0xFFFFFFFF, 0\)\.astype\(np\.uint32\)"
    for argument in ({"a": device.buffer(FLAGS)}, {"a": BITS, "r": FLAGS}):
        with pytest.raises(WrongTypeError, match=advice):
            kernel.dispatch(1, **{**given, **argument})


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers_keep_both_parts(device: Any, dtype: Any) -> None:
    """The advice in the error is followed here."""
    array = np.array([1 + 2j, 3 + 4j], dtype)
    kernel = device.kernel(SHADERS / "saxpy.dxbc")
    with pytest.raises(WrongTypeError) as found:
        kernel.dispatch(1, x=array, y=X, Params=PARAMS)
    advice = str(found.value).partition("pass ")[2]
    assert eval(advice, {"np": np, "array": array}).tolist() == [1, 2, 3, 4]
    with pytest.raises(ArgumentError) as found:
        device.texture(array.reshape(1, 2))
    advice = str(found.value).partition("pass ")[2].partition(", two")[0]
    pairs = eval(advice, {"np": np, "array": array.reshape(1, 2)})
    assert device.texture(pairs).read().tolist() == [[[1, 2], [3, 4]]]
