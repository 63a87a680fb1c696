"""The quicker proofs of bounds; `python -m checks.proofs` has all of them."""

import itertools

import pytest

from checks.proofs import ranges
from checks.proofs.loops import of_loops
from checks.proofs.proving import Claim, prove

_LOOPS = ("as it is, True", "or another, True", "no mask, True", "two steps", "after", "each round")
_SLOW = ("sge, or", "uge, or", "two steps until sge", "two steps until ieq", "two steps until ine")


def _is_quick(claim: Claim) -> bool:
    """Of each rule one claim for each reason by which it could be wrong."""
    name = claim.name
    if any(text in name for text in _SLOW):
        return False
    if name.startswith("loop until"):
        return "of the limit" not in name and any(text in name for text in _LOOPS)
    if name.startswith("learnt"):
        return "not ult" not in name or "uge x, c" in name
    return " - (" not in name or name.endswith(" of x)")


CLAIMS = [
    *filter(
        _is_quick,
        (*ranges.of_operations(), *ranges.of_conditions(), *ranges.of_differences(), *of_loops()),
    ),
    *ranges.of_expressions(8, depth=2, first_seed=2),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_no_value_exceeds_its_bound(claim: Claim) -> None:
    prove(claim)


def test_no_input_exceeds_its_bound() -> None:
    """Of some of the groups that D3D allows."""
    some = itertools.islice(ranges.groups(), 0, None, 7)
    beyond = [text for group in some for text in ranges.inputs_beyond_their_bounds(group)]
    assert beyond == []
