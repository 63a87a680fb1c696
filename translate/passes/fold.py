"""Folding rules, one per operation: what a value equals when its arguments say so.

A rule gets the builder and a value with simplified arguments, constants of commuting operations
last, and returns the replacement or None. Every rule holds modulo 2^32 for integers; floats are
only negated twice, never rounded or re-ordered here.
"""

from __future__ import annotations

from collections.abc import Callable

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import F32, U32, Type
from translate.ir.values import Value

Rule = Callable[[Builder, Value], Value | None]
RULES: dict[Op, Rule] = {}
_ONES = 0xFFFFFFFF


def _rule(*for_ops: Op) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        RULES.update((op, rule) for op in for_ops)
        return rule

    return register


def _bits(value: Value) -> int | None:
    """A constant's bits, None for other values."""
    return row.BITS.of(value) if value.op is ops.CONST else None


def _signed(bits: int) -> int:
    return bits - (1 << 32) if bits >> 31 else bits


_INTEGER: dict[Op, Callable[[int, int], int]] = {
    ops.IADD: lambda a, b: a + b,
    ops.ISUB: lambda a, b: a - b,
    ops.IMUL: lambda a, b: a * b,
    ops.UMUL_HIGH: lambda a, b: a * b >> 32,
    ops.SMUL_HIGH: lambda a, b: _signed(a) * _signed(b) >> 32,
    ops.UDIV: lambda a, b: a // b if b else _ONES,
    ops.UMOD: lambda a, b: a % b if b else _ONES,
    ops.UMIN: min,
    ops.UMAX: max,
    ops.SMIN: lambda a, b: min(_signed(a), _signed(b)),
    ops.SMAX: lambda a, b: max(_signed(a), _signed(b)),
    ops.IAND: lambda a, b: a & b,
    ops.IOR: lambda a, b: a | b,
    ops.IXOR: lambda a, b: a ^ b,
    ops.ISHL: lambda a, b: a << (b & 31),
    ops.USHR: lambda a, b: a >> (b & 31),
    ops.SSHR: lambda a, b: _signed(a) >> (b & 31),
}
_TESTS: dict[Op, Callable[[int, int], bool]] = {
    ops.IEQ: lambda a, b: a == b,
    ops.INE: lambda a, b: a != b,
    ops.ULT: lambda a, b: a < b,
    ops.UGE: lambda a, b: a >= b,
    ops.SLT: lambda a, b: _signed(a) < _signed(b),
    ops.SGE: lambda a, b: _signed(a) >= _signed(b),
}
# Right operands that leave the left as it is, and those that decide the result alone
_NEUTRAL: dict[Op, int] = {
    ops.IADD: 0, ops.ISUB: 0, ops.IMUL: 1, ops.UDIV: 1, ops.IAND: _ONES, ops.IOR: 0, ops.IXOR: 0,
    ops.ISHL: 0, ops.USHR: 0, ops.SSHR: 0, ops.UMIN: _ONES, ops.UMAX: 0,
}  # fmt: skip
_ABSORBING: dict[Op, int] = {ops.IMUL: 0, ops.IAND: 0, ops.IOR: _ONES, ops.UMIN: 0, ops.UMAX: _ONES}


def _constant_result(b: Builder, value: Value) -> Value | None:
    """Both arguments known, or the right one neutral or absorbing."""
    left, right = _bits(value.args[0]), _bits(value.args[1])
    if right is None:
        return None
    if left is not None:
        return b.u32(_INTEGER[value.op](left, right))
    if _NEUTRAL.get(value.op) == right:
        return value.args[0]
    return b.u32(right) if _ABSORBING.get(value.op) == right else None


for _op in _INTEGER:
    RULES[_op] = _constant_result


def _integer_rule(op: Op) -> Callable[[Rule], Rule]:
    """A rule for an integer operation that `_constant_result` says nothing of."""

    def register(rule: Rule) -> Rule:
        def fold(b: Builder, value: Value) -> Value | None:
            folded = _constant_result(b, value)
            return rule(b, value) if folded is None else folded

        RULES[op] = fold
        return rule

    return register


