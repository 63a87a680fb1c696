"""DXGI formats of typed buffers and textures: the Vulkan format, and an element's NumPy dtype.

Names are DXGI_FORMAT's in lower case. The uses of a format depend on the device. Source:
DXGI_FORMAT; Vulkan specification, "Formats"; Direct3D 11.3 functional specification §19; "Format
support for Direct3D Feature Level 11.0 hardware".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from translate import FormatName
from translate.dataclass import dataclass
from translate.interface import (
    UNIFORM_TEXEL_BUFFER,
    Binding,
    buffer_format,
    format_hint,
    has_uavs,
    reread_format,
    vulkan_format,
)
from vkrunner.errors import FormatError, UnknownNameError, WrongTypeError
from vkrunner.values.numbers import ALPHA_OF_PICTURE

FLOAT, UINT, SINT, UNORM, SNORM = "float", "uint", "sint", "unorm", "snorm"


@dataclass(frozen=True, slots=True)
class Format:
    """One format.

    An element is `components` values of `dtype` (a packed format is one unsigned number). `kind` is
    float, uint, sint, unorm or snorm. An element is a texel, or a block of `block` texels in x and
    y. `swizzle` names, for red, green, blue and alpha of a sampled image, a component of the
    VkFormat, or 0 or 1. `in_buffers` is False for formats that D3D does not allow in typed buffers.
    `held` is the VkFormat of images on the device, if it is not the one
    that `vulkan_format` returns.
    """

    name: FormatName
    dtype: np.dtype[Any]
    components: int
    kind: str
    swizzle: str = "rgba"
    block: tuple[int, int] = (1, 1)
    in_buffers: bool = True
    held: str = ""

    @property
    def in_uavs(self) -> bool:
        """Whether D3D allows the format in UAVs."""
        return has_uavs(self.name)

    @property
    def vulkan(self) -> str:
        """The VkFormat's name."""
        return self.held or vulkan_format(self.name)

    @property
    def texel_bytes(self) -> int:
        """The bytes of an element: a texel, or a block of texels."""
        return self.dtype.itemsize * self.components

    @property
    def component(self) -> str:
        """The type that a shader reads: float, uint or sint (`Binding.component`)."""
        return self.kind if self.kind in (UINT, SINT) else FLOAT

    @property
    def is_depth(self) -> bool:
        """Whether its images have Vulkan's depth aspect, which comparison samplers may need."""
        return self.vulkan.startswith("VK_FORMAT_D")

    @property
    def is_depth_stencil(self) -> bool:
        """Whether its texels are depths or stencils."""
        return self.is_depth or "_typeless" in self.name

    @property
    def family(self) -> str:
        """The name shared by all formats in which a texture can be viewed: `r32` of R32_TYPELESS.

        Each depth-stencil format is a family of its own, because Vulkan cannot view it as a colour.
        """
        is_alone = self.is_depth_stencil or self.block == (2, 1)
        return self.name if is_alone else self.name.partition("_")[0]

    @property
    def is_blue_first(self) -> bool:
        """Whether the order of an array's components is blue, green, red, alpha."""
        return self.name.startswith(("b8g8r8a8", "b8g8r8x8"))

    @property
    def has_blocks(self) -> bool:
        return self.block != (1, 1)

    def elements(self, width: int, height: int) -> tuple[int, int]:
        """The elements in x and y that cover so many texels; the last blocks may be partial."""
        return -(-width // self.block[0]), -(-height // self.block[1])


_KINDS = {
    32: (FLOAT, UINT, SINT),
    16: (FLOAT, UNORM, UINT, SNORM, SINT),
    8: (UNORM, UINT, SNORM, SINT),
}
_LETTERS = {FLOAT: "f", UINT: "u", SINT: "i", UNORM: "u", SNORM: "i"}


def _even_formats() -> Iterator[Format]:
    """Formats whose components have the same width; only those of 32 bits have 3 components."""
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
    """Make a format that D3D has for textures, and for typed buffers with `in_buffers`."""
    return Format(name, dtype, components, kind, swizzle, block, in_buffers, held)


def _compressed_formats() -> Iterator[Format]:
    """BC1 to BC7: blocks of 4 by 4 texels, as bytes."""
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
    _sampled("d32_float", np.dtype("<f4"), 1, FLOAT),
    _sampled("d16_unorm", _HALF, 1, UNORM),
    # `vulkan/objects/format_support.py` converts texels of the following formats for devices.
    _sampled("r24_unorm_x8_typeless", _DWORD, 1, UNORM, held="VK_FORMAT_D32_SFLOAT"),
    _sampled("x24_typeless_g8_uint", _DWORD, 1, UINT, swizzle="0a01"),
    _sampled("r32_float_x8x24_typeless", _DWORD, 2, FLOAT, held="VK_FORMAT_D32_SFLOAT"),
    _sampled("x32_typeless_g8x24_uint", _DWORD, 2, UINT, swizzle="0r01", held="VK_FORMAT_R8_UINT"),
    _sampled("r8g8_b8g8_unorm", _BYTE, 4, UNORM, swizzle="rgb1", block=(2, 1)),
    _sampled("g8r8_g8b8_unorm", _BYTE, 4, UNORM, swizzle="rgb1", block=(2, 1)),
    *_compressed_formats(),
)
_EVEN: dict[str, Format] = {f.name: f for f in _even_formats()}
FORMATS: dict[str, Format] = {**_EVEN, **{f.name: f for f in _UNEVEN_FORMATS}}

