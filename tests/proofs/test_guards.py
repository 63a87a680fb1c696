"""Some of the proofs of guards; `python -m tests.proofs --only guards` has all."""

from __future__ import annotations

import pytest

from .guards import of_kinds, of_strides
from .proving import Claim, decide

_KINDS = ("load of u0", "load of g0", "store of x0", "atomic of u0", "loads of cb0")
_FEW = [claim for claim in of_kinds() if claim.name.startswith(_KINDS)]
CLAIMS = [*_FEW, *(claim for claim in of_strides(step=676) if "vector" not in claim.name)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_accesses_are_in_bounds(claim: Claim) -> None:
    verdict = decide(claim)
    assert verdict.proved, verdict.counter or "z3 does not decide in time"
