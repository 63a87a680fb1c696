"""DXGI format names to SPIR-V image formats. Source: SPIR-V specification, "Image Format"."""

from __future__ import annotations

import re

from translate.spirv.grammar import ImageFormat

_NAME = re.compile(r"((?:[rgba]\d+)+)_(float|unorm|snorm|uint|sint)")
_CHANNEL = re.compile(r"([rgba])(\d+)")
_SUFFIXES = {"float": "f", "unorm": "", "snorm": "Snorm", "uint": "ui", "sint": "i"}
_ORDERS = {"r": "R", "rg": "Rg", "rgba": "Rgba"}
_UNEVEN = {
    "r10g10b10a2_unorm": ImageFormat.Rgb10A2,
    "r10g10b10a2_uint": ImageFormat.Rgb10a2ui,
    "r11g11b10_float": ImageFormat.R11fG11fB10f,
}
# Those that need no more than the Shader capability
_BASIC = frozenset(
    getattr(ImageFormat, name)
    for name in (
        *("Rgba32f", "Rgba16f", "R32f", "Rgba8", "Rgba8Snorm", "Rgba32i", "Rgba16i", "Rgba8i"),
        *("R32i", "Rgba32ui", "Rgba16ui", "Rgba8ui", "R32ui"),
    )
)


def image_format(name: str) -> int:
    """The image format of a DXGI name in lower case, Unknown where SPIR-V has none."""
    if name in _UNEVEN:
        return _UNEVEN[name]
    match = _NAME.fullmatch(name)
    if match is None:
        return ImageFormat.Unknown
    channels: list[tuple[str, str]] = _CHANNEL.findall(match[1])
    order, widths = "".join(letter for letter, _ in channels), {width for _, width in channels}
    if order not in _ORDERS or len(widths) != 1:
        return ImageFormat.Unknown
    spelled = f"{_ORDERS[order]}{widths.pop()}{_SUFFIXES[match[2]]}"
    number: int = getattr(ImageFormat, spelled, ImageFormat.Unknown)
    return number


def is_extended(number: int) -> bool:
    """Whether a storage image of the format needs StorageImageExtendedFormats."""
    return number not in _BASIC and number != ImageFormat.Unknown


def has_alpha(name: str) -> bool:
    """Whether a DXGI format has an alpha channel."""
    return re.search(r"a\d", name) is not None
