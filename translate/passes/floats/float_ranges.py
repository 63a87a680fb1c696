"""Ranges of floats: the interval of a value, whether it may be a NaN, and its exponent's bound.

The ranges hold on every device: results of arithmetic are widened by the error that Vulkan allows,
and the range of a denormal contains zero, since a device may flush it.

A multiple of 2^-126 is a zero or a normal number. So sums and products of integers and ordinary
constants cannot be denormal, even if they cancel. Rounding keeps the bound: floats that are further
apart are multiples of a larger power of two.
"""

from __future__ import annotations

import math
import struct
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from translate.ir import ops, row
from translate.ir.types import F32
from translate.ir.values import Module, Value
from translate.passes.guards.facts import Facts
from translate.passes.rewrite import Incoming, merges_of, through_casts

_DEPTH = 12  # operations back that are searched for a range
_SLACK = 2.0**-20  # more than the relative error of sums, products and quotients
_TINY = 2.0**-120  # more than a flushed denormal
_LEAST_NORMAL = 2.0**-126
_MOST_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION


class Range(NamedTuple):
    """The numbers from `low` to `high`, which may be infinite; also NaN if `nan` is set."""

    low: float = -math.inf
    high: float = math.inf
    nan: bool = True

    @property
    def magnitude(self) -> float:
        """The largest magnitude; infinite if the value may be infinite or a NaN."""
        return math.inf if self.nan else max(abs(self.low), abs(self.high))

    @property
    def least_magnitude(self) -> float:
        """The smallest magnitude, NaNs aside."""
        return max(0.0, self.low, -self.high)


_UNKNOWN = Range()
_ZERO = Range(0.0, 0.0, nan=False)


class FloatRanges:
    """Ranges of a module's 32-bit values, read as floats."""

    def __init__(self, module: Module):
        self.facts = Facts(module)
        self.incoming = merges_of(module)
        self.known: dict[Value, Range] = {}
        for value in module.walk():
            if value.op is ops.INPUT:
                self._bound_input(value, module.thread_group)

    def _bound_input(self, value: Value, group: tuple[int, int, int]) -> None:
        """Bound an input by D3D's limit of groups.

        Vulkan may dispatch more, so guards of memory use other bounds.
        """
        name, component = row.INPUT.of(value)
        if name == "vThreadGroupID":
            self.facts.bound(value, _MOST_GROUPS - 1)
        elif name == "vThreadID":
            self.facts.bound(value, _MOST_GROUPS * group[component] - 1)

    def range(self, value: Value, depth: int = _DEPTH) -> Range:
        """The range of a value whose 32 bits are read as a float.

        `depth` is the number of operations to search back.
        """
        if value.op is ops.CONST:
            return _of_constant(row.BITS.of(value))
        if value in self.known:
            return self.known[value]
        if depth == 0:
            return _UNKNOWN
        self.known[value] = found = self._of_operation(value, depth - 1)
        return found

    def _of_operation(self, value: Value, depth: int) -> Range:
        if value.op is ops.BITCAST:
            return self.range(value.args[0], depth)
        if value.op is ops.RESULT:
            sources = [holder.args[position] for holder, position in self.incoming[value]]
            return _union([self.range(source, depth) for source in sources])
        if value.op is ops.SELECT:
            return _union([self.range(arg, depth) for arg in value.args[1:]])
        if value.type is not F32:
            return _UNKNOWN
        if value.op in (ops.U32_TO_F, ops.S32_TO_F):
            return self._of_integer(value)
        if value.op is ops.FSUB and _is_floor(value.args[1], value.args[0]):
            whole = self.range(value.args[0], depth)
            # A device may flush a denormal for the floor alone: the difference is negative then
            return _UNKNOWN if math.isinf(whole.magnitude) else Range(-_TINY, 1.0, False)
        rule = RANGES.get(value.op)
        if rule is None:
            return _UNKNOWN
        return rule([self.range(arg, depth) for arg in value.args])

    def _of_integer(self, value: Value) -> Range:
        upper = self.facts.upper(value.args[0])
        if value.op is ops.U32_TO_F or upper < 2**31:
            return _rounded(0.0, upper)
        return _rounded(-(2.0**31), 2.0**31)


def _is_floor(value: Value, of: Value) -> bool:
    """Whether `value` is the floor of `of`, if denormals count as zeros."""
    if value.op is not ops.FLOOR:
        return False
    return _without_flush(value.args[0]) is _without_flush(of)


def _without_flush(value: Value) -> Value:
    return value.args[0] if value.op is ops.FLUSH else value


def _of_constant(bits: int) -> Range:
    (number,) = struct.unpack("<f", struct.pack("<I", bits))
    if math.isnan(number):
        return _UNKNOWN
    only = Range(number, number, False)
    return only if abs(number) >= _LEAST_NORMAL else _union([only, _ZERO])


def _rounded(low: float, high: float, nan: bool = False) -> Range:
    """A computed range, widened by rounding errors; a bound that may overflow becomes infinite."""
    low -= abs(low) * _SLACK + _TINY
    high += abs(high) * _SLACK + _TINY
    most = 2.0**127
    return Range(low if low > -most else -math.inf, high if high < most else math.inf, nan)


def _union(ranges: Sequence[Range]) -> Range:
    if not ranges:
        return _UNKNOWN
    lows, highs = [r.low for r in ranges], [r.high for r in ranges]
    return Range(min(lows), max(highs), any(r.nan for r in ranges))


# --- ranges of results, by operation -----------------------------------------------------------


def _finite(ranges: Sequence[Range]) -> bool:
    return all(math.isfinite(r.magnitude) for r in ranges)


