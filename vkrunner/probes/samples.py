"""Probes of sample instructions: does the device itself give D3D's results for special operands?

Special operands are NaNs, infinities and very large numbers. Each shader runs twice: with the
translator's tests for them (`Options(sampling="d3d")`) and without (`"device"`). A kind of operand
(`ExactSample`) needs no tests on the device if the results are equal, within the precision of
filters, for numbers of every magnitude, each instruction, dimension, filter and address mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from translate import ExactSample, FormatName
from vkrunner.errors import FeatureError, LimitError
from vkrunner.probes.special_operands import (
    SIZES,
    special_coordinates,
    special_directions,
    special_gradients,
    special_levels,
    special_slices,
)
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, make_texture
from vkrunner.values.arrays import Array
from vkrunner.values.dimensions import DimensionName
from vkrunner.values.samplers import ADDRESSES, AddressName, FilterName, sampler_state

if TYPE_CHECKING:
    from vkrunner.probes.trial import Trial

_THREADS = 64
_HEAD = """cs_5_0
dcl_sampler s0, mode_{mode}
dcl_resource_raw t0
dcl_resource_texture{dimension} (float,float,float,float) t1
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 6
dcl_thread_group 64, 1, 1
ishl r0.x, vThreadID.x, l(6)
ld_raw r1.xyzw, r0.x, t0.xyzw
iadd r0.y, r0.x, l(16)
ld_raw r2.xyzw, r0.y, t0.xyzw
iadd r0.y, r0.x, l(32)
ld_raw r3.xyzw, r0.y, t0.xyzw
imul null, r0.x, vThreadID.x, l({bytes})
"""
_STORED = """store_raw u0.xyzw, r0.x, r4.xyzw
iadd r0.x, r0.x, l(16)
"""
# Instructions after `name{offset}_indexable{shape} r4.xyzw, r1.xyzw, `
_LEVEL = "sample_l", "t1.xyzw, s0, r2.x"
_GRADIENTS = "sample_d", "t1.xyzw, s0, r2.yzwy, r3.xyzx"
_COMPARED = "sample_c_lz", "t1.xxxx, s0, r3.w"
_GATHERED = "gather4", "t1.xyzw, s0.x"
_GATHERED_AT = "gather4_po", "l(-7, 19, 0, 0), t1.xyzw, s0.x"
_PASSED = "gather4_c", "t1.xyzw, s0.x, r3.w"
_PASSED_AT = "gather4_po_c", "l(-7, 19, 0, 0), t1.xyzw, s0.x, r3.w"
_FORMATS: Sequence[FormatName] = ("r16g16b16a16_float", "r8g8b8a8_unorm")
_DEPTH: FormatName = "r32_float"
_FILTERS: Sequence[FilterName] = ("linear", "point")
_STEPS = 97  # texels are multiples of 1 / _STEPS
_CLOSE = 2.0**-8  # the precision of filters that D3D asks for, of texels from 0 to 1
_MIPS = 6  # enough to tell the last mip from a level that hardware chooses for a NaN
_LEVELS: Sequence[Mapping[str, float]] = (
    {},
    {"max_lod": 2.0},
    {"min_lod": 1.0, "lod_bias": -4.0},
)


@dataclass(frozen=True, slots=True)
class _Try:
    """A shader and its texture; `given` has samplers, each with the operands to try.

    If `compares`, the shader compares texels with a reference. A device may lack linear filters for
    that: such samplers are left out, since no kernel can use them either.
    """

    listing: str
    texture: Texture
    given: Sequence[tuple[Sampler, Array]]
    compares: bool


def is_exact(trial: Trial, kind: ExactSample) -> bool:
    """Whether a device gives D3D's results for a kind of operand; False if a probe cannot run."""
    try:
        return not any(_differs(trial, one) for one in _PLANS[kind].tries(trial))
    except (FeatureError, LimitError):
        return False


def _differs(trial: Trial, one: _Try) -> bool:
    """Whether a shader's results differ without the translator's tests of operands."""
    with (
        trial.opened(one.listing, guards="d3d", sampling="device") as plain,
        trial.opened(one.listing, guards="d3d", sampling="d3d") as tested,
    ):
        for sampler, places in one.given:
            seen = np.zeros((len(places), one.listing.count(_STORED), 4), np.float32)
            given = {"t0": places, "t1": one.texture, "s0": sampler, "u0": seen}
            groups = len(places) // _THREADS
            try:
                if _unlike(plain(groups, given)["u0"], tested(groups, given)["u0"]):
                    return True
            except FeatureError:
                if not (one.compares and "linear" in sampler.state.filters):
                    raise
    return False


def _unlike(found: Array, expected: Array) -> bool:
    with np.errstate(invalid="ignore"):
        return not bool((np.abs(found - expected) <= _CLOSE).all())  # a NaN is unlike


# --- shaders and resources ---------------------------------------------------------------------


def _listing(dimension: str, lines: Sequence[tuple[str, str]], *, compares: bool = False) -> str:
    """A listing that runs instructions (name, operands) and stores the result of each.

    Each also runs with a constant texel offset, except on cubes and in `gather4_po`.
    """
    types = f"(texture{dimension})(float,float,float,float)"
    body = ""
    for name, operands in lines:
        has_offset = "cube" not in dimension and "_po" not in name
        for offset in ("", "_aoffimmi")[: 1 + has_offset]:
            moved = "(3,-2,1)" if offset else ""
            body += (
                f"{name}{offset}_indexable{moved}{types} r4.xyzw, r1.xyzw, {operands}\n{_STORED}"
            )
    mode = "comparison" if compares else "default"
    size = 16 * body.count(_STORED)
    return f"{_HEAD.format(mode=mode, dimension=dimension, bytes=size)}{body}ret\n"


