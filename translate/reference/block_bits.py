"""Fields of compressed blocks, and the weights and partitions that BC6H and BC7 share.

Source: FS §19.5.13.4, §19.5.14.3, §19.5.14.5-6.
"""

from __future__ import annotations

import numpy as np

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
