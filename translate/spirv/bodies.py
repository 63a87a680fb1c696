"""The bodies of the functions of `flush`, `flushed_square`, `sin`, `cos` and `fma`.

`flush` replaces denormals by zeros of the same sign. Source: FS §3.1.3.

`flushed_square` is a square with 0 in place of denormals. x * x, rounded to nearest or toward zero,
is denormal or 0 exactly if |x| < 2^-63. The square of 2^-63 is 2^-126, the smallest normal number.
The next smaller float is 2^-63 * (1 - 2^-24), and its square 2^-126 - 2^-149 + 2^-174 is rounded to
the denormal 2^-126 - 2^-149. So x can be tested while it is multiplied, and the result has no sign
to keep. A denormal x is below 2^-63, flushed or not. A NaN is not, and stays NaN.

Sines and cosines take angles of any size, while Vulkan limits their error only from -pi to pi, to
2^-11. So multiples of 2 pi are subtracted in two steps, of which the first is exact for up to 2^16
turns. A compiler may contract or join the steps: up to 100 pi, where D3D limits the error to
0.0008, that changes an angle by less than 2^-15. An angle of less than half a turn stays as it is.
Sines of zeros have their sign (FS §22.10.20), which Vulkan does not guarantee; so do those of
denormals. The cosine of a denormal is within Vulkan's error that of a zero.

`fma` is a multiply-add with one rounding, made of operations that round once each. No SPIR-V
instruction is sure to round once (GLSL.std.450 Fma rounds twice on CPU drivers). So the exact sum
is kept in parts and rounded at the end. Method: S. Boldo, G. Melquiond, "Emulation of a FMA and
correctly rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers
57(4), 2008. Exponents are split off first, so that no step overflows or loses bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi

from translate.ir.builder import EXPONENT, LEAST, SIGN, WIDE_EXPONENT, Builder
from translate.ir.types import F32, U32
from translate.ir.values import Value
from translate.target_device import Flush

_ROOT = 2.0**-63  # square root of the smallest normal number
_ABOVE_ROOT = 0x60000000  # exponent bits that are 0 in every number below the root
_BIAS = 1023
_SPLITTER = 2.0**27 + 1  # Veltkamp's constant for 53 bits
_LIFT = 54  # a denormal times 2^54 is normal
_REACH = 130  # at a larger distance of exponents, the smaller term only breaks ties
_MIN_EXPONENT = -1022
_FAR = 900  # stands for all larger exponents: everything is below half a unit of it
Parts = tuple[Value, Value]


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


def unflushed(b: Builder, x: Value) -> Value:
    """`x`, where the device's denormals are accepted."""
    return x


def unflushed_square(b: Builder, x: Value) -> Value:
    """Only multiply."""
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


def sine(b: Builder, x: Value) -> Value:
    """The sine of any angle; a zero or denormal gives a zero of its sign."""
    tiny = b.flt(b.fabs(x), b.f32(LEAST))
    return b.select(tiny, b.trunc(x), b.sin(_reduced(b, x)))


def cosine(b: Builder, x: Value) -> Value:
    """The cosine of any angle."""
    return b.cos(_reduced(b, x))


def _reduced(b: Builder, x: Value) -> Value:
    """The same angle in [-pi, pi], beyond which rounding leads by less than 2^-16."""
    turns = b.round_even(b.fmul(x, b.f32(1 / (2 * pi))))
    rest = b.fsub(x, b.fmul(turns, b.f32(6.28125)))
    return b.fsub(rest, b.fmul(turns, b.f32(2 * pi - 6.28125)))


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
    Flush.MODE: unflushed_square,
    Flush.BITS: _square_by_bits,
    Flush.COMPARISON: _square_by_comparison,
    Flush.PRODUCT: _square_by_comparison,
}


