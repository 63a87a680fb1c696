"""Float rows, compared with exact and double-precision arithmetic. Source: FS §22.10, §3.1.3.

Sums, products, quotients and roots of two float32 are right if rounded from float64, which has
more than twice the digits. The reference machine flushes denormals, not `evaluate`: here they are
flushed on both sides.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from checks.lanes import (
    FLOAT_BITS,
    Bits,
    Expected,
    bits_of,
    evaluate,
    evaluate_bits,
    float_of,
    sources,
)
from translate.isa import BY_NAME, float_alu
from translate.isa.instruction import Instruction, Kind

from ...complete import check_complete

NAN = float("nan")
INF = float("inf")
ONES = 0xFFFFFFFF
FEW_BITS = FLOAT_BITS[:8] + FLOAT_BITS[20:]
RANDOM = tuple(
    int(bits)
    for bits in np.random.default_rng(7).normal(scale=100, size=300).astype(np.float32).view("<u4")
)


def flushed(bits: Bits) -> Bits:
    """The bits with denormals as zeros, and one pattern for all NaNs."""
    if bits & 0x7F800000 == 0:
        return bits & 0x80000000
    return 0x7FC00000 if bits & 0x7FFFFFFF > 0x7F800000 else bits


def rounded(value: float) -> float:
    return float_of(bits_of(value))


def divided(a: float, b: float) -> float:
    if b:
        return a / b
    return NAN if a == 0 or math.isnan(a) else math.copysign(INF, a) * math.copysign(1, b)


def smaller(a: float, b: float) -> float:
    """If one operand is a NaN, the other is the result (FS §22.10.12)."""
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return a if a < b else b


def larger(a: float, b: float) -> float:
    """What `smaller` does not give, of two zeros too (FS §22.10.11)."""
    if math.isnan(a) or math.isnan(b):
        return b if math.isnan(a) else a
    return a if a >= b else b


def root(a: float) -> float:
    return NAN if a < 0 else a if a == 0 else math.sqrt(a)


def whole(function: Expected) -> Expected:
    """A rounding function that keeps infinities, NaN and the sign of a zero."""
    return lambda a: math.copysign(function(a), a) if math.isfinite(a) else a


def fraction(a: float) -> float:
    """The fraction, which is never a negative zero."""
    return a - math.floor(a) + 0.0 if math.isfinite(a) else NAN


EXACT: dict[str, Expected] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "div": divided,
    "min": smaller,
    "max": larger,
    "frc": fraction,
    "round_ne": whole(round),
    "round_ni": whole(math.floor),
    "round_pi": whole(math.ceil),
    "round_z": whole(math.trunc),
    "sqrt": root,
}
COMPARISONS: dict[str, Expected] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
}


def power_of_two(a: float) -> float:
    try:
        return 2.0**a
    except OverflowError:
        return INF


def logarithm(a: float) -> float:
    if a == 0:
        return -INF
    return NAN if a < 0 or math.isnan(a) else math.log2(a)


def trigonometric(function: Expected) -> Expected:
    return lambda a: function(a) if math.isfinite(a) else NAN


APPROXIMATE: dict[str, Expected] = {
    "exp": power_of_two,
    "log": logarithm,
    "rcp": lambda a: divided(1.0, a),
    "rsq": lambda a: NAN if a < 0 else divided(1.0, root(a)),
}


def rows_of(arity: int) -> list[tuple[Bits, ...]]:
    edges = [(a, b) for a in FLOAT_BITS for b in FLOAT_BITS]
    pairs = [*edges, *zip(RANDOM, RANDOM[::-1], strict=True)]
    return pairs if arity == 2 else [(a,) for a in (*FLOAT_BITS, *RANDOM)]


@pytest.mark.parametrize("name", EXACT)
def test_exact_rows(name: str) -> None:
    rows = rows_of(len(sources(BY_NAME[name])))
    for row, (found,) in zip(rows, evaluate_bits(name, rows), strict=True):
        values = [float_of(bits) for bits in row]
        wanted = flushed(bits_of(EXACT[name](*values)))
        assert flushed(found) == wanted, (name, values)


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons(name: str) -> None:
    rows = rows_of(2)
    found = evaluate_bits(name, rows)
    test = COMPARISONS[name]
    assert found == [(ONES if test(*map(float_of, row)) else 0,) for row in rows]


@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximations_are_within_one_unit(name: str) -> None:
    """Far within D3D's 2^-21, because devices are compared with these results."""
    rows = rows_of(1)
    for (bits,), (found,) in zip(rows, evaluate_bits(name, rows), strict=True):
        wanted = flushed(bits_of(APPROXIMATE[name](float_of(bits))))
        assert abs(flushed(found) - wanted) <= 1, (name, float_of(bits), float_of(found))


