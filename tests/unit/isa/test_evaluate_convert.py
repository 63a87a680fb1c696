"""Conversions, compared with Python's integers and `struct`'s halves. FS §22.13, §3.2.2."""

import bisect
import math
import struct

import pytest

from checks import lanes
from translate.errors import row_of
from translate.isa import move
from translate.isa.instruction import Scalar

from ...complete import check_complete

HALVES = [struct.unpack("<e", struct.pack("<H", bits))[0] for bits in range(0x7C00)]


def is_nan(bits: lanes.Bits) -> bool:
    return bits & 0x7FFFFFFF > 0x7F800000


def clamped(bits: lanes.Bits, low: int, high: int) -> lanes.Bits:
    value = lanes.float_of(bits)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return lanes.unsigned(high if value > 0 else low)
    return lanes.unsigned(max(low, min(high, math.trunc(value))))


def half_toward_zero(bits: lanes.Bits) -> lanes.Bits:
    """The largest half in magnitude that is no larger; infinities stay."""
    sign = bits >> 16 & 0x8000
    size = abs(lanes.float_of(bits))
    return sign | (0x7C00 if math.isinf(size) else bisect.bisect_right(HALVES, size) - 1)


def half_value(bits: lanes.Bits) -> lanes.Bits:
    return lanes.bits_of(struct.unpack("<e", struct.pack("<H", bits & 0xFFFF))[0])


PLACE = "EXPECTED of tests/unit/isa/test_evaluate_convert.py"
EXPECTED: dict[str, lanes.Expected] = {
    "ftoi": lambda x: clamped(x, -(2**31), 2**31 - 1),
    "ftou": lambda x: clamped(x, 0, 2**32 - 1),
    "itof": lambda x: lanes.bits_of(float(lanes.signed(x))),
    "utof": lambda x: lanes.bits_of(float(x)),
    "f32tof16": half_toward_zero,
    "f16tof32": half_value,
}
FLOATS = (*lanes.FLOAT_BITS, *lanes.DENORMAL_BITS, *lanes.random_bits(1000, 3))


def names_of(*types: Scalar) -> list[str]:
    """The rows that convert from these types, without those of halves."""
    return [r.name for r in move.CONVERSIONS if lanes.sources(r)[0] in types and "16" not in r.name]


@pytest.mark.parametrize("name", names_of(Scalar.F32))
def test_to_integers(name: str) -> None:
    lanes.check_bits(name, row_of(EXPECTED, name, PLACE), [(bits,) for bits in FLOATS])


@pytest.mark.parametrize("name", names_of(Scalar.I32, Scalar.U32))
def test_from_integers(name: str) -> None:
    edges = (0x01000001, 0x01000003, 0x7FFFFFBF, 0x7FFFFFC0, 0xFFFFFF7F, 0xFFFFFF80)
    rows = [(bits,) for bits in (*lanes.INTEGERS, *edges, *lanes.random_bits(1000, 4))]
    lanes.check_bits(name, row_of(EXPECTED, name, PLACE), rows)


def test_to_half_is_toward_zero() -> None:
    near_halves = [
        (lanes.bits_of(value) + step,)
        for value in (*HALVES[:2100:7], *HALVES[-40:], 65504.0, 65536.0)
        for step in (0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF)
    ]
    negative = [(bits | 0x80000000,) for (bits,) in near_halves]
    numbers = [(bits,) for bits in FLOATS if not is_nan(bits)]
    lanes.check_bits("f32tof16", half_toward_zero, near_halves + negative + numbers)


# Floats and halves: the checking constants of FS §22.13.2, and others seen on drivers
SEEN_HALVES = [
    (lanes.bits_of(1025.75), 0x6401),
    (lanes.bits_of(100000.0), 0x7BFF),
    (lanes.bits_of(1.75 * 2**-24), 0x0001),
    (lanes.bits_of(0.75 * 2**-24), 0x0000),
    (0x477FE000, 0x7BFF),
    (0x477FFFFF, 0x7BFF),
    (0x47800000, 0x7BFF),
    (0xC7800000, 0xFBFF),
    (0x7F800000, 0x7C00),
    (0xFF800000, 0xFC00),
    (0x33800000, 0x0001),
    (0x33000000, 0x0000),
    (0x80000000, 0x8000),
]


@pytest.mark.parametrize(("bits", "half"), SEEN_HALVES)
def test_halves_seen_on_drivers(bits: lanes.Bits, half: lanes.Bits) -> None:
    assert lanes.evaluate_bits("f32tof16", [(bits,)]) == [(half,)]


@pytest.mark.parametrize("bits", [0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF800001, 0x7FFFFFFF])
def test_nan_stays_nan_in_halves(bits: lanes.Bits) -> None:
    ((half,),) = lanes.evaluate_bits("f32tof16", [(bits,)])
    assert half & 0x7C00 == 0x7C00
    assert half & 0x03FF
    assert half < 0x10000


def test_from_half_is_exact_for_all() -> None:
    """Denormal halves become normal floats; the upper 16 bits are ignored."""
    rows = [(bits | 0xABCD0000,) for bits in range(0x10000) if bits & 0x7FFF <= 0x7C00]
    lanes.check_bits("f16tof32", half_value, rows)


def test_nan_stays_nan_from_halves() -> None:
    found = lanes.evaluate_bits("f16tof32", [(bits,) for bits in (0x7C01, 0x7E00, 0xFFFF)])
    assert all(is_nan(bits) for (bits,) in found)


def test_every_row_is_tested() -> None:
    check_complete(EXPECTED, {row.name for row in move.CONVERSIONS}, PLACE)
