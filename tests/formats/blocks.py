"""Random compressed blocks, and their texels, decoded by other libraries.

BC6H and BC7 are exact: imagecodecs (bcdec) decodes both, and Pillow BC7 too. For BC1 to BC5 these
libraries round to bytes. So the palettes of FS §19.5.6-12 are computed here in fractions, and the
libraries' bytes have to be near them.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import imagecodecs
import numpy as np
from PIL import Image

Array = np.ndarray[Any, Any]
Texel = tuple[Fraction, Fraction, Fraction, Fraction]

ZERO, ONE = Fraction(0), Fraction(1)
BLOCK_BYTES = {
    **dict.fromkeys(("bc1_unorm", "bc4_unorm", "bc4_snorm"), 8),
    **dict.fromkeys(("bc2_unorm", "bc3_unorm", "bc5_unorm", "bc5_snorm"), 16),
}
BC7_MODES = range(9)  # the ninth is reserved
BC6H_MODES = (0, 1, *(2 + 4 * n for n in range(8)), *(3 + 4 * n for n in range(8)))


def random_blocks(count: int, nbytes: int, seed: int = 0) -> Array:
    """u8[count, nbytes]."""
    return np.random.default_rng(seed).integers(0, 256, (count, nbytes)).astype(np.uint8)


def edge_blocks(nbytes: int) -> Array:
    """Blocks with equal and with extreme endpoints, in either order, with every index."""
    rows: list[list[int]] = []
    ends = [(0, 0), (255, 255), (0, 255), (255, 0), (127, 128), (128, 127), (128, 129), (1, 2)]
    for first, second in ends:
        for codes in (0x00, 0xFF, 0xE4, 0x1B, 0x88):
            rows.append([first, second, *([codes] * (nbytes - 2))])
            rows.append([first, first, second, second, *([codes] * (nbytes - 4))])
    return np.array(rows, np.uint8)


def bc7_blocks(mode: int, count: int = 64) -> Array:
    """Random blocks of one mode, which is encoded as so many zeros and a one."""
    blocks = random_blocks(count, 16, 700 + mode)
    if mode == 8:
        blocks[:, 0] = 0
    else:
        low = (2 << mode) - 1
        blocks[:, 0] = blocks[:, 0] & ~np.uint8(low) | np.uint8(1 << mode)
    return blocks


def bc6h_blocks(mode: int, count: int = 64) -> Array:
    """Random blocks of one mode, which is in the lowest two or five bits."""
    blocks = random_blocks(count, 16, 600 + mode)
    mask = np.uint8(3 if mode < 2 else 31)
    blocks[:, 0] = blocks[:, 0] & ~mask | np.uint8(mode)
    return blocks


def decode_bc7(blocks: Array) -> Array:
    """f64[blocks, 16, 4]; both libraries have to agree.

    A reserved block is 0 in all components (FS §19.5.14.4); Pillow gives it an alpha of 1.
    """
    count = len(blocks)
    one = imagecodecs.bcn_decode(blocks.tobytes(), 7, shape=(4 * count, 4, 4))
    other = Image.frombytes("RGBA", (4, 4 * count), blocks.tobytes(), "bcn", (7, "BC7"))
    reserved = np.repeat(blocks[:, 0] == 0, 4)
    np.testing.assert_array_equal(one[~reserved], np.asarray(other)[~reserved])
    assert not one[reserved].any()
    return one.reshape(count, 16, 4) / 255


def decode_bc6h(blocks: Array, *, signed: bool) -> Array:
    """f64[blocks, 16, 4], alpha 1."""
    count = len(blocks)
    found = imagecodecs.bcn_decode(blocks.tobytes(), -6 if signed else 6, shape=(4 * count, 4, 3))
    texels = np.ones((count, 16, 4))
    texels[..., :3] = found.reshape(count, 16, 3)
    return texels


def bytes_by_library(name: str, blocks: Array) -> Array:
    """f64[blocks, 16, components] of unsigned BC1 to BC5, rounded to bytes."""
    count, number = len(blocks), int(name[2])
    components = {4: 1, 5: 2}.get(number, 4)
    shape = (4 * count, 4) if components == 1 else (4 * count, 4, components)
    found = imagecodecs.bcn_decode(blocks.tobytes(), number, shape=shape)
    return found.reshape(count, 16, components) / 255


# --- palettes in fractions ------------------------------------------------------------------------


def decode_exactly(name: str, blocks: Array) -> Array:
    """f64[blocks, 16, 4] of BC1 to BC5."""
    decode = _EXACT[name]
    texels = [decode([int(byte) for byte in block]) for block in blocks]
    return np.array([[[float(c) for c in texel] for texel in block] for block in texels])


def ends_of(name: str, blocks: Array) -> Array:
    """f64[blocks, 4]: the distance of a block's two endpoints in each component."""
    number, signed = int(name[2]), name.endswith("snorm")
    apart = np.zeros((len(blocks), 4))
    for n, block in enumerate(blocks.tolist()):
        if number in (4, 5):
            for component in range(number - 3):
                pair = block[8 * component : 8 * component + 2]
                apart[n, component] = abs(_byte(pair[0], signed) - _byte(pair[1], signed))
            continue
        colors = block[-8:]
        one, other = (_color(colors[at] | colors[at + 1] << 8) for at in (0, 2))
        apart[n, :3] = [abs(a - b) for a, b in zip(one, other, strict=True)]
        if number == 3:
            apart[n, 3] = abs(_byte(block[0], False) - _byte(block[1], False))
    return apart


