"""Rules about floats; `python -m checks.proofs` has all claims, also those that take long."""

import pytest

from checks.proofs import exponents, float_intervals
from checks.proofs.denormals import of_comparisons, of_operands, of_results
from checks.proofs.proving import Claim, prove
from checks.proofs.zero_signs import of_positive, of_zeros

_SLOW = (
    *("range of select", "denormal operand of fdiv x, c", "denormal result of fdiv x, c"),
    *("exponent bound of fmax", "exponent bound of fmin", "exponent bound of select"),
    # Of z3's floats alone: no code of the project can make them wrong
    "rounding keeps exponent bounds",
)
_LISTS = (
    float_intervals.of_operations(float_intervals.FEW, float_intervals.SMALL),
    *(exponents.of_rules(), of_comparisons(), of_operands(), of_results()),
    *(of_zeros(), of_positive()),
)
CLAIMS = [claim for claims in _LISTS for claim in claims if claim.name not in _SLOW]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim(claim: Claim) -> None:
    prove(claim)
