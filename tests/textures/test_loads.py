"""`ld` and `ldms`: every dimension, mips, offsets, and loads outside."""

import itertools
from typing import Any

import numpy as np
import pytest

from ..conftest import needs
from ..listings import listing, store
from .shaders import LAYERED, SHAPES, Array, level_shape, numbered, pad, shader

MIPS = 3
FIRST_MIP = listing(
    ["ld_structured r0.xyz, vThreadID.x, l(0), t1.xyzx", "mov r0.w, l(0)",
     "ld r1.xyzw, r0.xyzw, t0.xyzw", store("r1")],
    ["dcl_resource_texture2darray (float,float,float,float) t0", "dcl_resource_structured t1, 16",
     "dcl_uav_structured u0, 16"],
    group=(32, 1, 1),
)  # fmt: skip
# Without the checks that the device makes unnecessary, and with all of them
ROBUST: list[dict[str, Any]] = [{}, {"robust_access": frozenset()}]
ALPHA = {"r32g32b32a32_float": 0, "r32_float": 1, "a8_unorm": 0}  # outside
LOADED = ("1d", "1darray", "2d", "2darray", "3d")
OFFSETS = {1: (3,), 2: (1, -2), 3: (1, -2, 3)}  # those of the manifest, x first


def levels_of(dimension: str, channels: int, dtype: Any = np.float32) -> list[Array]:
    shapes = [level_shape(dimension, SHAPES[dimension], mip) for mip in range(MIPS)]
    return [numbered((*shape, channels), dtype) + 1000 * mip for mip, shape in enumerate(shapes)]


