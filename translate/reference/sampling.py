"""Sampling: level of detail, filtering, comparison, gathering. Source: FS §7.18, §22.4.2-5.

Weights are doubles; D3D requires at least eight bits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

import numpy as np

from translate.dataclass import dataclass
from translate.isa.instruction import Lanes
from translate.reference.addressing import (
    Footprint,
    cube_gradient,
    cube_place,
    flushed,
    reduced,
    texel_in_axis,
)
from translate.reference.formats import Format, decode, missing
from translate.reference.resources import Array, Sampler
from translate.reference.texels import TexelSpace

# reference OP texel (FS §7.18.14)
_COMPARISONS: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "never": lambda reference, texel: np.zeros(len(texel), np.bool_),
    "less": np.less,
    "equal": np.equal,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "not_equal": np.not_equal,
    "greater_equal": np.greater_equal,
    "always": lambda reference, texel: np.ones(len(texel), np.bool_),
}
_RANGES = {"unorm": (0.0, 1.0), "snorm": (-1.0, 1.0)}  # by the kind of format
_GATHERED = ((0, 1), (1, 1), (1, 0), (0, 0))  # by component: (x, y) from the first texel
_OFFSET_BITS = np.int32(26)  # programmable offsets have six bits and a sign (FS §22.4.4)


@dataclass(frozen=True, slots=True)
class Request:
    """The operands of a sample by their names in the row, for `count` lanes.

    `offset` in texels. `gathers`: return one `channel` of four texels, unfiltered.
    """

    given: Mapping[str, list[Lanes]]
    offset: tuple[int, int, int]
    gathers: bool
    channel: int
    count: int


def sample(space: TexelSpace, sampler: Sampler | None, request: Request) -> list[Lanes]:
    """Execute a sample: four u32[lanes], all 0 for a null texture.

    `sampler` is None if the index selects no sampler; D3D leaves this undefined (FS §7.11.2), the
    result here is 0.
    """
    if space.format is None or sampler is None:
        return [np.zeros(request.count, np.uint32) for _ in range(4)]
    return _Sampling(space, space.format, sampler, request).run()


class _Sampling:
    """One instruction's sampling of a texture with a sampler."""

    def __init__(self, space: TexelSpace, texel_format: Format, sampler: Sampler, request: Request):
        self.space = space
        self.format = texel_format
        self.sampler = sampler
        self.request = request
        self.shape = space.shape
        self._move_to([axis.astype(np.float64) for axis in request.given["coordinates"]])
        self.reference = request.given.get("reference", [None])[0]

    def _move_to(self, place: list[Lanes]) -> None:
        self.layer = self._layer(place)
        self.direction = flushed(place[:3]) if self.shape.cube else []
        if self.shape.cube:
            face, place = cube_place(self.direction)
            self.layer = self.layer * 6 + face
        self.place = place[: self.shape.axes]

    def run(self) -> list[Lanes]:
        if self.request.gathers:
            return self._gather()
        if self.sampler.max_anisotropy > 1 and "ddx" in self.request.given:
            return self._anisotropic()
        return self._isotropic(self._lod())

    def _isotropic(self, lod: Lanes) -> list[Lanes]:
        magnifies = lod <= 0
        near = self._at_lod(lod, self.sampler.mag_filter)
        if self.sampler.min_filter == self.sampler.mag_filter or magnifies.all():
            return near
        far = self._at_lod(lod, self.sampler.min_filter)
        return [np.where(magnifies, one, other) for one, other in zip(near, far, strict=True)]

    def _layer(self, place: list[Lanes]) -> Lanes:
        """The array index, rounded to nearest even and clamped; 0 for NaN (FS §7.18.6)."""
        if not self.shape.arrayed:
            return np.zeros(self.request.count, np.int64)
        per_layer = 6 if self.shape.cube else 1
        last = self.space.mips[0].shape[0] // per_layer - 1
        index = np.rint(np.nan_to_num(place[-1], nan=0.0, posinf=last, neginf=0.0))
        return np.clip(index, 0, last).astype(np.int64)

    # --- level of detail ---------------------------------------------------------------------

    def _lod(self) -> Lanes:
        """The level of detail: given, from gradients, or 0; then bias and clamps (FS §7.18.11).

        The minimum or maximum of a number and NaN is the number, so a NaN becomes the upper clamp.
        """
        given = self.request.given
        if "lod" in given:
            lod = given["lod"][0].astype(np.float64)
        elif "ddx" in given:
            lod = 0.5 * np.log2(np.fmax(*self._squares_of_gradients()))
        else:
            lod = np.zeros(self.request.count)
        return self._limited(lod)

    def _limited(self, lod: Lanes) -> Lanes:
        """A level of detail after the sampler's bias, and within the clamps."""
        given = self.request.given
        lod = lod + self.sampler.lod_bias
        lod = np.maximum(self.sampler.min_lod, np.fmin(self.sampler.max_lod, lod))
        if "lod_clamp" in given:
            lod = np.fmax(lod, given["lod_clamp"][0].astype(np.float64))
        return lod

    def _squares_of_gradients(self) -> tuple[Lanes, Lanes]:
        """The squares of both gradients' lengths in texels (FS §7.18.11)."""
        made: list[Lanes] = []
        for gradient in (self.request.given["ddx"], self.request.given["ddy"]):
            steps = [axis.astype(np.float64) for axis in gradient]
            if self.shape.cube:
                steps = cube_gradient(self.direction, steps)
            sizes = self._sizes(0)
            squares = [(step * size) ** 2 for step, size in zip(steps, sizes, strict=False)]
            made.append(sum(squares[1:], squares[0]))
        return made[0], made[1]

    def _anisotropic(self) -> list[Lanes]:
        """The mean, or the reduction, of samples along the longer gradient.

        Their number is the ratio of the gradients' lengths, rounded up and limited. D3D leaves the
        samples to the device. Source: Vulkan specification, "Texel Anisotropic Filtering".
        """
        given, most = self.request.given, self.sampler.max_anisotropy
        x, y = self._squares_of_gradients()
        along_x, longer, shorter = x >= y, np.fmax(x, y), np.fmin(x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.sqrt(longer / shorter)
        ratio = np.where(np.isnan(ratio), 1.0, np.minimum(ratio, most))
        samples = np.maximum(np.ceil(ratio), 1.0)
        lod = self._limited(0.5 * np.log2(longer) - np.log2(samples))
        start = [axis.astype(np.float64) for axis in given["coordinates"]]
        steps = [np.where(along_x, *pair) for pair in zip(given["ddx"], given["ddy"], strict=True)]
        every: list[list[Lanes]] = []
        weights: list[Lanes] = []
        for number in range(1, int(samples.max(initial=1)) + 1):
            part = np.where(samples == 1, 0.0, number / (samples + 1) - 0.5)
            moved = [np.where(part == 0, 0.0, step * part) for step in steps]
            place = [at + by for at, by in zip(start, moved, strict=False)]
            self._move_to([*place, *start[len(steps) :]])
            every.append(self._isotropic(lod))
            weights.append(np.where(number <= samples, 1 / samples, 0.0))
        return self._combined(every, weights)

    def _sizes(self, mip: int) -> tuple[int, ...]:
        """The extents of a mip by axis: x, y, z."""
        slices, height, width = self.space.mips[mip].shape[:3]
        return (width, height, slices)[: self.shape.axes]

    def _at_lod(self, lod: Lanes, texel_filter: str) -> list[Lanes]:
        last = len(self.space.mips) - 1
        inside = np.clip(lod, 0, last)
        if self.sampler.mip_filter == "point":
            return self._each_mip(np.floor(inside + 0.5).astype(np.int64), texel_filter)
        lower = np.floor(inside).astype(np.int64)
        fraction = inside - lower
        values = self._each_mip(lower, texel_filter)
        if not fraction.any():
            return values
        upper = self._each_mip(np.minimum(lower + 1, last), texel_filter)
        return self._combined([values, upper], [1 - fraction, fraction])

    def _each_mip(self, mips: Lanes, texel_filter: str) -> list[Lanes]:
        result = [np.zeros(self.request.count, np.uint32) for _ in range(4)]
        for mip in np.unique(mips):
            chosen = np.flatnonzero(mips == mip)
            values = self._filtered(int(mip), chosen, texel_filter)
            for component, value in zip(result, values, strict=True):
                component[chosen] = value
        return result

    # --- filtering ---------------------------------------------------------------------------

    def _footprint(self, mip: int, chosen: Lanes, texel_filter: str) -> Footprint:
        """The first texel in each axis, before addressing, and the weight of the next one."""
        shift = 0.5 if texel_filter == "linear" else 0.0
        firsts: list[Lanes] = []
        fractions: list[Lanes] = []
        for axis, size in enumerate(self._sizes(mip)):
            mode = "clamp" if self.shape.cube else self.sampler.address[axis]
            place = reduced(self.place[axis][chosen], mode)
            # NaN means the centre of the first mip's first texel
            of_nan = 0.5 * size / self._sizes(0)[axis]
            scaled = np.where(np.isnan(place), of_nan, place * size) - shift
            first = np.floor(scaled)
            fractions.append(scaled - first)
            if self.shape.cube and texel_filter == "point":
                first = np.clip(first, 0, size - 1)  # the edge itself belongs to the face
            firsts.append(first.astype(np.int64) + self._offset(axis, chosen))
        return Footprint(firsts, fractions, self._sizes(mip), self.layer[chosen])

    def _offset(self, axis: int, chosen: Lanes) -> Lanes | int:
        if "offset" not in self.request.given:
            return self.request.offset[axis]
        given = self.request.given["offset"]
        if axis >= len(given):
            return 0
        return (given[axis][chosen] << _OFFSET_BITS >> _OFFSET_BITS).astype(np.int64)

    def _filtered(self, mip: int, chosen: Lanes, texel_filter: str) -> list[Lanes]:
        footprint = self._footprint(mip, chosen, texel_filter)
        if texel_filter == "point":
            return self._texel(mip, footprint, (0, 0, 0), chosen)
        corners = list(footprint.corners())
        texels = [self._texel(mip, footprint, corner, chosen) for corner in corners]
        return self._combined(texels, [footprint.weight(corner) for corner in corners])

    def _combined(self, values: list[list[Lanes]], weights: list[Lanes]) -> list[Lanes]:
        """The weighted mean of values, each four components, or the sampler's reduction of them."""
        return [self._component([value[c] for value in values], weights) for c in range(4)]

    def _component(self, values: list[Lanes], weights: list[Lanes]) -> Lanes:
        """Values with a weight of 0 do not count, so an infinity does not become a NaN.

        They are -0 in a sum, which changes no other summand, not even another -0.
        """
        numbers = [value.view(np.float32).astype(np.float64) for value in values]
        pairs = zip(numbers, weights, strict=True)
        if not self.sampler.reduction:
            parts = [np.where(weight == 0, -0.0, weight * number) for number, weight in pairs]
            total = functools.reduce(np.add, parts)
            return total.astype(np.float32).view(np.uint32)
        reduce = np.fmin if self.sampler.reduction == "minimum" else np.fmax
        counted = [np.where(weight == 0, np.nan, number) for number, weight in pairs]
        return functools.reduce(reduce, counted).astype(np.float32).view(np.uint32)

    def _texel(
        self, mip: int, footprint: Footprint, corner: tuple[int, int, int], chosen: Lanes
    ) -> list[Lanes]:
        """A texel of a footprint, or the result of its comparison."""
        values = self._fetch(mip, footprint, corner)
        if self.reference is None:
            return values
        compared = self._compared(values[0], chosen)
        return [compared] * 4

    def _compared(self, red: Lanes, chosen: Lanes) -> Lanes:
        assert self.reference is not None
        reference = self.reference[chosen]
        if self.format.kind == "unorm":
            reference = np.clip(reference, 0, 1)
        test = _COMPARISONS[self.sampler.comparison]
        passed = np.asarray(test(reference, red.view(np.float32)))
        return passed.astype(np.float32).view(np.uint32)

    def _fetch(self, mip: int, footprint: Footprint, corner: tuple[int, int, int]) -> list[Lanes]:
        if self.shape.cube:
            return self._fetch_cube(mip, footprint, corner)
        places = [np.zeros_like(footprint.layer) for _ in range(3)]
        inside = np.ones(len(footprint.layer), np.bool_)
        for axis, size in enumerate(footprint.sizes):
            at = footprint.firsts[axis] + corner[axis]
            places[axis], here = texel_in_axis(at, size, self.sampler.address[axis])
            inside &= here
        x, y, z = places
        layer = z if self.shape.axes == 3 else footprint.layer
        values = self._texels(self.space.mips[mip], layer, y, x)
        if inside.all():
            return values
        border = self._border()
        return [np.where(inside, v, border[c]) for c, v in enumerate(values)]

    def _border(self) -> list[np.uint32]:
        """The border colour in the format's components and range (FS §7.18.9.1)."""
        least, most = _RANGES.get(self.format.kind, (-np.inf, np.inf))
        border = np.clip(np.array(self.sampler.border, np.float32), least, most)
        bits = border.view(np.uint32)
        if self.format.component != "float":
            bits = border.astype(np.int64).astype(np.uint32)
        had = {channel.component for channel in self.format.channels}
        defaults = missing(self.format)
        return [bits[c] if c in had else np.uint32(defaults[c]) for c in range(4)]

    def _texels(self, mip: Array, layer: Lanes, y: Lanes, x: Lanes) -> list[Lanes]:
        return decode(self.format, np.ascontiguousarray(mip[layer, y, x, 0]))

    def _fetch_cube(
        self, mip: int, footprint: Footprint, corner: tuple[int, int, int]
    ) -> list[Lanes]:
        """The texel on the face itself or beyond its edge, on the neighbouring face.

        At a cube's corner only three texels meet; their mean replaces the fourth (FS §7.18.8).
        """
        x, y = (footprint.firsts[axis] + corner[axis] for axis in (0, 1))
        size = footprint.sizes[0]
        missing = ((x < 0) | (x >= size)) & ((y < 0) | (y >= size))
        values = self._texels(self.space.mips[mip], *footprint.on_cube(x, y))
        if not missing.any() or self.format.component != "float":
            return values
        total = [np.zeros(len(x)) for _ in range(4)]
        for across, down in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if (across, down) == corner[:2]:
                continue
            other_x, other_y = footprint.firsts[0] + across, footprint.firsts[1] + down
            texels = self._texels(self.space.mips[mip], *footprint.on_cube(other_x, other_y))
            for component, value in zip(total, texels, strict=True):
                component += value.view(np.float32)
        means = [(component / 3).astype(np.float32).view(np.uint32) for component in total]
        return [np.where(missing, mean, v) for mean, v in zip(means, values, strict=True)]

    # --- gathering ---------------------------------------------------------------------------

    def _gather(self) -> list[Lanes]:
        """One channel of the four texels that a linear filter of the first mip would use."""
        everyone = np.arange(self.request.count)
        footprint = self._footprint(0, everyone, "linear")
        return [
            self._texel(0, footprint, (across, down, 0), everyone)[self.request.channel]
            for across, down in _GATHERED
        ]
