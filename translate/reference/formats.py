"""Texels: bytes to the four components that a shader sees, and back, as D3D converts.

Source: FS §3.2.3, §19.1; reference "Numerics" §7. Floats are u32 bits throughout, so that 32-bit
ones pass untouched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from translate.errors import TranslateError
from translate.isa.instruction import Lanes

_NAME = re.compile(r"((?:[rgbaxde]\d+)+)_(float|unorm|snorm|uint|sint|sharedexp)(_srgb)?")
_CHANNEL = re.compile(r"([rgbaxde])(\d+)")
_ORDER = {"r": 0, "g": 1, "b": 2, "a": 3, "d": 0}  # a depth is read as red
_MANTISSAS = {16: 10, 11: 6, 10: 5}  # explicit bits of a small float, by its width
_ONE = 0x3F800000
_NAN_TO_NUMBER = np.float32(0.0)


@dataclass(frozen=True, slots=True)
class Channel:
    """A part of a texel: which component it is (0 to 3), its first bit and its bits."""

    component: int
    shift: int
    bits: int


@dataclass(frozen=True, slots=True)
class Format:
    """A DXGI format. `kind` is float, unorm, snorm, uint, sint or sharedexp."""

    name: str
    kind: str
    channels: tuple[Channel, ...]
    texel_bytes: int
    srgb: bool = False

    @property
    def component(self) -> str:
        """What a shader reads: float, uint or sint."""
        return self.kind if self.kind in ("uint", "sint") else "float"

    @property
    def components(self) -> frozenset[int]:
        """The components that are there."""
        return frozenset(channel.component for channel in self.channels)


@cache
def read_format(name: str) -> Format:
    """A format by its DXGI name in lower case. Raises TranslateError for a name that is none."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise TranslateError(f"no format {name!r}")
    channels: list[Channel] = []
    shift = 0
    for letter, bits in _CHANNEL.findall(match[1]):
        if letter in _ORDER:
            channels.append(Channel(_ORDER[letter], shift, int(bits)))
        shift += int(bits)
    # The shared exponent has no letter of its own: r9g9b9e5 fills its 32 bits.
    return Format(name, match[2], tuple(channels), shift // 8, bool(match[3]))


def missing(texel_format: Format) -> tuple[int, int, int, int]:
    """What is read for components that the format lacks: 0, and 1 for alpha (FS §19.1.3.3)."""
    one = 1 if texel_format.kind in ("uint", "sint") else _ONE
    return (0, 0, 0, one)


def decode(texel_format: Format, texels: Lanes) -> list[Lanes]:
    """u8[lanes, texel bytes] to four u32[lanes]."""
    count = len(texels)
    values = [np.full(count, default, np.uint32) for default in missing(texel_format)]
    if texel_format.kind == "sharedexp":
        return _decode_shared_exponent(texel_format, texels, values)
    for channel in texel_format.channels:
        raw = _extract(texels, channel)
        linear = channel.component == 3 or not texel_format.srgb
        values[channel.component] = _from_raw(texel_format.kind, raw, channel.bits, linear)
    return values


def encode(texel_format: Format, values: list[Lanes]) -> Lanes:
    """Four u32[lanes] to u8[lanes, texel bytes]; bits without a channel are 0."""
    count = len(values[0])
    dwords = np.zeros((count, -(-texel_format.texel_bytes // 4)), np.uint32)
    for channel in texel_format.channels:
        raw = _to_raw(texel_format.kind, values[channel.component], channel.bits)
        dwords[:, channel.shift // 32] |= raw << np.uint32(channel.shift % 32)
    return dwords.view(np.uint8).reshape(count, -1)[:, : texel_format.texel_bytes]


def _extract(texels: Lanes, channel: Channel) -> Lanes:
    """A channel's bits, u32[lanes]; no channel straddles a dword."""
    first = channel.shift // 32 * 4
    dword = np.zeros((len(texels), 4), np.uint8)
    part = texels[:, first : first + 4]
    dword[:, : part.shape[1]] = part
    word = dword.view(np.uint32)[:, 0] >> np.uint32(channel.shift % 32)
    return word & np.uint32((1 << channel.bits) - 1)


def _from_raw(kind: str, raw: Lanes, bits: int, linear: bool) -> Lanes:
    if kind == "uint":
        return raw
    if kind in ("sint", "snorm"):
        unused = np.uint32(32 - bits)
        signed = (raw << unused).view(np.int32) >> unused.astype(np.int32)
        if kind == "sint":
            return signed.view(np.uint32)
        # The most negative code is -1 too.
        scaled = signed.astype(np.float32) / np.float32((1 << bits - 1) - 1)
        return np.maximum(scaled, np.float32(-1)).view(np.uint32)
    if kind == "unorm":
        # Depths have 24 bits: a double keeps them, and rounds once.
        scaled = raw.astype(np.float64) / ((1 << bits) - 1)
        return (scaled if linear else _from_srgb(scaled)).astype(np.float32).view(np.uint32)
    return raw if bits == 32 else small_float_bits(raw, bits)


def _from_srgb(value: Lanes) -> Lanes:
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def small_float_bits(raw: Lanes, bits: int) -> Lanes:
    """Floats of 16, 11 or 10 bits as 32-bit ones, exact; the smaller ones have no sign."""
    mantissa_bits = _MANTISSAS[bits]
    exponent = (raw >> np.uint32(mantissa_bits) & np.uint32(31)).astype(np.int32)
    mantissa = (raw & np.uint32((1 << mantissa_bits) - 1)).astype(np.float64)
    fraction = mantissa / (1 << mantissa_bits)
    normal = np.ldexp(1 + fraction, exponent - 15)
    number = np.where(exponent == 0, np.ldexp(fraction, -14), normal)
    special = np.where(mantissa == 0, np.inf, np.nan)
    value = np.where(exponent == 31, special, number).astype(np.float32)
    negative = raw >> np.uint32(15) & np.uint32(1) if bits == 16 else np.zeros_like(raw)
    return value.view(np.uint32) | negative << np.uint32(31)


def _decode_shared_exponent(
    texel_format: Format, texels: Lanes, values: list[Lanes]
) -> list[Lanes]:
    exponent = _extract(texels, Channel(3, 27, 5)).astype(np.int32)
    for channel in texel_format.channels:
        mantissa = _extract(texels, channel).astype(np.float64)
        number = np.ldexp(mantissa, exponent - (15 + 9)).astype(np.float32)
        values[channel.component] = number.view(np.uint32)
    return values


def _to_raw(kind: str, value: Lanes, bits: int) -> Lanes:
    """A component's bits in a texel, u32[lanes]."""
    limit = 1 << bits - 1
    mask = np.uint32((1 << bits) - 1)
    if kind == "uint":
        return np.minimum(value, mask)
    if kind == "sint":
        clamped = np.clip(value.view(np.int32).astype(np.int64), -limit, limit - 1)
        return (clamped & int(mask)).astype(np.uint32)
    if kind == "float":
        return value if bits == 32 else small_float(value, bits)
    number = value.view(np.float32)
    number = np.where(np.isnan(number), _NAN_TO_NUMBER, number)
    if kind == "unorm":
        scaled = np.clip(number, 0, 1).astype(np.float64) * int(mask)
        return np.floor(scaled + 0.5).astype(np.uint32)
    if kind == "snorm":
        scaled = np.clip(number, -1, 1).astype(np.float64) * (limit - 1)
        code = np.trunc(scaled + np.where(scaled < 0, -0.5, 0.5)).astype(np.int64)
        return (code & int(mask)).astype(np.uint32)
    raise TranslateError(f"nothing can be stored in a format of {kind}")


def small_float(bits32: Lanes, bits: int) -> Lanes:
    """32-bit floats as ones of 16, 11 or 10 bits: round toward zero (FS §3.2.2).

    What is too large becomes the largest number; infinities and NaNs stay. Without a sign bit,
    negative numbers become 0.
    """
    mantissa = _MANTISSAS[bits]
    size = bits32 & np.uint32(0x7FFFFFFF)
    exponent = (size >> np.uint32(23)).astype(np.int64)
    significand = (size & np.uint32(0x7FFFFF) | np.uint32(0x800000)).astype(np.int64)
    # A denormal counts steps of 2^(-14 - mantissa), a float's significand steps of 2^(e - 150).
    tiny = significand >> np.clip(136 - mantissa - exponent, 0, 63)
    normal = (size.astype(np.int64) - 0x38000000) >> (23 - mantissa)
    infinity = 31 << mantissa
    result = np.where(exponent < 113, tiny, normal)
    result = np.where(exponent >= 143, infinity - 1, result)
    result = np.where(size == 0x7F800000, infinity, result)
    result = np.where(size > 0x7F800000, infinity | 1 << mantissa - 1, result)
    negative = (bits32 >> np.uint32(31)).astype(np.int64)
    if bits == 16:
        return (result | negative << 15).astype(np.uint32)
    return np.where((negative == 1) & (size <= 0x7F800000), 0, result).astype(np.uint32)
