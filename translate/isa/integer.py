"""32-bit integers: arithmetic, comparisons and logic; counting of bits, fields, `msad`.

All results wrap modulo 2^32. `evaluate` gets u32 or i32 lanes, depending on the row. Source: FS
§22.11, §22.12, §22.18; ASM.
"""

from __future__ import annotations

from operator import add, eq, ge, invert, lt, ne, neg

from translate.ir.builder import Builder
from translate.ir.lanes import numpy
from translate.ir.values import Value
from translate.isa.instruction import (
    SM4,
    SM5,
    Binary,
    Evaluate,
    Instruction,
    Kind,
    Lanes,
    Lower,
    Scalar,
    comparison,
    dst,
    src,
)

U, I = Scalar.U32, Scalar.I32  # noqa: E741


def _integer(
    name: str,
    opcode: int,
    scalar: Scalar,
    arity: int,
    lower: Lower,
    evaluate: Evaluate,
    since: tuple[int, int] = SM4,
    converted: int | None = None,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(scalar), *(src(scalar, "abc"[i]) for i in range(arity))),
        since=since,
        lower=lower,
        evaluate=evaluate,
        source="FS §22.11",
        converted=converted,
    )


def _pair(
    name: str,
    opcode: int,
    scalar: Scalar,
    names: tuple[str, str],
    lower: Lower,
    evaluate: Evaluate,
    since: tuple[int, int] = SM4,
) -> Instruction:
    """A row with two sources and two destinations, either of which may be `null`."""
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(scalar, names[0]), dst(scalar, names[1]), src(scalar, "a"), src(scalar, "b")),
        since=since,
        lower=lower,
        evaluate=evaluate,
        source="FS §22.11",
    )


def lower_mad(b: Builder, x: Value, y: Value, z: Value) -> Value:
    return b.iadd(b.imul(x, y), z)


def lower_neg(b: Builder, x: Value) -> Value:
    return b.isub(b.u32(0), x)


def lower_umul(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    return b.umul_high(x, y), b.imul(x, y)


def lower_imul(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    return b.smul_high(x, y), b.imul(x, y)


def lower_udiv(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """Quotient and remainder; both are ~0 if y is 0 (FS §22.11.18).

    Then the emitted division is by 1, because SPIR-V leaves division by 0 undefined.
    """
    defined = b.nonzero(y)
    divisor = b.select(defined, y, b.u32(1))
    ones = b.u32(0xFFFFFFFF)
    return (
        b.select(defined, b.udiv(x, divisor), ones),
        b.select(defined, b.umod(x, divisor), ones),
    )


def lower_uaddc(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    """The sum and the carry, which is 1, not ~0. The sum has wrapped if it is less than `x`."""
    total = b.iadd(x, y)
    return total, b.select(b.ult(total, x), b.u32(1), b.u32(0))


def lower_usubb(b: Builder, x: Value, y: Value) -> tuple[Value, Value]:
    return b.isub(x, y), b.select(b.ult(x, y), b.u32(1), b.u32(0))


def _shift(method: Binary) -> Binary:
    """A shift by the count's low five bits, as in D3D (FS §22.11).

    SPIR-V leaves larger counts undefined.
    """

    def lower(b: Builder, x: Value, count: Value) -> Value:
        return method(b, x, b.iand(count, b.u32(31)))

    return lower


def evaluate_udiv(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    import numpy as np

    divisor = np.where(y == 0, np.uint32(1), y)
    zero, ones = y == 0, np.uint32(0xFFFFFFFF)
    return np.where(zero, ones, x // divisor), np.where(zero, ones, x % divisor)


def evaluate_umul(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    import numpy as np

    product = x.astype(np.uint64) * y.astype(np.uint64)
    return (product >> np.uint64(32)).astype(np.uint32), product.astype(np.uint32)


def evaluate_imul(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    import numpy as np

    product = x.astype(np.int64) * y.astype(np.int64)
    return (product >> 32).astype(np.int32), product.astype(np.int32)


def evaluate_uaddc(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    import numpy as np

    total = x.astype(np.uint64) + y.astype(np.uint64)
    return total.astype(np.uint32), (total >> np.uint64(32)).astype(np.uint32)


def evaluate_usubb(x: Lanes, y: Lanes) -> tuple[Lanes, Lanes]:
    return x - y, (y > x).astype("uint32")


def _low(n: Lanes) -> Lanes:
    """The low five bits of shift counts."""
    return n & n.dtype.type(31)


INTEGERS = (
    _integer("iadd", 0x1E, I, 2, Builder.iadd, add),
    _integer("imad", 0x23, I, 3, lower_mad, lambda x, y, z: x * y + z),
    _integer("umad", 0x52, U, 3, lower_mad, lambda x, y, z: x * y + z),
    _pair("imul", 0x26, I, ("high", "low"), lower_imul, evaluate_imul),
    _pair("umul", 0x51, U, ("high", "low"), lower_umul, evaluate_umul),
    _pair("udiv", 0x4E, U, ("quotient", "remainder"), lower_udiv, evaluate_udiv),
    _pair("uaddc", 0x84, U, ("sum", "carry"), lower_uaddc, evaluate_uaddc, SM5),
    _pair("usubb", 0x85, U, ("difference", "borrow"), lower_usubb, evaluate_usubb, SM5),
    _integer("ineg", 0x28, I, 1, lower_neg, neg),
    _integer("imax", 0x24, I, 2, Builder.smax, numpy("maximum")),
    _integer("imin", 0x25, I, 2, Builder.smin, numpy("minimum")),
    _integer("umax", 0x53, U, 2, Builder.umax, numpy("maximum")),
    _integer("umin", 0x54, U, 2, Builder.umin, numpy("minimum")),
    comparison("ieq", 0x20, I, Builder.ieq, eq),
    comparison("ine", 0x27, I, Builder.ine, ne),
    comparison("ige", 0x21, I, Builder.sge, ge),
    comparison("ilt", 0x22, I, Builder.slt, lt),
    comparison("uge", 0x50, U, Builder.uge, ge),
    comparison("ult", 0x4F, U, Builder.ult, lt),
    _integer("and", 0x01, U, 2, Builder.iand, lambda x, y: x & y),
    _integer("or", 0x3C, U, 2, Builder.ior, lambda x, y: x | y),
    _integer("xor", 0x57, U, 2, Builder.ixor, lambda x, y: x ^ y),
    _integer("not", 0x3B, U, 1, Builder.inot, invert),
    _integer("ishl", 0x29, I, 2, _shift(Builder.ishl), lambda x, n: x << _low(n), converted=1),
    _integer("ishr", 0x2A, I, 2, _shift(Builder.sshr), lambda x, n: x >> _low(n), converted=1),
    _integer("ushr", 0x55, U, 2, _shift(Builder.ushr), lambda x, n: x >> _low(n), converted=1),
)


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

BITS = (
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
