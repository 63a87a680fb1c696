"""Samplers that return the minimum or maximum of texels, and anisotropic ones."""

import itertools
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import vkrunner

from ..both_devices import device
from ..conftest import needs
from .filtering import fetched, filtered
from .shaders import AXES, Array, level_shape
from .test_sampling import CLOSE, PLACE, SHAPES, run

__all__ = ["device"]  # the fixture
REDUCE = {"minimum": min, "maximum": max}


def random_levels(dimension: str, mips: int = 3) -> list[Array]:
    """Texels of one component from -1 to 1 in steps of 1/64: devices need no minimum of others."""
    rng = np.random.default_rng(5)
    shapes = [level_shape(dimension, SHAPES[dimension], mip) for mip in range(mips)]
    return [(rng.integers(-64, 65, shape) / 64).astype(np.float32) for shape in shapes]


def reduced(
    level: Array, at: Any, reduction: str, modes: tuple[str, ...], least: float = 0.0
) -> float:
    """Of the texels with a weight of `least` or more, and not 0, in a linear filter.

    `at` has x first.
    """
    scaled = [float(c) * n - 0.5 for c, n in zip(at, level.shape[::-1], strict=True)]
    axes = [range(int(np.floor(c)), int(np.ceil(c)) + 1) for c in scaled]
    texels: list[Any] = []
    for place in itertools.product(*axes):
        weights = (1 - abs(c - n) for c, n in zip(scaled, place, strict=True))
        if math.prod(weights) >= least:
            texels.append(fetched(level[..., None], place, modes)[0])
    return float(REDUCE[reduction](texels))


@contextmanager
def reducing(device: Any, mips: str) -> Iterator[None]:
    """A block that needs reductions; drivers with a known fault refuse those of two mips."""
    if mips == "linear" and "reduced_mips" in device.faults:
        with pytest.raises(vkrunner.FeatureError, match=r"\(reduced_mips\)"):
            yield
    else:
        with needs(device, "sampler_filter_minmax"):
            yield


@pytest.mark.parametrize("mips", ["linear", "point"])
@pytest.mark.parametrize("reduction", REDUCE)
@pytest.mark.parametrize("dimension", ["1d", "2d", "3d"])
def test_reductions(device: Any, dimension: str, reduction: str, mips: str) -> None:
    """Without the texels and mips that have a weight of 0 (D3D11_FILTER).

    Devices may leave out texels whose weight is a fraction of a step: weights have eight bits
    (FS §7.18).
    """
    axes, levels = AXES[dimension], random_levels(dimension)
    rng, modes = np.random.default_rng(axes), ("wrap", "mirror", "clamp")
    places = np.zeros(96, PLACE)
    for axis, extent in enumerate(SHAPES[dimension][::-1]):
        odd = rng.integers(-8, 4 * extent + 8, 96) * 2 + 1  # on no edge and in no middle of a texel
        places["at"][:, axis] = odd / (8 * extent)
    places["at"][:32, :axes] = rng.integers(0, 4, (32, axes)) / 4 + 1 / 8  # middles in mip 2
    places["lod"] = rng.choice([-1, 0, 0.25, 1, 1.75, 2, 9], 96)
    places["lod"][:32] = 2
    with reducing(device, mips):
        state = device.sampler(("linear", "linear", mips), modes, reduction=reduction)
        seen = run(device, dimension, levels, places, state)["level"]
        for place, found in zip(places, seen, strict=True):
            lod = float(np.clip(place["lod"], 0, 2))
            read = {int(np.floor(lod)), int(np.ceil(lod))} if mips == "linear" else {round(lod)}
            fine, coarse = (
                REDUCE[reduction](
                    reduced(levels[mip], place["at"][:axes], reduction, modes, least)
                    for mip in read
                )
                for least in (0.0, 0.0 if device.info.index < 0 else 2.0**-8)
            )
            assert min(fine, coarse) <= found[0] <= max(fine, coarse), place


@pytest.mark.parametrize("reduction", REDUCE)
def test_point_filters_have_nothing_to_reduce(device: Any, reduction: str) -> None:
    (image,) = random_levels("2d", 1)
    places = np.zeros(32, PLACE)
    places["at"][:, 0], places["at"][:, 1] = (np.arange(32) % 16 + 0.25) / 16, 0.4
    with needs(device, "sampler_filter_minmax"):
        state = device.sampler("point", reduction=reduction)
        seen = run(device, "2d", image, places, state)["level"]
        np.testing.assert_array_equal(seen[:, 0], image[3, np.arange(32) % 16])


def anisotropic(image: Array, place: Any, most: int) -> Array:
    """Vulkan's "Texel Anisotropic Filtering" of a 2D texture with one mip and four components."""
    size = np.array([image.shape[1], image.shape[0]], float)
    ddx, ddy = (place[name][:2].astype(float) for name in ("ddx", "ddy"))
    x, y = (float(np.hypot(*(size * gradient))) for gradient in (ddx, ddy))
    along, ratio = (ddx, x / y if y else most) if x >= y else (ddy, y / x if x else most)
    count = int(np.ceil(min(ratio, most)))
    total = np.zeros(4)
    for number in range(1, count + 1):
        at = place["at"][:2] + along * (number / (count + 1) - 0.5 if count > 1 else 0)
        total += filtered(image, at, "linear", ("wrap",) * 3)
    return total / count


