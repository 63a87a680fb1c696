"""Probes of sample instructions: does the device itself give D3D's results for special operands?

Special operands are NaNs, infinities and very large numbers. Each shader runs twice: with the
translator's tests for them (`Options(sampling="d3d")`) and without (`"device"`). A kind of operand
(`ExactSample`) needs no tests on the device if the results are equal, within the precision of
filters, for numbers of every magnitude, each instruction, dimension, filter and address mode.

The operands of a thread are a row of 16 dwords: four coordinates, the level of detail, d/dx and
d/dy of three axes, the reference of a comparison, and four that are not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from translate import ExactSample, FormatName
from translate.dataclass import dataclass
from vkrunner.errors import FeatureError, LimitError
from vkrunner.resources.device_objects import Sampler
from vkrunner.resources.textures import Texture, make_texture
from vkrunner.values.numbers import Array
from vkrunner.values.samplers import ADDRESSES, AddressName, FilterName, sampler_state
from vkrunner.values.texture_layout import DimensionName

if TYPE_CHECKING:
    from vkrunner.probes.trial import Trial

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
_IMAGES: Sequence[DimensionName] = ("2d", "1d", "3d", "1darray", "2darray")
_CUBES: Sequence[DimensionName] = ("cube", "cubearray")


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
    options = {"guards": "d3d", "formats": {"t1": one.texture.format}}
    with (
        trial.opened(one.listing, sampling="device", **options) as plain,
        trial.opened(one.listing, sampling="d3d", **options) as tested,
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
