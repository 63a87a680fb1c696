"""The number, or a zero of its sign for a denormal: bodies of `flush`. Source: FS §3.1.3."""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value

_SIGN = 0x80000000
_LEAST = 2.0**-126  # the least normal number


def flush_by_product(b: Builder, x: Value) -> Value:
    """Times 1, where the device flushes every product.

    A driver may take products with 1 that may be contracted for superfluous, as Mesa does.
    """
    b.precise = True
    return b.fmul(x, b.f32(1.0))


def flush_by_choice(b: Builder, x: Value) -> Value:
    """Of a number below the least normal one the sign, by a comparison that may flush or not.

    It is false for a NaN, which stays.
    """
    tiny = b.flt(b.fabs(x), b.f32(_LEAST))
    sign = b.iand(b.bitcast(U32, x), b.u32(_SIGN))
    return b.select(tiny, b.bitcast(F32, sign), x)