def coordinates(dimension: str) -> Array:
    """i32[n, 4]: the dimension's coordinates, then the mip, in the order of the HLSL."""
    extents = SHAPES[dimension][::-1]
    edges = [(0, 1, extent - 1, extent, -1, 2**31 - 1) for extent in extents]
    places = list(itertools.product(*edges, (0, 1, 2, 3, -1)))
    step = max(1, len(places) // 3000)
    rows = np.zeros((len(places[::step]), 4), np.int32)
    rows[:, : len(extents) + 1] = places[::step]
    return rows


def texel(levels: list[Array], dimension: str, place: Array, offset: tuple[int, ...]) -> Array:
    """D3D's result of a load, for texels with alpha."""
    count = len(SHAPES[dimension])
    moved = np.array(place[:count])
    moved[: len(offset)] += np.array(offset, np.int32)
    level, at = levels[max(0, min(place[count], MIPS - 1))], tuple(moved[::-1])
    inside = all(0 <= i < n for i, n in zip(at, level.shape[:-1], strict=True))
    if inside and 0 <= place[count] < MIPS:
        return level[at]
    return np.zeros(level.shape[-1], level.dtype)


def load(
    device: Any, name: str, source: Any, places: Array, dtype: Any = np.float32, **options: Any
) -> Array:
    kernel, given = device.kernel(shader(name), **options), pad(places, 32)
    seen = np.full((len(given), 4), 77, dtype)
    result = kernel.dispatch(len(given) // 32, source=source, places=given, seen=seen)
    return result.seen[: len(places)]


@pytest.mark.parametrize(
    ("dimension", "suffix"),
    [*itertools.product(LOADED, ("", "_offset")), ("2d", "_uint4"), ("2d", "_int4")],
)
def test_every_dimension_and_mip(device: Any, dimension: str, suffix: str) -> None:
    dtype = {"_uint4": np.uint32, "_int4": np.int32}.get(suffix, np.float32)
    levels, places = levels_of(dimension, 4, dtype), coordinates(dimension)
    if dtype is not np.float32:
        levels[0][0, 0] = np.array([2**31, 2**32 - 1, 5, 0], np.uint32).view(dtype)
    source = device.texture(levels[0], dimension=dimension, mips=levels[1:])
    axes = len(SHAPES[dimension]) - (dimension in LAYERED)
    moved = OFFSETS[axes] if suffix == "_offset" else ()
    seen = load(device, f"load_{dimension}{suffix}", source, places, dtype)
    expected = np.array([texel(levels, dimension, place, moved) for place in places])
    np.testing.assert_array_equal(seen, expected)
    assert expected.any()
    assert not expected.all(axis=1).all()


@pytest.mark.parametrize("options", ROBUST, ids=["device", "shader"])
@pytest.mark.parametrize("format", [*ALPHA, None])
def test_the_first_mip(device: Any, format: str | None, options: dict[str, Any]) -> None:
    """Vulkan defines loads outside of it, except an alpha that the format lacks; or of nothing."""
    shape = SHAPES["2darray"]
    edges = [(0, n - 1, n, -1, 2**31 - 1, -(2**31), 2**16) for n in shape[::-1]]
    rows = pad(np.array([(*place, 0) for place in itertools.product(*edges)], np.int32), 32)
    texels = (*shape, 4) if format == "r32g32b32a32_float" else shape
    values = numbered(texels, np.uint8 if format == "a8_unorm" else np.float32)
    given = {"t1": rows, "u0": np.full((len(rows), 4), 77, np.float32)}
    options = {"formats": {"t0": format or "r32_float"}, **options}
    with needs(device, *([] if format else ["null_descriptor"])):
        kernel = device.kernel(FIRST_MIP, **options)
        texture = device.texture(values, dimension="2darray", format=format) if format else None
        loaded = kernel.dispatch(len(rows) // 32, t0=texture, **given).u0
        kernel.close()
        expected = np.zeros((len(rows), 4), np.float32)
        expected[:, 3] = ALPHA.get(format or "", 0)
        for row, (x, y, layer, _) in zip(expected, rows, strict=True):
            if format and all(0 <= at < n for at, n in zip((layer, y, x), shape, strict=True)):
                if format == "a8_unorm":
                    row[3] = values[layer, y, x] / np.float32(255)
                else:
                    row[: values[0, 0, 0].size] = values[layer, y, x]
        np.testing.assert_allclose(loaded, expected, rtol=2e-7)


@pytest.mark.parametrize(
    ("format", "dtype", "raw", "texel", "outside"),
    [
        ("r32_float", "f4", [2.5], [2.5, 0, 0, 1], [0, 0, 0, 1]),
        ("r32g32_float", "f4", [2.5, 3], [2.5, 3, 0, 1], [0, 0, 0, 1]),
        ("r16g16b16a16_float", "f2", [2.5, 3, -1, 4], [2.5, 3, -1, 4], [0, 0, 0, 0]),
        ("r8_unorm", "u1", [51], [51 / 255, 0, 0, 1], [0, 0, 0, 1]),
        ("r8g8b8a8_snorm", "i1", [127, -127, -128, 0], [1, -1, -1, 0], [0, 0, 0, 0]),
        ("b8g8r8a8_unorm", "u1", [0, 51, 255, 102], [1, 51 / 255, 0, 102 / 255], [0, 0, 0, 0]),
        ("r10g10b10a2_unorm", "u4", [3 << 30 | 1023 << 20 | 341], [1 / 3, 0, 1, 1], [0, 0, 0, 0]),
        ("r11g11b10_float", "u4", [960 | 1024 << 11 | 448 << 22], [1, 2, 0.5, 1], [0, 0, 0, 1]),
        ("r9g9b9e5_sharedexp", "u4", [16 << 27 | 256 | 128 << 9], [1, 0.5, 0, 1], [0, 0, 0, 1]),
        ("r8g8b8a8_unorm_srgb", "u1", [255, 0, 188, 51], [1, 0, 0.502886, 51 / 255], [0, 0, 0, 0]),
        ("d32_float", "f4", [0.25], [0.25, 0, 0, 1], [0, 0, 0, 1]),
        ("d16_unorm", "u2", [0x3333], [0.2, 0, 0, 1], [0, 0, 0, 1]),
    ],
)
def test_formats_and_their_defaults_outside(
    device: Any, format: str, dtype: str, raw: list[int], texel: list[float], outside: list[float]
) -> None:
    channels = (len(raw),) if len(raw) > 1 else ()
    image = np.zeros((2, 3, *channels), dtype)
    image[1, 2] = raw if channels else raw[0]
    source = device.texture(image, format=format)
    places = np.array([(2, 1, 0, 0), (3, 1, 0, 0), (2, 2, 0, 0), (2, 1, 1, 0)], np.int32)
    seen = load(device, "load_2d", source, places)
    srgb = format.endswith("srgb")  # half a step of the encoded 8 bits: FS §2.3.2
    np.testing.assert_allclose(seen[0], texel, rtol=0, atol=2e-3 if srgb else 1e-6)
    np.testing.assert_array_equal(seen[1:], [outside] * 3)


def of_samples(image: Array) -> tuple[Array, Array]:
    """Places at the edges of a multisampled image [..., samples, 4] and outside; their texels."""
    edges = [(0, 1, n - 1, n, -1) for n in image.shape[-3::-1]]  # x, y and the layer
    rows = np.array([*itertools.product(*edges, (0, 1, 3, 4, -1, 2**30))], np.int32)
    places = np.zeros((len(rows), 4), np.int32)
    places[:, : len(edges)], places[:, 3] = rows[:, :-1], rows[:, -1]
    expected = np.zeros((len(places), 4), np.float32)
    for n, place in enumerate(places):
        at = (*place[: len(edges)][::-1], place[3])
        if all(0 <= i < size for i, size in zip(at, image.shape[:-1], strict=True)):
            expected[n] = image[at]
    assert expected.any()
    return places, expected


@pytest.mark.parametrize("dimension", ["2dms", "2dmsarray"])
def test_samples(device: Any, dimension: str) -> None:
    image = numbered((*SHAPES[dimension], 4))
    places, expected = of_samples(image)
    for source in (device.texture(image, dimension=dimension), image):
        np.testing.assert_array_equal(load(device, f"load_{dimension}", source, places), expected)


@pytest.mark.parametrize("name", ["load_1d", "load_2darray", "load_3d", "load_2dms"])
def test_null(device: Any, name: str) -> None:
    places = np.array([(0, 0, 0, 0), (1, 2, 3, 1), (-1, 0, 0, 9)], np.int32)
    with needs(device, "null_descriptor"):
        assert not load(device, name, None, places).any()


# The tiled-resource forms give the same values, and a status of fully mapped

SEEN = np.dtype([("value", "<f4", 4), ("mapped", "<u4")])


def test_bound_resources_are_mapped(device: Any) -> None:
    source, samples = numbered((4, 4, 4)), numbered((4, 4, 4, 4))
    depth = (np.arange(16, dtype=np.float32) / 16).reshape(4, 4)
    texels, raw, cells = numbered((8, 4)), numbered((8, 4)) + 100, numbered((8, 4)) + 200
    x, y = 2, 1
    params = {"uv": [0.5, 0.5], "lod": 0.0, "reference": 0.4, "at": [x, y], "offset": [1, -1]}
    bound = {"source": source, "samples": samples, "depth": depth, "texels": texels, "raw": raw}
    bound |= {"cells": cells, "target": numbered((4, 4), np.uint32), "seen": np.zeros(12, SEEN)}
    states = {"state": device.sampler("point")}
    states["comparing"] = device.sampler("point", comparison="less")
    with needs(device, "image_gather_extended"):
        result = device.kernel(shader("feedback")).dispatch(1, **bound, **states, Params=params)
        around = [(2, 1), (2, 2), (1, 2), (1, 1)]  # rows and columns around the middle
        moved = [(row - 1, column + 1) for row, column in around]
        expected = [
            source[y, x],
            samples[y, x, 1],
            source[2, 2],
            np.full(4, depth[2, 2] > 0.4),
            [source[at][0] for at in around],
            [source[at][0] for at in moved],
            [depth[at] > 0.4 for at in around],
            [depth[at] > 0.4 for at in moved],
            texels[x],
            raw[x],
            cells[x],
        ]
        np.testing.assert_array_equal(result.seen["value"][:11], np.array(expected, np.float32))
        assert (result.seen["value"][11].view(np.uint32) == 4 * y + x + 1).all()
        assert (result.seen["mapped"] == 1).all()
