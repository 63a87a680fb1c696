"""Replacements of a sample's operands, for which all drivers give D3D's results (FS §7.18.7).

For a cube D3D divides by the longest component; of equal ones z comes before y before x. Drivers
agree, except for quotients that are NaN, which D3D converts to texel 0, and for reciprocals out of
the range of floats. NaNs and denormals count as zeros in the choice of the longest component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from translate.dataclass import dataclass
from translate.ir import row
from translate.ir.builder import (
    EXPONENT,
    LEAST_NORMAL,
    SIGN,
    Builder,
    bits_of,
    is_nan,
    magnitude,
    sign_of,
    signed,
)
from translate.ir.memory import Resource, Sample, SampleMode
from translate.ir.types import F32, U32
from translate.ir.values import Value

SHORTEST, LONGEST = 2.0**-40, 2.0**40  # for directions of these lengths drivers are exact
# Far coordinates keep this many turns of two repetitions each, so that in a texture of one texel
# they are outside even after an offset of 8 texels (FS §7.18.6), or of 32 for a gather
_TURNS = 5.0
_TURNS_OF_GATHERS = 17.0
_MOST_LOD = 256.0  # past all mips, whatever the sampler's bias
_MOST_SLICES = 65536.0
_STEEP = 2.0**40  # a gradient past all mips, whose square overflows in no driver
GATHERS = (SampleMode.GATHER, SampleMode.GATHER_COMPARE)


class Direction(NamedTuple):
    """A cube sample's direction with a length for which drivers are exact.

    `scale` is the factor by which finite components were multiplied. `lost` is the condition that
    in D3D the division by the longest component gives a NaN.
    """

    components: list[Value]
    scale: Value
    lost: Value


def is_extreme(b: Builder, direction: list[Value]) -> Value:
    """Whether a direction's longest component is not between SHORTEST and LONGEST."""
    least = bits_of(SHORTEST)
    longest = _largest(b, [magnitude(b, x) for x in direction])
    return b.uge(b.isub(longest, b.u32(least)), b.u32(bits_of(LONGEST) - least))


def ordinary(b: Builder, direction: list[Value], first_texel: Value) -> Direction:
    """A direction that samples the same place, but has an ordinary length and no NaN.

    Where u or v would be NaN in D3D, it gets the coordinate `first_texel`.
    """
    return _Cube(b, direction).direction(first_texel)


def _largest(b: Builder, bits: list[Value]) -> Value:
    return b.umax(b.umax(bits[0], bits[1]), bits[2])


