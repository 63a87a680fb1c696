"""Upper bounds by operations: they hold (checks/proofs), and are low enough to remove checks."""

from collections.abc import Callable

import pytest

from translate.ir.builder import Builder
from translate.ir.values import Value
from translate.passes.guards.facts import Facts

from ...ir.building import Small

LIMIT = 64
Expression = Callable[[Builder, Value], Value]
BELOW: dict[str, Expression] = {
    "masked": lambda b, x: b.iand(x, b.u32(63)),
    "shifted": lambda b, x: b.ushr(x, b.u32(26)),
    "remainder": lambda b, x: b.umod(x, b.u32(64)),
    "quotient": lambda b, x: b.udiv(x, b.u32(0x4000000)),
    "sum": lambda b, x: b.iadd(b.iand(x, b.u32(31)), b.ushr(x, b.u32(27))),
    "product": lambda b, x: b.imul(b.iand(x, b.u32(7)), b.u32(9)),
    "or": lambda b, x: b.ior(b.iand(x, b.u32(33)), b.u32(16)),
    "count of bits": lambda b, x: b.bit_count(x),
    "field": lambda b, x: b.bitfield_uextract(x, b.u32(3), b.u32(6)),
    "choice": lambda b, x: b.select(b.nonzero(x), b.u32(63), b.iand(x, b.u32(15))),
}
NOT_BELOW: dict[str, Expression] = {
    "masked too widely": lambda b, x: b.iand(x, b.u32(64)),
    "sum that wraps": lambda b, x: b.iadd(x, b.u32(5)),
    "sum one too large": lambda b, x: b.iadd(b.iand(x, b.u32(63)), b.u32(1)),
    "product that wraps": lambda b, x: b.imul(b.ushr(x, b.u32(1)), b.u32(2)),
    "difference that wraps": lambda b, x: b.isub(b.iand(x, b.u32(7)), b.u32(1)),
    "arithmetic shift": lambda b, x: b.sshr(x, b.u32(26)),
    "or with a bit above": lambda b, x: b.ior(b.iand(x, b.u32(63)), b.u32(64)),
    "signed minimum": lambda b, x: b.smin(x, b.u32(5)),
    "not": lambda b, x: b.inot(b.iand(x, b.u32(63))),
}


@pytest.mark.parametrize("name", [*BELOW, *NOT_BELOW])
def test_bounded_by_its_operation(name: str) -> None:
    small = Small()
    value = (BELOW | NOT_BELOW)[name](small.b, small.thread())
    assert (Facts(small.module).upper(value) < LIMIT) == (name in BELOW)
