"""Formats: DXGI's names, the sizes that follow from names, and arrays with a last axis."""

import re

import numpy as np
import pytest

from vkrunner.errors import FormatError, UnknownNameError, WrongTypeError
from vkrunner.values.elements import element_of_format
from vkrunner.values.formats import (
    FORMATS,
    check_stored,
    depth_twin,
    family_of,
    format_of_array,
    format_of_name,
)
from vkrunner.vulkan.loader import vk


@pytest.mark.parametrize("name", FORMATS)
def test_sizes_of_texels_and_blocks(name: str) -> None:
    """The name says it; r8g8_b8g8_unorm names two texels, and its size is that of both.

    FS §19.5: blocks have 4 by 4 texels in 8 bytes (BC1 and BC4) or 16, and are neither in UAVs nor
    in typed buffers.
    """
    format = FORMATS[name]
    if name.startswith("bc"):
        assert format.block == (4, 4)
        assert format.texel_bytes == (8 if name[2] in "14" else 16)
        assert (format.in_uavs, format.in_buffers) == (False, False)
    else:
        bits = sum(int(width) for width in re.findall(r"[rgbaedx](\d+)", name))
        assert format.texel_bytes * 8 == bits


@pytest.mark.parametrize(
    ("name", "components"),
    [
        ("b8g8r8x8_unorm", [".b", ".g", ".r", ".x"]),
        ("b5g6r5_unorm", [""]),
        ("a8_unorm", [""]),
        ("r8g8_b8g8_unorm", ["[0]", "[1]", "[2]", "[3]"]),
        ("bc1_unorm", [f"[{n}]" for n in range(8)]),
        ("r32_float_x8x24_typeless", ["[0]", "[1]"]),
        ("r24_unorm_x8_typeless", [""]),
    ],
)
def test_numbers_of_an_element(name: str, components: list[str]) -> None:
    element = element_of_format(FORMATS[name])
    assert element.itemsize == FORMATS[name].texel_bytes
    assert [leaf.name for leaf in element.leaves] == components


@pytest.mark.parametrize(
    ("name", "one"),
    [
        *[("r8_unorm", 255), ("r8g8b8a8_unorm", 255), ("r16g16_unorm", 65535), ("r8_snorm", 127)],
        *[("r16g16b16a16_snorm", 32767), ("r8_uint", None), ("r16_float", None)],
        ("r10g10b10a2_unorm", None),  # one packed number
    ],
)
def test_the_integer_of_one(name: str, one: int | None) -> None:
    """FS §3.2.3: the largest integer of the component is 1.0."""
    assert {leaf.scale for leaf in element_of_format(FORMATS[name]).leaves} == {one}


def test_vulkan_has_every_format() -> None:
    assert min(vk.constant(format.vulkan) for format in FORMATS.values()) > 0


@pytest.mark.parametrize(
    ("name", "number"),  # VkFormat's numbers
    [
        *[("r8_unorm", 9), ("r8g8b8a8_unorm", 37), ("r8g8b8a8_sint", 42), ("b8g8r8a8_unorm", 44)],
        *[("r10g10b10a2_unorm", 64), ("r10g10b10a2_uint", 68), ("r16g16b16a16_float", 97)],
        *[("r32_uint", 98), ("r32g32b32_float", 106), ("r32g32b32a32_float", 109)],
        *[("r11g11b10_float", 122), ("b5g6r5_unorm", 4), ("b5g5r5a1_unorm", 8)],
        *[("b4g4r4a4_unorm", 1000340000), ("bc1_unorm", 133), ("bc2_unorm_srgb", 136)],
        *[("bc3_unorm", 137), ("bc4_snorm", 140), ("bc5_unorm", 141), ("bc6h_uf16", 143)],
        *[("bc6h_sf16", 144), ("bc7_unorm_srgb", 146)],
    ],
)
def test_number_of_the_vulkan_format(name: str, number: int) -> None:
    assert vk.constant(FORMATS[name].vulkan) == number


@pytest.mark.parametrize(
    ("dtype", "shape", "name"),
    [
        *[("f4", (5,), "r32_float"), ("f4", (5, 2), "r32g32_float")],
        *[("f4", (5, 3), "r32g32b32_float"), ("f4", (5, 4), "r32g32b32a32_float")],
        *[("f4", (6, 7, 4), "r32g32b32a32_float"), ("f4", (480, 640), "r32_float")],
        *[("f4", (4,), "r32_float"), ("f4", (4, 1), "r32_float")],
        *[("f2", (5, 4), "r16g16b16a16_float"), ("u4", (5,), "r32_uint")],
        *[("i4", (5, 2), "r32g32_sint"), ("u2", (5,), "r16_uint"), ("i2", (5,), "r16_sint")],
        *[("u1", (5, 4), "r8g8b8a8_uint"), ("i1", (5, 2), "r8g8_sint")],
    ],
)
def test_array_chooses(dtype: str, shape: tuple[int, ...], name: str) -> None:
    assert format_of_array(np.dtype(dtype), shape).name == name


@pytest.mark.parametrize(
    ("dtype", "shape"),
    [("f8", (5,)), ("u8", (5,)), ("u1", (5, 3)), ("f2", (5, 3)), ("?", (5,)), ("c8", (5,))],
)
def test_array_without_a_format(dtype: str, shape: tuple[int, ...]) -> None:
    """DXGI has no format with three components of 8 bits: pictures need an alpha."""
    with pytest.raises(FormatError):
        format_of_array(np.dtype(dtype), shape)
    with pytest.raises(FormatError, match=r'alpha.*convert\("RGBA"\)'):
        format_of_array(np.dtype("u1"), (4, 4, 3))


