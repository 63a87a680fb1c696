"""Convert bits to numbers and back: flushed 32-bit floats, doubles, saturation, and texels.

Floats of texels are u32 bits. Source: FS §3.1.3-3.1.4, §3.2.2-3, §7; reference "Numerics" §1, §7,
"Operand modifiers and saturate".
"""

from __future__ import annotations

import numpy as np

from translate.errors import ProgramError
from translate.isa.instruction import Lanes, Scalar
from translate.isa.registers import Modifier

_SIGN = np.uint32(0x80000000)
_MAGNITUDE = np.uint32(0x7FFFFFFF)
_EXPONENT = np.uint32(0x7F800000)
_SHIFT_HIGH = np.uint64(32)
_MANTISSAS = {16: 10, 11: 6, 10: 5}  # explicit mantissa bits by the float's width
_NAN_TO_NUMBER = np.float32(0.0)


def flushed(bits: Lanes) -> Lanes:
    """Replace denormals by zeros of the same sign, as bits (FS §3.1.3.2)."""
    small = bits & _EXPONENT == 0
    return np.where(small, bits & _SIGN, bits) if small.any() else bits


def modified(bits: Lanes, modifier: Modifier, scalar: Scalar) -> Lanes:
    """Apply source modifiers to 32 bits: abs before neg; integers in two's complement.

    Moves change only the sign bit, so that NaNs and denormals are kept.
    """
    if modifier is Modifier.NONE:
        return bits
    if scalar in (Scalar.U32, Scalar.I32):
        return np.uint32(0) - bits if modifier & Modifier.NEG else bits
    if modifier & Modifier.ABS:
        bits = bits & _MAGNITUDE
    return bits ^ _SIGN if modifier & Modifier.NEG else bits


def as_number(bits: Lanes, scalar: Scalar) -> Lanes:
    """Convert 32 bits to the type that a row's `evaluate` takes; floats are flushed."""
    if scalar is Scalar.F32:
        return flushed(bits).view(np.float32)
    return bits.view(np.int32) if scalar is Scalar.I32 else bits


def as_bits(value: Lanes, scalar: Scalar) -> Lanes:
    """Convert the result of `evaluate` to u32; floats are flushed."""
    if scalar is Scalar.F32:
        return flushed(np.asarray(value, np.float32).view(np.uint32))
    return integer_bits(np.asarray(value))


def integer_bits(value: Lanes) -> Lanes:
    """Convert integers or bools to u32."""
    return value.view(np.uint32) if value.dtype.itemsize == 4 else value.astype(np.uint32)


def with_one_nan(value: Lanes) -> Lanes:
    """Replace all NaNs by the same NaN; D3D does not define which one arithmetic returns (§3.1.3).

    Of two NaNs, NumPy returns either, depending on the lane's position.
    """
    nans = np.isnan(value)
    return np.where(nans, value.dtype.type(np.nan), value) if nans.any() else value


def as_double(low: Lanes, high: Lanes, modifier: Modifier) -> Lanes:
    """A double from two dwords; denormals are kept (FS §3.1.4)."""
    if modifier & Modifier.ABS:
        high = high & _MAGNITUDE
    if modifier & Modifier.NEG:
        high = high ^ _SIGN
    return (high.astype(np.uint64) << _SHIFT_HIGH | low.astype(np.uint64)).view(np.float64)


def double_bits(value: Lanes) -> tuple[Lanes, Lanes]:
    """The low and high dwords of doubles."""
    bits = np.asarray(value, np.float64).view(np.uint64)
    return bits.astype(np.uint32), (bits >> _SHIFT_HIGH).astype(np.uint32)


def saturated(value: Lanes) -> Lanes:
    """Clamp to [0, 1]; NaN and -0 become +0 (FS §3.1.3.3)."""
    inside = np.where(value > 0, value, value.dtype.type(0))
    return np.minimum(inside, value.dtype.type(1))


