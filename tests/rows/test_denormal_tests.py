"""Both tests for denormals give the reference machine's bits, also where the zero's sign is left
out: for special floats that meet in products, sums, comparisons and conversions.
"""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner

GROUP = 64  # threads, as in the listing
LISTING = Path(__file__).parent / "data/denormal_tests.asm"
SIZES = (0, 1, 0x7FFFFF, 0x800000, 0x1000000, 0x1F800000, 0x20000000, 0x3F800000, 0x7F800000)
NAN = 0x7FC00000
BITS = np.array([*SIZES, *(size | 1 << 31 for size in SIZES), NAN], np.uint32)
FORMS: dict[str, dict[str, Any]] = {
    "comparison": {},
    "without modes": {"float_controls": frozenset[str]()},
    "not optimised": {"optimize": False},
}


def results(device: Any, **options: Any) -> np.ndarray[Any, Any]:
    """The bits of twelve results for every three of the floats; all NaNs have the same bits."""
    rows = np.array([*product(BITS, repeat=3)], np.uint32)
    groups = -(-len(rows) // GROUP)
    with device.kernel(LISTING, **options) as kernel:
        out = np.zeros((len(rows), 12), np.uint32)
        found = kernel.dispatch(groups, t0=rows.view(np.float32), u0=out).u0.view(np.uint32)
    return np.where(np.isnan(found.view(np.float32)), NAN, found)


@pytest.mark.parametrize("form", FORMS)
def test_tests_for_denormals(device: vkrunner.Device, form: str) -> None:
    options = FORMS[form]
    found = results(device, denormal_test="comparison", **options)
    np.testing.assert_array_equal(found, results(device, denormal_test="bits", **options))
    if "special_small_floats" not in device.faults:
        with vkrunner.open_device("reference") as machine:
            np.testing.assert_array_equal(found, results(machine))
