"""Claims about `Facts`: no value exceeds the bound that it gives.

Each operation gets operands that have any bound, or are any constant; the bound of the result is
computed from these by the pass itself, on numbers of `symbolic`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, U32, Type
from translate.ir.values import Block, Module, Value
from translate.passes.guards.facts import MAX, Facts

from .meaning import PROMISES, Term, meaning, promise, variable
from .proving import Claim, together
from .symbolic import Number, Whole, as_number, ways

Make = Callable[["Given"], Value]  # an expression of unknown values
_D3D_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION


class Given:
    """Unknown values: each with its term, and conditions that hold of them."""

    def __init__(self) -> None:
        self.facts = Facts(Module("cs_5_0", Block(), (1, 1, 1)))
        self.terms: dict[Value, Term] = {}
        self.conditions: list[Term] = []
        self.bounds: list[tuple[Value, Number]] = []

    def _name(self, kind: str) -> str:
        return f"{kind}{len(self.terms)}"

    def bounded(self) -> Value:
        """A U32 of which some bound is known."""
        value = Value(ops.PARAM, U32, [], None, NOWHERE)
        term, bound = z3.BitVec(self._name("x"), 32), z3.BitVec(self._name("most"), 32)
        self.terms[value] = term
        self.conditions.append(z3.ULE(term, bound))
        self.bounds.append((value, Number.unsigned(bound)))
        return value

    def constant(self, below: int | None = None) -> Value:
        """Any constant, or any below a limit."""
        term = z3.BitVec(self._name("c"), 32)
        if below is not None:
            self.conditions.append(z3.ULT(term, z3.BitVecVal(below, 32)))
        value = Value(ops.CONST, U32, [], Number.unsigned(term, 0, below), NOWHERE)
        self.terms[value] = term
        return value

    def free(self, type_: Type) -> Value:
        """Any value of a type of which nothing is known."""
        value = Value(ops.PARAM, type_, [], None, NOWHERE)
        self.terms[value] = variable(type_, self._name("free"))
        return value

    def made(self, op: Op, type_: Type, operands: Sequence[Value]) -> Value:
        """An operation with its promise kept."""
        value = Value(op, type_, [*operands], None, NOWHERE)
        terms = [self.terms[arg] for arg in operands]
        self.conditions.append(promise(op, terms))
        self.terms[value] = meaning(op, type_, terms)
        return value

    def start(self) -> None:
        """Tell `facts` the bounds; within `ways`, since it compares them."""
        self.facts.undo(0)
        for value, bound in self.bounds:
            self.facts.bound(value, bound)


def exceeds(term: Term, bound: object) -> Term:
    """Whether a U32 is more than a bound."""
    return (Number.unsigned(term) > as_number(bound)).term


def _claim(name: str, make: Make) -> Claim:
    return Claim(f"upper of {name}", lambda: together(_no_more_than_upper(make)))


def _no_more_than_upper(make: Make) -> Iterator[Term]:
    """The bound of an expression holds, on every way through the code."""
    given = Given()
    value = make(given)

    def upper() -> object:
        given.start()
        return given.facts.upper(value)

    term = given.terms[value]
    for way in ways(upper, given.conditions):
        yield z3.Implies(way.condition, z3.Not(exceeds(term, way.result)))


# --- bounds of one operation ------------------------------------------------------------------

_COUNTED = {"ishl": (1,), "ushr": (1,), "sshr": (1,)}
_FIELDS = {"bitfield_insert": (2, 3), "bitfield_uextract": (1, 2), "bitfield_sextract": (1, 2)}
_OPERATIONS = [
    op
    for op in ops.PURE
    if op.name not in ("compose", "extract", "imul", "udiv", "umod")
    and op.result in (U32, ops.SELECT.result)
    and op.params[0] in (U32, BOOL)
]


def _limit(op: Op, place: int) -> int | None:
    """The limit of a constant operand, by the promise of the operation."""
    if place in _COUNTED.get(op.name, ()):
        return 32
    return 33 if place in _FIELDS.get(op.name, ()) else None


def _operation(op: Op, constants: Sequence[bool], given: Given) -> Value:
    operands = []
    for place, (param, is_constant) in enumerate(zip(op.params, constants, strict=True)):
        if param is BOOL:
            operands.append(given.free(BOOL))
        elif is_constant:
            operands.append(given.constant(_limit(op, place)))
        else:
            operands.append(given.bounded())
    return given.made(op, U32, operands)


def _same(op: Op, given: Given) -> Value:
    one = given.bounded()
    return given.made(op, U32, [one, one])


def of_operations() -> Iterator[Claim]:
    """Every pure operation on U32 values, each operand a value or a constant."""
    for op in _OPERATIONS:
        choices = [(False,) if param is BOOL else (False, True) for param in op.params]
        for constants in itertools.product(*choices):
            shown = ", ".join("xc"[constant] for constant in constants)
            yield _claim(f"{op.name} {shown}", partial(_operation, op, constants))
        if op.params == (U32, U32):
            yield _claim(f"{op.name} x with itself", partial(_same, op))
    for op, operands in itertools.product(_BY_ALGEBRA, ("x, y", "x, c", "c, y", "x, x")):
        yield Claim(f"upper of {op.name} {operands}", partial(_by_algebra, op, operands))


# Of integers; promises are given
_BY_ALGEBRA: dict[Op, Callable[[Term, Term], Term]] = {
    ops.IMUL: lambda x, y: x * y % (1 << 32),
    ops.UDIV: lambda x, y: x / y,
    ops.UMOD: lambda x, y: x % y,
}


def _by_algebra(op: Op, operands: str) -> Iterator[Term]:
    """The same, on integers instead of bits, since z3 does not multiply bits in time."""
    facts = Facts(Module("cs_5_0", Block(), (1, 1, 1)))
    terms: dict[str, tuple[Value, Term, Whole]] = {}
    given: list[Term] = []
    for name in operands.split(", "):
        term, most = z3.Int(name), z3.Int(f"most_{name}")
        given += [term >= 0, term <= most, most < 1 << 32]
        if name == "c":
            given.append(term == most)
        kind, data = (ops.CONST, Whole(term)) if name == "c" else (ops.PARAM, None)
        terms.setdefault(name, (Value(kind, U32, [], data, NOWHERE), term, Whole(most)))
    (x, left, _), (y, right, _) = (terms[name] for name in operands.split(", "))
    given += [right > 0] if op is not ops.IMUL else []
    value = Value(op, U32, [x, y], None, NOWHERE)

    def upper() -> Number:
        facts.undo(0)
        for operand, _, most in terms.values():
            facts.bound(operand, most)
        return as_number(facts.upper(value))

    for way in ways(upper, given):
        most = way.result
        limit = most.term if isinstance(most, Whole) else z3.IntVal(most.low)
        yield z3.Implies(way.condition, _BY_ALGEBRA[op](left, right) <= limit)


# --- bounds of expressions --------------------------------------------------------------------

_SMALL = [op for op in _OPERATIONS if op.params == (U32, U32) and not op.name.endswith("mul_high")]


def expression(dice: Random, depth: int, given: Given) -> Value:
    """A random expression; its shifts and divisors are constants."""
    if depth == 0 or not dice.randrange(6):
        known = [value for value in given.terms if value.type is U32]
        if known and not dice.randrange(3):
            return dice.choice(known)
        return given.constant() if not dice.randrange(3) else given.bounded()
    op = dice.choice([*_SMALL, ops.SELECT, ops.ISUB, ops.IAND, ops.IOR])
    inner = partial(expression, dice, depth - 1, given)
    if op is ops.SELECT:
        return given.made(op, U32, [given.free(BOOL), inner(), inner()])
    if op.name in PROMISES:
        return given.made(op, U32, [inner(), given.constant(_limit(op, 1))])
    return given.made(op, U32, [inner(), inner()])


def of_expressions(count: int, depth: int, first_seed: int = 0) -> Iterator[Claim]:
    for seed in range(first_seed, first_seed + count):
        make = partial(_expression_of, seed, depth)
        yield _claim(f"expression {seed}, depth {depth}", make)


def _expression_of(seed: int, depth: int, given: Given) -> Value:
    return expression(Random(seed), depth, given)


# Parts of a number, which taken from it do not wrap
_PARTS: dict[str, Callable[[Given, Value], Value]] = {
    "x": lambda given, x: x,
    "x & y": lambda given, x: given.made(ops.IAND, U32, [x, given.bounded()]),
    "y & x": lambda given, x: given.made(ops.IAND, U32, [given.bounded(), x]),
    "x >> c": lambda given, x: given.made(ops.USHR, U32, [x, given.constant(32)]),
    "x | y": lambda given, x: given.made(ops.IOR, U32, [x, given.bounded()]),
    "y": lambda given, x: given.bounded(),
}
_WHOLES: dict[str, Callable[[Given, Value], Value]] = {
    "x": lambda given, x: x,
    "x << c": lambda given, x: given.made(ops.ISHL, U32, [x, given.constant(32)]),
    "x | y": lambda given, x: given.made(ops.IOR, U32, [x, given.bounded()]),
    "x & y": lambda given, x: given.made(ops.IAND, U32, [x, given.bounded()]),
    "c": lambda given, x: given.constant(),
}


def _difference(whole: str, outer: str, inner: str, given: Given) -> Value:
    x = given.bounded()
    part = _PARTS[outer](given, _PARTS[inner](given, x))
    return given.made(ops.ISUB, U32, [_WHOLES[whole](given, x), part])


def of_differences() -> Iterator[Claim]:
    """A number without a part of it, or without some other number."""
    for whole, outer, inner in itertools.product(_WHOLES, _PARTS, _PARTS):
        name = f"({whole}) - ({outer} of {inner})"
        yield _claim(name, partial(_difference, whole, outer, inner))


# --- bounds that conditions give --------------------------------------------------------------

_COMPARISONS = (ops.IEQ, ops.INE, ops.ULT, ops.UGE, ops.SLT, ops.SGE)
_SIDES = ("x, y", "x, c", "c, x", "x, x + c", "x - y, c", "x & c, y")
_JOINED = (ops.LAND, ops.LOR, ops.LXOR)


def _compared(op: Op, sides: str, given: Given) -> Value:
    x = given.bounded()
    if sides == "x, x + c":
        return given.made(op, BOOL, [x, given.made(ops.IADD, U32, [x, given.constant()])])
    if sides == "x - y, c":
        x = given.made(ops.ISUB, U32, [x, given.bounded()])
    elif sides == "x & c, y":
        x = given.made(ops.IAND, U32, [x, given.constant()])
    y = given.bounded() if sides.endswith("y") else given.constant()
    return given.made(op, BOOL, [y, x] if sides == "c, x" else [x, y])


def _joined(op: Op, one: Op, other: Op, given: Given) -> Value:
    first, second = _compared(one, "x, y", given), _compared(other, "x, c", given)
    return given.made(op, BOOL, [given.made(ops.LNOT, BOOL, [first]), second])


def _learnt_claim(name: str, truth: bool, make: Make) -> Claim:
    return Claim(f"learnt from {name}: {truth}", lambda: together(_learnt(make, truth)))


def _learnt(make: Make, truth: bool) -> Iterator[Term]:
    """Every bound that is known after a condition holds wherever the condition does."""
    given = Given()
    condition = make(given)
    holds = given.terms[condition] == truth
    values = [value for value in given.terms if value.type is U32]

    def uppers() -> list[object]:
        given.start()
        given.facts.learn(condition, truth)
        return [given.facts.upper(value) for value in values]

    terms = [given.terms[value] for value in values]
    for way in ways(uppers, [*given.conditions, holds]):
        beyond = map(exceeds, terms, way.result)
        yield z3.Implies(way.condition, z3.Not(z3.Or(*beyond)))


def of_conditions() -> Iterator[Claim]:
    for truth in (True, False):
        for op, sides in itertools.product(_COMPARISONS, _SIDES):
            yield _learnt_claim(f"{op.name} {sides}", truth, partial(_compared, op, sides))
        for op, other in itertools.product(_JOINED, _COMPARISONS):
            name = f"{op.name} of not ult x, y and {other.name} x, c"
            yield _learnt_claim(name, truth, partial(_joined, op, ops.ULT, other))


# --- places of threads ------------------------------------------------------------------------

_MOST_THREADS = 1024  # of a group
_PLACES = ("vThreadIDInGroup", "vThreadGroupID", "vThreadID")
_INPUTS = {
    key: Value(ops.INPUT, U32, [], key, NOWHERE)
    for key in (("vThreadIDInGroupFlattened", 0), *itertools.product(_PLACES, range(3)))
}


def groups() -> Iterator[tuple[int, int, int]]:
    for x in range(1, _MOST_THREADS + 1):
        for y in range(1, _MOST_THREADS // x + 1):
            for z in range(1, min(_MOST_THREADS // (x * y), 64) + 1):
                yield x, y, z


def inputs_beyond_their_bounds(group: tuple[int, int, int]) -> list[str]:
    """The inputs of a group's last thread, in the last group, that exceed their bounds."""
    facts = Facts(Module("cs_5_0", Block(), group))
    x, y, z = group
    last = {("vThreadIDInGroupFlattened", 0): (z - 1) * x * y + (y - 1) * x + x - 1}
    for component, size in enumerate(group):
        last["vThreadIDInGroup", component] = size - 1
        last["vThreadGroupID", component] = MAX
        last["vThreadID", component] = MAX  # of so many groups that it wraps
    found = [f"{key} of {group}" for key in last if facts.upper(_INPUTS[key]) < last[key]]
    for component, size in enumerate(group):
        last["vThreadGroupID", component] = _D3D_GROUPS - 1
        last["vThreadID", component] = _D3D_GROUPS * size - 1
    few = [f"{key} of {group}" for key in last if facts.upper_in_d3d(_INPUTS[key]) < last[key]]
    return found + few