@_integer_rule(ops.IADD)
def _fold_iadd(b: Builder, value: Value) -> Value | None:
    """(x + c) + d is x + (c + d), modulo 2^32."""
    left, right = value.args
    if right.op is ops.CONST and left.op is ops.IADD and left.args[1].op is ops.CONST:
        return b.iadd(left.args[0], b.u32(row.BITS.of(left.args[1]) + row.BITS.of(right)))
    return None


@_integer_rule(ops.IMUL)
def _fold_imul(b: Builder, value: Value) -> Value | None:
    """A power of two shifts."""
    power = _power_of_two(value.args[1])
    return None if power is None else b.ishl(value.args[0], b.u32(power))


@_integer_rule(ops.UDIV)
def _fold_udiv(b: Builder, value: Value) -> Value | None:
    power = _power_of_two(value.args[1])
    return None if power is None else b.ushr(value.args[0], b.u32(power))


@_integer_rule(ops.UMOD)
def _fold_umod(b: Builder, value: Value) -> Value | None:
    power = _power_of_two(value.args[1])
    return None if power is None else b.iand(value.args[0], b.u32((1 << power) - 1))


def _power_of_two(value: Value) -> int | None:
    bits = _bits(value)
    if not bits or bits & (bits - 1):
        return None
    return bits.bit_length() - 1


@_integer_rule(ops.USHR)
def _fold_ushr(b: Builder, value: Value) -> Value | None:
    """(x << n) >> n keeps the low bits."""
    left, right = value.args
    if right.op is ops.CONST and left.op is ops.ISHL and left.args[1] is right:
        return b.iand(left.args[0], b.u32(_ONES >> row.BITS.of(right)))
    return None


@_integer_rule(ops.IAND)
def _fold_iand(b: Builder, value: Value) -> Value | None:
    """Masks combine as truth values; a mask chooses between the other operand and 0."""
    left, right = value.args
    if left is right:
        return left
    if left.op is ops.MASK and right.op is ops.MASK:
        return b.mask(b.land(left.args[0], right.args[0]))
    if left.op is ops.MASK:
        return b.select(left.args[0], right, b.u32(0))
    return b.select(right.args[0], left, b.u32(0)) if right.op is ops.MASK else None


