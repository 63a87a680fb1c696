"""Threads that compute the same have the same results, in groups of every size.

Minima and maxima: FS §22.10.11-12. Which NaN arithmetic gives is open in D3D; here it is one.
"""

from __future__ import annotations

import itertools
import math

import pytest

from ..isa.lanes import bits_of, float_of
from .listings import per_thread

SIZES = (*range(1, 18), 33, 100)
NUMBERS = (0, 0x80000000, 1, 0x80000001, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000)
NANS = (0x7FC00000, 0xFFC00001, 0x7F80000B)  # the last is a signalling one
ONE_NAN = 0x7FC00000
ONE_NAN_OF_DOUBLES = 0x7FF80000  # the upper half


def number(bits: int) -> float:
    """A float32, of a denormal a zero of its sign."""
    return float_of(bits & 0x80000000 if bits & 0x7F800000 == 0 else bits)


def extremes(a: float, b: float) -> tuple[float, float]:
    """The minimum and the maximum; of two zeros `b` and `a`."""
    if math.isnan(a) or math.isnan(b):
        other = b if math.isnan(a) else a
        return other, other
    return (a if a < b else b), (a if a >= b else b)


def wanted_of(a: int, b: int) -> list[int]:
    found = extremes(number(a), number(b))
    return [ONE_NAN if math.isnan(value) else bits_of(value) for value in found]


@pytest.mark.parametrize("size", SIZES)
def test_minima_and_maxima(size: int) -> None:
    pairs = [*itertools.product((*NUMBERS, *NANS), repeat=2)]
    body = ["mov r0.xyzw, l(0,0,0,0)"]
    for place, (a, b) in enumerate(pairs):
        low, high = wanted_of(a, b)
        body += [
            f"mov r1.xy, l({a:#x}, {b:#x}, 0, 0)",
            "min r2.x, r1.x, r1.y",
            "max r2.y, r1.x, r1.y",
            f"ine r2.xy, r2.xyxx, l({low:#x}, {high:#x}, 0, 0)",
            "or r2.x, r2.x, r2.y",
            f"movc r0.x, r2.x, l({place + 1}), r0.x",
        ]
    wrong = per_thread(body, threads=size)[:, 0].tolist()
    assert wrong == [0] * size, f"min and max of {pairs[max(wrong) - 1]}"


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
