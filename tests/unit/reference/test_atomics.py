"""Atomics of many lanes give the results of sequential ones, for every row."""

from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role, Scalar
from translate.reference.words import apply_in_order, count_in_order

from .listings import Array, buffer, execute, listing, words

ATOMICS = [row for row in ROWS if row.kind is Kind.ATOMIC]
COUNTERS = [row for row in ROWS if row.kind is Kind.COUNTER]


def singly(row: Instruction, memory: Array, at: Array, values: list[Array]) -> tuple[Array, Array]:
    """Changes `memory`; returns the old values, and whether each lane changes the dword."""
    found, changed = np.zeros(len(at), np.uint32), np.zeros(len(at), np.bool_)
    evaluate: Any = row.evaluate
    for lane, place in enumerate(at):
        one = [value[lane : lane + 1] for value in values]
        old = memory[place : place + 1].copy()
        found[lane] = old[0]
        memory[place] = np.asarray(evaluate(old.view(values[0].dtype), *one)).view(np.uint32)[0]
        changed[lane] = memory[place] != found[lane]
    return found, changed


@pytest.mark.parametrize("places", [1, 3, 50, 1000])
@pytest.mark.parametrize("row", ATOMICS, ids=lambda row: row.name)
def test_order_of_lanes(row: Instruction, places: int) -> None:
    rng = np.random.default_rng(places)
    specs = [spec for spec in row.operands if spec.role is Role.SOURCE]
    at = rng.integers(0, places, 200)
    # Few different values, so that some compare-exchanges succeed.
    values = [
        rng.integers(0, 2**32, 4, np.uint32)[rng.integers(0, 4, 200)].view(
            np.int32 if spec.scalar is Scalar.I32 else np.uint32
        )
        for spec in specs
    ]
    memory = np.resize(values[0].view(np.uint32), places)
    expected_memory = memory.copy()
    expected, expected_changed = singly(row, expected_memory, at, values)
    assert row.evaluate is not None
    found, changed = apply_in_order(memory, at, row.evaluate, values)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(changed, expected_changed)
    np.testing.assert_array_equal(memory, expected_memory)


@pytest.mark.parametrize("start", [0, 5, 2**32 - 3])
@pytest.mark.parametrize("row", COUNTERS, ids=lambda row: row.name)
def test_counters_wrap_and_go_in_order_of_lanes(row: Instruction, start: int) -> None:
    evaluate: Any = row.evaluate
    counter, expected = np.array([start], np.uint32), []
    for _ in range(9):
        given, counter = evaluate(counter)
        expected.append(int(given[0]))
    given, end = count_in_order(np.uint32(start), 9, evaluate)
    assert (given.tolist(), int(end)) == (expected, int(counter[0]))


def test_returned_values_follow_the_threads_through_groups() -> None:
    text = listing(
        ["imm_atomic_iadd r0.x, u0, l(0,0,0,0), l(2)",
         "store_structured u1.x, vThreadID.x, l(0), r0.x", "ret"],
        ["dcl_uav_raw u0", "dcl_uav_structured u1, 4"],
    )  # fmt: skip
    given = np.array([100, 7], np.uint32)
    outcome = execute(text, (3, 1, 1), u0=given, u1=np.zeros(24, np.uint32))
    assert words(outcome, "u1").tolist() == [100 + 2 * n for n in range(24)]
    assert words(outcome).tolist() == [148, 7]


def test_a_signed_minimum_of_a_typed_buffer() -> None:
    text = listing(
        ["ineg r0.y, vThreadID.x",
         "atomic_imin u0, l(1,0,0,0), r0.y", "ret"],
        ["dcl_uav_typed_buffer (sint,sint,sint,sint) u0"],
    )  # fmt: skip
    outcome = execute(text, u0=buffer(np.array([3, 3], np.int32), format="r32_sint"))
    assert words(outcome, dtype=np.int32).tolist() == [3, -7]