@_integer_rule(ops.IOR)
def _fold_ior(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    if left is right:
        return left
    if left.op is ops.MASK and right.op is ops.MASK:
        return b.mask(b.lor(left.args[0], right.args[0]))
    return None


@_integer_rule(ops.IXOR)
def _fold_ixor(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    if left.op is ops.MASK and right.op is ops.MASK:
        return b.mask(b.lxor(left.args[0], right.args[0]))
    return None


@_rule(ops.INOT)
def _fold_inot(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.op is ops.CONST:
        return b.u32(~row.BITS.of(inner))
    if inner.op is ops.MASK:
        return b.mask(b.lnot(inner.args[0]))
    return inner.args[0] if inner.op is ops.INOT else None


def _constant_test(b: Builder, value: Value) -> Value | None:
    left, right = _bits(value.args[0]), _bits(value.args[1])
    if left is not None and right is not None:
        return b.bool(_TESTS[value.op](left, right))
    return None


for _op in _TESTS:
    RULES[_op] = _constant_test


@_rule(ops.INE)
def _fold_ine(b: Builder, value: Value) -> Value | None:
    """A mask is nonzero where its condition holds."""
    left, right = value.args
    if _bits(right) == 0 and left.op is ops.MASK:
        return left.args[0]
    if left is right:
        return b.bool(False)
    return _constant_test(b, value)


@_rule(ops.IEQ)
def _fold_ieq(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    if _bits(right) == 0 and left.op is ops.MASK:
        return b.lnot(left.args[0])
    if left is right:
        return b.bool(True)
    return _constant_test(b, value)


@_rule(ops.ULT)
def _fold_ult(b: Builder, value: Value) -> Value | None:
    """Nothing is below 0. What is known to be below a limit, `facts` knows."""
    return b.bool(False) if _bits(value.args[1]) == 0 else _constant_test(b, value)


@_rule(ops.LAND)
def _fold_land(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    known = _bits(right)
    if known is not None:
        return left if known else right
    return left if left is right else None


@_rule(ops.LOR)
def _fold_lor(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    known = _bits(right)
    if known is not None:
        return right if known else left
    return left if left is right else None


@_rule(ops.LXOR)
def _fold_lxor(b: Builder, value: Value) -> Value | None:
    known = _bits(value.args[1])
    if known is None:
        return None
    return b.lnot(value.args[0]) if known else value.args[0]


_OPPOSITE: dict[Op, Op] = {
    ops.IEQ: ops.INE, ops.INE: ops.IEQ, ops.ULT: ops.UGE, ops.UGE: ops.ULT,
    ops.SLT: ops.SGE, ops.SGE: ops.SLT,
}  # fmt: skip


@_rule(ops.LNOT)
def _fold_lnot(b: Builder, value: Value) -> Value | None:
    """Integer tests have opposites; float tests do not, because of NaN."""
    inner = value.args[0]
    if inner.op is ops.CONST:
        return b.bool(not row.BITS.of(inner))
    if inner.op is ops.LNOT:
        return inner.args[0]
    opposite = _OPPOSITE.get(inner.op)
    return None if opposite is None else b.emit(opposite, inner.type, list(inner.args))


@_rule(ops.MASK)
def _fold_mask(b: Builder, value: Value) -> Value | None:
    known = _bits(value.args[0])
    return None if known is None else b.u32(_ONES if known else 0)


@_rule(ops.SELECT)
def _fold_select(b: Builder, value: Value) -> Value | None:
    condition, yes, no = value.args
    if condition.op is ops.CONST:
        return yes if row.BITS.of(condition) else no
    if yes is no:
        return yes
    if condition.op is ops.LNOT:
        return b.select(condition.args[0], no, yes)
    if _bits(yes) == _ONES and _bits(no) == 0 and value.type is U32:
        return b.mask(condition)
    return None


@_rule(ops.BITCAST)
def _fold_bitcast(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.type is value.type:
        return inner
    if inner.op is ops.CONST:
        return b.constant(value.type, row.BITS.of(inner))
    if inner.op is ops.BITCAST:
        return b.bitcast(value.type, inner.args[0])
    if inner.op is ops.SELECT:
        return _cast_select(b, inner, value.type)
    return None


def _cast_select(b: Builder, select: Value, type_: Type) -> Value | None:
    """A cast moves into a choice when that frees a side of its own cast."""
    condition, yes, no = select.args
    if not (_free_cast(yes, type_) and _free_cast(no, type_)):
        return None
    return b.select(condition, b.bitcast(type_, yes), b.bitcast(type_, no))


def _free_cast(value: Value, type_: Type) -> bool:
    return value.op is ops.CONST or (value.op is ops.BITCAST and value.args[0].type is type_)


@_rule(ops.FNEG)
def _fold_fneg(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.op is ops.CONST and inner.type is F32:
        return b.constant(F32, row.BITS.of(inner) ^ 0x80000000)
    return inner.args[0] if inner.op is ops.FNEG else None


@_rule(ops.PACK_F64)
def _fold_pack(b: Builder, value: Value) -> Value | None:
    low, high = value.args
    if low.op is ops.CONST and high.op is ops.CONST:
        return b.constant(value.type, row.BITS.of(high) << 32 | row.BITS.of(low))
    if low.op is ops.F64_LOW and high.op is ops.F64_HIGH and low.args[0] is high.args[0]:
        return low.args[0]
    return None


@_rule(ops.F64_LOW)
def _fold_low(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.op is ops.CONST:
        return b.u32(row.BITS.of(inner))
    return inner.args[0] if inner.op is ops.PACK_F64 else None


@_rule(ops.F64_HIGH)
def _fold_high(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.op is ops.CONST:
        return b.u32(row.BITS.of(inner) >> 32)
    return inner.args[1] if inner.op is ops.PACK_F64 else None


@_rule(ops.EXTRACT)
def _fold_extract(b: Builder, value: Value) -> Value | None:
    inner, component = value.args[0], row.COMPONENT.of(value)
    if inner.op is ops.CONST:
        return b.constant(value.type, 0)  # of vectors there are no other constants
    return inner.args[component] if inner.op is ops.COMPOSE else None
