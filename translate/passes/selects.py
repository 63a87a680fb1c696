"""Choices between constants that Mesa gets wrong, spelled otherwise.

Up to Mesa 22.3 at least, NIR takes -0.0 and 0.0 for equal when it makes a conversion or a negation
of `select c, 1.0, -0.0` and `select c, -1.0, 0.0`, whatever their type here, and gives a zero of
the wrong sign. In bits the choice is b ^ (mask & (a ^ b)). What both ends of an `if` give back is
such a choice too, once NIR has flattened it; then both give these bits.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32, U32, Type
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_ZEROS = {0x00000000: 0, 0x80000000: 1}  # bits -> sign
_ONES = {0x3F800000: 0, 0xBF800000: 1}


def spell_selects(module: Module) -> None:
    """Rewrite choices between a one and a zero of unlike signs; nothing may fold them behind."""
    rewrite(module, _spell)


def _spell(b: Builder, value: Value) -> Value | None:
    if value.op is ops.IF:
        _spell_results(b, value)
    elif value.op is ops.SELECT and _is_mistaken(value.type, *value.args[1:]):
        return _in_bits(b, *value.args)
    return None


def _spell_results(b: Builder, construct: Value) -> None:
    """In front of the `if` the choice is made, whose sides then give back the same."""
    ends = [block.values[-1] for block in construct.blocks]
    if any(end.op is not ops.YIELD for end in ends):
        return
    for position, result in enumerate(construct.results):
        given = [end.args[position] for end in ends]
        if _is_mistaken(result.type, *given):
            chosen = _in_bits(b, construct.args[0], *given)
            for end in ends:
                end.args[position] = chosen


def _is_mistaken(type_: Type, a: Value, c: Value) -> bool:
    if type_ not in (F32, U32) or a.op is not ops.CONST or c.op is not ops.CONST:
        return False
    one, zero = (a.data, c.data) if a.data in _ONES else (c.data, a.data)
    return one in _ONES and zero in _ZEROS and _ONES[one] != _ZEROS[zero]


def _in_bits(b: Builder, condition: Value, a: Value, c: Value) -> Value:
    differing = b.iand(b.mask(condition), b.u32(a.data ^ c.data))
    return b.bitcast(a.type, b.ixor(differing, b.u32(c.data)))
