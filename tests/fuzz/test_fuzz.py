"""Random programs on a device and on the reference machine; and the tools around them."""

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

from .compare import arguments, difference
from .generate import ATOMICS, COMPARISONS, FLOAT_ROWS, INTEGER_ROWS, generate
from .minimise import minimise
from .tree import Arm, Construct, Lines, Tree

SEEDS = range(24)


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


def test_minimise_keeps_what_fails() -> None:
    inner = Construct(("if_nz r0.x",), (Arm((), (Lines(("nop",)), Lines(("ret",)))),), "endif")
    tree = replace(_tree(), body=(Lines(("nop",)), inner, Lines(("nop",))), tail=())
    smallest = minimise(tree, lambda candidate: "ret" in candidate.text().split("\n")[-4:-2])
    assert smallest.body == (Lines(("ret",)),)


def test_inputs_hold_edges() -> None:
    given = arguments(3)
    assert given["u0"].dtype == np.uint32
    assert all(np.isin([0x80000000, 0xFFFFFFFF], given[name]).all() for name in ("t0", "u0"))
