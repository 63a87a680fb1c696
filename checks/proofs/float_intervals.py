"""Claims about `float_ranges`: a float is in its range, and so is the zero of one that is denormal.

Bounds are real numbers or infinite, in every combination; operands are any numbers between. Results
differ from the exact ones by the error that Vulkan allows, or are flushed. A double's rounding of
bounds, 2^-53, is far below the slack that is left here: results have half of the error for which
the ranges are widened.
"""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.floats import float_ranges as code
from translate.passes.floats.float_ranges import FloatRanges, Range

from .meaning import Term
from .proving import Claim, together
from .symbolic import Real, real_term, ways

_ERROR = z3.Q(1, 1 << 21)  # 2.5 units in the last place, of quotients
_OVERFLOW = z3.RealVal(1 << 127)  # results beyond may be infinite by the error
_NORMAL = z3.Q(1, 1 << 126)
_NAN, _ANYTHING = math.nan, None
_NUMBERS = ("c", "small")
Kind = tuple[str, str, bool, str]
Number = Any  # a term, an infinity or a NaN
Outcome = tuple[Term, Number]  # a condition, and a result that may come then


class _Given:
    """An operand: its range, its value, and the conditions on both."""

    def __init__(self, name: str, kind: Kind):
        below, above, nan, value = kind
        low: Any = Real(z3.Real(f"low_{name}")) if below in _NUMBERS else float(below)
        high: Any = Real(z3.Real(f"high_{name}")) if above in _NUMBERS else float(above)
        self.range = Range(low, high, nan)
        self.number: Number = z3.Real(name) if value in _NUMBERS else float(value)
        self.conditions: list[Term] = []
        if value in _NUMBERS:
            self.conditions.append(_contains(self.range, self.number))
            self.conditions.append(z3.Implies(_is_tiny(self.number), _contains(self.range, 0.0)))
        for bound in (low, high):
            if isinstance(bound, Real):
                self.conditions.append(_size(bound.term) < 2 * _OVERFLOW)
                if below == "small":
                    self.conditions += [bound.term != 0, _size(bound.term) < 1 << 31]
        if below == "small":
            self.conditions.append(low.term < high.term)


def _kinds() -> list[Kind]:
    """Bounds below and above, whether NaNs are allowed, and the value: a number or another one."""
    found: list[Kind] = []
    for below, above in (("c", "c"), ("-inf", "c"), ("c", "inf"), ("-inf", "inf"), ("inf", "inf")):
        for nan in (False, True):
            values = ["c"] if below != "inf" else []
            values += ["-inf"] * (below == "-inf") + ["inf"] * (above == "inf") + ["nan"] * nan
            found += [(below, above, nan, value) for value in values]
    return found


ALL = _kinds()
FEW: list[Kind] = [
    *(("c", "c", False, "c"), ("c", "c", True, "c"), ("c", "c", True, "nan")),
    ("-inf", "c", False, "-inf"),
]
# Bounds that differ, are not zero and do not overflow: the others have a way each through the code
SMALL: list[Kind] = [("small", "small", False, "small"), *FEW[1:]]


def _size(number: Term) -> Term:
    return z3.If(number < 0, -number, number)


def _is_tiny(number: Term) -> Term:
    return z3.And(number > -_NORMAL, number < _NORMAL)


def _contains(found: Range, number: Number) -> Term:
    if isinstance(number, float) and math.isnan(number):
        return z3.BoolVal(found.nan)
    if isinstance(number, float) and math.isinf(number):
        return z3.BoolVal(number in (found.low, found.high))
    inside = [z3.BoolVal(True)]
    if isinstance(number, float):
        number = z3.RealVal(number)
    for bound, order in ((found.low, 1), (found.high, -1)):
        if isinstance(bound, float) and math.isinf(bound):
            inside.append(z3.BoolVal((bound < 0) == (order > 0)))
        else:
            term = real_term(bound)
            inside.append(term <= number if order > 0 else number <= term)
    return z3.And(*inside)


def _is_real(number: Number) -> bool:
    return z3.is_expr(number)


# --- results of a device ----------------------------------------------------------------------


