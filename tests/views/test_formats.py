"""Views of textures in another format of the same family, as D3D's views of typeless resources.

The texels' bits do not change (FS §19.1.2). A resource in R32_TYPELESS may have a UAV in R32_UINT
and another in R32_SINT; a shader gets the one that it declares.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..commands import sm5vk_here
from ..conftest import needs
from ..formats.packed import linear
from ..formats.reading import load_all
from ..listings import listing
from ..textures.shaders import Array, numbered, pad
from ..textures.shaders import shader as texture_shader
from ..textures.test_uavs import atomics, perform

SHAPE = (4, 8)
BITS = np.random.default_rng(5).integers(0, 256, (*SHAPE, 4), np.uint8)


SRGB = BITS / 255
SRGB[..., :3] = linear(SRGB[..., :3])
SEEN = {  # format of the view -> its results for BITS
    "r8g8b8a8_unorm": (BITS / 255).astype(np.float32),
    "r8g8b8a8_unorm_srgb": SRGB.astype(np.float32),
    "r8g8b8a8_snorm": np.maximum(BITS.view(np.int8) / np.float32(127), -1),
    "r8g8b8a8_uint": BITS.astype(np.uint32),
    "r8g8b8a8_sint": BITS.view(np.int8).astype(np.int32),
}


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("own", SEEN)
def test_loads(device: Any, own: str, seen: str) -> None:
    expected = SEEN[seen]
    view = device.texture(BITS, format=own).view(format=seen)
    found = load_all(device, view, SHAPE, dtype=expected.dtype)
    tolerance = 2e-3 if seen.endswith("srgb") else 1e-6  # half a step of 8 bits: FS §2.3.2
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    ("own", "seen"),
    [
        *(("r32_float", "r32_uint"), ("r32_float", "r32_sint"), ("r32_uint", "r32_float")),
        *(("r32_sint", "r32_uint"), ("r32_uint", "r32_sint")),
    ],
)
def test_numbers_of_32_bits(device: Any, own: str, seen: str) -> None:
    dtypes: Any = {"r32_float": np.float32, "r32_uint": np.uint32, "r32_sint": np.int32}
    kept = dtypes[seen]
    floats = np.random.default_rng(6).normal(size=SHAPE).astype(np.float32)
    view = device.texture(floats.view(dtypes[own]), format=own).view(format=seen)
    found = load_all(device, view, SHAPE, dtype=kept)
    np.testing.assert_array_equal(found[..., 0], floats.view(kept))
    np.testing.assert_array_equal(found[..., 1:], [[[0, 0, 1]] * SHAPE[1]] * SHAPE[0])
    assert (view.format, view.read().dtype) == (seen, kept)
    np.testing.assert_array_equal(view.read(), floats.view(kept))


@pytest.mark.parametrize(("own", "seen"), [("sint", "uint"), ("uint", "sint")])
def test_atomics(device: Any, own: str, seen: str) -> None:
    """Minimum and maximum compare by the signedness of the view's format."""
    dtypes = {"sint": np.int32, "uint": np.uint32}
    start = (np.arange(16) + 1000).astype(dtypes[seen])
    start[1:3], start[10:12] = np.uint32(2**31 + 5).astype(dtypes[seen]), 3
    before = numbered(SHAPE, dtypes[seen])
    before.reshape(-1)[::2] = start
    after = before.copy()
    after.reshape(-1)[::2] = atomics(start)
    places = np.zeros((16, 4), np.uint32)
    places[:, 0], places[:, 1] = np.arange(0, 32, 2) % 8, np.arange(0, 32, 2) // 8
    texture = device.texture(before.view(dtypes[own]))
    assert texture.format == f"r32_{own}"
    view = texture.view(format=f"r32_{seen}")
    kernel = device.kernel(texture_shader(f"atomics_2d_{seen.replace('sint', 'int')}"))
    result = kernel.dispatch(1, target=view, places=places, old=np.zeros(9, dtypes[seen]))
    np.testing.assert_array_equal(result.old, start[:9])
    np.testing.assert_array_equal(texture.read(), after.view(dtypes[own]))
    np.testing.assert_array_equal(result["target"], after)


