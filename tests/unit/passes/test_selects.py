"""Choices that Mesa gets wrong: how they are spelled, and which are left alone."""

from __future__ import annotations

import pytest

from translate.ir import ops
from translate.ir.types import U32
from translate.ir.values import Block
from translate.ir.verify import verify
from translate.passes.selects import spell_selects

from ..ir.building import Small, add_result, code, text

ONE, MINUS_ONE, MINUS_ZERO = 0x3F800000, 0xBF800000, 0x80000000


def chosen(a: int, c: int) -> str:
    """An `if` whose sides give two constants."""
    small = Small()
    b, thread = small.b, small.thread()
    outer, then, other = b.block, Block(), Block()
    for block, constant in ((then, a), (other, c)):
        small.within(block)
        small.end(ops.YIELD, b.u32(constant))
    small.within(outer)
    construct = small.construct(ops.IF, [b.nonzero(thread)], (then, other))
    small.store(add_result(construct, U32))
    module = small.finish()
    spell_selects(module)
    verify(module)
    return code(module)


@pytest.mark.parametrize(
    ("a", "c"), [(MINUS_ONE, 0), (0, MINUS_ONE), (ONE, MINUS_ZERO), (MINUS_ZERO, ONE)]
)
def test_the_result_of_an_if_is_chosen_by_bits_in_front_of_it(a: int, c: int) -> None:
    assert chosen(a, c) == text(f"""
        %0: u32 = input (('vThreadID', 0))
        %1: bool = ine %0, 0
        %2: u32 = mask %1
        %3: u32 = iand %2, {a ^ c:#x}
        %4: u32 = ixor %3, {hex(c) if c else 0}
        if %1 {{
          yield %4
        }} else {{
          yield %4
        }} -> %5: u32
        store_element 0, %5 (u0.0)
        return
        """)


@pytest.mark.parametrize(("a", "c"), [(ONE, 0), (MINUS_ONE, MINUS_ZERO), (2, 0), (ONE, MINUS_ONE)])
def test_other_results_stay(a: int, c: int) -> None:
    assert "ixor" not in chosen(a, c)
