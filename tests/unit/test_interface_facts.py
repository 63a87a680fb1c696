"""Facts in an interface for hosts: dimensions, formats, samplers, layouts of variables.

The containers are fxc's. Offsets and strides follow its rules: vectors of 16 bytes in constant
buffers; structured buffers are packed tightly, and aligned to 8 bytes if they have doubles.
"""

import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
from translate.interface import Binding, Constant, ShaderInterface, vulkan_format
from vkrunner.values.formats import FORMATS

ROBUST = frozenset({"robust_buffer_access", "robust_image_access"})
EXACT = ["robust_buffer_access", "robust_buffer_access2"]  # Vulkan wants both
_LACKING = {  # target -> the extensions of those below that are not core in it
    "vulkan1.2": ("VK_EXT_robustness2", "VK_EXT_image_robustness"),
    "vulkan1.3": ("VK_EXT_robustness2",),
}
TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent


def interface_of(path: str, **options: Any) -> ShaderInterface:
    program = translate.load(TESTS / path)
    return translate.to_spirv(program, translate.Options(**options)).interface


RESAMPLE = "corpus/cs_5_1/resample.dxbc"
TEXTURES = "coverage/compiled/textures.cs_5_0.O3.dxbc"
LAYOUTS = "unit/asm/data/layouts.dxbc"
RANGES = "coverage/compiled/ranges"
SAXPY, SOBEL = "corpus/cs_5_0/saxpy.dxbc", "corpus/cs_5_0/sobel.dxbc"


def facts(binding: Binding) -> tuple[Any, ...]:
    names = ("dimension", "vk_view_type", "component", "components", "vk_format")
    return tuple(getattr(binding, name) for name in names)


def test_dimensions_and_formats() -> None:
    """A `float` has one component, a `float4` four; arrays have array views."""
    interface = interface_of(RESAMPLE)
    four, one = "VK_FORMAT_R32G32B32A32_SFLOAT", "VK_FORMAT_R32_SFLOAT"
    plain, layers = "VK_IMAGE_VIEW_TYPE_2D", "VK_IMAGE_VIEW_TYPE_2D_ARRAY"
    assert facts(interface["t0"]) == ("2d", plain, "float", 4, four)
    assert facts(interface["t1"]) == ("2darray", layers, "float", 1, one)
    assert facts(interface["u0"]) == ("2d", plain, "float", 4, four)
    assert facts(interface["s0"]) == (None,) * 5


def test_every_dimension() -> None:
    names = {b.register: (b.dimension, b.vk_view_type) for b in interface_of(TEXTURES)}
    views = {
        **{"t0": ("1d", "1D"), "t1": ("1darray", "1D_ARRAY"), "t3": ("2darray", "2D_ARRAY")},
        **{"t4": ("3d", "3D"), "t5": ("cube", "CUBE"), "t6": ("cubearray", "CUBE_ARRAY")},
        **{"t7": ("2dms", "2D"), "t8": ("2dmsarray", "2D_ARRAY")},
    }
    for register, (dimension, view) in views.items():
        assert names[register] == (dimension, f"VK_IMAGE_VIEW_TYPE_{view}")


def test_a_format_that_was_chosen() -> None:
    chosen = interface_of(RESAMPLE, formats={"u0": "r16g16b16a16_float"})["u0"]
    assert chosen.vk_format == "VK_FORMAT_R16G16B16A16_SFLOAT"
    assert "texture 2d float4 r16g16b16a16_float (set 0, binding 160" in str(chosen)


def test_samplers() -> None:
    """Both samplers sample t2, and s1 compares."""
    interface = interface_of(TEXTURES)
    plain, comparing, both = interface["s0"], interface["s1"], interface["t2"]
    assert (plain.comparison, comparing.comparison) == (False, True)
    assert plain.textures == ("t1", "t2", "t4", "t5", "t6")
    assert comparing.textures == ("t2",)
    assert (both.samplers, both.comparison) == (("s0", "s1"), True)
    assert (interface["t1"].comparison, interface["t0"].comparison) == (False, None)
    assert both.vk_format == "VK_FORMAT_D32_SFLOAT"
    assert str(both).endswith("sampled with s0, s1")
    assert "sampler for comparisons" in str(comparing)


@pytest.mark.parametrize(
    ("path", "options", "names"),
    [
        (LAYOUTS, {}, []),
        (SAXPY, {"float_controls": {"rounding_mode_rte_32"}}, ["VK_KHR_shader_float_controls"]),
        (f"{RANGES}_non_uniform.cs_5_1.O3.dxbc", {}, ["VK_EXT_descriptor_indexing"]),
        (f"{RANGES}.cs_5_1.O3.dxbc", {}, []),
        (SAXPY, {"guards": "robustness2"}, ["VK_EXT_robustness2"]),
        (SAXPY, {"robust_access": EXACT}, ["VK_EXT_robustness2"]),
        (SOBEL, {"robust_access": ROBUST}, ["VK_EXT_image_robustness"]),
    ],
)
def test_extensions(path: str, options: dict[str, Any], names: list[str]) -> None:
    """Core in Vulkan 1.2: all but the last two; in 1.3: all but robustness2."""
    interface = interface_of(path, **options)
    assert interface.to_dict()["extensions"] == list(interface.extensions) == names
    for target, lacking in _LACKING.items():
        newer = [name for name in names if name in lacking]
        assert list(interface_of(path, **options, target=target).extensions) == newer


