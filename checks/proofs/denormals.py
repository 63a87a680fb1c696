"""Claims about denormals: which operands may stay, and which results cannot be any.

The constant of an operation is any number, infinity or NaN, the other operand any float.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, U32
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

COMPARISONS = sorted(ops.COMPARISONS, key=lambda op: op.name)  # tests need one order
BINARY = (ops.FADD, ops.FSUB, ops.FMUL, ops.FDIV, ops.FMIN, ops.FMAX, *COMPARISONS)
_UNARY = (*(ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.SQRT, ops.SIN, ops.COS),)
_SIDES = (("x", "c"), ("c", "x"), ("x", "x"), ("x", "y"))
_LEAST_NORMAL = 0x00800000


def is_denormal(bits: Term) -> Term:
    size = magnitude_of(bits)
    return z3.And(size != 0, z3.ULT(size, word(_LEAST_NORMAL)))


def operand(name: str) -> tuple[Value, Term]:
    """A value and its bits: the constant c, another float, or the magnitude of one."""
    letter = name.strip("|")
    term = z3.BitVec(letter, 32)
    if name == "c":
        return Value(ops.CONST, F32, [], Number.unsigned(term), NOWHERE), term
    value = Value(ops.PARAM, F32, [], None, NOWHERE)
    if name == letter:
        return value, term
    return Value(ops.FABS, F32, [value], None, NOWHERE), magnitude_of(term)


def operation(op: Op, names: Sequence[str]) -> tuple[Value, list[Term]]:
    """An operation, and the terms of its operands."""
    operands = {name: operand(name) for name in names}
    values, terms = zip(*(operands[name] for name in names), strict=True)
    type_ = op.result if op.result in (BOOL, U32) else F32
    return Value(op, type_, list(values), None, NOWHERE), list(terms)  # type: ignore[arg-type]


def takes_denormals(op: Op, names: Sequence[str], unflushed: bool) -> Iterator[Term]:
    """An operand x that is not flushed gives the result of the one that is.

    If the operation gets a flush itself, the flushed result counts.
    """
    value, terms = operation(op, names)
    x, term = next((v, t) for v, t, n in zip(value.args, terms, names, strict=True) if n == "x")
    zeros = [sign_of(t) if n == "x" else t for t, n in zip(terms, names, strict=True)]
    for way in ways(lambda: bool(takes_for_zero(value, x, unflushed))):
        if not way.result:
            continue
        one, other = meaning(op, value.type, terms), meaning(op, value.type, zeros)
        if value.type is F32 and not unflushed:
            one, other = flushed(one), flushed(other)
        same = one == other
        if op in (ops.FMIN, ops.FMAX):  # a denormal may be the result
            same = z3.Or(same, flushed(one) == flushed(other))
        yield z3.Implies(z3.And(way.condition, is_denormal(term)), same)


def stays(op: Op, names: Sequence[str]) -> Iterator[Term]:
    """Of flushed operands the result is no denormal."""
    value, terms = operation(op, names)
    normal = [z3.Not(is_denormal(term)) for term in terms]
    for way in ways(lambda: bool(stays_normal(value))):
        if way.result:
            result = meaning(op, value.type, terms)
            yield z3.Implies(z3.And(way.condition, *normal), z3.Not(is_denormal(result)))


def compares(op: Op, names: Sequence[str]) -> Iterator[Term]:
    """A comparison with zero by another one, which sees denormals or not."""
    value, terms = operation(op, names)
    place = names.index("x")

    def other() -> tuple[Block, Value] | None:
        found = beside_zero(value)
        if found is None:
            return None
        block = Block()
        return block, compare_normal(Builder(block), value, found[0])

    wanted = meaning(op, BOOL, [*map(flushed, terms)])
    for way in ways(other):
        if way.result is None:
            continue
        block, result = way.result
        for seen in (terms[place], flushed(terms[place])):
            machine = Machine(terms={value.args[place]: seen})
            machine.run(block)
            yield z3.Implies(way.condition, machine.of(result) == wanted)


def of_comparisons() -> Iterator[Claim]:
    for op, names in itertools.product(COMPARISONS, _SIDES[:2]):
        yield Claim(f"{op.name} {', '.join(names)} beside zero", partial(compares, op, names))


def of_operands() -> Iterator[Claim]:
    for op, names, unflushed in itertools.product(BINARY, _SIDES, (False, True)):
        name = f"denormal operand of {op.name} {', '.join(names)}{', unflushed' * unflushed}"
        yield Claim(name, partial(takes_denormals, op, names, unflushed))
    for op in _UNARY:
        yield Claim(f"denormal operand of {op.name}", partial(takes_denormals, op, ["x"], False))


def of_results() -> Iterator[Claim]:
    for op, names in itertools.product(BINARY[:4], _SIDES):
        yield Claim(f"denormal result of {op.name} {', '.join(names)}", partial(stays, op, names))
