"""Convert texels between bytes and the four components that a shader sees, as D3D does.

Formats with several texels in a block are decoded to texels of 32-bit components. Floats are
handled as u32 bits, so 32-bit floats stay unchanged. Source: FS §3.2.3, §19.1, §19.4 (two texels
that share red and blue), §19.5 (block compression).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from translate.dataclass import dataclass
from translate.errors import OptionError
from translate.isa.instruction import Lanes
from translate.reference.bptc import decode_bc6h, decode_bc7
from translate.reference.numbers import from_raw, from_srgb, small_float_bits, to_raw
from translate.reference.resources import Array

_RED, _GREEN, _BLUE, _ALPHA = range(4)
_COMPONENTS = 4
DECODED_BYTES = 4 * _COMPONENTS
_HALF = 16
_AT_ONCE = 1 << 15  # blocks; decoding needs some KiB for each


def decode_bc1(blocks: Lanes) -> Lanes:
    """Decode u8[blocks, 8] to f64[blocks, texels, 4]."""
    return _colors(blocks, can_be_transparent=True)


def decode_bc2(blocks: Lanes) -> Lanes:
    """Decode u8[blocks, 16] to f64[blocks, texels, 4]: four bits of alpha, then colours."""
    texels = _colors(blocks[:, 8:], can_be_transparent=False)
    alphas = np.stack([blocks[:, :8] & 15, blocks[:, :8] >> 4], axis=2).reshape(-1, 16)
    texels[:, :, _ALPHA] = alphas / 15.0
    return texels


def decode_bc3(blocks: Lanes) -> Lanes:
    """Decode u8[blocks, 16] to f64[blocks, texels, 4]: alpha as BC4, then colours."""
    texels = _colors(blocks[:, 8:], can_be_transparent=False)
    texels[:, :, _ALPHA] = _channel(blocks[:, :8], signed=False)
    return texels


def decode_bc4(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 8] to f64[blocks, texels, 4], where only red is set."""
    texels = np.zeros((len(blocks), 16, 4))
    texels[:, :, _RED] = _channel(blocks, signed=signed)
    return texels


