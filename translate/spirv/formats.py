"""DXGI format names to SPIR-V image formats. Source: SPIR-V specification, "Image Format"."""

from __future__ import annotations

from translate.ir.formats import parse_format
from translate.spirv.grammar import ImageFormat

_SUFFIXES = {"float": "f", "unorm": "", "snorm": "Snorm", "uint": "ui", "sint": "i"}
_ORDERS = {"r": "R", "rg": "Rg", "rgba": "Rgba"}
_UNEVEN = {
    "r10g10b10a2_unorm": ImageFormat.Rgb10A2,
    "r10g10b10a2_uint": ImageFormat.Rgb10a2ui,
    "r11g11b10_float": ImageFormat.R11fG11fB10f,
    "a8_unorm": ImageFormat.R8,  # see `is_alpha_in_red`
}
_PACKED = {
    "b5g6r5_unorm": ((11, 5), (5, 6), (0, 5), (0, 0)),
    "b5g5r5a1_unorm": ((10, 5), (5, 5), (0, 5), (15, 1)),
    "b4g4r4a4_unorm": ((8, 4), (4, 4), (0, 4), (12, 4)),
}
# Formats that need only the Shader capability
_BASIC = frozenset(
    getattr(ImageFormat, name)
    for name in (
        *("Rgba32f", "Rgba16f", "R32f", "Rgba8", "Rgba8Snorm", "Rgba32i", "Rgba16i", "Rgba8i"),
        *("R32i", "Rgba32ui", "Rgba16ui", "Rgba8ui", "R32ui"),
    )
)


def image_format(name: str) -> int:
    """The image format for a DXGI name in lower case; Unknown if SPIR-V has none."""
    if name in _UNEVEN:
        return _UNEVEN[name]
    parsed = parse_format(name)
    widths = {bits for _, bits in parsed.channels} if parsed is not None else set[int]()
    if parsed is None or parsed.order not in _ORDERS or len(widths) != 1:
        return ImageFormat.Unknown
    spelled = f"{_ORDERS[parsed.order]}{widths.pop()}{_SUFFIXES[parsed.kind]}"
    number: int = getattr(ImageFormat, spelled, ImageFormat.Unknown)
    return number


def is_extended(number: int) -> bool:
    """Whether a storage image of the format needs StorageImageExtendedFormats."""
    return number not in _BASIC and number != ImageFormat.Unknown


def is_alpha_in_red(name: str) -> bool:
    """Whether storage images keep this format's alpha in red, because SPIR-V lacks the format."""
    return name == "a8_unorm"


def has_unused_alpha(name: str) -> bool:
    """Whether the format has alpha bits that D3D ignores, reading 1 instead."""
    return name in ("b8g8r8x8_unorm", "b8g8r8x8_unorm_srgb")


def packed_fields(name: str) -> tuple[tuple[int, int], ...]:
    """(first bit, bits) of red, green, blue and alpha in a 16-bit texel; 0 bits if missing.

    Few devices support these formats in typed buffers, so 16-bit integers are bound instead. Empty
    for all other formats.
    """
    return _PACKED.get(name, ())


def is_normalised_depth(name: str) -> bool:
    """Whether comparisons clamp their reference to [0, 1] even if a float format is bound."""
    return name == "r24_unorm_x8_typeless"
