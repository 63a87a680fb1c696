"""The pure operations on the bits of 32-bit integers, one row each.

`ir.row` explains the fields, `ir.lanes` the operands of `evaluate`.
"""

from __future__ import annotations

from typing import Final

from translate.ir.lanes import ONES, bit_count, bit_length, bit_reverse, choose, power, signed
from translate.ir.row import Precondition, pure
from translate.ir.types import U32

_U1 = (U32,)
_U2 = (U32, U32)
_U3 = (U32, U32, U32)
_U4 = (U32, U32, U32, U32)

# Lowering and passes ensure these conditions; SPIR-V leaves other operands undefined
_COUNT = Precondition("the count is below 32", (1,), lambda n: n[0] < 32)
_INSERTED = Precondition("offset + count is at most 32", (2, 3), lambda n: n[0] + n[1] <= 32)
_EXTRACTED = Precondition("offset + count is at most 32", (1, 2), lambda n: n[0] + n[1] <= 32)

IAND: Final = pure(
    "iand",
    _U2,
    U32,
    "Bitwise and.",
    lambda a, b: a & b,
    "OpBitwiseAnd",
    commutes=True,
    idempotent=True,
    neutral=ONES,
    absorbing=0,
)
IOR: Final = pure(
    "ior",
    _U2,
    U32,
    "Bitwise or.",
    lambda a, b: a | b,
    "OpBitwiseOr",
    commutes=True,
    idempotent=True,
    neutral=0,
    absorbing=ONES,
)
IXOR: Final = pure(
    "ixor",
    _U2,
    U32,
    "Bitwise exclusive or.",
    lambda a, b: a ^ b,
    "OpBitwiseXor",
    commutes=True,
    neutral=0,
    of_equals=0,
)
# Its result belongs to the branch around it, so only the last passes emit it: none moves it.
AGREED: Final = pure(
    "agreed", _U1, U32, "`a`, which must be the same in all threads that execute this.", lambda a: a
)
INOT: Final = pure("inot", _U1, U32, "Bitwise not.", lambda a: ~a, "OpNot")
ISHL: Final = pure(
    "ishl",
    _U2,
    U32,
    "Shift left.",
    lambda a, b: a << b,
    "OpShiftLeftLogical",
    precondition=_COUNT,
    neutral=0,
)
USHR: Final = pure(
    "ushr",
    _U2,
    U32,
    "Logical shift right.",
    lambda a, b: a >> b,
    "OpShiftRightLogical",
    precondition=_COUNT,
    neutral=0,
)
SSHR: Final = pure(
    "sshr",
    _U2,
    U32,
    "Arithmetic shift right.",
    lambda a, b: signed(a) >> b,
    "OpShiftRightArithmetic",
    precondition=_COUNT,
    neutral=0,
)
BIT_COUNT: Final = pure("bit_count", _U1, U32, "How many bits are set.", bit_count, "OpBitCount")
BIT_REVERSE: Final = pure(
    "bit_reverse",
    _U1,
    U32,
    "The bits in reverse order.",
    bit_reverse,
    "OpBitReverse",
)
FIND_LSB: Final = pure(
    "find_lsb",
    _U1,
    U32,
    "Lowest set bit's number, ~0 for none.",
    lambda a: bit_length(a & -a) - 1,
    "FindILsb",
)
FIND_UMSB: Final = pure(
    "find_umsb",
    _U1,
    U32,
    "Highest set bit's number, ~0 for none.",
    lambda a: bit_length(a) - 1,
    "FindUMsb",
)
FIND_SMSB: Final = pure(
    "find_smsb",
    _U1,
    U32,
    "Highest bit that differs from the sign, ~0 for none.",
    lambda a: bit_length(choose(signed(a) < 0, a ^ ONES, a)) - 1,
    "FindSMsb",
)
BITFIELD_INSERT: Final = pure(
    "bitfield_insert",
    _U4,
    U32,
    "`base` with `count` bits of `insert` at `offset`.",
    lambda base, insert, offset, count: (
        base ^ ((base ^ insert << offset) & (power(count) - 1) << offset)
    ),
    "OpBitFieldInsert",
    names=("base", "insert", "offset", "count"),
    precondition=_INSERTED,
)
BITFIELD_UEXTRACT: Final = pure(
    "bitfield_uextract",
    _U3,
    U32,
    "A bit field, zero-extended.",
    lambda a, offset, count: a >> offset & power(count) - 1,
    "OpBitFieldUExtract",
    names=("a", "offset", "count"),
    precondition=_EXTRACTED,
)
BITFIELD_SEXTRACT: Final = pure(
    "bitfield_sextract",
    _U3,
    U32,
    "A bit field, sign-extended.",
    lambda a, offset, count: (
        (a >> offset & power(count) - 1) - ((a >> offset & power(count) >> 1) << 1)
    ),
    "OpBitFieldSExtract",
    names=("a", "offset", "count"),
    precondition=_EXTRACTED,
)