def _texture(
    trial: Trial, dimension: DimensionName, which: int, format: FormatName, mips: int
) -> Texture:
    """A texture of the shape `SIZES[dimension][which]`; neighbouring texels differ."""
    shape = SIZES[dimension][which]
    layers = 1 if "array" in dimension or "cube" in dimension else 0
    levels: list[Array] = []
    for mip in range(mips):
        extents = (*shape[:layers], *(max(1, n >> mip) for n in shape[layers:]))
        numbers = (np.arange(np.prod(extents)) * 37 + 11 * mip) % _STEPS / np.float32(_STEPS)
        levels.append(_texels(numbers.reshape(extents).astype(np.float32), format))
    return make_texture(trial.backend, levels[0], format, dimension, levels[1:], None)


def _texels(numbers: Array, format: str) -> Array:
    if format == _DEPTH:
        return numbers
    four = np.repeat(numbers[..., None], 4, axis=-1)
    return four.astype(np.float16) if "float" in format else np.rint(four * 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The shaders, textures and samplers with which to try a kind of operand.

    `places` makes the operands; its arguments are the dimension and whether the filter is "point".
    `only` is the one instruction to try; None tries all.
    """

    dimensions: Sequence[DimensionName]
    places: Callable[[str, bool], Array]
    only: tuple[str, str] | None = None
    modes: Sequence[AddressName] = ("wrap", "clamp")
    settings: Sequence[Mapping[str, float]] = ({},)
    mips: int = 1

    def tries(self, trial: Trial) -> Iterator[_Try]:
        """Each shader with each texture, and with all samplers."""
        has_cube_arrays = trial.backend.context.info.features.image_cube_array
        for dimension in self.dimensions:
            if dimension != "cubearray" or has_cube_arrays:
                for listing, compares in self._shaders(trial, dimension):
                    given = [*self._given(trial, dimension, compares=compares)]
                    formats = (_DEPTH, _DEPTH) if compares else _FORMATS
                    for which, format in enumerate(formats):
                        texture = _texture(trial, dimension, which, format, self.mips)
                        yield _Try(listing, texture, given, compares)

    def _shaders(self, trial: Trial, dimension: str) -> Iterator[tuple[str, bool]]:
        """(listing, whether it compares): one shader without comparisons, one with them."""
        if self.only is not None:
            yield _listing(dimension, [self.only]), False
            return
        is_flat = dimension in ("2d", "2darray")
        gathers_at = is_flat and trial.backend.context.info.features.image_gather_extended
        gathers = is_flat or "cube" in dimension
        plain = [_LEVEL, _GRADIENTS, *[_GATHERED] * gathers, *[_GATHERED_AT] * gathers_at]
        yield _listing(dimension, plain), False
        if dimension != "3d":
            compared = [_COMPARED, *[_PASSED] * gathers, *[_PASSED_AT] * gathers_at]
            yield _listing(dimension, compared, compares=True), True

    def _given(
        self, trial: Trial, dimension: str, *, compares: bool
    ) -> Iterator[tuple[Sampler, Array]]:
        """A sampler with its operands for each filter, address mode and row of `settings`."""
        comparison = "less" if compares else None
        for filter, mode, limits in product(_FILTERS, self.modes, self.settings):
            state = sampler_state(filter, mode, 1.0, comparison, None, **limits)
            try:
                sampler = Sampler(trial.backend, state)
            except FeatureError:
                if mode != "mirror_once":  # kernels cannot have such a sampler either
                    raise
            else:
                yield sampler, self.places(dimension, filter == "point")


def _coordinates(dimension: str, is_point: bool) -> Array:
    """Special coordinates in mip 0, and with a point filter in mip 1 too.

    In mip 1 the translated code differs from D3D for a linear filter at a NaN (docs/numerics.md,
    "Sampling"), so that it is no measure.
    """
    return special_coordinates(dimension, mips=1 + is_point)


_IMAGES: Sequence[DimensionName] = ("2d", "1d", "3d", "1darray", "2darray")
_CUBES: Sequence[DimensionName] = ("cube", "cubearray")
_PLANS: Mapping[ExactSample, _Plan] = {
    "coordinates": _Plan(_IMAGES, _coordinates, modes=tuple(ADDRESSES), mips=2),
    "directions": _Plan(_CUBES, lambda dimension, _: special_directions(dimension), mips=_MIPS),
    "slices": _Plan(
        ("2darray", "1darray", "cubearray"), lambda dimension, _: special_slices(dimension)
    ),
    "levels_of_detail": _Plan(
        (*_IMAGES, *_CUBES),
        lambda dimension, _: special_levels(dimension),
        only=_LEVEL,
        settings=_LEVELS,
        mips=_MIPS,
    ),
    "gradients": _Plan(
        (*_IMAGES, *_CUBES),
        lambda dimension, _: special_gradients(dimension),
        only=_GRADIENTS,
        settings=_LEVELS,
        mips=_MIPS,
    ),
}
SAMPLES: Sequence[ExactSample] = (*_PLANS,)
