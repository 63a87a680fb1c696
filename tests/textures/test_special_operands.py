"""Samples at NaN, infinite and very large coordinates, slices, levels of detail and gradients."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ..conftest import needs
from .filtering import filtered, gathered
from .shaders import Array, numbered
from .test_gathering import GATHER, compare, depths, gather
from .test_gathering import PLACE as COMPARED
from .test_sampling import PLACE, SHAPES, levels_of, numbers_of_mips, run

NAN, INF = float("nan"), float("inf")
WHOLE = (3e38, -3e38, 2.0**31, -(2.0**40), 2.0**23 + 1)
SPECIAL = (NAN, INF, -INF, *WHOLE, 1025.21875, -1026.71875, 513.59375)
ORDINARY = (0.28125, 0.09375, -1.40625, 1.21875)  # as above, in the centre of one of 16 texels
MODES = ("wrap", "mirror", "clamp", "border", "mirror_once")
CLOSE = {"rtol": 1e-5, "atol": 1e-3}


def places_at(rows: Sequence[Sequence[float]], dtype: Any = PLACE) -> Array:
    places = np.zeros(len(rows), dtype)
    places["at"][:, : len(rows[0])] = rows
    return places


def pairs() -> list[tuple[float, float]]:
    values = (*SPECIAL, *ORDINARY)
    rows = [*itertools.product(SPECIAL, values), *itertools.product(ORDINARY, SPECIAL)]
    return [*rows, (-np.float32(NAN), NAN)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("filter", ["point", "linear"])
def test_coordinates(device: Any, filter: str, mode: str) -> None:
    """Point and linear filters differ: NaN + 0.5 - 0.5 is NaN (FS §7.18.8)."""
    image, rows = numbered((8, 16, 4)), pairs()
    modes = (mode, MODES[MODES.index(mode) - 1], "clamp")
    state = device.sampler(filter, modes, border=(1, 1, 1, 1))
    seen = run(device, "2d", image, places_at(rows), state)
    expected = np.array([filtered(image, row, filter, modes) for row in rows])
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)
    np.testing.assert_allclose(seen["gradients"], expected, **CLOSE)
    # lavapipe mirrors the edge of a texel the other way (docs/drivers.md)
    inside = [n for n, row in enumerate(rows) if filter == "linear" or not set(row) & set(WHOLE)]
    moved = [filtered(image, rows[n], filter, modes, (1, -2)) for n in inside]
    np.testing.assert_allclose(seen["offset"][inside], moved, **CLOSE)


@pytest.mark.parametrize("extent", [1, 2, 3, 49])
@pytest.mark.parametrize("mode", MODES)
def test_small_and_odd_extents(device: Any, mode: str, extent: int) -> None:
    image, rows = numbered((extent, 4)), [(x,) for x in (*SPECIAL[:8], 1030.5, -2049.5)]
    state = device.sampler("linear", mode, border=(1, 1, 1, 1))
    seen = run(device, "1d", [image], places_at(rows), state)
    expected = [filtered(image, row, "linear", (mode,)) for row in rows]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)
    moved = [filtered(image, row, "linear", (mode,), (3,)) for row in rows]
    np.testing.assert_allclose(seen["offset"], moved, **CLOSE)


@pytest.mark.parametrize("mode", MODES)
def test_three_axes(device: Any, mode: str) -> None:
    image = numbered((*SHAPES["3d"], 4))
    rows = [*itertools.permutations((NAN, INF, 0.3125)), (-INF, 2.0**33, -3e38), (0.25, 0.5, NAN)]
    state = device.sampler("linear", mode, border=(1, 1, 1, 1))
    seen = run(device, "3d", [image], places_at(rows), state)
    expected = [filtered(image, row, "linear", (mode,) * 3) for row in rows]
    np.testing.assert_allclose(seen["level"], expected, **CLOSE)


SLICES = (
    *((NAN, 0), (INF, 2), (-INF, 0), (3e38, 2), (2.0**31, 2), (-(2.0**31), 0)),
    *((1.5, 2), (0.5, 0)),
)


@pytest.mark.parametrize("dimension", ["1darray", "2darray"])
def test_slices(device: Any, dimension: str) -> None:
    """Rounded to nearest even, then clamped to the slices; a NaN is 0."""
    image = numbered((*SHAPES[dimension], 4))
    axes = len(SHAPES[dimension]) - 1
    rows = [(*(0.3125,) * axes, slice) for slice, _ in SLICES]
    seen = run(device, dimension, [image], places_at(rows))
    modes = ("clamp",) * axes
    expected = [filtered(image[n], (0.3125,) * axes, "linear", modes) for _, n in SLICES]
    for name in ("level", "gradients"):
        np.testing.assert_allclose(seen[name], expected, **CLOSE)


LODS = ((NAN, 9), (INF, 9), (3e38, 9), (2.0**31, 9), (-INF, -9), (-3e38, -9), (-(2.0**31), -9))


@pytest.mark.parametrize(
    ("settings", "low", "high"),
    [({}, 0, 3), ({"max_lod": 2.0}, 0, 2), ({"min_lod": 1.0, "lod_bias": -4.0}, 1, 3)],
)
@pytest.mark.parametrize("filter", ["point", "linear"])
def test_levels_of_detail(device: Any, filter: str, settings: Any, low: int, high: int) -> None:
    """max(MinLOD, min(MaxLOD, LOD)), which is MaxLOD for a NaN (FS §7.18.11)."""
    places = places_at([(0.5, 0.5)] * len(LODS))
    places["lod"] = [lod for lod, _ in LODS]
    seen = run(device, "2d", numbers_of_mips("2d"), places, device.sampler(filter, **settings))
    expected = [min(max(lod, low), high) for _, lod in LODS]
    np.testing.assert_array_equal(seen["level"][:, 0], expected)


GRADIENTS = (
    ((NAN, 0), (0, 0), 0),  # a NaN is not the larger of two lengths
    *(((NAN, 0), (4 / 16, 0), 2), ((2 / 16, 0), (0, NAN), 1), ((NAN, INF), (2 / 16, 0), 1)),
    *(((NAN, 0), (0, NAN), 3), ((INF, 0), (0, 0), 3), ((0, 0), (0, -INF), 3)),
    *(((3e38, 3e38), (-3e38, 0), 3), ((INF, 0), (NAN, 0), 3)),
)


def test_gradients(device: Any) -> None:
    """log2(max(lengthX, lengthY)) by the rules of FS §3.1.3, then the clamps (FS §7.18.11)."""
    places = places_at([(0.5, 0.5)] * len(GRADIENTS))
    for place, (ddx, ddy, _) in zip(places, GRADIENTS, strict=True):
        place["ddx"][:2], place["ddy"][:2] = ddx, ddy
    seen = run(device, "2d", numbers_of_mips("2d"), places)["gradients"][:, 0]
    np.testing.assert_allclose(seen, [mip for *_, mip in GRADIENTS], rtol=0, atol=1 / 64)


@pytest.mark.parametrize("mode", MODES)
def test_a_nan_in_lower_mips(device: Any, mode: str) -> None:
    """It is the centre of the first mip's first texel, which is no centre in other mips."""
    levels = levels_of("1d")
    places = places_at([(NAN,)] * 3)
    places["lod"] = 0, 1, 2
    state = device.sampler("linear", mode, border=(1, 1, 1, 1))
    seen = run(device, "1d", levels, places, state)["level"]
    expected = [filtered(level, (0.5 / 16,), "linear", (mode,)) for level in levels]
    np.testing.assert_allclose(seen, expected, **CLOSE)


