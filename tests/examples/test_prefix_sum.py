"""Prefix sums, compared with NumPy's, and a histogram that is as even as possible."""

from typing import Any

import numpy as np
import pytest

from shaders.examples import prefix_sum as example
from vkrunner import ReferenceDevice

Array = np.ndarray[Any, Any]


@pytest.mark.parametrize("size", [1, 255, 256, 257, 2000, 1_000_000])
def test_scan(device: Any, size: int) -> None:
    """The greatest size has three levels."""
    if isinstance(device, ReferenceDevice):
        size = min(size, 256 * 256 + 1)
    values = np.random.default_rng(size).integers(0, 2**32, size, np.uint32)
    sums = example.Scanner(device).scan(device.buffer(values))
    np.testing.assert_array_equal(sums.read(), np.cumsum(values, dtype=np.uint32))


def equalised(image: Array) -> Array:
    counts = np.bincount(image.ravel(), minlength=256)
    darkest = counts[image.min()]
    below, total = np.cumsum(counts)[image] - darkest, image.size - darkest
    return np.floor(255 * below / total + 0.5) if total else image


@pytest.mark.parametrize("shape", [(1, 1), (16, 16), (5, 30), (33, 17)])
@pytest.mark.parametrize("levels", [(0, 256), (90, 101), (7, 8)])
def test_equalise(device: Any, shape: tuple[int, int], levels: tuple[int, int]) -> None:
    image = np.random.default_rng(shape[1]).integers(*levels, shape, np.uint8)
    actual = example.Equaliser(device).equalise(image)
    np.testing.assert_array_equal(actual, equalised(image))


def test_the_picture(device: Any) -> None:
    image = example.dunes(90, 60)
    after = example.Equaliser(device).equalise(image)
    np.testing.assert_array_equal(after, equalised(image))
    assert (after.min(), after.max()) == (0, 255)
