"""Enlarged pictures, compared with sums over texels in double precision, and with Pillow's."""

from typing import Any

import numpy as np
import pytest
from PIL import Image

from shaders.examples import upscale as example
from shaders.examples.harbour import harbour

Array = np.ndarray[Any, Any]

RNG = np.random.default_rng(3)
STORED = 0.61  # of a step: 0.6 for D3D's stores (FS §3.2.3.6), and the shader's own rounding


def lanczos_of_three(distance: float) -> float:
    x = np.pi * distance
    if abs(distance) >= 3:
        return 0
    return 1 if x == 0 else np.sin(x) * np.sin(x / 3) * 3 / x**2


def enlarged(picture: Array, width: int, height: int, keep_range: bool) -> Array:
    """Pixel by pixel, f64[height, width, 4]."""
    out = np.zeros((height, width, 4))
    for y, x in np.ndindex(height, width):
        at = [(y + 0.5) * len(picture) / height - 0.5, (x + 0.5) * picture.shape[1] / width - 0.5]
        places = [np.floor(v).astype(int) + np.arange(-2, 4) for v in at]
        weights = [
            np.array([lanczos_of_three(1.15 * (p - v)) for p in line])
            for line, v in zip(places, at, strict=True)
        ]
        rows, columns = (n.clip(0, end - 1) for n, end in zip(places, picture.shape, strict=False))
        texels = picture[rows][:, columns].astype(np.float64)
        weight = np.outer(weights[0], weights[1])
        out[y, x] = np.tensordot(weight / weight.sum(), texels, 2)
        if keep_range:
            around = texels[2:4, 2:4].reshape(4, 4)
            out[y, x] = out[y, x].clip(around.min(axis=0), around.max(axis=0))
    return out.clip(0, 255)


@pytest.mark.parametrize("keep_range", [True, False])
@pytest.mark.parametrize(
    ("before", "after"), [((5, 7), (16, 33)), ((1, 1), (3, 2)), ((9, 8), (9, 8))]
)
def test_every_pixel(
    device: Any, before: tuple[int, int], after: tuple[int, int], keep_range: bool
) -> None:
    picture = RNG.integers(0, 256, (*before, 4), np.uint8)
    size = after[::-1]
    actual = example.enlarge(device, picture, size, keep_range=keep_range)
    expected = enlarged(picture, *size, keep_range)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=STORED)


def test_bicubic_is_pillows(device: Any) -> None:
    """Away from the edges: Pillow has no texels beyond them."""
    picture = RNG.integers(0, 256, (20, 24, 4), np.uint8)
    size = (60, 50)
    actual = example.enlarge(device, picture, size, example.bicubic, keep_range=False)
    channels = [Image.fromarray(picture[..., n].astype(np.float32)) for n in range(4)]
    theirs = [np.asarray(part.resize(size, Image.Resampling.BICUBIC)) for part in channels]
    inside = np.s_[8:-8, 8:-8]
    expected = np.stack(theirs, axis=-1)[inside].clip(0, 255)
    np.testing.assert_allclose(actual[inside], expected, rtol=0, atol=STORED)


def test_better_where_there_are_edges(device: Any) -> None:
    better_than(device, harbour(128), "sharp", "bicubic", "Lanczos")


def test_worse_than_lanczos_on_rings(device: Any) -> None:
    """The crests lie between texels: the limit that prevents halos cuts them off."""
    y, x = np.mgrid[0:96, 0:96]
    rings = np.round(127 + 120 * np.cos((x**2 + y**2) / 200)).astype(np.uint8)
    picture = np.stack([rings, rings, rings, np.full_like(rings, 255)], axis=-1)
    better_than(device, picture, "Lanczos", "sharp", "bicubic")


def better_than(device: Any, picture: Array, best: str, *others: str) -> None:
    enlarged = example.compare(device, picture, 2)
    for measure in (example.psnr, example.ssim):
        found = {name: measure(picture, image) for name, image in enlarged.items()}
        assert found.keys() == {best, *others}
        assert all(found[best] > found[other] for other in others)


def test_ssim_of_one_window() -> None:
    """By its definition, with 121 weights, on greys, which are their own luminance."""
    a, b = RNG.integers(0, 256, (2, 11, 11))
    y, x = np.mgrid[-5:6, -5:6]
    weights = np.exp(-(x**2 + y**2) / (2 * 1.5**2))
    p = weights / weights.sum()
    mean_a, mean_b = (p * a).sum(), (p * b).sum()
    variances = (p * (a - mean_a) ** 2).sum() + (p * (b - mean_b) ** 2).sum()
    covariance = (p * (a - mean_a) * (b - mean_b)).sum()
    expected = (2 * mean_a * mean_b + 2.55**2) * (2 * covariance + 7.65**2)
    expected /= (mean_a**2 + mean_b**2 + 2.55**2) * (variances + 7.65**2)
    pictures = (np.repeat(grey[..., None], 3, axis=2) for grey in (a, b))
    assert example.ssim(*pictures) == pytest.approx(expected, rel=1e-9)


def test_ssim_of_equal_pictures() -> None:
    picture = harbour(32)
    assert example.ssim(picture, picture) == pytest.approx(1)
