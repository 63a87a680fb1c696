"""`guards="report"`: every faulty access is reported once, and no result changes."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner.__main__ import main
from vkrunner.vulkan.encode.step_commands import CAPACITY

from ..conftest import needs

BOUNDS = Path(__file__).parents[1] / "corpus" / "cs_5_0" / "bounds.asm"
THREADS = 32  # of a group of that shader

HEAD = """cs_5_0
dcl_globalFlags refactoringAllowed
"""


def line_of(text: str, mnemonic: str) -> int:
    """The number, from 1, of the first line of a listing that begins with a mnemonic."""
    lines = [line.strip() for line in text.splitlines()]
    return next(i for i, line in enumerate(lines, 1) if line.startswith(mnemonic))


def reported(device: Any, listing: Any, groups: Any = 1, **given: Any) -> Any:
    return device.kernel(listing, guards="report").dispatch(groups, **given)


def bounds_arguments(indices: np.ndarray[Any, Any]) -> dict[str, Any]:
    pairs = np.arange(16, dtype=np.uint32).reshape(8, 2)
    return {"t0": indices, "t1": pairs, "u0": pairs + 100, "u1": np.zeros((THREADS, 2), np.uint32)}


def test_names_exactly_the_accesses_that_are_outside(device: Any) -> None:
    indices = np.arange(THREADS, dtype=np.uint32) % 8
    indices[[3, 9, 20]] = [8, 0x20000001, 0xFFFFFFFF]
    result = reported(device, BOUNDS, 1, **bounds_arguments(indices))
    wrong = {(v.register, v.thread, v.index) for v in result.violations}
    expected = {(r, (t, 0, 0), int(indices[t])) for r in ("t1", "u0") for t in (3, 9, 20)}
    assert wrong == expected
    assert result.violations.total == len(result.violations) == 9  # two instructions access u0
    assert all(v.defined and v.cause == "outside" for v in result.violations)
    assert {v.kind for v in result.violations} == {"structured_buffer"}
    listing = BOUNDS.read_text()
    line = line_of(listing, "ld_structured_indexable(structured_buffer, stride=8)")
    assert {v.line for v in result.violations if v.register == "t1"} == {line}
    assert {v.instruction for v in result.violations if v.register == "t1"} == {1}


def test_results_are_those_of_the_guards(device: Any) -> None:
    indices = np.arange(THREADS, dtype=np.uint32) % 11
    arguments = bounds_arguments(indices)
    plain = device.kernel(BOUNDS).dispatch(1, **arguments)
    result = reported(device, BOUNDS, **arguments)
    np.testing.assert_array_equal(result.u0, plain.u0)
    np.testing.assert_array_equal(result.u1, plain.u1)
    assert list(plain.violations) == []
    assert len(result.violations) > 0


def test_groups_and_threads(device: Any) -> None:
    listing = HEAD + (
        "dcl_uav_raw u0\ndcl_input vThreadID.xy\ndcl_temps 1\ndcl_thread_group 4, 2, 1\n"
        "imad r0.x, vThreadID.y, l(8), vThreadID.x\nishl r0.x, r0.x, l(2)\n"
        "store_raw u0.x, r0.x, l(7)\nret \n"
    )
    result = reported(device, listing, (2, 2, 1), u0=np.zeros(30, np.uint32))
    places = {(v.thread, v.group, v.byte_offset) for v in result.violations}
    assert places == {((6, 3, 0), (1, 1, 0), 120), ((7, 3, 0), (1, 1, 0), 124)}


@pytest.mark.parametrize(
    ("body", "cause", "defined", "byte_offset"),
    [
        ("ld_structured r0.x, l(0), l(8), g0.xxxx", "past the stride", False, 8),
        ("ld_structured r0.x, l(4), l(0), g0.xxxx", "outside", False, 0),
        ("ld_structured r0.x, l(0), l(2), g0.xxxx", "unaligned", False, 2),
        ("ld_structured r0.x, l(3), l(4), g0.xxxx", "uninitialised", False, 4),
        ("store_structured g0.xy, l(1), l(4), l(1,2,0,0)", "past the stride", False, 4),
        ("atomic_iadd g0, l(5, 0, 0, 0), l(1)", "outside", False, 0),
        ("mov r0.x, x0[r1.x + 4].x", "outside", False, 0),
        ("mov r0.x, cb0[r1.x + 2].x", "outside", True, 0),
        ("ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.x, l(16), u0.xxxx",
         "outside", True, 16),
    ],
)  # fmt: skip
def test_causes(device: Any, body: str, cause: str, defined: bool, byte_offset: int) -> None:
    """One thread, one access; g0 has four structures of 8 bytes, and only the first is written."""
    listing = HEAD + (
        "dcl_constantbuffer CB0[2], dynamicIndexed\ndcl_uav_raw u0\ndcl_temps 2\n"
        "dcl_indexableTemp x0[4], 4\ndcl_tgsm_structured g0, 8, 4\ndcl_thread_group 1, 1, 1\n"
        "mov r1.x, l(0)\nmov x0[0].x, l(1)\n"
        "store_structured g0.xy, l(0), l(0), l(1,2,0,0)\n"
        f"{body}\nstore_raw u0.x, l(0), r0.x\nret \n"
    )
    result = reported(device, listing, 1, u0=np.zeros(4, np.uint32), cb0=bytes(32))
    (violation,) = result.violations
    assert (violation.cause, violation.defined) == (cause, defined)
    assert violation.byte_offset == byte_offset
    assert violation.line == line_of(listing, body)
    assert violation.register in body
    assert f"line {violation.line}" in str(violation)


SAMPLE_LOAD = HEAD + (
    "dcl_resource_raw t0\ndcl_resource_texture2dms(4) (float,float,float,float) t1\n"
    "dcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 4, 1, 1\n"
    "ishl r0.x, vThreadID.x, l(4)\nld_raw r0.xyzw, r0.x, t0.xyzw\n"
    "ldms r0.x, r0.xyyy, t1.xyzw, r0.w\nstore_raw u0.x, l(0), r0.x\nret \n"
)


def test_a_texel_without_the_sample_is_undefined(device: Any) -> None:
    """Coordinates outside give zeros, whatever the sample index (FS §22.4.7)."""
    places = np.array([(1, 1, 0, 3), (3, 1, 0, 0), (2, 1, 0, 4), (0, 2, 0, 4)], np.uint32)
    texture = device.texture(np.ones((2, 3, 4, 4), np.float32), dimension="2dms")
    result = reported(device, SAMPLE_LOAD, 1, t0=places, t1=texture, u0=np.zeros(1, np.uint32))
    found = {v.thread[0]: (v.register, v.cause, v.index, v.defined) for v in result.violations}
    assert found == {
        1: ("t1", "outside", 3, True),
        2: ("t1", "outside", 2, False),
        3: ("t1", "outside", 0, True),
    }
    assert result.violations.total == 3


def test_samples_of_nothing_bound_are_defined(device: Any) -> None:
    places = np.array([(0, 0, 0, n) for n in (0, 3, 4, 9)], np.uint32)
    with needs(device, "null_descriptor"):
        result = reported(device, SAMPLE_LOAD, 1, t0=places, t1=None, u0=np.zeros(1, np.uint32))
        assert [v.defined for v in result.violations] == [True] * 4


def test_memory_written_by_all_threads_is_initialised(device: Any) -> None:
    listing = HEAD + (
        "dcl_uav_raw u0\ndcl_input vThreadIDInGroupFlattened\ndcl_temps 2\n"
        "dcl_tgsm_structured g0, 4, 64\ndcl_thread_group 64, 1, 1\n"
        "store_structured g0.x, vThreadIDInGroupFlattened.x, l(0), "
        "vThreadIDInGroupFlattened.x\nsync_g_t\n"
        "ixor r0.x, vThreadIDInGroupFlattened.x, l(63)\n"
        "ld_structured r1.x, r0.x, l(0), g0.xxxx\n"
        "ishl r0.y, vThreadIDInGroupFlattened.x, l(2)\nstore_raw u0.x, r0.y, r1.x\nret \n"
    ).replace("ixor", "xor")
    result = reported(device, listing, 3, u0=np.zeros(64, np.uint32))
    assert list(result.violations) == []
    np.testing.assert_array_equal(result.u0, 63 - np.arange(64))


def test_the_total_counts_reports_without_room(device: Any) -> None:
    listing = HEAD + (
        "dcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 64, 1, 1\n"
        "store_raw u0.x, l(64), vThreadID.x\nret \n"
    )
    groups = CAPACITY // 64 + 5
    result = reported(device, listing, groups, u0=np.zeros(4, np.uint32))
    recorded = len(result.violations)
    assert CAPACITY <= recorded <= CAPACITY + 1
    assert result.violations.total == groups * 64
    assert f"and {groups * 64 - recorded} more" in result.violations.table()
    (group,) = result.violations.by_instruction()
    assert (group.count, group.threads, group.recorded) == (groups * 64, recorded, recorded)
    summary = result.violations.summary()
    assert "7 | store_raw u0.x, l(64), vThreadID.x" in summary
    assert f"at least {recorded:,} of {groups * 64} x 1 x 1 threads" in _unescaped(result)
    missing = f"; marks are missing, for {groups * 64 - recorded:,} violations have no record."
    assert missing in _unescaped(result)
    assert f"{groups * 64:,}  >={recorded:,} (>=" in summary
    assert f"those of {recorded:,} violations; all were counted" in summary


def _unescaped(result: Any) -> str:
    return unescape(result.violations.page())


def test_an_instruction_that_is_rarely_at_fault_has_an_example(device: Any) -> None:
    """One thread stores outside after all others did it more often than there is room for."""
    listing = HEAD + (
        "dcl_uav_raw u0\ndcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 64, 1, 1\n"
        "mov r0.x, l(0)\nloop \nuge r0.y, r0.x, l(100)\nbreakc_nz r0.y\n"
        "store_raw u0.x, l(64), vThreadID.x\niadd r0.x, r0.x, l(1)\nendloop \n"
        "ieq r0.y, vThreadID.x, l(40)\nif_nz r0.y\nstore_raw u0.x, l(80), l(1)\nendif \nret \n"
    )
    result = reported(device, listing, 2, u0=np.zeros(4, np.uint32))
    often, once = result.violations.by_instruction()
    assert (often.count, once.count) == (12800, 1)
    assert (once.first.byte_offset, once.first.thread) == (80, (40, 0, 0))
    assert once.causes == ("outside",)
    assert (once.threads, once.recorded) == (1, 1)
    assert often.recorded < often.count == result.violations.total - 1


def test_the_command_line_prints_reports_and_exits_with_1(
    device: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(BOUNDS), "--groups", "1,1,1", "--report", "--device", device.name]
    arrays = ["--t1", "zeros:8x2:u4", "--u0", "zeros:8x2:u4", "--u1", "zeros:32x2:u4"]
    assert main([*words, "--t0", "arange:32:u4", *arrays]) == 1
    summary = capsys.readouterr().out.splitlines()
    row = next(n for n, row in enumerate(summary) if row.split()[4:6] == ["80", "t1"])
    assert summary[row].split()[:4] == ["24", "24", "(75", "%)"]
    line, text = summary[row + 1].split(" | ")
    assert (int(line), text) == (80, BOUNDS.read_text().splitlines()[79])
    carets = summary[row + 2]
    assert text[carets.index("^") - 7 : carets.rindex("^") - 6] == "t1"
    assert re.fullmatch(r"     = instruction 1: .+ in thread \d+,0,0", summary[row + 3])
    assert main([*words, "--t0", "arange:32:u4", *arrays, "--every-violation"]) == 1
    table = capsys.readouterr().out.splitlines()
    assert any(row.split()[:3] == ["80", "1", "t1"] for row in table)
    assert main([*words, "--t0", "zeros:32:u4", *arrays]) == 0
    assert "no violations" in capsys.readouterr().out
    assert main([*words, "--t0", "arange:32:u4", *arrays, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert found["total"] == len(found["records"]) == 24 * 3
    assert [group["count"] for group in found["by_instruction"]] == [24, 24, 24]


def test_a_report_cannot_be_bound(device: Any) -> None:
    kernel = device.kernel(BOUNDS, guards="report")
    with pytest.raises(vkrunner.UnknownNameError, match="'report'"):
        kernel.dispatch(1, report=np.zeros(4, np.uint32), **bounds_arguments(np.zeros(4, "u4")))


COUNTERS = ("imm_atomic_alloc", "imm_atomic_consume")


def counting(mnemonic: str, uav: str, line: str) -> str:
    """A thread for each register that `line` counts in; r0.x goes to u9."""
    head = ("cs_5_1", ", space=0", "U9[9]", "U9[9:9]") if "[" in uav else ("cs_5_0", "", "u9", "u9")
    profile, space, target, declared = head
    return (
        f"{profile}\ndcl_uav_structured_opc {uav}, 4{space}\n"
        f"dcl_uav_structured {declared}, 4{space}\n"
        f"dcl_input vThreadID.x\ndcl_temps 1\ndcl_thread_group 1, 1, 1\n{mnemonic} {line}\n"
        f"store_structured {target}.x, vThreadID.x, l(0), r0.x\nret \n"
    )


@pytest.mark.parametrize("mnemonic", COUNTERS)
def test_counters_that_are_not_there(device: Any, mnemonic: str) -> None:
    """A null UAV has no counter; an empty view has one."""
    listing = counting(mnemonic, "u0", "r0.x, u0")
    kernel = device.kernel(listing, guards="report")
    results = np.full(2, 7, np.uint32)
    empty = device.buffer(np.zeros(4, np.uint32), counter=5).view(0, 0)
    assert list(kernel.dispatch(2, u0=empty, u9=results).violations) == []
    with needs(device, "null_descriptor"):
        result = kernel.dispatch(2, u0=None, u9=results)
        assert result.u9.tolist() == [0, 0]
        found = [(v.register, v.thread[0], v.kind, v.cause) for v in result.violations]
        assert sorted(found) == [("u0", n, "structured_buffer", "outside") for n in range(2)]
        assert not any(v.defined for v in result.violations)


@pytest.mark.parametrize("mnemonic", COUNTERS)
def test_counters_of_ranges(device: Any, mnemonic: str) -> None:
    """Register 1 is null, register 3 is outside of the range."""
    listing = counting(mnemonic, "U0[0:2]", "r0.x, U0[vThreadID.x + 0]")
    with needs(device, "null_descriptor"):
        kernel = device.kernel(listing, guards="report")
        full, empty = (device.buffer(np.zeros(4, np.uint32), counter=5) for _ in range(2))
        result = kernel.dispatch(4, u0=[full, None, empty.view(0, 0)], u9=np.full(4, 7, np.uint32))
        given, left = (5, 6) if mnemonic == "imm_atomic_alloc" else (4, 4)
        assert result.u9.tolist() == [given, 0, given, 0]
        assert (full.counter, empty.counter) == (left, left)
        found = [(v.register, v.thread[0], v.cause) for v in result.violations]
        assert sorted(found) == [("u0", n, "outside") for n in (1, 3)]


CONSTANTS = HEAD + (
    "dcl_constantbuffer CB0[4], dynamicIndexed\ndcl_uav_structured u1, 4\ndcl_input vThreadID.x\n"
    "dcl_temps 1\ndcl_thread_group 6, 1, 1\nmov r0.x, cb0[vThreadID.x].x\n"
    "store_structured u1.x, vThreadID.x, l(0), r0.x\nret \n"
)
VECTORS = np.arange(1, 17, dtype=np.uint32).reshape(4, 4)


def indices(result: Any, register: str) -> list[tuple[int, int]]:
    """The thread and the vector of every report; D3D defines all these results (FS §7.5)."""
    assert all(v.register == register and v.cause == "outside" for v in result.violations)
    assert all(v.defined for v in result.violations)
    return sorted((v.thread[0], v.index) for v in result.violations)


@pytest.mark.parametrize("count", [0, 1, 3, 4])
def test_constant_buffers_that_end_before_their_declaration(device: Any, count: int) -> None:
    """The bound size counts: every read past its end is reported, in each dispatch."""
    kernel = device.kernel(CONSTANTS, guards="report")
    view = device.buffer(VECTORS).view(0, count, stride=16) if count else None
    expected = [*VECTORS[:count, 0].tolist(), *[0] * (6 - count)]
    for _ in range(3):  # the later dispatches reuse the recorded commands
        result = kernel.dispatch(1, cb0=view, u1=np.full(6, 9, np.uint32))
        assert result.u1.tolist() == expected
        assert indices(result, "cb0") == [(n, n) for n in range(count, 6)]


def test_arrays_are_filled_up_to_the_declaration(device: Any) -> None:
    """A passed array is padded with zeros to the declared length."""
    result = reported(device, CONSTANTS, 1, cb0=VECTORS[:1], u1=np.full(6, 9, np.uint32))
    assert result.u1.tolist() == [1, 0, 0, 0, 0, 0]
    assert indices(result, "cb0") == [(4, 4), (5, 5)]


def test_constant_buffers_in_recordings(device: Any) -> None:
    kernel = device.kernel(CONSTANTS, guards="report")
    with device.record() as work:
        view = device.buffer(VECTORS).view(0, 2, stride=16)
        step = work.dispatch(kernel, 1, cb0=view, u1=np.zeros(6, np.uint32))
    for _ in range(2):
        result = work.submit().result(step)
        assert indices(result, "cb0") == [(n, n) for n in range(2, 6)]


def test_constant_buffers_of_ranges(device: Any) -> None:
    """Register 1 is null, register 2 has one vector, register 3 is outside of the range."""
    listing = (
        "cs_5_1\ndcl_constantbuffer CB0[0:2][4], dynamicIndexed, space=0\n"
        "dcl_uav_structured U1[1:1], 4, space=0\ndcl_input vThreadID.x\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nmov r0.x, CB0[vThreadID.x + 0][1].x\n"
        "store_structured U1[1].x, vThreadID.x, l(0), r0.x\nret \n"
    )
    kernel = device.kernel(listing, guards="report")
    short = device.buffer(VECTORS).view(0, 1, stride=16)
    result = kernel.dispatch(4, cb0=[VECTORS, None, short], u1=np.full(4, 9, np.uint32))
    assert result.u1.tolist() == [5, 0, 0, 0]
    assert indices(result, "cb0") == [(1, 1), (2, 1), (3, 1)]


def test_threads_that_store_to_different_registers(device: Any) -> None:
    """Each thread reads a vector outside, whichever register it stores to."""
    listing = (
        "cs_5_1\ndcl_constantbuffer CB0[0:0][4], dynamicIndexed, space=0\n"
        "dcl_uav_raw U0[0:3], space=0\ndcl_input vThreadID.x\ndcl_thread_group 4, 1, 1\n"
        "store_raw U0[vThreadID.x + 0].x {nonuniform}, l(0), CB0[0][vThreadID.x + 4].x\nret \n"
    )
    kernel = device.kernel(listing, guards="report")
    targets = [np.full(1, 9, np.uint32) for _ in range(4)]
    result = kernel.dispatch(1, cb0=VECTORS, u0=targets)
    assert [u.tolist() for u in result.u0] == [[0]] * 4
    assert indices(result, "cb0") == [(n, n + 4) for n in range(4)]


# Reports name the HLSL line of shaders with debug information

SHADERS = Path(__file__).parents[2] / "shaders"
DATA = Path(__file__).parents[1] / "unit" / "dxbc" / "data" / "debug"


@pytest.mark.filterwarnings("ignore::translate.errors.ListingWarning")  # the listing has six digits
@pytest.mark.parametrize("form", ["dxbc", "asm"])
@pytest.mark.parametrize("optimisation", ["Od", "O3"])
def test_the_line_within_an_included_function(device: Any, optimisation: str, form: str) -> None:
    source = (DATA / "neighbours.hlsli").read_text().splitlines()
    kernel = device.kernel(DATA / f"debug_lines_{optimisation}.{form}", guards="report")
    samples = np.arange(70, dtype=np.float32)
    result = kernel.dispatch(2, samples=samples, means=samples, Params={"count": 70})
    assert {v.thread[0] for v in result.violations} == {0, 69}
    for violation in result.violations:
        assert violation.hlsl_line is not None
        assert "samples[" in source[violation.hlsl_line - 1]
        assert str(violation).startswith(f"neighbours.hlsli:{violation.hlsl_line}, ")
    assert "neighbours.hlsli:9" in result.violations.table()


def test_the_report_of_a_dispatch_fits_95_columns(device: Any) -> None:
    """The instruction and an example stand below the line of the HLSL."""
    kernel = device.kernel(SHADERS / "moving_average.dxbc", guards="report")
    samples = np.arange(100, dtype=np.float32)
    result = kernel.dispatch(2, samples=samples, means=samples, Params={"count": 100})
    heading, row, line, caret, example, *_, last = result.violations.summary().splitlines()
    assert heading.split()[:4] == ["count", "threads", "HLSL", "register"]
    assert row.split()[4:6] == ["moving_average.hlsl:15", "t0"]
    marked = [line[word.start() : word.end()] for word in re.finditer(r"\^+", caret)]
    assert marked == ["samples"] * line.count("samples")
    assert example == "     = instruction 5: index -1 (4294967295) in thread 0,0,0"
    assert last == "     = instruction 8: index 100 in thread 99,0,0"
    assert max(map(len, (heading, row, line, caret, example))) <= 95


def test_none_without_debug_information(device: Any) -> None:
    result = device.kernel(SHADERS / "saxpy.dxbc", guards="report").dispatch(
        1, x=np.ones(3, np.float32), y=np.ones(4, np.float32), Params={"a": 1, "count": 4}
    )
    assert [v.hlsl_line for v in result.violations] == [None]
    assert result.violations.table().splitlines()[0].split()[0] == "instruction"
