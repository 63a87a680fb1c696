"""The kernels for matrices, sums, pictures and sounds, compared with NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

SHADERS = Path(__file__).parents[2] / "shaders"


@pytest.fixture(params=["dxbc", "asm"])
def form(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (16, 16, 16), (17, 3, 40), (5, 100, 0), (130, 70, 90)]
)
def test_matrix_multiply(device: Any, form: str, shape: tuple[int, int, int]) -> None:
    """Small integers, whose products and sums are exact in any order."""
    rows, columns, inner = shape
    rng = np.random.default_rng(inner)
    a = rng.integers(-50, 50, (rows, inner)).astype(np.float32)
    b = rng.integers(-50, 50, (inner, columns)).astype(np.float32)
    groups = (-(-columns // 16), -(-rows // 16), 1)
    result = device.kernel(SHADERS / f"matrix_multiply.{form}").dispatch(
        groups,
        a=a,
        b=b,
        c=np.full((rows, columns), np.nan, np.float32),
        Params={"rows": rows, "columns": columns, "inner": inner},
    )
    np.testing.assert_array_equal(result.c, a @ b)


@pytest.mark.parametrize("count", [1, 2047, 2048, 2049, 100_000])
def test_reduce(device: Any, form: str, count: int) -> None:
    values = np.random.default_rng(count).integers(-(2**31), 2**31, count, np.int32)
    starts = np.arange(0, count, 2048)
    kernel = device.kernel(SHADERS / f"reduce.{form}")
    summaries = np.zeros(len(starts), kernel.interface["summaries"].dtype)
    result = kernel.dispatch(
        len(starts), values=values, summaries=summaries, Params={"count": count}
    ).summaries
    np.testing.assert_array_equal(result["least"], np.minimum.reduceat(values, starts))
    np.testing.assert_array_equal(result["greatest"], np.maximum.reduceat(values, starts))
    np.testing.assert_array_equal(result["sum"], np.add.reduceat(values, starts, dtype=np.int32))


@pytest.mark.parametrize("shape", [(1, 1), (9, 17), (64, 8)])
def test_invert_image(device: Any, form: str, shape: tuple[int, int]) -> None:
    """Threads beyond the edges write nothing."""
    rgba = np.random.default_rng(1).integers(0, 256, (*shape, 4), np.uint8)
    image = device.texture(rgba.view(np.uint32)[..., 0])
    groups = (-(-shape[1] // 8), -(-shape[0] // 8), 1)
    device.kernel(SHADERS / f"invert_image.{form}").dispatch(groups, image=image)
    inverted = image.read().view(np.uint8).reshape(rgba.shape)
    np.testing.assert_array_equal(inverted[..., :3], 255 - rgba[..., :3])
    np.testing.assert_array_equal(inverted[..., 3], rgba[..., 3])


@pytest.mark.parametrize("lengths", [[100], [100, 3, 1, 64], [7] * 20])
def test_mix_tracks(device: Any, form: str, lengths: list[int]) -> None:
    """All bound tracks, of different lengths; samples are halves, whose sums are exact."""
    rng = np.random.default_rng(len(lengths))
    tracks = [(rng.integers(-9, 9, length) / 2).astype(np.float32) for length in lengths]
    gains = rng.integers(-4, 4, len(tracks)).astype(np.float32)
    expected = np.zeros(100, np.float32)
    for track, gain in zip(tracks, gains, strict=True):
        expected[: len(track)] += track * gain
    result = device.kernel(SHADERS / f"mix_tracks.{form}").dispatch(
        2, tracks=tracks, gains=gains, mixed=np.full(100, np.nan, np.float32)
    )
    np.testing.assert_array_equal(result.mixed, expected)
