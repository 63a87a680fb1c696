"""Packed and swizzled formats in samples, and after every way to fill a texture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .packed import FORMATS, codes_of
from .reading import load_all
from .test_packed import as_image, assert_texels, is_exact

SAMPLE = """
cs_5_0
dcl_sampler s0, mode_default
dcl_resource_texture2d (float,float,float,float) t0
dcl_uav_structured u0, 16
dcl_input vThreadID.xy
dcl_temps 2
dcl_thread_group 8, 8, 1
imad r1.x, vThreadID.y, l(WIDTH), vThreadID.x
utof r0.xy, vThreadID.xyxx
add r0.xy, r0.xyxx, l(0.5, 0.5, 0.0, 0.0)
div r0.xy, r0.xyxx, l(WIDTH.0, HEIGHT.0, 1.0, 1.0)
sample_l_indexable(texture2d)(float,float,float,float) r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0.0)
store_structured u0.xyzw, r1.x, l(0), r0.xyzw
ret
"""


@pytest.mark.parametrize("name", FORMATS)
def test_every_code_is_sampled(device: Any, name: str) -> None:
    """At its centre a sample is the texel, exactly: FS §3.2.3.2, §7.18.8."""
    codes = codes_of(name)
    height, width = codes.shape
    listing = SAMPLE.replace("WIDTH", str(width)).replace("HEIGHT", str(height))
    texture = device.texture(as_image(name, codes), name)
    seen = np.zeros((height * width, 4), np.float32)
    kernel, point = device.kernel(listing), device.sampler("point")
    found = kernel.dispatch((width // 8, height // 8), t0=texture, s0=point, u0=seen).u0
    expected = codes.reshape(-1)
    assert_texels(found, FORMATS[name], expected, exact=is_exact(device))


@pytest.mark.parametrize("name", ["b5g6r5_unorm", "b5g5r5a1_unorm", "b4g4r4a4_unorm"])
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