def decode_bc5(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 16] to f64[blocks, texels, 4], where only red and green are set."""
    texels = decode_bc4(blocks[:, :8], signed=signed)
    texels[:, :, _GREEN] = _channel(blocks[:, 8:], signed=signed)
    return texels


def _colors(blocks: Lanes, *, can_be_transparent: bool) -> Lanes:
    """Decode colours: two endpoints of 5, 6 and 5 bits, then two bits for each texel."""
    halves = np.ascontiguousarray(blocks).view("<u2")
    first, second = (_promoted(halves[:, n].astype(np.int32)) for n in (0, 1))
    palette = np.ones((len(blocks), 4, 4))
    thirds = (3 * first, 3 * second, 2 * first + second, first + 2 * second)
    for code, color in enumerate(thirds):
        palette[:, code, :_ALPHA] = color / (3 * 255)
    if can_be_transparent:
        three = halves[:, 0] <= halves[:, 1]
        palette[three, 2, :_ALPHA] = ((first + second) / (2 * 255))[three]
        palette[three, 3] = 0.0
    texel = np.arange(16)
    codes = blocks[:, 4 + texel // 4] >> (2 * (texel % 4)).astype(np.uint8) & 3
    return palette[np.arange(len(blocks))[:, None], codes]


def _promoted(packed: Lanes) -> Lanes:
    """Expand 5, 6 and 5 bits, with blue lowest, to eight bits each, i32[blocks, 3], red first."""
    red, green, blue = packed >> 11, packed >> 5 & 63, packed & 31
    return np.stack([red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2], axis=1)


def _channel(blocks: Lanes, *, signed: bool) -> Lanes:
    """Decode one component, f64[blocks, texels].

    A block has two endpoints of a byte each, then three bits for each texel.
    """
    codes = (blocks[:, :2].view(np.int8) if signed else blocks[:, :2]).astype(np.int32)
    top = 127 if signed else 255
    first, second = (np.maximum(codes[:, n], -top) for n in (0, 1))
    eight = [((7 - n) * first + n * second) / (7 * top) for n in range(1, 7)]
    ends = [np.full(len(blocks), end) for end in (-1.0 if signed else 0.0, 1.0)]
    six = [*(((5 - n) * first + n * second) / (5 * top) for n in range(1, 5)), *ends]
    has_eight = (codes[:, 0] > codes[:, 1])[:, None]
    between = np.where(has_eight, np.stack(eight, axis=1), np.stack(six, axis=1))
    palette = np.concatenate([np.stack([first, second], axis=1) / top, between], axis=1)
    bits = np.unpackbits(blocks[:, 2:8], axis=1, bitorder="little").reshape(-1, 16, 3)
    indices = bits @ np.array([1, 2, 4], np.uint8)
    return np.take_along_axis(palette, indices.astype(np.int64), axis=1)


@dataclass(frozen=True, slots=True)
class Block:
    """Blocks of `width` by `height` texels, of `nbytes` bytes each.

    `components` are the components that exist. `decode` turns u8[blocks, bytes] into u32[blocks,
    texels, 4], the bits of floats.
    """

    components: str
    nbytes: int
    decode: Callable[[Lanes], Lanes]
    width: int = 4
    height: int = 4

    def count(self, width: int, height: int) -> tuple[int, int]:
        """The number of blocks in x and y for a size in texels, including partial blocks."""
        return -(-width // self.width), -(-height // self.height)

    def texels(self, mip: Array, width: int, height: int) -> Array:
        """Decode blocks u8[slices, y, x, 1, bytes] to texels u8[slices, height, width, 1, 16]."""
        slices, down, across = mip.shape[:3]
        blocks = np.ascontiguousarray(mip).reshape(-1, self.nbytes)
        starts = range(0, max(1, len(blocks)), _AT_ONCE)
        decoded = np.concatenate([self.decode(blocks[n : n + _AT_ONCE]) for n in starts])
        parts = decoded.reshape(slices, down, across, self.height, self.width, _COMPONENTS)
        rows = parts.transpose(0, 1, 3, 2, 4, 5)
        whole = rows.reshape(slices, down * self.height, across * self.width, 1, _COMPONENTS)
        return np.ascontiguousarray(whole[:, :height, :width]).view(np.uint8)


def _float_bits(texels: Lanes) -> Lanes:
    return texels.astype(np.float32).view(np.uint32)


def _numbers(decode: Callable[[Lanes], Lanes], blocks: Lanes) -> Lanes:
    return _float_bits(decode(blocks))


def _srgb(decode: Callable[[Lanes], Lanes], blocks: Lanes) -> Lanes:
    """Decode blocks of an sRGB format; all components except alpha become linear."""
    texels = decode(blocks)
    texels[:, :, :3] = from_srgb(texels[:, :, :3])
    return _float_bits(texels)


def _bc7(blocks: Lanes) -> Lanes:
    return decode_bc7(blocks) / 255.0


def _bc6h(blocks: Lanes, *, signed: bool) -> Lanes:
    halves = decode_bc6h(blocks, signed=signed)
    texels = np.zeros((*halves.shape[:2], _COMPONENTS), np.uint32)
    texels[:, :, :3] = small_float_bits(halves, _HALF)
    return texels


def _shared(blocks: Lanes, *, order: tuple[int, int, int, int]) -> Lanes:
    """Decode two texels that share red and blue.

    `order` has the positions of the bytes for red, first green, blue and second green.
    """
    red, first, blue, second = (blocks[:, place] / 255.0 for place in order)
    texels = np.zeros((len(blocks), 2, _COMPONENTS))
    texels[:, 0, :3] = np.stack([red, first, blue], axis=1)
    texels[:, 1, :3] = np.stack([red, second, blue], axis=1)
    return _float_bits(texels)


BLOCKS = {
    **{
        f"{name}_unorm{suffix}": Block("rgba", nbytes, partial(convert, decode))
        for name, nbytes, decode in (
            ("bc1", 8, decode_bc1),
            ("bc2", 16, decode_bc2),
            ("bc3", 16, decode_bc3),
            ("bc7", 16, _bc7),
        )
        for suffix, convert in (("", _numbers), ("_srgb", _srgb))
    },
    **{
        f"{name}_{kind}": Block(
            components, nbytes, partial(_numbers, partial(decode, signed=kind == "snorm"))
        )
        for name, nbytes, components, decode in (
            ("bc4", 8, "r", decode_bc4),
            ("bc5", 16, "rg", decode_bc5),
        )
        for kind in ("unorm", "snorm")
    },
    "bc6h_uf16": Block("rgb", 16, partial(_bc6h, signed=False)),
    "bc6h_sf16": Block("rgb", 16, partial(_bc6h, signed=True)),
    "r8g8_b8g8_unorm": Block("rgb", 4, partial(_shared, order=(0, 1, 2, 3)), 2, 1),
    "g8r8_g8b8_unorm": Block("rgb", 4, partial(_shared, order=(1, 0, 3, 2)), 2, 1),
}


_NAME = re.compile(r"((?:[rgbaxde]\d+)+)_(float|unorm|snorm|uint|sint|sharedexp)(_srgb)?")
_CHANNEL = re.compile(r"([rgbaxde])(\d+)")
_ORDER = {"r": 0, "g": 1, "b": 2, "a": 3, "d": 0}  # depth is read as red
_ONE = 0x3F800000
_OTHER_NAMES = {  # views of depth and stencil, by their visible channels
    "r24_unorm_x8_typeless": "r24x8_unorm",
    "x24_typeless_g8_uint": "x24g8_uint",
    "r32_float_x8x24_typeless": "r32x32_float",
    "x32_typeless_g8x24_uint": "x32g8x24_uint",
}
_KINDS = {"uf16": "float", "sf16": "float"}  # compressed formats


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a texel: its component (0 to 3), first bit and bit count."""

    component: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class Format:
    """A DXGI format. `kind` is float, unorm, snorm, uint, sint or sharedexp.

    `block` describes formats with blocks of texels. Their channels are those of decoded texels,
    which are always 32-bit floats.
    """

    name: str
    kind: str
    channels: tuple[Channel, ...]
    texel_bytes: int
    srgb: bool = False
    block: Block | None = None

    @property
    def stored_bytes(self) -> int:
        """The bytes of a block or texel in memory."""
        return self.block.nbytes if self.block is not None else self.texel_bytes

    @property
    def component(self) -> str:
        """The type that a shader reads: float, uint or sint."""
        return self.kind if self.kind in ("uint", "sint") else "float"

    @property
    def components(self) -> frozenset[int]:
        """The components that the format has."""
        return frozenset(channel.component for channel in self.channels)


