"""A table of truth values: one for each register of a range, looked up by an index at run time.

The registers are typed resources with different formats.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.values import Value

_BITS = 32


def holds_for(b: Builder, index: Value, facts: Sequence[bool]) -> Value:
    """`facts[index]`: whether a fact holds for the register with this index in its range.

    The facts are packed into bits of constants, so they need no memory. The result is undefined for
    an index out of range.
    """
    if index.op is ops.CONST:
        number: int = row.BITS.of(index)
        return b.bool(number < len(facts) and facts[number])
    words = [_packed(facts[at : at + _BITS]) for at in range(0, len(facts), _BITS)]
    word, which = b.u32(words[0]), b.ushr(index, b.u32(5))
    for number, bits in enumerate(words[1:], 1):
        word = b.select(b.ieq(which, b.u32(number)), b.u32(bits), word)
    bit = b.iand(b.ushr(word, b.iand(index, b.u32(_BITS - 1))), b.u32(1))
    return b.nonzero(bit)


def _packed(facts: Sequence[bool]) -> int:
    return sum(int(fact) << bit for bit, fact in enumerate(facts))