@pytest.mark.parametrize(
    ("path", "options", "names"),
    [
        (SAXPY, {"robust_access": ROBUST}, ["robust_buffer_access"]),
        (SOBEL, {"robust_access": ROBUST}, ["robust_image_access"]),
        (SOBEL, {"robust_access": {"robust_buffer_access", "robust_buffer_access2"}}, []),
        (SAXPY, {"robust_access": {"robust_buffer_access2"}}, EXACT),
        (SAXPY, {"robust_access": EXACT, "guards": "off"}, []),
        (SAXPY, {"robust_access": ROBUST, "guards": "off"}, []),
        (SAXPY, {"guards": "robustness2"}, EXACT),
        (SOBEL, {"guards": "robustness2"}, ["robust_image_access2"]),
        (SAXPY, {"guards": "report", "robust_access": ROBUST}, ["robust_buffer_access"]),
    ],
)
def test_robust_accesses(path: str, options: dict[str, Any], names: list[str]) -> None:
    """A module names the extensions that its checks rely on."""
    features = interface_of(path, **options).features
    assert [name for name in features if name.startswith("robust")] == names


def test_the_extension_of_debug_information() -> None:
    names = {
        target: interface_of(RESAMPLE, debug_info=True, target=target).extensions
        for target in ("vulkan1.1", "vulkan1.2", "vulkan1.3")
    }
    asked = ("VK_KHR_shader_non_semantic_info",)
    assert names == {"vulkan1.1": asked, "vulkan1.2": asked, "vulkan1.3": ()}


def test_without_reflection() -> None:
    """A listing has no components: images have four, and with atomics one."""
    listing = (Path(__file__).parent / "data/interface_facts.asm").read_text("utf-8")
    interface = translate.to_spirv(translate.load(listing)).interface
    assert facts(interface["t0"]) == ("buffer", None, "uint", None, "VK_FORMAT_R32G32B32A32_UINT")
    assert facts(interface["u0"]) == ("buffer", None, "sint", None, "VK_FORMAT_R32_SINT")


@pytest.mark.parametrize(
    ("kind", "components", "wanted"),
    [
        ("typed_buffer", 3, "VK_FORMAT_R32G32B32_UINT"),
        ("texture", 3, "VK_FORMAT_R32G32B32A32_UINT"),
        ("texture", 2, "VK_FORMAT_R32G32_UINT"),
    ],
)
def test_components_that_images_lack(kind: str, components: int, wanted: str) -> None:
    made = Binding("t0", kind, 0, 0, "", dimension="2d", component="uint", components=components)
    assert made.vk_format == wanted


def test_names_of_formats() -> None:
    """DXGI's and Vulkan's names of equal bits; Vulkan names packed channels from the top."""
    assert vulkan_format("r8g8b8a8_unorm_srgb") == "VK_FORMAT_R8G8B8A8_SRGB"
    assert vulkan_format("b8g8r8a8_unorm") == "VK_FORMAT_B8G8R8A8_UNORM"
    assert vulkan_format("r11g11b10_float") == "VK_FORMAT_B10G11R11_UFLOAT_PACK32"
    assert vulkan_format("r10g10b10a2_uint") == "VK_FORMAT_A2B10G10R10_UINT_PACK32"
    assert vulkan_format("bc1_unorm_srgb") == "VK_FORMAT_BC1_RGBA_SRGB_BLOCK"
    assert vulkan_format("bc5_snorm") == "VK_FORMAT_BC5_SNORM_BLOCK"
    own = [name for name, format in FORMATS.items() if format.swizzle == "rgba"]
    assert len({vulkan_format(name) for name in own}) == len(own)  # the others share one of these
    assert {vulkan_format(name) for name in FORMATS} == {vulkan_format(name) for name in own}
    with pytest.raises(KeyError, match="r7_uint"):
        vulkan_format("r7_uint")


@pytest.mark.parametrize(
    ("format", "message"),
    [
        ("banana", "'banana' is not a DXGI format of typed resources in Vulkan"),
        ("r7_uint", "'r7_uint' is not a DXGI format"),
        ("r32_uint", "the shader declares float, but r32_uint is uint"),
    ],
)
def test_formats_that_do_not_fit(format: str, message: str) -> None:
    with pytest.raises(translate.OptionError, match=message):
        interface_of(RESAMPLE, formats={"u0": format})


