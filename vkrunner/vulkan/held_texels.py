"""The texels that a device has in place of those without a VkFormat, and the conversions.

The texels that a shader reads are the same to the bit. Of what a view shows a part of, the device
holds that part: the other bits read back as 0.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from vkrunner.values.arrays import Bytes
from vkrunner.values.formats import Format

_DEPTH_BITS = (1 << 24) - 1


@dataclass(frozen=True, slots=True)
class HeldTexels:
    """`nbytes` are those of a texel on the device.

    `packed` makes these texels of a caller's bytes, whole rows of them, and `unpacked` the other
    way; both take the width in texels.
    """

    nbytes: int
    packed: Callable[[Bytes, int], Bytes]
    unpacked: Callable[[Bytes, int], Bytes]


def _depths_of_24_bits(data: Bytes, width: int) -> Bytes:
    depths = (data.view("<u4") & np.uint32(_DEPTH_BITS)) / np.float64(_DEPTH_BITS)
    return depths.astype("<f4").view(np.uint8)


def _to_24_bits(data: Bytes, width: int) -> Bytes:
    """No two depths share a float, whose steps are half of theirs at most."""
    return np.rint(data.view("<f4").astype(np.float64) * _DEPTH_BITS).astype("<u4").view(np.uint8)


def _part(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    """Some bytes of each texel of 8."""
    return np.ascontiguousarray(data.reshape(-1, 8)[:, first : first + nbytes]).reshape(-1)


def _whole(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    texels: Bytes = np.zeros((data.nbytes // nbytes, 8), np.uint8)
    texels[:, first : first + nbytes] = data.reshape(-1, nbytes)
    return texels.reshape(-1)


def _pairs_apart(order: tuple[int, int, int, int], data: Bytes, width: int) -> Bytes:
    """Two texels of each block: red, its green, blue, and the other's green where alpha is.

    `order` has the bytes of red, the first green, blue and the second green. Of an odd width the
    last block's second texel is left out.
    """
    red, first, blue, second = order
    blocks = data.reshape(-1, -(-width // 2), 4)
    texels = np.stack([blocks[..., order], blocks[..., (red, second, blue, first)]], axis=2)
    rows = texels.reshape(len(blocks), -1, 4)[:, :width]
    return np.ascontiguousarray(rows).reshape(-1)


def _pairs_together(order: tuple[int, int, int, int], data: Bytes, width: int) -> Bytes:
    first = data.reshape(-1, width, 4)[:, ::2]
    blocks = np.zeros_like(first)
    blocks[..., order] = first
    return blocks.reshape(-1)


def _pairs(order: tuple[int, int, int, int]) -> HeldTexels:
    return HeldTexels(4, partial(_pairs_apart, order), partial(_pairs_together, order))


_HELD = {
    "r24_unorm_x8_typeless": HeldTexels(4, _depths_of_24_bits, _to_24_bits),
    "r32_float_x8x24_typeless": HeldTexels(4, partial(_part, 0, 4), partial(_whole, 0, 4)),
    "x32_typeless_g8x24_uint": HeldTexels(1, partial(_part, 4, 1), partial(_whole, 4, 1)),
    "r8g8_b8g8_unorm": _pairs((0, 1, 2, 3)),
    "g8r8_g8b8_unorm": _pairs((1, 0, 3, 2)),
}


def held_texels(format: Format) -> HeldTexels | None:
    """The texels in place of a format's; None if the device has the format."""
    return _HELD.get(format.name)
