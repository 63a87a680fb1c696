"""Double rows, compared with Python's floats and the C library. FS §22.14-22.17, §3.1.4."""

import ctypes
import ctypes.util
import itertools
import math
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from checks import lanes
from translate.errors import row_of
from translate.isa import BY_NAME, double
from translate.isa.instruction import Instruction, Scalar

from .test_evaluate_float import NAN, divided, larger, smaller

RANDOM = tuple(
    np.random.default_rng(11).integers(0, 2**64, 400, np.uint64).view(np.float64).tolist()
)


def pattern(value: float) -> int:
    """A double's bits, with one pattern for all NaNs."""
    return struct.unpack("<Q", struct.pack("<d", NAN if math.isnan(value) else value))[0]


def to_integer(low: int, high: int) -> lanes.Expected:
    def convert(a: float) -> int:
        if math.isnan(a):
            return 0
        return high if a >= high else low if a <= low else math.trunc(a)

    return convert


_LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))
_LIBRARY.fma.restype = ctypes.c_double
_LIBRARY.fma.argtypes = [ctypes.c_double] * 3


def fused(a: float, b: float, c: float) -> float:
    """The C library's fma, which rounds once."""
    return _LIBRARY.fma(a, b, c)


EXPECTED: dict[str, lanes.Expected] = {
    "dadd": lambda a, b: a + b,
    "dmul": lambda a, b: a * b,
    "dmax": larger,
    "dmin": smaller,
    "deq": lambda a, b: 0xFFFFFFFF if a == b else 0,
    "dge": lambda a, b: 0xFFFFFFFF if a >= b else 0,
    "dlt": lambda a, b: 0xFFFFFFFF if a < b else 0,
    "dne": lambda a, b: 0xFFFFFFFF if a != b else 0,
    "dmov": lambda a: a,
    "dmovc": lambda condition, a, b: a if condition else b,
    "dtof": lambda a: struct.unpack("<f", struct.pack("<I", lanes.bits_of(a)))[0],
    "ftod": lambda a: a,
    "ddiv": divided,
    "dfma": fused,
    "drcp": lambda a: divided(1.0, a),
    "dtoi": to_integer(-(2**31), 2**31 - 1),
    "dtou": to_integer(0, 2**32 - 1),
    "itod": float,
    "utod": float,
}


def column(scalar: Scalar, few: bool) -> list[Any]:
    if scalar is Scalar.F64:
        return [*lanes.DOUBLES[::2]] if few else [*lanes.DOUBLES, *RANDOM]
    if scalar is Scalar.F32:
        return [
            float(np.float32(value))
            for value in lanes.DOUBLES
            if abs(value) < 1e38 or value != value
        ]
    return [lanes.signed(bits) if scalar is Scalar.I32 else bits for bits in lanes.INTEGERS]


def rows_of(row: Instruction) -> list[tuple[Any, ...]]:
    scalars = lanes.sources(row)
    if len(scalars) == 1:
        return [(value,) for value in column(scalars[0], few=False)]
    edges = itertools.product(*(column(scalar, few=len(scalars) > 2) for scalar in scalars))
    if len(scalars) > 2:
        return [*edges]
    return [
        *itertools.product(lanes.DOUBLES, lanes.DOUBLES),
        *zip(RANDOM, RANDOM[::-1], strict=True),
    ]


def same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, int):
        return int(found) == wanted
    return pattern(float(found)) == pattern(float(wanted))


def lanes_of(row: Instruction, rows: Sequence[tuple[Any, ...]]) -> list[np.ndarray[Any, Any]]:
    columns = zip(*rows, strict=True)
    return [
        np.array(values, lanes.dtype_of(scalar))
        for values, scalar in zip(columns, lanes.sources(row), strict=True)
    ]


@pytest.mark.parametrize("row", double.DOUBLES, ids=lambda row: row.name)
def test_double_rows(row: Instruction) -> None:
    rows = rows_of(row)
    (found,) = lanes.evaluate(row, lanes_of(row, rows))
    assert found.dtype == lanes.dtype_of(lanes.results(row)[0])
    expected = row_of(EXPECTED, row.name, "EXPECTED of tests/unit/isa/test_evaluate_double.py")
    for values, result in zip(rows, found.tolist(), strict=True):
        wanted = expected(*values)
        assert same(result, wanted), (row.name, values, result)


@pytest.mark.parametrize(
    ("a", "b", "c", "result"),
    [
        (1 + 2.0**-52, 1 - 2.0**-52, -1.0, -(2.0**-104)),  # rounded twice it is 0
        (-1e-300, 1e-300, 0.0, -0.0),
        (5e-324, 0.5, 5e-324, 1e-323),
        (1.0, -1.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0, -0.0),
    ],
)
def test_fused_multiply_add(a: float, b: float, c: float, result: float) -> None:
    row = BY_NAME["dfma"]
    (found,) = lanes.evaluate(row, lanes_of(row, [(a, b, c)]))
    assert pattern(float(found[0])) == pattern(result)
