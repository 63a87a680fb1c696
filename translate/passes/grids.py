"""How fine floats can be: the k for which a value is a multiple of 2^-k, or not finite.

A multiple of 2^-126 is a zero or a normal number, so what comes from integers and ordinary
constants by sums and products can be no denormal, however it cancels. Rounding keeps a value on its
grid: where the neighbouring floats lie further apart, they are multiples of more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from translate.ir import ops, row
from translate.ir.types import F32
from translate.ir.values import Module, Value
from translate.passes.merges import Incoming, through_casts

NORMAL = 126  # the finest grid that has no denormals
_FINEST = 149  # every float is on it
_COARSEST = -128
_MOST_CHANGES = 6  # behind which a value that gets finer and finer is given up

Grids = dict[Value, int]


def grids_of(module: Module, incoming: Incoming) -> Grids:
    """The grid of every F32 value. Loops are entered with hope, which their bodies then correct."""
    values = _in_order(module)
    sources = {value: _sources(value, incoming) for value in values}
    users: dict[Value, list[Value]] = {}
    for value in values:
        for source in sources[value]:
            users.setdefault(source, []).append(value)
    grids: Grids = dict.fromkeys(values, _COARSEST)
    changes: dict[Value, int] = {}
    work = deque(values)
    while work:
        value = work.popleft()
        found = _grid(grids, value, sources[value])
        if found > grids[value]:
            changes[value] = changes.get(value, 0) + 1
            grids[value] = found if changes[value] < _MOST_CHANGES else _FINEST
            work += users.get(value, ())
    return grids


def _sources(value: Value, incoming: Incoming) -> list[Value]:
    if value in incoming:
        return [holder.args[position] for holder, position in incoming[value]]
    return [through_casts(value)] if value.op is ops.BITCAST else value.args


def _in_order(module: Module) -> list[Value]:
    """Every F32 value, those merged by a construct with the construct."""
    values: list[Value] = []
    for value in module.walk():
        values.append(value)
        for inner in value.blocks:
            values += inner.params
        values += value.results
    return [value for value in values if value.type is F32]


def grid_of_constant(bits: int) -> int:
    """The lowest bit of a float is worth 2^-k; a zero is on every grid."""
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF or not exponent | fraction:
        return _COARSEST
    significand = fraction | (0x800000 if exponent else 0)
    lowest = (significand & -significand).bit_length() - 1
    return 150 - max(exponent, 1) - lowest


def _grid(grids: Mapping[Value, int], value: Value, sources: Sequence[Value]) -> int:
    if value.op is ops.CONST:
        return grid_of_constant(row.BITS.of(value))
    rule = _RULES.get(value.op)
    if rule is None:
        return _FINEST
    found = rule([_of_source(grids, source) for source in sources])
    return min(found, _FINEST)


def _of_source(grids: Mapping[Value, int], source: Value) -> int:
    if source.op is ops.CONST:
        return grid_of_constant(row.BITS.of(source))
    return grids.get(source, _FINEST)


def _of_any(grids: Sequence[int]) -> int:
    return max(grids, default=_FINEST)


_RULES: dict[ops.Op, Callable[[Sequence[int]], int]] = {
    **dict.fromkeys((ops.S32_TO_F, ops.U32_TO_F), lambda _: 0),
    **dict.fromkeys((ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN), lambda _: 0),
    **dict.fromkeys((ops.FADD, ops.FSUB, ops.FMIN, ops.FMAX, ops.FNEG, ops.FABS), _of_any),
    **dict.fromkeys((ops.PARAM, ops.RESULT, ops.BITCAST), _of_any),
    ops.FMUL: sum,
    ops.SELECT: lambda grids: max(grids[1:]),
}
