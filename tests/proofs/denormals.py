"""Claims about denormals: which operands may stay, and which results cannot be any.

The constant of an operation is any number, infinity or NaN, the other operand any float.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import partial

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32
from translate.ir.values import Block, Value
from translate.passes.floats.denormal_operands import (
    beside_zero,
    compare_normal,
    stays_normal,
    takes_for_zero,
)

from .machine import Machine
from .meaning import Term, flushed, magnitude_of, meaning, sign_of, word
from .proving import Claim
from .symbolic import Number, ways

_COMPARISONS = sorted(ops.COMPARISONS, key=lambda op: op.name)  # tests need one order
_BINARY = (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMIN, ops.FMAX, *_COMPARISONS)
_UNARY = (ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.SQRT, ops.F64_TO_F32)
_SIDES = ("x, c", "c, x", "x, x", "x, y")
_LEAST_NORMAL = 0x00800000


def _is_denormal(bits: Term) -> Term:
    size = magnitude_of(bits)
    return z3.And(size != 0, z3.ULT(size, word(_LEAST_NORMAL)))


def _operands(sides: str) -> tuple[dict[str, Value], dict[str, Term]]:
    terms = {name: z3.BitVec(name, 32) for name in "xyc"}
    values = {name: Value(ops.PARAM, F32, [], None, NOWHERE) for name in "xy"}
    values["c"] = Value(ops.CONST, F32, [], Number.unsigned(terms["c"]), NOWHERE)
    return {name: values[name] for name in sides.split(", ")}, terms


def _value(op: Op, sides: str) -> tuple[Value, Value, dict[str, Term]]:
    """An operation, its operand x, and the terms."""
    operands, terms = _operands(sides)
    type_ = BOOL if op.result is BOOL else F32
    args = [operands[name] for name in sides.split(", ")]
    return Value(op, type_, args, None, NOWHERE), operands["x"], terms


def _given(value: Value, sides: str, terms: Mapping[str, Term]) -> Term:
    return meaning(value.op, value.type, [terms[name] for name in sides.split(", ")])


def takes_denormals(op: Op, sides: str, unflushed: bool, only: int | None = None) -> Iterator[Term]:
    """An operand that is not flushed gives the result of the one that is.

    If the operation gets a flush itself, the flushed result counts.
    """
    value, x, terms = _value(op, sides)
    zero = {**terms, "x": sign_of(terms["x"])}
    for way in ways(lambda: bool(takes_for_zero(value, x, unflushed))):
        if not way.result:
            continue
        one, other = _given(value, sides, terms), _given(value, sides, zero)
        if value.type is F32 and not unflushed:
            one, other = flushed(one), flushed(other)
        same = one == other
        if op in (ops.FMIN, ops.FMAX):  # a denormal may be the result
            same = z3.Or(same, flushed(one) == flushed(other))
        yield z3.Implies(z3.And(way.condition, _is_denormal(terms["x"])), same)


def stays(op: Op, sides: str) -> Iterator[Term]:
    """Of flushed operands the result is no denormal."""
    value, _, terms = _value(op, sides)
    normal = [z3.Not(_is_denormal(terms[name])) for name in sides.split(", ")]
    for way in ways(lambda: bool(stays_normal(value))):
        if way.result:
            result = _given(value, sides, terms)
            yield z3.Implies(z3.And(way.condition, *normal), z3.Not(_is_denormal(result)))


def compares(op: Op, sides: str) -> Iterator[Term]:
    """A comparison with zero by another one, which sees denormals or not."""
    value, x, terms = _value(op, sides)

    def other() -> tuple[Block, Value] | None:
        found = beside_zero(value)
        if found is None:
            return None
        block = Block()
        return block, compare_normal(Builder(block), value, found[0])

    wanted = meaning(op, BOOL, [flushed(terms[name]) for name in sides.split(", ")])
    for way in ways(other):
        if way.result is None:
            continue
        block, result = way.result
        for seen in (terms["x"], flushed(terms["x"])):
            machine = Machine(terms={x: seen})
            machine.run(block)
            yield z3.Implies(way.condition, machine.of(result) == wanted)


def of_comparisons() -> Iterator[Claim]:
    for op, sides in itertools.product(sorted(ops.COMPARISONS, key=str), ("x, c", "c, x")):
        yield Claim(f"{op.name} {sides} beside zero", partial(compares, op, sides))


def of_operands() -> Iterator[Claim]:
    for op, sides, unflushed in itertools.product(_BINARY, _SIDES, (False, True)):
        name = f"denormal operand of {op.name} {sides}{', unflushed' * unflushed}"
        yield Claim(name, partial(takes_denormals, op, sides, unflushed))
    for op in _UNARY[:-1]:
        yield Claim(f"denormal operand of {op.name}", partial(takes_denormals, op, "x", False))


def of_results() -> Iterator[Claim]:
    for op, sides in itertools.product((ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV), _SIDES):
        yield Claim(f"denormal result of {op.name} {sides}", partial(stays, op, sides))
