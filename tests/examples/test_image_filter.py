"""The blur and the edges, compared with sums over shifted arrays in double precision."""

import itertools
from typing import Any

import numpy as np
import pytest

from shaders.examples import image_filter as example

from .edges import edges_of

Array = np.ndarray[Any, Any]

# np.pad's names of a sampler's address modes
PADDING = {"clamp": "edge", "mirror": "symmetric", "wrap": "wrap", "border": "constant"}


def picture(height: int, width: int) -> Array:
    return np.random.default_rng(height).integers(0, 256, (height, width, 4), np.uint8)


def blurred(image: Array, sigma: float, padding: str) -> Array:
    """A Gaussian within three deviations, at most 15 texels, along both axes."""
    radius = min(int(np.ceil(3 * sigma)), 15)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()
    out = image / 255
    for axis in (0, 1):
        margin = [(radius, radius) if axis == n else (0, 0) for n in range(3)]
        wide = np.pad(out, margin, mode=padding)  # type: ignore[call-overload]
        length = out.shape[axis]
        parts = [np.take(wide, range(n, n + length), axis) for n in range(2 * radius + 1)]
        out = np.tensordot(weights, np.array(parts), 1)
    return out


@pytest.mark.parametrize(
    ("shape", "sigma", "address"),
    [
        *itertools.product([(1, 1), (5, 17), (3, 130), (140, 2)], [2.0], PADDING),
        *itertools.product([(20, 33)], [0.3, 1.0, 5.0], ["clamp"]),
    ],
)
def test_blur(device: Any, shape: tuple[int, int], sigma: float, address: str) -> None:
    image = picture(*shape)
    texture = device.texture(image, format="r8g8b8a8_unorm")
    actual = example.blur(device, texture, sigma, address).read()
    expected = blurred(image, sigma, PADDING[address])
    np.testing.assert_allclose(actual, expected, rtol=0, atol=2e-6)


@pytest.mark.parametrize("shape", [(1, 1), (16, 16), (5, 17), (33, 20)])
def test_edges(device: Any, shape: tuple[int, int]) -> None:
    image = picture(*shape)
    actual = example.edges(device, device.texture(image, format="r8g8b8a8_unorm"))
    np.testing.assert_allclose(actual, edges_of(image), rtol=1e-5, atol=5e-6)
