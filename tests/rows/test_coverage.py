"""Tests here, in `coverage`, `textures` or `bounds` run every row of the table on a device."""

import pytest

import translate
from translate.isa import ROWS
from translate.isa.instruction import Instruction

from ..bounds.test_sizes import COUNTERS
from ..coverage.test_results import RUN
from ..textures.shaders import texture_rows
from .test_alu import ALU_ROWS
from .test_cases import CASES
from .test_doubles import DOUBLE_ROWS

# bounds/test_arrays.py and test_sizes.py
OF_BOUNDS = {"dcl_immediateConstantBuffer", "bufinfo", *(row.name for row in COUNTERS)}


@pytest.fixture(scope="module")
def covered() -> set[str]:
    """The rows that are run: all ALU rows, and the rows in the programs of the other tests."""
    names = OF_BOUNDS | {row.name for row in (*ALU_ROWS, *DOUBLE_ROWS, *texture_rows())}
    names |= {s.row.name for build in RUN for s in translate.load(build.container).statements}
    return names | {row.name for case in CASES for row in case.rows()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_runs_on_a_device(row: Instruction, covered: set[str]) -> None:
    assert row.name in covered, "no listing of tests/rows/*_cases.py or tests/textures has it"
