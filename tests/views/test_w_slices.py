"""3D UAVs that show some slices of a mip's depth (D3D11_TEX3D_UAV: FirstWSlice, WSize).

The shader sees only these slices. The slice range offsets and limits the third coordinate
(vkd3d-proton's test_uav_3d_sliced_view checks native drivers). So D3D's rules for accesses outside
of a typed UAV hold (FS §22.4.6-9), and resinfo gives the range's depth.
"""

from functools import partial
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..conftest import needs
from ..textures.shaders import level_shape
from ..textures.shaders import numbered as floats_numbered
from .shaders import shader

Array = np.ndarray[Any, Any]

SHAPE = (9, 4, 6)  # depth, height, width
SLICES = ((0, 9), (0, 3), (2, 4), (5, 4), (8, 1))


def rows_of(views: int = 1) -> Array:
    """Texels inside, at the edges and outside of the slices; no two rows touch one texel."""
    depths = (0, 1, 2, 3, 4, 5, 8, 9, 2**31, 2**32 - 1, 2**32 - 2, 2**32 - 5)
    places = [(view, x, view, z) for view in range(views) for z in depths for x in (0, 3, 6)]
    return np.array(places, np.uint32)


def perform(texels: Array, slices: tuple[int, int] | None, row: Array, n: int) -> list[int]:
    """One group of the shader; returns its results, and changes `texels`, the whole mip."""
    if slices is None:
        return [0, 0, 0, 0, 0]
    first, count = slices
    view = texels[first : first + count]
    depth, height, width = view.shape

    def inside(x: int, y: int, z: int) -> bool:
        return x < width and y < height and z < depth

    x, y, z = (int(c) for c in row[1:])
    loaded = old = 0
    if inside(x, y, z):
        loaded = int(view[z, y, x])
    if inside(x + 1, y, z):
        old = int(view[z, y, x + 1])
        view[z, y, x + 1] += np.uint32(1000 + n)
    if inside(x + 2, y, z):
        view[z, y, x + 2] = 2000 + n
    return [loaded, old, width, height, depth]


numbered = partial(floats_numbered, dtype=np.uint32)


def dispatch(kernel: Any, rows: Array, **arguments: Any) -> Array:
    found = np.full((len(rows), 5), 0xEE, np.uint32)
    return kernel.dispatch(len(rows), rows=rows, found=found, **arguments)["found"]


def check(kernel: Any, texture: Any, texels: Array, slices: tuple[int, int], mip: int = 0) -> None:
    """Dispatch for a view of some slices, and compare the results and the whole mip."""
    rows = rows_of()
    expected = [perform(texels, slices, row, n) for n, row in enumerate(rows)]
    view = texture.view(mip, first_w_slice=slices[0], num_w_slices=slices[1])
    np.testing.assert_array_equal(dispatch(kernel, rows, view=view), expected)
    np.testing.assert_array_equal(texture.read(mip), texels)


@pytest.mark.parametrize("guards", ["d3d", "report"])
@pytest.mark.parametrize("slices", SLICES)
def test_accesses(device: Any, slices: tuple[int, int], guards: str) -> None:
    texels = numbered(SHAPE)
    texture = device.texture(texels, dimension="3d")
    view = texture.view(first_w_slice=slices[0], num_w_slices=slices[1])
    assert view.shape == (slices[1], *SHAPE[1:])
    kernel = device.kernel(shader("slices_uint"), guards=guards)
    for _ in range(2):
        check(kernel, texture, texels, slices)


def test_reports_name_slices_of_the_view(device: Any) -> None:
    """A slice outside of the view is reported, and D3D drops the store."""
    target = device.texture(SHAPE, format="r8g8b8a8_unorm", dimension="3d")
    kernel = device.kernel(shader("slices_float4"), guards="report")
    rows = np.array([(0, 0, 0, z) for z in (0, 2, 3, 8)], np.uint32)
    view, found = target.view(first_w_slice=2, num_w_slices=3), np.zeros((4, 5), np.uint32)
    result = kernel.dispatch(4, rows=rows, found=found, view=view)
    reported = [(v.register, v.thread[0], v.defined) for v in result.violations]
    assert sorted(reported) == [("u1", 2, True), ("u1", 3, True)]


def test_accesses_left_to_the_device_stay_in_the_slices(device: Any) -> None:
    """The device knows the texture's end, not the view's."""
    with needs(device, "robust_image_access2", "robust_buffer_access2"):
        kernel, texels = device.kernel(shader("slices_uint"), guards="robustness2"), numbered(SHAPE)
        check(kernel, device.texture(texels, dimension="3d"), texels, (2, 4))


def test_conversion(device: Any) -> None:
    target = device.texture(SHAPE, format="r8g8b8a8_unorm", dimension="3d")
    rows = np.array([(0, z, 1, z) for z in range(5)], np.uint32)
    kernel = device.kernel(shader("slices_float4"))
    found = dispatch(kernel, rows, view=target.view(first_w_slice=6))
    np.testing.assert_array_equal(found[:, 2:], [(6, 4, 3)] * 5)
    expected = np.zeros((*SHAPE, 4), np.uint8)
    for z in range(3):
        expected[6 + z, 1, z] = 255 if z % 2 else 64
    np.testing.assert_array_equal(target.read(), expected)


