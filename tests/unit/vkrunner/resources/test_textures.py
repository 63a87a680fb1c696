"""Textures and samplers on a device: writing and reading, views, lifetimes, and errors."""

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from checks.driver import CountingDriver, Driver, renaming
from vkrunner import Device, errors
from vkrunner.values.formats import FORMATS
from vkrunner.values.samplers import SamplerState, default_state
from vkrunner.vulkan.loader import vk

from ....conftest import needs
from ....textures.shaders import AXES, SHAPES

CORPUS = Path(__file__).parents[3] / "corpus" / "cs_5_0"
# Vulkan specification, "Mandatory Format Support": the formats that every device samples.
EVERYWHERE = {
    *(f"{layout}_{kind}" for layout in ("r8", "r8g8", "r8g8b8a8")
      for kind in ("unorm", "snorm", "uint", "sint")),
    *(f"{layout}_{kind}" for layout in ("r16", "r16g16", "r16g16b16a16", "r32", "r32g32",
      "r32g32b32a32") for kind in ("uint", "sint", "float")),
    *("r8g8b8a8_unorm_srgb", "b8g8r8a8_unorm", "b8g8r8a8_unorm_srgb"),
    *("r10g10b10a2_unorm", "r10g10b10a2_uint", "r11g11b10_float"),
}  # fmt: skip


def numbered(*shape: int, dtype: Any = np.float32) -> Any:
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("dimension", AXES)
def test_every_dimension_and_mip(device: Device, dimension: str, staged: bool) -> None:
    with vkrunner.open_device(device.info.index, staged=staged) as own:
        array = numbered(*SHAPES[dimension], 2)
        texture = own.texture(array, dimension=dimension, mips=2)
        assert (texture.format, texture.dimension, texture.mips) == ("r32g32_float", dimension, 2)
        assert (texture.shape, texture.dtype) == (array.shape, array.dtype)
        np.testing.assert_array_equal(texture.read(), array)
        assert not texture.read(1).any()
        small = numbered(*texture.read(1).shape) + 50
        texture.write(small, mip=1)
        np.testing.assert_array_equal(texture.read(1), small)
        np.testing.assert_array_equal(texture.read(), array)
        texture.write(array + 1)
        np.testing.assert_array_equal(texture.read(), array + 1)


# The bytes that a view of depth or stencil shows; devices need not keep the others.
SHOWN = {
    "r24_unorm_x8_typeless": slice(0, 3),
    "r32_float_x8x24_typeless": slice(0, 4),
    "x32_typeless_g8x24_uint": slice(4, 5),
}


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_of_every_format(device: Device, name: str) -> None:
    """A texel's bytes are read back as written, whatever they mean; 12 in a row: an odd pitch."""
    format = FORMATS[name]
    random = np.random.default_rng(1).integers(0, 256, (3, 7, format.texel_bytes)).astype("u1")
    raw, shown = np.zeros_like(random), SHOWN.get(name, slice(None))
    raw[..., shown] = random[..., shown]
    if format.kind == "float":
        raw[..., 1::2] &= 0x3B  # no NaNs, whose bits may change
    try:
        texture = device.texture(raw.view(format.dtype), format=name, mips=2)
    except errors.FeatureError as error:
        if name in EVERYWHERE or f"has no textures of {name}" not in str(error):
            raise
        return
    assert texture.read().tobytes() == raw.tobytes()


@pytest.mark.parametrize("dimension", ["2dms", "2dmsarray"])
@pytest.mark.parametrize("format", ["r32_float", "r8_unorm", "r16_sint", "r32_uint"])
def test_samples(device: Device, dimension: str, format: str) -> None:
    array = numbered(*SHAPES[dimension], dtype=FORMATS[format].dtype)
    texture = device.texture(array, format, dimension)
    assert texture.samples == 4
    np.testing.assert_array_equal(texture.read(), array)
    texture.write(array[::-1])
    np.testing.assert_array_equal(texture.read(), array[::-1])
    if dimension == "2dmsarray":
        one = texture.view(first_slice=1, dimension="2dms")
        np.testing.assert_array_equal(one.read(), array[::-1][1])
        one.write(array[0])
        np.testing.assert_array_equal(texture.read()[1:], [array[0], array[0]])


