"""Dispatches on a device: arrays in and out, bounds, null resources, durations and timeouts.

Every test runs with memory that host and device share, and with separate memories.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from vkrunner import Device, FeatureError, FormatError, WrongTypeError

DATA = Path(__file__).parents[1] / "data"
CELL = np.dtype([("position", "<f4", (2,)), ("id", "<u4")])
COUNT = 1000  # not a multiple of the group's 64 threads


@pytest.fixture(scope="module", params=[False, True], ids=["shared", "staged"])
def either(request: pytest.FixtureRequest, device: Device) -> Iterator[Device]:
    """The session's device, once for each kind of buffer memory."""
    with vkrunner.open_device(device.info.index, staged=request.param, timestamps=True) as opened:
        yield opened


def saxpy_inputs() -> dict[str, Any]:
    generator = np.random.default_rng(1)
    x, y = generator.random((2, COUNT), np.float32)
    return {"x": x, "y": y, "Params": {"a": 2.0, "count": COUNT}}


def test_arrays_in_and_out(either: Device) -> None:
    kernel = either.kernel(DATA / "saxpy.dxbc")
    inputs = saxpy_inputs()
    before = {name: inputs[name].copy() for name in ("x", "y")}
    result = kernel.dispatch((16, 1, 1), **inputs)
    expected = 2 * before["x"] + before["y"]
    np.testing.assert_allclose(result.u0, expected, rtol=1e-6)  # mad may be fused
    assert result.y is result["u0"]
    assert result.u0.dtype == np.float32
    np.testing.assert_array_equal(inputs["x"], before["x"])
    np.testing.assert_array_equal(inputs["y"], before["y"])
    assert list(result) == ["u0"]
    assert result.duration_ns > 0
    unchanged = kernel.dispatch((4, 0, 1), **inputs)
    np.testing.assert_array_equal(unchanged.u0, inputs["y"])
    assert unchanged.duration_ns == 0


def test_arrays_without_a_name(either: Device) -> None:
    kernel: Any = either.kernel(DATA / "saxpy.dxbc")
    x, y, params = saxpy_inputs().values()
    named = r"passed by name: dispatch\(groups, Params=\.\.\., x=\.\.\., y=\.\.\.\)"
    with either.record() as recording:
        recorded = partial(recording.dispatch, kernel)
        for dispatch in (kernel.dispatch, kernel.dispatch_async, recorded):
            with pytest.raises(WrongTypeError, match=named):
                dispatch(16, x, y, Params=params)
            with pytest.raises(WrongTypeError, match=r"a tuple: dispatch\(\(41, 27\), \.\.\.\)"):
                dispatch(16, 1, x=x, y=y, Params=params)


def test_shape_and_layout_of_a_result_are_the_arrays(either: Device) -> None:
    kernel = either.kernel(DATA / "saxpy.dxbc")
    y = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    x = np.arange(48, dtype=np.float32)[::2]
    result = kernel.dispatch(1, t0=x, u0=y, cb0={"a": 1, "count": 24})
    np.testing.assert_array_equal(result.u0, y + x.reshape(2, 3, 4))


def test_bounds_are_those_of_what_is_bound(either: Device) -> None:
    kernel = either.kernel(DATA / "sizes.dxbc")
    result = kernel.dispatch(
        1,
        cells=np.zeros(3, CELL),
        bytes=np.zeros(5, np.uint32),
        texels=np.zeros((7, 4), np.float16),
        sizes=np.zeros(6, np.uint32),
        cells_out=np.zeros((11, 3), np.float32),
        bytes_out=b"12345",
        texels_out=np.zeros(17, np.uint8),
    )
    assert result.sizes.tolist() == [3, 20, 7, 11, 8, 17]
    assert result.bytes_out.tobytes() == b"12345"


