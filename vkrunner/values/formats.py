"""DXGI formats of typed buffers and textures: the Vulkan format, and an element as an array.

Names are DXGI_FORMAT's in lower case. The uses of a format depend on the device. Source:
DXGI_FORMAT; Vulkan specification, "Formats"; Direct3D 11.3 functional specification §19; "Format
support for Direct3D Feature Level 11.0 hardware".
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from translate import FormatName
from translate.interface import buffer_format, vulkan_format
from vkrunner.errors import ArgumentError

FLOAT, UINT, SINT, UNORM, SNORM = "float", "uint", "sint", "unorm", "snorm"


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    An element is `components` values of `dtype` (a packed format is one unsigned number). `kind`:
    float, uint, sint, unorm or snorm. `swizzle` has where sampled images find red, green, blue and
    alpha: in a component of the VkFormat, or 0 or 1. An element is a texel, or a block of texels,
    as many as `block` has in x and in y. D3D has no UAVs, or no typed buffers, of the formats
    without `in_uavs` or `in_buffers`. `held` is the VkFormat of images where it is not that of
    `vulkan_format`.
    """

    name: FormatName
    dtype: np.dtype[Any]
    components: int
    kind: str
    swizzle: str = "rgba"
    block: tuple[int, int] = (1, 1)
    in_uavs: bool = True
    in_buffers: bool = True
    held: str = ""

    @property
    def vulkan(self) -> str:
        """The VkFormat's name."""
        return self.held or vulkan_format(self.name)

    @property
    def texel_bytes(self) -> int:
        """Bytes of an element: a texel, or a block of texels."""
        return self.dtype.itemsize * self.components

    @property
    def component(self) -> str:
        """The type that a shader reads: float, uint or sint (`Binding.component`)."""
        return self.kind if self.kind in (UINT, SINT) else FLOAT

    @property
    def is_depth(self) -> bool:
        """Whether images of it have a depth aspect, which comparison samplers may need."""
        return self.vulkan.startswith("VK_FORMAT_D")

    @property
    def is_depth_stencil(self) -> bool:
        """Whether it shows a depth or a stencil."""
        return self.is_depth or "_typeless" in self.name

    @property
    def family(self) -> str:
        """What formats have in common that a texture can show: `r32` of DXGI's R32_TYPELESS.

        Depth-stencil formats show themselves only, for Vulkan casts none to colours.
        """
        is_alone = self.is_depth_stencil or self.block == (2, 1)
        return self.name if is_alone else self.name.partition("_")[0]

    @property
    def has_blocks(self) -> bool:
        return self.block != (1, 1)

    def elements(self, width: int, height: int) -> tuple[int, int]:
        """Elements in x and in y of so many texels; of the last blocks only a part may be there."""
        return -(-width // self.block[0]), -(-height // self.block[1])


_KINDS = {
    32: (FLOAT, UINT, SINT),
    16: (FLOAT, UNORM, UINT, SNORM, SINT),
    8: (UNORM, UINT, SNORM, SINT),
}
_LETTERS = {FLOAT: "f", UINT: "u", SINT: "i", UNORM: "u", SNORM: "i"}


def _even_formats() -> Iterator[Format]:
    """Formats whose components all have the same width; only 32 bits come in threes."""
    for bits, kinds in _KINDS.items():
        for components in (1, 2, 3, 4) if bits == 32 else (1, 2, 4):
            channels = "".join(f"{letter}{bits}" for letter in "rgba"[:components])
            for kind in kinds:
                yield Format(
                    name=cast("FormatName", f"{channels}_{kind}"),
                    dtype=np.dtype(f"<{_LETTERS[kind]}{bits // 8}"),
                    components=components,
                    kind=kind,
                )


_DWORD, _HALF, _BYTE = np.dtype("<u4"), np.dtype("<u2"), np.dtype("u1")


def _sampled(
    name: FormatName,
    dtype: np.dtype[Any],
    components: int,
    kind: str,
    *,
    swizzle: str = "rgba",
    block: tuple[int, int] = (1, 1),
    in_buffers: bool = False,
    held: str = "",
) -> Format:
    """A format that D3D has no UAVs of."""
    return Format(name, dtype, components, kind, swizzle, block, False, in_buffers, held)


def _compressed_formats() -> Iterator[Format]:
    """Blocks of 4 by 4 texels, as bytes."""
    for name, nbytes, endings in (
        ("bc1", 8, ("unorm", "unorm_srgb")),
        ("bc2", 16, ("unorm", "unorm_srgb")),
        ("bc3", 16, ("unorm", "unorm_srgb")),
        ("bc4", 8, ("unorm", "snorm")),
        ("bc5", 16, ("unorm", "snorm")),
        ("bc6h", 16, ("uf16", "sf16")),
        ("bc7", 16, ("unorm", "unorm_srgb")),
    ):
        for ending in endings:
            kind = FLOAT if ending.endswith("f16") else ending.partition("_")[0]
            full = cast("FormatName", f"{name}_{ending}")
            yield _sampled(full, _BYTE, nbytes, kind, block=(4, 4))


_UNEVEN_FORMATS = (
    Format("r10g10b10a2_unorm", _DWORD, 1, UNORM),
    Format("r10g10b10a2_uint", _DWORD, 1, UINT),
    Format("r11g11b10_float", _DWORD, 1, FLOAT),
    Format("b8g8r8a8_unorm", _BYTE, 4, UNORM),
    _sampled("r8g8b8a8_unorm_srgb", _BYTE, 4, UNORM),
    _sampled("b8g8r8a8_unorm_srgb", _BYTE, 4, UNORM),
    _sampled("b8g8r8x8_unorm", _BYTE, 4, UNORM, swizzle="rgb1", in_buffers=True),
    _sampled("b8g8r8x8_unorm_srgb", _BYTE, 4, UNORM, swizzle="rgb1"),
    Format("b5g6r5_unorm", _HALF, 1, UNORM),
    Format("b5g5r5a1_unorm", _HALF, 1, UNORM),
    Format("b4g4r4a4_unorm", _HALF, 1, UNORM),
    Format("a8_unorm", _BYTE, 1, UNORM, "000r", in_buffers=False),
    _sampled("r9g9b9e5_sharedexp", _DWORD, 1, FLOAT),
    Format("d32_float", np.dtype("<f4"), 1, FLOAT, in_buffers=False),
    Format("d16_unorm", _HALF, 1, UNORM, in_buffers=False),
    # What devices hold of the following is in `vulkan.held_texels`.
    _sampled("r24_unorm_x8_typeless", _DWORD, 1, UNORM, held="VK_FORMAT_D32_SFLOAT"),
    _sampled("x24_typeless_g8_uint", _DWORD, 1, UINT, swizzle="0a01"),
    _sampled("r32_float_x8x24_typeless", _DWORD, 2, FLOAT, held="VK_FORMAT_D32_SFLOAT"),
    _sampled("x32_typeless_g8x24_uint", _DWORD, 2, UINT, swizzle="0r01", held="VK_FORMAT_R8_UINT"),
    _sampled("r8g8_b8g8_unorm", _BYTE, 4, UNORM, swizzle="rgb1", block=(2, 1)),
    _sampled("g8r8_g8b8_unorm", _BYTE, 4, UNORM, swizzle="rgb1", block=(2, 1)),
    *_compressed_formats(),
)
FORMATS: dict[str, Format] = {f.name: f for f in (*_even_formats(), *_UNEVEN_FORMATS)}

_DEPTH_TWINS = {"r32_float": "d32_float", "r16_unorm": "d16_unorm"}
_ARRAY_KINDS = {"f": FLOAT, "u": UINT, "i": SINT}


def format_of_name(name: str) -> Format:
    """Raises ArgumentError, with names that are near, for one that no typed resource has."""
    found = FORMATS.get(name)
    if found is not None:
        return found
    near = difflib.get_close_matches(str(name).lower(), FORMATS, 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise ArgumentError(f"{name!r} is not a format of typed resources{hint}")


def format_of_array(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Format:
    """The format of an array: its dtype, and its last axis as components.

    A last axis of 2, 3 or 4 after another axis is components; every other array has one component
    an element. Raises ArgumentError where DXGI has no such format.
    """
    components = shape[-1] if len(shape) > 1 and shape[-1] in (2, 3, 4) else 1
    return format_of_elements(dtype, components, shape)


def format_of_elements(dtype: np.dtype[Any], components: int, shape: tuple[int, ...]) -> Format:
    """The format whose elements are `components` numbers of `dtype`; `shape` is for the error."""
    channels = "".join(f"{letter}{dtype.itemsize * 8}" for letter in "rgba"[:components])
    found = FORMATS.get(f"{channels}_{_ARRAY_KINDS.get(dtype.kind)}")
    if found is not None and components <= len("rgba"):
        return found
    raise ArgumentError(
        f"no format has elements like an array of {dtype}{list(shape)}: pass float32, float16 or"
        " 8- to 32-bit integers with 1, 2 or 4 components (3 of 32 bits), or name a format:"
        " device.buffer(array).view(format=...), device.texture(array, format=...)"
    )


def depth_twin(format: Format) -> Format:
    """The depth format with the same texels, for a comparison; the format itself without one."""
    return FORMATS[_DEPTH_TWINS.get(format.name, format.name)]


def plain_twin(format: Format) -> Format:
    """The format whose components lie where those of the VkFormat do; itself where it is."""
    if format.swizzle == "rgba":
        return format
    named = (f for f in FORMATS.values() if f.vulkan == format.vulkan and f.swizzle == "rgba")
    return next(named, format)


def family_of(format: Format) -> list[Format]:
    """The formats that a texture of a format can show."""
    return [other for other in FORMATS.values() if other.family == format.family]


def buffer_twin(format: Format) -> Format:
    """What is bound for a typed buffer that is read: integers, which the shader unpacks."""
    return FORMATS[buffer_format(format.name)]


def has_own_code(format: Format, *, storage: bool, buffer: bool, compared: bool) -> bool:
    """Whether accesses are translated for the format: what is bound does not say all of it.

    Of a UAV (`storage`), a typed buffer, a texture that is compared.
    """
    if compared:
        return format.name == "r24_unorm_x8_typeless"  # a float is bound, which clamps no reference
    if buffer and not storage and buffer_twin(format) is not format:
        return True
    return (buffer or storage) and format.swizzle != "rgba"
