"""Folding: a value is replaced by a simpler one if its operands allow that.

The operations' rows in the IR define results for constants, and for operands that are neutral
(x + 0) or absorbing (x & 0). A rule here is for operands that are certain other operations, such as
(x + c) + d. It gets the builder and a value with simplified operands, constants of commuting
operations last, and returns the replacement or None. All rules for integers hold modulo 2^32.

Constant floats are folded where every device gives the same result. A device may round in any
direction, and may flush or keep denormals. So a result is known only if it is exact, and neither it
nor an operand is a denormal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from translate.ir import lanes, ops, row
from translate.ir.builder import EXPONENT, SIGN, Builder
from translate.ir.lanes import ONES
from translate.ir.ops import Op
from translate.ir.types import F32, F64, U32, Type
from translate.ir.values import Value

Rule = Callable[[Builder, Value], Value | None]
_WIDTH = 32


# --- rules of rows ------------------------------------------------------------------------------


def _constants(b: Builder, value: Value) -> Value | None:
    """The result for constant operands; None if they break the operation's precondition."""
    op, promise = value.op, value.op.precondition
    if op is ops.BITCAST:  # needs no lanes, and so no NumPy
        return b.constant(value.type, row.BITS.of(value.args[0]))
    operands = [lanes.of_bits(arg.type, arg.data) for arg in value.args]
    if promise is not None and not promise.holds([operands[p] for p in promise.positions]):
        return None
    result = lanes.evaluate(op, value.type, operands)
    return b.constant(value.type, lanes.constant_of(value.type, result))


def _of_row(b: Builder, value: Value) -> Value | None:
    """The replacement by the operation's row, else None.

    It is for operands that are all constant, for a right one that is neutral or absorbing, and for
    two equal ones.
    """
    args, op = value.args, value.op
    right = args[-1]
    if right.op is ops.CONST:
        if args[0].op is ops.CONST and all(arg.op is ops.CONST for arg in args[1:-1]):
            return _constants(b, value)
        if right.data == op.neutral:
            return args[0]
        return right if right.data == op.absorbing else None
    if args[0] is right and len(args) == 2:
        if op.of_equals is not None:
            return b.constant(value.type, op.of_equals)
        return right if op.idempotent else None
    return None


RULES: dict[Op, Rule] = {op: _of_row for op in ops.PURE if op.exact}


# --- rules for operands that are other operations -------------------------------------------------


def _rule(op: Op) -> Callable[[Rule], Rule]:
    """A decorator that adds a rule for an operation; its row and earlier rules are tried before."""

    def register(rule: Rule) -> Rule:
        earlier = RULES.get(op)
        if earlier is None:
            RULES[op] = rule
            return rule

        def fold(b: Builder, value: Value) -> Value | None:
            folded = earlier(b, value)
            return rule(b, value) if folded is None else folded

        RULES[op] = fold
        return rule

    return register


@_rule(ops.IADD)
def _fold_iadd(b: Builder, value: Value) -> Value | None:
    """(x + c) + d is x + (c + d), and x + (0 - y) is x - y, modulo 2^32."""
    left, right = value.args
    for x, negated in ((left, right), (right, left)):
        if negated.op is ops.ISUB and negated.args[0].constant_bits == 0:
            return b.isub(x, negated.args[1])
    if right.op is ops.CONST and left.op is ops.IADD and left.args[1].op is ops.CONST:
        return b.iadd(left.args[0], b.u32(row.BITS.of(left.args[1]) + row.BITS.of(right)))
    return None


@_rule(ops.IMUL)
def _fold_imul(b: Builder, value: Value) -> Value | None:
    """x * 2^n is x << n."""
    power = _power_of_two(value.args[1])
    return None if power is None else b.ishl(value.args[0], b.u32(power))


@_rule(ops.UDIV)
def _fold_udiv(b: Builder, value: Value) -> Value | None:
    power = _power_of_two(value.args[1])
    return None if power is None else b.ushr(value.args[0], b.u32(power))


@_rule(ops.UMOD)
def _fold_umod(b: Builder, value: Value) -> Value | None:
    power = _power_of_two(value.args[1])
    return None if power is None else b.iand(value.args[0], b.u32((1 << power) - 1))


def _power_of_two(value: Value) -> int | None:
    bits = value.constant_bits
    if not bits or bits & (bits - 1):
        return None
    return bits.bit_length() - 1


@_rule(ops.USHR)
def _fold_ushr(b: Builder, value: Value) -> Value | None:
    """(x << n) >> n is x with its upper n bits cleared."""
    left, right = value.args
    if right.op is ops.CONST and left.op is ops.ISHL and left.args[1] is right:
        return b.iand(left.args[0], b.u32(ONES >> row.BITS.of(right)))
    return None


@_rule(ops.BITFIELD_INSERT)
def _fold_insert(b: Builder, value: Value) -> Value | None:
    """A `bfi` of the upper n bits into x >> n, which lacks them, is an `or`: fxc's rotation."""
    base, new, first, count = value.args
    bits = count.constant_bits
    if base.op is not ops.USHR or bits is None or first.constant_bits != _WIDTH - bits:
        return None
    shift = base.args[1].constant_bits
    return b.ior(b.ishl(new, first), base) if shift is not None and shift >= bits else None


