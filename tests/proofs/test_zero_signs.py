"""Zeros of which no user sees the sign, and floats without a sign."""

from __future__ import annotations

import pytest

from .proving import Claim, prove
from .zero_signs import of_positive, of_zeros


@pytest.mark.parametrize("claim", [*of_zeros(), *of_positive()], ids=lambda claim: claim.name)
def test_claim(claim: Claim) -> None:
    prove(claim)
