"""Sharing, known conditions, branches that are always taken, and what cannot be reached then."""

from __future__ import annotations

import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access
from translate.ir.types import U32, VOID
from translate.ir.values import Block
from translate.ir.verify import verify
from translate.passes.dead import remove_dead
from translate.passes.simplify import simplify

from ..ir.building import Small, add_result, code, text


def simplified(small: Small) -> str:
    module = small.finish()
    verify(module)
    simplify(module)
    verify(module)
    remove_dead(module)
    verify(module)
    return code(module)


def test_equal_values_are_shared_with_what_dominates() -> None:
    """Within the `if` the sum from before is used; what one arm computes is not for the other."""
    small = Small()
    b, thread = small.b, small.thread()
    total = b.iadd(thread, b.u32(4))
    outer, then, other = b.block, Block(), Block()
    for block, place in ((then, 1), (other, 2)):
        small.within(block)
        small.store(b.imul(b.iadd(thread, b.u32(4)), thread), place)
        small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.nonzero(thread)], (then, other))
    small.store(total)
    assert simplified(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = iadd %0, 4
        %2: bool = ine %0, 0
        if %2 {
          %3: u32 = imul %1, %0
          store_element 1, %3 (u0.0)
          yield
        } else {
          %4: u32 = imul %1, %0
          store_element 2, %4 (u0.0)
          yield
        }
        store_element 0, %1 (u0.0)
        return
        """)


@pytest.mark.parametrize("register", ["u0", "g0", "x0"])
def test_loads_of_written_memory_are_not_shared(register: str) -> None:
    small = Small()
    zero, memory = small.b.u32(0), getattr(small, register)
    first = small.load(memory, zero)
    small.b.emit(ops.STORE_ELEMENT, VOID, [zero, small.b.inot(first)], Access(memory, 1))
    small.store(small.load(memory, zero), 1)
    assert simplified(small).count("load_element") == 2


def test_loads_of_read_only_memory_are_shared() -> None:
    small = Small()
    zero = small.b.u32(0)
    for place in range(2):
        small.store(small.load(small.t0, zero), place)
    assert simplified(small).count("load_element") == 1


def test_condition_is_known_inside() -> None:
    small = Small()
    b = small.b
    condition = b.nonzero(small.thread())
    with b.selection(condition), b.selection(condition):
        small.store(b.select(condition, b.u32(1), b.u32(2)))
    assert simplified(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: bool = ine %0, 0
        if %1 {
          store_element 0, 1 (u0.0)
          yield
        } else {
          yield
        }
        return
        """)


def test_condition_is_not_known_behind() -> None:
    small = Small()
    b = small.b
    condition = b.nonzero(small.thread())
    for place in range(2):
        with b.selection(condition):
            small.store(b.u32(1), place)
    assert simplified(small).count("if %1") == 2


def test_untaken_branch_goes_with_its_result() -> None:
    small = Small()
    b, thread = small.b, small.thread()
    with b.selection(b.ult(thread, b.u32(0)), otherwise=b.u32(3)) as taken:
        taken.value = b.inot(thread)
    small.store(taken.result)
    assert simplified(small) == text("""
        store_element 0, 3 (u0.0)
        return
        """)


def test_code_behind_a_taken_return_goes() -> None:
    small = Small()
    b, outer, then, other = small.b, small.b.block, Block(), Block()
    small.within(then)
    small.end(ops.RETURN)
    small.within(other)
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (then, other))
    small.store(b.u32(1))
    assert simplified(small) == "return\n"


def test_code_behind_a_taken_endless_loop_goes() -> None:
    """The other way made the value that is used behind: both go."""
    small = Small()
    b, outer, endless, body, other = small.b, small.b.block, Block(), Block(), Block()
    small.within(body)
    small.end(ops.CONTINUE)
    small.within(endless)
    small.construct(ops.LOOP, [], (body,))
    small.within(other)
    made = small.load(small.u0, b.u32(0))
    small.end(ops.YIELD)
    small.within(outer)
    small.construct(ops.IF, [b.bool(True)], (endless, other))
    small.store(made)
    assert simplified(small) == text("""
        loop {
          continue
        }
        """)


def test_code_behind_a_loop_goes_with_its_last_break() -> None:
    small = Small()
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    small.within(leave)
    small.end(ops.BREAK, b.u32(1))
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    small.construct(ops.IF, [b.bool(False)], (leave, stay))
    small.store(b.u32(2))
    small.end(ops.CONTINUE)
    small.within(outer)
    loop = small.construct(ops.LOOP, [], (body,))
    small.store(add_result(loop, U32))
    assert simplified(small) == text("""
        loop {
          store_element 0, 2 (u0.0)
          continue
        }
        """)


def test_equal_constants_of_different_makers_are_one() -> None:
    """Passes have builders of their own, and so constants of their own."""
    small = Small()
    thread = small.thread()
    for place in range(2):
        four = Builder(small.b.block).u32(4)
        small.store(small.b.iadd(thread, four), place)
    assert simplified(small) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = iadd %0, 4
        store_element 0, %1 (u0.0)
        store_element 1, %1 (u0.0)
        return
        """)
