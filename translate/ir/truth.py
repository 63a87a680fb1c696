"""The pure operations on truth values, and on values of any type, one row each.

`ir.row` explains the fields, `ir.lanes` the operands of `evaluate`.
"""

from __future__ import annotations

from typing import Final

from translate.ir import row
from translate.ir.lanes import ONES, choose, numpy
from translate.ir.row import Generic, pure
from translate.ir.types import BOOL, U32

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
