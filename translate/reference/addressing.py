"""From texture coordinates to texels: address modes, footprints, cube faces.

Source: FS §7.18.6 (range reduction), §7.18.7-8 (footprints, positions on cubes), §7.18.9 (address
modes), §7.18.12 (edges of cubes).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from translate.dataclass import dataclass
from translate.isa.instruction import Lanes

# For each face (+x -x +y -y +z -z): axis and sign of its normal, of u and of v
_FACES = (
    ((0, 1), (2, -1), (1, -1)),
    ((0, -1), (2, 1), (1, -1)),
    ((1, 1), (0, 1), (2, 1)),
    ((1, -1), (0, 1), (2, -1)),
    ((2, 1), (0, 1), (1, -1)),
    ((2, -1), (0, -1), (1, -1)),
)


_FAR = 2.0**20  # far outside any texture, with any offset
_LEAST_NORMAL = 2.0**-126


@dataclass(frozen=True, slots=True)
class Footprint:
    """The texels of a mip that a filter reads: two neighbours on each axis.

    `firsts` has the first one's position before the address mode is applied, `fractions` the second
    one's weight. `sizes` are the extents of the mip; `layer` is the slice, for a cube the face.
    """

    firsts: list[Lanes]
    fractions: list[Lanes]
    sizes: Sequence[int]
    layer: Lanes

    def corners(self) -> Iterator[tuple[int, int, int]]:
        """For each texel (x, y, z): 0 for the first neighbour, 1 for the second.

        Axes that the texture lacks have 0.
        """
        for chosen in itertools.product((0, 1), repeat=len(self.sizes)):
            x, y, z = (*chosen, 0, 0)[:3]
            yield x, y, z

    def weight(self, corner: tuple[int, int, int]) -> Lanes:
        """The weight in a linear filter of the texel at a corner (see `corners`)."""
        weight = np.ones(len(self.layer))
        for fraction, second in zip(self.fractions, corner, strict=False):
            weight = weight * (fraction if second else 1 - fraction)
        return weight

    def on_cube(self, x: Lanes, y: Lanes) -> tuple[Lanes, Lanes, Lanes]:
        """The (slice, y, x) of texels of a cube's faces.

        If x or y is one texel beyond the face's edge, the texel is on the neighbouring face.
        """
        size = self.sizes[0]
        beyond = (x < 0) | (x >= size) | (y < 0) | (y >= size)
        face = self.layer % 6
        direction = _direction(face, (2 * x + 1) / size - 1, (2 * y + 1) / size - 1)
        other, (u, v) = cube_place(direction)
        across = np.clip(np.floor(u * size), 0, size - 1).astype(np.int64)
        down = np.clip(np.floor(v * size), 0, size - 1).astype(np.int64)
        return (
            np.where(beyond, self.layer - face + other, self.layer),
            np.where(beyond, down, y),
            np.where(beyond, across, x),
        )


def reduced(place: Lanes, mode: str) -> Lanes:
    """Bring a coordinate near the texture, so that it can be converted to an integer.

    Take it modulo 2 for wrap and mirror, otherwise clamp it far outside. NaNs stay; infinities
    become NaNs for wrap and mirror (FS §7.18.6).
    """
    if mode in ("wrap", "mirror"):
        with np.errstate(invalid="ignore"):
            return np.fmod(place, 2.0)
    return np.clip(place, -_FAR, _FAR)


def texel_in_axis(at: Lanes, size: int, mode: str) -> tuple[Lanes, Lanes]:
    """Apply an address mode to positions on one axis of `size` texels.

    Returns the texels, and False where the border colour is used instead.
    """
    inside = np.ones(len(at), np.bool_)
    if mode == "wrap":
        return at % size, inside
    if mode == "mirror":
        turn = at % (2 * size)
        return np.where(turn < size, turn, 2 * size - 1 - turn), inside
    if mode == "border":
        inside = (at >= 0) & (at < size)
    if mode == "mirror_once":
        at = np.where(at < 0, -1 - at, at)
    return np.clip(at, 0, size - 1), inside


def flushed(direction: Sequence[Lanes]) -> list[Lanes]:
    """A direction with denormals replaced by zeros (FS §3.1.3.2)."""
    return [np.where(np.abs(axis) < _LEAST_NORMAL, 0.0, axis) for axis in direction]


def cube_place(direction: Sequence[Lanes]) -> tuple[Lanes, list[Lanes]]:
    """The cube face that a direction hits, and [u, v] from 0 to 1 on it.

    u and v are NaN where they are 0/0 or INF/INF.
    """
    face = _face(direction)
    normal, u, v = _on_face(direction, face)
    with np.errstate(all="ignore"):
        return face, [(axis / normal + 1) / 2 for axis in (u, v)]


def cube_gradient(direction: Sequence[Lanes], gradient: Sequence[Lanes]) -> list[Lanes]:
    """How [u, v] on the cube's face change as `direction` changes by `gradient` (quotient rule).

    An infinite `gradient` without a NaN gives infinity, even if the rule subtracts infinities.
    """
    face = _face(direction)
    normal, u, v = _on_face(direction, face)
    by_normal, by_u, by_v = _on_face(gradient, face)
    infinite = np.isinf(gradient).any(axis=0) & ~np.isnan(gradient).any(axis=0)
    with np.errstate(all="ignore"):
        return [
            np.where(infinite, np.inf, (by_axis * normal - axis * by_normal) / (2 * normal**2))
            for axis, by_axis in ((u, by_u), (v, by_v))
        ]


def _face(direction: Sequence[Lanes]) -> Lanes:
    """The cube face that a direction hits: the one of its largest axis (FS §7.18.7).

    Of equal axes, z precedes y, and y precedes x; a NaN counts as zero.
    """
    x, y, z = (np.where(np.isnan(axis), 0.0, np.abs(axis)) for axis in direction)
    axis = np.where((z >= x) & (z >= y), 2, np.where(y >= x, 1, 0))
    negative = np.choose(axis, list(direction)) < 0
    return (2 * axis + negative).astype(np.int64)


def _on_face(vector: Sequence[Lanes], face: Lanes) -> tuple[Lanes, Lanes, Lanes]:
    """A vector's components along the normal, u and v axes of a cube's face."""
    parts: list[Lanes] = []
    for which in range(3):
        choices = [vector[axis] * sign for axis, sign in (row[which] for row in _FACES)]
        parts.append(np.choose(face, choices))
    normal, u, v = parts
    return normal, u, v


def _direction(face: Lanes, u: Lanes, v: Lanes) -> list[Lanes]:
    """The vector whose components along a face's normal, u and v axes are 1, u and v."""
    vector = [np.zeros(len(face)) for _ in range(3)]
    for number, row in enumerate(_FACES):
        here = face == number
        for value, (axis, sign) in zip((np.ones(len(face)), u, v), row, strict=True):
            vector[axis][here] = value[here] * sign
    return vector
