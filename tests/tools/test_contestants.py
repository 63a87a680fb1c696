"""The tools that dispatches are compared with do the same work."""

from contextlib import ExitStack

import numpy as np

import vkrunner
from tools.benchmarks.contestants import contestants, inputs, recorded


def test_contestants_compute_the_same(device: vkrunner.Device) -> None:
    missing: list[str] = []
    x, y = inputs(1000)
    with ExitStack() as stack:
        found = contestants(1000, device.name, stack, missing)
        assert len(found) + len(missing) == 4
        for contestant in found:
            contestant.dispatch()
            np.testing.assert_array_equal(contestant.arrays(), 2 * x + y, contestant.name)


def test_the_raw_loop_and_the_recording_do_the_same(device: vkrunner.Device) -> None:
    with recorded(64, device.name, 3) as (own, raw):
        own()
        raw()
