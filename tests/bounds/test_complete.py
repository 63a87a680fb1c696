"""Every instruction that accesses a buffer is in a table of these tests."""

from __future__ import annotations

import numpy as np
import pytest

import translate
from translate.ir.memory import MemoryKind
from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Role
from translate.lower import lower_program

from ..complete import check_complete
from ..rows.memory_cases import SHAPES
from .accesses import accesses
from .contents import draining, filling
from .random_program import random_steps, write_listing
from .spaces import random_spaces
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


def test_random_programs_access_every_kind_of_memory() -> None:
    spaces = random_spaces(rng := np.random.default_rng(1))
    steps = random_steps(rng, spaces, 1)
    program = translate.load(write_listing(spaces, steps, filling(spaces), draining(spaces)))
    kinds = {resource.kind for resource in lower_program(program).resources}
    place = "random_spaces of tests/bounds/spaces.py"
    check_complete(kinds, {*MemoryKind} - {MemoryKind.SAMPLER}, place)
