"""Textures of one sample bound where the shader declares multisampled ones, which D3D allows.

Vulkan does not: its multisampled images have two samples or more. A texel's only sample is at its
centre (FS §19.2.4); loads of other samples give the results of loads outside.
"""

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner
from translate.options import WORKAROUNDS

from ..textures.shaders import numbered
from ..textures.shaders import shader as texture_shader
from ..textures.test_loads import load, of_samples
from ..textures.test_sizes import samples_of
from .shaders import shader

SHAPES = {"2dms": (5, 6, 1), "2dmsarray": (3, 5, 6, 1)}


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("dimension", SHAPES)
def test_loads(device: Any, dimension: str, guards: str) -> None:
    """From a texture made with one sample, an array, and a texture that is not multisampled."""
    texels = numbered((*SHAPES[dimension], 4))
    places, expected = of_samples(texels)
    flat = device.texture(texels[..., 0, :], dimension=dimension.replace("ms", ""))
    made = device.texture(texels, dimension=dimension)
    assert (made.samples, made.dimension, made.shape) == (1, dimension, texels.shape)
    for source in (made, texels, flat.view(dimension=dimension)):
        seen = load(device, f"load_{dimension}", source, places, guards=guards)
        np.testing.assert_array_equal(seen, expected)


def test_one_kernel_serves_any_number(device: Any) -> None:
    kernel = device.kernel(shader("samples"))
    for samples in (1, 4, 1):
        texels = [numbered((3, 2, samples)) * (n + 1) for n in range(2)]
        result = kernel.dispatch(2, images=texels, found=np.zeros((4, 4), np.float32))
        expected = [
            [images[1, 1, n] if n < samples else 0, 2, 3, samples]
            for n in range(2)
            for images in texels
        ]
        np.testing.assert_array_equal(result["found"], expected)


def test_null_beside_one_sample(device: Any) -> None:
    if not device.features.null_descriptor:
        return
    images = [None, numbered((3, 2, 1))]
    kernel, found = device.kernel(shader("samples")), np.zeros((2, 4), np.float32)
    result = kernel.dispatch(1, images=images, found=found)
    np.testing.assert_array_equal(result["found"], [[0, 0, 0, 0], [4, 2, 3, 1]])


def test_arrays_of_one_sample_and_of_several(device: Any) -> None:
    """The shader declares one array of images; in Vulkan all are multisampled or none."""
    images = [numbered((3, 2, 1)), numbered((3, 2, 4))]
    kernel, found = device.kernel(shader("samples")), np.zeros((2, 4), np.float32)
    if isinstance(device, vkrunner.ReferenceDevice):
        result = kernel.dispatch(1, images=images, found=found)
        np.testing.assert_array_equal(result["found"], [[4, 2, 3, 1], [13, 2, 3, 4]])
        return
    with pytest.raises(vkrunner.FormatError, match="t0"):
        kernel.dispatch(1, images=images, found=found)


def test_queries(device: Any) -> None:
    """`resinfo`, `sampleinfo` and `samplepos`: one sample, at the centre."""
    flat = device.texture((5, 6, 1), "r8g8b8a8_unorm", samples=1)
    layers = device.texture((3, 5, 6), "r32_float", "2darray").view(dimension="2dmsarray")
    result = samples_of(device, flat, layers)
    assert result.sizes.tolist() == [[6, 5, 0, 1], [6, 5, 3, 1]]
    assert not result.positions.any()


def test_views_of_one_sample(device: Any, machine: vkrunner.ReferenceDevice) -> None:
    """A texture of one sample can be seen either way; a multisampled view shows its first mip."""
    texels = numbered((4, 6))
    texture = device.texture(texels, mips=3)
    view = texture.view(dimension="2dms")
    assert view.shape == (4, 6, 1)
    np.testing.assert_array_equal(view.read(), texels[..., None])
    made = device.texture(texels[..., None], dimension="2dms")
    made.write(texels[..., None] + 1)
    np.testing.assert_array_equal(made.view(dimension="2d").read(), texels + 1)
    several = device.texture((4, 6, 4), "r32_float", samples=4)
    for given, message in (
        ({"mip": 1, "dimension": "2dms"}, "a 2dms shows the first mip, and no other"),
        ({"num_mips": 2, "dimension": "2dms"}, "a 2dms shows the first mip, and no other"),
        ({"dimension": "3d"}, "a 2d texture cannot be seen as a 3d"),
    ):
        with pytest.raises(vkrunner.FormatError, match=message):
            texture.view(**given)
    two = machine.texture((4, 6, 2), "r32_float", samples=2)  # few Vulkan devices have such
    for texture in (several, two):
        with pytest.raises(vkrunner.FormatError, match=r"2dms.*2d"):
            texture.view(dimension="2d")
    with pytest.raises(vkrunner.InvalidValueError, match=r"1.*1.*2"):
        device.texture((4, 6, 1), "r32_float", "2dms", mips=2)


def test_a_finished_module(device: Any) -> None:
    """It is for one sample or for several, which its dimension shows."""
    program = translate.load(texture_shader("samples"))
    cured = WORKAROUNDS.intersection(device.faults)
    several = translate.to_spirv(program, translate.Options(workarounds=cured))
    chosen = translate.Options(single_sample=frozenset({"t0", "t1"}), workarounds=cured)
    single = translate.to_spirv(program, chosen)
    dimensions = [[module.interface[r].dimension for r in ("t0", "t1")]
                  for module in (several, single)]  # fmt: skip
    assert dimensions == [["2dms", "2dmsarray"], ["2d", "2darray"]]
    for register, message in (
        ("t9", "t9 is not a register of this shader: it cannot have a single sample"),
        ("u0", "u0 cannot have a single sample: it is not multisampled"),
    ):
        with pytest.raises(translate.OptionError, match=message):
            translate.to_spirv(program, translate.Options(single_sample=frozenset({register})))
    if isinstance(device, vkrunner.ReferenceDevice):
        return  # it runs no SPIR-V
    outputs = {"sizes": np.zeros((2, 4), np.uint32), "positions": np.zeros((36, 2), np.float32)}
    images = {"flat": numbered((5, 6, 1)), "layers": numbered((2, 5, 6, 4))}
    kernel = device.kernel(several)
    with pytest.raises(vkrunner.FormatError, match=r"single_sample=\{'t0'\}"):
        kernel.dispatch(1, **images, **outputs)
    images = {"flat": numbered((5, 6, 4)), "layers": numbered((3, 5, 6, 4))}  # components of texels
    result = device.kernel(single).dispatch(1, **images, **outputs)
    assert result.sizes.tolist() == [[6, 5, 0, 1], [6, 5, 3, 1]]
