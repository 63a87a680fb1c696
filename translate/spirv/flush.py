"""The bodies of `flush`: replace denormals by zeros of the same sign. Source: FS §3.1.3.

Also the bodies of `flushed_square`: squares with 0 in place of denormals. x * x, rounded to nearest
or toward zero, is denormal or 0 exactly if |x| < 2^-63. The square of 2^-63 is 2^-126, the smallest
normal number. The next smaller float is 2^-63 * (1 - 2^-24), and its square 2^-126 - 2^-149 +
2^-174 is rounded to the denormal 2^-126 - 2^-149. So x can be tested while it is multiplied, and
the result has no sign to keep. A denormal x is below 2^-63, flushed or not. A NaN is not, and stays
NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir.builder import Builder
from translate.ir.float_bits import EXPONENT, LEAST, SIGN
from translate.ir.types import F32, U32
from translate.ir.values import Value
from translate.target_device import Flush

_ROOT = 2.0**-63  # square root of the smallest normal number
_ABOVE_ROOT = 0x60000000  # exponent bits that are 0 in every number below the root


def _flush_by_mode(b: Builder, x: Value) -> Value:
    """Multiply by 1, for devices that flush every product.

    It is precise, because drivers such as Mesa may otherwise remove the multiplication.
    """
    b.precise = True
    return b.fmul(x, b.f32(1.0))


def _flush_by_comparison(b: Builder, x: Value) -> Value:
    """Test by a comparison, which may itself flush or not: one instruction on a GPU.

    The comparison is false for NaN, which stays.
    """
    return _choice(b, x, b.flt(b.fabs(x), b.f32(LEAST)))


def _flush_by_product(b: Builder, x: Value) -> Value:
    """Multiply by 0 or 1, which is faster on NVIDIA's GPUs than a choice of bits (docs/gpu.md).

    The product is exact. It has the sign of `x`, and is NaN or infinite if `x` is, on devices that
    preserve these. It is precise, because drivers may otherwise replace a product with 0 by +0.
    """
    b.precise = True
    return b.fmul(x, b.select(b.flt(b.fabs(x), b.f32(LEAST)), b.f32(0.0), b.f32(1.0)))


def _flush_by_bits(b: Builder, x: Value) -> Value:
    """Test the exponent's bits: one instruction with AVX-512."""
    return _choice(b, x, b.ieq(b.iand(b.bitcast(U32, x), b.u32(EXPONENT)), b.u32(0)))


def _square_by_mode(b: Builder, x: Value) -> Value:
    """Only multiply, for devices that flush every product."""
    b.precise = True
    return b.fmul(x, x)


def _square_by_comparison(b: Builder, x: Value) -> Value:
    """Test by a comparison, which may itself flush or not."""
    return _square(b, x, b.flt(b.fabs(x), b.f32(_ROOT)))


def _square_by_bits(b: Builder, x: Value) -> Value:
    """Test exponent bits; with AVX-512 this is part of the multiplication."""
    return _square(b, x, b.ieq(b.iand(b.bitcast(U32, x), b.u32(_ABOVE_ROOT)), b.u32(0)))


def _square(b: Builder, x: Value, small: Value) -> Value:
    b.precise = True
    return b.select(small, b.f32(0.0), b.fmul(x, x))


def _choice(b: Builder, x: Value, tiny: Value) -> Value:
    """A zero with the sign of `x` if `tiny`, else `x`."""
    sign = b.iand(b.bitcast(U32, x), b.u32(SIGN))
    return b.select(tiny, b.bitcast(F32, sign), x)


FLUSHES: Mapping[Flush, Callable[[Builder, Value], Value]] = {
    Flush.MODE: _flush_by_mode,
    Flush.BITS: _flush_by_bits,
    Flush.COMPARISON: _flush_by_comparison,
    Flush.PRODUCT: _flush_by_product,
}
SQUARES: Mapping[Flush, Callable[[Builder, Value], Value]] = {
    Flush.MODE: _square_by_mode,
    Flush.BITS: _square_by_bits,
    Flush.COMPARISON: _square_by_comparison,
    Flush.PRODUCT: _square_by_comparison,
}
