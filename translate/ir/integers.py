"""The pure operations on integers and truth values, and on values of any type, one row each.

`ir.row` says what the fields mean, `ir.lanes` what `evaluate` sees.
"""

from __future__ import annotations

from typing import Final

from translate.ir import row
from translate.ir.lanes import ONES, bit_length, bits, choose, numpy, signed
from translate.ir.row import Generic, Precondition, pure
from translate.ir.types import BOOL, U32

_U1 = (U32,)
_U2 = (U32, U32)
_U3 = (U32, U32, U32)
_U4 = (U32, U32, U32, U32)
_B1 = (BOOL,)
_B2 = (BOOL, BOOL)

# What lowering and the passes see to, since SPIR-V leaves the rest undefined
_DIVISOR = Precondition("the divisor is not 0", (1,), lambda n: n[0] != 0)
_COUNT = Precondition("the count is below 32", (1,), lambda n: n[0] < 32)
_INSERTED = Precondition("offset + count is at most 32", (2, 3), lambda n: n[0] + n[1] <= 32)
_EXTRACTED = Precondition("offset + count is at most 32", (1, 2), lambda n: n[0] + n[1] <= 32)

# 32-bit integers
IADD: Final = pure(
    "iadd", _U2, U32, "a + b.", lambda a, b: a + b, "OpIAdd", commutes=True, neutral=0
)
ISUB: Final = pure("isub", _U2, U32, "a - b.", lambda a, b: a - b, "OpISub", neutral=0, of_equals=0)
IMUL: Final = pure(
    "imul",
    _U2,
    U32,
    "The low 32 bits of a product.",
    lambda a, b: a * b,
    "OpIMul",
    commutes=True,
    neutral=1,
    absorbing=0,
)
UMUL_HIGH: Final = pure(
    "umul_high",
    _U2,
    U32,
    "The high 32 bits of an unsigned product.",
    lambda a, b: a * b >> 32,  # right even where int64 wraps
    commutes=True,
    absorbing=0,
)
SMUL_HIGH: Final = pure(
    "smul_high",
    _U2,
    U32,
    "The high 32 bits of a signed product.",
    lambda a, b: signed(a) * signed(b) >> 32,
    commutes=True,
    absorbing=0,
)
UDIV: Final = pure(
    "udiv",
    _U2,
    U32,
    "Unsigned quotient.",
    lambda a, b: a // b,
    "OpUDiv",
    precondition=_DIVISOR,
    neutral=1,
)
UMOD: Final = pure(
    "umod", _U2, U32, "Unsigned remainder.", lambda a, b: a % b, "OpUMod", precondition=_DIVISOR
)
UMIN: Final = pure(
    "umin",
    _U2,
    U32,
    "Unsigned minimum.",
    lambda a, b: choose(a < b, a, b),
    "UMin",
    commutes=True,
    idempotent=True,
    neutral=ONES,
    absorbing=0,
)
UMAX: Final = pure(
    "umax",
    _U2,
    U32,
    "Unsigned maximum.",
    lambda a, b: choose(a > b, a, b),
    "UMax",
    commutes=True,
    idempotent=True,
    neutral=0,
    absorbing=ONES,
)
SMIN: Final = pure(
    "smin",
    _U2,
    U32,
    "Signed minimum.",
    lambda a, b: choose(signed(a) < signed(b), a, b),
    "SMin",
    commutes=True,
    idempotent=True,
    neutral=0x7FFFFFFF,
    absorbing=0x80000000,
)
SMAX: Final = pure(
    "smax",
    _U2,
    U32,
    "Signed maximum.",
    lambda a, b: choose(signed(a) > signed(b), a, b),
    "SMax",
    commutes=True,
    idempotent=True,
    neutral=0x80000000,
    absorbing=0x7FFFFFFF,
)
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
BIT_COUNT: Final = pure(
    "bit_count", _U1, U32, "How many bits are set.", lambda a: sum(bits(a)), "OpBitCount"
)
BIT_REVERSE: Final = pure(
    "bit_reverse",
    _U1,
    U32,
    "The bits in reverse.",
    lambda a: sum(bit << 31 - n for n, bit in enumerate(bits(a))),
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
    "Bits of `insert` into `base`.",
    lambda base, insert, offset, count: (
        base ^ ((base ^ insert << offset) & ((1 << count) - 1) << offset)
    ),
    "OpBitFieldInsert",
    precondition=_INSERTED,
)
BITFIELD_UEXTRACT: Final = pure(
    "bitfield_uextract",
    _U3,
    U32,
    "A bit field, zero-extended.",
    lambda a, offset, count: a >> offset & (1 << count) - 1,
    "OpBitFieldUExtract",
    precondition=_EXTRACTED,
)
BITFIELD_SEXTRACT: Final = pure(
    "bitfield_sextract",
    _U3,
    U32,
    "A bit field, sign-extended.",
    lambda a, offset, count: (
        (a >> offset & (1 << count) - 1) - ((a >> offset & 1 << count >> 1) << 1)
    ),
    "OpBitFieldSExtract",
    precondition=_EXTRACTED,
)
IEQ: Final = pure(
    "ieq", _U2, BOOL, "a == b.", lambda a, b: a == b, "OpIEqual", commutes=True, of_equals=True
)
INE: Final = pure(
    "ine", _U2, BOOL, "a != b.", lambda a, b: a != b, "OpINotEqual", commutes=True, of_equals=False
)
ULT: Final = pure(
    "ult", _U2, BOOL, "Unsigned a < b.", lambda a, b: a < b, "OpULessThan", of_equals=False
)
UGE: Final = pure(
    "uge", _U2, BOOL, "Unsigned a >= b.", lambda a, b: a >= b, "OpUGreaterThanEqual", of_equals=True
)
SLT: Final = pure(
    "slt",
    _U2,
    BOOL,
    "Signed a < b.",
    lambda a, b: signed(a) < signed(b),
    "OpSLessThan",
    of_equals=False,
)
SGE: Final = pure(
    "sge",
    _U2,
    BOOL,
    "Signed a >= b.",
    lambda a, b: signed(a) >= signed(b),
    "OpSGreaterThanEqual",
    of_equals=True,
)

