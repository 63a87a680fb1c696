"""Claims about zeros' signs: which operations see the sign of an operand, and which give none.

Another operand is any float, any constant, or a number without a sign. The functions that z3 does
not know (`exp2`, `sin` and such) are those of the rows, for the two zeros.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import z3

from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import F32
from translate.ir.values import Value
from translate.passes.floats.denormal_operands import forwards, is_blind, is_positive

from .denormals import BINARY, operand, operation
from .meaning import Term, flushed, magnitude_of, meaning, sign_of, word
from .proving import Claim
from .symbolic import ways

_INFINITY = 0x7F800000
_UNKNOWN = (ops.EXP2, ops.LOG2, ops.SIN, ops.COS, ops.RSQRT)
_UNARY = (
    *(ops.FNEG, ops.FABS, ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN, ops.SQRT),
    *(ops.F_TO_S32, ops.F_TO_U32, ops.F32_TO_HALF_RTZ, ops.BITCAST),
)
_OTHERS = ("y", "c", "|y|", "x")


def _of_zeros(value: Value, names: Sequence[str], terms: list[Term]) -> Iterator[tuple[Term, Term]]:
    """The operation's results with +0 and with -0 as x; denormals are kept, or flushed."""
    for seen in (lambda term: term, flushed):
        given = [[zero if n == "x" else seen(t) for n, t in zip(names, terms, strict=True)]
                 for zero in (word(0), word(1 << 31))]  # fmt: skip
        one, other = (meaning(value.op, value.type, operands) for operands in given)
        yield one, other


def _same_of_zeros(
    op: Op, names: Sequence[str], rule: Callable[[Value, int], bool], *, signs: bool
) -> Iterator[Term]:
    """Where a rule holds, results are the same for both zeros, or with `signs` both are zeros."""
    value, terms = operation(op, names)
    positions = [position for position, name in enumerate(names) if name == "x"]
    for way in ways(lambda: all(rule(value, position) for position in positions)):
        for one, other in _of_zeros(value, names, terms) if way.result else ():
            same = one == other
            if signs:
                same = z3.Or(same, z3.And(magnitude_of(one) == 0, magnitude_of(other) == 0))
            yield z3.Implies(way.condition, same)


def _has_none(value: Value, result: Term) -> Iterator[Term]:
    """A positive result is a NaN or has no sign, and no flush of it gives one."""
    for way in ways(lambda: bool(is_positive(value))):
        if way.result:
            nan = z3.UGT(magnitude_of(result), word(_INFINITY))
            yield z3.Implies(way.condition, z3.Or(nan, sign_of(result) == 0))


def _gives_none(op: Op, names: Sequence[str]) -> Iterator[Term]:
    value, terms = operation(op, names)
    return _has_none(value, meaning(op, F32, terms))


def _function(op: Op, of_zeros: Sequence[float]) -> Iterator[Term]:
    """The rule for a function whose results of +0 and -0 these are."""
    value, _ = operation(op, "x")
    one, other = np.float32(of_zeros).view(np.uint32)
    blind, onward = is_blind(value, 0), forwards(value, 0)
    yield z3.BoolVal(not blind or one == other)
    yield z3.BoolVal(not onward or one == other or not (one | other) & 0x7FFFFFFF)


def _pairs() -> Iterator[tuple[str, str]]:
    yield from (("x", other) for other in _OTHERS)
    yield from ((other, "x") for other in _OTHERS[:-1])


def of_zeros() -> Iterator[Claim]:
    """Claims about zeros as operands."""
    cases = [*((op, ("x",)) for op in _UNARY), *itertools.product(BINARY, _pairs())]
    for op, names in cases:
        title = f"{op.name} {', '.join(names)}"
        yield Claim(f"blind {title}", partial(_same_of_zeros, op, names, is_blind, signs=False))
        yield Claim(f"forwarding {title}", partial(_same_of_zeros, op, names, forwards, signs=True))
    with np.errstate(all="ignore"):
        for op in _UNKNOWN:
            results = [float(op.evaluate(np.float32([zero]))[0]) for zero in (0.0, -0.0)]
            yield Claim(f"function {op.name}", partial(_function, op, results))


def of_positive() -> Iterator[Claim]:
    """Claims about results without a sign."""
    yield Claim("positive constant", partial(_has_none, *operand("c")))
    for op in (*_UNARY[:7], *BINARY[:6]):
        arity = len(op.params)
        for names in itertools.product(("|y|", "|z|", "c", "y"), repeat=arity):
            yield Claim(f"positive {op.name} {', '.join(names)}", partial(_gives_none, op, names))
