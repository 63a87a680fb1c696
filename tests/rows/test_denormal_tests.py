"""Both tests for denormals give the reference machine's bits, also where the zero's sign is left
out: for special floats that meet in products, sums, comparisons and conversions.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import vkrunner

GROUP = 64
LISTING = f"""cs_5_0
dcl_globalFlags refactoringAllowed
dcl_resource_structured t0, 12
dcl_uav_structured u0, 48
dcl_input vThreadID.x
dcl_temps 5
dcl_thread_group {GROUP}, 1, 1
ld_structured r0.xyz, vThreadID.x, l(0), t0.xyzx
mul r1.x, r0.x, r0.y
add r1.y, r0.x, r0.y
mul r2.x, r1.x, r1.y
lt r2.y, r1.x, r0.z
add r2.z, r1.y, |r0.z|
add r2.w, r1.x, l(1.0)
store_structured u0.xyzw, vThreadID.x, l(0), r2.xyzw
sqrt r3.x, r1.x
add r3.x, r3.x, |r0.z|
ftoi r3.y, r1.y
mad r3.z, r0.x, r0.y, r1.y
ge r3.z, r3.z, r0.z
movc r3.w, r2.y, r1.y, r1.x
eq r3.w, r3.w, r0.z
store_structured u0.xyzw, vThreadID.x, l(16), r3.xyzw
mul r4.x, r1.y, r1.y
add r4.x, r4.x, r1.x
mul r4.y, r1.y, r0.z
add r4.z, |r4.y|, r4.x
round_ni r4.w, r1.y
add r4.w, r4.w, l(2.0)
store_structured u0.xyzw, vThreadID.x, l(32), r4.xyzw
ret
"""
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
