"""Convert bits to numbers and back: flushed 32-bit floats, doubles in pairs, saturation.

Source: FS §3.1.3-3.1.4, §7; reference "Numerics" §1, "Operand modifiers and saturate".
"""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes, Scalar
from translate.isa.registers import Modifier

_SIGN = np.uint32(0x80000000)
_MAGNITUDE = np.uint32(0x7FFFFFFF)
_EXPONENT = np.uint32(0x7F800000)
_SHIFT_HIGH = np.uint64(32)


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
    array = np.asarray(value)
    return array.view(np.uint32) if array.dtype.itemsize == 4 else array.astype(np.uint32)


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
