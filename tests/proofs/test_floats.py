"""The quicker proofs of floats' ranges and exponent bounds; `python -m tests.proofs` has all."""

from __future__ import annotations

import pytest

from . import exponents, float_intervals
from .proving import Claim, prove

_SLOW = (
    "range of select",
    "exponent bound of fmax",
    "exponent bound of fmin",
    "exponent bound of select",
    # Of z3's floats alone: no code of the project can make them wrong
    "rounding keeps exponent bounds",
)
CLAIMS = [
    claim
    for claim in (
        *float_intervals.of_operations(float_intervals.FEW, float_intervals.SMALL),
        *exponents.of_rules(),
    )
    if claim.name not in _SLOW
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_bounds_of_floats_hold(claim: Claim) -> None:
    prove(claim)