def fused_multiply_add(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y + z, rounded once. Infinities, NaNs and products of 0 are handled apart."""
    b.precise = True
    plain = b.fadd(b.fmul(x, y), z)
    exact = b.lnot(b.lor(b.feq(x, b.f64(0.0)), b.feq(y, b.f64(0.0))))
    finite = b.select(exact, _fused(b, x, y, z), plain)
    # Finite factors never give an infinity, even if their rounded product overflows.
    finite = b.select(_is_finite(b, z), finite, z)
    return b.select(b.land(_is_finite(b, x), _is_finite(b, y)), finite, plain)


def _fused(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y + z, rounded once, for finite numbers with x and y not 0.

    All parts of the sum are in units of 2^unit until it is rounded.
    """
    (x, x_exponent), (y, y_exponent), (addend, z_exponent) = (_split(b, v) for v in (x, y, z))
    exponent = b.iadd(x_exponent, y_exponent)
    is_zero = b.feq(z, b.f64(0.0))
    addend = b.select(is_zero, z, addend)
    z_exponent = b.select(is_zero, b.isub(exponent, b.u32(_REACH)), z_exponent)
    distance = b.smin(b.isub(z_exponent, exponent), b.u32(_REACH))
    unit = b.isub(z_exponent, distance)
    addend = b.fmul(addend, _power_of_two(b, b.smax(distance, b.u32(-_REACH))))

    product, product_rest = _two_product(b, x, y)
    addend, addend_rest = _two_sum(b, addend, product_rest)
    total, total_rest = _two_sum(b, product, addend)
    # After a cancellation, only the rest may be left.
    total, rest = _two_sum(b, total, _sum_to_odd(b, addend_rest, total_rest))
    return _rounded(b, total, rest, unit)


def _rounded(b: Builder, total: Value, rest: Value, unit: Value) -> Value:
    """(total + rest) * 2^unit, rounded once, even if the result is denormal.

    Adding the smallest normal number, in these units, aligns the sum's last place with that of
    denormals.
    """
    exponent = b.isub(b.u32(_MIN_EXPONENT), unit)
    exponent = b.smin(b.smax(exponent, b.u32(_MIN_EXPONENT)), b.u32(_FAR))
    least_normal = _power_of_two(b, exponent)
    sign = b.iand(b.f64_high(total), b.u32(SIGN))
    signed = b.pack_f64(b.u32(0), b.ior(b.f64_high(least_normal), sign))
    aligner = b.select(b.flt(b.fabs(total), least_normal), signed, b.f64(0.0))
    high, low = _two_sum(b, aligner, total)
    result = b.fsub(b.fadd(high, _sum_to_odd(b, low, rest)), aligner)
    scaled = _scaled(b, result, unit)
    return b.select(b.feq(result, b.f64(0.0)), b.pack_f64(b.u32(0), sign), scaled)


def _scaled(b: Builder, value: Value, exponent: Value) -> Value:
    """value * 2^exponent in four steps, because 2^exponent may be out of range."""
    step = b.sshr(exponent, b.u32(2))
    factor = _power_of_two(b, step)
    for _ in range(3):
        value = b.fmul(value, factor)
        exponent = b.isub(exponent, step)
    return b.fmul(value, _power_of_two(b, exponent))


def _is_finite(b: Builder, value: Value) -> Value:
    exponent = b.u32(WIDE_EXPONENT)
    return b.ine(b.iand(b.f64_high(value), exponent), exponent)


def _split(b: Builder, value: Value) -> Parts:
    """A number in [1, 2) with the value's sign, and the exponent; meaningless for 0."""
    denormal = b.ieq(b.iand(b.f64_high(value), b.u32(WIDE_EXPONENT)), b.u32(0))
    lifted = b.select(denormal, b.fmul(value, b.f64(2.0**_LIFT)), value)
    high = b.f64_high(lifted)
    bias = b.select(denormal, b.u32(_BIAS + _LIFT), b.u32(_BIAS))
    exponent = b.isub(b.iand(b.ushr(high, b.u32(20)), b.u32(0x7FF)), bias)
    high = b.ior(b.iand(high, b.u32(0x800FFFFF)), b.u32(_BIAS << 20))
    return b.pack_f64(b.f64_low(lifted), high), exponent


def _power_of_two(b: Builder, exponent: Value) -> Value:
    return b.pack_f64(b.u32(0), b.ishl(b.iadd(exponent, b.u32(_BIAS)), b.u32(20)))


def _two_sum(b: Builder, x: Value, y: Value) -> Parts:
    """Knuth's algorithm: the rounded sum, and the exact rounding error."""
    total = b.fadd(x, y)
    back = b.fsub(total, x)
    return total, b.fadd(b.fsub(x, b.fsub(total, back)), b.fsub(y, back))


def _halves(b: Builder, x: Value) -> Parts:
    """Veltkamp's algorithm: two numbers of 26 bits with the sum x."""
    spread = b.fmul(x, b.f64(_SPLITTER))
    high = b.fsub(spread, b.fsub(spread, x))
    return high, b.fsub(x, high)


def _two_product(b: Builder, x: Value, y: Value) -> Parts:
    """Dekker's algorithm: the rounded product, and the exact rounding error."""
    product = b.fmul(x, y)
    (x_high, x_low), (y_high, y_low) = _halves(b, x), _halves(b, y)
    rest = b.fsub(b.fmul(x_high, y_high), product)
    rest = b.fadd(b.fadd(rest, b.fmul(x_high, y_low)), b.fmul(x_low, y_high))
    return product, b.fadd(rest, b.fmul(x_low, y_low))


def _sum_to_odd(b: Builder, x: Value, y: Value) -> Value:
    """x + y, rounded to odd: an inexact sum gets a last bit of 1, which preserves later ties."""
    total, rest = _two_sum(b, x, y)
    low, high = b.f64_low(total), b.f64_high(total)
    inexact = b.fne(rest, b.f64(0.0))
    even = b.ieq(b.iand(low, b.u32(1)), b.u32(0))
    same_sign = b.ieq(
        b.iand(b.ixor(high, b.f64_high(rest)), b.u32(SIGN)),
        b.u32(0),
    )
    borrow = b.select(b.ieq(low, b.u32(0)), b.u32(1), b.u32(0))
    up = b.pack_f64(b.ior(low, b.u32(1)), high)
    down = b.pack_f64(b.isub(low, b.u32(1)), b.isub(high, borrow))
    odd = b.select(same_sign, up, down)
    return b.select(b.land(inexact, even), odd, total)
