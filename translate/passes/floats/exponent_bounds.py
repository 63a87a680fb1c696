"""Exponent bounds of floats: a k for which a value is a multiple of 2^-k, or not finite.

A multiple of 2^-126 is a zero or a normal number. So sums and products of integers and ordinary
constants cannot be denormal, even if they cancel. Rounding keeps the bound: floats that are further
apart are multiples of a larger power of two.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from translate.ir import ops, row
from translate.ir.types import F32
from translate.ir.values import Value
from translate.passes.rewrite import Incoming, through_casts

NORMAL = 126  # the largest bound without denormals
_LARGEST = 149  # the bound of every float
_SMALLEST = -128
_MOST_CHANGES = 6  # of a bound; if it grows further, it becomes the largest

Bounds = dict[Value, int]


def exponent_bounds(every: Iterable[Value], incoming: Incoming) -> Bounds:
    """The bounds of a module's F32 values: an optimistic fixpoint, from the smallest bound up.

    `every` are all values of the module, constructs before their contents.
    """
    values = _floats(every)
    sources = {value: _sources(value, incoming) for value in values}
    users: dict[Value, list[Value]] = {}
    for value in values:
        for source in sources[value]:
            users.setdefault(source, []).append(value)
    bounds: Bounds = dict.fromkeys(values, _SMALLEST)
    bounds.update((s, constant_bound(row.BITS.of(s))) for s in users if s.op is ops.CONST)
    changes: dict[Value, int] = {}
    work, waiting = deque(values), set(values)
    while work:
        value = work.popleft()
        waiting.remove(value)
        found = value_bound(bounds, value, sources[value])
        if found > bounds[value]:
            changes[value] = changes.get(value, 0) + 1
            bounds[value] = found if changes[value] < _MOST_CHANGES else _LARGEST
            for user in users.get(value, ()):
                if user not in waiting:
                    waiting.add(user)
                    work.append(user)
    return bounds


def _sources(value: Value, incoming: Incoming) -> list[Value]:
    if value in incoming:
        return [holder.args[position] for holder, position in incoming[value]]
    return [through_casts(value)] if value.op is ops.BITCAST else value.args


def _floats(every: Iterable[Value]) -> list[Value]:
    """Every F32 value; parameters and results are at the place of their construct."""
    values: list[Value] = []
    for value in every:
        if value.type is F32:
            values.append(value)
        elif value.blocks:
            merged = [param for inner in value.blocks for param in inner.params]
            values += [one for one in (*merged, *value.results) if one.type is F32]
    return values


def constant_bound(bits: int) -> int:
    """The k for which the lowest set bit is 2^-k; a zero is a multiple of every number."""
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF or not exponent | fraction:
        return _SMALLEST
    significand = fraction | (0x800000 if exponent else 0)
    lowest = (significand & -significand).bit_length() - 1
    return 150 - max(exponent, 1) - lowest


def value_bound(bounds: Mapping[Value, int], value: Value, sources: Sequence[Value]) -> int:
    rule = RULES.get(value.op)
    if rule is None:
        return _LARGEST
    return min(rule([bounds.get(source, _LARGEST) for source in sources]), _LARGEST)


def _of_any(bounds: Sequence[int]) -> int:
    return max(bounds, default=_LARGEST)


RULES: dict[ops.Op, Callable[[Sequence[int]], int]] = {
    **dict.fromkeys((ops.S32_TO_F, ops.U32_TO_F), lambda _: 0),
    ops.HALF_TO_F32: lambda _: 24,
    **dict.fromkeys((ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN), lambda _: 0),
    **dict.fromkeys((ops.FADD, ops.FSUB, ops.FMIN, ops.FMAX, ops.FNEG, ops.FABS), _of_any),
    **dict.fromkeys((ops.PARAM, ops.RESULT, ops.BITCAST), _of_any),
    ops.FMUL: sum,
    ops.SELECT: lambda bounds: max(bounds[1:]),
}
