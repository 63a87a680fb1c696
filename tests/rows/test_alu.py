"""Every 32-bit ALU, dot product and move row on the device, in all its variants."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.fused import fused
from translate import SpirvModule
from translate.isa import BY_NAME, ROWS
from translate.isa.instruction import Instruction, Kind, Scalar
from translate.isa.registers import Modifier

from . import alu
from .inputs import columns, few
from .values import oracle

ALU_ROWS = [
    row
    for row in ROWS
    if row.kind in (Kind.ALU, Kind.DOT, Kind.MOVE)
    and not any(spec.scalar is Scalar.F64 for spec in row.operands)
]
SHOWN = 8  # faults that a failing test lists


PRECISE, REFACTORED = (), ("refactoringAllowed",)
SUMS = [r for r in ALU_ROWS if r.name in ("mad", "dp2", "dp3", "dp4")]
FLOAT_ROWS = [r for r in ALU_ROWS if any(s.scalar is Scalar.F32 for s in r.operands)]


def check(
    device: Any,
    row: Instruction,
    variants: list[alu.Variant],
    lanes: list[list[int]],
    flags: tuple[str, ...],
    then: Callable[[SpirvModule], SpirvModule] | None = None,
    **options: Any,
) -> None:
    """Run all variants of a row in one dispatch; `then` changes the module."""
    arguments = alu.alu_arguments(lanes, len(variants) * row.destinations)
    source: Any = alu.alu_listing(row, variants, flags)
    if then is not None:
        chosen = vkrunner.options_for(device, source)
        source = then(translate.to_spirv(translate.load(source), chosen))
    kernel = device.kernel(source, **options)
    groups = -(-len(arguments["t0"]) // alu.THREADS)
    found = kernel.dispatch((groups, 1, 1), **arguments).u0
    kernel.close()
    to_nearest = "rounding_mode_rte_32" in device.info.float_controls
    wrong = alu.faults(row, oracle(row, to_nearest), variants, arguments, found)
    assert not wrong, "\n".join([f"{len(wrong)} faults", *wrong[:SHOWN]])


@pytest.mark.parametrize("row", ALU_ROWS, ids=lambda row: row.name)
def test_alu_row(device: Any, row: Instruction) -> None:
    check(device, row, alu.variants_of(row), columns(row), PRECISE)


@pytest.mark.parametrize("row", FLOAT_ROWS, ids=lambda row: row.name)
def test_refactoring_keeps_to_the_rules(device: Any, row: Instruction) -> None:
    """A driver that may contract and reorder must still compute one instruction correctly."""
    check(device, row, alu.variants_of(row), columns(row), REFACTORED)


@pytest.mark.parametrize("row", SUMS, ids=lambda row: row.name)
def test_fused_sums_keep_to_the_rules(device: Any, row: Instruction) -> None:
    """GPUs round a product and a sum once, unless they are precise."""
    if not device.features.float64:
        pytest.skip(f"{device.name} has no doubles to emulate that")
    check(device, row, alu.variants_of(row), columns(row), REFACTORED, fused)


@pytest.mark.parametrize("row", ALU_ROWS, ids=lambda row: row.name)
def test_immediates_give_the_same_results(device: Any, row: Instruction) -> None:
    """Instructions on immediates, which the translator folds where it can."""
    lanes = columns(row) if row.kind is Kind.DOT else zip(*few(row), strict=True)
    values = np.array([[*column][:24] for column in lanes], np.uint32).reshape(-1, 6, 4)
    count = len(alu.sources_of(row))
    variants = [
        alu.Variant(
            "immediate",
            "xyzw",
            ("xyzw",) * count,
            (Modifier.NONE,) * count,
            literals=tuple(tuple(source[i].tolist()) for source in values),
        )
        for i in range(6)
    ]
    check(device, row, variants, [[0, 0, 0, 0]] * count, PRECISE)


@pytest.mark.parametrize("optimize", [True, False])
@pytest.mark.parametrize("name", ["add", "mul", "mad", "div", "dp2"])
def test_moved_constants(device: Any, name: str, optimize: bool) -> None:
    """Drivers simplify sums and products wrongly that have zeros, also moved ones."""
    row = BY_NAME[name]
    variants = [*alu.with_literals(alu.sources_of(row), moved=True)]
    check(device, row, variants, columns(row), PRECISE, optimize=optimize)


@pytest.mark.parametrize("name", ["add", "mul", "mad", "min", "lt"])
def test_without_float_controls(device: Any, name: str) -> None:
    """Denormals are flushed by comparisons, as `translate.to_spirv` does by default."""
    row = BY_NAME[name]
    check(device, row, alu.variants_of(row), columns(row), PRECISE, float_controls=frozenset())