def _byte(code: int, signed: bool) -> Fraction:
    if not signed:
        return Fraction(code, 255)
    return max(Fraction(code - 256 if code > 127 else code, 127), -ONE)


def _color(packed: int) -> tuple[Fraction, Fraction, Fraction]:
    red, green, blue = packed >> 11, packed >> 5 & 63, packed & 31
    wide = (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2)
    red_, green_, blue_ = (Fraction(part, 255) for part in wide)
    return red_, green_, blue_


def _mixed(one: tuple[Fraction, ...], other: tuple[Fraction, ...], weight: Fraction) -> Any:
    return tuple(a + (b - a) * weight for a, b in zip(one, other, strict=True))


def _colors(block: list[int], *, transparent: bool = False) -> list[Texel]:
    first, second = (block[at] | block[at + 1] << 8 for at in (0, 2))
    one, other = _color(first), _color(second)
    if transparent and first <= second:
        last = (ZERO, ZERO, ZERO, ZERO)
        palette = [(*one, ONE), (*other, ONE), (*_mixed(one, other, Fraction(1, 2)), ONE), last]
    else:
        between = (_mixed(one, other, Fraction(n, 3)) for n in (1, 2))
        palette = [(*color, ONE) for color in (one, other, *between)]
    return [palette[block[4 + n // 4] >> 2 * (n % 4) & 3] for n in range(16)]


def _numbers(block: list[int], *, signed: bool = False) -> list[Fraction]:
    one, other = _byte(block[0], signed), _byte(block[1], signed)
    codes = [code - 256 if signed and code > 127 else code for code in block[:2]]
    if codes[0] > codes[1]:
        palette = [one, other, *(one + (other - one) * Fraction(n, 7) for n in range(1, 7))]
    else:
        between = (one + (other - one) * Fraction(n, 5) for n in range(1, 5))
        palette = [one, other, *between, -ONE if signed else ZERO, ONE]
    bits = int.from_bytes(bytes(block[2:8]), "little")
    return [palette[bits >> 3 * n & 7] for n in range(16)]


def _bc2(block: list[int]) -> list[Texel]:
    alphas = [Fraction(block[n // 2] >> 4 * (n % 2) & 15, 15) for n in range(16)]
    return [(*c[:3], a) for c, a in zip(_colors(block[8:]), alphas, strict=True)]


def _bc3(block: list[int]) -> list[Texel]:
    return [(*c[:3], a) for c, a in zip(_colors(block[8:]), _numbers(block[:8]), strict=True)]


def _bc4(block: list[int], *, signed: bool = False) -> list[Texel]:
    return [(red, ZERO, ZERO, ONE) for red in _numbers(block, signed=signed)]


def _bc5(block: list[int], *, signed: bool = False) -> list[Texel]:
    pairs = (_numbers(half, signed=signed) for half in (block[:8], block[8:]))
    return [(red, green, ZERO, ONE) for red, green in zip(*pairs, strict=True)]


_EXACT: dict[str, Callable[[list[int]], list[Texel]]] = {
    "bc1_unorm": lambda block: _colors(block, transparent=True),
    "bc2_unorm": _bc2,
    "bc3_unorm": _bc3,
    "bc4_unorm": _bc4,
    "bc4_snorm": lambda block: _bc4(block, signed=True),
    "bc5_unorm": _bc5,
    "bc5_snorm": lambda block: _bc5(block, signed=True),
}
