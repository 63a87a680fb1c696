"""verify: every rule, broken once, by name; and valid modules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from translate.errors import VerifyError
from translate.ir import ops
from translate.ir.memory import Access
from translate.ir.row import Stage
from translate.ir.types import BOOL, F32, F64, U32, VOID
from translate.ir.values import Block, Module, Value
from translate.ir.verify import verify

from .building import Small, add_param, add_result

Break = Callable[[Small], None]


def _wrong_type(small: Small) -> None:
    small.b.emit(ops.IADD, U32, [small.b.u32(1), small.b.f32(1.0)])


def _mixed_floats(small: Small) -> None:
    small.b.emit(ops.FADD, F32, [small.b.f32(1.0), small.b.f64(1.0)], False)


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


def _fall_through_in_the_last_case(small: Small) -> None:
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


def _used_after_the_arm_of_its_only_way(small: Small) -> None:
    """Values of an inner `if` with one way out are visible after it, only in the outer arm."""
    b, outer = small.b, small.b.block
    then, other, inner, leaving = (Block() for _ in range(4))
    small.within(inner)
    made = b.inot(small.b.u32(1))
    small.end(ops.YIELD)
    small.within(leaving)
    small.end(ops.RETURN)
    small.within(then)
    small.construct(ops.IF, [b.bool(True)], (inner, leaving))
    small.store(made)
    small.end(ops.YIELD)
    small.within(other)
    small.store(made)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (then, other))


def _blocks(small: Small, *ends: ops.Op) -> tuple[Block, ...]:
    """Blocks with nothing but a terminator."""
    outer, blocks = small.b.block, tuple(Block() for _ in ends)
    for block, op in zip(blocks, ends, strict=True):
        small.within(block)
        small.end(op)
    small.within(outer)
    return blocks


def _arm_that_ends_with_an_open_if(small: Small) -> None:
    arm, outer = Block(), small.b.block
    small.within(arm)
    small.construct(ops.IF, [small.b.bool(True)], _blocks(small, ops.YIELD, ops.RETURN))
    small.within(outer)
    other = _blocks(small, ops.YIELD)
    small.construct(ops.IF, [small.b.bool(True)], (arm, *other))


def _if_with_one_block(small: Small) -> None:
    small.construct(ops.IF, [small.b.bool(True)], _blocks(small, ops.YIELD))


def _if_with_a_parameter(small: Small) -> None:
    blocks = _blocks(small, ops.YIELD, ops.YIELD)
    add_param(blocks[0], U32)
    small.construct(ops.IF, [small.b.bool(True)], blocks)


def _loop_with_two_blocks(small: Small) -> None:
    small.construct(ops.LOOP, [], _blocks(small, ops.BREAK, ops.BREAK))


def _sum_with_a_block(small: Small) -> None:
    sum_ = small.b.iadd(small.b.u32(1), small.b.u32(1))
    sum_.blocks = _blocks(small, ops.RETURN)


def _sum_with_a_result(small: Small) -> None:
    add_result(small.b.iadd(small.b.u32(1), small.b.u32(1)), U32)


def _result_of_another_construct(small: Small) -> None:
    loop = small.construct(ops.LOOP, [], _blocks(small, ops.BREAK))
    stranger = small.construct(ops.LOOP, [], _blocks(small, ops.BREAK))
    add_result(loop, U32).data = stranger


def _switch(small: Small, labels: object, *args: Value) -> None:
    blocks = _blocks(small, ops.BREAK, ops.BREAK)
    small.construct(ops.SWITCH, [small.b.u32(0), *args], blocks).data = labels


def _switch_without_labels(small: Small) -> None:
    _switch(small, None)


def _switch_without_default(small: Small) -> None:
    _switch(small, ((0,), (1,)))


def _switch_with_a_label_twice(small: Small) -> None:
    _switch(small, ((0,), (0, None)))


def _switch_with_a_block_too_many(small: Small) -> None:
    _switch(small, ((0, None),))


def _switch_with_an_argument_for_no_case(small: Small) -> None:
    _switch(small, ((0,), (None,)), small.b.u32(1))


def _body_with_a_parameter(small: Small) -> None:
    add_param(small.module.body, U32)
    small.b.inot(small.b.u32(1))


BROKEN: dict[Break, str] = {
    _used_after_the_arm_of_its_only_way: "store_element uses operand 1, a inot, where it is not",
    _arm_that_ends_with_an_open_if: "if ends a block, but ways lead out of it",
    _if_with_one_block: "if has 1 blocks",
    _if_with_a_parameter: r"if hands on \(\), where \(u32\) belong",
    _loop_with_two_blocks: "loop has 2 blocks",
    _sum_with_a_block: "iadd has 1 blocks",
    _sum_with_a_result: "iadd has results, but no blocks",
    _result_of_another_construct: "loop has as result <result",
    _switch_without_labels: "switch has the attribute None, where cases belongs",
    _switch_without_default: "switch has 0 defaults",
    _switch_with_a_label_twice: "switch has the labels",
    _switch_with_a_block_too_many: "switch has 2 blocks and labels for 1",
    _switch_with_an_argument_for_no_case: r"switch hands on \(u32\), where \(\) belong",
    _body_with_a_parameter: "a body has parameters",
    _wrong_type: "iadd has as operand 1 a f32, where u32 belongs",
    _mixed_floats: "fadd has as operand 1 a f64, where f32 belongs",
    _wrong_result: "ieq gives a u32, where bool belongs",
    _too_few_arguments: "iadd takes 2 operands, found 1",
    _used_before_defined: "store_element uses operand 1, a inot, where it is not visible",
    _used_outside_of_its_arm: "store_element uses operand 1, a inot, where it is not",
    _used_in_the_other_arm: "store_element uses operand 1, a inot, where it is not",
    _in_two_places: "inot stands in two places",
    _terminator_in_the_middle: "return stands before the end of its block",
    _open_end: "store_element ends a block",
    _empty_block: "if has a block without values",
    _if_on_a_number: "if has as operand 0 a u32, where bool belongs",
    _yield_without_its_result: r"yield hands on \(\), where \(u32\) belong",
    _yield_of_another_type: r"yield hands on \(f32\), where \(u32\) belong",
    _loop_without_its_argument: r"loop hands on \(\), where \(u32\) belong",
    _continue_without_its_argument: r"continue hands on \(\), where \(u32\)",
    _break_of_another_type: r"break hands on \(f32\), where \(u32\) belong",
    _fall_through_without_its_argument: r"fall_through hands on \(\), where \(u32\)",
    _fall_through_in_the_last_case: "fall_through is in the last case",
    _break_outside: "break has no construct that it could leave",
    _continue_outside: "continue has no construct that it could leave",
    _yield_outside: "yield has no construct that it could leave",
    _call_to_nothing: "call calls label3, which there is not",
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
    verify(small.finish(), Stage.GUARDED)


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
    with pytest.raises(VerifyError, match="write_register may not be in a module that is promoted"):
        verify(module, Stage.PROMOTED)
    small = Small()
    small.b.load(Access(small.u0, 1), [small.thread()])
    module = small.finish()
    verify(module)
    with pytest.raises(VerifyError, match="load may not be in a module that is guarded"):
        verify(module, Stage.GUARDED)


def test_guarded_accesses_have_no_index_of_an_only_register() -> None:
    small = Small()
    small.known(small.u0, indexed=True)
    small.module.resources.append(small.u0)
    module = small.finish()
    verify(module, Stage.PROMOTED)
    with pytest.raises(VerifyError, match="resource u0 has indices that the guards take off"):
        verify(module, Stage.GUARDED)


@pytest.mark.parametrize("op", ops.OPS.values(), ids=repr)
def test_each_operation_has_its_stages(op: ops.Op) -> None:
    """In every stage only merged values and constants are in no block."""
    allowed = [stage for stage in Stage if op.since <= stage <= op.until]
    for stage in Stage:
        small = Small()
        small.b.emit(op, VOID, [])
        if op.effect is not ops.Effect.TERMINATES:
            small.finish()
        refused = "may not be in a module that is" in _problem(small.module, stage)
        assert refused == (stage not in allowed)


def _problem(module: Module, stage: Stage) -> str:
    """The error about a module, '' if it is valid."""
    try:
        verify(module, stage)
    except VerifyError as error:
        return error.message
    return ""


def test_subroutines_are_checked() -> None:
    small = Small()
    module = small.finish()
    module.functions["label0"] = body = Block()
    body.values.append(Value(ops.IADD, U32, [], None, small.b.where))
    body.values.append(Value(ops.RETURN, VOID, [], None, small.b.where))
    with pytest.raises(VerifyError, match="iadd takes 2 operands, found 0"):
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
