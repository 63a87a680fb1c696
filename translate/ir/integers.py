"""The pure operations on 32-bit integers, on truth values and on values of any type, one row each.

`ir.row` explains the fields, `ir.lanes` the operands of `evaluate`.
"""

from __future__ import annotations

from typing import Final

from translate.ir import row
from translate.ir.lanes import ONES, choose, numpy, signed
from translate.ir.row import Generic, Precondition, pure
from translate.ir.types import BOOL, U32

_U2 = (U32, U32)

# Lowering and passes ensure these conditions; SPIR-V leaves other operands undefined
_DIVISOR = Precondition("the divisor is not 0", (1,), lambda n: n[0] != 0)

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
LIMIT_INDEX: Final = pure(
    "limit_index",
    _U2,
    U32,
    "`index` if it is below `limit`, else `limit` or a little more.",
    lambda a, b: choose(a < b, a, b),
    "UMin",
    names=("index", "limit"),
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


_B1 = (BOOL,)
_B2 = (BOOL, BOOL)

LAND: Final = pure(
    "land",
    _B2,
    BOOL,
    "a and b.",
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
    "a or b.",
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
    "Exactly one of a and b.",
    lambda a, b: a ^ b,
    "OpLogicalNotEqual",
    commutes=True,
    neutral=False,
    of_equals=False,
)
LNOT: Final = pure("lnot", _B1, BOOL, "Not a.", lambda a: a ^ True, "OpLogicalNot")
MASK: Final = pure("mask", _B1, U32, "~0 where true, 0 where false.", lambda a: a * ONES)

# Values of any type
SELECT: Final = pure(
    "select",
    (BOOL, Generic.ANY, Generic.ANY),
    Generic.ANY,
    "`a` where the condition holds, else `b`.",
    choose,
    names=("condition", "a", "b"),
)
EXTRACT: Final = pure(
    "extract",
    (Generic.TEXEL,),
    Generic.COMPONENT,
    "One component of a texel.",
    lambda texel, component: texel[component],
    names=("texel",),
    attribute=row.COMPONENT,
)
COMPOSE: Final = pure(
    "compose",
    (Generic.COMPONENT,) * 4,
    Generic.TEXEL,
    "A texel of four components.",
    lambda x, y, z, w: numpy("stack")((x, y, z, w)),
    names=("x", "y", "z", "w"),
)
