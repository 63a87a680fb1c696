"""Decode BC6H to half floats and BC7 to bytes, bit for bit.

Source: FS §19.5.13, §19.5.14. The names of BC6H's endpoint bits are those of the specification's
table: r, g or b, then w for the first endpoint and x, y, z for the others.
"""

from __future__ import annotations

import re

import numpy as np

from translate.dataclass import dataclass
from translate.isa.instruction import Lanes

TEXELS = 16  # of a block

# The second endpoint's weights in 64ths, by the number of bits of an index
WEIGHTS = {
    2: np.array([0, 21, 43, 64], np.int32),
    3: np.array([0, 9, 18, 27, 37, 46, 55, 64], np.int32),
    4: np.array([0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64], np.int32),
}

# Two subsets: a bit for each texel, set for subset 1
_PAIRS = (
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80,
    0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8, 0xFF00, 0xFFF0, 0xF000,
    0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE,
    0x088C, 0x3110, 0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C,
    0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696, 0xA55A,
    0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660,
    0x0272, 0x04E4, 0x4E40, 0x2720, 0xC936, 0x936C, 0x39C6, 0x639C,
    0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
)  # fmt: skip
# Three subsets: two bits for each texel
_TRIPLES = (
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254,
)  # fmt: skip
# For each partition: the texel whose index has one bit less, in each subset after the first
_PAIR_FIXUPS = (
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 2, 8, 2, 2, 8, 8, 15, 2, 8, 2, 2, 8, 8, 2, 2,
    15, 15, 6, 8, 2, 8, 15, 15, 2, 8, 2, 2, 2, 15, 15, 6,
    6, 2, 6, 8, 15, 15, 2, 2, 15, 15, 15, 15, 15, 2, 2, 15,
)  # fmt: skip
_TRIPLE_FIXUPS = (
    (3, 3, 15, 15, 8, 3, 15, 15, 8, 8, 6, 6, 6, 5, 3, 3,
     3, 3, 8, 15, 3, 3, 6, 10, 5, 8, 8, 6, 8, 5, 15, 15,
     8, 15, 3, 5, 6, 10, 8, 15, 15, 3, 15, 5, 15, 15, 15, 15,
     3, 15, 5, 5, 5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3, 3),
    (15, 8, 8, 3, 15, 15, 3, 8, 15, 15, 15, 15, 15, 15, 15, 8,
     15, 8, 15, 3, 15, 8, 15, 8, 3, 15, 6, 10, 15, 15, 10, 8,
     15, 3, 15, 10, 10, 8, 9, 10, 6, 15, 8, 15, 3, 6, 6, 8,
     15, 3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3, 15, 15, 8),
)  # fmt: skip
_CHANNELS, _ENDS = "rgb", "wxyz"
_PART = re.compile(r"([rgb])([wxyz])(\d+)(?:-(\d+))?")
_ALPHA = 3


def bits_of(blocks: Lanes) -> Lanes:
    """Unpack u8[blocks, bytes] to bits, u8[blocks, bits], lowest first."""
    return np.unpackbits(blocks, axis=1, bitorder="little")


def field(bits: Lanes, first: int, count: int) -> Lanes:
    """The `count` bits from bit `first` on as one number for each block, i32[blocks]."""
    return bits[:, first : first + count].astype(np.int32) @ (1 << np.arange(count, dtype=np.int32))


def subsets_of(partitions: Lanes, count: int) -> Lanes:
    """The subset of each texel, i32[blocks, 16], by partition number and number of subsets."""
    texel = np.arange(TEXELS, dtype=np.int64)
    if count == 1:
        return np.zeros((len(partitions), TEXELS), np.int32)
    if count == 2:
        chosen = np.array(_PAIRS, np.int64)[partitions]
        return (chosen[:, None] >> texel & 1).astype(np.int32)
    chosen = np.array(_TRIPLES, np.int64)[partitions]
    return (chosen[:, None] >> 2 * texel & 3).astype(np.int32)