LONG, SHORT = 2.0**126, 2.0**-125  # SwiftShader's gradients are right for powers of two alone

# Directions, the face, and u and v in it; None stands for a NaN
DIRECTIONS = (
    *(((0, 0, 0), 4, None, None), ((-0.0, -0.0, -0.0), 4, None, None)),
    *(((NAN, NAN, NAN), 4, None, None), ((NAN, 0, 0), 4, None, None)),
    *(((1, NAN, 0), 0, 0.5, None), ((1, 0, NAN), 0, None, 0.5)),
    *(((-1, NAN, NAN), 1, None, None), ((-2, NAN, 1.25), 1, 0.8125, None)),
    *(((NAN, 1, 0), 2, None, 0.5), ((0, 1, NAN), 2, 0.5, None)),
    *(((0.625, -1, NAN), 3, 0.8125, None), ((NAN, 0, 1), 4, None, 0.5)),
    *(((0, NAN, 1), 4, 0.5, None), ((NAN, 0.625, -1), 5, None, 0.1875)),
    *(((INF, 1, 2), 0, 0.5, 0.5), ((-INF, 0, 0), 1, 0.5, 0.5), ((3e38, INF, 0), 2, 0.5, 0.5)),
    *(((0, -INF, NAN), 3, 0.5, None), ((INF, INF, 0), 2, None, 0.5)),
    *(((INF, 0, -INF), 5, None, 0.5), ((INF, -INF, INF), 4, None, None)),
    *(((LONG, -0.625 * LONG, 0), 0, 0.5, 0.8125), ((0, -0.625 * LONG, LONG), 4, 0.5, 0.8125)),
    ((0.625 * SHORT, 0, -SHORT), 5, 0.1875, 0.5),
    *(((0.625 * SHORT, SHORT, 1e-39), 2, 0.8125, 0.5), ((1e-39, 0, 0), 4, None, None)),
)


