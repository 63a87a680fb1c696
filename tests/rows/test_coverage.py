"""Every row of the instruction table is run on a device by a test here, or is named as missing."""

from __future__ import annotations

import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction

from .test_alu import ALU_ROWS
from .test_cases import CASES
from .test_doubles import DOUBLE_ROWS

# The runner has no textures yet, so nothing can be bound that these would read. Whoever adds them
# empties this list; `ld` and `ld_s` are covered by typed buffers alone until then.
PENDING_TEXTURES = frozenset(
    (
        *("ldms", "ldms_s", "resinfo", "sampleinfo", "samplepos", "dcl_sampler"),
        *("sample_c_lz", "sample_c_lz_s", "sample_l", "sample_l_s", "sample_d", "sample_d_cl_s"),
        *("gather4", "gather4_s", "gather4_c", "gather4_c_s"),
        *("gather4_po", "gather4_po_s", "gather4_po_c", "gather4_po_c_s"),
    )
)


@pytest.fixture(scope="module")
def covered() -> set[str]:
    """Rows of which a listing is run: ALU rows by construction, of others the parser tells."""
    names = {row.name for row in (*ALU_ROWS, *DOUBLE_ROWS)}
    return names | {row.name for case in CASES for row in case.rows()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row_runs_on_a_device(row: Instruction, covered: set[str]) -> None:
    assert (row.name in covered) != (row.name in PENDING_TEXTURES)


def test_what_is_pending_exists() -> None:
    assert {row.name for row in ROWS} >= PENDING_TEXTURES
