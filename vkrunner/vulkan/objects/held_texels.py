"""Formats without a usable VkFormat: the device holds their texels converted.

Shaders read exactly the same values. If a view shows a part of each texel, the device holds only
this part: the other bits are 0 when the texture is read back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import SMALL_TEXELS
from vkrunner.values.arrays import Bytes
from vkrunner.values.formats import Format

_DEPTH_BITS = (1 << 24) - 1


@dataclass(frozen=True, slots=True)
class HeldTexels:
    """A conversion of texels; a texel on the device has `nbytes`.

    `packed` converts whole rows of a caller's texels for the device, and `unpacked` converts them
    back. Both take the width in texels.
    """

    nbytes: int
    packed: Callable[[Bytes, int], Bytes]
    unpacked: Callable[[Bytes, int], Bytes]


def _depths_of_24_bits(data: Bytes, width: int) -> Bytes:
    depths = (data.view("<u4") & np.uint32(_DEPTH_BITS)) / np.float64(_DEPTH_BITS)
    return depths.astype("<f4").view(np.uint8)


def _to_24_bits(data: Bytes, width: int) -> Bytes:
    """Floats to depths of 24 bits, exactly: neighbouring depths have different floats."""
    return np.rint(data.view("<f4").astype(np.float64) * _DEPTH_BITS).astype("<u4").view(np.uint8)


def _part(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    """`nbytes` bytes, from byte `first` on, of each texel of 8 bytes."""
    return np.ascontiguousarray(data.reshape(-1, 8)[:, first : first + nbytes]).reshape(-1)


def _whole(first: int, nbytes: int, data: Bytes, width: int) -> Bytes:
    texels: Bytes = np.zeros((data.nbytes // nbytes, 8), np.uint8)
    texels[:, first : first + nbytes] = data.reshape(-1, nbytes)
    return texels.reshape(-1)


def _pairs_apart(order: tuple[int, int, int, int], data: Bytes, width: int) -> Bytes:
    """Two texels from each block: the block's red and blue, and each texel's own green.

    The second texel's green is in the place of alpha in the block. `order` has the bytes of red,
    the first green, blue and the second green. With an odd width the last block's second texel is
    omitted.
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


Bits = tuple[int, int]  # of a component: the first bit, and the number of bits


def _floats(fields: tuple[Bits, ...], data: Bytes, width: int) -> Bytes:
    """The components of 16-bit texels as four floats; missing components are 0."""
    codes = data.view("<u2")
    texels = np.zeros((len(codes), 4), "<f4")
    for component, (first, bits) in enumerate(fields):
        top = (1 << bits) - 1
        texels[:, component] = (codes >> first & top) / np.float64(top)
    return texels.reshape(-1).view(np.uint8)


def _from_floats(fields: tuple[Bits, ...], data: Bytes, width: int) -> Bytes:
    texels = data.view("<f4").reshape(-1, 4)
    codes = np.zeros(len(texels), "<u2")
    for component, (first, bits) in enumerate(fields):
        code = np.rint(texels[:, component] * np.float64((1 << bits) - 1))
        codes |= code.astype("<u2") << first
    return codes.view(np.uint8)


_FLOAT_BYTES = 16  # of VK_FORMAT_R32G32B32A32_SFLOAT
_SMALL: dict[str, tuple[Bits, ...]] = {  # red, green, blue and alpha
    "b5g6r5_unorm": ((11, 5), (5, 6), (0, 5)),
    "b5g5r5a1_unorm": ((10, 5), (5, 5), (0, 5), (15, 1)),
}
_HELD_SMALL = {
    name: HeldTexels(_FLOAT_BYTES, partial(_floats, fields), partial(_from_floats, fields))
    for name, fields in _SMALL.items()
}
_HELD = {
    "r24_unorm_x8_typeless": HeldTexels(4, _depths_of_24_bits, _to_24_bits),
    "r32_float_x8x24_typeless": HeldTexels(4, partial(_part, 0, 4), partial(_whole, 0, 4)),
    "x32_typeless_g8x24_uint": HeldTexels(1, partial(_part, 4, 1), partial(_whole, 4, 1)),
    "r8g8_b8g8_unorm": _pairs((0, 1, 2, 3)),
    "g8r8_g8b8_unorm": _pairs((1, 0, 3, 2)),
}


def held_format(info: DeviceInfo, format: Format) -> Format:
    """The same format, with the VkFormat and swizzle in which this device holds its images.

    They differ only on drivers with the fault SMALL_TEXELS, where images of some formats hold
    floats. These formats have no UAVs there.
    """
    if SMALL_TEXELS not in info.known_faults or format.name not in _SMALL:
        return format
    swizzle = "rgba"[: len(_SMALL[format.name])].ljust(4, "1")
    return replace(format, held="VK_FORMAT_R32G32B32A32_SFLOAT", swizzle=swizzle)


def held_texels(format: Format) -> HeldTexels | None:
    """The conversion for a `held_format`; None if the device has the format itself."""
    if format.name in _SMALL:
        return _HELD_SMALL[format.name] if format.held else None
    return _HELD.get(format.name)
