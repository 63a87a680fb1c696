"""Folding of float constants, where every device gives the same result.

A device may round in any direction, and may flush or keep denormals. So a result is known only if
it is exact, and neither it nor an operand is a denormal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from translate.ir import lanes, ops, row
from translate.ir.builder import EXPONENT, SIGN, Builder
from translate.ir.ops import Op
from translate.ir.types import F32, F64, Type
from translate.ir.values import Value
from translate.passes.rewrite import Rule

if TYPE_CHECKING:
    from fractions import Fraction

_LEAST_NORMAL = {F32: 2.0**-126, F64: 2.0**-1022}
_ARITHMETIC: Mapping[Op, Callable[[Any, Any], Any]] = {
    ops.FADD: lambda a, b: a + b,
    ops.FSUB: lambda a, b: a - b,
    ops.FMUL: lambda a, b: a * b,
    ops.FDIV: lambda a, b: a / b,
}
_ROUNDINGS = (ops.FLOOR, ops.CEIL, ops.TRUNC, ops.ROUND_EVEN)
_TO_WIDTHS = (ops.F32_TO_F64, ops.F64_TO_F32)


def _constant(b: Builder, value: Value) -> Value | None:
    """The result for constants, None if devices may differ."""
    if value.args[0].op is not ops.CONST or value.args[-1].op is not ops.CONST:
        return None
    operands = [lanes.of_bits(arg.type, row.BITS.of(arg)) for arg in value.args]
    numbers = [float(operand) for operand in operands]
    if not _is_known(value, numbers):
        return None
    result = lanes.evaluate(value.op, value.type, operands)
    return b.constant(value.type, lanes.constant_of(value.type, result))


def _is_known(value: Value, numbers: Sequence[float]) -> bool:
    """Whether every device gives the same result for these constant operands."""
    op = value.op
    if any(_is_denormal(n, arg.type) for n, arg in zip(numbers, value.args, strict=True)):
        return False
    if op in ops.COMPARISONS:
        return True
    if any(map(math.isnan, numbers)):
        return False
    if op in _ARITHMETIC:
        return _is_exact_arithmetic(value, *numbers)
    if op in _TO_WIDTHS:
        return math.isinf(numbers[0]) or _is_exact(value.type, _fraction(numbers[0]))
    return op in _ROUNDINGS or any(numbers)  # of two zeros a minimum or maximum may be either


def _is_exact_arithmetic(value: Value, a: float, b: float) -> bool:
    if value.op is ops.FDIV and b == 0:
        return False
    compute = _ARITHMETIC[value.op]
    if math.isinf(a) or math.isinf(b):
        return not math.isnan(compute(a, b))
    return _is_exact(value.type, compute(_fraction(a), _fraction(b)))


def _fraction(number: float) -> Fraction:
    from fractions import Fraction  # slow to import, and few shaders fold floats

    return Fraction(number)


def _is_exact(type_: Type, number: Fraction) -> bool:
    """Whether a float type represents a number exactly, and not as a denormal."""
    digits = abs(number.numerator).bit_length() - _trailing_zeros(number.numerator)
    most, precision = (2.0**128, 24) if type_ is F32 else (2**1024, 53)
    power_of_two = number.denominator & (number.denominator - 1) == 0
    if not power_of_two or digits > precision or abs(number) >= most:
        return False
    return not number or abs(number) >= _LEAST_NORMAL[type_]


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else 0


def _is_denormal(number: float, type_: Type) -> bool:
    return type_ in _LEAST_NORMAL and 0 < abs(number) < _LEAST_NORMAL[type_]


def _convert(b: Builder, value: Value) -> Value | None:
    (x,) = value.args
    if x.op is not ops.CONST:
        return None
    bits = row.BITS.of(x)
    number = lanes.signed(bits) if value.op is ops.S32_TO_F else bits
    if not _is_exact(value.type, _fraction(number)):
        return None
    return b.f64(number) if value.type is F64 else b.f32(number)


def _flush(b: Builder, value: Value) -> Value | None:
    """The flush of a constant, which every device does in the same way, or of a flush."""
    (x,) = value.args
    if x.op is ops.FLUSH:
        return x
    if x.op is not ops.CONST:
        return None
    bits = row.BITS.of(x)
    return b.constant(F32, bits if bits & EXPONENT else bits & SIGN)


_FOLDED = (*_ARITHMETIC, *ops.COMPARISONS, *_ROUNDINGS, *_TO_WIDTHS, ops.FMIN, ops.FMAX)
RULES: Mapping[Op, Rule] = {
    **dict.fromkeys(_FOLDED, _constant),
    **dict.fromkeys((ops.S32_TO_F, ops.U32_TO_F), _convert),
    ops.FLUSH: _flush,
}
