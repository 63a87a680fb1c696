"""Operands that stay unflushed give the same results as flushed ones."""

from __future__ import annotations

import pytest

from .denormals import of_comparisons, of_operands, of_results
from .proving import Claim, prove

_SLOW = ("denormal operand of fdiv x, c", "denormal result of fdiv x, c")
CLAIMS = [c for c in (*of_comparisons(), *of_operands(), *of_results()) if c.name not in _SLOW]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_claim(claim: Claim) -> None:
    prove(claim)