@cache
def read_format(name: str) -> Format:
    """A format by its DXGI name in lower case. Raises TranslateError for an unknown name."""
    block = BLOCKS.get(name)
    if block is not None:
        return _decoded(name, block)
    match = _NAME.fullmatch(_OTHER_NAMES.get(name, name))
    if match is None:
        raise OptionError(f"no format {name!r}")
    channels: list[Channel] = []
    shift = 0
    for letter, bits in _CHANNEL.findall(match[1]):
        if letter in _ORDER:
            channels.append(Channel(_ORDER[letter], shift, int(bits)))
        shift += int(bits)
    # The regular expression includes the shared exponent: r9g9b9e5 has 32 bits.
    return Format(name, match[2], tuple(channels), shift // 8, bool(match[3]))


def _decoded(name: str, block: Block) -> Format:
    kind = name.removesuffix("_srgb").rpartition("_")[2]
    channels = (Channel(_ORDER[letter], _ORDER[letter] * 32, 32) for letter in block.components)
    return Format(name, _KINDS.get(kind, kind), tuple(channels), DECODED_BYTES, block=block)


def missing(texel_format: Format) -> tuple[int, int, int, int]:
    """The values of components that the format lacks: 0, for alpha 1 (FS §19.1.3.3)."""
    one = 1 if texel_format.kind in ("uint", "sint") else _ONE
    return (0, 0, 0, one)


def decode(texel_format: Format, texels: Lanes) -> list[Lanes]:
    """Decode texels, u8[lanes, texel bytes], to four components, u32[lanes] each."""
    count = len(texels)
    values = [np.full(count, default, np.uint32) for default in missing(texel_format)]
    if texel_format.kind == "sharedexp":
        return _decode_shared_exponent(texel_format, texels, values)
    kind = texel_format.kind if texel_format.block is None else "float"
    for channel in texel_format.channels:
        raw = _extract(texels, channel)
        linear = channel.component == 3 or not texel_format.srgb
        values[channel.component] = from_raw(kind, raw, channel.bits, linear)
    return values


def encode(texel_format: Format, values: list[Lanes]) -> Lanes:
    """Encode four components, u32[lanes] each, to texels, u8[lanes, texel bytes].

    Bits without a channel are 0.
    """
    count = len(values[0])
    dwords = np.zeros((count, -(-texel_format.texel_bytes // 4)), np.uint32)
    for channel in texel_format.channels:
        raw = to_raw(texel_format.kind, values[channel.component], channel.bits)
        dwords[:, channel.shift // 32] |= raw << np.uint32(channel.shift % 32)
    return dwords.view(np.uint8).reshape(count, -1)[:, : texel_format.texel_bytes]


def _extract(texels: Lanes, channel: Channel) -> Lanes:
    """The bits of a channel, u32[lanes]; channels never cross a dword's end."""
    first = channel.shift // 32 * 4
    dword = np.zeros((len(texels), 4), np.uint8)
    part = texels[:, first : first + 4]
    dword[:, : part.shape[1]] = part
    word = dword.view(np.uint32)[:, 0] >> np.uint32(channel.shift % 32)
    return word & np.uint32((1 << channel.bits) - 1)


def _decode_shared_exponent(
    texel_format: Format, texels: Lanes, values: list[Lanes]
) -> list[Lanes]:
    exponent = _extract(texels, Channel(3, 27, 5)).astype(np.int32)
    for channel in texel_format.channels:
        mantissa = _extract(texels, channel).astype(np.float64)
        number = np.ldexp(mantissa, exponent - (15 + 9)).astype(np.float32)
        values[channel.component] = number.view(np.uint32)
    return values
