"""Operations that need no flush: they take a denormal for a zero, or their result is no denormal.

So a denormal is left as it is, or becomes +0 where a zero's sign makes no difference. Each rule
holds for NaNs, infinities and zeros of both signs, on devices that keep denormals and on devices
that flush them. A comment at each rule gives the reason.

Stores, bits and reciprocals show a zero's sign; comparisons and conversions to integers do not.
Sums, products and others forward it: if an operand is a zero of the other sign, the result is the
same, or is itself a zero of the other sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from translate.ir import ops, row
from translate.ir.builder import EXPONENT, LEAST, MAGNITUDE, SIGN, Builder
from translate.ir.types import F32
from translate.ir.values import Value
from translate.passes.rewrite import Incoming, through_casts

SUMS = (ops.FADD, ops.FSUB)
_FAR_SIDE = {ops.FMIN: SIGN, ops.FMAX: 0}  # the sign of numbers that win over a zero
_ONE = 0x3F800000
_SWALLOWING = (127 - 100) << 23  # 2^-100: its last place is 4 times the least normal number

# Comparisons of x with 0, and of 0 with x, by the least normal numbers. `fne` has no such form,
# because it is true for a NaN.
_BESIDE_ZERO: dict[tuple[ops.Op, int], Callable[[Builder, Value], Value]] = {
    (ops.FLT, 0): lambda b, x: b.fge(b.f32(-LEAST), x),
    (ops.FLT, 1): lambda b, x: b.fge(x, b.f32(LEAST)),
    (ops.FGE, 0): lambda b, x: b.flt(b.f32(-LEAST), x),
    (ops.FGE, 1): lambda b, x: b.flt(x, b.f32(LEAST)),
    (ops.FEQ, 0): lambda b, x: b.flt(b.fabs(x), b.f32(LEAST)),
    (ops.FEQ, 1): lambda b, x: b.flt(b.fabs(x), b.f32(LEAST)),
}
_BLIND = ops.COMPARISONS | {
    *(ops.F_TO_S32, ops.F_TO_U32, ops.FABS, ops.EXP2, ops.LOG2, ops.COS),
}
_FORWARDING = frozenset(
    (
        *(*SUMS, ops.FMUL, ops.FNEG, ops.FMIN, ops.FMAX, ops.SQRT, ops.SIN),
        *(ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.BITCAST),
    )
)
# Operations that give the same for a denormal and a zero of its sign
_FLUSHING = frozenset((ops.TRUNC, ops.ROUND_EVEN, ops.SIN, ops.COS))
_POSITIVE = frozenset((ops.U32_TO_F, ops.FABS, ops.EXP2))
# Operations whose results have the sign bit 0 if all operands have
_UNSIGNED = frozenset(
    (ops.FADD, ops.FMUL, ops.FDIV, ops.FMIN, ops.SQRT, ops.FLOOR, ops.CEIL, ops.TRUNC)
)
_CARRYING = (ops.BITCAST, ops.SELECT, ops.PARAM, ops.RESULT)
FloatUse = tuple[Value, int, Value]  # a value, the position of an operand, the operand
_DEPTH = 8  # operations back that are searched for a sign


def beside_zero(comparison: Value) -> tuple[int, Value] | None:
    """(position, value) of the operand that is compared with a constant zero; None without one."""
    for position, (arg, other) in enumerate((comparison.args, comparison.args[::-1])):
        is_zero = other.op is ops.CONST and not row.BITS.of(other) & MAGNITUDE
        if is_zero and arg.type is F32 and (comparison.op, position) in _BESIDE_ZERO:
            return position, arg
    return None


def compare_normal(b: Builder, comparison: Value, position: int) -> Value:
    """The comparison with zero as one with the least normal number: denormals count as zeros.

    That is so whether the device flushes them or not. `position` is that of the other operand.
    """
    return _BESIDE_ZERO[comparison.op, position](b, comparison.args[position])


def takes_for_zero(value: Value, arg: Value, unflushed: bool) -> bool:
    """Whether `value` is the same if its operand `arg` is a denormal or a zero of the same sign.

    The value may be flushed later: results that become equal then count as equal, unless it is
    `unflushed`.
    """
    op = value.op
    if op in _FAR_SIDE:
        return _is_beyond(value, arg)
    if op in _FLUSHING:
        return True
    if op is ops.FMUL and value.args[0] is value.args[1]:
        return True  # the square is less than half the least denormal
    beside = _constant_beside(value, arg)
    if beside is None or not beside & EXPONENT:
        return False
    if op in ops.COMPARISONS:
        return True  # a normal number compares alike with both
    if op in SUMS:
        return beside >= _SWALLOWING
    if unflushed:
        return False
    # The product or quotient is a denormal too.
    return beside < _ONE if op is ops.FMUL else _divides(value, arg) and beside > _ONE


def stays_normal(value: Value) -> bool:
    """Whether a constant operand ensures that arithmetic on flushed operands cannot underflow.

    A sum that cancels is at least the last place of its larger term.
    """
    first, second = (_constant_beside(value, arg) for arg in (*value.args, *value.args)[:2])
    known = first if second is None else second
    if known is None or not known & EXPONENT:
        return False
    if value.op in SUMS:
        return known >= _SWALLOWING
    if value.op is ops.FMUL:
        return known >= _ONE
    return value.op is ops.FDIV and first is not None and first <= _ONE


def _constant_beside(value: Value, arg: Value) -> int | None:
    """The operand other than `arg` of a binary operation, as the bits of its magnitude.

    None if it is no F32 constant.
    """
    if len(value.args) != 2:
        return None
    other = value.args[1] if value.args[0] is arg else value.args[0]
    return row.BITS.of(other) & MAGNITUDE if other.op is ops.CONST and other.type is F32 else None


def _is_beyond(value: Value, arg: Value) -> bool:
    """Whether `value`, a minimum or maximum, is its constant operand for any denormal `arg`.

    The constant is a negative normal number for a minimum, a positive one for a maximum. It is no
    NaN, since then `arg` would be the result.
    """
    other = value.args[1] if value.args[0] is arg else value.args[0]
    if other.op is not ops.CONST or other.type is not F32:
        return False
    bits = row.BITS.of(other)
    normal = bits & EXPONENT > 0 and bits & MAGNITUDE <= EXPONENT
    return normal and bits & SIGN == _FAR_SIDE[value.op]


def _divides(value: Value, arg: Value) -> bool:
    """Whether an operand is the dividend of a quotient."""
    return value.op is ops.FDIV and value.args[0] is arg


def float_uses(values: Iterable[Value]) -> list[FloatUse]:
    """The uses of floats by these values, and of values that may have a float's bits."""
    return [
        (value, position, arg)
        for value in values
        for position, arg in enumerate(value.args)
        if arg.type is F32 or arg.op in _CARRYING
    ]


