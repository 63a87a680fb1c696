"""Raw and structured memory: every access at every cell.

Views lie anywhere in their buffer, shared memory between two other memories of the same group.
"""

from contextlib import closing
from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role

from ..listings import literal
from ..rows.case import Array
from ..rows.memory_cases import SHAPES, Shape, declaration, draining, filling, memory
from ..rows.memory_model import Memory
from .accesses import Access, accesses, performed, program, returned, table_of, tabled
from .cells import cells
from .places import PLACEMENTS, Placed
from .test_sizes import COUNTERS
from .test_typed import LOADS, STORES

TABLE = [row for register in ("t0", "u0") for shape in SHAPES for row in tabled(register, shape)]


@pytest.mark.parametrize(("register", "shape", "access"), TABLE)
def test_every_cell_of_a_view(device: Any, register: str, shape: Shape, access: Access) -> None:
    """Dispatches of one kernel, compared with the model."""
    given = cells(shape, access.dwords)
    listing = program(access.lines(register, shape), [declaration(register, shape)], len(given))
    stride = shape[0] if shape else 4
    contents = memory(shape).array()
    with closing(device.kernel(listing)) as kernel:
        for placement in PLACEMENTS:
            placed = Placed(device, placement, contents, stride, stride=stride)
            model = Memory([], memory(shape).stride) if placement.shows_nothing else memory(shape)
            addresses, values = table_of(given, model)
            results = np.full((len(given), 4), 0xEE, np.uint32)
            arguments = {"t1": addresses, "t2": values, "u1": results, register: placed.argument}
            result = kernel.dispatch(1, **arguments)
            returned(given, result.u1, performed(access, given, model, values))
            placed.check(model.array())


SHARED_SHAPES: tuple[Shape, ...] = (None, (12, 5), (16, 4))
_NEIGHBOURS = ("g0", "g2")
_CANARIES = 8  # dwords of each
SHARED_TABLE = [row for shape in SHARED_SHAPES for row in tabled("g1", shape)]


def _canaries(register: str) -> Array:
    return np.arange(_CANARIES, dtype=np.uint32) * 0x01010101 + int(register[1:]) + 7


def _fill(register: str) -> list[str]:
    rows = enumerate(_canaries(register).reshape(-1, 4).tolist())
    return [f"store_raw {register}.xyzw, l({16 * n}), {literal(row)}" for n, row in rows]


def _drain(register: str, target: str) -> list[str]:
    lines: list[str] = []
    for at in range(0, 4 * _CANARIES, 16):
        lines.append(f"ld_raw r7.xyzw, l({at}), {register}.xyzw")
        lines.append(f"store_raw {target}.xyzw, l({at}), r7.xyzw")
    return lines


@pytest.mark.parametrize(("register", "shape", "access"), SHARED_TABLE)
def test_every_cell_of_shared(device: Any, register: str, shape: Shape, access: Access) -> None:
    given, model = cells(shape, access.dwords), memory(shape)
    before = [*_fill("g0"), *filling(register, shape), *_fill("g2")]
    after = [*draining(register, shape), *_drain("g0", "u2"), *_drain("g2", "u3")]
    declared = [
        *(f"dcl_uav_raw {register}" for register in ("u0", "u2", "u3")),
        *(f"dcl_tgsm_raw {register}, {4 * _CANARIES}" for register in _NEIGHBOURS),
        declaration(register, shape),
    ]
    lines = access.lines(register, shape)
    kernel = device.kernel(program(lines, declared, len(given), before, after))
    addresses, values = table_of(given, model)
    left = {f"u{i}": np.zeros(_CANARIES, np.uint32) for i in (2, 3)}
    left["u0"] = np.zeros(len(model.dwords), np.uint32)
    results = np.full((len(given), 4), 0xEE, np.uint32)
    result = kernel.dispatch(1, t1=addresses, t2=values, u1=results, **left)
    returned(given, result.u1, performed(access, given, model, values))
    np.testing.assert_array_equal(result.u0, model.array(), register)
    np.testing.assert_array_equal(result.u2, _canaries("g0"), "g0")
    np.testing.assert_array_equal(result.u3, _canaries("g2"), "g2")
    kernel.close()


_MEMORY = (Kind.LOAD, Kind.STORE, Kind.ATOMIC, Kind.COUNTER)


def _of_textures_alone(row: Instruction) -> bool:
    """A load that names a sample: `tests/textures` tests those."""
    return row.kind is Kind.LOAD and any(spec.role is Role.SOURCE for spec in row.operands)


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.kind in _MEMORY and not _of_textures_alone(row)],
    ids=lambda row: row.name,
)
def test_row_is_in_a_table(row: Instruction) -> None:
    untyped = {a.row for r in ("t0", "u0") for shape in SHAPES for a in accesses(r, shape)}
    assert row in untyped | {*LOADS, *STORES, *COUNTERS}, "tests/bounds/accesses.py leaves it out"
