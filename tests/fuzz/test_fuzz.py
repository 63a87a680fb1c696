"""Random programs on a device and on the machine here; and the tools around them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import translate
from translate.ir.verify import verify
from translate.lower import lower_program
from translate.passes.bounds import guard_bounds
from translate.passes.dead import remove_dead
from translate.passes.promote import promote_registers
from translate.passes.retype import retype_merges
from translate.passes.simplify import simplify

from .compare import arguments, difference, on_machine
from .generate import ATOMICS, COMPARISONS, FLOAT_ROWS, INTEGER_ROWS, generate
from .minimise import minimise
from .tree import Arm, Construct, Lines, Tree

SEEDS = range(24)
LANES = 32


@pytest.mark.parametrize("seed", SEEDS)
def test_device_and_machine_agree(device: Any, seed: int) -> None:
    text = generate(seed, 14).text()
    problem = difference(device, text, seed)
    assert not problem, f"{problem}\n{text}"


@pytest.mark.parametrize("seed", range(100, 106))
def test_every_pass_leaves_a_sound_module(seed: int) -> None:
    module = lower_program(translate.load(generate(seed, 30).text()))
    verify(module)
    for run in (promote_registers, remove_dead, retype_merges):
        run(module)
        verify(module, promoted=True)
    for run in (guard_bounds, simplify, remove_dead):
        run(module)
        verify(module, promoted=True, guarded=True)


def test_the_same_seed_gives_the_same_program() -> None:
    assert generate(5).text() == generate(5).text()
    assert generate(5).text() != generate(6).text()


def test_the_table_feeds_the_generator() -> None:
    assert len(INTEGER_ROWS) > 30
    assert len(ATOMICS) == 19
    assert {row.name for row in COMPARISONS} == {"lt", "ge", "eq", "ne"}
    assert {"add", "mad", "dp4", "round_z"} <= {row.name for row in FLOAT_ROWS}


def _tree(*lines: str) -> Tree:
    tree = generate(0, 0)
    dump = "store_structured u2.xyzw, vThreadID.x, l(0), r0.xyzw"
    return replace(tree, body=(Lines(lines),), tail=(dump,), subroutines=())


def _results(*lines: str) -> list[list[int]]:
    """What every thread leaves in r0 by the machine alone."""
    found = on_machine(_tree(*lines).text(), arguments(0))["u2"].reshape(LANES, -1)
    return found[:, :4].tolist()


def test_machine_diverges_and_meets_again() -> None:
    lines = ("ult r1.x, vThreadID.x, l(3)", "if_nz r1.x", "mov r0.x, l(5)", "else",
             "mov r0.x, vThreadID.x", "endif", "iadd r0.x, r0.x, l(1)")  # fmt: skip
    assert [r[0] for r in _results(*lines)] == [6, 6, 6, *range(4, LANES + 1)]


def test_machine_leaves_loops_lane_by_lane() -> None:
    """Each lane adds up 0 to its own number, odd numbers skipped by `continue`."""
    lines = ("mov r1.x, l(0)", "loop", "ult r2.x, vThreadID.x, r1.x", "breakc_nz r2.x",
             "mov r1.y, r1.x", "iadd r1.x, r1.x, l(1)", "and r2.x, r1.y, l(1)", "continuec_nz r2.x",
             "iadd r0.x, r0.x, r1.y", "endloop")  # fmt: skip
    expected = [sum(n for n in range(lane + 1) if n % 2 == 0) for lane in range(LANES)]
    assert [r[0] for r in _results(*lines)] == expected


def test_machine_falls_through_cases() -> None:
    lines = ("switch vThreadID.x", "case l(1)", "iadd r0.x, r0.x, l(1)", "default",
             "iadd r0.x, r0.x, l(10)", "case l(2)", "iadd r0.x, r0.x, l(100)", "break",
             "case l(3)", "iadd r0.x, r0.x, l(1000)", "endswitch")  # fmt: skip
    assert [r[0] for r in _results(*lines)[:5]] == [110, 111, 100, 1000, 110]


def test_machine_reads_all_before_it_writes() -> None:
    lines = ("mov r0.xyzw, l(1, 2, 3, 4)", "iadd r0.xy, r0.yxxx, r0.zwww")
    assert _results(*lines)[0] == [2 + 3, 1 + 4, 3, 4]


def test_machine_bounds() -> None:
    """A structure's first byte past the end, an index whose product wraps, and what is there."""
    words = arguments(0)["t1"].tolist()
    lines = ("ld_structured r0.xyzw, l(6), l(4), t1.xyzw",)
    assert _results(*lines)[0] == [words[19], words[20], 0, 0]
    lines = ("ld_structured r0.xyzw, l(0x40000000), l(0), t1.xyzw",)
    assert _results(*lines)[0] == [0, 0, 0, 0]
    lines = ("ld_raw r0.xyzw, l(0xfffffffc), t0.xyzw",)
    assert _results(*lines)[0] == [0, 0, 0, 0]
    lines = ("ld_indexable(buffer)(uint,uint,uint,uint) r0.xyzw, l(9,9,9,9), t2.xyzw",)
    assert _results(*lines)[0] == [0, 0, 0, 1]


def test_machine_calls() -> None:
    tree = _tree("callc_z vThreadID.x, label0", "iadd r0.x, r0.x, l(1)")
    body = (Lines(("mov r0.x, l(7)", "ret", "mov r0.x, l(8)")),)
    found = on_machine(replace(tree, subroutines=(body,)).text(), arguments(0))["u2"]
    assert found.reshape(LANES, -1)[:3, 0].tolist() == [8, 1, 1]


def test_minimise_keeps_what_fails() -> None:
    inner = Construct(("if_nz r0.x",), (Arm((), (Lines(("nop",)), Lines(("ret",)))),), "endif")
    tree = replace(_tree(), body=(Lines(("nop",)), inner, Lines(("nop",))), tail=())
    smallest = minimise(tree, lambda candidate: "ret" in candidate.text().split("\n")[-4:-2])
    assert smallest.body == (Lines(("ret",)),)


def test_inputs_hold_edges() -> None:
    given = arguments(3)
    assert given["u0"].dtype == np.uint32
    assert all(np.isin([0x80000000, 0xFFFFFFFF], given[name]).all() for name in ("t0", "u0"))
