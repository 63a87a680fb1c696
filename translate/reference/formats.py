"""Convert texels between bytes and the four components that a shader sees, as D3D does.

Source: FS §3.2.3, §19.1, §19.5. Floats are handled as u32 bits, so 32-bit floats stay unchanged.
"""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from translate.dataclass import dataclass
from translate.errors import OptionError
from translate.isa.instruction import Lanes
from translate.reference.blocks import BLOCKS, DECODED_BYTES, Block
from translate.reference.numbers import from_raw, to_raw

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
