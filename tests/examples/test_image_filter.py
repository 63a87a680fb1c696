"""The blur and the edges, compared with sums over shifted arrays in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from shaders.examples import image_filter as example

Array = np.ndarray[Any, Any]

# np.pad's names of a sampler's address modes
PADDING = {"clamp": "edge", "mirror": "symmetric", "wrap": "wrap", "border": "constant"}
SHAPES = [(1, 1), (5, 17), (3, 130), (140, 2)]


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


@pytest.mark.parametrize(("address", "padding"), PADDING.items())
@pytest.mark.parametrize("shape", SHAPES)
def test_blur_beyond_edges(device: Any, shape: tuple[int, int], address: str, padding: str) -> None:
    image = picture(*shape)
    texture = device.texture(image, format="r8g8b8a8_unorm")
    actual = example.blur(device, texture, 2.0, address).read()
    np.testing.assert_allclose(actual, blurred(image, 2.0, padding), rtol=0, atol=2e-6)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0])
def test_blur_of_any_width(device: Any, sigma: float) -> None:
    image = picture(20, 33)
    texture = device.texture(image, format="r8g8b8a8_unorm")
    actual = example.blur(device, texture, sigma).read()
    np.testing.assert_allclose(actual, blurred(image, sigma, "edge"), rtol=0, atol=2e-6)


@pytest.mark.parametrize("shape", [(1, 1), (16, 16), (5, 17), (33, 20)])
def test_edges(device: Any, shape: tuple[int, int]) -> None:
    image = picture(*shape)
    wide = np.pad(image[..., :3] / 255 @ (0.299, 0.587, 0.114), 1, mode="edge")
    smooth = wide[:-2] + 2 * wide[1:-1] + wide[2:]
    across = wide[:, :-2] + 2 * wide[:, 1:-1] + wide[:, 2:]
    expected = np.hypot(smooth[:, 2:] - smooth[:, :-2], across[2:] - across[:-2])
    actual = example.edges(device, device.texture(image, format="r8g8b8a8_unorm"))
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=5e-6)