def test_unknown_name_is_refused_with_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="r8g8b8a8_unorm"):
        format_of_name("R8G8B8A8_UNORM")
    with pytest.raises(UnknownNameError, match=r"'yuv'.*resources$"):
        format_of_name("yuv")


def test_component_is_the_type_that_a_shader_reads() -> None:
    assert {FORMATS[f"r8_{kind}"].component for kind in ("unorm", "snorm")} == {"float"}
    assert [FORMATS[name].component for name in ("r16_float", "r8_uint")] == ["float", "uint"]


@pytest.mark.parametrize(
    ("name", "twin"),
    [("r32_float", "d32_float"), ("r16_unorm", "d16_unorm"), ("r8_unorm", "r8_unorm")],
)
def test_depth_formats_have_the_texels_of_their_twins(name: str, twin: str) -> None:
    given = format_of_name(name)
    found = depth_twin(given)
    assert found.name == twin
    for field in ("dtype", "components", "kind"):
        assert getattr(found, field) == getattr(given, field)
    assert found.is_depth == (name != twin)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("r32_sint", ["r32_float", "r32_uint", "r32_sint"]),
        (
            "r8g8b8a8_snorm",
            [f"r8g8b8a8_{kind}" for kind in ("unorm", "uint", "snorm", "sint", "unorm_srgb")],
        ),
        ("r10g10b10a2_uint", ["r10g10b10a2_unorm", "r10g10b10a2_uint"]),
        ("bc6h_uf16", ["bc6h_uf16", "bc6h_sf16"]),
        ("bc1_unorm_srgb", ["bc1_unorm", "bc1_unorm_srgb"]),
        ("b8g8r8x8_unorm", ["b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb"]),
        ("r8g8_b8g8_unorm", ["r8g8_b8g8_unorm"]),
        ("r8g8_unorm", ["r8g8_unorm", "r8g8_uint", "r8g8_snorm", "r8g8_sint"]),
        ("d32_float", ["d32_float"]),
        ("r24_unorm_x8_typeless", ["r24_unorm_x8_typeless"]),
    ],
)
def test_families(name: str, family: list[str]) -> None:
    """DXGI's families, without the depth formats, which Vulkan cannot cast."""
    found = family_of(format_of_name(name))
    assert sorted(f.name for f in found) == sorted(family)
    assert len({(f.texel_bytes, f.block, f.swizzle) for f in found}) == 1


FLOATS, INTEGERS, PACKED = "r32g32_float", "r8g8b8a8_unorm", "r11g11b10_float"


@pytest.mark.parametrize(
    ("name", "dtypes"),
    [
        (FLOATS, "f4 u4 V8"),
        ("r16_float", "f2 u2 V1"),
        ("d32_float", "f4 u4 V4"),
        (INTEGERS, "u1 u2 u4 u8 i1 V4"),
        ("r8_snorm", "i1 u1"),
        ("r16_sint", "i2 u1 u2"),
        (PACKED, "u4 u1 i4"),
        ("bc7_unorm", "u1 u8 V16"),
    ],
)
def test_dtypes_that_a_format_stores(name: str, dtypes: str) -> None:
    for dtype in dtypes.split():
        check_stored(format_of_name(name), np.dtype(dtype), "t0")


@pytest.mark.parametrize(
    ("name", "dtypes", "bits"),
    [
        (FLOATS, "? f2 f8 i4 u1 u8", "float32"),
        ("r16_float", "f4", "float16"),
        (INTEGERS, "i4", "uint32"),
        ("r16g16b16a16_unorm", "i8", "uint64"),
        ("r16_sint", "f2", "uint16"),
        (PACKED, "f4", "uint32"),
        ("x24_typeless_g8_uint", "f4", "uint32"),
    ],
)
def test_dtypes_of_other_numbers(name: str, dtypes: str, bits: str) -> None:
    format = format_of_name(name)
    for dtype in dtypes.split():
        with pytest.raises(WrongTypeError) as caught:
            check_stored(format, np.dtype(dtype), "t0")
        text = str(caught.value)
        assert f"array.astype(np.{format.dtype})" in text
        assert f"array.view(np.{bits})" in text


@pytest.mark.parametrize("name", [INTEGERS, "r8_snorm", "r16_unorm", "b8g8r8a8_unorm"])
@pytest.mark.parametrize("dtype", ["?", "f2", "f4", "f8"])
def test_the_advice_for_numbers_from_0_to_1(name: str, dtype: str) -> None:
    """It gives the same numbers in the format, up to half a step."""
    format, array = format_of_name(name), np.array([0, 0.25, 1]).astype(dtype)
    with pytest.raises(WrongTypeError) as caught:
        check_stored(format, array.dtype, "t0")
    advice = str(caught.value).split("up to 1 ")[1]
    stored = eval(advice, {"np": np, "array": array})
    check_stored(format, stored.dtype, "t0")
    most = np.iinfo(format.dtype).max
    np.testing.assert_allclose(stored / most, array.astype(float), atol=0.5001 / most)


def test_bits_that_are_no_texels_are_not_advised() -> None:
    with pytest.raises(WrongTypeError, match=r"convert its numbers, array.astype\(np.uint8\)$"):
        check_stored(format_of_name(INTEGERS), np.dtype("i8"), "t0")
