"""`sample_l`, `sample_d` and `sample_d_cl`: every dimension, filter, address mode and mip.

Positions are at sixteenths of texels, where weights are exact in D3D's 8 bits of fraction. So the
results are known except for the rounding of the sums.
"""

import itertools
from typing import Any

import numpy as np
import pytest

import vkrunner

from ..conftest import needs
from .filtering import direction, layer_of, sampled
from .shaders import AXES, LAYERED, Array, level_shape, numbered, pad, shader

PLACE = np.dtype([("at", "<f4", 4), ("lod", "<f4"), ("ddx", "<f4", 3), ("ddy", "<f4", 3)])
SEEN = np.dtype([("level", "<f4", 4), ("gradients", "<f4", 4), ("offset", "<f4", 4)])
SHAPES = {
    "1d": (16,),
    "1darray": (3, 16),
    "2d": (8, 16),
    "2darray": (3, 8, 16),
    "3d": (4, 8, 16),
    "cube": (6, 8, 8),
    "cubearray": (12, 8, 8),
}
OFFSETS = {1: (3,), 2: (1, -2), 3: (1, -2, 3)}  # the manifest's offsets, x first
CLOSE = {"rtol": 1e-5, "atol": 1e-4}  # for values up to 10^4


def levels_of(dimension: str, mips: int = 3) -> list[Array]:
    shapes = [level_shape(dimension, SHAPES[dimension], mip) for mip in range(mips)]
    return [numbered((*shape, 4)) + 5000 * mip for mip, shape in enumerate(shapes)]


def numbers_of_mips(dimension: str) -> list[Array]:
    """Four mips, each filled with its number."""
    shapes = [level_shape(dimension, SHAPES[dimension], mip) for mip in range(4)]
    return [np.full((*shape, 4), mip, np.float32) for mip, shape in enumerate(shapes)]


def run(device: Any, dimension: str, source: Any, places: Array, state: Any = None) -> Array:
    """The samples at each place of a texture, an array or a list of mips."""
    if isinstance(source, list):
        source = device.texture(source[0], dimension=dimension, mips=source[1:])
    kernel = device.kernel(shader(f"sample_{dimension}"))
    samplers = {} if state is None else {"state": state}
    given = pad(places, 32)
    seen = np.zeros(len(given), SEEN)
    result = kernel.dispatch(len(given) // 32, source=source, places=given, seen=seen, **samplers)
    return result.seen[: len(places)]


def places_of(dimension: str, count: int = 64) -> Array:
    """Random places at sixteenths of texels in and around the first mip, and levels of detail."""
    rng = np.random.default_rng(sum(map(ord, dimension)))
    axes, extents = AXES[dimension], SHAPES[dimension][::-1]
    places = np.zeros(count, PLACE)
    for axis in range(axes):
        steps = 16 * extents[axis]
        places["at"][:, axis] = rng.integers(-steps // 2, steps * 3 // 2, count) / steps
    if dimension in LAYERED:
        places["at"][:, axes] = rng.integers(-2, 10, count) / 2 + 0.25
    places["lod"] = rng.integers(-4, 12, count) / 4
    return places


def reference(dimension: str, levels: Any, place: Any, *settings: Any, **more: Any) -> Array:
    axes = AXES[dimension]
    if dimension in LAYERED:
        layer = layer_of(place["at"][axes], len(levels[0]))
        levels = [level[layer] for level in levels]
    return sampled(levels, place["at"][:axes], *settings, **more)


@pytest.mark.parametrize("filter", ["point", "linear"])
@pytest.mark.parametrize("dimension", ["1d", "1darray", "2d", "2darray", "3d"])
def test_every_dimension(device: Any, dimension: str, filter: str) -> None:
    levels, places = levels_of(dimension), places_of(dimension)
    if filter == "point":  # not where two texels or mips are equally near
        places["at"][:, : AXES[dimension]] += 1 / 512
        places["lod"] += 1 / 32
    seen = run(device, dimension, levels, places, device.sampler(filter))
    expected = [reference(dimension, levels, p, p["lod"], (filter,) * 3) for p in places]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)


@pytest.mark.parametrize("dimension", ["1d", "1darray", "2d", "2darray", "3d"])
def test_offsets_count_in_texels_of_the_mip(device: Any, dimension: str) -> None:
    levels, places = levels_of(dimension), places_of(dimension)
    places["lod"] = np.rint(places["lod"])
    seen = run(device, dimension, levels, places, device.sampler("linear", "wrap"))
    more: dict[str, Any] = {"addresses": ("wrap",) * 3, "offset": OFFSETS[AXES[dimension]]}
    for place, found in zip(places, seen, strict=True):
        lod = int(np.clip(place["lod"], 0, 2))
        expected = reference(dimension, levels, place, lod, **more)
        # NVIDIA rounds the products of three weights to a 2,048th of what the texels span
        close = max(float(np.ptp(levels[lod])) / 1024, CLOSE["atol"])
        np.testing.assert_allclose(found["offset"], expected, rtol=CLOSE["rtol"], atol=close)


@pytest.mark.parametrize(
    ("modes", "border"),
    [
        (("wrap", "mirror"), (1, 1, 1, 1)),
        (("mirror_once", "mirror_once"), (1, 1, 1, 1)),
        (("border", "clamp"), (0, 0, 0, 0)),
        (("mirror", "border"), (0, 0, 0, 1)),
        (("border", "border"), (1, 1, 1, 1)),
    ],
)
@pytest.mark.parametrize("filter", ["point", "linear"])
def test_addresses(device: Any, modes: tuple[str, str], filter: str, border: Any) -> None:
    levels, places = levels_of("2d", 1), places_of("2d", 256)
    places["at"] = places["at"] * 2 + 1 / 512 * (filter == "point")
    state = device.sampler(filter, (*modes, "clamp"), border=border)
    seen = run(device, "2d", levels[0], places, state)
    given = {"addresses": modes, "border": np.array(border, float)}
    expected = [reference("2d", levels, p, 0, (filter,) * 3, **given) for p in places]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)


