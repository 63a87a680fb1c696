"""Claims about `exponent_bounds`: a float is a multiple of 2^-k, or not finite.

Each rule gets operands with any bounds, and computes the bound of the result from these. A product
is proved in steps: a * 2^-m times b * 2^-n is a * b * 2^-(m + n), and rounding leaves any number of
48 bits a multiple. Sums are proved for every bound on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import z3

from translate.errors import NOWHERE
from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, Type
from translate.ir.values import Value
from translate.passes.floats import float_ranges as code
from translate.passes.floats.flush import NORMAL

from .denormals import is_denormal
from .meaning import NEAREST, Term, bits_of, meaning
from .proving import Claim
from .symbolic import Number, as_number, ways

_LEAST, _MOST = -128, 149  # of the bounds
_WIDTH = 16  # bits of a bound with its sign, and of sums of bounds
_SIGNIFICAND = 24  # its bits
_EXACT = z3.FPSort(11, 2 * _SIGNIFICAND)  # of products
_MERGES = (ops.PARAM, ops.RESULT, ops.BITCAST)


def is_multiple(bits: Term, bound: Term, exponents: int = 8, digits: int = _SIGNIFICAND) -> Term:
    """Whether a float is a multiple of 2^-bound, or not finite."""
    size = bits.size()
    exponent = z3.Extract(size - 2, digits - 1, bits)
    fraction = z3.ZeroExt(1, z3.Extract(digits - 2, 0, bits))
    hidden = z3.BitVecVal(1 << digits - 1, digits)
    significand = z3.If(exponent == 0, fraction, fraction | hidden)
    raised = z3.If(exponent == 0, z3.BitVecVal(1, exponents), exponent)
    bias = (1 << exponents - 1) - 1
    # The last place is worth 2^(raised - bias - digits + 1)
    zeros = bias + digits - 1 - z3.ZeroExt(_WIDTH - exponents, raised) - bound
    divides = z3.BoolVal(False)
    for count in range(1, digits):
        divides = z3.Or(divides, z3.And(zeros == count, z3.Extract(count - 1, 0, significand) == 0))
    divides = z3.Or(zeros <= 0, divides, significand == 0)
    return z3.Or(exponent == (1 << exponents) - 1, divides)


def _wide(bound: object) -> Term:
    term = as_number(bound).term
    more = _WIDTH - term.size()
    return z3.SignExt(more, term) if more > 0 else z3.Extract(_WIDTH - 1, 0, term)


def _bound(name: str) -> tuple[Term, Number, Term]:
    """Any bound: its term, its number, and the condition that it is one."""
    term = z3.BitVec(name, _WIDTH)
    return term, Number(term, _LEAST, _MOST), z3.And(term >= _LEAST, term <= _MOST)


def _found(bounds: Mapping[Value, Number], value: Value) -> Any:
    return code.value_bound(bounds, value, value.args)  # type: ignore[arg-type]


def _holds(op: Op, types: tuple[Type, ...]) -> Iterator[Term]:
    """The result has the bound that the rule gives, whatever the operands' bounds."""
    operands = [Value(ops.PARAM, type_, [], None, NOWHERE) for type_ in types]
    value = Value(op, F32, operands, None, NOWHERE)
    bounds: dict[Value, Number] = {}
    terms, given = [], []
    for place, operand in enumerate(operands):
        bits = z3.Bool(f"x{place}") if operand.type is BOOL else z3.BitVec(f"x{place}", 32)
        terms.append(bits)
        if operand.type is F32:
            term, bounds[operand], condition = _bound(f"bound{place}")
            given += [condition, is_multiple(bits, term)]
    result = terms[0] if op in _MERGES else meaning(op, F32, terms)
    for way in ways(lambda: _found(bounds, value), given):
        yield z3.Implies(way.condition, is_multiple(result, _wide(way.result)))