@pytest.mark.parametrize("own", ["r8g8b8a8_unorm_srgb", "r8g8b8a8_uint", "r8g8b8a8_unorm"])
def test_stores(device: Any, own: str) -> None:
    """A UAV of a texture whose own format has no UAVs: the usual way to write sRGB."""
    texture = device.texture(BITS, format=own)
    values = np.array([[1, 0, 128, 255], [0, 7, 9, 254]], np.uint8)
    places = np.full((32, 4), 99, np.uint32)  # outside
    places[:2, :2] = [(0, 0), (7, 3)]
    view = texture.view(format="r8g8b8a8_unorm")
    perform(device, "store_2d_float4", view, places, pad(values / np.float32(255), 32))
    expected = BITS.copy()
    expected[0, 0], expected[3, 7] = values
    np.testing.assert_array_equal(texture.read(), expected)


def test_a_kernel_that_sees_one_texture_in_several_formats(device: Any) -> None:
    texture = device.texture(BITS, format="r8g8b8a8_unorm")
    kernel = device.kernel(texture_shader("load_2d"))
    places = np.zeros((32, 4), np.int32)
    for _ in range(2):
        for name in ("r8g8b8a8_unorm", "r8g8b8a8_snorm"):
            view, seen = texture.view(format=name), np.zeros((32, 4), np.float32)
            found = kernel.dispatch(1, source=view, places=places, seen=seen).seen[0]
            np.testing.assert_allclose(found, SEEN[name][0, 0], rtol=0, atol=1e-6)


def test_blocks(device: Any) -> None:
    """BC1 blocks of one colour, with and without sRGB's curve."""
    with needs(device, "texture_compression_bc"):
        blocks = np.zeros((1, 2, 8), np.uint8)
        blocks[..., :4] = np.array([0b10000 << 11 | 0x1F, 0], "<u2").view(np.uint8)
        texture = device.texture(blocks, format="bc1_unorm")
        for name in ("bc1_unorm", "bc1_unorm_srgb"):
            texel = np.array([0b10000 << 3 | 0b10000 >> 2, 0, 255, 255]) / 255
            if name.endswith("srgb"):
                texel = linear(texel)
            found = load_all(device, texture.view(format=name), SHAPE)
            np.testing.assert_allclose(found, np.broadcast_to(texel, (*SHAPE, 4)), atol=4e-3)


def test_writing_and_copying(device: Any) -> None:
    """Arrays have the view's format; copies between textures have the textures' format."""
    texture = device.texture(BITS, format="r8g8b8a8_unorm", mips=2)
    view = texture.view(0, format="r8g8b8a8_sint")
    signed = -np.ones((*SHAPE, 4), np.int8)
    view.write(signed)
    np.testing.assert_array_equal(texture.read(), signed.view(np.uint8))
    np.testing.assert_array_equal(view.read(), signed)


def test_slices_of_another_format(device: Any) -> None:
    texels = numbered((5, 4, 8), np.int32) - 70
    view = device.texture(texels, dimension="3d").view(
        first_w_slice=1, num_w_slices=3, format="r32_uint"
    )
    np.testing.assert_array_equal(view.read(), texels[1:4].view(np.uint32))
    assert view.read().dtype == np.uint32


@pytest.mark.parametrize(
    ("own", "seen", "message"),
    [
        ("r32_sint", "r16g16_sint", "texture of r32_sint shows r32_float, r32_uint, r32_sint, not"),
        ("r32_float", "d32_float", "shows r32_float, r32_uint, r32_sint, not d32_float"),
        ("d32_float", "r32_float", "a texture of d32_float shows d32_float, not r32_float"),
        ("r32_sint", "r32_typeless", "'r32_typeless' is not a format"),
        ("b8g8r8a8_unorm", "r8g8b8a8_unorm", "shows b8g8r8a8_unorm, b8g8r8a8_unorm_srgb, not"),
    ],
)
def test_formats_of_other_families(device: Any, own: str, seen: str, message: str) -> None:
    texture = device.texture(SHAPE, format=own)
    with pytest.raises(vkrunner.ArgumentError, match=message):
        texture.view(format=seen)


