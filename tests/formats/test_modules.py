"""Translated modules: those with code for one format refuse views of another."""

from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..conftest import needs
from ..textures.shaders import shader
from .packed import FORMATS, codes_of
from .reading import places_of
from .test_packed import CLOSE, READ_BUFFER


@pytest.mark.parametrize("name", ["b5g6r5_unorm", "b8g8r8x8_unorm"])
def test_typed_buffers(device: Any, name: str) -> None:
    program, codes = translate.load(READ_BUFFER), codes_of(name).reshape(-1)[-32:]
    given = {"t0": device.buffer(codes).view(format=name), "u0": np.zeros((32, 4), np.float32)}
    options = translate.Options(formats={"t0": name})
    module = translate.to_spirv(program, options)
    bound = {"b5g6r5_unorm": "VK_FORMAT_R16_UINT", "b8g8r8x8_unorm": "VK_FORMAT_B8G8R8A8_UNORM"}
    assert module.interface["t0"].vk_format == bound[name]
    found = device.kernel(module).dispatch(1, **given).u0
    np.testing.assert_allclose(found, FORMATS[name].components(codes), rtol=0, atol=CLOSE)
    message = f"t0 as any format, which {name} is not: translate it with Options"
    with pytest.raises(vkrunner.FormatError, match=message):
        device.kernel(translate.to_spirv(program)).dispatch(1, **given)


def test_an_alpha_as_a_uav(device: Any) -> None:
    program = translate.load(shader("store_2d_float4"))
    given = {"places": np.zeros((32, 4), "u4"), "values": np.full((32, 4), 0.2, "f4")}
    target = device.texture((1, 1), "a8_unorm")
    options = translate.Options(formats={"u0": "a8_unorm"})
    with needs(device, "storage_image_extended_formats"):
        device.kernel(translate.to_spirv(program, options)).dispatch(1, target=target, **given)
        assert target.read().tolist() == [[51]]
    with needs(device, "storage_image_write_without_format"):
        kernel = device.kernel(translate.to_spirv(program))
        with pytest.raises(vkrunner.FormatError, match=r"u0.*a8_unorm"):
            kernel.dispatch(1, target=target, **given)


def test_sampled_textures_need_not_be_known(device: Any) -> None:
    """The view of a texture swizzles its components as D3D does."""
    codes = codes_of("a8_unorm").reshape(-1)[-32:].reshape(1, 32)
    kernel = device.kernel(translate.to_spirv(translate.load(shader("load_2d"))))
    given = {"source": device.texture(codes, "a8_unorm"), "places": places_of((1, 32))}
    seen = kernel.dispatch(1, **given, seen=np.zeros((32, 4), "f4")).seen
    np.testing.assert_allclose(seen[:, 3], codes[0] / 255, rtol=0, atol=CLOSE)
    assert not seen[:, :3].any()
