"""32-bit integer arithmetic, comparisons and logic. Source: FS §22.11, §22.12; ASM.

All results wrap modulo 2^32. `evaluate` gets u32 or i32 lanes, depending on the row.
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


ROWS = (
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
