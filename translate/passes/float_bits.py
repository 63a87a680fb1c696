"""Floats by their bits: tests and limits that hold for NaNs, whatever a device makes of those."""

from __future__ import annotations

import struct

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value

SIGN = 0x80000000
INFINITY = 0x7F800000
LEAST_NORMAL = 0x00800000


def bits_of(number: float) -> int:
    """The bits of a float."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    return bits


def magnitude(b: Builder, x: Value) -> Value:
    """The bits without the sign: they grow as the magnitude does, NaNs are the largest."""
    return b.iand(b.bitcast(U32, x), b.u32(~SIGN))


def is_nan(b: Builder, x: Value) -> Value:
    """Whether a float is a NaN."""
    return b.ult(b.u32(INFINITY), magnitude(b, x))


def sign_of(b: Builder, x: Value) -> Value:
    """The sign bit."""
    return b.iand(b.bitcast(U32, x), b.u32(SIGN))


def signed(b: Builder, number: float, sign: Value) -> Value:
    """A positive number with a sign bit."""
    return b.bitcast(F32, b.ior(sign, b.u32(bits_of(number))))


def limited(b: Builder, x: Value, limit: float, of_nan: float) -> Value:
    """A float with its magnitude cut to a limit, and a number in place of a NaN."""
    large = b.ult(b.u32(bits_of(limit)), magnitude(b, x))
    cut = b.select(large, signed(b, limit, sign_of(b, x)), x)
    return b.select(is_nan(b, x), b.f32(of_nan), cut)
