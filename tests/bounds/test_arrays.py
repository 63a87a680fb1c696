"""Indexed registers: cb#, whole or part of a buffer, the immediate constant buffer, and x#."""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.case import Array
from ..rows.memory_cases import declaration
from .accesses import given_elements, program, returned
from .cells import VECTOR_COUNT, elements
from .places import Placed, Placement, each_placement

CELLS = elements(VECTOR_COUNT)


def vectors() -> Array:
    """u32[VECTOR_COUNT, 4], none of them 0."""
    rng = np.random.default_rng(VECTOR_COUNT)
    return rng.integers(1, 2**32, (VECTOR_COUNT, 4), np.uint32)


def looked_up(offset: int, count: int = VECTOR_COUNT) -> list[list[int]]:
    """The vector of each cell's index, moved by an immediate modulo 2^32; zeros outside."""
    places = [(cell.address[0] + offset) % 2**32 for cell in CELLS]
    return [vectors()[at].tolist() if at < count else [0] * 4 for at in places]


def given() -> dict[str, Array]:
    """The tables, and the buffers for the results."""
    values = np.arange(1, 4 * len(CELLS) + 1, dtype=np.uint32).reshape(-1, 4)
    return given_elements(CELLS, values)


def run(device: Any, lines: list[str], declared: list[str], **bound: Any) -> Any:
    """One dispatch of `lines`, in a thread for each cell."""
    with closing(device.kernel(program(lines, declared, len(CELLS)))) as kernel:
        return kernel.dispatch(1, **{**given(), **bound})


def constants(device: Any, declared: int, offset: int, values: Any) -> Array:
    declaration = f"dcl_constantbuffer CB0[{declared}], dynamicIndexed"
    line = f"mov r3.xyzw, cb0[r1.x + {offset}].xyzw"
    return run(device, [line], [declaration], cb0=values).u1


@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("first", [0, 16, 48])
def test_constants_in_a_buffer(device: Any, first: int, offset: int) -> None:
    """D3D starts a view at any multiple of 16 vectors (CSSetConstantBuffers1), and nowhere else."""
    placed = Placed(device, Placement("view", first), vectors(), 16)
    found = constants(device, VECTOR_COUNT, offset, placed.argument)
    returned(CELLS, found, looked_up(offset))
    placed.check(vectors())


@pytest.mark.parametrize("offset", [0, 2])
@pytest.mark.parametrize("bound", [VECTOR_COUNT, 2, None])
def test_constants_of_which_less_is_bound(device: Any, bound: int | None, offset: int) -> None:
    """The bound size counts, also where the declared one is larger (FS §7.5)."""
    values = None if bound is None else vectors()[:bound]
    found = constants(device, VECTOR_COUNT + 3, offset, values)
    returned(CELLS, found, looked_up(offset, bound or 0))


@pytest.mark.parametrize("offset", [0, 2])
def test_immediate_constants(device: Any, offset: int) -> None:
    rows = ", ".join("{{ {}, {}, {}, {} }}".format(*map(hex, row)) for row in vectors().tolist())
    declaration = f"dcl_immediateConstantBuffer {{ {rows} }}"
    result = run(device, [f"mov r3.xyzw, icb[r1.x + {offset}].xyzw"], [declaration])
    returned(CELLS, result.u1, looked_up(offset))


def _filled() -> list[str]:
    """x1 holds the vectors; x0 and x2, declared next to it, hold them plus one."""
    lines: list[str] = []
    for at, vector in enumerate(vectors().tolist()):
        lines.append(f"mov x1[{at}].xyzw, l({', '.join(map(hex, vector))})")
        lines += [f"iadd x{i}[{at}].xyzw, x1[{at}].xyzw, l(1, 1, 1, 1)" for i in (0, 2)]
    return lines


_DECLARED = [f"dcl_indexableTemp x{i}[{VECTOR_COUNT}], 4" for i in range(3)]


@pytest.mark.parametrize("offset", [0, 2])
def test_indexable_temps_read(device: Any, offset: int) -> None:
    lines = [*_filled(), f"mov r3.xyzw, x1[r1.x + {offset}].xyzw"]
    returned(CELLS, run(device, lines, _DECLARED).u1, looked_up(offset))


@pytest.mark.parametrize("register", ["x0", "x1", "x2"])
@pytest.mark.parametrize("offset", [0, 2])
def test_indexable_temps_written(device: Any, register: str, offset: int) -> None:
    """Each thread writes to x1 once and reads it; the contents of all three go to u2."""
    lines = [*_filled(), f"mov x1[r1.x + {offset}].xz, r2.xyzw"]
    lines.append(f"mov r3.xyzw, x1[r1.x + {offset}].xyzw")
    for at in range(VECTOR_COUNT):
        lines.append(f"mov r4.xyzw, {register}[{at}].xyzw")
        lines.append(f"store_structured u2.xyzw, vThreadID.x, l({16 * at}), r4.xyzw")
    declared = [*_DECLARED, f"dcl_uav_structured u2, {16 * VECTOR_COUNT}"]
    held = np.zeros((len(CELLS), 4 * VECTOR_COUNT), np.uint32)
    result = run(device, lines, declared, u2=held)
    expected = np.tile(vectors() + np.uint32(register != "x1"), (len(CELLS), 1, 1))
    read, values = np.array(looked_up(offset), np.uint32), given()["t2"]
    for thread, cell in enumerate(CELLS):
        at = (cell.address[0] + offset) % 2**32
        if at < VECTOR_COUNT:
            read[thread, [0, 2]] = values[thread, [0, 2]]
            if register == "x1":
                expected[thread, at] = read[thread]
    returned(CELLS, result.u1, read.tolist())
    np.testing.assert_array_equal(result.u2.reshape(expected.shape), expected)


# Structures made of whole vectors, at constant byte offsets: loaded and stored as vectors

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
