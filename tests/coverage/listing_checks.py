"""Dispatches of the hand-written listings, and checks of their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Check = Callable[[Any, Any], None]
EDGES = np.uint32(
    [0, 1, 2, 31, 32, 33, 255, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000,
     0x80000001, 0xFFFFFFFE, 0xFFFFFFFF]
)  # fmt: skip
DWORDS = 36  # that a thread of wide_integers writes


def check_wide_integers(device: Any, kernel: Any) -> None:
    rng = np.random.default_rng(60)
    x = rng.choice(np.append(EDGES, rng.integers(0, 1 << 32, 16, dtype=np.uint32)), (16, 4))
    x[:, 3] = np.maximum(x[:, 3], 1)
    result = kernel.dispatch(2, t0=x.ravel(), u0=np.zeros(16 * DWORDS, np.uint32))
    rows = result.u0.reshape(16, DWORDS // 4, 4)
    for thread, numbers in enumerate(x):
        expected = np.array(wide_rows([int(n) for n in numbers]), np.uint32).reshape(-1, 4)
        np.testing.assert_array_equal(rows[thread], expected)


def wide_rows(n: list[int]) -> list[int]:
    """36 dwords from a thread's four, in unbounded integers."""
    a, b, c, d = n
    mask = 0xFFFFFFFF
    signed = [x - (x >> 31 << 32) for x in n]
    back = n[::-1]
    highs = [a * c >> 32, b * d >> 32]
    lows = [a * c & mask, b * d & mask]
    products = [x * y for x, y in zip(signed, signed[::-1], strict=True)]
    return [
        *highs, *lows,
        a * d & mask, b * c & mask, a * d >> 32, b * c >> 32,
        *(n[i] * n[(i + 1) % 4] + n[(i + 2) % 4] & mask for i in range(4)),
        *(x + y & mask for x, y in zip(n, back, strict=True)),
        *(x + y >> 32 for x, y in zip(n, back, strict=True)),
        *(x - y & mask for x, y in zip(n, back, strict=True)),
        *(int(x < y) for x, y in zip(n, back, strict=True)),
        *(p >> 32 & mask for p in products),
        a + c & mask, b + d & mask, a % c if c else mask, b % d,
    ]  # fmt: skip


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
    "wide_integers": check_wide_integers,
    "conditional_flow": check_conditional_flow,
    "barriers": check_barriers,
}
