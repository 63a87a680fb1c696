"""Packed texels in NumPy, by the bits of each component. Source: FS §19.1, §19.4; DXGI_FORMAT."""

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Packed:
    """A texel is one unsigned number of `dtype`; `fields` have (first bit, bits) of r, g, b, a.

    None stands for a missing component.
    """

    dtype: str
    fields: tuple[tuple[int, int] | None, ...]
    srgb: bool = False

    def components(self, codes: Array) -> Array:
        """f64[..., 4]: the components of texels given as numbers."""
        parts: list[Array] = []
        for component, field in enumerate(self.fields):
            if field is None:
                parts.append(np.full(codes.shape, float(component == 3)))
                continue
            first, bits = field
            top = (1 << bits) - 1
            part = (codes.astype(np.uint64) >> np.uint64(first) & np.uint64(top)) / top
            parts.append(linear(part) if self.srgb and component < 3 else part)
        return np.stack(parts, axis=-1)


def linear(encoded: Array) -> Array:
    """From sRGB: FS §19.1.2 and IEC 61966-2-1."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def half_a_step(linears: Array) -> Array:
    """Half a step of the 8-bit sRGB encoding, as an error of linear values."""
    encoded = np.where(linears <= 0.0031308, linears * 12.92, 1.055 * linears ** (1 / 2.4) - 0.055)
    return linear(encoded + 0.5 / 255) - linears


_BYTES = ((16, 8), (8, 8), (0, 8))  # of b8g8r8
FORMATS = {
    "b5g6r5_unorm": Packed("u2", ((11, 5), (5, 6), (0, 5), None)),
    "b5g5r5a1_unorm": Packed("u2", ((10, 5), (5, 5), (0, 5), (15, 1))),
    "b4g4r4a4_unorm": Packed("u2", ((8, 4), (4, 4), (0, 4), (12, 4))),
    "a8_unorm": Packed("u1", (None, None, None, (0, 8))),
    "b8g8r8x8_unorm": Packed("u4", (*_BYTES, None)),
    "b8g8r8x8_unorm_srgb": Packed("u4", (*_BYTES, None), srgb=True),
    "r24_unorm_x8_typeless": Packed("u4", ((0, 24), None, None, None)),
}


def codes_of(name: str, rows: int = 16) -> Array:
    """Texels as numbers, [rows, columns]: all of them in up to 16 bits, else random and extreme."""
    kind = np.dtype(FORMATS[name].dtype)
    bits = 8 * kind.itemsize
    if bits <= 16:
        return np.arange(1 << bits, dtype=kind).reshape(rows, -1)
    rng = np.random.default_rng(bits)
    codes = rng.integers(0, 1 << bits, 4096, np.uint64).astype(kind)
    codes[:4] = 0, (1 << bits) - 1, 1 << (bits - 1), 1
    return codes.reshape(rows, -1)