def test_slices_of_a_mip(device: Any) -> None:
    """The depth is the mip's: 9, 4, 2, 1."""
    levels = [numbered(level_shape("3d", SHAPE, mip)) for mip in range(3)]
    texture = device.texture(levels[0], dimension="3d", mips=levels[1:])
    check(device.kernel(shader("slices_uint")), texture, levels[1], (1, 2), mip=1)
    for mip, level in enumerate(levels):
        np.testing.assert_array_equal(texture.read(mip), level)


def test_arrays_of_views(device: Any) -> None:
    """Each view has other slices, one has all; one is null where the device supports that."""
    rows = rows_of(3)
    kernel = device.kernel(shader("slices_array"))
    whole = numbered(SHAPE)
    for last in ("texture", "array", "null"):
        if last == "null" and not device.features.null_descriptor:
            continue
        parts, other = numbered((7, 3, 6)), whole.copy()
        texture = device.texture(parts, dimension="3d")
        kept = device.texture(other, dimension="3d")
        third = {"texture": kept, "array": other.copy(), "null": None}[last]
        views = [texture.view(first_w_slice=n, num_w_slices=count) for n, count in ((1, 2), (4, 3))]
        all_or_none = None if last == "null" else (0, 9)
        shown: list[Any] = [(parts, (1, 2)), (parts, (4, 3)), (other, all_or_none)]
        expected = [perform(*shown[row[0]], row=row, n=n) for n, row in enumerate(rows)]
        found = dispatch(kernel, rows, views=[*views, third])
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(texture.read(), parts)
        if last == "texture":
            np.testing.assert_array_equal(kept.read(), other)


def test_reading_and_writing_slices(device: Any) -> None:
    texels = numbered(SHAPE)
    texture = device.texture(texels, dimension="3d")
    view = texture.view(first_w_slice=3, num_w_slices=2)
    np.testing.assert_array_equal(view.read(), texels[3:5])
    texels[3:5] = numbered((2, 4, 6))[::-1] + 500
    view.write(texels[3:5])
    np.testing.assert_array_equal(texture.read(), texels)
    with pytest.raises(vkrunner.ShapeError, match=r"192.*96"):
        view.write(texels[3])


def test_copying_slices(device: Any) -> None:
    texels, others = numbered(SHAPE), numbered((4, 4, 6)) + 900
    source = device.texture(others, dimension="3d")
    target = device.texture(texels, dimension="3d")
    with device.record() as work:
        work.copy(source.view(first_w_slice=1, num_w_slices=2), target.view(first_w_slice=7))
        work.copy(target.view(num_w_slices=2), target.view(first_w_slice=3, num_w_slices=2))
        work.copy(others[:1] + 1, target.view(first_w_slice=2, num_w_slices=1))
        with pytest.raises(vkrunner.OverlapError):
            work.copy(target.view(num_w_slices=2), target.view(first_w_slice=1, num_w_slices=2))
        with pytest.raises(vkrunner.FormatError):
            work.copy(source.view(num_w_slices=1), target.view(num_w_slices=2))
    work.submit().wait()
    texels[7:9], texels[3:5], texels[2:3] = others[1:3], texels[:2].copy(), others[:1] + 1
    np.testing.assert_array_equal(target.read(), texels)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"first_w_slice": 9}, "0 w slices from 9 on: the mip has 9"),
        ({"first_w_slice": 4, "num_w_slices": 6}, "6 w slices from 4 on: the mip has 9"),
        ({"num_w_slices": 0}, "0 w slices from 0 on"),
        ({"first_w_slice": -1, "num_w_slices": 2}, "2 w slices from -1 on"),
        ({"mip": 1, "first_w_slice": 4}, "0 w slices from 4 on: the mip has 4"),
        ({"mip": 0, "num_mips": 2, "num_w_slices": 2}, "w slices are of one mip; the view has 2"),
        ({"num_w_slices": 1.5}, "num_w_slices"),
    ],
)
def test_slices_that_are_not_there(device: Any, given: dict[str, Any], message: str) -> None:
    texture = device.texture(SHAPE, format="r32_uint", dimension="3d", mips=2)
    with pytest.raises(vkrunner.ArgumentError, match=message):
        texture.view(**given)


def test_only_3d_textures_have_them(device: Any) -> None:
    texture = device.texture((4, 5), format="r32_uint")
    with pytest.raises(vkrunner.FormatError, match=r"2d.*w.*3d"):
        texture.view(num_w_slices=1)


def test_only_uavs_show_them(device: Any) -> None:
    """D3D has no SRVs of some slices."""
    kernel = device.kernel(
        "cs_5_0\ndcl_resource_texture3d (uint,uint,uint,uint) t0\ndcl_uav_raw u0\ndcl_temps 1\n"
        "dcl_thread_group 1, 1, 1\nld r0.x, l(0, 0, 0, 0), t0.xyzw\nstore_raw u0.x, l(0), r0.x\nret"
    )
    texture, out = device.texture(numbered(SHAPE), dimension="3d"), np.zeros(1, np.uint32)
    with pytest.raises(vkrunner.FormatError, match=r"t0.*UAV.*UAVs.*w"):
        kernel.dispatch(1, t0=texture.view(first_w_slice=2), u0=out)
    assert kernel.dispatch(1, t0=texture.view(num_w_slices=9), u0=out)["u0"].tolist() == [1]


def test_a_module_takes_slices_from_push_constants() -> None:
    program = translate.load(shader("slices_uint"))
    options = translate.Options(windows=frozenset({"u1"}))
    assert translate.to_spirv(program, options).interface.windows == ("u1",)
    with pytest.raises(translate.OptionError, match="t9"):
        translate.to_spirv(program, translate.Options(windows=frozenset({"t9"})))