class _Cube:
    def __init__(self, b: Builder, given: list[Value]):
        self.b = b
        self.given = given
        self.lengths = [self._length(x) for x in given]
        x, y, z = self.lengths
        on_z = b.land(b.uge(z, x), b.uge(z, y))
        on_y = b.land(b.lnot(on_z), b.uge(y, x))
        self.on = [b.lnot(b.lor(on_y, on_z)), on_y, on_z]
        longest = _largest(b, self.lengths)
        self.zero = b.ieq(longest, b.u32(0))
        self.infinite = b.ieq(longest, b.u32(EXPONENT))
        self.normal = b.select(on_z, given[2], b.select(on_y, given[1], given[0]))
        self.sign = b.select(self.zero, b.u32(0), sign_of(b, self.normal))
        exponent = b.isub(b.u32(bits_of(2.0**127)), b.iand(longest, b.u32(EXPONENT)))
        self.scale = b.bitcast(F32, b.umax(exponent, b.u32(LEAST_NORMAL)))

    def _length(self, x: Value) -> Value:
        """The bits of a component's magnitude; 0 for a NaN and for a denormal."""
        b, bits = self.b, magnitude(self.b, x)
        counted = b.isub(bits, b.u32(LEAST_NORMAL))
        return b.select(b.uge(b.u32(EXPONENT - LEAST_NORMAL), counted), bits, b.u32(0))

    def direction(self, first_texel: Value) -> Direction:
        b = self.b
        no_length = b.lor(self.zero, self.infinite)
        scaled = b.fmul(self.normal, self.scale)
        normal = b.select(no_length, signed(b, 1.0, self.sign), scaled)
        corners = self._corners(normal, first_texel)
        components = [
            b.select(self.on[axis], normal, self._beside(axis, corners[axis])) for axis in range(3)
        ]
        lost = no_length
        for x in self.given:
            lost = b.lor(lost, is_nan(b, x))
        return Direction(components, self.scale, lost)

    def _beside(self, axis: int, corner: Value) -> Value:
        """The new value of a component that is not the longest; `corner` if its quotient is NaN."""
        b, x, length = self.b, self.given[axis], self.lengths[axis]
        endless = b.ieq(length, b.u32(EXPONENT))
        lost = b.lor(b.lor(is_nan(b, x), self.zero), endless)
        none = b.lor(self.infinite, b.ieq(length, b.u32(0)))
        return b.select(lost, corner, b.select(none, b.f32(0.0), b.fmul(x, self.scale)))

    def _corners(self, normal: Value, first_texel: Value) -> list[Value]:
        """For each component, a number towards the face's first texel in u or v (FS §5.3.8)."""
        b = self.b
        across = b.fsub(b.f32(1.0), b.fmul(b.f32(2.0), first_texel))
        up = b.bitcast(U32, b.fmul(across, b.fabs(normal)))
        down = b.ixor(up, b.u32(SIGN))
        on_x, _, on_z = self.on
        bits = [
            b.select(on_z, b.ixor(down, self.sign), down),
            up,
            b.ixor(b.select(on_x, up, down), self.sign),
        ]
        return [b.bitcast(F32, corner) for corner in bits]


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of a sample's operands, by meaning."""

    place: range  # coordinates in an image, or a cube's direction
    slices: range
    lods: range
    gradients: range
    clamps: range

    @classmethod
    def of(cls, sample: Sample) -> Layout:
        """The positions for a sample's shape and mode."""
        shape = sample.resource.shape
        axes = shape.axes + shape.cube
        coordinates = axes + shape.arrayed
        lods = coordinates + (sample.mode is SampleMode.LOD)
        gradients = lods + (2 * axes if sample.mode is SampleMode.GRADIENTS else 0)
        return cls(
            range(axes),
            range(axes, coordinates),
            range(coordinates, lods),
            range(lods, gradients),
            range(gradients, gradients + sample.clamped),
        )


