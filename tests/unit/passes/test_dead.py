"""Unused values go; what changes memory, and what feeds it, stays."""

from __future__ import annotations

from translate.ir import ops
from translate.ir.memory import Access
from translate.ir.types import U32
from translate.ir.values import Block
from translate.ir.verify import verify
from translate.passes.dead import remove_dead

from ..ir.building import Small, add_param, add_result, code, text


def cleaned(small: Small) -> str:
    module = small.finish()
    verify(module)
    remove_dead(module)
    verify(module)
    return code(module)


def test_unused_values_and_loads_go() -> None:
    small = Small()
    used = small.b.iadd(small.thread(), small.b.u32(1))
    small.load(small.u0, small.b.imul(used, used))
    small.store(used)
    assert cleaned(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = iadd %0, 1
        store_element 0, %1 (u0.0)
        return
        """)


def test_unused_atomic_stays() -> None:
    small = Small()
    zero = small.b.u32(0)
    access = Access(small.u0, 1, 0, "iadd")
    small.b.emit(ops.ATOMIC_ELEMENT, U32, [zero, small.b.u32(2)], access)
    assert cleaned(small) == text("""
        %0: u32 = atomic_element 0, 2 (u0.0 iadd)
        return
        """)


def test_cycle_of_merges_does_not_keep_itself_alive() -> None:
    """The second parameter only feeds itself."""
    small = Small()
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    kept, cyclic = add_param(body, U32), add_param(body, U32)
    small.within(leave)
    small.end(ops.BREAK, kept, cyclic)
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    small.construct(ops.IF, [b.uge(kept, b.u32(4))], (leave, stay))
    small.end(ops.CONTINUE, b.iadd(kept, b.u32(1)), b.imul(cyclic, kept))
    small.within(outer)
    loop = small.construct(ops.LOOP, [b.u32(0), b.u32(1)], (body,))
    first, _ = add_result(loop, U32), add_result(loop, U32)
    small.store(first)
    assert cleaned(small) == text("""
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


def test_empty_if_goes() -> None:
    small = Small()
    b = small.b
    with b.selection(b.nonzero(small.thread())):
        small.load(small.u0, b.u32(0))
    assert "if" not in cleaned(small)


def test_if_that_leaves_stays() -> None:
    small = Small()
    b, outer, then, other = small.b, small.b.block, Block(), Block()
    small.within(then)
    small.end(ops.RETURN)
    small.within(other)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.nonzero(small.thread())], (then, other))
    small.store(b.u32(1))
    assert "if %1 {" in cleaned(small)


def test_cases_share_the_arguments_of_their_switch() -> None:
    """The second case does not read its parameter, the third does: the argument has to stay."""
    small = Small()
    b, outer = small.b, small.b.block
    first, second, third = Block(), Block(), Block()
    add_param(second, U32)
    used = add_param(third, U32)
    small.within(first)
    small.end(ops.FALL_THROUGH, b.u32(1))
    small.within(second)
    small.end(ops.FALL_THROUGH, b.u32(2))
    small.within(third)
    small.store(used)
    small.end(ops.BREAK)
    small.within(outer)
    thread = small.thread()
    switch = small.construct(ops.SWITCH, [thread, b.u32(7)], (first, second, third))
    switch.data = ((0,), (1,), (None,))
    assert cleaned(small) == text("""
        %0: u32 = input (vThreadID.x)
        switch %0, 7 case 0 {
          fall_through 1
        } case 1 (%1: u32) {
          fall_through 2
        } case default (%2: u32) {
          store_element 0, %2 (u0.0)
          break
        }
        return
        """)
