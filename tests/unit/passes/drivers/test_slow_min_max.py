"""Minima and maxima as comparisons and choices: the same numbers for all pairs of operands."""

import numpy as np
import pytest

import vkrunner

from ....listings import listing, literal

SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, -1e-40, 2.0**-126, 1.0, -1.0, 3.5, -1e38]
CONSTANT = np.float32(3.5)
BODY = [
    "ld_structured_indexable(structured_buffer, stride=8)(mixed,mixed,mixed,mixed)"
    " r0.xy, vThreadID.x, l(0), t0.xyxx",
    "min r1.x, r0.x, r0.y",
    "max r1.y, r0.x, r0.y",
    f"min r1.z, r0.x, {literal([int(CONSTANT.view(np.uint32))])}",
    f"max r1.w, {literal([int(CONSTANT.view(np.uint32))])}, r0.x",
    "mov_sat r2.x, r0.y",
    "min r2.y, r2.x, r0.x",
    "max r2.z, r2.x, r0.x",
    "mov r2.w, l(0)",
    *(f"store_structured u0.xyzw, vThreadID.x, l({16 * n}), r{n + 1}.xyzw" for n in range(2)),
]
DECLARATIONS = ["dcl_resource_structured t0, 8", "dcl_uav_structured u0, 32"]


@pytest.mark.parametrize("workarounds", [[], ["slow_min_max"]], ids=["plain", "chosen"])
def test_every_pair(device: vkrunner.Device, workarounds: list[str]) -> None:
    given = np.array([(x, y) for x in SPECIAL for y in SPECIAL], np.float32)
    text = listing(BODY, DECLARATIONS, temps=3, group=(len(given), 1, 1))
    found = device.kernel(text, workarounds=workarounds).dispatch(
        1, t0=given, u0=np.zeros((len(given), 8), np.float32)
    )
    flushed = np.where(np.abs(given) < 2.0**-126, np.float32(0), given)  # FS §3.1.3
    x, y = flushed.T
    whole = np.fmin(np.fmax(y, 0), 1)  # of a NaN the saturation is 0
    expected = [
        *(np.fmin(x, y), np.fmax(x, y), np.fmin(x, CONSTANT), np.fmax(x, CONSTANT)),
        *(whole, np.fmin(whole, x), np.fmax(whole, x), np.zeros_like(x)),
    ]
    np.testing.assert_array_equal(found.u0, np.stack(expected, 1))
