"""Known facts about values and their scope: checks that are removed, and checks that stay."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import U32
from translate.ir.values import Block, Value
from translate.ir.verify import verify
from translate.passes.guards.facts import Facts
from translate.passes.simplify import simplify

from ...ir.building import Small, add_param, add_result, code

LIMIT = 64
Expression = Callable[[Builder, Value], Value]


def checks(small: Small) -> int:
    """The number of comparisons with 64 that are left."""
    module = small.finish()
    verify(module)
    simplify(module)
    verify(module)
    return code(module).count(f", {LIMIT}\n")


def _check(small: Small, value: Value, place: int = 0) -> None:
    b = small.b
    small.store(b.select(b.ult(value, b.u32(LIMIT)), b.u32(1), b.u32(2)), place)


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


@pytest.mark.parametrize("name", BELOW)
def test_bounded_by_its_operation(name: str) -> None:
    small = Small()
    _check(small, BELOW[name](small.b, small.thread()))
    assert checks(small) == 0


@pytest.mark.parametrize("name", NOT_BELOW)
def test_not_bounded(name: str) -> None:
    small = Small()
    value = NOT_BELOW[name](small.b, small.thread())
    assert Facts(small.module).upper(value) >= LIMIT
    small = Small()
    b = small.b
    limit = b.u32(LIMIT)
    small.store(b.mask(b.ult(NOT_BELOW[name](b, small.thread()), limit)))
    module = small.finish()
    simplify(module)
    assert "ult" in code(module)


@pytest.mark.parametrize(
    ("name", "limit", "left"), [("ult", 10, 0), ("ult", 63, 0), ("ult", 65, 1), ("slt", 10, 1)]
)
def test_bounded_inside_of_its_test_only(name: str, limit: int, left: int) -> None:
    """x < 65 allows x = 64, which is not below 64; a negative number passes a signed test."""
    small = Small()
    b, thread = small.b, small.thread()
    with b.selection(getattr(b, name)(thread, b.u32(limit))):
        _check(small, thread, 1)
    _check(small, thread, 2)
    assert checks(small) == left + 1


def test_bounded_after_the_arm_that_leaves() -> None:
    small = Small()
    b, thread = small.b, small.thread()
    outer, then, other = b.block, Block(), Block()
    small.within(then)
    small.end(ops.RETURN)
    small.within(other)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.uge(thread, b.u32(LIMIT - 1))], (then, other))
    _check(small, thread)
    assert checks(small) == 0


@pytest.mark.parametrize(
    ("first", "end", "step", "proved"),
    [
        (0, 64, 1, True),  # at most 63 after the exit
        (0, 65, 1, False),
        (0, 61, 4, True),
        (100, 64, 1, True),  # begins past the end: the body is never entered
        (0, 64, 0xFFFFFFFF, True),  # after the exit it is below the end, whatever the step
    ],
)
def test_counter_after_its_exit(first: int, end: int, step: int, proved: bool) -> None:
    small = Small()
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    counter = add_param(body, U32)
    small.within(leave)
    small.end(ops.BREAK, counter)
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    small.construct(ops.IF, [b.uge(counter, b.u32(end))], (leave, stay))
    small.store(b.mask(b.ult(counter, b.u32(LIMIT))), 1)
    small.end(ops.CONTINUE, b.iadd(counter, b.u32(step)))
    small.within(outer)
    loop = small.construct(ops.LOOP, [b.u32(first)], (body,))
    small.store(add_result(loop, U32))
    module = small.finish()
    simplify(module)
    verify(module)
    assert ("ult" not in code(module)) == proved


def test_counter_before_its_exit_may_be_one_step_above() -> None:
    """uge 60, steps of 8: before the exit it may be 67, so 64 is no bound there."""
    small = Small()
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    counter = add_param(body, U32)
    small.within(leave)
    small.end(ops.BREAK)
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    small.store(b.mask(b.ult(counter, b.u32(LIMIT))), 1)
    small.construct(ops.IF, [b.uge(counter, b.u32(60))], (leave, stay))
    small.end(ops.CONTINUE, b.iadd(counter, b.u32(8)))
    small.within(outer)
    small.construct(ops.LOOP, [b.u32(0)], (body,))
    module = small.finish()
    simplify(module)
    assert "ult" in code(module)


@pytest.mark.parametrize(("component", "below"), [(0, 8), (1, 4), (2, 1)])
def test_place_in_the_group_is_below_its_size(component: int, below: int) -> None:
    small = Small()
    small.module.thread_group = (8, 4, 1)
    place = small.b.input("vThreadIDInGroup", component)
    facts = Facts(small.module)
    assert facts.upper(place) == below - 1
    assert facts.upper(small.b.input("vThreadIDInGroupFlattened", 0)) == 31
    assert facts.upper(small.b.input("vThreadID", component)) == 0xFFFFFFFF