def test_sine_and_cosine() -> None:
    rows = rows_of(1)
    for (bits,), found in zip(rows, evaluate_bits("sincos", rows), strict=True):
        for function, result in zip((math.sin, math.cos), found, strict=True):
            wanted = flushed(bits_of(trigonometric(function)(float_of(bits))))
            assert abs(flushed(result) - wanted) <= 1, (function, float_of(bits))


def test_mad_is_fused_or_rounded_twice() -> None:
    rows = [(a, b, c) for a in FEW_BITS for b in FEW_BITS for c in FEW_BITS]
    rows += [*zip(RANDOM, RANDOM[1:], RANDOM[2:], strict=False)]
    for row, (found,) in zip(rows, evaluate_bits("mad", rows), strict=True):
        a, b, c = map(float_of, row)
        allowed = {flushed(bits_of(rounded(a * b) + c))}
        if all(map(math.isfinite, (a, b, c))) and (
            exact := Fraction(a) * Fraction(b) + Fraction(c)
        ):
            allowed.add(flushed(bits_of(float(exact))))
        assert flushed(found) in allowed, (a, b, c)


@pytest.mark.parametrize("row", [r for r in float_alu.FLOATS if r.kind is Kind.DOT], ids=repr)
def test_dot_products(row: Instruction) -> None:
    """Within half a unit of the largest step of the exact sum, for each step (FS §3.1.3)."""
    terms = int(row.name[-1])
    assert [spec.slots for spec in row.operands] == [None, terms, terms]
    values = np.array(RANDOM[: 296 // 4 * 4], np.uint32).view(np.float32).reshape(4, -1)
    left, right = values[:terms], values[::-1][:terms]
    (found,) = evaluate(row, [tuple(left), tuple(right)])
    for lane, result in enumerate(found):
        pairs = [(float(left[i][lane]), float(right[i][lane])) for i in range(terms)]
        exact = sum(Fraction(a) * Fraction(b) for a, b in pairs)
        reach = sum(abs(a * b) for a, b in pairs)
        assert abs(Fraction(float(result)) - exact) <= 2 * terms * reach * 2.0**-24


def test_dot_products_of_infinities() -> None:
    lanes = [np.array([v], np.float32) for v in (INF, 1.0, -INF, 0.0)]
    (zero_times_infinity,) = evaluate(BY_NAME["dp2"], [(lanes[0], lanes[1]), (lanes[3], lanes[1])])
    assert np.isnan(zero_times_infinity[0])
    (infinite,) = evaluate(BY_NAME["dp2"], [(lanes[0], lanes[1]), (lanes[1], lanes[1])])
    assert infinite[0] == INF
    (difference,) = evaluate(BY_NAME["dp2"], [(lanes[0], lanes[2]), (lanes[1], lanes[1])])
    assert np.isnan(difference[0])


# FS §22.10: results for -INF, -1.5, -0, +0, +INF, NaN; None where any result is allowed
CORNERS = {
    "exp": (0.0, None, 1.0, 1.0, INF, NAN),
    "log": (NAN, NAN, -INF, -INF, INF, NAN),
    "rcp": (-0.0, None, -INF, INF, 0.0, NAN),
    "rsq": (NAN, NAN, -INF, INF, 0.0, NAN),
    "sqrt": (NAN, NAN, -0.0, 0.0, INF, NAN),
    "frc": (NAN, 0.5, 0.0, 0.0, NAN, NAN),
    "round_ne": (-INF, -2.0, -0.0, 0.0, INF, NAN),
    "round_ni": (-INF, -2.0, -0.0, 0.0, INF, NAN),
    "round_pi": (-INF, -1.0, -0.0, 0.0, INF, NAN),
    "round_z": (-INF, -1.0, -0.0, 0.0, INF, NAN),
    "sincos": (NAN, None, -0.0, 0.0, NAN, NAN),
}


@pytest.mark.parametrize("name", CORNERS)
def test_corners(name: str) -> None:
    inputs = [(bits_of(v),) for v in (-INF, -1.5, -0.0, 0.0, INF, NAN)]
    for found, wanted in zip(evaluate_bits(name, inputs), CORNERS[name], strict=True):
        assert wanted is None or flushed(found[0]) == flushed(bits_of(wanted))


def test_the_cosine_of_zero_is_one() -> None:
    assert [cos for _, cos in evaluate_bits("sincos", [(0,), (0x80000000,)])] == [0x3F800000] * 2


def test_every_row_is_tested() -> None:
    tested = {*EXACT, *COMPARISONS, *APPROXIMATE, "sincos", "mad"}
    names = {row.name for row in float_alu.FLOATS if row.kind is not Kind.DOT}
    place = "EXACT, COMPARISONS and APPROXIMATE of tests/unit/isa/test_evaluate_float.py"
    check_complete(tested, names, place)
