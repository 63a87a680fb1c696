"""Structures made of whole vectors, at constant byte offsets: loaded and stored as vectors."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.case import Array
from ..rows.memory_cases import declaration
from .accesses import program, returned
from .cells import VECTOR_COUNT
from .places import each_placement
from .test_arrays import CELLS, given

STRIDE = 32
SHAPE = (STRIDE, VECTOR_COUNT)
STRUCTURES = np.arange(1, VECTOR_COUNT * STRIDE // 4 + 1, dtype=np.uint32).reshape(VECTOR_COUNT, -1)
offsets = pytest.mark.parametrize("offset", [0, 16])


def at_cells(vectors: Array) -> list[list[int]]:
    """The vector of each cell's index, zeros outside."""
    places = [cell.address[0] for cell in CELLS]
    return [vectors[at].tolist() if at < len(vectors) else [0] * 4 for at in places]


@offsets
@pytest.mark.parametrize("register", ["t0", "u0"])
def test_loads(device: Any, register: str, offset: int) -> None:
    line = f"ld_structured r3.xyzw, r1.x, l({offset}), {register}.xyzw"
    source = program([line], [declaration(register, SHAPE)], len(CELLS))
    for placed, result in each_placement(
        device, source, register, STRUCTURES, given(), stride=STRIDE
    ):
        count = 0 if placed.placement.shows_nothing else VECTOR_COUNT
        returned(CELLS, result.u1, at_cells(STRUCTURES[:count, offset // 4 : offset // 4 + 4]))


@offsets
def test_stores(device: Any, offset: int) -> None:
    line = f"store_structured u0.xyzw, r1.x, l({offset}), r2.xyzw"
    source = program([line], [declaration("u0", SHAPE)], len(CELLS))
    expected = STRUCTURES.copy()
    for cell, value in zip(CELLS, given()["t2"], strict=True):
        if cell.address[0] < VECTOR_COUNT:
            expected[cell.address[0], offset // 4 : offset // 4 + 4] = value
    for placed, _ in each_placement(device, source, "u0", STRUCTURES, given(), stride=STRIDE):
        placed.check(expected)


@offsets
def test_group_shared(device: Any, offset: int) -> None:
    """Each thread loads what it stored: 0 outside, where the store was dropped."""
    lines = [f"store_structured g0.xyzw, r1.x, l({offset}), r2.xyzw"]
    lines.append(f"ld_structured r3.xyzw, r1.x, l({offset}), g0.xyzw")
    with closing(device.kernel(program(lines, [declaration("g0", SHAPE)], len(CELLS)))) as kernel:
        result = kernel.dispatch(1, **given())
    returned(CELLS, result.u1, at_cells(given()["t2"][:VECTOR_COUNT]))
