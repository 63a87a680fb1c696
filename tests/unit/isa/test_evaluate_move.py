"""Moves keep bits; a condition is true if any bit is set. Source: FS §22.9."""

import numpy as np
import pytest

from checks.lanes import DENORMAL_BITS, FLOAT_BITS, Bits, call, check_bits, evaluate
from translate.errors import row_of
from translate.isa import BY_NAME, move

# also the bits of a signalling NaN, of -0.0 and of denormals
PATTERNS = (0, 1, 0x80000000, 0x7F800001, 0xFFC12345, *DENORMAL_BITS, *FLOAT_BITS[:6])


def chosen(condition: Bits, a: Bits, b: Bits) -> Bits:
    return a if condition else b


def swapped(condition: Bits, a: Bits, b: Bits) -> tuple[Bits, Bits]:
    return (b, a) if condition else (a, b)


PLACE = "EXPECTED of tests/unit/isa/test_evaluate_move.py"
EXPECTED = {"mov": lambda a: a, "movc": chosen, "swapc": swapped}


@pytest.mark.parametrize("name", [row.name for row in move.MOVES])
def test_moves(name: str) -> None:
    rows = [(c, a, b) for c in PATTERNS for a in PATTERNS for b in PATTERNS]
    if name == "mov":
        rows = [(a,) for a in PATTERNS]
    check_bits(name, row_of(EXPECTED, name, PLACE), rows)


def test_floats_are_chosen_too() -> None:
    """With a modifier or `_sat` the lanes are floats."""
    condition = np.array([0, 1, 0x80000000], np.uint32)
    a, b = np.array([1, 2, 3], np.float32), np.array([-1, -2, -3], np.float32)
    assert call(BY_NAME["movc"], [condition, a, b]).tolist() == [-1.0, 2.0, 3.0]


def test_a_swap_reads_before_it_writes() -> None:
    a, b = np.array([7], np.uint32), np.array([9], np.uint32)
    first, second = evaluate(BY_NAME["swapc"], [np.array([1], np.uint32), a, b])
    assert (first.tolist(), second.tolist()) == ([9], [7])
    assert (a.tolist(), b.tolist()) == ([7], [9])
