"""Some of the proofs of rewrites; `python -m checks.proofs --only rewrites` has all."""

import pytest

from checks.proofs.proving import Claim, prove
from checks.proofs.random_modules import of_modules
from checks.proofs.rewrites import of_cases

_CASES = (
    *("promote_registers/", "resume_calls/", "scalarise_arrays/", "select_registers/"),
    *("select_ranges/", "flush_denormals/clean_", "hide_zeros/array"),
    *(
        "select_constant_buffers/",
        "select_push_constants/",
        "apply_windows/",
        "agree_on_indices/",
        "write_reports/marks",
    ),
    *("convert_texels/uint", "convert_texels/snorm", "guard_bounds/off", "flush_denormals/merges"),
    *("flush_denormals/shared_memory", "flush_denormals/comparison_with_zero"),
    "flush_denormals/steps_that_scale",
)
_NAMES = tuple(f"same after {name}" for name in _CASES)
_SLOW = (
    *("same after resume_calls/barrier", "same after resume_calls/switch"),
    "same after select_registers/loads_of_one_index",
)
CLAIMS = [c for c in of_cases() if c.name.startswith(_NAMES) and c.name not in _SLOW]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_a_pass_keeps_the_meaning(claim: Claim) -> None:
    prove(claim)


LONG = pytest.mark.thorough(reason="a proof of more than a second")


@pytest.mark.parametrize("seed", [*(pytest.param(n, marks=LONG) for n in (0, 1)), 2, 3, 4, 5])
def test_passes_keep_the_meaning_of_a_random_module(seed: int) -> None:
    for claim in of_modules(1, seed):
        prove(claim)
