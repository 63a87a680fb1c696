"""Every instruction that accesses a buffer is in a table of these tests."""

from __future__ import annotations

import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role

from ..rows.memory_cases import SHAPES
from .accesses import accesses
from .test_sizes import COUNTERS
from .test_typed import LOADS, STORES

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
