"""D3D's sampling in NumPy: addresses, footprints and weights (FS §7.18.6-8).

It follows the specification literally: reduce the range, scale, subtract half a texel, convert to
fixed point, where a NaN becomes 0.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .shaders import Array

FAR = 100.0  # FS has 10, for the offsets of a sample, but not of a gather
Border = Array | float
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


def reduced(at: float, address: str) -> float:
    """A coordinate whose range is reduced as the address mode allows: FS §7.18.6."""
    if address == "wrap":
        return at - np.floor(at)
    if address == "mirror":
        return (at / 2 - np.trunc(at / 2)) * 2
    return at if np.isnan(at) else min(max(at, -FAR), FAR)


def fixed(scaled: float) -> float:
    """FS §3.2.4.1, with 16 bits above the point."""
    return 0.0 if np.isnan(scaled) else min(max(scaled, -(2.0**15)), 2.0**15)


def taps(at: float, size: int, address: str, filter: str) -> list[tuple[int, float]]:
    """Texels before addressing, and their weights (FS §7.18.7-8)."""
    with np.errstate(invalid="ignore"):
        scaled = np.float64(reduced(np.float64(at), address)) * size
    if filter == "point":
        return [(int(np.floor(fixed(scaled))), 1.0)]
    place = fixed(scaled - 0.5)
    first = int(np.floor(place))
    return [(first, 1 - (place - first)), (first + 1, place - first)]


def filtered(
    level: Array,
    at: Sequence[float],
    filter: str,
    addresses: Sequence[str],
    offset: Sequence[int] = (0, 0, 0),
    border: Border = 1.0,
) -> Array:
    """One mip of one layer, `level` [..., channels], at normalised coordinates, x first."""
    rows = [taps(*row, filter) for row in zip(at, level.shape[-2::-1], addresses, strict=False)]
    total = np.zeros(level.shape[-1])
    for chosen in itertools.product(*rows):
        place = [texel + moved for (texel, _), moved in zip(chosen, offset, strict=False)]
        weight = math.prod(weight for _, weight in chosen)
        if weight:
            total += weight * fetched(level, place, addresses, border)
    return total


def gathered(
    layer: Array,
    at: Sequence[float],
    addresses: Sequence[str] = ("wrap", "wrap"),
    offset: Sequence[int] = (0, 0),
) -> Array:
    """The four texels around a place, [4, channels], the border all ones (FS §22.4.2)."""
    rows = zip(at, layer.shape[1::-1], addresses, strict=False)
    left, top = (
        taps(*row, "linear")[0][0] + moved for row, moved in zip(rows, offset, strict=True)
    )
    corners = ((0, 1), (1, 1), (1, 0), (0, 0))  # x, y, z and w of the result
    return np.stack([fetched(layer, (left + x, top + y), addresses) for x, y in corners])


def fetched(
    level: Array, place: Sequence[int], addresses: Sequence[str], border: Border = 1.0
) -> Array:
    """The texel at indices, x first, which may be outside."""
    extents = level.shape[-2::-1]
    index = [texel_index(*row) for row in zip(place, extents, addresses, strict=False)]
    if None in index:
        return np.broadcast_to(border, level.shape[-1:])
    return level[tuple(index[::-1])].astype(np.float64)


def sampled(
    levels: Sequence[Array],
    at: Sequence[float],
    lod: float,
    filters: Filters = ("linear", "linear", "linear"),
    addresses: Sequence[str] = ("clamp", "clamp", "clamp"),
    **more: Any,
) -> Array:
    """All mips of one layer, at a level of detail; `more` has the offset and the border."""
    lod = min(max(lod, 0.0), len(levels) - 1.0)
    inner = filters[1] if lod <= 0 else filters[0]
    if filters[2] == "point":
        return filtered(levels[int(np.floor(lod + 0.5))], at, inner, addresses, **more)
    low = int(np.floor(lod))
    pair = levels[low], levels[min(low + 1, len(levels) - 1)]
    one, other = (filtered(level, at, inner, addresses, **more) for level in pair)
    part = lod - low
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
