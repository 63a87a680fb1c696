"""`gather4*` and comparisons: the order of the four texels, channels, offsets, references."""

from typing import Any

import numpy as np
import pytest

import vkrunner

from ..conftest import needs
from .filtering import direction, gathered, layer_of
from .shaders import LAYERED, Array, numbered, pad, shader

COMPARE = {
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "equal": np.equal,
    "not_equal": np.not_equal,
}


def places_of(dtype: np.dtype[Any], count: int = 64) -> Array:
    """Places in and around the texture, off texels' centres and edges, with layers last."""
    rng = np.random.default_rng(count)
    places = np.zeros(count, dtype)
    places["at"][:, 0] = (rng.integers(-8, 24, count) + 0.25) / 16
    places["at"][:, 1] = (rng.integers(-4, 12, count) + 0.75) / 8
    places["at"][:, 2] = rng.integers(0, 3, count)
    return places


GATHER = np.dtype([("at", "<f4", 4), ("offset", "<i4", 2)])


def gather(
    device: Any, name: str, source: Any, places: Array, state: Any = None, kind: str = "<f4"
) -> Array:
    seen_type = np.dtype([(c, kind, 4) for c in ("red", "green", "blue", "alpha")])
    kernel = device.kernel(shader(f"gather_{name}"))
    state = state or device.sampler("point", "wrap")
    return dispatched(kernel, places, seen_type, source=source, state=state)