ADD_ALPHA = (  # of an error
    f"add a fourth component, alpha, for instance by {ALPHA_OF_PICTURE} of a picture of Pillow"
)

_DEPTH_TWINS = {"r32_float": "d32_float", "r16_unorm": "d16_unorm"}
_ARRAY_KINDS = {"f": FLOAT, "u": UINT, "i": SINT}


def format_of_name(name: str) -> Format:
    """The format of a name. Raises ArgumentError, with similar names, for an unknown one."""
    found = FORMATS.get(name)
    if found is not None:
        return found
    raise UnknownNameError(f"{name!r} is not a format of typed resources{format_hint(str(name))}")


def check_stored(format: Format, dtype: np.dtype[Any], label: str, more: str = "") -> None:
    """Raise ArgumentError for an array whose numbers a format does not store.

    A format of floats stores those floats, and unsigned integers of the same size as their bits. In
    other formats arrays have unsigned integers: bytes, or words of whole texels; or signed ones of
    the format's own size. Structures and plain bytes fit every format. `more` follows the advice.
    """
    own, size = format.dtype, dtype.itemsize
    is_float, fits = own.kind == "f", size == own.itemsize
    if dtype.kind == "V" or (dtype.kind == "u" and (fits or not is_float)):
        return
    if dtype.kind == ("f" if is_float else "i") and fits:
        return
    bits = own if is_float else f"uint{8 * size}"
    way = f"convert its numbers, array.astype(np.{own})"
    if is_float or size in (own.itemsize, format.texel_bytes):
        way += f", or pass its bits as they are, array.view(np.{bits})"
    is_packed = format.name not in _EVEN and not format.is_blue_first
    if format.kind in (UNORM, SNORM) and dtype.kind in "bf" and not is_packed:
        most = np.iinfo(own).max
        way = (
            f"for numbers up to {most} pass array.astype(np.{own}), for numbers up to 1"
            f" (array.astype(float) * {most}).round().astype(np.{own})"
        )
    raise WrongTypeError(
        f"{label} takes {own} in {format.name}, not an array of {dtype}: {way}{more}"
    )


