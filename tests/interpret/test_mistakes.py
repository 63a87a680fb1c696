"""The check of passes can fail: it catches mistakes of many kinds after the pass with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from translate.ir import ops
from translate.ir.values import Module
from translate.passes.pipeline import Pass

from ..ir.corpus import ROOT
from . import mistakes
from .mistakes import Mistake
from .passes import PassError, check_passes
from .subjects import of_corpus

CORPUS = Path("tests/corpus/cs_5_0")
COMPILED = Path("tests/coverage/compiled")

# The mistake, after which pass, in which shader with which options, and the problem that is found
MISTAKES: dict[str, tuple[Mistake, str, Path, str, str]] = {
    "operands": (
        mistakes.swap_operands(ops.ISUB),
        *("simplify", COMPILED / "integer_alu.cs_5_0.O3.dxbc", "d3d", "u0 has"),
    ),
    "choice": (
        mistakes.swap_operands(ops.SELECT),
        *("guard_bounds", CORPUS / "bounds.dxbc", "d3d", ""),
    ),
    "branches": (mistakes.swap_blocks, "promote_registers", CORPUS / "branches.dxbc", "d3d", ""),
    "store": (
        mistakes.drop(ops.STORE),
        *("remove_dead", CORPUS / "saxpy.dxbc", "d3d", "u0 has"),
    ),
    "guard": (
        mistakes.drop_guards,
        *("guard_bounds", CORPUS / "bounds.dxbc", "d3d", "store_element accesses element"),
    ),
    "clamp": (
        mistakes.drop_clamps,
        *("guard_bounds", CORPUS / "bounds.dxbc", "d3d", "load_element accesses element"),
    ),
    "division": (
        mistakes.shift_too_far,
        *("simplify", COMPILED / "integer_alu.cs_5_0.O3.dxbc", "d3d", ""),
    ),
    "flush": (
        mistakes.forget_flushes,
        *("flush_denormals", COMPILED / "float_alu.cs_5_0.O3.dxbc", "d3d", "u0 has"),
    ),
    "merge": (mistakes.merge_another, "promote_registers", CORPUS / "branches.dxbc", "d3d", ""),
    "component": (
        mistakes.read_another_component,
        *("retype_merges", Path("tests/constants/vectors.dxbc"), "d3d", "u0 has"),
    ),
    "barrier": (
        mistakes.drop(ops.BARRIER),
        *("simplify", CORPUS / "reduce.dxbc", "d3d", "threads race"),
    ),
    "window": (
        mistakes.forget_windows,
        *("apply_windows", CORPUS / "saxpy.dxbc", "d3d", "accesses element -"),
    ),
    "report": (
        mistakes.report_another_cause,
        *("guard_bounds", CORPUS / "bounds.dxbc", "report", "is not reported"),
    ),
    "atomic": (
        mistakes.change_atomics,
        *("guard_bounds", CORPUS / "histogram.dxbc", "d3d", "u0 has"),
    ),
    "condition": (
        mistakes.drop_a_condition,
        *("promote_registers", COMPILED / "integer_alu.cs_5_0.O3.dxbc", "d3d", "is undefined here"),
    ),
    "counter": (
        mistakes.miscount,
        *("remove_dead", CORPUS / "append_consume.dxbc", "d3d", "hidden counters"),
    ),
    "sample": (
        mistakes.sample_elsewhere,
        *("limit_sample_operands", CORPUS / "resample.dxbc", "d3d", "u0 has"),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught(name: str) -> None:
    mistake, wrong, shader, options, found = MISTAKES[name]
    done = False

    def change(module: Module, after: Pass) -> None:
        nonlocal done
        if after.name == wrong:
            done = mistake(module)

    with pytest.raises(PassError, match=f"after {wrong}: .*{found}"):
        check_passes(of_corpus(ROOT / shader, options, 0), change)
    assert done


@pytest.mark.parametrize("shader", sorted({entry[2] for entry in MISTAKES.values()}))
def test_without_a_mistake_there_is_nothing_to_catch(shader: Path) -> None:
    check_passes(of_corpus(ROOT / shader, "d3d", 0))
