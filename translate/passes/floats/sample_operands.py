"""Operands of samples on which drivers disagree: NaNs, infinities and very large numbers.

One test covers all operands of a sample, by their bits, which no driver can fold. If it fails, a
branch replaces the operands by others for which all drivers give D3D's results (docs/numerics.md,
"Sampling"). The sampler is unknown here, so a replacement is right in every address mode: it is
outside of the texture too, and at the same place of the repeated or mirrored texture. Operands that
`float_ranges` proves to be near are not tested.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.float_bits import (
    EXPONENT,
    bits_of,
    is_nan,
    limited,
    magnitude,
    sign_of,
    signed,
)
from translate.ir.memory import Resource, Sample, SampleMode
from translate.ir.types import F32, U32
from translate.ir.values import Module, Value
from translate.passes.floats.cube_directions import (
    LONGEST,
    SHORTEST,
    Direction,
    is_extreme,
    ordinary,
)
from translate.passes.floats.float_ranges import FloatRanges
from translate.passes.merges import through_casts
from translate.passes.rewrite import rewrite

_NEAR = 512.0  # drivers are exact below: 2^23 texels at a size of 2^14
_PROVED = 2.0**17  # numbers below never reach 2^31 texels
_OUTSIDE = 10.0  # even, and outside of one texel after an offset of 8 (FS §7.18.6)
_OUTSIDE_OF_GATHERS = 34.0  # the same after an offset of 32
_MOST_LOD = 256.0  # past all mips, whatever the sampler's bias
_MOST_SLICES = 65536.0
_STEEP = 2.0**40  # a gradient past all mips, whose square overflows in no driver
_Replaced = dict[tuple[object, ...], list[Value]]  # replaced coordinates, by sample and operands
_GATHERS = (SampleMode.GATHER, SampleMode.GATHER_COMPARE)


def limit_sample_operands(module: Module) -> None:
    """Replace the coordinates, slices, levels of detail and gradients of every sample."""
    if any(value.op in (ops.SAMPLE, ops.SAMPLE_COMPARE) for value in module.walk()):
        ranges, replaced = FloatRanges(module), _Replaced()
        takes_index = module.tables.takes_index

        def limit(b: Builder, value: Value) -> None:
            _Operands(b, value, takes_index, ranges, replaced).limit()

        rewrite(module, {ops.SAMPLE: limit, ops.SAMPLE_COMPARE: limit})


@dataclass(frozen=True, slots=True)
class _Layout:
    """Positions of a sample's operands, by meaning."""

    place: range  # coordinates in an image, or a cube's direction
    slices: range
    lods: range
    gradients: range
    clamps: range

    @classmethod
    def of(cls, sample: Sample) -> _Layout:
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

    @property
    def count(self) -> int:
        return self.clamps.stop