def seen_signs(uses: Iterable[FloatUse], incoming: Incoming) -> set[Value]:
    """The values of which a user may see a zero's sign, directly or in values that forward it."""
    sources: dict[Value, list[Value]] = {}
    merging: dict[Value, set[int]] = {}
    for merged, places in incoming.items():
        sources[merged] = [holder.args[position] for holder, position in places]
        for holder, position in places:
            merging.setdefault(holder, set()).add(position)
    seen: set[Value] = set()
    for value, position, arg in uses:
        if (value in merging and position in merging[value]) or is_blind(value, position):
            continue
        if forwards(value, position):
            sources.setdefault(value, []).append(arg)
        else:
            seen.add(arg)
    work = [*seen]
    while work:
        for source in sources.get(work.pop(), ()):
            if source not in seen:
                seen.add(source)
                work.append(source)
    return seen


def is_blind(value: Value, position: int) -> bool:
    """Whether an operation has the same result if the operand at `position` is +0 or -0."""
    op, args = value.op, value.args
    if op is ops.FMUL:
        return args[0] is args[1]
    if op in SUMS:
        return _hides(value, position)
    if op in _FAR_SIDE:  # of two zeros the second is the result
        return position == 0 and args[1].op is ops.CONST and not row.BITS.of(args[1])
    return op in _BLIND


def _hides(value: Value, position: int) -> bool:
    """Whether a sum or difference is the same for +0 and -0 at `position`, by its other operand y.

    0 + y and y - 0 have the sign of the zero only if y is -0, and 0 - y only if y is +0.
    """
    other = value.args[1 - position]
    if other.op is ops.CONST and row.BITS.of(other) & EXPONENT:
        return True
    return not (value.op is ops.FSUB and position == 0) and is_positive(other)


def forwards(value: Value, position: int) -> bool:
    """Whether +0 instead of -0 at `position` changes at most the sign of a result that is zero."""
    if value.op is ops.SELECT:
        return position > 0
    if value.op is ops.FDIV:
        return position == 0
    return value.op in _FORWARDING


def is_positive(value: Value, depth: int = _DEPTH) -> bool:
    """Whether a float is a NaN or has the sign bit 0, before and after a flush of denormals."""
    op, args = value.op, value.args
    if op is ops.CONST:
        return not row.BITS.of(value) & SIGN
    if op in _POSITIVE or (op is ops.FMUL and args[0] is args[1]):
        return True
    if depth == 0:
        return False
    if op is ops.SELECT:
        return all(is_positive(arg, depth - 1) for arg in args[1:])
    if op is ops.BITCAST:
        return is_positive(through_casts(value), depth - 1)
    return op in _UNSIGNED and all(is_positive(arg, depth - 1) for arg in args)