def _of_sum(ranges: Sequence[Range]) -> Range:
    if not _finite(ranges):
        return _UNKNOWN
    return _rounded(sum(r.low for r in ranges), sum(r.high for r in ranges))


def _of_difference(ranges: Sequence[Range]) -> Range:
    return _of_sum([ranges[0], _of_negation(ranges[1:])])


def _of_product(ranges: Sequence[Range]) -> Range:
    if not _finite(ranges):
        return _UNKNOWN
    first, second = ranges
    corners = [x * y for x in (first.low, first.high) for y in (second.low, second.high)]
    return _rounded(min(corners), max(corners))


def _of_quotient(ranges: Sequence[Range]) -> Range:
    """Unknown if the divisor's reciprocal may be a denormal or infinite: devices may flush it."""
    divisor = ranges[1]
    if not _finite(ranges) or divisor.low * divisor.high <= 0:
        return _UNKNOWN
    if not 2.0**-100 < min(abs(divisor.low), abs(divisor.high)) <= divisor.magnitude < 2.0**100:
        return _UNKNOWN
    return _of_product([ranges[0], Range(1 / divisor.high, 1 / divisor.low, False)])


def _of_negation(ranges: Sequence[Range]) -> Range:
    (only,) = ranges
    return Range(-only.high, -only.low, only.nan)


def _of_magnitude(ranges: Sequence[Range]) -> Range:
    (only,) = ranges
    return Range(0.0, max(abs(only.low), abs(only.high)), only.nan)


def _of_whole(ranges: Sequence[Range]) -> Range:
    (only,) = ranges
    return Range(only.low - 1, only.high + 1, only.nan)


def _of_flush(ranges: Sequence[Range]) -> Range:
    """The operand's: a denormal's range contains the zero already."""
    (only,) = ranges
    return only


def _of_square(ranges: Sequence[Range]) -> Range:
    found = _of_product([*ranges, *ranges])
    return Range(max(found.low, 0.0), found.high, found.nan)


def _of_minimum(ranges: Sequence[Range]) -> Range:
    """A minimum is at most each operand that cannot be NaN; of a NaN and x it is x."""
    numbers = [r.high for r in ranges if not r.nan]
    high = min(numbers) if numbers else max(r.high for r in ranges)
    return Range(min(r.low for r in ranges), high, not numbers)


def _of_maximum(ranges: Sequence[Range]) -> Range:
    return _of_negation([_of_minimum([_of_negation([r]) for r in ranges])])


RANGES: Mapping[ops.Op, Callable[[Sequence[Range]], Range]] = {
    ops.FADD: _of_sum,
    ops.FSUB: _of_difference,
    ops.FMUL: _of_product,
    ops.FDIV: _of_quotient,
    ops.FNEG: _of_negation,
    ops.FABS: _of_magnitude,
    ops.FLOOR: _of_whole,
    ops.CEIL: _of_whole,
    ops.TRUNC: _of_whole,
    ops.ROUND_EVEN: _of_whole,
    ops.FLUSH: _of_flush,
    ops.FLUSHED_SQUARE: _of_square,
    ops.FMIN: _of_minimum,
    ops.FMAX: _of_maximum,
}


NORMAL = 126  # the largest bound without denormals
_LARGEST = 149  # the bound of every float
_SMALLEST = -128
_MOST_CHANGES = 6  # of a bound; if it grows further, it becomes the largest

Bounds = dict[Value, int]


def exponent_bounds(every: Iterable[Value], incoming: Incoming) -> Bounds:
    """The bounds of a module's F32 values: an optimistic fixpoint, from the smallest bound up.

    `every` are all values of the module, constructs before their contents.
    """
    bounds: Bounds = dict.fromkeys(_floats(every), _LARGEST)
    values = [value for value in bounds if value.op in EXPONENTS]
    bounds.update(dict.fromkeys(values, _SMALLEST))
    sources = {value: _sources(value, incoming) for value in values}
    users: dict[Value, list[Value]] = {}
    for value in values:
        for source in sources[value]:
            users.setdefault(source, []).append(value)
    bounds.update((s, constant_bound(row.BITS.of(s))) for s in users if s.op is ops.CONST)
    for value in values:
        bounds[value] = value_bound(bounds, value, sources[value])
    # Merged values come before their sources
    work = deque(value for value in values if value in incoming)
    changes, waiting = dict[Value, int](), set(work)
    while work:
        value = work.popleft()
        waiting.remove(value)
        found = value_bound(bounds, value, sources[value])
        if found > bounds[value]:
            changes[value] = changes.get(value, 1) + 1
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
    rule = EXPONENTS.get(value.op)
    if rule is None:
        return _LARGEST
    return min(rule([bounds.get(source, _LARGEST) for source in sources]), _LARGEST)


def _of_any(bounds: Sequence[int]) -> int:
    return max(bounds, default=_LARGEST)


EXPONENTS: dict[ops.Op, Callable[[Sequence[int]], int]] = {
    **dict.fromkeys((ops.S32_TO_F, ops.U32_TO_F), lambda _: 0),
    ops.HALF_TO_F32: lambda _: 24,
    **dict.fromkeys((ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN), lambda _: 0),
    **dict.fromkeys((ops.FADD, ops.FSUB, ops.FMIN, ops.FMAX, ops.FNEG, ops.FABS), _of_any),
    **dict.fromkeys((ops.PARAM, ops.RESULT, ops.BITCAST), _of_any),
    ops.FMUL: sum,
    ops.SELECT: lambda bounds: max(bounds[1:]),
}