def test_the_view_has_to_show_the_declared_type(device: Any) -> None:
    kernel = device.kernel(texture_shader("load_2d_uint4"))
    texture = device.texture(np.zeros(SHAPE, np.int16))
    given = {"places": np.zeros((32, 4), np.int32), "seen": np.zeros((32, 4), np.uint32)}
    with pytest.raises(vkrunner.FormatError, match=r"r16_sint.*r16_uint"):
        kernel.dispatch(1, source=texture, **given)
    kernel.dispatch(1, source=texture.view(format="r16_uint"), **given)


BUFFER = listing(
    ["imm_atomic_umax r0.x, u0, l(1, 1, 1, 1), l(7)",
     "imm_atomic_imax r0.y, u1, l(0, 0, 0, 0), l(7)",
     "imm_atomic_imin r0.z, u1, l(1, 1, 1, 1), l(7)", "store_raw u2.xyz, l(0), r0.xyzx"],
    ["dcl_uav_typed_buffer (uint,uint,uint,uint) u0",
     "dcl_uav_typed_buffer (sint,sint,sint,sint) u1", "dcl_uav_raw u2"],
    group=(1, 1, 1),
)  # fmt: skip


def test_typed_buffers(device: Any) -> None:
    """Views of one buffer may have different formats, too."""
    data = np.array([1, -2, -3, -4], np.int32)
    buffer = device.buffer(data)
    views = {"u0": buffer.view(0, 2, format="r32_uint"), "u1": buffer.view(2, 2, format="r32_sint")}
    result = device.kernel(BUFFER).dispatch(1, **views, u2=np.zeros(3, np.uint32))
    np.testing.assert_array_equal(result.u2.view(np.int32), data[1:])
    np.testing.assert_array_equal(buffer.read(), [1, -2, 7, -4])


# --- integers of the other sign -------------------------------------------------------------------

TYPES = {"uint": np.uint32, "sint": np.int32}
NUMBERS = [[-1, 5], [-(2**31), 2**31 - 1]]


def doubling(component: str, dimension: str) -> str:
    """Doubles four texels of t0 into u0."""
    texel = f"({','.join([component] * 4)})"
    kind, at = ("buffer", "xxxx") if dimension == "buffer" else ("texture2d", "xyyy")
    address = ["mov r0.xy, vThreadID.xyxx", "mov r0.zw, l(0, 0, 0, 0)"]
    if dimension == "buffer":
        address = ["imad r0.x, vThreadID.y, l(2), vThreadID.x", "mov r0.yzw, r0.xxxx"]
    lines = [*address, "ld r1.xyzw, r0.xyzw, t0.xyzw", "iadd r1.xyzw, r1.xyzw, r1.xyzw"]
    lines.append(f"store_uav_typed u0.xyzw, r0.{at}, r1.xyzw")
    declared = [f"dcl_resource_{kind} {texel} t0", f"dcl_uav_typed_{kind} {texel} u0"]
    return listing(lines, declared, group=(2, 2, 1))


def numbers(dtype: Any, dimension: str) -> Array:
    made = np.array(NUMBERS, np.int64).astype(dtype)
    return made.reshape(-1) if dimension == "buffer" else made


