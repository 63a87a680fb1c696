"""Folding of floats: constants give NumPy's results, and only where all devices agree."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Block
from translate.passes.fold import FLOAT_RULES

_DTYPES: dict[Type, Any] = {F32: np.float32, F64: np.float64, U32: np.uint32, BOOL: np.bool_}
_LEAST: dict[Type, float] = {F32: 2.0**-126, F64: 2.0**-1022}
_NUMBERS = (
    *(0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 0.1, 1 / 3, 100.25, 16777215.0, 16777217.0),
    *(2.0**-126, 2.0**-127, 2.0**-130, 1e-30, 1e30, 2.0**127, 3e38, 2.0**-149, 2.0**-1074),
    *(2.0**100 + 2.0**70, 1e-300, 1e300, float("inf"), float("nan")),
)
EDGES = [sign * number for number in _NUMBERS for sign in (1, -1)]
INTEGERS = [0, 1, 2, 0xFFFFFF, 0x1000000, 0x1000001, 0x7FFFFFFF, 0x80000000, 0xFF000001, 0xFFFFFFFF]

Compute = Callable[..., Any]
ARITHMETIC = {ops.FADD: np.add, ops.FSUB: np.subtract, ops.FMUL: np.multiply, ops.FDIV: np.divide}
CHOICES: dict[Op, Compute] = {ops.FMIN: np.fmin, ops.FMAX: np.fmax}
COMPARISONS: dict[Op, Compute] = {
    **{ops.FEQ: np.equal, ops.FNE: np.not_equal, ops.FLT: np.less, ops.FGE: np.greater_equal}
}
ROUNDINGS: dict[Op, Compute] = {
    **{ops.FLOOR: np.floor, ops.CEIL: np.ceil, ops.TRUNC: np.trunc, ops.ROUND_EVEN: np.rint}
}
both_types = pytest.mark.parametrize("type_", [F32, F64], ids=str)


def _number(type_: Type, edge: float) -> Any:
    with np.errstate(all="ignore"):
        return _DTYPES[type_](edge)


def _check(op: Op, of: Type, result: Type, numbers: Sequence[Any], known: bool, right: Any) -> None:
    """The rule gives this constant if the result is known, and otherwise none."""
    b = Builder(Block())
    args = [b.constant(of, int(number.view(f"uint{of.bits}"))) for number in numbers]
    found = FLOAT_RULES[op](b, b.emit(op, result, args))
    assert (found is not None) == known, (op, numbers)
    if found is None:
        return
    assert found.op is ops.CONST
    assert found.type is result
    bits = row.BITS.of(found)
    if result is BOOL:
        assert bool(bits) == right, (op, numbers)
    else:
        wanted = np.asarray(right, _DTYPES[result]).view(f"uint{result.bits}")
        assert bits == wanted, (op, numbers, hex(bits))


def _is_denormal(type_: Type, number: Any) -> bool:
    return 0 < abs(float(number)) < _LEAST[type_]


def _pairs(type_: Type) -> Iterator[tuple[Any, Any]]:
    numbers = [_number(type_, edge) for edge in EDGES]
    yield from itertools.product(numbers, numbers)


def _exact(op: Op, a: Any, b: Any, result: Any) -> bool:
    """Whether a result of NumPy's is the exact one."""
    if not (np.isfinite(a) and np.isfinite(b) and np.isfinite(result)):
        return not np.isfinite(a) or not np.isfinite(b)
    x, y, z = (Fraction(float(number)) for number in (a, b, result))
    if op is ops.FDIV:
        return y != 0 and z * y == x
    return z == {ops.FADD: x + y, ops.FSUB: x - y, ops.FMUL: x * y}[op]


@both_types
@pytest.mark.parametrize("op", ARITHMETIC, ids=str)
def test_arithmetic_of_constants(op: Op, type_: Type) -> None:
    """It is folded just where it is exact, and no number is a NaN or a denormal."""
    for a, b in _pairs(type_):
        with np.errstate(all="ignore"):
            right = ARITHMETIC[op](a, b)
        unknown = any(np.isnan(n) or _is_denormal(type_, n) for n in (a, b, right))
        unknown |= op is ops.FDIV and b == 0
        _check(op, type_, type_, (a, b), _exact(op, a, b, right) and not unknown, right)


@both_types
@pytest.mark.parametrize("op", CHOICES, ids=str)
def test_choices_of_constants(op: Op, type_: Type) -> None:
    """Of two zeros a device may choose either."""
    for a, b in _pairs(type_):
        unknown = any(np.isnan(n) or _is_denormal(type_, n) for n in (a, b)) or a == b == 0
        _check(op, type_, type_, (a, b), not unknown, CHOICES[op](a, b))


@both_types
@pytest.mark.parametrize("op", COMPARISONS, ids=str)
def test_comparisons_of_constants(op: Op, type_: Type) -> None:
    """A NaN is as good as any number; a denormal may be taken for a zero."""
    for a, b in _pairs(type_):
        known = not any(_is_denormal(type_, n) for n in (a, b))
        _check(op, type_, BOOL, (a, b), known, COMPARISONS[op](a, b))


@both_types
@pytest.mark.parametrize("op", ROUNDINGS, ids=str)
def test_roundings_of_constants(op: Op, type_: Type) -> None:
    for edge in (*EDGES, 1.5, 2.5, -2.5, -0.75):
        number = _number(type_, edge)
        known = not (np.isnan(number) or _is_denormal(type_, number))
        _check(op, type_, type_, (number,), known, ROUNDINGS[op](number))


@both_types
@pytest.mark.parametrize(("op", "dtype"), [(ops.S32_TO_F, np.int32), (ops.U32_TO_F, np.uint32)])
def test_integers_that_a_float_holds(op: Op, dtype: Any, type_: Type) -> None:
    for bits in INTEGERS:
        number = int(np.array(bits, np.uint32).view(dtype))
        right = _DTYPES[type_](number)
        _check(op, U32, type_, (np.uint32(bits),), int(right) == number, right)


def test_widths_of_constants() -> None:
    """A float that is a denormal, or a double that no float is, is left to the device."""
    for edge in EDGES:
        single, double = _number(F32, edge), np.float64(edge)
        known = not (np.isnan(single) or _is_denormal(F32, single))
        _check(ops.F32_TO_F64, F32, F64, (single,), known, np.float64(single))
        known = single == double and not _is_denormal(F32, single)
        _check(ops.F64_TO_F32, F64, F32, (double,), known, single)


def test_flush_of_every_exponent() -> None:
    """Denormals become zeros of their sign; all else keeps every bit, NaNs too."""
    for upper in range(512):
        for fraction in (0, 1, 0x400000, 0x7FFFFF):
            bits, b = upper << 23 | fraction, Builder(Block())
            found = FLOAT_RULES[ops.FLUSH](b, b.flush(b.constant(F32, bits)))
            assert found is not None
            right = bits & 0x80000000 if not upper & 0xFF else bits
            assert row.BITS.of(found) == right
