"""Edge values, their products as NumPy lanes, and rows evaluated over them."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from translate.isa import BY_NAME
from translate.isa.instruction import Instruction, Role, Scalar

Bits = int
Lanes = np.ndarray[Any, Any]
Expected = Callable[..., Any]

INTEGERS = (
    0, 1, 2, 3, 5, 31, 32, 33, 63, 255, 0x8000, 0xFFFF, 0x10000, 0x12345678, 0x7FFFFFFF,
    0x80000000, 0x80000001, 0xDEADBEEF, 0xFFFFFFFE, 0xFFFFFFFF,
)  # fmt: skip
FEW_INTEGERS = (0, 1, 7, 31, 32, 0x7FFFFFFF, 0x80000000, 0xA5A5A5A5, 0xFFFFFFFF)
FLOAT_BITS = (
    0x00000000, 0x80000000,  # zeros
    0x00800000, 0x80800000,  # the least normal numbers
    0x3F800000, 0xBF800000, 0x3F000000, 0xBF000000,  # 1, 1/2
    0x3FC00000, 0xC0200000, 0x40600000,  # 1.5, -2.5, 3.5: ties
    0x3F7FFFFF, 0x3F800001, 0xBE99999A,  # beside 1, -0.3
    0x4B000001, 0x4EFFFFFF, 0x4F000000, 0xCF000000, 0x4F7FFFFF, 0x4F800000,  # beside 2^31, 2^32
    0x7E800000, 0x7F7FFFFF, 0xFF7FFFFF,  # 2^126, the largest
    0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001,  # infinities, NaN
)  # fmt: skip
DENORMAL_BITS = (0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF)
DOUBLES = (
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 0.1, -0.3, 1e300, -1e300, 1e-300, 5e-324, -5e-324,
    2.2250738585072014e-308, 1.7976931348623157e308, 2.0**31, -(2.0**31), 2147483647.5, 2.0**32,
    4294967295.5, -2147483648.5, float("inf"), -float("inf"), float("nan"),
)  # fmt: skip

_DTYPES = {
    Scalar.F32: np.dtype(np.float32),
    Scalar.U32: np.dtype(np.uint32),
    Scalar.I32: np.dtype(np.int32),
    Scalar.F64: np.dtype(np.float64),
    Scalar.BITS: np.dtype(np.uint32),
}


def dtype_of(scalar: Scalar) -> np.dtype[Any]:
    """The dtype of the lanes of an operand of this type."""
    return _DTYPES[scalar]


def float_of(bits: Bits) -> float:
    """A float32's value, exactly."""
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_of(value: float) -> Bits:
    """The nearest float32's bits; beyond the largest it is an infinity."""
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def signed(bits: Bits) -> int:
    """A 32-bit pattern as two's complement."""
    bits &= 0xFFFFFFFF
    return bits - (bits >> 31 << 32)


def unsigned(value: int) -> Bits:
    return value & 0xFFFFFFFF


def random_bits(count: int, seed: int) -> tuple[Bits, ...]:
    return tuple(int(x) for x in np.random.default_rng(seed).integers(0, 2**32, count))


def with_random(edges: Sequence[Bits], arity: int, count: int = 200) -> list[tuple[Bits, ...]]:
    """Every combination of the edges, then rows of random patterns."""
    columns = [random_bits(count, seed) for seed in range(arity)]
    return [*itertools.product(edges, repeat=arity), *zip(*columns, strict=True)]


def sources(row: Instruction) -> list[Scalar]:
    return [s.scalar for s in row.operands if s.role is Role.SOURCE]


def results(row: Instruction) -> list[Scalar]:
    return [s.scalar for s in row.operands if s.role is Role.DESTINATION]


def evaluate_bits(name: str, rows: Iterable[tuple[Bits, ...]]) -> list[tuple[Bits, ...]]:
    """A row evaluated on 32-bit patterns, which are read and returned by the row's types."""
    row = BY_NAME[name]
    columns = [
        np.array(column, np.uint32).view(dtype_of(scalar))
        for column, scalar in zip(zip(*rows, strict=True), sources(row), strict=True)
    ]
    return [*zip(*(patterns(lanes) for lanes in evaluate(row, columns)), strict=True)]


def patterns(lanes: Lanes) -> list[Bits]:
    assert lanes.dtype.itemsize == 4
    return lanes.view(np.uint32).tolist()


def call(row: Instruction, columns: Sequence[Any]) -> Any:
    """The result of `evaluate`, without NumPy's warnings of divisions by zero and the like."""
    function: Any = row.evaluate
    assert function is not None, f"{row.name} has no `evaluate` in its row in translate/isa"
    with np.errstate(all="ignore"):
        return function(*columns)


def evaluate(row: Instruction, columns: Sequence[Any]) -> tuple[Lanes, ...]:
    """The results of `evaluate`, one for each destination, each of the destination's type."""
    found = call(row, columns)
    found = found if isinstance(found, tuple) else (found,)
    assert [lanes.dtype for lanes in found] == [dtype_of(scalar) for scalar in results(row)]
    return found


def check_bits(name: str, expected: Expected, rows: Sequence[tuple[Bits, ...]]) -> None:
    """Compare with a function of Python integers that returns one pattern or a tuple of them."""
    for row, found in zip(rows, evaluate_bits(name, rows), strict=True):
        wanted = expected(*row)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        assert found == wanted, f"{name}{tuple(map(hex, row))}: {[*map(hex, found)]}"
