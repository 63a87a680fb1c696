"""The random numbers, equal bit for bit to NumPy's own generator, and the count of points."""

from typing import Any

import numpy as np
import pytest

from shaders.examples import random_numbers as example
from vkrunner import ReferenceDevice


@pytest.mark.parametrize("key", [(0, 0), (2024, 0), (2**64 - 1, 2**63 + 12345)])
def test_numbers(device: Any, key: tuple[int, int]) -> None:
    """The sequence is the same, however many numbers a call asks for; the last is in a block."""
    philox = example.Philox(device, key)
    drawn = np.concatenate([philox.raw(count) for count in (4, 1000, 256, 7)])
    generator = np.random.Philox(key=np.array(key, np.uint64))
    np.testing.assert_array_equal(drawn, generator.random_raw(1267))


@pytest.mark.parametrize("points", [1, 1024, 1025, 5000, 1_000_000])
def test_count(device: Any, points: int) -> None:
    """NumPy makes a float of 24 bits of each 32, as the kernel does."""
    if isinstance(device, ReferenceDevice):
        points = min(points, 20_000)
    generator = np.random.Generator(np.random.Philox(key=[9, 0]))
    at = generator.random((points, 2), np.float32)
    inside = np.cumsum((at * at).sum(axis=1) < 1)
    ends = np.minimum(np.arange(1, -(-points // 1024) + 1) * 1024, points)
    drawn, pi = example.estimate_pi(device, points, (9, 0))
    np.testing.assert_array_equal(drawn, ends)
    np.testing.assert_array_equal(pi, 4 * inside[ends - 1] / ends)
