"""Packed formats, swizzled formats, and depth with stencil, compared with NumPy.

A device may differ in the last bits of a float; the reference machine is exact.
"""

from typing import Any

import numpy as np
import pytest

import vkrunner

from ..conftest import needs
from ..listings import listing, store
from ..textures.shaders import Array, shader
from ..textures.test_gathering import COMPARE, GATHER, compare, gather
from ..textures.test_gathering import PLACE as COMPARED
from ..textures.test_loads import load
from ..textures.test_sampling import PLACE
from ..textures.test_sampling import run as sample
from ..textures.test_uavs import along_a_row, perform
from .packed import FORMATS, Packed, codes_of, half_a_step
from .reading import OUTSIDE, gather_all, load_all, places_of

CLOSE = 2e-7  # two units in the last place of 1
BUFFERS = ("b5g6r5_unorm", "b5g5r5a1_unorm", "b4g4r4a4_unorm", "b8g8r8x8_unorm")
NO_UAVS = ("b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb", "r24_unorm_x8_typeless",
           "x24_typeless_g8_uint", "r8g8_b8g8_unorm", "bc1_unorm", "bc7_unorm_srgb", "d32_float",
           "d16_unorm", "r8g8b8a8_unorm_srgb")  # fmt: skip


def as_image(name: str, codes: Array) -> Array:
    """Texels as a caller passes them: bytes for b8g8r8x8, else numbers."""
    if name.startswith("b8g8r8x8"):
        return np.ascontiguousarray(codes).view(np.uint8).reshape(*codes.shape, 4)
    return codes


def assert_texels(found: Array, format: Packed, codes: Array, *, exact: bool) -> None:
    expected = format.components(codes)
    if exact:
        np.testing.assert_array_equal(found, expected.astype(np.float32))
        return
    close = half_a_step(expected) if format.srgb else CLOSE  # FS §2.3.2
    assert (abs(found - expected) <= close).all(), f"off by up to {abs(found - expected).max()}"
    whole = np.isin(expected, (0.0, 1.0))
    np.testing.assert_array_equal(found[whole], expected[whole])


def is_exact(device: Any) -> bool:
    return device.info.index < 0


@pytest.mark.parametrize("name", FORMATS)
def test_every_code(device: Any, name: str) -> None:
    """Loads; samples at the texels' centres, which are exact: FS §3.2.3.2, §7.18.8."""
    codes = codes_of(name)
    texture = device.texture(as_image(name, codes), name)
    found = load_all(device, texture, codes.shape)
    assert_texels(found, FORMATS[name], codes, exact=is_exact(device))
    places = np.zeros(codes.size, PLACE)
    places["at"][:, :2] = (places_of(codes.shape)[:, :2] + 0.5) / codes.shape[::-1]
    found = sample(device, "2d", texture, places, device.sampler("point"))["level"]
    assert_texels(found, FORMATS[name], codes.reshape(-1), exact=is_exact(device))


@pytest.mark.parametrize("name", FORMATS)
def test_each_channel_is_gathered(device: Any, name: str) -> None:
    codes = codes_of(name)[:8, -16:]
    texture = device.texture(as_image(name, codes), name)
    found = gather_all(device, texture, *codes.shape)
    assert_texels(found, FORMATS[name], codes, exact=is_exact(device))


@pytest.mark.parametrize("name", FORMATS)
def test_mips_layers_and_arrays(device: Any, name: str) -> None:
    """A view of one mip and layer; an array passed to the dispatch; texels read back."""
    codes = codes_of(name).reshape(-1)[-4 * 6 * 8 :].reshape(4, 6, 8)
    small = codes[:, :3, :4][..., ::-1]
    given = [as_image(name, level) for level in (codes, np.ascontiguousarray(small))]
    texture = device.texture(given[0], name, "2darray", given[1:])
    found = load_all(device, texture, small.shape, 1, "2darray")
    assert_texels(found, FORMATS[name], small, exact=is_exact(device))
    flat = load_all(device, texture.view(1, 2, dimension="2d"), small.shape[1:])
    np.testing.assert_array_equal(flat, found[2])
    shown = given[1]
    if name == "r24_unorm_x8_typeless" and not is_exact(device):
        shown = shown & np.uint32(0xFFFFFF)  # bits that the view does not show are not kept
    np.testing.assert_array_equal(texture.read(1), shown)
    kernel = device.kernel(shader("load_2d"), formats={"t0": name})
    places, seen = places_of((6, 8))[-32:], np.zeros((32, 4), np.float32)
    found = kernel.dispatch(1, source=given[0][1], places=places, seen=seen).seen
    assert_texels(found, FORMATS[name], codes[1].reshape(-1)[-32:], exact=is_exact(device))


