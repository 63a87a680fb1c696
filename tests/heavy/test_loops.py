"""Loops and early returns, of which drivers bear few in a row: `tests/passes/enclose_bodies`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .listings import listing, loops_in_a_row, returns_in_a_row


@pytest.mark.parametrize("count", [10, 40])
def test_loops_end_correctly(device: Any, count: int) -> None:
    kernel = device.kernel(loops_in_a_row(count))
    for start in (0, 1, 50):
        expected = start
        for number in range(count):
            expected += 2 * max(0, -(-(3 * number + 3 - expected) // 2))
        after = kernel.dispatch((1, 1, 1), u0=np.array([start], np.uint32))["u0"]
        np.testing.assert_array_equal(after, [expected])


@pytest.mark.parametrize("count", [10, 100, 150])
def test_threads_return_where_they_should(device: Any, count: int) -> None:
    """Lavapipe of Mesa 22.3 went on after the 80th place; that of 25.0 crashed."""
    kernel = device.kernel(returns_in_a_row(count))
    for place in (0, 5, 70, 84, 99, 149, 1000):
        after = kernel.dispatch((1, 1, 1), u0=np.array([place, 0], np.uint32))["u0"]
        np.testing.assert_array_equal(after, [place, min(place, count)])


def test_subroutines_return_where_they_should(device: Any) -> None:
    once = "ieq r0.y, r0.x, l({})\nretc_nz r0.y\nmov r0.z, l({})\n"
    body = "".join(once.format(number, number + 1) for number in range(100))
    entry = "ld_raw r0.x, l(0), u0.xxxx\nmov r0.z, l(0)\ncall label0\nstore_raw u0.x, l(4), r0.z\n"
    kernel = device.kernel(listing(entry, after=f"label label0\n{body}ret\n"))
    for place in (0, 70, 90, 1000):
        after = kernel.dispatch((1, 1, 1), u0=np.array([place, 0], np.uint32))["u0"]
        np.testing.assert_array_equal(after, [place, min(place, 100)])
