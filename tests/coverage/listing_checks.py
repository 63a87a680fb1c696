"""Dispatches of the hand-written listings, and checks of their results."""

from typing import Any

import numpy as np

from .flow_checks import Check


def conditional_value(x: int) -> tuple[int, int]:
    """A thread's value after its calls, and the number of places that it writes the value to."""
    total = 0
    for i in range(1, 9):
        if x >> i & 1:
            continue
        total += i
        if i == 5:
            total += 100
    if x & 1:
        total += 1000
        if not x & 16:
            total += 2000 + 30000
    else:
        total += 30000
    return total, 1 if x & 2 else 2 if not x & 4 else 3


def check_conditional_flow(device: Any, kernel: Any) -> None:
    inputs = np.random.default_rng(61).integers(0, 512, 32, dtype=np.uint32)
    inputs[:8] = np.arange(8)
    result = kernel.dispatch(4, t0=inputs, u0=np.zeros(96, np.uint32))
    expected = np.zeros((3, 32), np.uint32)
    for thread, x in enumerate(inputs):
        value, places = conditional_value(int(x))
        expected[:places, thread] = value
    np.testing.assert_array_equal(result.u0.reshape(3, 32), expected)


def check_barriers(device: Any, kernel: Any) -> None:
    """Three times, every thread takes its neighbour's cell and adds 1."""
    inputs = np.random.default_rng(62).integers(0, 1 << 32, 128, dtype=np.uint32)
    result = kernel.dispatch(2, t0=inputs, u0=np.zeros(256, np.uint32))
    groups = inputs.reshape(2, 64)
    cells = np.roll(groups, -3, axis=1) + np.uint32(3)
    np.testing.assert_array_equal(result.u0[:128], inputs)
    np.testing.assert_array_equal(result.u0[128:], (groups[:, ::-1] + cells).ravel())


CHECKS: dict[str, Check] = {
    "conditional_flow": check_conditional_flow,
    "barriers": check_barriers,
}