@pytest.mark.parametrize(("channels", "seen"), [(1, (1, 0, 0, 1)), (2, (1, 1, 0, 1))])
def test_components_of_a_border(device: Any, channels: int, seen: tuple[int, ...]) -> None:
    """FS §7.18.9.1: components that the format lacks have their defaults."""
    places = np.zeros(32, PLACE)
    places["at"] = 2
    state = device.sampler("point", "border", border=(1, 1, 1, 1))
    found = run(device, "2d", np.zeros((4, 8, channels), np.float32), places, state)
    np.testing.assert_array_equal(found["level"], [seen] * 32)


@pytest.mark.parametrize("filters", list(itertools.product(["point", "linear"], repeat=3)))
def test_minification_magnification_and_mips_have_filters(device: Any, filters: Any) -> None:
    levels, places = levels_of("2d"), places_of("2d", 128)
    places["at"] += 1 / 512
    places["lod"] += 1 / 32  # not where two mips are equally near
    seen = run(device, "2d", levels, places, device.sampler(filters))
    expected = [reference("2d", levels, p, p["lod"], filters) for p in places]
    # 1/512 of a texel is not in 8 bits of a fraction: half a step of neighbours 64 apart in y
    np.testing.assert_allclose(seen["level"], expected, atol=0.5, rtol=1e-3)


@pytest.mark.parametrize(
    ("settings", "lods"),
    [
        (None, lambda lod: lod),
        ({}, lambda lod: lod),
        ({"min_lod": 0.5}, lambda lod: np.maximum(lod, 0.5)),
        ({"max_lod": 1.25}, lambda lod: np.minimum(lod, 1.25)),
        ({"min_lod": 1.5, "max_lod": 1.5}, lambda lod: lod * 0 + 1.5),
    ],
)
def test_limits_of_the_level_of_detail(device: Any, settings: Any, lods: Any) -> None:
    """A sampler that is left out is linear, clamps, and has no limits."""
    levels, places = levels_of("2d"), places_of("2d")
    state = None if settings is None else device.sampler(**settings)
    seen = run(device, "2d", levels, places, state)
    expected = [reference("2d", levels, p, float(lods(p["lod"]))) for p in places]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)


@pytest.mark.parametrize("dimension", ["1d", "1darray", "2d", "2darray", "3d"])
def test_gradients_choose_the_mip(device: Any, dimension: str) -> None:
    """A step of 2^k texels along an axis is level k; each mip is filled with its number."""
    axes, extents = AXES[dimension], SHAPES[dimension][::-1]
    places = np.zeros(32, PLACE)
    for n in range(32):
        which, axis, k = n % 2, n % axes, n % 6 - 1
        places[("ddx", "ddy")[which]][n, axis] = (-1) ** n * 2.0**k / extents[axis]
    seen = run(device, dimension, numbers_of_mips(dimension), places)
    expected = np.clip([n % 6 - 1 for n in range(32)], 0, 3)
    # The mip's fraction has 8 bits; log2 may be an approximation (FS §7.18.11).
    np.testing.assert_allclose(seen["gradients"][:, 0], expected, rtol=0, atol=1 / 64)