def _inexact(exact: Callable[..., Term]) -> Callable[..., list[Outcome]]:
    """Arithmetic: of finite operands near the exact result or infinite, else anything."""

    def outcomes(*operands: Number) -> list[Outcome]:
        true = z3.BoolVal(True)
        if not all(map(_is_real, operands)):
            return [(true, -math.inf), (true, math.inf), (true, _NAN), (true, z3.Real("any"))]
        wanted, result = z3.Real("exact"), z3.Real("result")
        is_exact = wanted == exact(*operands)
        error = _size(result - wanted) <= _ERROR * _size(wanted) + _NORMAL
        signs = z3.And(z3.Implies(wanted >= 0, result >= 0), z3.Implies(wanted <= 0, result <= 0))
        near = z3.And(is_exact, error, signs)
        return [
            (near, result),
            (z3.And(is_exact, wanted >= _OVERFLOW), math.inf),
            (z3.And(is_exact, wanted <= -_OVERFLOW), -math.inf),
        ]

    return outcomes


def _square(number: Number) -> list[Outcome]:
    if not _is_real(number):
        return [(z3.BoolVal(True), abs(number))]
    return _inexact(lambda x: x * x)(number)


def _whole(number: Number) -> list[Outcome]:
    """The next integer in some direction, or the number itself if that is none."""
    if not _is_real(number):
        return [(z3.BoolVal(True), number)]
    result = z3.Int("whole")
    found = z3.ToReal(result)
    return [(z3.And(found - number < 1, number - found < 1), found)]


def _better(sign: int) -> Callable[[Number, Number], list[Outcome]]:
    def outcomes(x: Number, y: Number) -> list[Outcome]:
        true = z3.BoolVal(True)
        special = [one for one in (x, y) if isinstance(one, float)]
        for one in sorted(special, key=math.isnan, reverse=True):
            other = y if one is x else x
            wins = not math.isnan(one) and one * sign > 0
            return [(true, one if wins else other)]
        return [(x * sign >= y * sign, x), (y * sign >= x * sign, y)]

    return outcomes


def _exactly(function: Callable[[Number], Number]) -> Callable[[Number], list[Outcome]]:
    return lambda number: [(z3.BoolVal(True), function(number))]


_RESULTS: dict[Op, Callable[..., list[Outcome]]] = {
    ops.FADD: _inexact(lambda x, y: x + y),
    ops.FSUB: _inexact(lambda x, y: x - y),
    ops.FMUL: _inexact(lambda x, y: x * y),
    ops.FDIV: _inexact(lambda x, y: x / y),
    ops.FLUSHED_SQUARE: _square,
    ops.FNEG: _exactly(lambda x: -x),
    ops.FABS: _exactly(lambda x: _size(x) if _is_real(x) else abs(x)),
    ops.FLUSH: _exactly(lambda x: z3.If(_is_tiny(x), 0, x) if _is_real(x) else x),
    **dict.fromkeys((ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN), _whole),
    ops.FMIN: _better(-1),
    ops.FMAX: _better(1),
}

_PRODUCTS = (ops.FMUL, ops.FDIV, ops.FLUSHED_SQUARE)

# --- claims -----------------------------------------------------------------------------------


def _ranges() -> FloatRanges:
    module = Module("cs_5_0", Block(), (1, 1, 1))
    module.body.values.append(Value(ops.RETURN, VOID, [], None, NOWHERE))
    return FloatRanges(module)


def _operation(op: Op, same: bool, kinds: Sequence[Kind]) -> Iterator[Term]:
    given = [_Given(name, kind) for name, kind in zip("xy", kinds, strict=False)]
    operands = [Value(ops.PARAM, F32, [], None, NOWHERE) for _ in given]
    args = operands * 2 if same else operands
    if op is ops.SELECT:
        args = [Value(ops.PARAM, BOOL, [], None, NOWHERE), *args]
    value = Value(op, F32, args, None, NOWHERE)
    ranges = _ranges()
    ranges.known.update(zip(operands, (one.range for one in given), strict=True))
    conditions = [one for known in given for one in known.conditions]

    def found() -> Range:
        ranges.known.pop(value, None)
        return ranges.range(value)

    numbers = [one.number for one in given] * (2 if same else 1)
    if op is ops.SELECT:
        outcomes = [(z3.BoolVal(True), number) for number in numbers]
    else:
        outcomes = _RESULTS[op](*numbers)
    for way in ways(found, conditions):
        for condition, result in outcomes:
            inside = _contains(way.result, result)
            if _is_real(result):
                zero = z3.Implies(_is_tiny(result), _contains(way.result, 0.0))
                inside = z3.And(inside, zero)
            yield z3.Implies(z3.And(way.condition, condition), inside)