def on_face(place: float | None, filter: str) -> list[int]:
    """The texels, of 8, with equal weights for u or v at a texel's centre or edge."""
    if place is None:
        return [0]
    at = int(place * 8)
    return [at - 1, at] if filter == "linear" and place * 8 == at else [at]


@pytest.mark.parametrize("filter", ["point", "linear"])
@pytest.mark.parametrize("dimension", ["cube", "cubearray"])
def test_cubes(device: Any, dimension: str, filter: str) -> None:
    """0/0 and infinity/infinity are NaN, which is texel 0; of equal axes z, then y, wins."""
    with needs(device, *(["image_cube_array"] if dimension == "cubearray" else [])):
        faces = 6 if dimension == "cube" else 12
        image = numbered((faces, 8, 8, 4)) * 8
        places = places_at([(*to, NAN) for to, *_ in DIRECTIONS])
        seen = run(device, dimension, [image], places, device.sampler(filter))
        for (to, face, u, v), found in zip(DIRECTIONS, seen["level"], strict=True):
            counted = itertools.product(on_face(v, filter), on_face(u, filter))
            expected = np.mean([image[face][at] for at in counted], axis=0)
            np.testing.assert_allclose(found, expected, rtol=1e-4, err_msg=str(to))


def test_gradients_of_cubes(device: Any) -> None:
    """Their lengths are NaN without a place, which gives MaxLOD; the direction may be long."""
    places = places_at([to for to, *_ in DIRECTIONS])
    expected = np.zeros(len(DIRECTIONS))
    for n, (to, _, u, v) in enumerate(DIRECTIONS):
        if None in (u, v) or INF in map(abs, to):
            expected[n] = 3
            continue
        axis = int(np.argmin(np.abs(to)))
        places["ddx"][n, axis] = np.abs(to).max() / 2  # a quarter of the face's 8 texels
        expected[n] = 1
    seen = run(device, "cube", numbers_of_mips("cube"), places, device.sampler("point"))
    np.testing.assert_array_equal(seen["gradients"][:, 0], expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("offset", [False, True], ids=["plain", "offset"])
def test_gathers(device: Any, mode: str, offset: bool) -> None:
    with needs(device, *(["image_gather_extended"] if offset else [])):
        image, rows = numbered((2, 3, 4)), [row for row in pairs() if row[1] == row[1]]
        places = places_at(rows, GATHER)
        rng = np.random.default_rng(5)
        places["offset"] = rng.integers(-32, 32, (len(places), 2)) if offset else 0
        state = device.sampler("point", mode, border=(1, 1, 1, 1))
        name = "2d_offset" if offset else "2d"
        seen = gather(device, name, image, places, state)
        for row, place, found in zip(rows, places, seen, strict=False):
            expected = gathered(image, row, (mode, mode), place["offset"])
            np.testing.assert_array_equal(found["red"], expected[:, 0], err_msg=str(row))
            np.testing.assert_array_equal(found["green"], expected[:, 1], err_msg=str(row))


@pytest.mark.parametrize("mode", MODES)
def test_comparisons(device: Any, mode: str) -> None:
    with needs(device, "image_gather_extended"):
        image, rows = depths(8, 16), pairs()
        places = places_at(rows, COMPARED)
        places["reference"] = 0.5
        state = device.sampler("point", mode, comparison="less", border=(1, 1, 1, 1))
        seen = compare(device, "2d", image, places, {"state": state})
        for row, found in zip(rows, seen, strict=False):
            texel = filtered(image[..., None], row, "point", (mode, mode))
            assert found["sampled"] == (texel[0] > 0.5), row
            texels = gathered(image[..., None], row, (mode, mode))
            np.testing.assert_array_equal(found["gathered"], texels[:, 0] > 0.5, err_msg=str(row))
