"""Choices between constants that Mesa gets wrong, spelled otherwise.

Up to Mesa 22.3 at least, NIR takes -0.0 and 0.0 for equal when it makes a conversion or a negation
of `select c, 1.0, -0.0` and `select c, -1.0, 0.0`, whatever their type here, and gives a zero of
the wrong sign. In bits the choice is b ^ (mask & (a ^ b)).
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_ZEROS = {0x00000000: 0, 0x80000000: 1}  # bits -> sign
_ONES = {0x3F800000: 0, 0xBF800000: 1}


def spell_selects(module: Module) -> None:
    """Rewrite choices between a one and a zero of unlike signs; nothing may fold them behind."""
    rewrite(module, _spell)


def _is_mistaken(value: Value) -> bool:
    _, a, c = value.args
    if value.type not in (F32, U32) or a.op is not ops.CONST or c.op is not ops.CONST:
        return False
    one, zero = (a.data, c.data) if a.data in _ONES else (c.data, a.data)
    return one in _ONES and zero in _ZEROS and _ONES[one] != _ZEROS[zero]


def _spell(b: Builder, value: Value) -> Value | None:
    if value.op is not ops.SELECT or not _is_mistaken(value):
        return None
    condition, a, c = value.args
    differing = b.iand(b.mask(condition), b.u32(a.data ^ c.data))
    return b.bitcast(value.type, b.ixor(differing, b.u32(c.data)))
