"""Directions of cube samples for which every driver gives D3D's result (FS §7.18.7).

D3D divides by the longest component; of equal ones z comes before y before x. Drivers agree, except
for quotients that are NaN, which D3D converts to texel 0, and for reciprocals out of the range of
floats. NaNs and denormals count as zeros in the choice of the longest component.
"""

from __future__ import annotations

from typing import NamedTuple

from translate.ir.builder import Builder
from translate.ir.float_bits import (
    EXPONENT,
    LEAST_NORMAL,
    SIGN,
    bits_of,
    is_nan,
    magnitude,
    sign_of,
    signed,
)
from translate.ir.types import F32, U32
from translate.ir.values import Value

SHORTEST, LONGEST = 2.0**-40, 2.0**40  # for directions of these lengths drivers are exact


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