def test_results_of_null_and_empty_resources(either: Device) -> None:
    kernel = either.kernel(DATA / "saxpy.dxbc")
    result = kernel.dispatch(1, **{**saxpy_inputs(), "y": None})
    assert len(result) == 0
    assert "y" not in result
    with pytest.raises(AttributeError, match="no result"):
        _ = result.y
    empty = np.zeros((0, 4), np.float32)
    assert kernel.dispatch(1, **{**saxpy_inputs(), "y": empty}).y.shape == (0, 4)


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (np.float32([[1, 2, 3, 4]]), [1, 2, 3, 4]),
        (np.float32([[1, 2]]), [1, 2, 0, 1]),
        (np.float32([5]), [5, 0, 0, 1]),
        (np.float16([[0.5, -2, 0, 9]]), [0.5, -2, 0, 9]),
    ],
)
def test_typed_arrays_choose_formats(either: Device, source: Any, seen: list[float]) -> None:
    given = {"target": np.uint32([41]), "seen": np.zeros((1, 4), np.float32)}
    result = either.kernel(DATA / "typed.dxbc").dispatch(1, source=source, **given)
    assert result.seen.tolist() == [seen]
    assert result.target.tolist() == [42]


def test_hidden_counters_of_buffers_go_on(either: Device) -> None:
    kernel = either.kernel(DATA / "append.dxbc")
    even = either.buffer(np.full(8, 99, np.uint32), counter=2)
    for expected in (3, 4):
        result = kernel.dispatch(1, numbers=np.uint32([expected * 2]), even=even)
        assert dict(result.counters) == {"u0": expected}
        assert result.counters["even"] == even.counter == expected
    with pytest.raises(KeyError, match="there are u0"):
        _ = result.counters["u1"]
    assert even.read().tolist() == [99, 99, 6, 8, 99, 99, 99, 99]
    even.counter = 0
    kernel.dispatch(1, numbers=np.uint32([20]), even=even)
    assert even.read()[0] == 20


COUNTING = (Path(__file__).parent / "data/dispatch.asm").read_text("utf-8")


def test_a_buffer_without_a_counter(either: Device) -> None:
    """D3D drops the counts, and returns 0; the buffer itself is written."""
    if not either.features.null_descriptor:
        with pytest.raises(FeatureError, match=r"device\.buffer\(\.\.\., counter=0\) makes a coun"):
            either.kernel(COUNTING).dispatch(1, u0=either.buffer(64), u1=np.zeros((4, 2), "u4"))
        return
    kernel = either.kernel(COUNTING)
    found = np.full((4, 2), 99, np.uint32)
    plain, counted = either.buffer(np.full(3, 7, np.uint32)), either.buffer(12, counter=4)
    for buffer in (plain, counted, plain, plain.view()):
        result = kernel.dispatch(1, u0=buffer, u1=found)
        assert buffer is counted or result.u1.tolist() == [[0, 0]] * 4
        assert list(result.counters) == (["u0"] if buffer is counted else [])
    assert plain.read().tolist() == [7, 5, 7]
    assert counted.counter == 4


def test_a_finished_module_is_taken_as_it_is(either: Device) -> None:
    program = translate.load(DATA / "typed.dxbc")
    formats = {"t0": "r32g32_float", "u0": "r32_uint"}
    module = translate.to_spirv(program, translate.Options(formats=formats))
    kernel = either.kernel(module)
    seen = np.zeros((1, 4), np.float32)
    given = {"t0": np.float32([[6, 7]]), "u0": np.uint32([1]), "u1": seen}
    assert kernel.dispatch(1, **given).u1.tolist() == [[6, 7, 0, 1]]
    with pytest.raises(FormatError, match=r"u0.*r32_uint.*r8_uint"):
        kernel.dispatch(1, **{**given, "u0": np.uint8([1])})


@pytest.mark.parametrize("name", ["races", "divergent_barriers", "findings", "race_summary"])
def test_races_of_a_device(device: Device, name: str) -> None:
    """A UAV of that name comes first; other missing results are named as such."""
    result = device.kernel(DATA / "saxpy.dxbc").dispatch(1, **saxpy_inputs())
    if device.info.type == "reference":
        assert hasattr(result, name)
        return
    with pytest.raises(AttributeError, match=r"^only the reference machine finds races"):
        getattr(result, name)
    assert not hasattr(result, name)
