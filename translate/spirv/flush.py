"""The number, or a zero of its sign for a denormal: bodies of `flush`. Source: FS §3.1.3.

And squares with 0 for a denormal: bodies of `flushed_square`. x * x, rounded to nearest or toward
zero, is a denormal or 0 just where |x| < 2^-63. Of 2^-63 it is 2^-126, the least normal one. The
float below is 2^-63 * (1 - 2^-24), whose square is 2^-126 - 2^-149 + 2^-174: that is rounded to the
denormal 2^-126 - 2^-149. So x can be tested while it is multiplied, and there is no sign to keep.
A denormal x is below 2^-63 whether the device flushes it or not. A NaN is not below, and stays one.
"""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value

_SIGN, _EXPONENT = 0x80000000, 0x7F800000
_LEAST = 2.0**-126  # the least normal number
_ROOT = 2.0**-63  # of the least normal number
_ABOVE_ROOT = 0x60000000  # bits of the exponent, of which a number below the root has none


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


def square_by_product(b: Builder, x: Value) -> Value:
    """Where the device flushes every product."""
    b.precise = True
    return b.fmul(x, x)


def square_by_comparison(b: Builder, x: Value) -> Value:
    """By a comparison, which may flush or not."""
    return _square(b, x, b.flt(b.fabs(x), b.f32(_ROOT)))


def square_by_bits(b: Builder, x: Value) -> Value:
    """By a test of bits: with AVX-512 a part of the product."""
    return _square(b, x, b.ieq(b.iand(b.bitcast(U32, x), b.u32(_ABOVE_ROOT)), b.u32(0)))


def _square(b: Builder, x: Value, small: Value) -> Value:
    b.precise = True
    return b.select(small, b.f32(0.0), b.fmul(x, x))


def _choice(b: Builder, x: Value, tiny: Value) -> Value:
    """The number's sign where it is tiny, else the number."""
    sign = b.iand(b.bitcast(U32, x), b.u32(_SIGN))
    return b.select(tiny, b.bitcast(F32, sign), x)
