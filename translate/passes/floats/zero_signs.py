"""Values in which a zero's sign makes no difference, so that a negative denormal can become +0.

Stores, bits and reciprocals show a zero's sign; comparisons and conversions to integers do not.
Sums, products and others forward it: if an operand is a zero of the other sign, the result is the
same, or is itself a zero of the other sign. Each rule holds on devices that keep denormals and on
devices that flush.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from translate.ir import ops, row
from translate.ir.float_bits import EXPONENT, SIGN
from translate.ir.values import Value
from translate.passes.floats.denormal_operands import SUMS
from translate.passes.merges import Incoming, through_casts

_BLIND = ops.COMPARISONS | {
    *(ops.F_TO_S32, ops.F_TO_U32, ops.FABS, ops.EXP2, ops.LOG2, ops.COS),
}
_FORWARDING = frozenset(
    (
        *(*SUMS, ops.FMUL, ops.FNEG, ops.FMIN, ops.FMAX, ops.SQRT, ops.SIN),
        *(ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.BITCAST),
    )
)
_POSITIVE = frozenset((ops.U32_TO_F, ops.FABS, ops.EXP2))
# Operations whose results have the sign bit 0 if all operands have
_UNSIGNED = frozenset(
    (ops.FADD, ops.FMUL, ops.FDIV, ops.FMIN, ops.SQRT, ops.FLOOR, ops.CEIL, ops.TRUNC)
)
_DEPTH = 8  # operations back that are searched for a sign


def seen_signs(values: Iterable[Value], incoming: Incoming) -> set[Value]:
    """The values of which a user may see a zero's sign, directly or in values that forward it."""
    sources: dict[Value, list[Value]] = {}
    merging: dict[Value, set[int]] = {}
    for merged, places in incoming.items():
        sources[merged] = [holder.args[position] for holder, position in places]
        for holder, position in places:
            merging.setdefault(holder, set()).add(position)
    seen: set[Value] = set()
    for value in values:
        _look(value, merging.get(value, ()), sources, seen)
    work = [*seen]
    while work:
        for source in sources.get(work.pop(), ()):
            if source not in seen:
                seen.add(source)
                work.append(source)
    return seen


def _look(
    value: Value, merging: Container[int], sources: dict[Value, list[Value]], seen: set[Value]
) -> None:
    """Note a value's operands: in `sources` if it forwards their sign, in `seen` if it shows it."""
    for position, arg in enumerate(value.args):
        if position in merging or is_blind(value, position):
            continue
        if forwards(value, position):
            sources.setdefault(value, []).append(arg)
        else:
            seen.add(arg)


def is_blind(value: Value, position: int) -> bool:
    """Whether an operation has the same result if the operand at `position` is +0 or -0."""
    op, args = value.op, value.args
    if op is ops.FMUL:
        return args[0] is args[1]
    if op in SUMS:
        return _hides(value, position)
    if op is ops.FMIN or op is ops.FMAX:  # of two zeros the second is the result
        return position == 0 and args[1].op is ops.CONST and not row.BITS.of(args[1])
    return op in _BLIND


def _hides(value: Value, position: int) -> bool:
    """Whether a sum or difference is the same for +0 and -0 at `position`, by its other operand y.

    0 + y and y - 0 have the sign of the zero only if y is -0, and 0 - y only if y is +0.
    """
    other = value.args[1 - position]
    if other.op is ops.CONST and row.BITS.of(other) & EXPONENT:
        return True
    return is_positive(other) and not (value.op is ops.FSUB and position == 0)


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