def test_samples_make_a_2d_multisampled(device: Device) -> None:
    texture = device.texture((2, 3, 4), "r32_float", samples=4)
    assert (texture.dimension, texture.shape) == ("2dms", (2, 3, 4))
    with pytest.raises(errors.ShapeError, match=r"4.*8"):
        device.texture((2, 3, 4), "r32_float", samples=8)
    with pytest.raises(errors.InvalidValueError, match=r"1, 2, 4, 8.*16.*3"):
        device.texture((2, 2, 3), "r32_float", "2dms")


def test_mips_can_be_given(device: Device) -> None:
    levels = [numbered(4, 6, dtype=np.uint8), numbered(2, 3, dtype=np.uint8) + 100]
    texture = device.texture(levels[0], "r8_unorm", mips=levels[1:])
    assert texture.mips == 2
    np.testing.assert_array_equal(texture.read(1), levels[1])
    with pytest.raises(errors.ShapeError, match=r"1.*uint8\[2, 3\].*uint8\[3"):
        device.texture(levels[0], mips=[numbered(3, 3, dtype=np.uint8)])


def test_views(device: Device) -> None:
    array = numbered(3, 4, 6, dtype=np.uint32)
    texture = device.texture(array, dimension="2darray", mips=2)
    np.testing.assert_array_equal(texture.view(first_slice=1).read(), array[1:])
    np.testing.assert_array_equal(texture.view(dimension="2d", first_slice=2).read(), array[2])
    one = texture.view(1, first_slice=1, num_slices=1)
    assert one.shape == (1, 2, 3)
    one.write(numbered(1, 2, 3, dtype=np.uint32) + 7)
    assert texture.read(1)[1].tolist() == [[7, 8, 9], [10, 11, 12]]
    assert not texture.read(1)[[0, 2]].any()
    with pytest.raises(errors.ShapeError, match=r"\[4, 6\].*\[6, 4\]"):
        texture.view(dimension="2d", first_slice=2).write(numbered(6, 4, dtype=np.uint32))
    with pytest.raises(errors.ShapeError, match=r"288.*12"):
        texture.write(np.zeros(3, np.uint32))


def test_a_texture_that_is_too_large(device: Device) -> None:
    with pytest.raises(errors.LimitError, match="65536"):
        device.texture((1, 65536), "r8_unorm")
    with pytest.raises(errors.LimitError, match="40000"):
        device.texture((40000, 1, 1), "r8_unorm", "2darray")


def test_textures_end(device: Device) -> None:
    with device.texture((2, 2), "r32_uint") as texture:
        pass
    with pytest.raises(errors.ClosedError):
        texture.read()
    texture.close()


def test_collected_textures_are_destroyed(device: Device, driver: Driver) -> None:
    with vkrunner.open_device(device.info.index) as own:
        kept = own.texture((2, 2), "r32_uint")
        own.texture((2, 2), "r32_uint").close()
        before = driver.objects["Image"]
        gone = weakref.ref(kept)
        del kept
        gc.collect()
        assert gone() is None
        own.texture((2, 2), "r32_uint").close()
        assert driver.objects["Image"] == before - 1


def resampled() -> dict[str, Any]:
    image = np.zeros((2, 2, 4), np.float32)
    return {"source": image, "layers": np.zeros((1, 2, 2), np.float32), "target": image}


def test_another_devices_textures_and_samplers(device: Device) -> None:
    with vkrunner.open_device(device.info.index) as own:
        kernel, given = own.kernel(CORPUS / "resample.dxbc"), resampled()
        with pytest.raises(errors.WrongDeviceError, match=r"t0 \(source\)"):
            kernel.dispatch(1, **{**given, "source": device.texture(given["source"])})
        with pytest.raises(errors.WrongDeviceError, match=r"s0 \(linear_clamp\)"):
            kernel.dispatch(1, **given, linear_clamp=device.sampler())