@_rule(ops.IAND)
def _fold_iand(b: Builder, value: Value) -> Value | None:
    """mask(c) & mask(d) is mask(c and d); mask(c) & x is select(c, x, 0)."""
    left, right = value.args
    if left.op is ops.MASK and right.op is ops.MASK:
        return b.mask(b.land(left.args[0], right.args[0]))
    if left.op is ops.MASK:
        return b.select(left.args[0], right, b.u32(0))
    return b.select(right.args[0], left, b.u32(0)) if right.op is ops.MASK else None


@_rule(ops.IOR)
@_rule(ops.IXOR)
def _fold_masks(b: Builder, value: Value) -> Value | None:
    left, right = value.args
    if left.op is not ops.MASK or right.op is not ops.MASK:
        return None
    combine = b.lor if value.op is ops.IOR else b.lxor
    return b.mask(combine(left.args[0], right.args[0]))


@_rule(ops.INOT)
def _fold_inot(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.op is ops.MASK:
        return b.mask(b.lnot(inner.args[0]))
    return inner.args[0] if inner.op is ops.INOT else None


@_rule(ops.INE)
@_rule(ops.IEQ)
def _fold_test(b: Builder, value: Value) -> Value | None:
    """mask(c) != 0 is c, and mask(c) == 0 is not c."""
    left, right = value.args
    if right.constant_bits != 0 or left.op is not ops.MASK:
        return None
    return left.args[0] if value.op is ops.INE else b.lnot(left.args[0])


@_rule(ops.ULT)
def _fold_ult(b: Builder, value: Value) -> Value | None:
    """x < 0 is false, since x is unsigned. `facts` proves comparisons with other limits."""
    return b.bool(False) if value.args[1].constant_bits == 0 else None


@_rule(ops.LXOR)
def _fold_lxor(b: Builder, value: Value) -> Value | None:
    """c xor true is not c."""
    return b.lnot(value.args[0]) if value.args[1].constant_bits else None


@_rule(ops.LAND)
@_rule(ops.LOR)
def _fold_decided(b: Builder, value: Value) -> Value | None:
    """c and f(select(c, x, y)) is c and f(x); c or f(select(c, x, y)) is c or f(y)."""
    side = 1 if value.op is ops.LAND else 2
    for known, test in (value.args, value.args[::-1]):
        for arg in test.args:
            if arg.op is ops.SELECT and arg.args[0] is known:
                decided = _of_side(b, test, test.args.index(arg), side)
                return b.emit(value.op, value.type, [known, decided])
    return None


@_rule(ops.SLT)
@_rule(ops.SGE)
@_rule(ops.ULT)
@_rule(ops.UGE)
def _fold_repeated(b: Builder, value: Value) -> Value | None:
    """f(select(f(y), x, y)) is f(y) and f(x); f(select(f(x), x, y)) is f(x) or f(y)."""
    for arg in value.args:
        if arg.op is not ops.SELECT or arg.args[0].op is not value.op:
            continue
        place, (known, *sides) = value.args.index(arg), arg.args
        if known.args[1 - place] is value.args[1 - place] and known.args[place] in sides:
            side = 1 + sides.index(known.args[place])
            combine = b.lor if side == 1 else b.land
            return combine(known, _of_side(b, value, place, 3 - side))
    return None


def _of_side(b: Builder, test: Value, place: int, side: int) -> Value:
    """f(x) or f(y) for f(select(c, x, y))."""
    operands = [*test.args]
    operands[place] = operands[place].args[side]
    return b.emit(test.op, test.type, operands, test.data)


_OPPOSITE: dict[Op, Op] = {
    ops.IEQ: ops.INE, ops.INE: ops.IEQ, ops.ULT: ops.UGE, ops.UGE: ops.ULT,
    ops.SLT: ops.SGE, ops.SGE: ops.SLT,
}  # fmt: skip


@_rule(ops.LNOT)
def _fold_lnot(b: Builder, value: Value) -> Value | None:
    """not (a < b) is a >= b, for integers; not for floats, which may be NaN."""
    inner = value.args[0]
    if inner.op is ops.LNOT:
        return inner.args[0]
    opposite = _OPPOSITE.get(inner.op)
    return None if opposite is None else b.emit(opposite, inner.type, list(inner.args))


@_rule(ops.SELECT)
def _fold_select(b: Builder, value: Value) -> Value | None:
    condition, yes, no = value.args
    if condition.op is ops.CONST:
        return yes if row.BITS.of(condition) else no
    if yes is no:
        return yes
    if condition.op is ops.LNOT:
        return b.select(condition.args[0], no, yes)
    if yes.constant_bits == ONES and no.constant_bits == 0 and value.type is U32:
        return b.mask(condition)
    return None


@_rule(ops.BITCAST)
def _fold_bitcast(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    if inner.type is value.type:
        return inner
    if inner.op is ops.BITCAST:
        return b.bitcast(value.type, inner.args[0])
    if inner.op is ops.SELECT:
        return _cast_select(b, inner, value.type)
    return None


def _cast_select(b: Builder, select: Value, type_: Type) -> Value | None:
    """cast(select(c, a, b)) is select(c, cast(a), cast(b)), if neither new cast needs code.

    That is so for constants, and for casts from the wanted type.
    """
    condition, yes, no = select.args
    if not (_free_cast(yes, type_) and _free_cast(no, type_)):
        return None
    return b.select(condition, b.bitcast(type_, yes), b.bitcast(type_, no))


def _free_cast(value: Value, type_: Type) -> bool:
    return value.op is ops.CONST or (value.op is ops.BITCAST and value.args[0].type is type_)


@_rule(ops.FNEG)
def _fold_fneg(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    return inner.args[0] if inner.op is ops.FNEG else None


@_rule(ops.PACK_F64)
def _fold_pack(b: Builder, value: Value) -> Value | None:
    low, high = value.args
    if low.op is ops.F64_LOW and high.op is ops.F64_HIGH and low.args[0] is high.args[0]:
        return low.args[0]
    return None


@_rule(ops.F64_LOW)
@_rule(ops.F64_HIGH)
def _fold_dword(b: Builder, value: Value) -> Value | None:
    inner = value.args[0]
    return inner.args[value.op is ops.F64_HIGH] if inner.op is ops.PACK_F64 else None


@_rule(ops.EXTRACT)
def _fold_extract(b: Builder, value: Value) -> Value | None:
    inner, component = value.args[0], row.COMPONENT.of(value)
    if inner.op is ops.CONST:
        return b.constant(value.type, 0)  # vectors have no other constants
    return inner.args[component] if inner.op is ops.COMPOSE else None


_ARITHMETIC: Mapping[Op, Callable[[Any, Any], Any]] = {
    ops.FADD: lambda a, b: a + b,
    ops.FSUB: lambda a, b: a - b,
    ops.FMUL: lambda a, b: a * b,
    ops.FDIV: lambda a, b: a / b,
}
_ROUNDINGS = (ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN)
_TO_WIDTHS = (ops.F32_TO_F64, ops.F64_TO_F32)


def _constant(b: Builder, value: Value) -> Value | None:
    """The result for constants, None if devices may differ."""
    if value.args[0].op is not ops.CONST or value.args[-1].op is not ops.CONST:
        return None
    operands = [lanes.of_bits(arg.type, row.BITS.of(arg)) for arg in value.args]
    numbers = [float(operand) for operand in operands]
    if not _is_known(value, numbers):
        return None
    result = lanes.evaluate(value.op, value.type, operands)
    return b.constant(value.type, lanes.constant_of(value.type, result))


def _is_known(value: Value, numbers: Sequence[float]) -> bool:
    """Whether every device gives the same result for these constant operands."""
    op = value.op
    if any(lanes.is_denormal(arg.type, n) for n, arg in zip(numbers, value.args, strict=True)):
        return False
    if op in ops.COMPARISONS:
        return True
    if any(map(math.isnan, numbers)):
        return False
    if op in _ARITHMETIC:
        return _is_exact_arithmetic(value, *numbers)
    if op in _TO_WIDTHS:
        return math.isinf(numbers[0]) or lanes.is_exact(value.type, lanes.fraction(numbers[0]))
    return op in _ROUNDINGS or any(numbers)  # of two zeros a minimum or maximum may be either


def _is_exact_arithmetic(value: Value, a: float, b: float) -> bool:
    if value.op is ops.FDIV and b == 0:
        return False
    compute = _ARITHMETIC[value.op]
    if math.isinf(a) or math.isinf(b):
        return not math.isnan(compute(a, b))
    return lanes.is_exact(value.type, compute(lanes.fraction(a), lanes.fraction(b)))


def _convert(b: Builder, value: Value) -> Value | None:
    (x,) = value.args
    if x.op is not ops.CONST:
        return None
    bits = row.BITS.of(x)
    number = lanes.signed(bits) if value.op is ops.S32_TO_F else bits
    if not lanes.is_exact(value.type, lanes.fraction(number)):
        return None
    return b.f64(number) if value.type is F64 else b.f32(number)


def _flush(b: Builder, value: Value) -> Value | None:
    """The flush of a constant, which every device does in the same way, or of a flush."""
    (x,) = value.args
    if x.op is ops.FLUSH:
        return x
    if x.op is not ops.CONST:
        return None
    bits = row.BITS.of(x)
    return b.constant(F32, bits if bits & EXPONENT else bits & SIGN)


_FOLDED = (*_ARITHMETIC, *ops.COMPARISONS, *_ROUNDINGS, *_TO_WIDTHS, ops.FMIN, ops.FMAX)
FLOAT_RULES: Mapping[Op, Rule] = {
    **dict.fromkeys(_FOLDED, _constant),
    **dict.fromkeys((ops.S32_TO_F, ops.U32_TO_F), _convert),
    ops.FLUSH: _flush,
}