def from_raw(kind: str, raw: Lanes, bits: int, linear: bool) -> Lanes:
    """Convert a texel's component of `bits` bits to a shader's number; `linear`: not sRGB."""
    if kind == "uint":
        return raw
    if kind in ("sint", "snorm"):
        unused = np.uint32(32 - bits)
        signed = (raw << unused).view(np.int32) >> unused.astype(np.int32)
        if kind == "sint":
            return signed.view(np.uint32)
        # The most negative code also means -1.
        scaled = signed.astype(np.float32) / np.float32((1 << bits - 1) - 1)
        return np.maximum(scaled, np.float32(-1)).view(np.uint32)
    if kind == "unorm":
        # A depth may have 24 bits; a double keeps them, so that only one rounding occurs.
        scaled = raw.astype(np.float64) / ((1 << bits) - 1)
        return (scaled if linear else from_srgb(scaled)).astype(np.float32).view(np.uint32)
    return raw if bits == 32 else small_float_bits(raw, bits)


def from_srgb(value: Lanes) -> Lanes:
    """Convert numbers from 0 to 1 from sRGB to linear."""
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def small_float_bits(raw: Lanes, bits: int) -> Lanes:
    """Convert floats of 16, 11 or 10 bits to 32 bits; those of 11 and 10 bits have no sign."""
    mantissa_bits = _MANTISSAS[bits]
    exponent = (raw >> np.uint32(mantissa_bits) & np.uint32(31)).astype(np.int32)
    mantissa = (raw & np.uint32((1 << mantissa_bits) - 1)).astype(np.float64)
    fraction = mantissa / (1 << mantissa_bits)
    normal = np.ldexp(1 + fraction, exponent - 15)
    number = np.where(exponent == 0, np.ldexp(fraction, -14), normal)
    special = np.where(mantissa == 0, np.inf, np.nan)
    value = np.where(exponent == 31, special, number).astype(np.float32)
    negative = raw >> np.uint32(15) & np.uint32(1) if bits == 16 else np.zeros_like(raw)
    return value.view(np.uint32) | negative << np.uint32(31)


def to_raw(kind: str, value: Lanes, bits: int) -> Lanes:
    """Convert a shader's number to a texel's component of `bits` bits, u32[lanes]."""
    limit = 1 << bits - 1
    mask = np.uint32((1 << bits) - 1)
    if kind == "uint":
        return np.minimum(value, mask)
    if kind == "sint":
        clamped = np.clip(value.view(np.int32).astype(np.int64), -limit, limit - 1)
        return (clamped & int(mask)).astype(np.uint32)
    if kind == "float":
        return value if bits == 32 else small_float(value, bits)
    number = value.view(np.float32)
    number = np.where(np.isnan(number), _NAN_TO_NUMBER, number)
    if kind == "unorm":
        scaled = np.clip(number, 0, 1).astype(np.float64) * int(mask)
        return np.floor(scaled + 0.5).astype(np.uint32)
    if kind == "snorm":
        scaled = np.clip(number, -1, 1).astype(np.float64) * (limit - 1)
        code = np.trunc(scaled + np.where(scaled < 0, -0.5, 0.5)).astype(np.int64)
        return (code & int(mask)).astype(np.uint32)
    raise ProgramError(f"nothing can be stored in a format of {kind}")


def small_float(bits32: Lanes, bits: int) -> Lanes:
    """Convert 32-bit floats to 16, 11 or 10 bits, rounding toward zero (FS §3.2.2).

    Finite numbers that are too large become the largest number; infinities and NaNs are kept.
    Negative numbers become 0 if the format has no sign.
    """
    mantissa = _MANTISSAS[bits]
    size = bits32 & np.uint32(0x7FFFFFFF)
    exponent = (size >> np.uint32(23)).astype(np.int64)
    significand = (size & np.uint32(0x7FFFFF) | np.uint32(0x800000)).astype(np.int64)
    # The unit of a denormal is 2^(-14 - mantissa), that of a float's significand 2^(e - 150).
    tiny = significand >> np.clip(136 - mantissa - exponent, 0, 63)
    normal = (size.astype(np.int64) - 0x38000000) >> (23 - mantissa)
    infinity = 31 << mantissa
    result = np.where(exponent < 113, tiny, normal)
    result = np.where(exponent >= 143, infinity - 1, result)
    result = np.where(size == 0x7F800000, infinity, result)
    result = np.where(size > 0x7F800000, infinity | 1 << mantissa - 1, result)
    negative = (bits32 >> np.uint32(31)).astype(np.int64)
    if bits == 16:
        return (result | negative << 15).astype(np.uint32)
    return np.where((negative == 1) & (size <= 0x7F800000), 0, result).astype(np.uint32)
