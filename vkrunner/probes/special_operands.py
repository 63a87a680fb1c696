"""Operands of sample instructions for probes: NaNs, infinities, and numbers of every magnitude.

A row has the operands of one thread, 16 dwords: four coordinates, the level of detail, d/dx and
d/dy of three axes, the reference of a comparison, and four that are not used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vkrunner.values.arrays import Array

# For each dimension two shapes in an array's order: even extents, and odd ones
SIZES: Mapping[str, Sequence[tuple[int, ...]]] = {
    "1d": ((2048,), (33,)),
    "1darray": ((3, 40), (3, 33)),
    "2d": ((24, 40), (17, 33)),
    "2darray": ((3, 24, 40), (3, 17, 33)),
    "3d": ((12, 24, 40), (9, 17, 33)),
    "cube": ((6, 48, 48), (6, 33, 33)),
    "cubearray": ((12, 48, 48), (12, 33, 33)),
}
AXES = {"1d": 1, "1darray": 1, "2d": 2, "2darray": 2, "3d": 3, "cube": 3, "cubearray": 3}
_ROWS = 64  # an array's number of rows is a multiple of this
_LOD, _DDX, _DDY, _REFERENCE = 4, 5, 8, 11
_NANS = (0x7FC00000, 0xFFC00000, 0x7FFFFFFF, 0xFFFFFFFF, 0x7F800001, 0xFF800001)
_INFINITIES = (0x7F800000, 0xFF800000)
_FRACTION = 11 / 32  # at no edge and in no middle of a texel
_NEAR = (_FRACTION, -1 - 7 / 32, 15 / 32, 2 + 7 / 32)
_DIRECTION = (1.0, -_FRACTION, 7 / 32)
_SLOPES = (0.0, 1 / 16, 1 / 4, 1 / 2)


def _bits(numbers: Sequence[float]) -> Array:
    return np.array(numbers, np.float32).view(np.uint32)


def _special() -> Array:
    """The bits of large numbers, NaNs and infinities with both signs, u32[n]."""
    numbers = [2.0**k for k in (*range(9, 41), *range(44, 128, 6), 63, 64, 126, 127)]
    numbers += [2.0**k + 1 for k in range(9, 24)]
    numbers += [n + _FRACTION for n in (512, 1023, 4097, 32767, 65536, 2**18 + 1)]
    numbers += [n + 0.5 for n in (512, 65537, 2**20 + 1, 2**22 + 1)]
    numbers += [2.0**31 - 128, 2.0**32 - 256, 1.5 * 2.0**33, 1e10, 3e38, 3.4028235e38]
    return np.concatenate([_bits(numbers), _bits([-n for n in numbers]), _NANS, _INFINITIES])


def _rows(count: int, rng: np.random.Generator) -> Array:
    """At least `count` rows of ordinary operands, which select the first mip."""
    rows = np.zeros((-(-count // _ROWS) * _ROWS, 16), np.uint32)
    rows[:, :4] = rng.choice(_bits(_NEAR), (len(rows), 4))
    rows[:, _REFERENCE] = rng.random(len(rows), np.float32).view(np.uint32)
    return rows


def _ordinary(dimension: str, count: int, rng: np.random.Generator) -> Array:
    rows = _rows(count, rng)
    if "cube" in dimension:
        rows[:, :3] = rng.permuted(np.tile(_bits(_DIRECTION), (len(rows), 1)), axis=1)
    if "array" in dimension:
        rows[:, AXES[dimension]] = _bits([1.0])
    return rows


def special_coordinates(dimension: str, *, mips: int = 1) -> Array:
    """Rows with special coordinates in one or more axes; each row selects one of `mips` mips."""
    rng, special, axes = np.random.default_rng(1), _special(), AXES[dimension]
    rows = _ordinary(dimension, len(special) * (axes + 1), rng)
    for axis in range(axes):
        rows[axis * len(special) : (axis + 1) * len(special), axis] = special
    mixed = rows[axes * len(special) :]
    mixed[:, :axes] = rng.choice(special, (len(mixed), axes))
    rows[:, _LOD] = rng.choice(_bits(range(mips)), len(rows))
    return rows


def special_slices(dimension: str) -> Array:
    """Rows with special numbers as the slice, for arrays of textures."""
    rng, special = np.random.default_rng(2), _special()
    rows = _ordinary(dimension, len(special), rng)
    rows[: len(special), AXES[dimension]] = special
    return rows


def special_levels(dimension: str) -> Array:
    """Rows with special levels of detail."""
    rng, special = np.random.default_rng(3), _special()
    rows = _ordinary(dimension, len(special), rng)
    rows[: len(special), _LOD] = special
    return rows


def special_gradients(dimension: str) -> Array:
    """Rows with special gradients: one component among ordinary ones, or several."""
    rng, special, axes = np.random.default_rng(4), _special(), AXES[dimension]
    places = [*range(_DDX, _DDX + axes), *range(_DDY, _DDY + axes)]
    rows = _ordinary(dimension, len(special) * (len(places) + 2), rng)
    rows[:, places] = rng.choice(_bits(_SLOPES), (len(rows), len(places)))
    for n, place in enumerate(places):
        rows[n * len(special) : (n + 1) * len(special), place] = special
    mixed = rows[len(places) * len(special) :]
    mixed[:, places] = rng.choice(
        np.concatenate([special, *[_bits(_SLOPES), np.array(_NANS + _INFINITIES)] * 20]),
        (len(mixed), len(places)),
    )
    return rows


def special_directions(dimension: str) -> Array:
    """Rows with directions of every length, and with zeros, infinities and NaNs."""
    rng = np.random.default_rng(5)
    lengths = [2.0**k for k in range(-148, 128)]
    rows = _ordinary(dimension, 4 * len(lengths), rng)
    scale = np.resize(np.array(lengths, np.float32), len(rows))[:, None]
    rows[:, :3] = (rows[:, :3].view(np.float32) * scale).view(np.uint32)
    signs = rng.choice(np.array([0, 1 << 31], np.uint32), (len(rows), 3))
    rows[:, :3] ^= signs
    rows[:, [_DDX, _DDY + 1]] = (scale * np.float32(0.25)).view(np.uint32)
    odd = np.concatenate([_NANS, _INFINITIES, _bits([0.0, -0.0, 1.0, -1.0, 2.0**100, 1e-39])])
    mixed = rows[len(rows) // 2 :]
    mixed[:, :3] = rng.choice(odd.astype(np.uint32), (len(mixed), 3))
    mixed[:, [_DDX, _DDY + 1]] = _bits([0.25])
    return rows
