"""Races and divergent barriers fail a test on the reference machine, unless it allows them."""

from pathlib import Path
from typing import Any

import pytest

import translate
from vkrunner import ReferenceDevice
from vkrunner.shadertest.cursor import ShaderTestError

from .cases import outcome, read

HEAD = (Path(__file__).parent / "data/races_head.asm").read_text("utf-8")
# Each thread stores a number, and loads that of the next thread, the last one its own.
BODY = (Path(__file__).parent / "data/races_body.txt").read_text("utf-8")
RACING = HEAD + BODY.format(barrier="")
ORDERED = HEAD + BODY.format(barrier="sync_g_t")
SOME = "#line 10\nif_nz vThreadIDInGroupFlattened.x\n#line 11\nsync_g_t\nendif"
PARTED = HEAD + BODY.format(barrier=f"sync_g_t\n{SOME}")
TEST = """[uav 0]
size (raw_buffer, 8)
[test]
{dispatch} 1 1 1
"""


def text(listing: str, *lines: str, dispatch: str = "dispatch") -> str:
    return "\n".join([f"[shader]\n{listing}{TEST.format(dispatch=dispatch)}", *lines])


@pytest.mark.parametrize("lines", [[], ["races none"]], ids=str)
def test_a_missing_barrier_fails(machine: Any, lines: list[str]) -> None:
    found = outcome(machine, text(RACING, *lines))
    (failure,) = found.failures
    assert (found.status, failure.where.line) == ("failed", 23)
    assert failure.message == "7 races on g0 with no barrier between"
    details = "\n".join(failure.details)
    assert "races: 7" not in details
    assert "store at sums.hlsl:9, line 11 (instruction 1)" in details
    assert "byte 0x4, threads 1,0,0 and 0,0,0" in details
    assert "GroupMemoryBarrierWithGroupSync() between the two" in details
    assert "use an atomic operation" in details
    assert "11 | store_raw g0.x, r0.x, vThreadIDInGroupFlattened.x" in details
    assert "17 | ld_raw r0.z, r0.y, g0.xxxx" in details
    assert "`races any`" in details


def test_files_elsewhere_are_not_looked_up(
    machine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What debug information names tells nothing of other folders, and is no error."""
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path / "own")
    for place in ("secret.hlsl", "own/sums.hlsl"):
        (tmp_path / place).touch()
    (tmp_path / "own" / "link.hlsl").symlink_to(tmp_path / "secret.hlsl")

    def place(name: str) -> Any:
        return outcome(machine, text(RACING.replace("sums.hlsl", name))).failures[0].hlsl

    assert place("C:/sums.hlsl").file == "sums.hlsl"
    for name in ("../secret.hlsl", "../own/sums/../../secret.hlsl", "link.hlsl", "x" * 300):
        assert place(name) is None
    assert place("C:/" + "a/" * 60 + "sums.hlsl").file == "sums.hlsl"
    assert place("C:/" + "a/" * 20_000 + "none.hlsl") is None  # not each of its parts is looked up


def test_instructions_of_one_line_are_one_row(machine: Any) -> None:
    """As those of an unrolled loop; the advice comes before the table."""
    load = "ld_raw r0.z, r0.y, g0.xxxx\n"
    unrolled = RACING.replace(load, f"{load}ld_raw r0.w, r0.y, g0.xxxx\n{load}")
    (failure,) = outcome(machine, text(unrolled)).failures
    assert failure.message == "21 races on g0 with no barrier between"
    advice, heading, row, *_ = failure.details
    assert advice.startswith("put a GroupMemoryBarrierWithGroupSync() between the two")
    assert heading.split()[:2] == ["count", "register"]
    assert row.split()[:2] == ["21", "g0"]
    assert "store at sums.hlsl:9, line 11 (instruction 1)  load at sums.hlsl:12, 3 instr" in row
    assert sum(" g0 " in line for line in failure.details) == 1
    without_lines = unrolled.replace("#line", "//")
    (failure,) = outcome(machine, text(without_lines)).failures
    assert sum(" g0 " in line for line in failure.details) == 3


def test_a_barrier_mends_it(machine: Any) -> None:
    assert not outcome(machine, text(ORDERED, "races none")).failures


def test_a_barrier_that_only_some_threads_reach(machine: Any) -> None:
    (failure,) = outcome(machine, text(PARTED)).failures
    assert failure.message == "1 divergent barrier: only some threads of a group reach it"
    details = "\n".join(failure.details)
    assert "sums.hlsl:11, line 16 (instruction 4)" in details
    assert "thread 1,0,0 waits, thread 0,0,0 does not come" in details
    assert "GroupMemoryBarrier" not in details
    assert not outcome(machine, text(PARTED, "races any")).failures


def test_a_test_may_allow_races(machine: Any) -> None:
    assert not outcome(machine, text(RACING, "races any")).failures
    known = outcome(machine, text(RACING, dispatch="todo dispatch"))
    assert (known.status, known.todos) == ("passed", 1)
    with pytest.raises(ShaderTestError, match="unknown word 'some'; expected one of any, none"):
        read(text(RACING, "races some"))


def test_each_test_says_it_for_itself(machine: Any) -> None:
    assert len(outcome(machine, text(RACING, "dispatch 1 1 1")).failures) == 2


def test_in_files_of_vkd3d(machine: Any) -> None:
    container = translate.assemble(RACING)
    dwords = " ".join(f"{word:08x}" for word in memoryview(container).cast("I"))
    section = f"[compute shader dxbc-tpf-hex]\n{dwords}\n{TEST.format(dispatch='dispatch')}"
    assert "7 races" in outcome(machine, section).failures[0].message
    assert not outcome(machine, f"{section}races any\n").failures


def test_other_devices_find_none(device: Any) -> None:
    found = outcome(device, text(RACING, "races none")).failures
    assert len(found) == isinstance(device, ReferenceDevice)


def test_threads_that_store_at_once(machine: Any) -> None:
    """No barrier orders the stores of one instruction."""
    store = RACING.replace("store_raw g0.x, r0.x,", "store_raw g0.x, l(0),")
    (failure,) = outcome(machine, text(store)).failures
    details = "\n".join(failure.details)
    assert "let one thread store, or use an atomic operation" in details
    assert "between the two" not in details
