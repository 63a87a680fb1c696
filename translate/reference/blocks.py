"""Decode formats with several texels in a block to texels of 32-bit components.

Source: FS §19.4 (two texels that share red and blue), §19.5 (block compression).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from translate.dataclass import dataclass
from translate.isa.instruction import Lanes
from translate.reference.bptc import decode_bc6h, decode_bc7
from translate.reference.numbers import from_srgb, small_float_bits
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