def _fixups_of(partitions: Lanes, count: int) -> Lanes:
    """The texel of each subset whose index has one bit less, i64[blocks, subsets]."""
    first = np.zeros(len(partitions), np.int64)
    rows = {1: (), 2: (_PAIR_FIXUPS,), 3: _TRIPLE_FIXUPS}[count]
    return np.stack([first, *(np.array(row, np.int64)[partitions] for row in rows)], axis=1)


def indices_of(bits: Lanes, first: int, width: int, partitions: Lanes, subsets: int) -> Lanes:
    """The index of each texel, i32[blocks, 16], of `width` bits each from bit `first` on."""
    count = len(bits)
    lengths = np.full((count, TEXELS), width, np.int64)
    lengths[np.arange(count)[:, None], _fixups_of(partitions, subsets)] -= 1
    starts = first + np.cumsum(lengths, axis=1) - lengths
    rows = np.arange(count)[:, None]
    result = np.zeros((count, TEXELS), np.int32)
    for bit in range(width):
        there = np.minimum(starts + bit, bits.shape[1] - 1)
        result |= np.where(bit < lengths, bits[rows, there], 0).astype(np.int32) << bit
    return result


@dataclass(frozen=True, slots=True)
class _Mode6:
    """A mode of BC6H blocks.

    `number` is the mode's bits, `precision` the bit count of the first endpoint, `deltas` those of
    the others by channel. `transformed`: the others are stored as differences from the first.
    `layout` lists the bits between mode and partition in order: `gy4` is one bit, `rw0-9` several,
    `rw15-10` several from the highest down.
    """

    number: int
    precision: int
    deltas: tuple[int, int, int]
    layout: str
    subsets: int = 2
    transformed: bool = True

    @property
    def mode_bits(self) -> int:
        return 2 if self.number < 2 else 5


_MODES6 = (
    _Mode6(0x00, 10, (5, 5, 5), "gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3"
          " bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode6(0x01, 7, (6, 6, 6), "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4"
          " rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5"),
    _Mode6(0x02, 11, (5, 4, 4), "rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3"
          " bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode6(0x06, 11, (4, 5, 4), "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3"
          " bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3"),
    _Mode6(0x0A, 11, (4, 4, 5), "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4"
          " bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3"),
    _Mode6(0x0E, 9, (5, 5, 5), "rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3"
          " bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode6(0x12, 8, (6, 5, 5), "rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0"
          " gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5"),
    _Mode6(0x16, 8, (5, 6, 5), "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5"
          " gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode6(0x1A, 8, (5, 5, 6), "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4"
          " bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode6(0x1E, 6, (6, 6, 6), "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4"
          " rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5", transformed=False),
    _Mode6(0x03, 10, (10, 10, 10), "rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9", 1, transformed=False),
    _Mode6(0x07, 11, (9, 9, 9), "rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10", 1),
    _Mode6(0x0B, 12, (8, 8, 8), "rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10", 1),
    _Mode6(0x0F, 16, (4, 4, 4), "rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10", 1),
)  # fmt: skip