class _Operands:
    """The operands of one sample."""

    def __init__(
        self,
        b: Builder,
        value: Value,
        takes_index: Callable[[Resource], bool],
        ranges: FloatRanges,
        replaced: _Replaced,
    ):
        self.b = b
        self.takes_index = takes_index
        self.replaced = replaced
        self.value = value
        self.args = [*value.args]
        self.ranges = ranges
        self.sample = row.SAMPLE.of(value)
        self.layout = _Layout.of(self.sample)

    def limit(self) -> None:
        """Replace the operands by results of branches, which are rarely taken."""
        place, count = self.layout.place.stop, self.layout.count
        if self.sample.resource.shape.cube:  # gradients go with the direction
            self._replace(range(count), self._on_cube)
        else:
            self._replace_place()
            self._replace(range(place, count), lambda _: self._others())
        self.value.replace_operands(self.args)

    def _replace_place(self) -> None:
        """Samples of a texture at the same place share its replacement, within a block."""
        place = slice(self.layout.place.stop)
        how = (self.sample.resource, self._texture_index(), self._is_gather(), self._outside())
        key = (self.b.block, *how, *map(through_casts, self.args[place]))
        if key not in self.replaced:
            self._replace(self.layout.place, self._coordinates)
            self.replaced[key] = self.args[place]
        self.args[place] = self.replaced[key]

    def _replace(self, positions: range, replacement: Callable[[list[Value]], list[Value]]) -> None:
        """Replace operands in a branch; samples share computations on the texture's size."""
        failed = self._failed(positions)
        if failed is None:
            return
        first_texels = self._first_texels() if 0 in positions else []
        part = slice(positions.start, positions.stop)
        with self.b.selection(failed, otherwise=self.args[part]) as taken:
            self.b.precise = True
            taken.values = replacement(first_texels)
            self.b.precise = False
        self.args[part] = taken.results

    # --- the test --------------------------------------------------------------------------

    def _failed(self, positions: range) -> Value | None:
        """Whether one of these operands is not near; None if all are proved to be near."""
        b, cube = self.b, self.sample.resource.shape.cube
        first = self.layout.place.stop if cube else positions.start
        operands = self.args[first : positions.stop]
        tested = [x for x in operands if not self._is_near(x)]
        failed: Value | None = None
        if tested:
            largest = magnitude(b, tested[0])
            for x in tested[1:]:
                largest = b.umax(largest, magnitude(b, x))
            failed = b.uge(largest, b.u32(bits_of(_NEAR)))
        direction = self.args[:first]
        if cube and not self._is_ordinary(direction):
            extreme = is_extreme(b, direction)
            failed = extreme if failed is None else b.lor(failed, extreme)
        return failed

    def _is_near(self, x: Value) -> bool:
        """Whether a float is proved to be near, so that drivers agree on it."""
        return self.ranges.range(x).magnitude < _PROVED

    def _is_ordinary(self, direction: list[Value]) -> bool:
        """Whether a direction is proved to have a length on which drivers agree."""
        ranges = [self.ranges.range(x) for x in direction]
        short = max(r.least_magnitude for r in ranges) < SHORTEST
        return not short and max(r.magnitude for r in ranges) < LONGEST

    # --- the replacements ------------------------------------------------------------------

    def _coordinates(self, first_texels: list[Value]) -> list[Value]:
        place = self.args[: self.layout.place.stop]
        return [self._coordinate(*row) for row in zip(place, first_texels, strict=True)]

    def _on_cube(self, first_texels: list[Value]) -> list[Value]:
        direction = ordinary(self.b, self.args[:3], first_texels[0])
        return [*direction.components, *self._others(direction)]

    def _others(self, direction: Direction | None = None) -> list[Value]:
        """Replacements of all operands after the place."""
        return [
            *self._limited(self.layout.slices, _MOST_SLICES, of_nan=0.0),
            *self._limited(self.layout.lods, _MOST_LOD, of_nan=_MOST_LOD),
            *self._gradients(direction),
            *self._limited(self.layout.clamps, _MOST_LOD, of_nan=0.0),
        ]

    def _texture_index(self) -> Value | None:
        sample = self.sample
        if not self.takes_index(sample.resource):
            return None
        return self.args[-2 if self.takes_index(sample.sampler) else -1]

    def _is_gather(self) -> bool:
        return self.sample.mode in _GATHERS

    def _outside(self) -> float:
        return _OUTSIDE_OF_GATHERS if self.sample.dynamic_offset else _OUTSIDE

    def _first_texels(self) -> list[Value]:
        """For each axis the middle of the first mip's first texel, which replaces a NaN.

        A gather reads this texel and the next one if the coordinate is after the middle.
        """
        b, resource, index = self.b, self.sample.resource, self._texture_index()
        part = 0.75 if self._is_gather() else 0.5
        with b.of_array([] if index is None else [index]):
            size = b.image_size(resource, [b.u32(0)])
        extents = [b.extract(U32, size, axis) for axis in range(resource.shape.axes)]
        lengths = [b.u32_to_f(F32, b.umax(extent, b.u32(1))) for extent in extents]
        return [b.fdiv(b.f32(part), length) for length in lengths]

    def _coordinate(self, x: Value, first_texel: Value) -> Value:
        """Move a far coordinate near, to the same place within the two repetitions of a mirror.

        Infinities have no such place and become NaNs in D3D (FS §7.18.6).
        """
        b = self.b
        if self._is_near(x):
            return x
        turns = b.fmul(b.f32(2.0), b.trunc(b.fmul(b.f32(0.5), x)))
        infinite = b.ieq(magnitude(b, x), b.u32(EXPONENT))
        rest = b.select(infinite, first_texel, b.fsub(x, turns))
        far = b.fadd(signed(b, self._outside(), sign_of(b, x)), rest)
        number = b.select(self._is_far(x), far, x)
        return b.select(is_nan(b, x), first_texel, number)

    def _is_far(self, x: Value) -> Value:
        return self.b.uge(magnitude(self.b, x), self.b.u32(bits_of(_NEAR)))

    def _limited(self, positions: range, limit: float, of_nan: float) -> list[Value]:
        return [
            x if self._is_near(x) else limited(self.b, x, limit, of_nan)
            for x in self.args[positions.start : positions.stop]
        ]

    def _gradients(self, direction: Direction | None) -> list[Value]:
        """Gradients without NaNs: one with a NaN has length 0, two select the last mip.

        So do gradients of a cube's direction without a place. Source: FS §7.18.11.
        """
        b, given = self.b, [self.args[position] for position in self.layout.gradients]
        if not given:
            return []
        axes = len(given) // 2
        nans = [self._has_nan(given[:axes]), self._has_nan(given[axes:])]
        steep = b.land(*nans)
        if direction is not None:
            steep = b.lor(steep, direction.lost)
            given = [b.fmul(x, direction.scale) for x in given]
        replaced: list[Value] = []
        for position, x in enumerate(given):
            number = limited(b, x, _STEEP, 0.0)
            number = b.select(nans[position // axes], b.f32(0.0), number)
            replaced.append(b.select(steep, b.f32(_STEEP), number))
        return replaced

    def _has_nan(self, vector: list[Value]) -> Value:
        found = is_nan(self.b, vector[0])
        for x in vector[1:]:
            found = self.b.lor(found, is_nan(self.b, x))
        return found
