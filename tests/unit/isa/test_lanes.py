"""Each row gives one result for its operands, wherever they stand among how many lanes.

NumPy computes most lanes of an array together and those that are left one by one, which may choose
differently between zeros and between NaNs.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from checks.lanes import DENORMAL_BITS, FLOAT_BITS, INTEGERS, Lanes, call, dtype_of
from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role, Scalar

COMPUTING = [row for row in ROWS if row.evaluate and row.kind in (Kind.ALU, Kind.DOT, Kind.MOVE)]
SIZES = (*range(1, 18), 33, 100)
MOST = 40  # of the combinations of a row's operands, which are drawn
FLOATS = (*FLOAT_BITS, *DENORMAL_BITS, 0x7F80000B, 0xFFA00001)  # and signalling NaNs
DOUBLES = (
    0, 1 << 63, 1, 0x3FF0000000000000, 0xBFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000,
    0x7FF8000000000000, 0x7FF0000000000001, 0xFFF4000000000001, 0x7FEFFFFFFFFFFFFF,
)  # fmt: skip


def edges(scalar: Scalar) -> Lanes:
    if scalar is Scalar.F64:
        return np.array(DOUBLES, np.uint64).view(np.float64)
    patterns = FLOATS if scalar is Scalar.F32 else sorted({*INTEGERS, *FLOATS})
    return np.array(patterns, np.uint32).view(dtype_of(scalar))


def operands_of(row: Instruction) -> Iterator[list[list[Lanes]]]:
    """Drawn operands: for each source its numbers, one or those of a vector, as a single lane."""
    sources = [spec for spec in row.operands if spec.role is Role.SOURCE]
    counts = [spec.slots or 1 if row.kind is Kind.DOT else 1 for spec in sources]
    every = [edges(s.scalar) for s, n in zip(sources, counts, strict=True) for _ in range(n)]
    rng = np.random.default_rng(5)
    for _ in range(MOST):
        drawn = iter([column[[rng.integers(len(column))]] for column in every])
        yield [[*itertools.islice(drawn, count)] for count in counts]


def results(row: Instruction, operands: list[list[Lanes]], size: int) -> list[list[Any]]:
    """The row's results in so many lanes; one NaN stands for all."""
    repeated = [[np.repeat(one, size) for one in source] for source in operands]
    dot = row.kind is Kind.DOT
    found = call(row, [tuple(source) if dot else source[0] for source in repeated])
    found = found if isinstance(found, tuple) else (found,)
    return [
        ["NaN" if one != one else f"{one!r}" for one in np.asarray(lanes).tolist()]
        for lanes in found
    ]


@pytest.mark.parametrize("row", COMPUTING, ids=lambda row: row.name)
def test_all_lanes_have_the_same_result(row: Instruction) -> None:
    for operands in operands_of(row):
        alone = [lanes[0] for lanes in results(row, operands, 1)]
        for size in SIZES:
            wanted = [[one] * size for one in alone]
            assert results(row, operands, size) == wanted, (row.name, operands, size)
