"""The benchmarks of dispatches and transfers run, and their contestants agree; no time counts."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

import vkrunner

from . import dispatch, transfer
from .peers import contestants, inputs, recorded


def test_contestants_compute_the_same(device: vkrunner.Device) -> None:
    missing: list[str] = []
    x, y = inputs(1000)
    with ExitStack() as stack:
        found = contestants(1000, device.name, stack, missing)
        assert len(found) + len(missing) == 4
        for contestant in found:
            contestant.dispatch()
            np.testing.assert_array_equal(contestant.arrays(), 2 * x + y, contestant.name)


def test_the_raw_loop_does_what_the_recording_does(device: vkrunner.Device) -> None:
    with recorded(64, device.name, 3) as (own, raw):
        own()
        raw()


def test_tables(device: vkrunner.Device) -> None:
    rows, _missing = dispatch.measure(0.01, device.name)
    assert len(rows) == 5
    assert all(time > 0 for figures in rows.values() for time in figures.values())
    assert dispatch.table(dispatch.TITLE, rows).count("\n") == 5
    moved = transfer.measure(1e-5, device.name)
    assert list(moved) == ["4 KiB"]
