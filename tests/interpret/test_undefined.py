"""Undefined behaviour of the IR is reported, with the operation and its place."""

from pathlib import Path

import numpy as np
import pytest

from checks.interpret import EndlessError, InterpretError, Outcome, interpret
from translate.ir.parser import parse_module
from translate.ir.row import Stage
from translate.reference.resources import Buffer

_HEAD = """module cs_5_0 after simplify
thread_group 4 1 1
resource u0 raw 0 is_uav
resource g0 shared_raw 0 length=32
resource x0 indexable_temp 0 length=5 components=1
function main {"""


def run(body: str, *, line: int = 0, rounds: int = 100, dwords: int = 8) -> Outcome:
    """What four threads do, with so many dwords in u0; `@0` is in that line."""
    table = f"@0 line={line} column=1\n" if line else ""
    module = parse_module(f"{_HEAD}{body}}}\n{table}")
    resources = {"u0": Buffer(np.zeros(4 * dwords, np.uint8))}
    return interpret(module, Stage.WINDOWED, resources, (1, 1, 1), rounds=rounds)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("%5: u32 = udiv 8, %0", "the divisor is not 0, found 0"),
        ("%5: u32 = umod 8, %0", "the divisor is not 0, found 0"),
        ("%5: u32 = ishl 8, %1", "the count is below 32, found 32"),
        ("%5: u32 = bitfield_uextract 8, %0, %1", "offset \\+ count is at most 32, found 1 and 33"),
        ("%5: u32 = f_to_s32 %3", "the number fits a signed integer, found 4294967040"),
        ("%5: u32 = f_to_u32 %4", "the number fits an unsigned integer, found nan"),
    ],
)
def test_a_violated_precondition(line: str, found: str) -> None:
    """Threads 0 to 3 run it; the value violates the condition in one of them."""
    body = f"""
  %0: u32 = input (vThreadID.x)
  %1: u32 = iadd %0, 32
  %2: bool = ult %0, 3
  %3: f32 = select %2, 1.0f, 4294967040.0f
  %4: f32 = select %2, 1.0f, f32:0x7fc00000
  {line} @0
  return
"""
    with pytest.raises(InterpretError, match=f"is undefined here: {found}") as caught:
        run(body, line=7)
    assert caught.value.where.line == 7
    assert line in str(caught.value)
    assert "in thread (" in str(caught.value)


def test_inactive_threads_violate_no_precondition() -> None:
    body = (Path(__file__).parent / "data/inactive_threads.txt").read_text("utf-8")
    found = run(body).written.buffers["u0"].view(np.uint32)
    assert found[:4].tolist() == [0, 12, 6, 4]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("store_element %1, 1 (u0.0)", "accesses element 8 of 8, in thread \\(3, 0, 0\\)"),
        ("%2: u32 = load_element %1 (u0.0)", "accesses element 8 of 8"),
        ("%2: u32 = atomic_element %1, 1 (u0.0 iadd)", "accesses element 8 of 8"),
        ("%2: u32 = load_element %1 (g0.0)", "accesses element 8 of 8"),
        ("store_element %1, 1 (g0.0)", "accesses element 8 of 8"),
        ("%2: u32 = load_element %1 (x0.0)", "accesses element 5 of 5"),
    ],
)
def test_an_access_outside(line: str, found: str) -> None:
    body = f"""
  %0: u32 = input (vThreadID.x)
  %1: u32 = iadd %0, 5
  {line} @0
  return
"""
    with pytest.raises(InterpretError, match=found) as caught:
        run(body, line=4)
    assert caught.value.where.line == 4
    assert line in str(caught.value)


def test_guarded_accesses_are_no_errors() -> None:
    """x# has a spare element for dropped stores; element 0 of an empty view is read, not used."""
    body = """
  store_element 5, 1 (x0.0)
  %0: u32 = load_element 0 (u0.0)
  return
"""
    run(body, dwords=0)
    with pytest.raises(InterpretError, match="accesses element 6 of 6"):
        run(body.replace("store_element 5", "store_element 6"))
    with pytest.raises(InterpretError, match="accesses element 1 of 0"):
        run(body.replace("load_element 0", "load_element 1"), dwords=0)


def test_a_barrier_that_a_part_of_a_group_meets() -> None:
    body = (Path(__file__).parent / "data/partial_barrier.txt").read_text("utf-8")
    with pytest.raises(InterpretError, match="is reached by only part of a group"):
        run(body)


def test_a_loop_without_end() -> None:
    with pytest.raises(EndlessError, match="more than 3 iterations"):
        run("\n  loop {\n    continue\n  }\n", rounds=3)


def test_a_race_is_found() -> None:
    """A thread reads its neighbour's store, with and without a barrier between."""
    barrier = "barrier (shared_memory threads)"
    body = f"""
  %0: u32 = input (vThreadID.x)
  store_element %0, 7 (g0.0)
  {barrier}
  %1: u32 = iadd %0, 1
  %2: u32 = load_element %1 (g0.0)
  return
"""
    assert not run(body).races
    assert run(body.replace(barrier, "")).races
