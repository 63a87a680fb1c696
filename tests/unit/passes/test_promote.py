"""Registers to values: merges only where ways bring different values."""

from __future__ import annotations

from translate.ir import ops
from translate.ir.row import Stage
from translate.ir.types import F32, U32, VOID
from translate.ir.values import Block, Module
from translate.ir.verify import verify
from translate.passes.promote import promote_registers

from ..ir.building import Small, code, text


def promoted(small: Small) -> str:
    module: Module = small.finish()
    verify(module)
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    return code(module)


def test_straight_code_needs_no_merge() -> None:
    small = Small()
    small.b.write_register(0, small.b.u32(7))
    small.b.write_register(0, small.b.iadd(small.b.read_register(0, U32), small.b.u32(1)))
    small.store(small.b.read_register(0, U32))
    assert promoted(small) == text("""
        %0: u32 = iadd 7, 1
        store_element 0, %0 (u0.0)
        return
        """)


def test_unwritten_register_is_zero() -> None:
    small = Small()
    small.store(small.b.read_register(5, U32))
    assert promoted(small) == text("""
        store_element 0, 0 (u0.0)
        return
        """)


def test_if_merges_what_differs() -> None:
    """Register 0 differs, 1 gets the same value on both ways, 2 is not written at all."""
    small = Small()
    b, thread = small.b, small.thread()
    same = b.u32(9)
    then, other = Block(), Block()
    outer = b.block
    small.within(then).write_register(0, thread)
    b.write_register(1, same)
    small.end(ops.YIELD)
    small.within(other).write_register(1, same)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.nonzero(thread)], (then, other))
    for register in range(3):
        small.store(b.read_register(register, U32), register)
    assert promoted(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: bool = ine %0, 0
        if %1 {
          yield %0
        } else {
          yield 0
        } -> %2: u32
        store_element 0, %2 (u0.0)
        store_element 1, 9 (u0.0)
        store_element 2, 0 (u0.0)
        return
        """)


def test_value_of_the_only_way_is_used_behind() -> None:
    """Where the other way returns, there is nothing to merge."""
    small = Small()
    b, thread = small.b, small.thread()
    outer, then, other = b.block, Block(), Block()
    small.within(then).write_register(0, b.inot(thread))
    small.end(ops.YIELD)
    small.within(other)
    small.end(ops.RETURN)
    small.within(outer)
    small.construct(ops.IF, [b.nonzero(thread)], (then, other))
    small.store(b.read_register(0, U32))
    assert promoted(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: bool = ine %0, 0
        if %1 {
          %2: u32 = inot %0
          yield
        } else {
          return
        }
        store_element 0, %2 (u0.0)
        return
        """)


def test_loop_carries_what_it_writes() -> None:
    small = Small()
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    small.within(leave)
    small.end(ops.BREAK)
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    small.construct(ops.IF, [b.uge(b.read_register(0, U32), b.u32(4))], (leave, stay))
    b.write_register(0, b.iadd(b.read_register(0, U32), b.u32(1)))
    small.end(ops.CONTINUE)
    small.within(outer)
    small.construct(ops.LOOP, [], (body,))
    small.store(b.read_register(0, U32))
    assert promoted(small) == text("""
        loop 0 (%0: u32) {
          %1: bool = uge %0, 4
          if %1 {
            break %0
          } else {
            yield
          }
          %2: u32 = iadd %0, 1
          continue %2
        } -> %3: u32
        store_element 0, %3 (u0.0)
        return
        """)


def test_code_behind_a_loop_without_break_goes() -> None:
    small = Small()
    b, outer, body = small.b, small.b.block, Block()
    small.within(body)
    small.end(ops.RETURN)
    small.within(outer)
    small.construct(ops.LOOP, [], (body,))
    small.store(b.u32(1))
    assert promoted(small) == text("""
        loop {
          return
        }
        """)


def test_types_are_the_readers_choice() -> None:
    """A float written is read as a float without a cast, as an integer through one."""
    small = Small()
    b = small.b
    b.write_register(0, b.fneg(b.bitcast(F32, small.thread())))
    b.write_register(1, b.bitcast(U32, b.fabs(b.read_register(0, F32))))
    small.store(b.read_register(0, U32))
    small.store(b.read_register(1, U32), 1)
    assert promoted(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: f32 = bitcast %0
        %2: f32 = fneg %1
        %3: f32 = fabs %2
        %4: u32 = bitcast %3
        %5: u32 = bitcast %2
        store_element 0, %5 (u0.0)
        store_element 1, %4 (u0.0)
        return
        """)


def test_switch_hands_on_to_the_next_case() -> None:
    small = Small()
    b, outer, first, second = small.b, small.b.block, Block(), Block()
    small.within(first).write_register(0, b.u32(1))
    small.end(ops.FALL_THROUGH)
    small.within(second).write_register(0, b.iadd(b.read_register(0, U32), b.u32(10)))
    small.end(ops.BREAK)
    small.within(outer)
    switch = small.construct(ops.SWITCH, [small.thread()], (first, second))
    switch.data = ((0,), (None,))
    outer.values.remove(switch)
    outer.values.append(switch)
    small.store(b.read_register(0, U32))
    assert promoted(small) == text("""
        %0: u32 = input (vThreadID.x)
        switch %0, 0 case 0 {
          fall_through 1
        } case default (%1: u32) {
          %2: u32 = iadd %1, 10
          break %2
        } -> %3: u32
        store_element 0, %3 (u0.0)
        return
        """)


def test_registers_of_subroutines_live_in_memory() -> None:
    """What a call may change is not kept in a value; other registers are."""
    small = Small()
    b, outer, body = small.b, small.b.block, Block()
    small.module.functions["label0"] = body
    small.within(body).write_register(0, b.u32(5))
    small.end(ops.RETURN)
    small.within(outer).write_register(0, b.u32(1))
    b.write_register(1, b.u32(2))
    b.call("label0")
    small.store(b.read_register(0, U32))
    small.store(b.read_register(1, U32), 1)
    assert promoted(small) == (
        "store_element 0, 1 (r0.x.0)\n"
        "call (label0)\n"
        "%0: u32 = load_element 0 (r0.x.0)\n"
        "store_element 0, %0 (u0.0)\n"
        "store_element 1, 2 (u0.0)\n"
        "return\n"
        "function label0 {\n"
        "  store_element 0, 5 (r0.x.0)\n"
        "  return\n"
        "}\n"
    )


def test_code_behind_a_terminator_is_dropped() -> None:
    small = Small()
    b = small.b
    b.write_register(0, b.u32(1))
    b.emit(ops.RETURN, VOID, [])
    b.write_register(0, b.u32(2))
    module = small.finish()
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    assert code(module) == "return\n"
