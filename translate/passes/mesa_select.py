"""A workaround for choices between constants that Mesa gets wrong: they are made in bits.

In Mesa 22.3.6 and 25.0.7, NIR takes -0.0 and 0.0 for equal when it makes a conversion or a negation
of `select c, 1.0, -0.0` and `select c, -1.0, 0.0`, whatever their type here, and gives a zero of
the wrong sign; so it does with doubles. In bits the choice is b ^ (mask & (a ^ b)). What both ends
of an `if` give back is such a choice too, once NIR has flattened it; then both give these bits.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import F32, F64, U32, Type
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

# Highest dword -> sign
_ZEROS = {0x00000000: 0, 0x80000000: 1}
_ONES = {F32: {0x3F800000: 0, 0xBF800000: 1}, F64: {0x3FF00000: 0, 0xBFF00000: 1}}
_ONES[U32] = _ONES[F32]
_DWORD = 0xFFFFFFFF


def workaround_mesa_select(module: Module) -> None:
    """Rewrite choices between a one and a zero of unlike signs; no later pass may fold them."""
    rewrite(module, {ops.SELECT: _rewrite_select, ops.IF: _rewrite_results})


def _rewrite_select(b: Builder, value: Value) -> Value | None:
    return _in_bits(b, *value.args) if _is_mistaken(value.type, *value.args[1:]) else None


def _rewrite_results(b: Builder, construct: Value) -> None:
    """The choice is made before the `if`, both of whose blocks then yield the same value."""
    ends = [block.values[-1] for block in construct.blocks]
    if any(end.op is not ops.YIELD for end in ends):
        return
    for position, result in enumerate(construct.results):
        given = [end.args[position] for end in ends]
        if _is_mistaken(result.type, *given):
            chosen = _in_bits(b, construct.args[0], *given)
            for end in ends:
                args = [*end.args]
                args[position] = chosen
                end.replace_operands(args)


def _is_mistaken(type_: Type, a: Value, c: Value) -> bool:
    ones, first, second = _ONES.get(type_), _dwords(a), _dwords(c)
    if ones is None or first is None or second is None or first[0] or second[0]:
        return False
    one, zero = (first[1], second[1]) if first[1] in ones else (second[1], first[1])
    return one in ones and zero in _ZEROS and ones[one] != _ZEROS[zero]


def _dwords(value: Value) -> tuple[int, int] | None:
    """The lower dword of a constant, 0 where there is none, and the one that has the sign."""
    if value.op is ops.PACK_F64 and all(arg.op is ops.CONST for arg in value.args):
        return row.BITS.of(value.args[0]), row.BITS.of(value.args[1])
    if value.op is not ops.CONST:
        return None
    bits = row.BITS.of(value)
    return (bits & _DWORD, bits >> 32) if value.type is F64 else (0, bits)


def _in_bits(b: Builder, condition: Value, a: Value, c: Value) -> Value:
    first, second = _dwords(a), _dwords(c)
    assert first is not None
    assert second is not None
    differing = b.iand(b.mask(condition), b.u32(first[1] ^ second[1]))
    bits = b.ixor(differing, b.u32(second[1]))
    return b.pack_f64(b.u32(0), bits) if a.type is F64 else b.bitcast(a.type, bits)
