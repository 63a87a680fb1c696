"""verify: every rule, broken once, by name; and what it lets pass."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from translate.errors import VerifyError
from translate.ir import ops
from translate.ir.memory import Access
from translate.ir.types import BOOL, F32, F64, U32, VOID
from translate.ir.values import Block, Value
from translate.ir.verify import verify

from .building import Small, add_param, add_result

Break = Callable[[Small], None]


def _wrong_type(small: Small) -> None:
    small.b.emit(ops.IADD, U32, [small.b.u32(1), small.b.f32(1.0)])


def _mixed_floats(small: Small) -> None:
    small.b.emit(ops.FADD, F32, [small.b.f32(1.0), small.b.f64(1.0)])


def _wrong_result(small: Small) -> None:
    small.b.emit(ops.IEQ, U32, [small.b.u32(1), small.b.u32(1)])


def _too_few_arguments(small: Small) -> None:
    small.b.emit(ops.IADD, U32, [small.b.u32(1)])


def _used_before_defined(small: Small) -> None:
    late = Value(ops.INOT, U32, [small.b.u32(1)], None, small.b.where)
    small.store(late)
    small.b.block.values.append(late)


def _used_outside_of_its_arm(small: Small) -> None:
    inner: list[Value] = []
    with small.b.selection(small.b.nonzero(small.thread())):
        inner.append(small.b.inot(small.b.u32(1)))
    small.store(inner[0])


def _used_in_the_other_arm(small: Small) -> None:
    b, outer, then, other = small.b, small.b.block, Block(), Block()
    small.within(then)
    made = b.inot(b.u32(1))
    small.end(ops.RETURN)
    small.within(other)
    small.store(made)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (then, other))


def _in_two_places(small: Small) -> None:
    value = small.b.inot(small.b.u32(1))
    small.b.block.values.append(value)


def _terminator_in_the_middle(small: Small) -> None:
    small.end(ops.RETURN)
    small.store(small.b.u32(1))


def _open_end(small: Small) -> None:
    """An arm without terminator."""
    b, then, other = small.b, Block(), Block()
    outer = b.block
    small.within(then)
    small.store(b.u32(1))
    small.within(other)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (then, other))


def _empty_block(small: Small) -> None:
    other = Block()
    outer = small.b.block
    small.within(other)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [small.b.bool(True)], (Block(), other))


def _if_on_a_number(small: Small) -> None:
    then, other, outer = Block(), Block(), small.b.block
    for block in (then, other):
        small.within(block)
        small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [small.b.u32(1)], (then, other))


def _yield_without_its_result(small: Small) -> None:
    with small.b.selection(small.b.bool(True)):
        pass
    add_result(small.b.block.values[-1], U32)


def _yield_of_another_type(small: Small) -> None:
    with small.b.selection(small.b.bool(True), otherwise=small.b.u32(0)) as taken:
        taken.value = small.b.f32(0.0)


def _loop(small: Small, initial: list[Value], end: ops.Op, *given: Value) -> Value:
    body, outer = Block(), small.b.block
    add_param(body, U32)
    small.within(body)
    small.end(end, *given)
    small.within(outer)
    return small.construct(ops.LOOP, initial, (body,))


def _loop_without_its_argument(small: Small) -> None:
    _loop(small, [], ops.CONTINUE, small.b.u32(1))


def _continue_without_its_argument(small: Small) -> None:
    _loop(small, [small.b.u32(0)], ops.CONTINUE)


def _break_of_another_type(small: Small) -> None:
    loop = _loop(small, [small.b.u32(0)], ops.BREAK, small.b.f32(1.0))
    add_result(loop, U32)


def _fall_through_without_its_argument(small: Small) -> None:
    first, second, outer = Block(), Block(), small.b.block
    add_param(second, U32)
    small.within(first)
    small.end(ops.FALL_THROUGH)
    small.within(second)
    small.end(ops.BREAK)
    small.within(outer)
    switch = small.construct(ops.SWITCH, [small.b.u32(0), small.b.u32(1)], (first, second))
    switch.data = ((0,), (None,))


def _fall_through_behind_the_last_case(small: Small) -> None:
    only, outer = Block(), small.b.block
    small.within(only)
    small.end(ops.FALL_THROUGH)
    small.within(outer)
    small.construct(ops.SWITCH, [small.b.u32(0)], (only,)).data = ((None,),)


def _break_outside(small: Small) -> None:
    small.end(ops.BREAK)


def _continue_outside(small: Small) -> None:
    small.end(ops.CONTINUE)


def _yield_outside(small: Small) -> None:
    small.end(ops.YIELD)


def _call_to_nothing(small: Small) -> None:
    small.b.call("label3")


BROKEN: dict[Break, str] = {
    _wrong_type: "where u32 belongs",
    _mixed_floats: "where float belongs",
    _wrong_result: "where bool belongs",
    _too_few_arguments: "takes 2 arguments",
    _used_before_defined: "not visible",
    _used_outside_of_its_arm: "not visible",
    _used_in_the_other_arm: "not visible",
    _in_two_places: "in two places",
    _terminator_in_the_middle: "before the end of its block",
    _open_end: "a block ends with",
    _empty_block: "a block without values",
    _if_on_a_number: "where bool belongs",
    _yield_without_its_result: "hands on",
    _yield_of_another_type: "hands on",
    _loop_without_its_argument: "hands on",
    _continue_without_its_argument: "hands on",
    _break_of_another_type: "hands on",
    _fall_through_without_its_argument: "hands on",
    _fall_through_behind_the_last_case: "leaves nothing",
    _break_outside: "leaves nothing",
    _continue_outside: "leaves nothing",
    _yield_outside: "leaves nothing",
    _call_to_nothing: "calls nothing",
}


@pytest.mark.parametrize("break_rule", BROKEN, ids=lambda f: f.__name__.strip("_"))
def test_broken_rule_is_found(break_rule: Break) -> None:
    small = Small()
    break_rule(small)
    last = small.b.block.values[-1]
    if break_rule not in (_break_outside, _continue_outside, _yield_outside):
        small.finish()
    with pytest.raises(VerifyError, match=BROKEN[break_rule]):
        verify(small.module)
    assert last in small.module.body.values


def test_sound_module_passes() -> None:
    small = Small()
    b = small.b
    with b.selection(b.nonzero(small.thread()), otherwise=b.u32(0)) as taken:
        taken.value = b.iadd(small.thread(), b.u32(1))
    small.store(taken.result)
    verify(small.finish(), promoted=True, guarded=True)


def test_only_way_makes_its_values_visible() -> None:
    small = Small()
    b, outer, then, other = small.b, small.b.block, Block(), Block()
    small.within(then)
    small.end(ops.RETURN)
    small.within(other)
    made = b.inot(b.u32(1))
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (then, other))
    small.store(made)
    verify(small.finish())


def test_stages_forbid_what_they_have_removed() -> None:
    small = Small()
    small.b.write_register(0, small.b.u32(1))
    module = small.finish()
    verify(module)
    with pytest.raises(VerifyError, match="write_register may not be left"):
        verify(module, promoted=True)
    small = Small()
    small.b.load(Access(small.u0, 1), [small.thread()])
    module = small.finish()
    verify(module)
    with pytest.raises(VerifyError, match="load may not be left"):
        verify(module, guarded=True)


def test_subroutines_are_checked() -> None:
    small = Small()
    module = small.finish()
    module.functions["label0"] = body = Block()
    body.values.append(Value(ops.IADD, U32, [], None, small.b.where))
    body.values.append(Value(ops.RETURN, VOID, [], None, small.b.where))
    with pytest.raises(VerifyError, match="takes 2 arguments"):
        verify(module)


def test_values_of_one_body_are_not_seen_in_another() -> None:
    small = Small()
    thread = small.thread()
    module = small.finish()
    module.functions["label0"] = small.b.block = Block()
    small.store(thread)
    small.end(ops.RETURN)
    with pytest.raises(VerifyError, match="not visible"):
        verify(module)


def test_types_that_no_place_names_are_generic() -> None:
    small = Small()
    b = small.b
    for value in (b.f64(1.0), b.f32(1.0), b.bool(True)):
        b.select(b.bool(True), value, value)
    assert {v.type for v in small.module.body} == {F64, F32, BOOL}
    verify(small.finish())