class Replacements:
    """Builds replacements in one branch, in which the size of each texture is queried once.

    `is_finite` tells whether a value is proved to be no NaN and no infinity.
    """

    def __init__(self, b: Builder, is_finite: Callable[[Value], bool]):
        self.b = b
        self.is_finite = is_finite
        self.sizes: dict[tuple[Resource, Value | None], Value] = {}

    def of(self, value: Value, index: Value | None, loose: Sequence[int]) -> list[Value]:
        """Replacements of a sample's operands at the positions `loose`, in that order.

        `index` is that of the texture in an array of textures, else None. The gradients of a cube
        are scaled like its direction, if that is replaced.
        """
        sample, args = row.SAMPLE.of(value), [*value.args]
        layout = Layout.of(sample)
        places = [n for n in layout.place if n in loose]
        direction: Direction | None = None
        if places and sample.resource.shape.cube:
            direction = ordinary(self.b, args[:3], self._first_texel(sample, index, 0))
            args[:3] = direction.components
        else:
            for n in places:
                args[n] = self._coordinate(args[n], sample, index, n)
        for n in loose:
            if n in layout.slices:
                args[n] = self._limited(args[n], 0.0, _MOST_SLICES)
            elif n in layout.lods:
                args[n] = self._level(args[n])
            elif n in layout.clamps:
                args[n] = self._limited(args[n], 0.0, _MOST_LOD)
        gradients = slice(layout.gradients.start, layout.gradients.stop)
        if layout.gradients and layout.gradients.start in loose:
            is_cube = sample.resource.shape.cube
            args[gradients] = self._gradients(args[gradients], direction, is_cube=is_cube)
        return [args[n] for n in loose]

    def _first_texel(self, sample: Sample, index: Value | None, axis: int) -> Value:
        """A coordinate in the first texel of the first mip, which replaces a NaN.

        It is the texel's middle; for a gather it is past the middle, so that the gather reads
        this texel and the next one.
        """
        b, resource = self.b, sample.resource
        if (resource, index) not in self.sizes:
            with b.of_array([] if index is None else [index]):
                self.sizes[resource, index] = b.image_size(resource, [b.u32(0)])
        extent = b.extract(U32, self.sizes[resource, index], axis)
        part = 0.75 if sample.mode in GATHERS else 0.5
        return b.fdiv(b.f32(part), b.u32_to_f(F32, b.umax(extent, b.u32(1))))

    def _coordinate(self, x: Value, sample: Sample, index: Value | None, axis: int) -> Value:
        """Move a far coordinate near by a multiple of 2, two repetitions of the texture.

        So it is at the same place of a repeated or mirrored texture, and still outside of a clamped
        one. Infinities have no such place and become NaNs in D3D (FS §7.18.6).
        """
        b, most = self.b, _TURNS_OF_GATHERS if sample.dynamic_offset else _TURNS
        turns = b.trunc(b.fmul(b.f32(0.5), x))
        rest = b.fsub(x, b.fmul(b.f32(2.0), turns))
        few = b.fmin(b.fmax(turns, b.f32(-most)), b.f32(most))
        outside = b.fmul(b.f32(2.0), few)
        if self.is_finite(x):
            return b.fadd(rest, outside)
        first_texel = self._first_texel(sample, index, axis)
        infinite = b.ieq(magnitude(b, x), b.u32(EXPONENT))
        moved = b.fadd(b.select(infinite, first_texel, rest), outside)
        return b.select(is_nan(b, x), first_texel, moved)

    def _limited(self, x: Value, low: float, high: float) -> Value:
        """`x` limited to the range from `low` to `high`; `low` for a NaN."""
        return self.b.fmin(self.b.fmax(x, self.b.f32(low)), self.b.f32(high))

    def _level(self, x: Value) -> Value:
        """A level of detail limited to -256 ... 256; 256 for a NaN (FS §7.18.11)."""
        return self.b.fmax(self.b.fmin(x, self.b.f32(_MOST_LOD)), self.b.f32(-_MOST_LOD))

    def _gradients(
        self, given: list[Value], direction: Direction | None, *, is_cube: bool
    ) -> list[Value]:
        """Both gradients without NaNs: one with a NaN becomes 0; if both have a NaN, they become so
        steep that they select the last mip (FS §7.18.11).

        They become so steep as well if a cube's direction gives a NaN (`Direction.lost`). In a cube
        the two are opposite: NVIDIA takes the difference of two directions on the faces.
        """
        b, axes = self.b, len(given) // 2
        nans = [self._has_nan(given[:axes]), self._has_nan(given[axes:])]
        steep = b.land(*nans)
        if direction is not None:
            steep = b.lor(steep, direction.lost)
            given = [b.fmul(x, direction.scale) for x in given]
        replaced: list[Value] = []
        for position, x in enumerate(given):
            number = self._limited(x, -_STEEP, _STEEP)
            replaced.append(b.select(nans[position // axes], b.f32(0.0), number))
        # In a cube all components change, because one may be along the direction
        limits = [_STEEP] * axes + [-_STEEP] * axes if is_cube else [_STEEP]
        pairs = zip(limits, replaced, strict=False)
        steeper = [b.select(steep, b.f32(limit), x) for limit, x in pairs]
        return [*steeper, *replaced[len(limits) :]]

    def _has_nan(self, vector: list[Value]) -> Value:
        largest = magnitude(self.b, vector[0])
        for x in vector[1:]:
            largest = self.b.umax(largest, magnitude(self.b, x))
        return self.b.ult(self.b.u32(EXPONENT), largest)
