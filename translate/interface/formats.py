"""The VkFormats for DXGI formats, and for resources of unknown format.

Source: DXGI_FORMAT; Vulkan specification, "Formats". DXGI lists channels from the lowest bit; so
does Vulkan, except in packed formats, which it lists from the highest bit.
"""

from __future__ import annotations

import re
from typing import get_args

from translate.choices import FormatName

_EVEN = re.compile(r"((?:[rgba](?:8|16|32)){1,4})_(float|uint|sint|unorm|snorm)(_srgb)?")
_KINDS = {"float": "SFLOAT", "uint": "UINT", "sint": "SINT", "unorm": "UNORM", "snorm": "SNORM"}
_NORMS = ("unorm", "snorm")
_OTHERS = {
    "r10g10b10a2_unorm": "A2B10G10R10_UNORM_PACK32",
    "r10g10b10a2_uint": "A2B10G10R10_UINT_PACK32",
    "r11g11b10_float": "B10G11R11_UFLOAT_PACK32",
    "r9g9b9e5_sharedexp": "E5B9G9R9_UFLOAT_PACK32",
    "d32_float": "D32_SFLOAT",
    "d16_unorm": "D16_UNORM",
    "a8_unorm": "R8_UNORM",
    "b8g8r8x8_unorm": "B8G8R8A8_UNORM",
    "b8g8r8x8_unorm_srgb": "B8G8R8A8_SRGB",
    "r8g8_b8g8_unorm": "R8G8B8A8_UNORM",
    "g8r8_g8b8_unorm": "R8G8B8A8_UNORM",
    "r24_unorm_x8_typeless": "X8_D24_UNORM_PACK32",
    "x24_typeless_g8_uint": "R8G8B8A8_UINT",
    "r32_float_x8x24_typeless": "D32_SFLOAT_S8_UINT",
    "x32_typeless_g8x24_uint": "D32_SFLOAT_S8_UINT",
    "b5g6r5_unorm": "R5G6B5_UNORM_PACK16",
    "b5g5r5a1_unorm": "A1R5G5B5_UNORM_PACK16",
    "b4g4r4a4_unorm": "A4R4G4B4_UNORM_PACK16",
    **{
        f"bc{n}_unorm{srgb}": f"BC{n}{channels}_{srgb[1:].upper() or 'UNORM'}_BLOCK"
        for n, channels in ((1, "_RGBA"), (2, ""), (3, ""), (7, ""))
        for srgb in ("", "_srgb")
    },
    **{f"bc{n}_{kind}": f"BC{n}_{kind.upper()}_BLOCK" for n in (4, 5) for kind in _NORMS},
    "bc6h_uf16": "BC6H_UFLOAT_BLOCK",
    "bc6h_sf16": "BC6H_SFLOAT_BLOCK",
}
_GLSL_FORMAT = re.compile(
    r"(r|rg|rgb|rgba|bgra)(8|16|32)(?:_?(f|i|ui|snorm|unorm|[su]?float|sint|uint))?"
)
_GLSL_KINDS = {None: "unorm", "f": "float", "i": "sint", "ui": "uint"}
_UNPACKED = ("b5g6r5_unorm", "b5g5r5a1_unorm", "b4g4r4a4_unorm")
# Source: "Format support for Direct3D Feature Level 11.0 hardware"
_NO_UAVS = re.compile("bc|d16|d32|r9g9b9e5|b8g8r8x8|r8g8_b8g8|g8r8_g8b8|.*typeless|.*_srgb")
_DEPTH = "d32_float"
_CHANNELS = ("r32", "r32g32", "r32g32b32", "r32g32b32a32")


def format_hint(name: str) -> str:
    """`; did you mean r32_float?` for a wrong name of a format, or "".

    The name may be one of Vulkan, DXGI or GLSL, or a misspelt one.
    """
    import difflib  # only errors need it

    plain = name.lower().removeprefix("vk_format_").removeprefix("dxgi_format_")
    plain = plain.replace("_sfloat", "_float").replace("_ufloat", "_float")
    shorthand = _GLSL_FORMAT.fullmatch(plain)
    if shorthand is not None:
        channels, bits, kind = shorthand.groups()
        plain = "".join(f"{c}{bits}" for c in channels) + f"_{_GLSL_KINDS.get(kind, kind)}"
    names = get_args(FormatName)
    near = [plain] if plain in names else difflib.get_close_matches(plain, names, 3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def vulkan_format(name: str) -> str:
    """The VkFormat of a DXGI format: VK_FORMAT_R32_UINT for `r32_uint`.

    Raises KeyError for a name that is not a format of typed resources in Vulkan.
    """
    if name in _OTHERS:
        return f"VK_FORMAT_{_OTHERS[name]}"
    match = _EVEN.fullmatch(name)
    if match is None:
        raise KeyError(f"{name!r} is not a format of typed resources")
    return f"VK_FORMAT_{match[1].upper()}_{'SRGB' if match[3] else _KINDS[match[2]]}"


def buffer_format(name: str) -> str:
    """The DXGI format to bind for a typed buffer that is read in the format `name`.

    The module unpacks formats whose VkFormat few devices support for typed buffers.
    """
    return "r16_uint" if name in _UNPACKED else name


def has_uavs(name: str) -> bool:
    """Whether D3D has UAVs of a format."""
    return _NO_UAVS.match(name) is None


def component_of(name: str) -> str:
    """The type that a shader reads from a DXGI format: float, uint or sint."""
    kind = name.rpartition("_")[2]
    return kind if kind in ("uint", "sint") else "float"


def reread_format(name: str, component: str) -> str:
    """The format in which a shader reads the texels of `name`: r32_uint for r32_sint and uint.

    32-bit integers have the same bits with either sign; narrower ones are extended and clamped.
    """
    channels, _, kind = name.rpartition("_")
    is_other = {kind, component} == {"uint", "sint"} and channels in _CHANNELS
    return f"{channels}_{component}" if is_other else name


def serving_format(component: str, components: int, *, is_compared: bool) -> str:
    """A DXGI format for a resource of unknown format: 32 bits per component, or depth."""
    return _DEPTH if is_compared else f"{_CHANNELS[components - 1]}_{component}"