def of_rules() -> Iterator[Claim]:
    for op in sorted(code.EXPONENTS, key=str):
        params = (F32,) if op in _MERGES else op.params
        types = tuple(param if isinstance(param, Type) else F32 for param in params)
        holds = partial(_least, op) if op in _BY_STEPS else partial(_holds, op, types)
        yield Claim(f"exponent bound of {op.name}", holds)
    yield Claim("rounding keeps exponent bounds", _rounded)
    yield Claim("exponent bound of const", constant_bound)
    yield Claim("exponent bound of any float", _of_all)
    yield Claim("exponent bound without denormals", _no_denormal)


def of_sums(step: int = 1) -> Iterator[Claim]:
    """Multiples of 2^-k, for every k, have a sum and a difference that are multiples."""
    yield Claim("a difference is a sum with the opposite number", _difference)
    for bound in range(_MOST, _LEAST - 1, -step):
        yield Claim(f"fadd keeps the exponent bound {bound}", partial(_sum, bound))


_BY_STEPS: dict[Op, Callable[[Term, Term], Term]] = {
    ops.FMUL: lambda a, b: a + b,
    **dict.fromkeys((ops.FADD, ops.FSUB), lambda a, b: z3.If(a > b, a, b)),
}


def _least(op: Op) -> Iterator[Term]:
    """The bound is no less than that of the exact result, or the largest."""
    operands = [Value(ops.PARAM, F32, [], None, NOWHERE) for _ in range(2)]
    value = Value(op, F32, operands, None, NOWHERE)
    (left, first, one), (right, second, two) = _bound("left"), _bound("right")
    bounds = dict(zip(operands, (first, second), strict=True))
    for way in ways(lambda: _found(bounds, value), [one, two]):
        least = _at_most(_BY_STEPS[op](left, right))
        yield z3.Implies(way.condition, _wide(way.result) >= least)


def _at_most(bound: Term) -> Term:
    return z3.If(bound > _MOST, z3.BitVecVal(_MOST, _WIDTH), bound)


def _sum(bound: int) -> Iterator[Term]:
    x, y = z3.BitVecs("x y", 32)
    given = z3.BitVecVal(bound, _WIDTH)
    multiples = z3.And(is_multiple(x, given), is_multiple(y, given))
    yield z3.Implies(multiples, is_multiple(meaning(ops.FADD, F32, [x, y]), given))


def _difference() -> Iterator[Term]:
    """So claims about sums hold of differences: an opposite number is as much a multiple."""
    x, y = z3.BitVecs("x y", 32)
    bound = z3.BitVec("bound", _WIDTH)
    opposite = meaning(ops.FNEG, F32, [y])
    yield meaning(ops.FSUB, F32, [x, y]) == meaning(ops.FADD, F32, [x, opposite])
    yield z3.Implies(is_multiple(y, bound), is_multiple(opposite, bound))


def _rounded() -> Iterator[Term]:
    """An exact product, of any bound, is a multiple when it is rounded."""
    exact = z3.BitVec("exact", 11 + 2 * _SIGNIFICAND)
    bound = z3.BitVec("bound", _WIDTH)
    number = z3.fpBVToFP(exact, _EXACT)
    given = z3.And(
        z3.Or(z3.fpIsNormal(number), z3.fpIsZero(number)),
        bound >= 2 * _LEAST,
        bound <= 2 * _MOST,
        is_multiple(exact, bound, 11, 2 * _SIGNIFICAND),
    )
    rounded = bits_of(z3.fpToFP(NEAREST, number, z3.Float32()))
    yield z3.Implies(given, is_multiple(rounded, _at_most(bound)))


def constant_bound() -> Iterator[Term]:
    bits = z3.BitVec("c", 32)
    for way in ways(lambda: code.constant_bound(Number.unsigned(bits))):  # type: ignore[arg-type]
        yield z3.Implies(way.condition, is_multiple(bits, _wide(way.result)))


def _of_all() -> Iterator[Term]:
    """Operations without a rule have the largest bound, which every float has."""
    value = Value(ops.FDIV, F32, [], None, NOWHERE)
    yield is_multiple(z3.BitVec("x", 32), _wide(_found({}, value)))


def _no_denormal() -> Iterator[Term]:
    bits = z3.BitVec("x", 32)
    normal = z3.Not(is_denormal(bits))
    yield z3.Implies(is_multiple(bits, z3.BitVecVal(NORMAL, _WIDTH)), normal)
