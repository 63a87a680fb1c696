"""Some of the proofs of guards; `python -m checks.proofs --only guards` has all."""

import pytest

from checks.proofs.guards import LAST, of_kinds, of_strides
from checks.proofs.guards_of_views import of_arrays, of_texels, of_windows
from checks.proofs.proving import Claim, prove

_KINDS = ("load of u0", "load of g0", "store of x0", "atomic of u0", "loads of cb0")
_VIEWS = (
    *("load from a mip of t0 typed 0 dimension=texture1darray", "store of u0 typed 0 is_uav"),
    *("load of t0 typed 0 dimension=texture2dms shape", "load of t0 typed 0 dimension=buffer"),
    *("load of u0 raw", "store of u0 structured 0 is_uav stride=16 w", "size of u0"),
    *("sample of t0", "counter of u0", "loads of cb0 constants 0 length=7 count"),
)
_FEW = [claim for claim in of_kinds() if claim.name.startswith(_KINDS)]
_OF_VIEWS = [
    claim
    for claims in (of_texels, of_windows, of_arrays)
    for claim in claims()
    if claim.name.startswith(_VIEWS) and claim.name.endswith(f"after {LAST}")
    if "=float" not in claim.name or "count=" in claim.name
    if ", robust" not in claim.name or "is_uav dimension=texture" in claim.name
]
_STRIDES = [claim for claim in of_strides(step=1012) if "vector" not in claim.name]
CLAIMS = [*_FEW, *_OF_VIEWS, *_STRIDES]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_accesses_are_in_bounds(claim: Claim) -> None:
    prove(claim)