def format_of_array(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Format:
    """The format of an array that is bound to a typed buffer, by the array's dtype and last axis.

    The last of several axes has the components if its length is 2, 3 or 4; other arrays have one
    component for each element. Raises ArgumentError if DXGI has no such format.
    """
    components = shape[-1] if len(shape) > 1 and shape[-1] in (2, 3, 4) else 1
    return format_of_elements(dtype, components, shape)


def channels(dtype: np.dtype[Any], components: int) -> str:
    """The part of a format's name for its components: `r8g8b8a8` for four of `uint8`."""
    return "".join(f"{letter}{dtype.itemsize * 8}" for letter in "rgba"[:components])


def format_of_elements(dtype: np.dtype[Any], components: int, shape: tuple[int, ...]) -> Format:
    """The format with elements of `components` numbers of `dtype`; `shape` is for the error."""
    found = FORMATS.get(f"{channels(dtype, components)}_{_ARRAY_KINDS.get(dtype.kind)}")
    if found is not None and components <= len("rgba"):
        return found
    what = f"no format has elements like an array of {dtype}{list(shape)}"
    if dtype.kind == "c":
        pair = "array.astype(np.complex64)" if dtype != np.complex64 else "array"
        raise FormatError(f"{what}: pass {pair}[..., None].view(np.float32), two components each")
    if components == 3 and dtype.itemsize < 4 and dtype.kind in _ARRAY_KINDS:
        raise FormatError(f"{what}: {ADD_ALPHA}")
    raise FormatError(
        f"{what}: pass float32, float16 or"
        " 8- to 32-bit integers with 1, 2 or 4 components (3 of 32 bits), or name a format:"
        " device.buffer(array).view(format=...), device.texture(array, format=...)"
    )


def reread_as(format: Format, component: str | None) -> Format:
    """The format in which a shader reads texels as `component`, float, uint or sint.

    For 32-bit integers it has the sign that the shader reads; otherwise it is `format`.
    """
    return FORMATS[reread_format(format.name, component or "")]


def name_read_as(format: Format, component: str | None) -> str | None:
    """The name of a format of the same layout that a shader reads as float, int or uint."""
    normalised = SNORM if format.kind == SINT else UNORM
    endings = (normalised, FLOAT) if component == FLOAT else (component,)
    layout = format.name.rpartition("_")[0]
    names = [f"{layout}_{ending}" for ending in endings]
    return next((name for name in names if name in FORMATS), None)


def depth_twin(format: Format) -> Format:
    """The depth format with the same texels, for comparison samplers; else the format itself."""
    return FORMATS[_DEPTH_TWINS.get(format.name, format.name)]


def plain_twin(format: Format) -> Format:
    """A format with the same VkFormat and no swizzle; the format itself if it has no swizzle."""
    if format.swizzle == "rgba":
        return format
    named = (f for f in FORMATS.values() if f.vulkan == format.vulkan and f.swizzle == "rgba")
    return next(named, format)


def family_of(format: Format) -> list[Format]:
    """The formats in which a texture of this format can be viewed."""
    return [other for other in FORMATS.values() if other.family == format.family]


def buffer_twin(format: Format) -> Format:
    """The format to bind for a typed buffer SRV: one of integers if the shader must unpack them."""
    return FORMATS[buffer_format(format.name)]


def bound_format(format: Format, binding: Binding) -> Format:
    """The format of the view that a device gets for a binding.

    One of integers if the shader unpacks the texels itself, or exchanges floats.
    """
    if binding.atomic and format.name == "r32_float":
        return FORMATS["r32_uint"]
    return buffer_twin(format) if binding.descriptor_type == UNIFORM_TEXEL_BUFFER else format


def has_own_code(format: Format, *, storage: bool, buffer: bool, compared: bool) -> bool:
    """Whether a shader needs code for this format, because the bound view has another format.

    The resource is a UAV (`storage`), a typed buffer (`buffer`), or a texture with a comparison
    sampler (`compared`).
    """
    if compared:  # a float texture is bound, for which the device does not clamp the reference
        return format.name == "r24_unorm_x8_typeless"
    if buffer and not storage and buffer_twin(format) is not format:
        return True
    return (buffer or storage) and format.swizzle != "rgba"