def decode_bc6h(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 16] to bits of half floats, u32[blocks, texels, 3].

    Reserved modes give 0.
    """
    result = np.zeros((len(blocks), TEXELS, 3), np.uint32)
    for mode in _MODES6:
        mask = (1 << mode.mode_bits) - 1
        chosen = np.flatnonzero((blocks[:, 0] & mask) == mode.number)
        if len(chosen):
            result[chosen] = _decode_bc6h_mode(mode, bits_of(blocks[chosen]), signed)
    return result


def _decode_bc6h_mode(mode: _Mode6, bits: Lanes, signed: bool) -> Lanes:
    ends, start = _bc6h_endpoints(mode, bits, signed)
    width = 3 if mode.subsets == 2 else 4
    partition_bits = 5 if mode.subsets == 2 else 0
    partitions = field(bits, start, partition_bits)
    indices = indices_of(bits, start + partition_bits, width, partitions, mode.subsets)
    subsets = subsets_of(partitions, mode.subsets)
    unquantized = _unquantized(ends, mode.precision, signed)
    rows = np.arange(len(bits))[:, None]
    one, other = (unquantized[rows, 2 * subsets + end] for end in (0, 1))
    weight = WEIGHTS[width][indices][:, :, None]
    return _finished((one * (64 - weight) + other * weight + 32) >> 6, signed)


def _bc6h_endpoints(mode: _Mode6, bits: Lanes, signed: bool) -> tuple[Lanes, int]:
    """The endpoints, i32[blocks, endpoints, 3], and the position of the bit after them."""
    ends, start = _packed(mode, bits)
    for channel, delta in enumerate(mode.deltas):
        first = ends[:, 0, channel]
        if signed:
            first = ends[:, 0, channel] = _extended(first, mode.precision)
        for end in range(1, 2 * mode.subsets):
            value = ends[:, end, channel]
            if mode.transformed or signed:
                value = _extended(value, delta)
            if mode.transformed:
                value = (first + value) & ((1 << mode.precision) - 1)
                value = _extended(value, mode.precision) if signed else value
            ends[:, end, channel] = value
    return ends, start


def _packed(mode: _Mode6, bits: Lanes) -> tuple[Lanes, int]:
    """The endpoints as they are stored, and the position of the bit after them."""
    ends = np.zeros((len(bits), 2 * mode.subsets, 3), np.int32)
    at = mode.mode_bits
    for part in mode.layout.split():
        match = _PART.fullmatch(part)
        assert match is not None, part
        first = int(match[3])
        last = int(match[4] or first)
        step = 1 if last >= first else -1
        place = ends[:, _ENDS.index(match[2]), _CHANNELS.index(match[1])]
        for bit in range(first, last + step, step):
            place |= bits[:, at].astype(np.int32) << bit
            at += 1
    return ends, at


def _extended(value: Lanes, bits: int) -> Lanes:
    """Sign-extend a number of `bits` bits to 32 bits."""
    unused = 32 - bits
    return value << unused >> unused


def _unquantized(value: Lanes, bits: int, signed: bool) -> Lanes:
    """Expand endpoints of `bits` bits to 16 bits (FS: unquantize)."""
    if not signed:
        if bits >= 15:
            return value
        scaled = ((value << 16) + 0x8000) >> bits
        scaled = np.where(value == (1 << bits) - 1, 0xFFFF, scaled)
        return np.where(value == 0, 0, scaled)
    if bits >= 16:
        return value
    size = np.abs(value)
    scaled = ((size << 15) + 0x4000) >> (bits - 1)
    scaled = np.where(size >= (1 << bits - 1) - 1, 0x7FFF, scaled)
    scaled = np.where(size == 0, 0, scaled)
    return np.where(value < 0, -scaled, scaled)


def _finished(value: Lanes, signed: bool) -> Lanes:
    """Scale an interpolated value to the bits of a half float."""
    if not signed:
        return (value * 31 >> 6).astype(np.uint32)
    size = np.abs(value) * 31 >> 5
    return np.where((value < 0) & (size > 0), size | 0x8000, size).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class _Mode7:
    """A mode; all numbers after the first are bit counts.

    `colour` and `alpha` are the bits of an endpoint's components without the P-bit. `p_bits` is the
    number of P-bits per subset: two, one that both endpoints share, or none. `second` is the width
    of an index in the second set, or 0.
    """

    subsets: int
    partition: int
    rotation: int
    selector: int
    colour: int
    alpha: int
    p_bits: int
    index: int
    second: int = 0


_MODES7 = (
    _Mode7(3, 4, 0, 0, 4, 0, 2, 3),
    _Mode7(2, 6, 0, 0, 6, 0, 1, 3),
    _Mode7(3, 6, 0, 0, 5, 0, 0, 2),
    _Mode7(2, 6, 0, 0, 7, 0, 2, 2),
    _Mode7(1, 0, 2, 1, 5, 6, 0, 2, 3),
    _Mode7(1, 0, 2, 0, 7, 8, 0, 2, 2),
    _Mode7(1, 0, 0, 0, 7, 7, 2, 4),
    _Mode7(2, 6, 0, 0, 5, 5, 2, 2),
)


def decode_bc7(blocks: Lanes) -> Lanes:
    """Decode u8[blocks, 16] to bytes, i32[blocks, texels, 4]; 0 for the reserved mode."""
    result = np.zeros((len(blocks), TEXELS, 4), np.int32)
    for number, mode in enumerate(_MODES7):
        lowest = 1 << number  # the mode is the number of zeros before the first one
        chosen = np.flatnonzero((blocks[:, 0] & (2 * lowest - 1)) == lowest)
        if len(chosen):
            result[chosen] = _decode_bc7_mode(mode, bits_of(blocks[chosen]), number + 1)
    return result


def _decode_bc7_mode(mode: _Mode7, bits: Lanes, start: int) -> Lanes:
    partitions = field(bits, start, mode.partition)
    start += mode.partition
    rotation = field(bits, start, mode.rotation)
    selector = field(bits, start + mode.rotation, mode.selector)
    start += mode.rotation + mode.selector
    endpoints, start = _bc7_endpoints(mode, bits, start)
    subsets = subsets_of(partitions, mode.subsets)
    indices = indices_of(bits, start, mode.index, partitions, mode.subsets)
    weights = WEIGHTS[mode.index][indices]
    colour = alpha = weights
    if mode.second:
        start += mode.index * TEXELS - mode.subsets
        others = WEIGHTS[mode.second][indices_of(bits, start, mode.second, partitions, 1)]
        swapped = (selector == 1)[:, None]
        colour, alpha = np.where(swapped, others, weights), np.where(swapped, weights, others)
    rows = np.arange(len(bits))[:, None]
    one, other = (endpoints[rows, 2 * subsets + end] for end in (0, 1))
    weight = np.stack([colour, colour, colour, alpha], axis=2)
    texels = ((64 - weight) * one + weight * other + 32) >> 6
    return _rotated(texels, rotation)


def _bc7_endpoints(mode: _Mode7, bits: Lanes, start: int) -> tuple[Lanes, int]:
    """The endpoints as bytes, i32[blocks, endpoints, 4], and the position of the bit after them."""
    count = 2 * mode.subsets
    ends = np.full((len(bits), count, 4), 255, np.int32)
    widths = (mode.colour, mode.colour, mode.colour, mode.alpha)
    for component, width in enumerate(widths):
        for end in range(count if width else 0):
            ends[:, end, component] = field(bits, start, width)
            start += width
    there = _ALPHA + bool(mode.alpha)
    per_subset = mode.p_bits
    for end in range(count if per_subset else 0):
        at = start + (end if per_subset == 2 else end // 2)
        shared = field(bits, at, 1)[:, None]
        ends[:, end, :there] = ends[:, end, :there] << 1 | shared
    for component, width in enumerate(widths):
        if width:
            total = width + bool(per_subset)
            wide = ends[:, :, component] << (8 - total)
            ends[:, :, component] = wide | wide >> total
    return ends, start + per_subset * mode.subsets


def _rotated(texels: Lanes, rotation: Lanes) -> Lanes:
    """Swap alpha with red, green or blue for a rotation of 1, 2 or 3."""
    for component in range(_ALPHA):
        chosen = np.flatnonzero(rotation == component + 1)
        kept = texels[chosen, :, component]
        texels[chosen, :, component] = texels[chosen, :, _ALPHA]
        texels[chosen, :, _ALPHA] = kept
    return texels
