"""Reads by computed indices end with the buffer that is bound, whatever the shader declares.

Source: FS §7.5; at most 4096 vectors (FS §22.1).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

Array = np.ndarray[Any, Any]

DECLARED, MOST = 4, 4096
INDICES = np.array(
    [*range(20), 63, 64, 255, 256, 4094, 4095, 4096, 4097, 1 << 28, 1 << 31, 2**32 - 1], np.uint32
)
RESULTS = np.zeros((len(INDICES), 4), np.uint32)
COUNTS = (1, 3, 4, 5, 8, 9, 64, 4095, 4096, 4100)


def shader(
    read: str = "cb0[r0.x + 0]", declared: str = "CB0[4], dynamicIndexed", profile: str = "cs_5_0"
) -> str:
    """Thread x reads a vector at the index t0[x]; r0.y counts the groups in y."""
    ranged = profile == "cs_5_1"
    space = ", space=0" if ranged else ""
    index, values = ("T0[0]", "U0[0]") if ranged else ("t0", "u0")
    lines = [
        profile,
        *(f"dcl_constantbuffer {one}{space}" for one in declared.split("; ")),
        f"dcl_resource_structured T0{'[0:0]' if ranged else ''}, 4{space}",
        f"dcl_uav_structured U0{'[0:0]' if ranged else ''}, 16{space}",
        "dcl_input vThreadID.xy",
        "dcl_temps 3",
        "dcl_thread_group 1, 1, 1",
        f"ld_structured r0.x, vThreadID.x, l(0), {index}.xxxx",
        "mov r0.y, vThreadID.y",
        f"mov r1.xyzw, {read}.xyzw",
        f"imad r2.x, vThreadID.y, l({len(INDICES)}), vThreadID.x",
        f"store_structured {values}.xyzw, r2.x, l(0), r1.xyzw",
        "ret",
        "",
    ]
    return "\n".join(lines)


def data(count: int, first: int = 1) -> Array:
    return np.arange(first, first + 4 * count, dtype=np.uint32).reshape(-1, 4)


def expected(contents: Array, indices: Array = INDICES) -> Array:
    """Vectors of a buffer by number, 0 past its end."""
    vectors = np.concatenate([contents[:MOST], np.zeros((1, 4), np.uint32)])
    return vectors[np.minimum(indices, len(vectors) - 1)]


def run(device: Any, text: str, guards: str, cb0: Any, slices: int = 1, **more: Any) -> Any:
    kernel = device.kernel(text, guards=guards)
    results = np.full((slices * len(INDICES), 4), 0xCC, np.uint32)
    found = kernel.dispatch((len(INDICES), slices), t0=INDICES, u0=results, cb0=cb0, **more)
    kernel.close()
    return found


def outside(bound: int, indices: Array = INDICES) -> int:
    return int(np.count_nonzero(indices >= min(bound, MOST)))


def as_view(device: Any, contents: Array) -> Any:
    """A part of a buffer that begins off the alignment of descriptors, with more after it."""
    around = [np.full((3, 4), 7, np.uint32), contents, np.full((99, 4), 9, np.uint32)]
    buffer = device.buffer(np.concatenate(around))
    return buffer.view(first_element=3, num_elements=len(contents))


BINDS: dict[str, Callable[[Any, Array], Any]] = {
    "array": lambda device, contents: contents,
    "bytes": lambda device, contents: contents.tobytes(),
    "buffer": lambda device, contents: device.buffer(contents),
    "view": as_view,
}
PADDED = ("array", "bytes")
_PARAMS = (Path(__file__).parent / "data/sizes.txt").read_text("utf-8")


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("bind", BINDS)
@pytest.mark.parametrize("count", COUNTS)
def test_bound_sizes(device: Any, count: int, bind: str, guards: str) -> None:
    found = run(device, shader(), guards, BINDS[bind](device, data(count)))
    assert found.u0.tolist() == expected(data(count)).tolist()
    if guards == "report":
        assert found.violations.total == outside(max(count, DECLARED) if bind in PADDED else count)
        assert {v.kind for v in found.violations} == {"constant_buffer"}


@pytest.mark.parametrize("bind", BINDS)
@pytest.mark.parametrize("count", [1, 8, 4096])
def test_without_a_declared_size(device: Any, count: int, bind: str) -> None:
    text = shader(declared="CB0[0], dynamicIndexed")
    found = run(device, text, "report", BINDS[bind](device, data(count)))
    assert found.u0.tolist() == expected(data(count)).tolist()
    assert found.violations.total == outside(count)


@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_null_buffers(device: Any, guards: str) -> None:
    for declared in ("CB0[4], dynamicIndexed", "CB0[0], dynamicIndexed"):
        found = run(device, shader(declared=declared), guards, None)
        assert not found.u0.any()
        assert guards == "d3d" or found.violations.total == len(INDICES)


@pytest.mark.parametrize("count", [4, 7, 8, 9])
def test_an_immediate_index_past_the_declared_size(device: Any, count: int) -> None:
    """`fxc` writes none; an assembler may."""
    text = shader("cb0[7]", "CB0[4], immediateIndexed")
    for bind in BINDS:
        found = run(device, text, "report", BINDS[bind](device, data(count)))
        row = expected(data(count), np.uint32([7]))
        assert found.u0.tolist() == row.tolist() * len(INDICES)
        assert found.violations.total == (0 if count > 7 else len(INDICES))


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("bind", BINDS)
def test_ranges(device: Any, bind: str, guards: str) -> None:
    """Each register of a range has its own end."""
    text = shader("CB0[r0.y + 0][r0.x + 0]", "CB0[0:3][4], dynamicIndexed", "cs_5_1")
    counts = (9, 2, 0, 4)
    contents = [data(count, 1000 * (n + 1)) for n, count in enumerate(counts)]
    given = [BINDS[bind](device, one) if len(one) else None for one in contents]
    found = run(device, text, guards, given, slices=5)
    wanted = [expected(one) for one in [*contents, data(0)]]
    assert found.u0.tolist() == np.concatenate(wanted).tolist()
    if guards == "report":
        ends = [max(n, DECLARED) if bind in PADDED and n else n for n in counts]
        assert found.violations.total == sum(map(outside, [*ends, 0]))


@pytest.mark.parametrize("guards", ["d3d", "report"])
def test_registers_named_at_run_time(device: Any, guards: str) -> None:
    """Before `cs_5_1`; what is read past an end is reported here too."""
    declared = "CB0[4], dynamicIndexed; CB1[2], dynamicIndexed; CB2[4], dynamicIndexed"
    text = shader("cb[r0.y + 0][r0.x + 0]", declared)
    contents = data(4, 1000), data(9, 2000), data(0)
    given = {"cb1": device.buffer(contents[1]), "cb2": None}
    found = run(device, text, guards, contents[0], slices=3, **given)
    assert found.u0.tolist() == np.concatenate([expected(one) for one in contents]).tolist()
    if guards == "report":
        registers = [v.register for v in found.violations]
        counts = [registers.count(f"cb{n}") for n in range(3)]
        assert counts == [outside(4), outside(9), outside(0)]


def test_a_partial_vector_is_filled_with_zeros(device: Any) -> None:
    """D3D has no such buffers; here they end with their last vector, as passed arrays do."""
    words = np.arange(1, 23, dtype=np.uint32)
    wanted = np.concatenate([words, np.zeros(2, np.uint32)]).reshape(-1, 4)
    for given in (words, device.buffer(words), words.tobytes()):
        found = run(device, shader(), "report", given)
        assert found.u0.tolist() == expected(wanted).tolist()
        assert found.violations.total == outside(6)


def test_dispatches_with_changing_sizes(device: Any) -> None:
    """Each has its own end, whatever was bound before."""
    kernel = device.kernel(shader())
    for count in (9, 2, 9, 4, 300, 9, 5):
        for value in (data(count), data(count), device.buffer(data(count))):
            found = kernel.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=value).u0
            assert found.tolist() == expected(data(count)).tolist()


def test_constants_of_a_recording_keep_their_size(device: Any) -> None:
    kernel = device.kernel(shader())
    with device.record() as work:
        step = work.dispatch(kernel, len(INDICES), t0=INDICES, u0=RESULTS, cb0=data(9))
    for first in (1, 77):
        found = work.submit({step: {"cb0": data(9, first)}}).result().u0
        assert found.tolist() == expected(data(9, first)).tolist()
    assert work.submit().result().u0.tolist() == expected(data(9)).tolist()
    with pytest.raises(vkrunner.ShapeError, match=r"144.*160"):
        work.submit({step: {"cb0": data(10)}})


def test_other_constants_of_a_recording_have_any_size(device: Any) -> None:
    """What lies past the declared size is not seen where no index can reach it."""
    kernel = device.kernel(shader("cb0[3]", "CB0[4], immediateIndexed"))
    with device.record() as work:
        step = work.dispatch(kernel, len(INDICES), t0=INDICES, u0=RESULTS, cb0=data(4))
    for count in (4, 9):
        found = work.submit({step: {"cb0": data(count, 5)}}).result().u0
        assert found.tolist() == [data(4, 5)[3].tolist()] * len(INDICES)


def test_constants_that_a_dict_leaves_out_are_zeros(device: Any) -> None:
    """A recording's dict leaves nothing of the array that was recorded."""
    kernel = device.kernel(_PARAMS + shader("cb0[0]", "CB0[1], immediateIndexed"))
    with device.record() as work:
        step = work.dispatch(kernel, len(INDICES), t0=INDICES, u0=RESULTS, cb0=np.ones(4, "f"))
    found = work.submit({step: {"cb0": {"a": 2.0}}}).result().u0
    assert found.view(np.float32)[0].tolist() == [2.0, 0.0, 0.0, 0.0]


