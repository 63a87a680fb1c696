"""Folding of floats: constants give NumPy's results, and only where all devices agree."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Block, Value
from translate.passes.floats.fold_floats import RULES

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
ARITHMETIC: dict[Op, Compute] = {
    ops.FADD: np.add,
    ops.FSUB: np.subtract,
    ops.FMUL: np.multiply,
    ops.FDIV: np.divide,
}
CHOICES: dict[Op, Compute] = {ops.FMIN: np.fmin, ops.FMAX: np.fmax}
COMPARISONS: dict[Op, Compute] = {
    ops.FEQ: np.equal,
    ops.FNE: np.not_equal,
    ops.FLT: np.less,
    ops.FGE: np.greater_equal,
}
ROUNDINGS: dict[Op, Compute] = {
    ops.FLOOR: np.floor,
    ops.CEIL: np.ceil,
    ops.TRUNC: np.trunc,
    ops.ROUND_EVEN: np.rint,
}


def _number(type_: Type, edge: float) -> Any:
    with np.errstate(all="ignore"):
        return _DTYPES[type_](edge)


def _constant(b: Builder, type_: Type, number: Any) -> Value:
    return b.constant(type_, int(number.view(f"uint{type_.bits}")))


def _folded(op: Op, of: Type, result: Type, *numbers: Any) -> Any:
    """The constant that the rule gives, None if it gives none."""
    b = Builder(Block())
    value = b.emit(op, result, [_constant(b, of, number) for number in numbers])
    found = RULES[op](b, value)
    if found is None:
        return None
    assert found.op is ops.CONST
    assert found.type is result
    bits = row.BITS.of(found)
    return bool(bits) if result is BOOL else _bits(result, bits)


def _bits(type_: Type, bits: int) -> Any:
    return np.array(bits, f"uint{type_.bits}").view(_DTYPES[type_])[()]


def _same(a: Any, b: Any) -> bool:
    return a == b and np.signbit(a) == np.signbit(b)


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


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("op", ARITHMETIC, ids=str)
def test_arithmetic_of_constants(op: Op, type_: Type) -> None:
    """It is folded just where it is exact, and no number is a NaN or a denormal."""
    for a, b in _pairs(type_):
        with np.errstate(all="ignore"):
            right = ARITHMETIC[op](a, b)
        known = _exact(op, a, b, right) and not any(np.isnan(n) for n in (a, b, right))
        known &= not any(_is_denormal(type_, n) for n in (a, b, right))
        known &= not (op is ops.FDIV and b == 0)
        found = _folded(op, type_, type_, a, b)
        assert (found is not None) == known, (a, b)
        assert not known or _same(found, right), (a, b, found)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("op", CHOICES, ids=str)
def test_choices_of_constants(op: Op, type_: Type) -> None:
    """Of two zeros a device may choose either."""
    for a, b in _pairs(type_):
        found = _folded(op, type_, type_, a, b)
        unknown = any(np.isnan(n) or _is_denormal(type_, n) for n in (a, b)) or a == b == 0
        assert (found is None) == unknown, (a, b)
        assert found is None or _same(found, CHOICES[op](a, b)), (a, b)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("op", COMPARISONS, ids=str)
def test_comparisons_of_constants(op: Op, type_: Type) -> None:
    """A NaN is as good as any number; a denormal may be taken for a zero."""
    for a, b in _pairs(type_):
        found = _folded(op, type_, BOOL, a, b)
        assert (found is None) == any(_is_denormal(type_, n) for n in (a, b))
        assert found is None or found == COMPARISONS[op](a, b), (a, b)


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("op", ROUNDINGS, ids=str)
def test_roundings_of_constants(op: Op, type_: Type) -> None:
    for edge in (*EDGES, 1.5, 2.5, -2.5, -0.75):
        number = _number(type_, edge)
        found = _folded(op, type_, type_, number)
        assert (found is None) == (bool(np.isnan(number)) or _is_denormal(type_, number))
        assert found is None or _same(found, ROUNDINGS[op](number)), number


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize(("op", "dtype"), [(ops.S32_TO_F, np.int32), (ops.U32_TO_F, np.uint32)])
def test_integers_that_a_float_holds(op: Op, dtype: Any, type_: Type) -> None:
    for bits in INTEGERS:
        number = int(np.array(bits, np.uint32).view(dtype))
        found = _folded(op, U32, type_, np.uint32(bits))
        right = _DTYPES[type_](number)
        assert (found is not None) == (int(right) == number), number
        assert found is None or _same(found, right), number


def test_widths_of_constants() -> None:
    """A float that is a denormal, or a double that no float is, is left to the device."""
    for edge in EDGES:
        single = _number(F32, edge)
        found = _folded(ops.F32_TO_F64, F32, F64, single)
        assert (found is None) == (bool(np.isnan(single)) or _is_denormal(F32, single))
        assert found is None or _same(found, np.float64(single))
        double, narrow = np.float64(edge), _number(F32, edge)
        found = _folded(ops.F64_TO_F32, F64, F32, double)
        known = narrow == double and not _is_denormal(F32, narrow)
        assert (found is not None) == known, edge
        assert found is None or _same(found, narrow), edge


def test_flush_of_every_exponent() -> None:
    """Denormals become zeros of their sign; all else keeps every bit, NaNs too."""
    for upper in range(512):
        for fraction in (0, 1, 0x400000, 0x7FFFFF):
            bits, b = upper << 23 | fraction, Builder(Block())
            found = RULES[ops.FLUSH](b, b.flush(b.constant(F32, bits)))
            assert found is not None
            right = bits & 0x80000000 if not upper & 0xFF else bits
            assert row.BITS.of(found) == right
