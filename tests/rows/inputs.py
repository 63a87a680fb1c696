"""The inputs of rows: every combination of edge values, and random lanes."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from checks import lanes
from translate.isa.instruction import Instruction, Kind, Scalar

from .alu import sources_of

FLOATS = (*lanes.FLOAT_BITS, *lanes.DENORMAL_BITS)
FEW_FLOATS = (
    0x00000000, 0x80000000, 0x3F800000, 0xBFC00000, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF,
    0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001, 0x807FFFFF,
)  # fmt: skip
_ANGLES = (math.pi, -math.pi, math.pi / 2, 3.1, 3.2, 100.0, -100 * math.pi, 314.0, 1e4, 1e8)
_EXPONENTS = (-150.0, -127.0, -126.5, -126.0, -125.5, 127.0, 127.99, 128.0, 129.0, 1000.0, -1e9)
_HALVES = (0x1, 0x3FF, 0x400, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0xFFFF, 0x8000, 0x8001, 0x83FF,
           0xFC00, 0xABCD3C00)  # fmt: skip
_NEAR_HALVES = tuple(
    bits + step
    for bits in (0x33000000, 0x33800000, 0x38800000, 0x387FC000, 0x477FE000, 0x47800000, 0x3F800000)
    for step in (-1, 0, 1, 0xFFF, 0x1000, 0x1001, 0x1FFF)
)
_INTEGERS_TO_ROUND = (
    0x01000001, 0x01000003, 0x7FFFFFBF, 0x7FFFFFC0, 0xFFFFFF7F, 0xFFFFFF80, 0xFEFFFFFF,
)  # fmt: skip
_COUNT = 200


def columns(row: Instruction) -> list[list[lanes.Bits]]:
    """The lanes of each source."""
    if row.kind is Kind.DOT:
        return _vectors()
    scalars = sources_of(row)
    edges = [_edges(row, scalar, len(scalars)) for scalar in scalars]
    rows = [*itertools.product(*edges), *_random(scalars)]
    return [list(column) for column in zip(*rows, strict=True)]


def _edges(row: Instruction, scalar: Scalar, arity: int) -> Sequence[lanes.Bits]:
    if scalar is Scalar.BITS:
        return FLOATS if arity == 1 else FEW_FLOATS
    if scalar is Scalar.F32:
        if arity == 1:
            return (*FLOATS, *map(lanes.bits_of, (*_ANGLES, *_EXPONENTS)), *_NEAR_HALVES)
        return FLOATS if arity == 2 else FEW_FLOATS
    if arity == 1:
        return (*lanes.INTEGERS, *_HALVES, *_INTEGERS_TO_ROUND)
    return lanes.INTEGERS if arity == 2 else lanes.FEW_INTEGERS


def _random(scalars: Sequence[Scalar]) -> list[tuple[lanes.Bits, ...]]:
    """Random patterns, then numbers of moderate size for floats."""
    rows = lanes.with_random((), len(scalars), _COUNT)
    floats = [scalar is Scalar.F32 for scalar in scalars]
    if not any(floats):
        return rows
    rng = np.random.default_rng(len(scalars))
    scale = 10.0 ** rng.uniform(-6, 6, (_COUNT, len(scalars)))
    ordinary = (rng.normal(size=scale.shape) * scale).astype(np.float32).view(np.uint32)
    return [*rows, *map(tuple, ordinary.tolist())]


def _vectors() -> list[list[lanes.Bits]]:
    """Two columns of vectors: of moderate numbers, some with one edge value."""
    rng = np.random.default_rng(5)
    values = (rng.normal(size=(2, 256, 4)) * 10.0 ** rng.uniform(-3, 3, (2, 256, 4))).astype("<f4")
    found = values.view(np.uint32)
    edges = np.array(FLOATS, np.uint32)
    for thread in range(160):
        side, lane = rng.integers(2), rng.integers(4)
        found[side, thread, lane] = edges[thread % len(edges)]
        if thread % 3 == 0:
            found[1 - side, thread, rng.integers(4)] = rng.choice(edges)
    return [column.reshape(-1).tolist() for column in found]


def few(row: Instruction, count: int = 24) -> list[tuple[lanes.Bits, ...]]:
    """Some of the combinations, for instructions with only immediates."""
    rows = [*zip(*columns(row), strict=True)]
    chosen = np.random.default_rng(9).permutation(len(rows))[:count]
    return [rows[i] for i in chosen]
