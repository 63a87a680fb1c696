"""Threads that compute the same have the same results, in groups of every size.

Minima and maxima: FS §22.10.11-12. Which NaN arithmetic gives is open in D3D; here it is one.
`tests/unit/isa` has the results of all rows in every number of lanes.
"""

from __future__ import annotations

import pytest

from .listings import per_thread

SIZES = (*range(1, 18), 33, 100)
ONE_NAN = 0x7FC00000
ONE_NAN_OF_DOUBLES = 0x7FF80000  # the upper half


# Two doubles, the upper halves of the minimum and maximum, and of those in the other order
DOUBLES = {
    "+0 and -0": ("l(0, 0, 0, 0x80000000)", [0x80000000, 0, 0, 0x80000000]),
    "a signalling NaN and 1": ("l(1, 0x7ff00000, 0, 0x3ff00000)", [0x3FF00000] * 4),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", DOUBLES)
def test_minima_and_maxima_of_doubles(name: str, size: int) -> None:
    numbers, wanted = DOUBLES[name]
    body = [
        f"mov r1.xyzw, {numbers}",
        *("dmin r2.xy, r1.xyxy, r1.zwzw", "dmax r2.zw, r1.xyxy, r1.zwzw"),
        *("dmin r3.xy, r1.zwzw, r1.xyxy", "dmax r3.zw, r1.zwzw, r1.xyxy"),
        *("mov r0.xy, r2.ywyy", "mov r0.zw, r3.yyyw"),
    ]
    assert per_thread(body, threads=size).tolist() == [wanted] * size


@pytest.mark.parametrize("size", SIZES)
def test_nans_of_arithmetic(size: int) -> None:
    body = ["mov r1.xyzw, l(0x7f80000b, 0xffc00001, 0, 0)"]
    body += ["mov r2.xyzw, l(0, 0xfff80001, 1, 0x7ff00000)"]
    body += ["add r0.x, r1.x, r1.y", "mul r0.y, r1.y, r1.x", "dp2 r0.z, r1.xyxx, r1.yxxx"]
    body += ["dadd r3.xy, r2.xyxy, r2.zwzw", "mov r0.w, r3.y"]
    wanted = [ONE_NAN, ONE_NAN, ONE_NAN, ONE_NAN_OF_DOUBLES]
    assert per_thread(body, threads=size).tolist() == [wanted] * size