def members(of: Constant) -> dict[str, Constant]:
    return {member.name: member for member in of.members}


def test_structured_buffers() -> None:
    element = interface_of(LAYOUTS)["t"].element
    assert element is not None
    found = members(element)
    assert {name: m.offset for name, m in found.items()} == {
        **{"a": 0, "s": 8, "m": 40, "r": 64, "inner": 88, "n": 120}
    }
    columns, rows = found["m"], found["r"]
    assert (columns.shape, columns.order, columns.row_stride) == ((3, 2), "column_major", 12)
    assert (rows.shape, rows.order, rows.row_stride) == ((3, 2), "row_major", 8)
    assert (found["s"].elements, found["s"].stride) == (2, 16)  # a double and a float
    assert (found["inner"].elements, found["inner"].stride) == (2, 16)
    assert (found["n"].elements, found["n"].stride, found["n"].size_bytes) == (3, 4, 12)
    plain = interface_of(LAYOUTS)["f23"].element
    assert plain is not None
    assert (plain.shape, plain.order, plain.size_bytes) == ((2, 3), "column_major", 24)


def test_arrays_of_structured_buffers() -> None:
    """cs_5_1 names their elements after the first one, `tracks[0]`, and cs_5_0 after each one."""
    tracks = translate.to_spirv(translate.load(ROOT / "shaders/mix_tracks.dxbc")).interface
    assert (tracks["tracks"].count, tracks["tracks"].dtype) == (0, np.dtype("<f4"))
    nested = "unit/data/arrays_of_structures.dxbc"
    fields = {"a": "float32", "b": "uint32"}
    grid, pair = interface_of(nested)["grid"], interface_of(nested)["pair"]
    assert (grid.count, grid.dtype) == (6, np.dtype("<i4"))
    assert pair.dtype is not None
    assert {name: pair.dtype[name].name for name in pair.dtype.names or ()} == fields


def test_column_major_matrices_are_named() -> None:
    lines = {binding.register: str(binding) for binding in interface_of(LAYOUTS)}
    assert " column-major: m (" in lines["t0"]  # and not r, which is row_major
    assert " float32[3, 2] column-major: the element (" in lines["t2"]
    assert " column-major: m, n" in lines["cb0"]


def test_constant_buffers() -> None:
    constants = {c["name"]: c for c in row_of("P")["constants"]}
    assert (constants["m"]["order"], constants["m"]["row_stride"]) == ("column_major", 16)
    assert constants["m"]["column_major"] is True
    assert (constants["o"]["order"], constants["o"]["row_stride"]) == ("row_major", 16)
    assert "column_major" not in constants["o"]
    assert constants["n"]["size_bytes"] == 44  # three columns, the last not filled up
    assert (constants["arr"]["elements"], constants["arr"]["stride"]) == (3, 16)
    assert constants["arr"]["size_bytes"] == 36
    assert "order" not in constants["b"]


def row_of(name: str) -> dict[str, Any]:
    bindings = interface_of(LAYOUTS).to_dict()["bindings"]
    (row,) = (row for row in bindings if row.get("name") == name)
    return row


def test_json_has_them() -> None:
    row = row_of("t")
    assert row["element"]["members"][2]["order"] == "column_major"
    bindings = interface_of(TEXTURES).to_dict()["bindings"]
    (sampler,) = (row for row in bindings if row["register"] == "s1")
    assert (sampler["comparison"], sampler["textures"]) == (True, ["t2"])
    (texture,) = (row for row in bindings if row["register"] == "t5")
    assert texture["vk_view_type"] == "VK_IMAGE_VIEW_TYPE_CUBE"
    assert texture["vk_format"] == "VK_FORMAT_R32G32B32A32_SFLOAT"


def test_the_interface_has_the_checksum_of_its_module() -> None:
    module = translate.to_spirv(translate.load(ROOT / "shaders/gaussian_blur.dxbc"))
    checksum = zlib.crc32(module.to_bytes())
    assert module.interface.spirv_crc32 == module.interface.to_dict()["spirv_crc32"] == checksum


def test_a_constant_buffer_that_is_read_in_part() -> None:
    """The HLSL's buffer has an array of 16 floats, each in a vector of its own."""
    module = translate.to_spirv(translate.load(ROOT / "shaders/gaussian_blur.dxbc"))
    constants = module.interface["Params"]
    fields = "direction: int32[2], radius: uint32, weights: float32[16]"
    assert f" 272 bytes {{{fields}}}" in str(constants)
    assert " 32 of 272 bytes {" in str(replace(constants, size_bytes=32))


def test_an_array_of_vectors_is_an_array() -> None:
    assert ", d: float32[2, 4], " in str(interface_of("constants/arrays.dxbc")["cb0"])