@pytest.mark.parametrize("name", FORMATS)
def test_outside(device: Any, name: str) -> None:
    """0, and 1 in an alpha that the format lacks: FS §19.1.3.3."""
    texture = device.texture(as_image(name, codes_of(name)[:4, :4]), name)
    found = load(device, "load_2d", texture, OUTSIDE)
    alpha = float(FORMATS[name].fields[3] is None)
    np.testing.assert_array_equal(found, [(0, 0, 0, alpha)] * 3)


@pytest.mark.parametrize("name", BUFFERS[:3])
def test_every_way_to_fill_a_texture(device: Any, name: str) -> None:
    codes = codes_of(name)[:, :64]
    texture = device.texture(codes.shape, name, mips=2)
    assert_texels(load_all(device, texture, codes.shape), FORMATS[name], codes * 0, exact=False)
    texture.write(codes[::-1])
    np.testing.assert_array_equal(texture.read(), codes[::-1])
    other = device.texture(codes.shape, name, mips=2)
    with device.record() as work:
        work.copy(texture, other)
        step = work.copy(codes, texture)
        work.clear(texture.view(1), 0x8421)
    work.submit({step: {"source": codes + 1}}).wait()
    np.testing.assert_array_equal(texture.read(), codes + 1)
    np.testing.assert_array_equal(texture.read(1), np.full((8, 32), 0x8421, np.uint16))
    np.testing.assert_array_equal(other.read(), codes[::-1])
    found = load_all(device, other, codes.shape)
    assert_texels(found, FORMATS[name], codes[::-1], exact=is_exact(device))


READ_BUFFER = listing(
    ["ld_indexable(buffer)(float,float,float,float) r0.xyzw, vThreadID.xxxx, t0.xyzw", store("r0")],
    ["dcl_resource_buffer (float,float,float,float) t0", "dcl_uav_structured u0, 16"],
    group=(32, 1, 1),
)


