"""Bit counting, searching and fields, and `msad`. Source: FS §22.11, §22.18."""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.values import Value
from translate.isa.instruction import (
    SM5,
    Evaluate,
    Instruction,
    Kind,
    Lanes,
    Lower,
    Scalar,
    dst,
    src,
)

U = Scalar.U32
_NONE = 0xFFFFFFFF


def _bits(
    name: str,
    opcode: int,
    sources: tuple[str, ...],
    lower: Lower,
    evaluate: Evaluate,
    source: str,
    scalar: Scalar = U,
    converted: int = 1,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(scalar), *(src(scalar, s) for s in sources)),
        since=SM5,
        lower=lower,
        evaluate=evaluate,
        source=source,
        converted=converted,
    )


def _from_msb(b: Builder, index: Value) -> Value:
    """D3D's number of a bit (from the highest) for SPIR-V's (from the lowest); ~0 is none."""
    none = b.ieq(index, b.u32(0xFFFFFFFF))
    return b.select(none, index, b.isub(b.u32(31), index))


def lower_firstbit_hi(b: Builder, x: Value) -> Value:
    return _from_msb(b, b.find_umsb(x))


def lower_firstbit_shi(b: Builder, x: Value) -> Value:
    return _from_msb(b, b.find_smsb(x))


def _field(b: Builder, width: Value, offset: Value) -> tuple[Value, Value]:
    """(offset, count), from the low five bits of each.

    The count is at most 32 - offset, because SPIR-V leaves fields past bit 31 undefined.
    """
    width, offset = b.iand(width, b.u32(31)), b.iand(offset, b.u32(31))
    return offset, b.umin(width, b.isub(b.u32(32), offset))


def lower_ubfe(b: Builder, width: Value, offset: Value, value: Value) -> Value:
    return b.bitfield_uextract(value, *_field(b, width, offset))


def lower_ibfe(b: Builder, width: Value, offset: Value, value: Value) -> Value:
    return b.bitfield_sextract(value, *_field(b, width, offset))


def lower_bfi(b: Builder, width: Value, offset: Value, insert: Value, base: Value) -> Value:
    return b.bitfield_insert(base, insert, *_field(b, width, offset))


def lower_msad(b: Builder, reference: Value, source: Value, accumulator: Value) -> Value:
    """Add the bytes' absolute differences, except if the reference is 0 (FS §22.18.1); wraps."""
    total = accumulator
    for shift in (0, 8, 16, 24):
        left = b.iand(b.ushr(reference, b.u32(shift)), b.u32(255))
        right = b.iand(b.ushr(source, b.u32(shift)), b.u32(255))
        difference = b.isub(b.umax(left, right), b.umin(left, right))
        total = b.iadd(total, b.select(b.nonzero(left), difference, b.u32(0)))
    return total


def evaluate_countbits(x: Lanes) -> Lanes:
    """Count bit by bit; NumPy has a function for this only since 2.0."""

    import numpy as np

    total = np.zeros_like(x)
    for bit in range(32):
        total += x >> np.uint32(bit) & np.uint32(1)
    return total


def evaluate_firstbit_hi(x: Lanes) -> Lanes:
    import numpy as np

    found = np.full(x.shape, _NONE, np.uint32)
    for position in range(32):  # 0 is the most significant bit
        bit = x >> np.uint32(31 - position) & np.uint32(1)
        found = np.where((found == _NONE) & (bit == 1), np.uint32(position), found)
    return found


def evaluate_firstbit_shi(x: Lanes) -> Lanes:
    """The first bit that differs from the sign, counted from the highest; ~0 if none does."""

    import numpy as np

    return evaluate_firstbit_hi(np.where(x >> np.uint32(31) == 1, ~x, x))


def evaluate_firstbit_lo(x: Lanes) -> Lanes:
    import numpy as np

    lowest = x & (~x + np.uint32(1))
    return np.where(x == 0, np.uint32(_NONE), np.uint32(31) - evaluate_firstbit_hi(lowest))


def evaluate_ubfe(width: Lanes, offset: Lanes, value: Lanes) -> Lanes:
    import numpy as np

    width, offset = (width & 31).astype(np.uint64), (offset & 31).astype(np.uint64)
    mask = (np.uint64(1) << width) - np.uint64(1)
    return (value.astype(np.uint64) >> offset & mask).astype(np.uint32)


def evaluate_ibfe(width: Lanes, offset: Lanes, value: Lanes) -> Lanes:
    """Shift the field up to the sign bit, then down arithmetically, as in FS §22.11.9."""

    import numpy as np

    width, offset = (width & 31).astype(np.int64), (offset & 31).astype(np.int64)
    signed = value.astype(np.uint32).view(np.int32).astype(np.int64)
    up = ((signed << np.maximum(32 - width - offset, 0)) & 0xFFFFFFFF).astype(np.uint32)
    inside = up.view(np.int32).astype(np.int64) >> (32 - width)
    result = np.where(width + offset < 32, inside, signed >> offset)
    return np.where(width == 0, 0, result).astype(np.int32).view(np.uint32)


def evaluate_bfi(width: Lanes, offset: Lanes, insert: Lanes, base: Lanes) -> Lanes:
    import numpy as np

    low_five, one = np.uint32(31), np.uint32(1)
    offset = offset & low_five
    mask = ((one << (width & low_five)) - one) << offset
    return insert << offset & mask | base & ~mask


def evaluate_bfrev(x: Lanes) -> Lanes:
    import numpy as np

    result = np.zeros_like(x)
    for bit in range(32):
        result |= (x >> np.uint32(bit) & np.uint32(1)) << np.uint32(31 - bit)
    return result


def evaluate_msad(reference: Lanes, source: Lanes, accumulator: Lanes) -> Lanes:
    import numpy as np

    total = accumulator.copy()
    for shift in (0, 8, 16, 24):
        left = (reference >> np.uint32(shift) & 255).astype(np.int64)
        right = (source >> np.uint32(shift) & 255).astype(np.int64)
        total += np.where(left == 0, 0, np.abs(left - right)).astype(np.uint32)
    return total


_FIELD = ("width", "offset", "value")

ROWS = (
    _bits("countbits", 0x86, ("a",), Builder.bit_count, evaluate_countbits, "FS §22.11.5"),
    _bits("firstbit_hi", 0x87, ("a",), lower_firstbit_hi, evaluate_firstbit_hi, "FS §22.11.6"),
    _bits("firstbit_lo", 0x88, ("a",), Builder.find_lsb, evaluate_firstbit_lo, "FS §22.11.7"),
    _bits("firstbit_shi", 0x89, ("a",), lower_firstbit_shi, evaluate_firstbit_shi, "FS §22.11.8"),
    _bits("ubfe", 0x8A, _FIELD, lower_ubfe, evaluate_ubfe, "FS §22.11.19"),
    _bits("ibfe", 0x8B, _FIELD, lower_ibfe, evaluate_ibfe, "FS §22.11.9"),
    _bits("bfi", 0x8C, ("width", "offset", "insert", "base"), lower_bfi, evaluate_bfi,
          "FS §22.11.3"),
    _bits("bfrev", 0x8D, ("a",), Builder.bit_reverse, evaluate_bfrev, "FS §22.11.4"),
    _bits("msad", 0xD5, ("reference", "source", "accumulator"), lower_msad, evaluate_msad,
          "FS §22.18.1", converted=3),
)  # fmt: skip
