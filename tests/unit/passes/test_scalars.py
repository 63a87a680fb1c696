"""Arrays that only constants index become registers; an icb's dwords become numbers."""

from __future__ import annotations

import pytest

import translate
from translate.ir import ops
from translate.ir.memory import MemoryKind
from translate.ir.row import Stage
from translate.ir.values import Block, Module
from translate.ir.verify import verify
from translate.lower import lower_program
from translate.passes.layout import choose_layout
from translate.passes.promote import promote_registers
from translate.passes.scalars import scalarise_arrays
from translate.passes.simplify import simplify

from ..ir.building import code, text

_HEAD = """cs_5_0
dcl_immediateConstantBuffer { { 10, 11, 12, 13}, { 20, 21, 22, 23} }
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 2
dcl_indexableTemp x0[3], 4
dcl_indexableTemp x1[2], 2
dcl_thread_group 1, 1, 1
"""


def scalarised(*lines: str, reporting: bool = False) -> Module:
    program = translate.load(_HEAD + "\n".join((*lines, "ret", "")))
    module = lower_program(program, report=reporting)
    scalarise_arrays(module)
    verify(module)
    return module


def arrays(module: Module) -> set[str]:
    """The arrays that are still accessed."""
    loads = (v for v in module.walk() if v.op in (ops.LOAD, ops.STORE))
    return {v.data.resource.register for v in loads} - {"u0"}


def test_constant_indices() -> None:
    """x1 is behind x0, and what is read before it is written is 0."""
    module = scalarised(
        "mov x0[2].xy, vThreadID.xxxx",
        "mov x1[1].y, l(7)",
        "mov r0.x, x0[2].y",
        "mov r0.y, x1[1].y",
        "mov r0.z, x1[0].y",
        "mov r0.w, icb[1].z",
        "store_raw u0.xyzw, l(0), r0.xyzw",
    )
    assert arrays(module) == set()
    promote_registers(module)
    verify(module, Stage.PROMOTED)
    simplify(module)
    assert code(module) == text("""
        %0: u32 = input (vThreadID.x)
        store 0, %0, 7, 0, 22 (u0.0)
        return
        """)


@pytest.mark.parametrize("line", ["mov r0.x, x0[vThreadID.x].x", "mov x0[vThreadID.x].x, l(1)"])
def test_one_computed_index_keeps_an_array(line: str) -> None:
    module = scalarised("mov x0[0].x, l(1)", "mov x1[0].x, l(1)", line)
    assert arrays(module) == {"x0"}


def test_an_index_outside_keeps_an_array() -> None:
    assert arrays(scalarised("mov r0.x, x0[3].x", "mov r0.x, icb[2].x")) == {"x0", "icb"}


def test_reports_tell_of_accesses() -> None:
    module = scalarised("mov r0.x, x0[vThreadID.x].x", "mov x0[1].x, l(1)", reporting=True)
    assert "x0" in arrays(module)


def test_subroutines_share_arrays() -> None:
    module = scalarised(
        "mov x0[1].x, l(1)", "call label0", "ret", "label label0", "mov x0[1].y, r0.x"
    )
    assert arrays(module) == {"x0"}


def test_components_that_nobody_touches_are_left_out() -> None:
    module = scalarised("mov r0.x, icb[vThreadID.x].y", "mov x0[vThreadID.x].x, r0.x")
    choose_layout(module, "d3d")
    kept = {r.kind: r for r in module.resources if r.register in ("icb", "x0")}
    assert kept[MemoryKind.INDEXABLE_TEMP].components == 1
    assert kept[MemoryKind.IMMEDIATE_CONSTANTS].components == 2
    assert kept[MemoryKind.IMMEDIATE_CONSTANTS].contents == (10, 11, 20, 21)


def test_a_body_without_arrays_is_left_alone() -> None:
    module = scalarised("store_raw u0.x, l(0), r1.x")
    assert isinstance(module.body, Block)
    assert module.temp_count == 2
