"""Merged values become floats where their makers and users are floats."""

from __future__ import annotations

from translate.ir import ops
from translate.ir.types import F32, U32, Type
from translate.ir.values import Block
from translate.ir.verify import verify
from translate.passes.dead import remove_dead
from translate.passes.retype import retype_merges
from translate.passes.simplify import simplify

from ..ir.building import Small, add_param, add_result, code, text


def retyped(small: Small) -> str:
    """Casts that became needless are `simplify`'s to remove."""
    module = small.finish()
    verify(module)
    retype_merges(module)
    verify(module)
    simplify(module)
    remove_dead(module)
    verify(module)
    return code(module)


def _counting(small: Small, type_: Type) -> None:
    """for (v = 1; v < 8; v = v + v), v merged as an integer, added as `type_`; stored."""
    b, outer, body, leave, stay = small.b, small.b.block, Block(), Block(), Block()
    merged = add_param(body, U32)
    small.within(leave)
    small.end(ops.BREAK, merged)
    small.within(stay)
    small.end(ops.YIELD)
    small.within(body)
    typed = b.bitcast(type_, merged)
    done = b.fge(typed, b.f32(8.0)) if type_ is F32 else b.uge(typed, b.u32(8))
    small.construct(ops.IF, [done], (leave, stay))
    double = b.fadd(typed, typed) if type_ is F32 else b.iadd(typed, typed)
    small.end(ops.CONTINUE, b.bitcast(U32, double))
    small.within(outer)
    one = b.u32(0x3F800000) if type_ is F32 else b.u32(1)
    loop = small.construct(ops.LOOP, [one], (body,))
    small.store(add_result(loop, U32))


def test_float_loop_has_no_cast_inside() -> None:
    small = Small()
    _counting(small, F32)
    assert retyped(small) == text("""
        loop 1.0f (%0: f32) {
          %1: bool = fge %0, 8.0f
          if %1 {
            break %0
          } else {
            yield
          }
          %2: f32 = fadd %0, %0
          continue %2
        } -> %3: f32
        %4: u32 = bitcast %3
        store_element 0, %4 (u0.0)
        return
        """)


def test_integer_loop_stays() -> None:
    small = Small()
    _counting(small, U32)
    assert "f32" not in retyped(small)


def test_cases_that_share_an_argument_agree_on_its_type() -> None:
    """One case adds its parameter as a float, the other as an integer; both get the same 7."""
    small = Small()
    b, outer = small.b, small.b.block
    first, second, third = Block(), Block(), Block()
    as_float, as_integer = add_param(second, U32), add_param(third, U32)
    small.within(first)
    small.end(ops.FALL_THROUGH, b.u32(1))
    small.within(second)
    number = b.bitcast(F32, as_float)
    small.store(b.bitcast(U32, b.fadd(number, number)))
    small.end(ops.FALL_THROUGH, small.load(small.u0, b.u32(3)))
    small.within(third)
    small.store(b.iadd(as_integer, as_integer), 1)
    small.end(ops.BREAK)
    small.within(outer)
    given = [b.input("vThreadID", 0), b.u32(7)]
    switch = small.construct(ops.SWITCH, given, (first, second, third))
    switch.data = ((0,), (1,), (None,))
    printed = retyped(small)
    assert as_float.type is as_integer.type
    assert "fadd" in printed