@pytest.mark.parametrize("name", BUFFERS)
def test_typed_buffers(device: Any, name: str) -> None:
    """D3D requires b8g8r8x8_unorm, and makes the others optional; all devices have them here.

    Every code of an array that is passed to the dispatch, then a view of some.
    """
    codes = codes_of(name).reshape(-1)
    kernel = device.kernel(READ_BUFFER, formats={"t0": name})
    seen = np.full((len(codes), 4), 77, np.float32)
    found = kernel.dispatch(len(codes) // 32, t0=codes, u0=seen).u0
    assert_texels(found, FORMATS[name], codes, exact=is_exact(device))
    view = device.buffer(codes[-64:]).view(16, 40, format=name)
    found = device.kernel(READ_BUFFER).dispatch(2, t0=view, u0=seen[:64]).u0
    assert_texels(found[:40], FORMATS[name], codes[-48:-8], exact=is_exact(device))
    alpha = float(FORMATS[name].fields[3] is None)
    np.testing.assert_array_equal(found[40:], [(0, 0, 0, alpha)] * 24)


@pytest.mark.parametrize(
    "name", ["a8_unorm", "b8g8r8x8_unorm_srgb", "bc1_unorm", "d32_float", "r9g9b9e5_sharedexp"]
)
def test_buffers_that_d3d_does_not_have(device: Any, name: str) -> None:
    kernel = device.kernel(READ_BUFFER)
    view = device.buffer(64).view(format=name)
    with pytest.raises(vkrunner.FormatError, match=f"t0: D3D has no typed buffers of {name}"):
        kernel.dispatch(1, t0=view, u0=np.zeros((32, 4), np.float32))


@pytest.mark.parametrize("name", NO_UAVS)
def test_uavs_that_d3d_does_not_have(device: Any, name: str) -> None:
    kind, values = ("uint4", "u4") if name.endswith("uint") else ("float4", "f4")
    try:
        target = device.texture((4, 4), name)
    except vkrunner.FeatureError as error:
        if "texture_compression_bc" not in str(error):
            raise
        return
    with pytest.raises(vkrunner.FormatError, match=f"D3D has no UAVs of {name}"):
        perform(device, f"store_2d_{kind}", target, along_a_row(), np.zeros((32, 4), values))


@pytest.mark.parametrize("name", BUFFERS[:3])
def test_stores_that_d3d_leaves_to_the_device(device: Any, name: str) -> None:
    codes = codes_of(name).reshape(-1)[1::2047][:32].reshape(1, -1)
    values = FORMATS[name].components(codes)[0].astype(np.float32)
    target = device.texture(np.zeros_like(codes), name)
    try:
        perform(device, "store_2d_float4", target, along_a_row(), values)
    except vkrunner.FeatureError as error:
        if is_exact(device) or f"does not take {name} as a storage image" not in str(error):
            raise
        return
    np.testing.assert_array_equal(target.read(), codes)


def test_alpha_is_stored(device: Any) -> None:
    """a8_unorm, the only one of these UAVs that D3D requires: rounded, dropped outside."""
    values = np.full((32, 4), 0.75, np.float32)
    alphas = np.array([0, 1, 0.502, -1, 2, np.nan, 51 / 255, 1 / 3], np.float32)
    values[: len(alphas), 3] = alphas
    target = device.texture(np.full((1, 8), 9, np.uint8), "a8_unorm")
    perform(device, "store_2d_float4", target, along_a_row(), values)
    assert target.read()[0].tolist() == [0, 255, 128, 0, 255, 0, 51, 85]
    found = load_all(device, target, (1, 8))[0]
    assert not found[:, :3].any()
    np.testing.assert_allclose(found[:, 3], target.read()[0] / 255, rtol=0, atol=CLOSE)


LOAD_UAV = listing(
    ["ld_uav_typed r0.xyzw, vThreadID.xyyy, u0.xyzw", store("r0", resource="u1")],
    ["dcl_uav_typed_texture2d (float,float,float,float) u0", "dcl_uav_structured u1, 16"],
    group=(4, 1, 1),
)


def test_alpha_is_loaded_from_a_uav(device: Any) -> None:
    target = device.texture(np.array([[0, 255, 51]], np.uint8), "a8_unorm")
    found = device.kernel(LOAD_UAV).dispatch(1, u0=target, u1=np.full((4, 4), 7, "f4")).u1
    expected = [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0, 0.2), (0, 0, 0, 0)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("name", ["a8_unorm", "b8g8r8x8_unorm"])
def test_samples(device: Any, name: str) -> None:
    codes = codes_of(name).reshape(-1)[-24:].reshape(2, 3, 4)
    with needs(device, "storage_image_multisample", "storage_image_write_without_format"):
        texture = device.texture(as_image(name, codes), name, "2dms")
        np.testing.assert_array_equal(texture.read(), as_image(name, codes))
        places = np.array([(2, 1, 0, 3), (0, 0, 0, 1)], np.int32)
        found = load(device, "load_2dms", texture, places)
        chosen = codes[[1, 0], [2, 0], [3, 1]]
        assert_texels(found, FORMATS[name], chosen, exact=is_exact(device))


def test_samples_of_depths_that_are_held_as_others(device: Any) -> None:
    """The reference machine has them; no Vulkan device copies them sample by sample."""
    codes = np.arange(24, dtype=np.uint32).reshape(2, 3, 4)
    try:
        texture = device.texture(codes, "r24_unorm_x8_typeless", "2dms")
    except vkrunner.FeatureError as error:
        if is_exact(device) or "cannot upload multisampled textures" not in str(error):
            raise
        return
    np.testing.assert_array_equal(texture.read(), codes)


# --- depth and stencil ----------------------------------------------------------------------------

DEPTH_STENCIL = np.dtype([("depth", "<f4"), ("stencil", "u1"), ("unused", "V3")])


def test_stencils_are_read_as_green(device: Any) -> None:
    rng = np.random.default_rng(8)
    words = rng.integers(0, 1 << 32, (5, 7), np.uint64).astype(np.uint32)
    expected = np.zeros((5, 7, 4), np.uint32)
    expected[..., 1], expected[..., 3] = words >> 24, 1
    texture = device.texture(words, "x24_typeless_g8_uint")
    found = load_all(device, texture, (5, 7), dtype=np.uint32)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(texture.read(), words)
    pairs = np.zeros((5, 7), DEPTH_STENCIL)
    pairs["depth"], pairs["stencil"] = 0.25, words >> 24
    texture = device.texture(pairs, "x32_typeless_g8x24_uint")
    found = load_all(device, texture, (5, 7), dtype=np.uint32)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(texture.read()["stencil"], pairs["stencil"])


def test_depths_beside_a_stencil(device: Any) -> None:
    pairs = np.zeros((5, 7), DEPTH_STENCIL)
    pairs["depth"] = np.random.default_rng(3).random((5, 7), np.float32)
    pairs["stencil"] = 200
    texture = device.texture(pairs, "r32_float_x8x24_typeless")
    found = load_all(device, texture, (5, 7))
    np.testing.assert_array_equal(found[..., 0], pairs["depth"])
    np.testing.assert_array_equal(found[..., 1:], np.broadcast_to((0, 0, 1), (5, 7, 3)))
    np.testing.assert_array_equal(texture.read()["depth"], pairs["depth"])
    whole = device.texture((5, 7), "r32_float_x8x24_typeless")
    assert (whole.dtype, whole.shape) == (np.dtype("<u4"), (5, 7, 2))


@pytest.mark.parametrize("name", ["r24_unorm_x8_typeless", "r32_float_x8x24_typeless"])
@pytest.mark.parametrize("comparison", ["less_equal", "greater", "equal", "not_equal"])
def test_depths_are_compared(device: Any, name: str, comparison: str) -> None:
    """The reference is clamped if the depth is normalised: FS §7.18.14."""
    codes = np.random.default_rng(5).integers(0, 9, (8, 16)) * ((1 << 24) - 1) // 8
    depths = (codes / ((1 << 24) - 1)).astype(np.float32)
    if name.startswith("r24"):
        source = codes.astype(np.uint32) | np.uint32(0x5A000000)
    else:
        source = np.zeros((8, 16), DEPTH_STENCIL)
        source["depth"] = depths
    places = np.zeros(128, COMPARED)
    places["at"][:, :2] = (places_of((8, 16))[:, :2] + 0.5) / (16, 8)
    places["reference"] = np.tile(np.array([0, 0.5, 1, 2, -1, 0.25, 0.125, 1.5], "f4"), 16)
    state = device.sampler("point", comparison=comparison)
    with needs(device, "image_gather_extended"):
        texture = device.texture(source, name)
        found = compare(device, "2d", texture, places, {"state": state})
        reference = places["reference"]
        if name.startswith("r24"):
            reference = np.clip(reference, 0, 1)
        expected = COMPARE[comparison](reference, depths.reshape(-1))
        np.testing.assert_array_equal(found["sampled"], expected)
        assert 0 < expected.sum() < 128


@pytest.mark.parametrize(
    ("name", "shape", "dimension"),
    [
        ("r24_unorm_x8_typeless", (2, 2, 2), "3d"),
        ("x32_typeless_g8x24_uint", (2, 2, 2), "3d"),
        ("bc1_unorm", (2,), "1d"),
        ("bc7_unorm", (2, 3), "1darray"),
        ("bc4_snorm", (2, 2, 4), "2dms"),
        ("r8g8_b8g8_unorm", (2, 2, 4), "2dms"),
    ],
)
def test_no_such_textures(device: Any, name: str, shape: tuple[int, ...], dimension: str) -> None:
    message = f"D3D has no {dimension} textures of {name}"
    with pytest.raises(vkrunner.FormatError, match=message):
        device.texture(shape, name, dimension)


# --- borders --------------------------------------------------------------------------------------


@pytest.mark.parametrize("border", [(0, 0, 0, 0), (1, 1, 1, 1), (0, 0, 0, 1)])
@pytest.mark.parametrize("name", ["a8_unorm", "b8g8r8x8_unorm", "b4g4r4a4_unorm", "b5g6r5_unorm"])
def test_borders(device: Any, name: str, border: tuple[int, ...]) -> None:
    """A border has the format's components; the others have their defaults: FS §7.18.9.1."""
    texture = device.texture(as_image(name, codes_of(name)[:4, :4]), name)
    places = np.zeros(32, GATHER)
    places["at"][:, :2] = 3.0
    state = device.sampler("point", "border", border=border)
    if name == "a8_unorm" and border == (0, 0, 0, 1) and not is_exact(device):
        with pytest.raises(vkrunner.FeatureError, match="a8_unorm"):
            gather(device, "2d", texture, places, state)
        return
    found = gather(device, "2d", texture, places, state)[0]
    had = [field is not None for field in FORMATS[name].fields]
    rows = zip(border, had, (0, 0, 0, 1), strict=True)
    expected = [own if there else default for own, there, default in rows]
    assert [float(found[part][0]) for part in found.dtype.names] == expected
