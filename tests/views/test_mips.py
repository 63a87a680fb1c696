"""Views of several mips that begin at a later one."""

from typing import Any

import numpy as np
import pytest

from ..textures.shaders import level_shape, shader
from ..textures.test_loads import load
from ..textures.test_uavs import first_alone

MIPS, EXTENT = 4, 8
SHAPES = {
    "1d": (EXTENT,),
    "1darray": (3, EXTENT),
    "2d": (EXTENT, EXTENT),
    "2darray": (3, EXTENT, EXTENT),
    "3d": (EXTENT, EXTENT, EXTENT),
}
VIEWS = [(first, count) for first in range(MIPS) for count in range(1, MIPS - first + 1)]


def every_mip(dimension: str) -> str:
    """Thread i loads texel 0 of slice 0 of mip i, then its width."""
    kinds = f"(texture{dimension})(float,float,float,float)"
    return f"""cs_5_0
        dcl_resource_texture{dimension} (float,float,float,float) t0
        dcl_uav_structured u0, 8
        dcl_input vThreadID.x
        dcl_temps 2
        dcl_thread_group 8, 1, 1
        mov r0.xyz, l(0, 0, 0, 0)
        mov r0.w, vThreadID.x
        ld_indexable{kinds} r1.x, r0.xyzw, t0.xyzw
        resinfo_indexable{kinds} r1.y, vThreadID.x, t0.yxzw
        store_structured u0.xy, vThreadID.x, l(0), r1.xyxx
        ret
        """


def numbered(dimension: str, format: str = "f4") -> list[Any]:
    """Mips whose texels are their number, from 1 on."""
    shapes = [level_shape(dimension, SHAPES[dimension], mip) for mip in range(MIPS)]
    return [np.full(shape, mip + 1).astype(format) for mip, shape in enumerate(shapes)]


def first_texel(device: Any, view: Any) -> float:
    """The red of the first texel of the first mip that a view shows."""
    return load(device, "load_2d", view, np.zeros((1, 4), np.int32))[0, 0]


@pytest.mark.parametrize("dimension", SHAPES)
def test_loads_of_every_mip(device: Any, dimension: str) -> None:
    levels = numbered(dimension)
    texture = device.texture(levels[0], dimension=dimension, mips=levels[1:])
    kernel = device.kernel(every_mip(dimension))
    for first, count in VIEWS:
        view = texture.view(mip=first, num_mips=count)
        seen = kernel.dispatch(1, t0=view, u0=np.full((8, 2), 7, np.float32)).u0
        expected = np.zeros((8, 2))
        expected[:count] = [(first + i + 1, EXTENT >> (first + i)) for i in range(count)]
        np.testing.assert_array_equal(seen, expected)


@pytest.mark.parametrize(
    ("format", "own", "dtype", "one"),
    [
        ("r8_unorm", "r8_unorm", "u1", 1 / 255),
        ("d32_float", "d32_float", "f4", 1.0),
        ("r32_float", "r32_uint", "f4", 1.0),
    ],
)
def test_other_formats(device: Any, format: str, own: str, dtype: str, one: float) -> None:
    levels = numbered("2d", dtype)
    if own == "r32_uint":
        levels = [level.view(np.uint32) for level in levels]
    texture = device.texture(levels[0], format=own, mips=levels[1:])
    view = texture.view(mip=1, num_mips=2, format=format)
    np.testing.assert_allclose(first_texel(device, view), 2 * one, rtol=1e-6)


def test_a_slice_of_an_array(device: Any) -> None:
    levels = [np.arange(3, dtype=np.float32)[:, None, None] * 10 + x for x in numbered("2darray")]
    texture = device.texture(levels[0], dimension="2darray", mips=levels[1:])
    view = texture.view(mip=1, num_mips=3, dimension="2d", first_slice=2, num_slices=1)
    assert first_texel(device, view) == 22


def test_mips_that_the_same_submission_writes(device: Any) -> None:
    """Each dispatch sees what the one before has stored, also when they are submitted again."""
    levels = numbered("2d")
    texture = device.texture(levels[0], mips=levels[1:])
    load, add = (device.kernel(shader(name)) for name in ("load_2d", "update_2d_float"))
    first, second = (device.buffer(np.zeros((32, 4), np.float32)) for _ in range(2))
    places, values = first_alone(), np.ones(32, np.float32)
    with device.record() as work:
        for seen in (first, second):
            work.dispatch(add, 1, target=texture.view(mip=2), places=places, values=values)
            shown = texture.view(mip=2, num_mips=2)
            work.dispatch(load, 1, source=shown, places=places.astype(np.int32), seen=seen)
    for added in (2, 4):
        work.submit().wait()
        assert [first.read()[0, 0], second.read()[0, 0]] == [3 + added - 1, 3 + added]
