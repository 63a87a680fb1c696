"""Every 32-bit ALU, dot product and move row on the device, in all its variants."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from translate.isa import ROWS
from translate.isa.instruction import Instruction, Kind, Scalar

from .alu import THREADS, Variant, alu_arguments, alu_listing, faults, sources_of, variants_of
from .inputs import columns, few
from .values import oracle

ALU_ROWS = [
    row
    for row in ROWS
    if row.kind in (Kind.ALU, Kind.DOT, Kind.MOVE)
    and not any(spec.scalar is Scalar.F64 for spec in row.operands)
]
SHOWN = 8  # faults that a failing test lists


def check(device: Any, row: Instruction, variants: list[Variant], lanes: list[list[int]]) -> None:
    """Run all variants of a row in one dispatch."""
    arguments = alu_arguments(lanes, len(variants) * row.destinations)
    kernel = device.kernel(alu_listing(row, variants))
    groups = -(-len(arguments["t0"]) // THREADS)
    found = kernel.dispatch((groups, 1, 1), **arguments).u0
    kernel.close()
    wrong = faults(row, oracle(row), variants, arguments, found)
    assert not wrong, "\n".join([f"{len(wrong)} faults", *wrong[:SHOWN]])


@pytest.mark.parametrize("row", ALU_ROWS, ids=lambda row: row.name)
def test_alu_row(device: Any, row: Instruction) -> None:
    check(device, row, variants_of(row), columns(row))


@pytest.mark.parametrize("row", ALU_ROWS, ids=lambda row: row.name)
def test_immediates_give_the_same(device: Any, row: Instruction) -> None:
    """Instructions whose result is known when translating, as far as that goes."""
    lanes = columns(row) if row.kind is Kind.DOT else zip(*few(row), strict=True)
    values = np.array([[*column][:24] for column in lanes], np.uint32).reshape(-1, 6, 4)
    count = len(sources_of(row))
    variants = [
        Variant("immediate", "xyzw", ("xyzw",) * count, (0,) * count,  # type: ignore[arg-type]
                literals=tuple(tuple(source[i].tolist()) for source in values))
        for i in range(6)
    ]  # fmt: skip
    check(device, row, variants, [[0, 0, 0, 0]] * count)
