"""Races in group-shared memory, divergent barriers, memory read before it is written."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from translate.reference import UNINITIALISED, Findings

from ...listings import blocks
from .listings import execute, listing

ME, NEXT = "vThreadIDInGroupFlattened.x", "r7.x"
STORE = f"store_structured g0.x, {ME}, l(0), {ME}"
LOAD_NEXT = f"ld_structured r0.x, {NEXT}, l(0), g0.xxxx"
ADD, CLEAR = "atomic_iadd g0, l(0,0,0,0), l(1)", "store_structured g0.x, l(0), l(0), l(0)"
LOAD = "ld_structured r0.x, l(0), l(0), g0.xxxx"


def findings(body: Sequence[str], groups: int = 2) -> Findings:
    """Eight threads a group; r7.x is the number of the next thread, the first after the last."""
    lead = [f"iadd r7.x, {ME}, l(1)", "and r7.x, r7.x, l(7)"]
    text = listing([*lead, *body, "ret"], ["dcl_tgsm_structured g0, 4, 8"])
    return execute(text, (groups, 1, 1)).findings


def half(*body: str) -> list[str]:
    """The body for threads 0 to 3."""
    return [f"ult r1.x, {ME}, l(4)", "if_nz r1.x", *body, "endif"]


SOUND = blocks(Path(__file__).parent / "data/sound.asm")


@pytest.mark.parametrize("name", SOUND)
def test_nothing_is_found(name: str) -> None:
    found = findings(SOUND[name].splitlines(), groups=50)
    assert (found.race_count, found.violation_count, found.divergent_barrier_count) == (0, 0, 0)


@pytest.mark.parametrize("barrier", [[], ["sync_g"], ["sync_uglobal_t"]], ids=str)
def test_load_of_what_another_thread_stored(barrier: list[str]) -> None:
    """A fence alone synchronises no threads; `_t` alone does not order group-shared memory."""
    found = findings([STORE, *barrier, LOAD_NEXT])
    assert found.race_count == 16
    race = found.races[0]
    assert (race.group, race.register, race.byte_offset) == ((0, 0, 0), "g0", 4)
    assert race.accesses == ("store", "load")
    assert (race.first.thread, race.first.instruction) == ((1, 0, 0), 2)
    assert (race.second.thread, race.second.instruction) == ((0, 0, 0), 3 + len(barrier))
    assert race.second.line == (race.first.line or 0) + 1 + len(barrier)


def test_store_over_what_another_thread_loaded() -> None:
    found = findings([STORE, "sync_g_t", LOAD_NEXT, f"store_structured g0.x, {ME}, l(0), l(77)"])
    assert found.race_count == 16
    race = found.races[0]
    assert race.accesses == ("load", "store")
    assert (race.first.thread, race.second.thread) == ((7, 0, 0), (0, 0, 0))


def test_store_over_what_the_same_thread_and_others_loaded() -> None:
    load = "ld_structured r0.x, l(0), l(0), g0.xxxx"
    last = [f"ieq r1.x, {ME}, l(7)", "if_nz r1.x", "store_structured g0.x, l(0), l(0), l(9)"]
    found = findings(["store_structured g0.x, l(0), l(0), l(1)", "sync_g_t", load, *last, "endif"])
    assert found.race_count == 2
    race = found.races[0]
    assert (race.accesses, race.second.thread) == (("load", "store"), (7, 0, 0))
    assert race.first.thread != race.second.thread


def test_different_values_stored_to_one_place() -> None:
    found = findings([f"store_structured g0.x, l(3), l(0), {ME}"], groups=1)
    assert found.race_count == 7
    assert found.races[0].accesses == ("store", "store")
    assert found.races[0].byte_offset == 12


@pytest.mark.parametrize(
    ("first", "second", "accesses"),
    [(ADD, LOAD, ("atomic", "load")), (LOAD, ADD, ("load", "atomic"))],
)
def test_a_load_beside_an_atomic(first: str, second: str, accesses: tuple[str, str]) -> None:
    """As in a histogram whose bins are read without a barrier after the additions."""
    found = findings([CLEAR, "sync_g_t", first, second], groups=1)
    assert (found.race_count, found.races[0].accesses) == (8, accesses)
    assert findings([CLEAR, "sync_g_t", first, "sync_g_t", second], groups=1).race_count == 0


def test_atomics_race_with_stores() -> None:
    found = findings([CLEAR, "sync_g_t", ADD, f"if_z {ME}", CLEAR, "endif"], groups=1)
    assert found.race_count == 1
    assert found.races[0].accesses == ("atomic", "store")


def test_memory_read_before_it_is_written() -> None:
    found = findings([f"ult r1.x, {ME}, l(4)", "if_nz r1.x", STORE, "endif", "sync_g_t", LOAD_NEXT])
    wrong = [(v.thread, v.cause, v.index, v.defined) for v in found.violations]
    expected = [
        ((g * 8 + t, 0, 0), UNINITIALISED, t + 1, False) for g in (0, 1) for t in range(3, 7)
    ]
    assert wrong == expected


def test_an_atomic_reads_uninitialised_memory_once() -> None:
    add = "atomic_iadd g0, l(0,0,0,0), l(1)"
    found = findings([add, "sync_g_t", add], groups=1)
    assert {(v.cause, v.instruction) for v in found.violations} == {(UNINITIALISED, 2)}


# --- barriers -----------------------------------------------------------------------------------


def test_a_barrier_in_a_divergent_branch() -> None:
    found = findings(half("sync_g_t"))
    assert found.divergent_barrier_count == 2
    barrier = found.divergent_barriers[1]
    assert barrier.group == (1, 0, 0)
    assert (barrier.arrived.thread, barrier.arrived.instruction) == ((8, 0, 0), 4)
    assert (barrier.missing.thread, barrier.missing.instruction) == ((12, 0, 0), 3)
    assert barrier.absent == 4
    assert (barrier.missing.line or 0) + 1 == barrier.arrived.line


def test_a_barrier_in_both_branches_is_met_in_neither() -> None:
    body = [*half("sync_g_t")[:-1], "else", "sync_g_t", "endif"]
    assert findings(body, groups=1).divergent_barrier_count == 2


def test_a_thread_is_missing_from_where_it_parted_not_from_where_it_rejoined() -> None:
    """Threads 0 to 3 leave their branch before the others reach the barrier."""
    inner = [f"ult r1.y, {ME}, l(2)", "if_nz r1.y", "mov r0.x, l(1)", "endif"]
    found = findings([*half(*inner)[:-1], "else", "sync_g_t", "endif"], groups=1)
    (barrier,) = found.divergent_barriers
    assert (barrier.missing.thread, barrier.missing.instruction) == ((0, 0, 0), 3)


def test_a_thread_that_rejoined_while_others_ended_is_missing_from_where_it_parted() -> None:
    inner = [f"uge r1.y, {ME}, l(2)", "retc_nz r1.y"]
    found = findings([*half("if_nz r7.x", *inner, "endif")[:-1], "else", "sync_g_t", "endif"], 1)
    (barrier,) = found.divergent_barriers
    assert (barrier.missing.thread, barrier.missing.instruction) == ((0, 0, 0), 3)


def test_a_barrier_in_a_loop_that_threads_leave_one_by_one() -> None:
    body = ["mov r0.x, l(0)", "loop", f"uge r1.x, r0.x, {ME}", "breakc_nz r1.x",
            "iadd r0.x, r0.x, l(1)", "sync_g_t", "endloop"]  # fmt: skip
    found = findings(body, groups=1)
    assert found.divergent_barrier_count == 7
    assert [b.absent for b in found.divergent_barriers] == [1, 2, 3, 4, 5, 6, 7]
    assert {b.missing.instruction for b in found.divergent_barriers} == {5}


def test_a_thread_that_ended_cannot_reach_a_barrier() -> None:
    found = findings([f"retc_z {ME}", "sync_g_t"], groups=1)
    barrier = found.divergent_barriers[0]
    assert (barrier.missing.thread, barrier.missing.instruction) == ((0, 0, 0), 2)
    assert barrier.absent == 1


def test_inputs_are_not_changed_and_findings_start_empty() -> None:
    given = np.arange(4, dtype=np.uint32)
    text = listing(["store_raw u0.x, l(0), l(9)", "ret"], ["dcl_uav_raw u0"])
    outcome = execute(text, u0=given)
    assert given.tolist() == [0, 1, 2, 3]
    assert outcome.findings.violations == []
