"""Decode BC6H: blocks of 14 modes to half floats, bit for bit. Source: FS §19.5.13.

The names of endpoint bits are those of the specification's table: r, g or b, then w for the first
endpoint and x, y, z for the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from translate.isa.instruction import Lanes
from translate.reference.block_bits import (
    TEXELS,
    WEIGHTS,
    bits_of,
    field,
    indices_of,
    subsets_of,
)

_CHANNELS, _ENDS = "rgb", "wxyz"
_PART = re.compile(r"([rgb])([wxyz])(\d+)(?:-(\d+))?")


@dataclass(frozen=True, slots=True)
class _Mode:
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


_MODES = (
    _Mode(0x00, 10, (5, 5, 5), "gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3"
          " bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode(0x01, 7, (6, 6, 6), "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4"
          " rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5"),
    _Mode(0x02, 11, (5, 4, 4), "rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3"
          " bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode(0x06, 11, (4, 5, 4), "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3"
          " bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3"),
    _Mode(0x0A, 11, (4, 4, 5), "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4"
          " bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3"),
    _Mode(0x0E, 9, (5, 5, 5), "rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3"
          " bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode(0x12, 8, (6, 5, 5), "rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0"
          " gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5"),
    _Mode(0x16, 8, (5, 6, 5), "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5"
          " gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode(0x1A, 8, (5, 5, 6), "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4"
          " bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3"),
    _Mode(0x1E, 6, (6, 6, 6), "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4"
          " rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 rz0-5", transformed=False),
    _Mode(0x03, 10, (10, 10, 10), "rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9", 1, transformed=False),
    _Mode(0x07, 11, (9, 9, 9), "rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10", 1),
    _Mode(0x0B, 12, (8, 8, 8), "rw0-9 gw0-9 bw0-9 rx0-7 rw11-10 gx0-7 gw11-10 bx0-7 bw11-10", 1),
    _Mode(0x0F, 16, (4, 4, 4), "rw0-9 gw0-9 bw0-9 rx0-3 rw15-10 gx0-3 gw15-10 bx0-3 bw15-10", 1),
)  # fmt: skip


def decode_bc6h(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 16] to bits of half floats, u32[blocks, texels, 3].

    Reserved modes give 0.
    """
    result = np.zeros((len(blocks), TEXELS, 3), np.uint32)
    for mode in _MODES:
        mask = (1 << mode.mode_bits) - 1
        chosen = np.flatnonzero((blocks[:, 0] & mask) == mode.number)
        if len(chosen):
            result[chosen] = _decode_mode(mode, bits_of(blocks[chosen]), signed)
    return result


def _decode_mode(mode: _Mode, bits: Lanes, signed: bool) -> Lanes:
    ends, start = _endpoints(mode, bits, signed)
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


def _endpoints(mode: _Mode, bits: Lanes, signed: bool) -> tuple[Lanes, int]:
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


def _packed(mode: _Mode, bits: Lanes) -> tuple[Lanes, int]:
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