def dispatched(kernel: Any, places: Array, seen_type: np.dtype[Any], **given: Any) -> Array:
    """The results at each place."""
    padded = pad(places, 32)
    seen = np.zeros(len(padded), seen_type)
    result = kernel.dispatch(len(padded) // 32, places=padded, seen=seen, **given)
    return result.seen[: len(places)]


def test_integers(device: Any) -> None:
    image = numbered((8, 16, 4), np.uint32) + np.uint32(2**31)
    places = places_of(GATHER)
    seen = gather(device, "2d_uint4", image, places, kind="<u4")
    expected = [gathered(image, place["at"])[:, 1] for place in places]
    np.testing.assert_array_equal(seen["green"], np.array(expected).astype(np.uint32))


@pytest.mark.parametrize("moved", [False, True], ids=["plain", "offset"])
@pytest.mark.parametrize("dimension", ["2d", "2darray"])
def test_channels_and_offsets(device: Any, dimension: str, moved: bool) -> None:
    """Red and green at each thread's offsets, blue and alpha at those of the HLSL."""
    with needs(device, *(["image_gather_extended"] if moved else [])):
        image = numbered((*((3,) if dimension in LAYERED else ()), 8, 16, 4))
        places = places_of(GATHER)
        places["offset"] = np.random.default_rng(1).integers(-8, 8, (len(places), 2))
        # Only the low six bits count, signed: 61 is -3.
        places["offset"][3] = 61, 1 << 20 | 2
        real = places["offset"].copy()
        real[3] = -3, 2
        texture = device.texture(image, dimension=dimension)
        seen = gather(device, dimension + "_offset" * moved, texture, places)
        for place, found, own in zip(places, seen, real, strict=True):
            layer = image[layer_of(place["at"][2], 3)] if dimension in LAYERED else image
            offsets = [own, own, (-3, 2), (1, 0)] if moved else [(0, 0)] * 4
            for channel, name in enumerate(seen.dtype.names or ()):
                expected = gathered(layer, place["at"], offset=offsets[channel])[:, channel]
                np.testing.assert_array_equal(found[name], expected)


@pytest.mark.parametrize("dimension", ["cube", "cubearray"])
def test_cubes(device: Any, dimension: str) -> None:
    """Inside a face the four texels are the face's; their order follows its (u, v)."""
    with needs(device, *(["image_cube_array"] if dimension == "cubearray" else [])):
        count = 6 if dimension == "cube" else 12
        image = numbered((count, 8, 8, 4))
        places = np.zeros(count * 4, GATHER)
        inside = [(0.3, 0.4), (0.7, 0.2), (0.55, 0.8), (0.2, 0.7)]
        for n, place in enumerate(places):
            place["at"] = *direction(n // 4 % 6, *inside[n % 4]), n // 24
        seen = gather(device, dimension, device.texture(image, dimension=dimension), places)
        for n, found in enumerate(seen):
            expected = gathered(image[n // 4], inside[n % 4])
            np.testing.assert_array_equal(found["red"], expected[:, 0])
            np.testing.assert_array_equal(found["alpha"], expected[:, 3])


PLACE = np.dtype([("at", "<f4", 4), ("reference", "<f4"), ("offset", "<i4", 2)])
SEEN = np.dtype([("sampled", "<f4"), ("gathered", "<f4", 4), ("moved", "<f4", 4)])


def compare(device: Any, dimension: str, source: Any, places: Array, state: Any) -> Array:
    kernel = device.kernel(shader(f"compare_{dimension}"))
    return dispatched(kernel, places, SEEN, source=source, **state)


def compared() -> Array:
    places = places_of(PLACE, 96)
    rng = np.random.default_rng(5)
    places["reference"] = rng.integers(0, 9, 96) / 8
    places["offset"] = rng.integers(-8, 8, (96, 2))
    return places


def depths(*shape: int) -> Array:
    return (np.random.default_rng(4).integers(0, 9, shape) / 8).astype(np.float32)


@pytest.mark.parametrize("comparison", COMPARE)
def test_comparisons(device: Any, comparison: str) -> None:
    """The reference is on the left: reference < texel (D3D11_COMPARISON_FUNC)."""
    with needs(device, "image_gather_extended"):
        image, places = depths(8, 16), compared()
        state = {"state": device.sampler("point", "wrap", comparison=comparison)}
        seen = compare(device, "2d", image, places, state)
        for place, found in zip(places, seen, strict=True):
            at, reference = place["at"], place["reference"]
            here = image[int(at[1] * 8 // 1) % 8, int(at[0] * 16 // 1) % 16]
            assert found["sampled"] == COMPARE[comparison](reference, here)
            texels = gathered(image[..., None], at)[:, 0]
            np.testing.assert_array_equal(found["gathered"], COMPARE[comparison](reference, texels))
            texels = gathered(image[..., None], at, offset=place["offset"])[:, 0]
            np.testing.assert_array_equal(found["moved"], COMPARE[comparison](reference, texels))


def test_comparisons_are_filtered(device: Any) -> None:
    """Linear filters weigh the four results, not the texels."""
    with needs(device, "image_gather_extended"):
        image, places = depths(8, 16), compared()
        state = {"state": device.sampler("linear", "wrap", comparison="less_equal")}
        seen = compare(device, "2d", image, places, state)
        for place, found in zip(places, seen, strict=True):
            passed = place["reference"] <= gathered(image[..., None], place["at"])[:, 0]
            fx, fy = (float(place["at"][n]) * size - 0.5 for n, size in ((0, 16), (1, 8)))
            fx, fy = fx - np.floor(fx), fy - np.floor(fy)
            weights = [(1 - fx) * fy, fx * fy, fx * (1 - fy), (1 - fx) * (1 - fy)]
            np.testing.assert_allclose(found["sampled"], passed @ weights, atol=1e-5)


@pytest.mark.parametrize("dimension", ["1d", "1darray", "2darray"])
def test_comparisons_in_other_dimensions(device: Any, dimension: str) -> None:
    with needs(device, *(["image_gather_extended"] if dimension == "2darray" else [])):
        places = compared()
        shape = {"1d": (16,), "1darray": (3, 16), "2darray": (3, 8, 16)}[dimension]
        image = depths(*shape)
        if dimension == "1darray":
            places["at"][:, 1] = places["at"][:, 2]
        state = {"state": device.sampler("point", "wrap", comparison="greater")}
        texture = device.texture(image, dimension=dimension, format="d32_float")
        seen = compare(device, dimension, texture, places, state)
        for place, found in zip(places, seen, strict=True):
            x, y = int(place["at"][0] * 16 // 1) % 16, int(place["at"][1] * 8 // 1) % 8
            layer = int(place["at"][2])
            at = {"1d": (x,), "1darray": (layer, x), "2darray": (layer, y, x)}[dimension]
            assert found["sampled"] == (place["reference"] > image[at])
            if dimension == "2darray":
                texels = gathered(image[layer][..., None], place["at"])[:, 0]
                np.testing.assert_array_equal(found["gathered"], place["reference"] > texels)


@pytest.mark.parametrize("dimension", ["cube", "cubearray"])
def test_comparisons_on_cubes(device: Any, dimension: str) -> None:
    with needs(device, *(["image_cube_array"] if dimension == "cubearray" else [])):
        count = 6 if dimension == "cube" else 12
        image = depths(count, 8, 8)
        places = np.zeros(96, PLACE)
        for n, place in enumerate(places):
            face = n // 8 % count
            place["at"] = *direction(face % 6, (n % 8 + 0.5) / 8, 0.4375), face // 6
            place["reference"] = n % 9 / 8
        state = {"state": device.sampler("point", comparison="less")}
        seen = compare(device, dimension, image, places, state)
        expected = [
            place["reference"] < image[n // 8 % count, 3, n % 8] for n, place in enumerate(places)
        ]
        np.testing.assert_array_equal(seen["sampled"], expected)


def test_without_a_sampler_no_comparison_passes(device: Any) -> None:
    with needs(device, "image_gather_extended"):
        seen = compare(device, "2d", depths(8, 16), compared(), {})
        assert not any(seen[name].any() for name in SEEN.names)


def test_formats_that_have_no_linear_filter(device: Any) -> None:
    """No device filters integers; D3D's gather ignores filters, Vulkan's does not."""
    kernel = device.kernel(shader("gather_2d_uint4"))
    given = {"source": numbered((4, 4, 4), "u4"), "places": places_of(GATHER, 32)}
    with pytest.raises(vkrunner.FeatureError, match=r"t0 \(source\).*r32g32b32a32_uint"):
        kernel.dispatch(1, **given, seen=bytes(64))


def test_a_kept_texture_that_cannot_be_compared(device: Any) -> None:
    texture = device.texture(depths(8, 16))
    state = {"state": device.sampler("point", comparison="less")}
    fault = "make the texture with format='d32_float'"
    if not device.features.image_gather_extended:
        fault = "image_gather_extended"  # the kernel needs it before anything is bound
    try:
        found = compare(device, "2d", texture, compared(), state)["sampled"]
    except vkrunner.FeatureError as error:
        if fault not in str(error):
            raise
    else:
        assert found.any()


def test_samplers_compare_where_the_shader_does(device: Any) -> None:
    image, places = depths(8, 16), compared()
    fault = r"s0 \(state\) takes a comparison sampler"
    with needs(device, "image_gather_extended"), pytest.raises(vkrunner.FormatError, match=fault):
        compare(device, "2d", image, places, {"state": device.sampler()})
    kernel = device.kernel(shader("gather_2d"))
    given = {"source": numbered((4, 4, 4)), "places": places_of(GATHER, 32)}
    with pytest.raises(vkrunner.FormatError):
        kernel.dispatch(1, **given, state=device.sampler(comparison="less"), seen=bytes(64))


BORDERS = """cs_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d ({0},{0},{0},{0}) t0
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
"""
GATHERED = (
    "gather4_indexable(texture2d)({0},{0},{0},{0}) r0.xyzw, l(-3.0,-3.0,0,0), t{1}.xyzw, s0.{2}\n"
    "store_raw u0.xyzw, l({3}), r0.xyzw\n"
)
INTEGERS = {
    **{f"{name}_{kind}": channels for kind in ("uint", "sint") for name, channels in (
        ("r8", 1), ("r8g8", 2), ("r8g8b8a8", 4), ("r16", 1), ("r16g16", 2), ("r16g16b16a16", 4),
        ("r32", 1), ("r32g32", 2), ("r32g32b32a32", 4))},
    "r10g10b10a2_uint": 4,
}  # fmt: skip


@pytest.mark.parametrize("border", [(0, 0, 0, 0), (0, 0, 0, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize("name", INTEGERS)
def test_borders_of_integers(device: Any, name: str, border: Any) -> None:
    """FS §7.18.9.1: the border's numbers, and the defaults of components that the format lacks."""
    kind, channels = name[-4:], INTEGERS[name]
    body = "".join(GATHERED.format(kind, 0, c, 16 * n) for n, c in enumerate("xyzw"))
    kernel = device.kernel(f"{BORDERS.format(kind)}{body}ret\n")
    source = device.texture((4, 4), name)
    sampler = device.sampler("point", "border", border=border)
    seen = kernel.dispatch(1, t0=source, s0=sampler, u0=np.full(16, 99, np.uint32)).u0
    expected = [*border[:channels], *(0, 0, 0, 1)[channels:]]
    np.testing.assert_array_equal(seen.reshape(4, 4), np.repeat(expected, 4).reshape(4, 4))


def test_a_border_for_integers_and_floats(device: Any) -> None:
    """One sampler for both: Vulkan needs two, unless the border is 0."""
    body = GATHERED.format("sint", 0, "x", 0) + GATHERED.format("float", 1, "x", 16)
    declared = "dcl_resource_texture2d (float,float,float,float) t1\ndcl_uav_raw"
    head = BORDERS.format("sint").replace("dcl_uav_raw", declared)
    kernel = device.kernel(f"{head}{body}ret\n")
    given = {"t0": device.texture((4, 4), "r32_sint"), "t1": device.texture((4, 4), "r32_float")}

    def seen(border: int) -> Array:
        state = device.sampler("point", "border", border=border)
        return kernel.dispatch(1, **given, s0=state, u0=np.full(8, 9, np.uint32)).u0

    assert not seen(0).any()
    if device.info.type == "reference":
        assert seen(1).tolist() == [1] * 4 + [0x3F800000] * 4
        return
    with pytest.raises(vkrunner.FeatureError, match="integers"):
        seen(1)
