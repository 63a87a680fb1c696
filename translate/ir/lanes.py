"""Evaluation of pure operations: on Python's integers, and on NumPy lanes.

A U32 is a number from 0 to 2^32 - 1, or an array of int64 of them; a BOOL a bool, or an array of
bool; F32 and F64 are arrays of float32 and float64; a texel is an array of four components' lanes.
Integers need no NumPy, and it is not imported for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from translate.ir.row import COMPONENT, Generic, Lanes, Op
from translate.ir.types import F32, F64, U32, Type

if TYPE_CHECKING:
    from fractions import Fraction

ONES = 0xFFFFFFFF
_SIGN = 0x80000000
_FLOATS = {F32: "float32", F64: "float64"}
_LEAST_NORMAL = {F32: 2.0**-126, F64: 2.0**-1022}


def evaluate(op: Op, type_: Type, operands: Sequence[Lanes], attribute: object = None) -> Lanes:
    """The lanes of an operation's result, of type `type_`.

    Lanes that break the operation's precondition have undefined values. NumPy may warn of these,
    and of new infinities and NaNs; callers silence that by `numpy.errstate`.
    """
    compute: Callable[..., Lanes] | None = op.evaluate
    assert compute is not None, f"{op} is not pure"
    if op.result is Generic.BITS32:
        return of_bits(type_, compute(*map(bits_of, operands)))
    result = compute(*operands, attribute) if op.attribute is COMPONENT else compute(*operands)
    if type_ is U32:
        return result & ONES
    return result.astype(_FLOATS[type_], copy=False) if type_ in _FLOATS else result


def of_bits(type_: Type, bits: Lanes) -> Lanes:
    """Lanes of a scalar type from integers with their bits (64 bits for F64)."""
    if type_ not in _FLOATS:
        return bits
    return import_module("numpy").asarray(bits, f"uint{type_.bits}").view(_FLOATS[type_])


def constant_of(type_: Type, lane: Lanes) -> int:
    """The bits of one lane, as a constant of type `type_` stores them."""
    return int(lane.view(f"uint{type_.bits}") if type_ in _FLOATS else lane)


def bits_of(lanes: Lanes) -> Lanes:
    """U32 or F32 lanes as U32 lanes with the same bits."""
    floats = getattr(lanes, "dtype", None) == "float32"
    return lanes.view("uint32").astype("int64") if floats else lanes


def fraction(number: float) -> Fraction:
    from fractions import Fraction  # slow to import, and few shaders fold floats

    return Fraction(number)


def is_exact(type_: Type, number: Fraction) -> bool:
    """Whether a float type represents a number exactly, and not as a denormal."""
    digits = abs(number.numerator).bit_length() - _trailing_zeros(number.numerator)
    most, precision = (2.0**128, 24) if type_ is F32 else (2**1024, 53)
    power_of_two = number.denominator & (number.denominator - 1) == 0
    if not power_of_two or digits > precision or abs(number) >= most:
        return False
    return not number or abs(number) >= _LEAST_NORMAL[type_]


def _trailing_zeros(number: int) -> int:
    return (number & -number).bit_length() - 1 if number else 0


def is_denormal(type_: Type, number: float) -> bool:
    return type_ in _LEAST_NORMAL and 0 < abs(number) < _LEAST_NORMAL[type_]


# --- functions for rows ---------------------------------------------------------------------------


def signed(a: Lanes) -> Lanes:
    """The signed number that a U32 is in two's complement."""
    return (a ^ _SIGN) - _SIGN


def power(n: Lanes) -> Lanes:
    """2^n."""
    return 1 << n


def choose(condition: Lanes, a: Lanes, b: Lanes) -> Lanes:
    """`a` where the condition holds, else `b`."""
    if isinstance(condition, (bool, int)):
        return a if condition else b
    return import_module("numpy").where(condition, a, b)


def bit_count(a: Lanes) -> Lanes:
    """The number of bits that are set."""
    # Compiled code would take the sum for an integer; mypyc does not compile this file
    return sum(a >> n & 1 for n in range(32))


def bit_reverse(a: Lanes) -> Lanes:
    """The 32 bits in the opposite order."""
    return sum((a >> n & 1) << 31 - n for n in range(32))


def bit_length(a: Lanes) -> Lanes:
    """The number of bits up to the highest that is set, as `int.bit_length`; 0 for 0."""
    return sum(a >> n != 0 for n in range(32))


def numpy(name: str, wide: bool = False) -> Callable[..., Lanes]:
    """A function of NumPy, which is imported by the first call; `wide` computes in F64."""

    def function(*operands: Lanes) -> Lanes:
        found = getattr(import_module("numpy"), name)
        return found(*operands, dtype="float64") if wide else found(*operands)

    return function