def _of_kinds(op: Op, same: bool, given: Sequence[Kind], count: int) -> Iterator[Term]:
    for kinds in itertools.product(given, repeat=count):
        yield from together(_operation(op, same, kinds), 1 if op in _PRODUCTS else 8)


def of_operations(
    every: Sequence[Kind] = ALL, of_products: Sequence[Kind] = ALL
) -> Iterator[Claim]:
    """Every rule, for operands of each kind."""
    for op in (*sorted(code.RANGES, key=str), ops.SELECT):
        kinds = of_products if op in _PRODUCTS else every
        count = 2 if op is ops.SELECT else len(op.params)
        yield Claim(f"range of {op.name}", partial(_of_kinds, op, False, kinds, count))
        if count == 2:
            yield Claim(f"range of {op.name} x with itself", partial(_of_kinds, op, True, kinds, 1))
    for op in (ops.U32_TO_F, ops.S32_TO_F):
        yield Claim(f"range of {op.name}", partial(_of_integer, op))
    for flushes in (False, True):
        shown = "the flushed x" if flushes else "x"
        yield Claim(f"range of x without the floor of {shown}", partial(_fraction, flushes))
    yield Claim("range of a constant", _constants)


def _of_integer(op: Op) -> Iterator[Term]:
    """Of any integer that is no more than any bound."""
    number, most = z3.Int("x"), z3.Int("most")
    argument = Value(ops.PARAM, U32, [], None, NOWHERE)
    value = Value(op, F32, [argument], None, NOWHERE)
    ranges = _ranges()

    def found() -> Range:
        ranges.known.clear()
        ranges.facts.undo(0)
        ranges.facts.bound(argument, Real(z3.ToReal(most)))  # type: ignore[arg-type]
        return ranges.range(value)

    conditions = [number >= 0, number <= most, most < 1 << 32]
    signed = op is ops.S32_TO_F
    read = z3.If(number >= 1 << 31, number - (1 << 32), number) if signed else number
    for way in ways(found, conditions):
        for condition, result in _inexact(lambda x: x)(z3.ToReal(read)):
            yield z3.Implies(z3.And(way.condition, condition), _contains(way.result, result))


def _fraction(flushes: bool) -> Iterator[Term]:
    """Of x without its floor; devices may take a denormal x for a zero, in either operation."""
    x = Value(ops.PARAM, F32, [], None, NOWHERE)
    of = Value(ops.FLUSH, F32, [x], None, NOWHERE) if flushes else x
    floor = Value(ops.FLOOR, F32, [of], None, NOWHERE)
    value = Value(ops.FSUB, F32, [x, floor], None, NOWHERE)
    for kind in ALL:
        given, ranges = _Given("x", kind), _ranges()
        if not _is_real(given.number):
            continue

        def found(given: _Given = given, ranges: FloatRanges = ranges) -> Range:
            ranges.known.clear()
            ranges.known[x] = given.range
            return ranges.range(value)

        whole = z3.ToReal(z3.Int("whole"))
        seen = given.number
        taken = z3.Real("taken")  # by the floor
        flushed = z3.And(_is_tiny(seen), taken == 0)
        below = z3.And(whole <= taken, taken < whole + 1, z3.Or(taken == seen, flushed))
        for way in ways(found, given.conditions):
            for condition, result in _inexact(lambda a, b: a - b)(seen, whole):
                holds = z3.And(way.condition, below, condition)
                yield z3.Implies(holds, _contains(way.result, _no_more_than_one(result)))


def _no_more_than_one(result: Number) -> Number:
    """The exact result is at most 1, which rounding does not pass."""
    return z3.If(result > 1, z3.RealVal(1), result) if _is_real(result) else result


def _constants() -> Iterator[Term]:
    """Of every exponent and sign, with the least and the largest fractions."""
    places = itertools.product(range(512), (0, 1, 0x3FFFFF, 0x400000, 0x7FFFFF))
    ranges = _ranges()
    for bits in (high << 23 | low for high, low in places):
        found = ranges.range(Value(ops.CONST, F32, [], bits, NOWHERE))
        (number,) = struct.unpack("<f", struct.pack("<I", bits))
        inside = found.nan if math.isnan(number) else found.low <= number <= found.high
        if bits & 0x7F800000 == 0:
            inside = inside and found.low <= 0.0 <= found.high
        if not inside:
            yield z3.BitVec("constant", 32) != bits
