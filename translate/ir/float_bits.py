"""Masks of the bits of floats, and tests of these bits, which are right for NaNs on every device.

Masks are for F32; those of a double are for its high dword.
"""

from __future__ import annotations

import struct

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value

SIGN = 0x80000000  # of a double too
MAGNITUDE = 0x7FFFFFFF
EXPONENT = 0x7F800000  # all of these bits, and no others of the magnitude, are an infinity
WIDE_EXPONENT = 0x7FF00000  # of a double
LEAST_NORMAL = 0x00800000
LEAST = 2.0**-126  # the least normal number


def is_normal(bits: int) -> bool:
    """Whether the F32 with these bits is not a denormal (it may be zero, infinite or NaN)."""
    return bits & EXPONENT != 0 or bits & MAGNITUDE == 0


def bits_of(number: float) -> int:
    """The bits of `number`, rounded to F32."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    return bits


def magnitude(b: Builder, x: Value) -> Value:
    """The bits of an F32 without its sign: as integers they order magnitudes, with NaNs last."""
    return b.iand(b.bitcast(U32, x), b.u32(MAGNITUDE))


def is_nan(b: Builder, x: Value) -> Value:
    """Whether a float is a NaN."""
    return b.ult(b.u32(EXPONENT), magnitude(b, x))


def sign_of(b: Builder, x: Value) -> Value:
    """The sign bit."""
    return b.iand(b.bitcast(U32, x), b.u32(SIGN))


def signed(b: Builder, number: float, sign: Value) -> Value:
    """`number`, which is positive, with the sign bit that `sign_of` gave."""
    return b.bitcast(F32, b.ior(sign, b.u32(bits_of(number))))


def limited(b: Builder, x: Value, limit: float, of_nan: float) -> Value:
    """`x` clamped to [-limit, limit]; `of_nan` if it is a NaN."""
    large = b.ult(b.u32(bits_of(limit)), magnitude(b, x))
    cut = b.select(large, signed(b, limit, sign_of(b, x)), x)
    return b.select(is_nan(b, x), b.f32(of_nan), cut)
