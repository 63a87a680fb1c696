"""Decode BC1 to BC5 to exact numbers. Source: FS §19.5.3, §19.5.6-12."""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes

_RED, _GREEN, _BLUE, _ALPHA = range(4)


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
    texels[:, :, _ALPHA] = _numbers(blocks[:, :8], signed=False)
    return texels


def decode_bc4(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 8] to f64[blocks, texels, 4], where only red is set."""
    texels = np.zeros((len(blocks), 16, 4))
    texels[:, :, _RED] = _numbers(blocks, signed=signed)
    return texels


def decode_bc5(blocks: Lanes, *, signed: bool = False) -> Lanes:
    """Decode u8[blocks, 16] to f64[blocks, texels, 4], where only red and green are set."""
    texels = decode_bc4(blocks[:, :8], signed=signed)
    texels[:, :, _GREEN] = _numbers(blocks[:, 8:], signed=signed)
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


def _numbers(blocks: Lanes, *, signed: bool) -> Lanes:
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
