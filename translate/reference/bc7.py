"""Decode BC7: blocks of eight modes to bytes, bit for bit. Source: FS §19.5.14."""

from __future__ import annotations

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

_ALPHA = 3


@dataclass(frozen=True, slots=True)
class _Mode:
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


_MODES = (
    _Mode(3, 4, 0, 0, 4, 0, 2, 3),
    _Mode(2, 6, 0, 0, 6, 0, 1, 3),
    _Mode(3, 6, 0, 0, 5, 0, 0, 2),
    _Mode(2, 6, 0, 0, 7, 0, 2, 2),
    _Mode(1, 0, 2, 1, 5, 6, 0, 2, 3),
    _Mode(1, 0, 2, 0, 7, 8, 0, 2, 2),
    _Mode(1, 0, 0, 0, 7, 7, 2, 4),
    _Mode(2, 6, 0, 0, 5, 5, 2, 2),
)


def decode_bc7(blocks: Lanes) -> Lanes:
    """Decode u8[blocks, 16] to bytes, i32[blocks, texels, 4]; 0 for the reserved mode."""
    result = np.zeros((len(blocks), TEXELS, 4), np.int32)
    for number, mode in enumerate(_MODES):
        lowest = 1 << number  # the mode is the number of zeros before the first one
        chosen = np.flatnonzero((blocks[:, 0] & (2 * lowest - 1)) == lowest)
        if len(chosen):
            result[chosen] = _decode_mode(mode, bits_of(blocks[chosen]), number + 1)
    return result


def _decode_mode(mode: _Mode, bits: Lanes, start: int) -> Lanes:
    partitions = field(bits, start, mode.partition)
    start += mode.partition
    rotation = field(bits, start, mode.rotation)
    selector = field(bits, start + mode.rotation, mode.selector)
    start += mode.rotation + mode.selector
    endpoints, start = _endpoints(mode, bits, start)
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


def _endpoints(mode: _Mode, bits: Lanes, start: int) -> tuple[Lanes, int]:
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