@pytest.mark.parametrize("dimension", ["buffer", "2d"])
@pytest.mark.parametrize("component", TYPES)
@pytest.mark.parametrize("read", TYPES)
@pytest.mark.parametrize("written", TYPES)
def test_new_and_kept(device: Any, component: str, dimension: str, read: str, written: str) -> None:
    kernel = device.kernel(doubling(component, dimension))
    source = numbers(TYPES[read], dimension)
    target = np.zeros_like(source, TYPES[written])
    expected = (source + source).view(TYPES[written])
    found = kernel.dispatch(1, t0=source, u0=target).u0
    assert found.dtype == target.dtype
    np.testing.assert_array_equal(found, expected)
    if dimension == "buffer":
        t0, u0 = (device.buffer(array) for array in (source, target))
        kernel.dispatch(1, t0=t0.view(format=f"r32_{read}"), u0=u0.view(format=f"r32_{written}"))
    else:
        t0, u0 = device.texture(source), device.texture(target)
        assert u0.format == f"r32_{written}"
        kernel.dispatch(1, t0=t0, u0=u0)
    np.testing.assert_array_equal(u0.read(), expected)


def test_a_range_of_both_signs(device: Any) -> None:
    kernel = device.kernel(
        "cs_5_1\ndcl_globalFlags refactoringAllowed\n"
        "dcl_resource_buffer (uint,uint,uint,uint) T0[0:1], space=0\n"
        "dcl_uav_typed_buffer (uint,uint,uint,uint) U0[0:0], space=0\n"
        "dcl_temps 2\ndcl_thread_group 1, 1, 1\n"
        "ld r0.xyzw, l(0,0,0,0), T0[0].xyzw\nld r1.xyzw, l(0,0,0,0), T0[1].xyzw\n"
        "iadd r0.xyzw, r0.xyzw, r1.xyzw\n"
        "store_uav_typed U0[0].xyzw, l(0,0,0,0), r0.xyzw\nret\n"
    )
    arrays = [np.array([-3], np.int32), np.array([10], np.uint32)]
    assert kernel.dispatch(1, t0=arrays, u0=np.zeros(1, np.uint32)).u0.tolist() == [7]


@pytest.mark.parametrize("dtype", [np.int16, np.int8])
def test_narrower_integers_are_refused(device: Any, dtype: Any) -> None:
    """A uint of an r8_sint texel would have 8 or 32 bits: drivers differ."""
    kernel = device.kernel(doubling("uint", "buffer"))
    with pytest.raises(vkrunner.FormatError, match=r"t0.*r"):
        kernel.dispatch(1, t0=np.zeros(4, dtype), u0=np.zeros(4, np.uint32))
    with pytest.raises(vkrunner.FormatError, match=r"u0.*r"):
        kernel.dispatch(1, t0=np.zeros(4, np.uint32), u0=np.zeros(4, dtype))


def test_formats_of_options(device: Any) -> None:
    """The module and its interface have the format to bind: that of the shader's sign."""
    source = doubling("uint", "2d")
    options = translate.Options(formats={"u0": "r32_sint", "t0": "r32_sint"})
    interface = translate.to_spirv(translate.load(source), options).interface
    assert (interface["u0"].format, interface["u0"].vk_format) == ("r32_uint", "VK_FORMAT_R32_UINT")
    with pytest.raises(translate.OptionError, match="r16_sint"):
        translate.to_spirv(translate.load(source), translate.Options(formats={"u0": "r16_sint"}))
    kernel = device.kernel(source, formats={"u0": "r32_sint"})
    found = kernel.dispatch(1, t0=numbers(np.int32, "2d"), u0=np.zeros((2, 2), np.int32)).u0
    assert found.tolist() == [[-2, 10], [0, -2]]


def test_signs_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "twice.asm").write_text(doubling("uint", "2d"))
    np.save(tmp_path / "image.npy", numbers(np.int32, "2d"))
    words = "run twice.asm --groups 1 --t0 image.npy --u0 zeros:2x2:r32_sint --save u0=out.npy"
    done = sm5vk_here(words, tmp_path)
    assert done.returncode == 0, done.stderr
    found = np.load(tmp_path / "out.npy")
    assert found.dtype == np.int32
    assert found.tolist() == [[-2, 10], [0, -2]]
