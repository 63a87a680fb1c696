"""The number, or a zero of its sign for a denormal: bodies of `flush`. Source: FS §3.1.3."""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value

_SIGN, _EXPONENT = 0x80000000, 0x7F800000
_LEAST = 2.0**-126  # the least normal number


def flush_by_product(b: Builder, x: Value) -> Value:
    """Times 1, where the device flushes every product.

    A driver may take products with 1 that may be contracted for superfluous, as Mesa does.
    """
    b.precise = True
    return b.fmul(x, b.f32(1.0))


def flush_by_comparison(b: Builder, x: Value) -> Value:
    """By a comparison, which may flush or not: one instruction of a GPU.

    It is false for a NaN, which stays.
    """
    return _choice(b, x, b.flt(b.fabs(x), b.f32(_LEAST)))


def flush_by_bits(b: Builder, x: Value) -> Value:
    """By a test of the exponent's bits: one instruction with AVX-512."""
    return _choice(b, x, b.ieq(b.iand(b.bitcast(U32, x), b.u32(_EXPONENT)), b.u32(0)))


def _choice(b: Builder, x: Value, tiny: Value) -> Value:
    """The number's sign where it is tiny, else the number."""
    sign = b.iand(b.bitcast(U32, x), b.u32(_SIGN))
    return b.select(tiny, b.bitcast(F32, sign), x)
