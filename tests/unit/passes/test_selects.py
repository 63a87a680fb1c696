"""Choices that Mesa gets wrong: how they are spelled, and which are left alone."""

from __future__ import annotations

import struct

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
        %0: u32 = input (vThreadID.x)
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


def dwords(number: float) -> tuple[int, ...]:
    return struct.unpack("<II", struct.pack("<d", number))


def chosen_double(a: float, c: float, *, packed: bool = False) -> str:
    """`packed`: as code that was not optimised has them."""
    small = Small()
    b = small.b
    x, y = (b.pack_f64(*map(b.u32, dwords(n))) if packed else b.f64(n) for n in (a, c))
    found = b.select(b.nonzero(small.thread()), x, y)
    small.store(b.f64_high(found))
    module = small.finish()
    spell_selects(module)
    verify(module)
    return code(module)


@pytest.mark.parametrize(("a", "c"), [(-1.0, 0.0), (0.0, -1.0), (1.0, -0.0), (-0.0, 1.0)])
def test_doubles_are_chosen_by_their_high_dwords(a: float, c: float) -> None:
    high, other = dwords(a)[1], dwords(c)[1]
    assert "select" not in chosen_double(a, c, packed=True)
    assert chosen_double(a, c) == text(f"""
        %0: u32 = input (vThreadID.x)
        %1: bool = ine %0, 0
        %2: u32 = mask %1
        %3: u32 = iand %2, {high ^ other:#x}
        %4: u32 = ixor %3, {hex(other) if other else 0}
        %5: f64 = pack_f64 0, %4
        %6: u32 = f64_high %5
        store_element 0, %6 (u0.0)
        return
        """)


@pytest.mark.parametrize(("a", "c"), [(1.0, 0.0), (-1.0, -0.0), (-1.0000000000000002, 0.0)])
def test_other_doubles_stay(a: float, c: float) -> None:
    assert "pack_f64" not in chosen_double(a, c)