@pytest.mark.parametrize("most", [2, 16])
def test_samples_along_the_longer_gradient(device: Any, most: int) -> None:
    """The reference machine follows Vulkan's specification; devices may choose other samples."""
    image = np.stack([random_levels("2d", 1)[0] * n for n in (1, -1, 0.5, -0.5)], axis=-1)
    rng = np.random.default_rng(most)
    places = np.zeros(64, PLACE)
    places["at"][:, :2] = rng.random((64, 2))
    places["ddx"][:, :2], places["ddy"][:, :2] = rng.normal(0, 0.2, (2, 64, 2))
    places["ddy"][::5] = 0
    with needs(device, "sampler_anisotropy"):
        state = device.sampler(address="wrap", max_anisotropy=most)
        seen = run(device, "2d", image, places, state)
        if device.info.index < 0:
            expected = [anisotropic(image, place, most) for place in places]
            np.testing.assert_allclose(seen["gradients"], expected, **CLOSE)
        else:
            assert (abs(seen["gradients"]) <= 1).all()
        plain = [filtered(image, p["at"][:2], "linear", ("wrap",) * 3) for p in places]
        np.testing.assert_allclose(seen["level"], plain, atol=0.02)  # no gradients: no anisotropy


@pytest.mark.parametrize("dimension", ["2d", "cube"])
def test_anisotropy_keeps_what_varies_across(device: Any, dimension: str) -> None:
    """Rows of a mip stay apart if the gradient is along them; devices may take fewer samples.

    On a cube NVIDIA's GPUs take other rows too, where the gradient is longer than the direction.
    """
    shapes = [(*level_shape(dimension, SHAPES[dimension], mip), 4) for mip in range(4)]
    levels = [np.full(shape, 9 * (mip > 0), np.float32) for mip, shape in enumerate(shapes)]
    levels[0][..., ::2, :, :] = 1
    places = np.zeros(32, PLACE)
    if dimension == "2d":
        places["at"][:, 0], places["at"][:, 1] = np.linspace(0.3, 0.7, 32), 2.5 / 8
        places["ddx"][:, 0] = 6 / 16
    else:  # the face +z, in its third row
        places["at"][:, 0], places["at"][:, 1:3] = np.linspace(-0.3, 0.3, 32), (0.375, 1)
        places["ddx"][:, 0] = 12 / 8
    with needs(device, "sampler_anisotropy"):
        state = device.sampler(max_anisotropy=16)
        found = run(device, dimension, levels, places, state)["gradients"]
        blurred = run(device, dimension, levels, places, device.sampler())["gradients"]
        if device.info.index < 0:
            np.testing.assert_allclose(found, 1, atol=1e-6)
        assert (found > (0.99 if dimension == "2d" else 0.6)).all()
        assert (found <= blurred).all()
        assert (blurred > 5).all()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"reduction": "minimal"}, "no reduction 'minimal'; there are minimum, maximum"),
        ({"reduction": "minimum", "comparison": "less"}, "a comparison or a reduction, not both"),
        ({"max_anisotropy": 17}, "max_anisotropy is from 1 to 16, not 17"),
        ({"max_anisotropy": 0}, "max_anisotropy is from 1 to 16, not 0"),
        ({"max_anisotropy": 1.5}, "max_anisotropy is a whole number, not 1.5"),
        ({"max_anisotropy": float("nan")}, "max_anisotropy is a whole number, not nan"),
        ({"max_anisotropy": 2, "filter": "point"}, "is linear in minification and magnification"),
    ],
)
def test_settings_that_exclude_each_other(device: Any, given: Any, message: str) -> None:
    with pytest.raises(vkrunner.ArgumentError, match=message):
        device.sampler(**given)


def test_mips_of_an_anisotropic_filter_may_be_points(device: Any) -> None:
    """D3D12_FILTER_MIN_MAG_ANISOTROPIC_MIP_POINT."""
    with needs(device, "sampler_anisotropy"):
        device.sampler(("linear", "linear", "point"), max_anisotropy=2)


def test_formats_without_a_minimum(device: Any) -> None:
    """A view's swizzle is one of `filterMinmaxImageComponentMapping`, which few devices have."""
    texture = device.texture(np.zeros((4, 4, 4), np.uint8), "b8g8r8x8_unorm")
    places = np.zeros(1, PLACE)
    with needs(device, "sampler_filter_minmax"):
        state = device.sampler("point", reduction="maximum")
        if device.info.index < 0:
            run(device, "2d", texture, places, state)
            return
        with pytest.raises(vkrunner.FeatureError, match="b8g8r8x8_unorm"):
            run(device, "2d", texture, places, state)