@pytest.mark.parametrize("bias", [1.0, -0.5])
def test_a_bias_is_added_to_the_level_of_gradients(device: Any, bias: float) -> None:
    places = np.zeros(32, PLACE)
    places["ddx"][:, 0] = 2.0 / 16  # mip 1
    seen = run(device, "2d", numbers_of_mips("2d"), places, device.sampler(lod_bias=bias))
    np.testing.assert_allclose(seen["gradients"], 1 + bias, rtol=0, atol=1 / 64)


def test_a_bias_beyond_the_devices(device: Any) -> None:
    with pytest.raises(vkrunner.LimitError, match=r"1000\.0"):
        device.sampler(lod_bias=1000.0)


@pytest.mark.parametrize("dimension", ["cube", "cubearray"])
def test_cubes(device: Any, dimension: str) -> None:
    """All texels' centres of every face, by directions of several lengths."""
    with needs(device, *(["image_cube_array"] if dimension == "cubearray" else [])):
        levels = levels_of(dimension)
        rows = [(*at, mip) for mip in range(3) for at in np.ndindex(levels[mip].shape[:3])]
        places = np.zeros(len(rows), PLACE)
        for place, (layer, y, x, mip) in zip(places, rows, strict=True):
            size = 8 >> mip
            to = np.array(direction(layer % 6, (x + 0.5) / size, (y + 0.5) / size))
            place["at"] = *(to * (0.5 + layer)), layer // 6
            place["lod"] = mip
        seen = run(device, dimension, levels, places, device.sampler("point"))
        expected = [levels[mip][layer, y, x] for layer, y, x, mip in rows]
        np.testing.assert_array_equal(seen["level"], expected)
        assert (seen["offset"] == 0).all()


# Directions at an edge of two faces or more, the face, its column and row
TIES = (
    *(((1, 0.125, -1), 5, 0, 3), ((1, 0.125, 1), 4, 7, 3), ((0.125, -1, 1), 4, 4, 7)),
    *(((-1, 1, 0.125), 2, 0, 4), ((1, -1, 0.125), 3, 7, 3), ((-1, -1, -1), 5, 7, 7)),
)


def test_a_point_filter_at_the_edge_of_a_cube(device: Any) -> None:
    """If axes are equal, z selects the face, then y (FS §7.18.7), and its last texel is taken.

    Vulkan clamps to the edge of a face for such a filter ("Wrapping Operation").
    """
    (level,), places = levels_of("cube", 1), np.zeros(len(TIES), PLACE)
    places["at"][:, :3] = [to for to, *_ in TIES]
    seen = run(device, "cube", [level], places, device.sampler("point"))["level"]
    expected = [level[face, y, x] for _, face, x, y in TIES]
    if "SwiftShader" not in device.info.driver:  # docs/drivers.md
        np.testing.assert_array_equal(seen, expected)


def test_a_view_of_one_mip_or_slice_is_all_that_is_sampled(device: Any) -> None:
    levels, places = levels_of("2darray"), places_of("2darray")
    texture = device.texture(levels[0], dimension="2darray", mips=levels[1:])
    seen = run(device, "2darray", texture.view(1, first_slice=1, num_slices=2), places)
    shown = [levels[1][1:3]]
    expected = [reference("2darray", shown, p, p["lod"]) for p in places]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)
    flat = run(device, "2d", texture.view(first_slice=2, dimension="2d"), places)
    one = [level[2] for level in levels]
    expected = [sampled(one, p["at"][:2], p["lod"]) for p in places]
    np.testing.assert_allclose(flat["level"], expected, **CLOSE)


def test_a_clamped_level_of_detail(device: Any) -> None:
    """Gradients of 0 select mip 0, which the clamp raises to 1."""
    with needs(device, "resource_min_lod"):
        kernel = device.kernel(shader("clamped"))
        mips = [np.full((4 >> mip, 4 >> mip, 4), mip + 1, np.float32) for mip in range(3)]
        source = device.texture(mips[0], mips=mips[1:])
        params = {"uv": [0.5, 0.5], "clamp": 1.0}
        result = kernel.dispatch(1, source=source, seen=np.zeros((2, 4), "f4"), Params=params)
        np.testing.assert_array_equal(result.seen, [[2] * 4, [1] * 4])


@pytest.mark.parametrize("dimension", ["1d", "2darray", "3d", "cube"])
def test_null(device: Any, dimension: str) -> None:
    with needs(device, "null_descriptor"):
        seen = run(device, dimension, None, places_of(dimension, 32))
        assert not any(seen[name].any() for name in SEEN.names)


def test_a_border_that_vulkan_does_not_have(device: Any) -> None:
    with pytest.raises(vkrunner.FeatureError, match=r"\(0\.5, 0\.5, 0\.5, 1\.0\)"):
        device.sampler(address="border", border=(0.5, 0.5, 0.5, 1))