# --- the interface, and hosts of one's own ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lengths", "sizes"),
    [
        (shader(), {}, (64, None, 65536)),
        (shader("cb0[3]"), {}, (64, None, None)),
        (shader("cb0[4]"), {}, (64, None, 65536)),
        (shader(), {"cb0": 300}, (4800, 64, 65536)),
        (shader(), {"cb0": 4096}, (65536, 64, None)),
        (shader(declared="CB0[4096], dynamicIndexed"), {}, (65536, None, None)),
        (shader(declared="CB0[0], dynamicIndexed"), {}, (65536, 0, None)),
        (shader(declared="CB0[0], dynamicIndexed"), {"cb0": 16}, (256, 0, 65536)),
    ],
)
def test_the_interface(
    text: str, lengths: dict[str, int], sizes: tuple[int | None, int | None, int | None]
) -> None:
    options = translate.Options(constant_lengths=lengths)
    binding = translate.to_spirv(translate.load(text), options).interface["cb0"]
    assert (binding.size_bytes, binding.declared_bytes, binding.most_bytes) == sizes


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ({"cb0": 3}, "cb0 has 4 to 4096 vectors, not 3"),
        ({"cb0": 4097}, "cb0 has 4 to 4096 vectors, not 4097"),
        ({"cb1": 4}, "constant_lengths: cb1 is not a constant buffer"),
        ({"t0": 4}, "constant_lengths: t0 is not a constant buffer"),
        ({"cb0": -1}, "length of cb0 must not be negative"),
    ],
)
def test_wrong_lengths(lengths: dict[str, int], message: str) -> None:
    program = translate.load(shader())
    with pytest.raises(translate.OptionError, match=message):
        translate.to_spirv(program, translate.Options(constant_lengths=lengths))


def test_the_declared_length_changes_nothing() -> None:
    program = translate.load(shader())
    plain = translate.to_spirv(program)
    same = translate.to_spirv(program, translate.Options(constant_lengths={"cb0": 4}))
    assert same.to_bytes() == plain.to_bytes()
    assert same.interface == plain.interface


def test_a_finished_module(vulkan_device: vkrunner.Device) -> None:
    """It has the length that it was translated for, and takes no larger buffers unnoticed."""
    device, program = vulkan_device, translate.load(shader())
    short = device.kernel(translate.to_spirv(program))
    with pytest.raises(vkrunner.FormatError, match=r"constant_lengths=\{'cb0': 16\}"):
        short.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=data(9))
    options = translate.Options(constant_lengths={"cb0": 16})
    long = device.kernel(translate.to_spirv(program, options))
    for count in (3, 9, 16):
        for value in (data(count), device.buffer(data(count))):
            found = long.dispatch(len(INDICES), t0=INDICES, u0=RESULTS, cb0=value).u0
            assert found.tolist() == expected(data(count)).tolist()
