"""Random programs of wild accesses: results compared with a NumPy model, with and without reports.

`SM5VK_RANDOM_SEED` and `SM5VK_RANDOM_PROGRAMS` choose other programs than the usual ones.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from ..rows.case import Array
from .contents import draining, filling, packed
from .places import Placed, Placement
from .random_program import (
    TABLE_STRIDE,
    Reported,
    Step,
    perform,
    random_steps,
    reported,
    write_listing,
)
from .spaces import GROUPS, THREADS, Form, Space, random_spaces

PROGRAMS = int(os.environ.get("SM5VK_RANDOM_PROGRAMS", "8"))
FIRST = int(os.environ.get("SM5VK_RANDOM_SEED", "1"))
STEPS = 40  # of THREADS accesses each
REPORTED_STEPS = 14  # fewer accesses than a report has room for
COMPILED_WITHIN_S = 600  # lavapipe compiles in the first dispatch, and takes long for such programs


class Run:
    """A random program with the buffers of one dispatch of it."""

    def __init__(self, device: Any, seed: int, steps: int):
        rng = np.random.default_rng(seed)
        self.spaces = random_spaces(rng)
        self.steps = random_steps(rng, self.spaces, steps)
        start, end = filling(self.spaces), draining(self.spaces)
        self.listing = write_listing(self.spaces, self.steps, start, end)
        self.views = {s.register: _placed(device, rng, s) for s in self.spaces if _has_view(s)}
        self.arguments: dict[str, Any] = {r: placed.argument for r, placed in self.views.items()}
        self.arguments["cb0"] = next(s for s in self.spaces if s.register == "cb0").dwords
        self.arguments["t10"] = _table(self.steps)
        self.arguments["t11"] = packed(self.spaces)
        self.arguments["u6"] = np.zeros_like(self.arguments["t11"])
        self.arguments["u7"] = np.zeros((steps * THREADS, 4), np.uint32)

    def dispatch(self, device: Any, guards: str) -> Any:
        with closing(device.kernel(self.listing, guards=guards)) as kernel:
            return kernel.dispatch(GROUPS, timeout=COMPILED_WITHIN_S, **self.arguments)

    def check(self, result: Any) -> Counter[Reported]:
        """Compare with the model; returns the expected reports."""
        expected: Counter[Reported] = Counter()
        found = result.u7.reshape(-1, THREADS, 4)
        for number, step in enumerate(self.steps):
            expected += reported(step)
            np.testing.assert_array_equal(found[number], perform(step), f"step {number}: {step}")
        np.testing.assert_array_equal(result.u6, packed(self.spaces), "g# and x#")
        for space in self.spaces:
            if _has_view(space):
                self.views[space.register].check(space.dwords)
        return expected


def _has_view(space: Space) -> bool:
    return space.register[0] in "tu"


def _placed(device: Any, rng: np.random.Generator, space: Space) -> Placed:
    """Somewhere in its buffer; an empty view may be a null view."""
    how = {"format": "r32_uint"} if space.form is Form.TYPED else {"stride": space.stride}
    null = space.count == 0 and rng.random() < 0.5
    placement = Placement(space.register, int(rng.integers(70)), null=bool(null))
    return Placed(device, placement, space.dwords, space.stride, **how)


def _table(steps: Sequence[Step]) -> Array:
    """t10: u32[steps * threads, 8]."""
    table = np.zeros((len(steps), THREADS, TABLE_STRIDE // 4), np.uint32)
    for rows, step in zip(table, steps, strict=True):
        rows[:, 0], rows[:, 1], rows[:, 2] = step.index, step.offset, step.active
        rows[:, 4:] = step.values
    return table.reshape(-1, TABLE_STRIDE // 4)


LONG = pytest.mark.slow(reason="a long random run")
SEEDS = [
    pytest.param(FIRST + number, marks=[] if number < 2 else LONG) for number in range(PROGRAMS)
]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_accesses(device: Any, seed: int) -> None:
    print("seed", seed)
    run = Run(device, seed, STEPS)
    result = run.dispatch(device, "d3d")
    assert run.check(result).total() > THREADS
    assert list(result.violations) == []


@pytest.mark.parametrize("seed", SEEDS[: -(-PROGRAMS // 2)])
def test_random_accesses_are_reported(device: Any, seed: int) -> None:
    print("seed", seed)
    plain = Run(device, seed, REPORTED_STEPS)
    plain.check(plain.dispatch(device, "d3d"))
    run = Run(device, seed, REPORTED_STEPS)
    result = run.dispatch(device, "report")
    expected = run.check(result)
    found = Counter(
        (v.instruction, v.thread[0], v.register, v.index, v.byte_offset, v.cause, v.defined)
        for v in result.violations
    )
    assert found == expected, f"{found - expected} {expected - found}"
    assert result.violations.total == expected.total() > THREADS
