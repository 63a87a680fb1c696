"""Every row that works on doubles, in all its variants. Source: FS §22.14-22.17."""

from typing import Any

import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Scalar

from ..conftest import needs
from .alu import THREADS
from .doubles import double_arguments, double_listing, elements, faults, variants_of

DOUBLE_ROWS = [row for row in ROWS if any(s.scalar is Scalar.F64 for s in row.operands)]
SHOWN = 8


@pytest.mark.parametrize("row", DOUBLE_ROWS, ids=lambda row: row.name)
def test_double_row(device: Any, row: Instruction) -> None:
    variants, rows = variants_of(row), elements(row)
    arguments = double_arguments(row, rows, len(variants))
    groups = -(-len(arguments["t0"]) // THREADS)
    with needs(device, "float64"):
        kernel = device.kernel(double_listing(row, variants))
        found = kernel.dispatch((groups, 1, 1), **arguments).u0
        kernel.close()
        flushing = "double_denormals" in device.faults
        wrong = faults(row, variants, rows, found, flushing=flushing)
        assert not wrong, "\n".join([f"{len(wrong)} faults", *wrong[:SHOWN]])
