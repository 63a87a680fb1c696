"""D3D's sampling in NumPy: addresses, footprints and weights (FS §7.18.7-8)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from .shaders import Array

Filters = tuple[str, str, str]  # minification, magnification, mips


def texel_index(at: int, size: int, address: str) -> int | None:
    """The texel for an index that may be outside; None for the border."""
    if address == "wrap":
        return at % size
    if address == "mirror":
        at %= 2 * size
        return at if at < size else 2 * size - 1 - at
    if address == "mirror_once":
        return min(at if at >= 0 else -1 - at, size - 1)
    if address == "clamp":
        return min(max(at, 0), size - 1)
    return at if 0 <= at < size else None


def filtered(
    level: Array, at: Sequence[float], filter: str, addresses: Sequence[str], border: Array
) -> Array:
    """One mip of one layer, `level` [..., channels], at normalised coordinates, x first."""
    extents = level.shape[-2::-1]
    scaled = [float(c) * n for c, n in zip(at, extents, strict=True)]
    if filter == "point":
        return fetched(level, [int(np.floor(c)) for c in scaled], addresses, border)
    first = [int(np.floor(c - 0.5)) for c in scaled]
    total = np.zeros(level.shape[-1])
    for steps in itertools.product((0, 1), repeat=len(first)):
        weight, place = 1.0, list[int]()
        for c, start, step in zip(scaled, first, steps, strict=True):
            part = c - 0.5 - start
            weight *= part if step else 1 - part
            place.append(start + step)
        total += weight * fetched(level, place, addresses, border)
    return total


def fetched(level: Array, place: Sequence[int], addresses: Sequence[str], border: Array) -> Array:
    """The texel at indices, x first, which may be outside."""
    extents = level.shape[-2::-1]
    index = [texel_index(*row) for row in zip(place, extents, addresses, strict=False)]
    if None in index:
        return border
    return level[tuple(index[::-1])].astype(np.float64)


def sampled(
    levels: Sequence[Array],
    at: Sequence[float],
    lod: float,
    filters: Filters = ("linear", "linear", "linear"),
    addresses: Sequence[str] = ("clamp", "clamp", "clamp"),
    border: Array | None = None,
) -> Array:
    """All mips of one layer, at a level of detail."""
    colour = np.ones(levels[0].shape[-1]) if border is None else border
    lod = min(max(lod, 0.0), len(levels) - 1.0)
    inner = filters[1] if lod <= 0 else filters[0]
    if filters[2] == "point":
        return filtered(levels[int(np.floor(lod + 0.5))], at, inner, addresses, colour)
    low = int(np.floor(lod))
    high = min(low + 1, len(levels) - 1)
    part = lod - low
    one, other = (filtered(levels[n], at, inner, addresses, colour) for n in (low, high))
    return (1 - part) * one + part * other


def layer_of(at: float, layers: int) -> int:
    """The layer for a coordinate: rounded to nearest even, and clamped (FS §7.18.6)."""
    return int(min(max(np.rint(at), 0), layers - 1))


# Direction of (s, t) in [-1, 1] on each face: FS §5.3.5.
_FACES = (
    lambda s, t: (1, -t, -s),
    lambda s, t: (-1, -t, s),
    lambda s, t: (s, 1, t),
    lambda s, t: (s, -1, -t),
    lambda s, t: (s, -t, 1),
    lambda s, t: (-s, -t, -1),
)


def direction(face: int, u: float, v: float) -> tuple[float, float, float]:
    """The direction to (u, v) in [0, 1] on a cube's face."""
    x, y, z = _FACES[face](2 * u - 1, 2 * v - 1)
    return float(x), float(y), float(z)