def test_values_that_are_no_textures(device: Device) -> None:
    kernel, given = device.kernel(CORPUS / "resample.dxbc"), resampled()
    image, layers = given["source"], given["layers"]
    for changes, message in (
        (
            {"source": device.buffer(16)},
            r"t0 \(source\) is a 2d texture: pass an array or device.texture.*, not a Buffer",
        ),
        ({"source": layers[0, 0]}, r"t0 \(source\): a 2d texture takes \[height, width\]"),
        ({"layers": image.astype("u4")}, r"t1 \(layers\) is read as float, but r32_uint is uint"),
        (
            {"source": image.astype("u1")},
            r"name its format, device.kernel\(..., formats=\{'source': 'r8g8b8a8_unorm'\}\), or"
            r" pass device\.texture\(array, format='r8g8b8a8_unorm'",
        ),
        (
            {"source": device.texture(image.astype("u1"))},
            r"r8g8b8a8_uint is uint: pass device\.texture\(array, format='r8g8b8a8_unorm'",
        ),
        ({"linear_clamp": image}, r"s0 \(linear_clamp\) takes a sampler: .* not ndarray"),
    ):
        with pytest.raises(errors.ArgumentError, match=message):
            kernel.dispatch(1, **{**given, **changes})


def test_arrays_without_texels_are_null(device: Device) -> None:
    with needs(device, "null_descriptor"):
        kernel = device.kernel(CORPUS / "sobel.dxbc")
        empty = np.zeros((0, 3, 4), "f4")
        result = kernel.dispatch(1, source=empty, edges=np.full((2, 3), 9, np.float32))
        assert not result.edges.any()
        assert kernel.dispatch(1, source=empty, edges=np.zeros((0, 3), "f4")).edges.shape == (0, 3)


def test_the_default_sampler_is_d3ds(device: Device) -> None:
    """CD3D11_SAMPLER_DESC(CD3D11_DEFAULT)."""
    state = device.sampler().state
    assert state == default_state(comparing=False) == SamplerState()
    assert state.filters == ("linear",) * 3
    assert state.addresses == ("clamp",) * 3
    assert (state.comparison, state.border, state.lod_bias) == (None, (1.0,) * 4, 0.0)
    assert default_state(comparing=True).comparison == "never"


@pytest.mark.parametrize("formats", ["r8g8b8a8_unorm", ["r8g8b8a8_unorm"]])
def test_formats_without_names(formats: Any) -> None:
    with pytest.raises(translate.OptionError, match=r"formats.*dict"):
        translate.Options(formats=formats)


def test_contents_take_no_more_than_their_bytes(
    counting_driver: CountingDriver, device: Device
) -> None:
    """Else a texture of the largest allocation, 2^31 bytes on lavapipe, could not be filled."""
    side = 1024
    size = 4 * side * side
    with vkrunner.open_device(device.info.index) as own:
        own.texture((8, 8), "r32_float").close()  # makes what all textures share
        before = counting_driver.memory_bytes
        texture = own.texture((side, side), "r32_float")
        assert 2 * size <= counting_driver.memory_bytes - before < 2.1 * size
        assert texture.read().shape == (side, side)


@pytest.mark.parametrize("most", [1, 2, 16])
def test_anisotropy(device: Device, driver: Driver, most: int) -> None:
    """The driver describes itself as one that has it, and does not get to know."""
    found: list[tuple[int, float]] = []

    def describe(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        top.features.samplerAnisotropy = 1

    def create(function: Callable[..., int], physical: Any, info: Any, *rest: Any) -> int:
        features = vk.ffi().cast("VkPhysicalDeviceFeatures2*", info.pNext).features
        assert features.samplerAnisotropy
        features.samplerAnisotropy = 0
        return function(physical, info, *rest)

    def make(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
        found.append((info.anisotropyEnable, info.maxAnisotropy))
        info.anisotropyEnable = 0
        return function(handle, info, *rest)

    driver.replace("vkGetPhysicalDeviceProperties2", renaming(b"other"))  # lavapipe has a fault
    driver.replace("vkGetPhysicalDeviceFeatures2", describe)
    driver.replace("vkCreateDevice", create)
    driver.replace("vkCreateSampler", make)
    with vkrunner.open_device(device.info.index) as own:
        own.sampler(max_anisotropy=most)
    assert found == [(most > 1, most)]
