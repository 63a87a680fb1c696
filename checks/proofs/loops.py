"""Claims about the bounds of carried values: by induction, on loops of every shape.

The bound holds of the first value, and if it holds in a round, of the value for the next. The
loop's round is run by `machine`, so that the proof sees when the loop goes on, whatever the
pass took for its exit.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, U32, VOID
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import merges_of

from .machine import Machine
from .meaning import Term
from .proving import Claim
from .ranges import Given, exceeds
from .symbolic import ways


class Shape:
    """A loop with one carried value, in the making; `block` is where operations go."""

    def __init__(self) -> None:
        self.given = Given()
        self.first = self.given.bounded()
        self.body = self.block = Block()
        self.param = Value(ops.PARAM, U32, [], None, NOWHERE)
        self.body.params = [self.param]
        self.loop = Value(ops.LOOP, VOID, [self.first], None, NOWHERE)
        self.loop.blocks = (self.body,)

    def op(self, op: Op, *operands: Value) -> Value:
        return self.emit(op, BOOL if op.result is BOOL else U32, operands)

    def emit(self, op: Op, type_: object, operands: Sequence[Value]) -> Value:
        value = Value(op, type_, [*operands], None, NOWHERE)  # type: ignore[arg-type]
        self.block.values.append(value)
        return value

    def branch(self, condition: Value, end: Op, *given: Value, when: bool = True) -> None:
        """Leave or go on where a condition holds, or where it does not."""
        value = self.emit(ops.IF, VOID, [condition])
        leaving, staying = Block(), Block()
        leaving.values.append(Value(end, VOID, [*given], None, NOWHERE))
        staying.values.append(Value(ops.YIELD, VOID, [], None, NOWHERE))
        value.blocks = (leaving, staying) if when else (staying, leaving)

    def again(self, value: Value) -> None:
        self.emit(ops.CONTINUE, VOID, [value])


def _bound_holds(make: Callable[[Shape], None]) -> Iterator[Term]:
    shape = Shape()
    make(shape)
    given, param = shape.given, shape.param
    module = Module("cs_5_0", Block(), (1, 1, 1))
    module.body.values += [shape.loop, Value(ops.RETURN, VOID, [], None, NOWHERE)]
    incoming = merges_of(module)

    def bound() -> object:
        given.start()
        given.facts.bound_params(shape.loop, incoming)
        return given.facts.uppers.get(param)

    machine = Machine(terms={**given.terms, param: z3.BitVec("carried", 32)})
    carried = machine.terms[param]
    rounds = [way for way in machine.run(shape.body) if way.end.op is ops.CONTINUE]
    kept = [*given.conditions, z3.Not(machine.broken)]
    for way in ways(bound, given.conditions):
        if way.result is None:
            continue
        most = way.result
        yield z3.Implies(way.condition, z3.Not(exceeds(given.terms[shape.first], most)))
        holds = z3.And(way.condition, *kept, z3.Not(exceeds(carried, most)))
        for again in rounds:
            further = z3.And(holds, again.condition)
            yield z3.Implies(further, z3.Not(exceeds(again.arguments[0], most)))


# --- exits ------------------------------------------------------------------------------------

_COMPARISONS = (ops.IEQ, ops.INE, ops.ULT, ops.UGE, ops.SLT, ops.SGE)


def _condition(shape: Shape, op: Op, swapped: bool) -> Value:
    limit = shape.given.constant()
    return shape.op(op, *((limit, shape.param) if swapped else (shape.param, limit)))


def _step(shape: Shape, swapped: bool = False) -> Value:
    step = shape.given.constant()
    return shape.op(ops.IADD, *((step, shape.param) if swapped else (shape.param, step)))


_WAYS: dict[str, Callable[[Shape, Value], Value]] = {
    "as it is": lambda shape, one: one,
    "not": lambda shape, one: shape.op(ops.LNOT, one),
    "or another": lambda shape, one: shape.op(ops.LOR, shape.given.free(BOOL), one),
    "and another": lambda shape, one: shape.op(ops.LAND, shape.given.free(BOOL), one),
    "mask": lambda shape, one: shape.op(ops.INE, shape.op(ops.MASK, one), _zero(shape)),
    "no mask": lambda shape, one: shape.op(ops.IEQ, shape.op(ops.MASK, one), _zero(shape)),
    "masks or": lambda shape, one: _masks(shape, ops.IOR, one),
    "masks and": lambda shape, one: _masks(shape, ops.IAND, one),
}


def _zero(shape: Shape) -> Value:
    return Value(ops.CONST, U32, [], 0, NOWHERE)


def _masks(shape: Shape, op: Op, one: Value) -> Value:
    other = shape.op(ops.MASK, shape.given.free(BOOL))
    return shape.op(ops.INE, shape.op(op, shape.op(ops.MASK, one), other), _zero(shape))


def _counter(op: Op, swapped: bool, way: str, when: bool, shape: Shape) -> None:
    """Leave at a limit, then step."""
    condition = _WAYS[way](shape, _condition(shape, op, swapped))
    shape.branch(condition, ops.BREAK, when=when)
    shape.again(_step(shape, swapped))


def _two_steps(op: Op, way: str, shape: Shape) -> None:
    """Two ways to go on, with steps of their own."""
    shape.branch(_WAYS[way](shape, _condition(shape, op, False)), ops.BREAK)
    shape.branch(shape.given.free(BOOL), ops.CONTINUE, _step(shape))
    shape.again(_step(shape))


def _early(op: Op, end: Op, shape: Shape) -> None:
    """Something else comes before the exit: a way that goes on, or another exit."""
    given = (_step(shape),) if end is ops.CONTINUE else ()
    shape.branch(shape.given.free(BOOL), end, *given)
    shape.branch(_condition(shape, op, False), ops.BREAK)
    shape.again(_step(shape))


def _late(op: Op, shape: Shape) -> None:
    """The limit is compared with the next value."""
    following = _step(shape)
    limit = shape.given.constant()
    shape.branch(shape.op(op, following, limit), ops.BREAK)
    shape.again(following)


def _returning(op: Op, shape: Shape) -> None:
    """A branch that looks like the exit goes on instead."""
    shape.branch(_condition(shape, op, False), ops.CONTINUE, _step(shape))
    shape.again(_step(shape))


def _operand(op: Op, shape: Shape) -> Value:
    """A number with a known bound; a count of a shift is a constant below 32."""
    is_shift = op in (ops.USHR, ops.SSHR)
    return shape.given.constant(32) if is_shift else shape.given.bounded()


def _shrinking(op: Op, swapped: bool, shape: Shape) -> None:
    """No exit at all, but each round leaves the value, or makes it smaller."""
    other = _operand(op, shape)
    smaller = shape.op(op, *((other, shape.param) if swapped else (shape.param, other)))
    shape.branch(shape.given.free(BOOL), ops.CONTINUE, shape.param)
    shape.again(smaller)


def _of_another(op: Op, shape: Shape) -> None:
    """Each round makes another number smaller, which may be larger than the value."""
    other = _operand(op, shape)
    shape.again(shape.op(op, shape.given.bounded(), other))


_IN_EACH_ROUND = (
    *(ops.USHR, ops.SSHR, ops.UDIV, ops.UMOD, ops.IAND, ops.UMIN),
    *(ops.UMAX, ops.IOR, ops.ISUB, ops.SMIN),
)


def of_loops() -> Iterator[Claim]:
    """Counters with exits of every kind, and values that shrink."""
    both = (False, True)
    for op, swapped, way in itertools.product(_COMPARISONS, both, _WAYS):
        for when in both if way in ("as it is", "not") else (True,):
            name = f"loop until {op.name}{' of the limit' * swapped}, {way}, {when}"
            yield _claim(name, partial(_counter, op, swapped, way, when))
    for op in _COMPARISONS:
        yield _claim(f"two steps until {op.name}", partial(_two_steps, op, "as it is"))
        yield _claim(f"two steps until {op.name}, or", partial(_two_steps, op, "or another"))
        yield _claim(f"{op.name} after another way", partial(_early, op, ops.CONTINUE))
        yield _claim(f"{op.name} after another exit", partial(_early, op, ops.BREAK))
        yield _claim(f"{op.name} after the step", partial(_late, op))
        yield _claim(f"{op.name} goes on", partial(_returning, op))
    for op in _IN_EACH_ROUND:
        for swapped in both if op.precondition is None else (False,):
            name = f"{op.name} in each round{', on the right' * swapped}"
            yield _claim(name, partial(_shrinking, op, swapped))
        yield _claim(f"{op.name} of another number in each round", partial(_of_another, op))


def _claim(name: str, make: Callable[[Shape], None]) -> Claim:
    return Claim(name, partial(_bound_holds, make))