# Truth values
LAND: Final = pure(
    "land",
    _B2,
    BOOL,
    "Both.",
    lambda a, b: a & b,
    "OpLogicalAnd",
    commutes=True,
    idempotent=True,
    neutral=True,
    absorbing=False,
)
LOR: Final = pure(
    "lor",
    _B2,
    BOOL,
    "Either.",
    lambda a, b: a | b,
    "OpLogicalOr",
    commutes=True,
    idempotent=True,
    neutral=False,
    absorbing=True,
)
LXOR: Final = pure(
    "lxor",
    _B2,
    BOOL,
    "Exactly one.",
    lambda a, b: a ^ b,
    "OpLogicalNotEqual",
    commutes=True,
    neutral=False,
    of_equals=False,
)
LNOT: Final = pure("lnot", _B1, BOOL, "Not.", lambda a: a ^ True, "OpLogicalNot")
MASK: Final = pure("mask", _B1, U32, "~0 where true, 0 where false.", lambda a: a * ONES)

# Values of any type
SELECT: Final = pure(
    "select",
    (BOOL, Generic.ANY, Generic.ANY),
    Generic.ANY,
    "`a` where the condition holds, else `b`.",
    choose,
)
EXTRACT: Final = pure(
    "extract",
    (Generic.TEXEL,),
    Generic.COMPONENT,
    "One component of a texel.",
    lambda texel, component: texel[component],
    attribute=row.COMPONENT,
)
COMPOSE: Final = pure(
    "compose",
    (Generic.COMPONENT,) * 4,
    Generic.TEXEL,
    "A texel of four components.",
    lambda x, y, z, w: numpy("stack")((x, y, z, w)),
)
