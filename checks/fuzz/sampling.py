"""Sampling anywhere: NaN, infinities, numbers far outside, edges of cubes; all samplers.

t4 and T13 are sampled through s2, with any filter, s3, a point sampler, and S10, a range. t5 is a
cube. t6 holds depths, which s4 compares. t3 is sampled at ordinary numbers only, through s0, and
s1 for depths. Places are sixteenths of texels, so that weights are exact in eight bits; for point
samplers they are off the texels' edges. Results of a linear filter have a tolerance, all others
have none (docs/numerics.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from checks.lanes import bits_of

from .buffers import indexable, kind_of
from .case import Argument
from .floats import settled
from .operands import Place, alone, mask, maybe_tiled, scalar, swizzle, words
from .ranges import chosen, component_of
from .samplers import is_point
from .scope import FILTERED, FLOATS, GENERAL, INDEX, TEMP, Lines, Scope
from .textures import DEPTH, DIMENSIONS, Dimension, texture

EXTREMES = ("t4", "t5", "t6")
FORMATS = ("r32_float", "r32g32b32a32_float", "r16g16b16a16_float", "r8g8b8a8_unorm")
CUBES = {"texturecube": 6, "texturecubearray": 12}
CUBE_BITS = 3  # of a face's width
_NOT_NUMBERS = (0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000)
_FAR = (1e30, -1e30, 3.4028235e38, -3.4028235e38, 1e-40, -0.0)
# In texels, all of them exact in 32 bits
_TEXELS = (
    *(1000.375, -1000.375, 65536.375, -65536.375, 1048577.375, -1048577.375),
    *(2.0**24, -(2.0**24), 2.0**31, -(2.0**31), 2.0**32, 2.0**33, -(2.0**40)),
)
_LAYERS = (0.0, 0.25, 0.5, 1.5, 0.75, -0.75, 2.5, 7.0, 2.0**31, -(2.0**31), 2.0**32, 1e30, -1e30)
_LODS = (0.0, 0.0, 1.0, 2.0, -1.0, 5.0, 0.25, 1.75, 2.0**31, -(2.0**31), 2.0**33, 1e30, -1e30)
_MIPS = (0.0, 1.0, 0.25, 2.0)
_HALF = (0.5, 1.5)
_UNBOUND = Argument("", "sampler", filter=("linear",) * 3, address=("clamp",) * 3)
_EDGES, _ALMOST = (0x3F800000, 0xBF800000), (0x3F7FC000, 0xBF7FC000)  # 1, and nearly


class _Image(NamedTuple):
    """A sampled texture."""

    place: Place
    suffix: str  # of the mnemonic, where the model has one
    dimension: Dimension

    def operand(self, s: Scope) -> str:
        return f"{self.place.register}.{swizzle(s)}{self.place.end}"


def anywhere(s: Scope) -> Lines:
    """A sample of t4 or T13 by any sampler."""
    return _sampled(s, _image(s), *_sampler(s), extreme=True)


def ordinary(s: Scope) -> Lines:
    """A sample of t3 by s0, or a comparison by s1, at numbers around the texture."""
    if kind_of(s.formats["t3"]) in ("uint", "sint"):
        return texture(s)
    image = _alone(s, "t3")
    if s.formats["t3"] == DEPTH and image.dimension.axes == 2 and s.choices.chance(60):
        return _compared(s, "t3", "s1", extreme=False)
    return _sampled(s, image, alone("s0"), [s.samplers["s0"]], extreme=False)


def _image(s: Scope) -> _Image:
    ranged = "T13" in s.ranges and s.abilities.version >= (5, 1)
    if ranged and component_of(s.ranges["T13"]) == "float" and s.choices.chance(40):
        range = s.ranges["T13"]
        return _Image(chosen(s, range), "", DIMENSIONS[range.elements[0].dimension])
    return _alone(s, "t4")


def _alone(s: Scope, name: str) -> _Image:
    return _Image(alone(name), indexable(s, name), DIMENSIONS[s.dimensions[name]])


def _sampler(s: Scope) -> tuple[Place, Sequence[Argument]]:
    """A sampler's operand, and the samplers that it may be."""
    if "S10" in s.ranges and s.abilities.version >= (5, 1) and s.choices.chance(35):
        return chosen(s, s.ranges["S10"], "y"), [*s.ranges["S10"].elements, _UNBOUND]
    name = s.choices.pick(("s2", "s3"))
    return alone(name), [s.samplers[name]]


def _sampled(
    s: Scope, image: _Image, place: Place, samplers: Sequence[Argument], *, extreme: bool
) -> Lines:
    """A sample, with a level of detail or gradients, or four texels."""
    lines = [*image.place.before, *place.before, *_coordinates(s, image.dimension, extreme=extreme)]
    kind = s.choices.number(0, 9)
    mirrors_once = any("mirror_once" in sampler.address for sampler in samplers)
    gathers = s.abilities.mirror_once_gathers or not mirrors_once
    operands = f"{image.operand(s)}, {place.register}"
    if kind < 2 and image.dimension.axes == 2 and gathers:
        name, moved = _moved(s, "gather4", extreme=extreme)
        operands = f"{TEMP}.xyzw, {moved}{operands}.{s.choices.pick('xyzw')}{place.end}"
        return [*lines, *_result(s, f"{name}{image.suffix}", operands, exact=True)]
    if kind == 2:
        small = "l(0.001, 0.0, 0.0, 0.0)"  # gradients for which the first mip is large enough
        name, more = f"sample_d{image.suffix}", f", {small}, {small}"
    else:
        lines += _lod(s, extreme=extreme)
        name, more = f"sample_l{image.suffix}", f", {INDEX}.z"
    operands = f"{TEMP}.xyzw, {operands}{place.end}{more}"
    return [*lines, *_result(s, name, operands, exact=all(map(is_point, samplers)))]


def _moved(s: Scope, name: str, *, extreme: bool) -> tuple[str, str]:
    """A gather, and the offset that it adds to the place, perhaps a large one."""
    if extreme or not s.abilities.gather_offsets or s.choices.chance(60):
        return name, ""
    moved = name.replace("gather4", "gather4_po")
    return moved, f"{s.choices.pick(('l(1,-2,0,0)', 'l(-32,31,0,0)', 'l(33,7,0,0)'))}, "


def _result(s: Scope, name: str, operands: str, *, exact: bool) -> Lines:
    """The instruction, with a float register or one that is compared with a tolerance as target."""
    target, letters = s.choices.pick(FLOATS if exact else FILTERED), mask(s)
    line = f"{name} {target}.{letters}, {operands}"
    after = settled(s, target, letters, zeros=False) if exact else []
    return [*maybe_tiled(s, line), *after]


# --- where ---------------------------------------------------------------------------------------


def _coordinates(s: Scope, dimension: Dimension, *, extreme: bool) -> Lines:
    """Fill the temporary with places in and around the first mip; components may be extreme."""
    axes, bits = dimension.axes, dimension.read
    numbers = f"{s.choices.pick(GENERAL)}.{swizzle(s)}"
    shifts = [(2 * s.choices.number(0, 7) + 1) / 16 for _ in range(axes)] + [0.0] * (3 - axes)
    scales = [0.5**width for width in bits[:axes]] + [1.0] * (3 - axes)
    lines = [
        f"and {TEMP}.xyz, {numbers}, l(15,7,3,0)",
        f"iadd {TEMP}.xyz, {TEMP}.xyzx, l(-4,-2,-1,0)",
        f"itof {TEMP}.xyz, {TEMP}.xyzx",
        f"add {TEMP}.xyz, {TEMP}.xyzx, {_literal(shifts)}",
        f"mul {TEMP}.xyz, {TEMP}.xyzx, {_literal(scales)}",
    ]
    for axis, letter in enumerate("xyz"[: len(bits)] if extreme else ""):
        if axis == axes:  # layers
            lines += _sometimes(s, letter, _NOT_NUMBERS, [bits_of(n) for n in _LAYERS])
        elif s.choices.chance(30):
            far = [bits_of(n * 0.5 ** bits[axis]) for n in _TEXELS]
            lines += _sometimes(s, letter, _NOT_NUMBERS, [bits_of(n) for n in _FAR], far)
    return lines


def _literal(numbers: Sequence[float]) -> str:
    return words(*map(bits_of, numbers), 0)


def _sometimes(s: Scope, letter: str, *extremes: Sequence[int]) -> Lines:
    """Make a component of the temporary extreme in some of the threads."""
    number = s.choices.pick([number for some in extremes for number in some])
    return [
        f"and {INDEX}.w, {scalar(s)}, l(1)",
        f"movc {TEMP}.{letter}, {INDEX}.w, {words(number)}, {TEMP}.{letter}",
    ]


def _lod(s: Scope, *, extreme: bool) -> Lines:
    """A level of detail, which differs in some of the threads."""
    half = _HALF if s.abilities.half_mips else ()
    usual = bits_of(s.choices.pick(_MIPS))
    others = (*_NOT_NUMBERS, *map(bits_of, (*_LODS, *half)))
    other = s.choices.pick(others if extreme else [bits_of(n) for n in (2.0, -1.0, 5.0)])
    return [
        f"and {INDEX}.w, {scalar(s)}, l(1)",
        f"movc {INDEX}.z, {INDEX}.w, {words(other)}, {words(usual)}",
    ]


# --- cubes ---------------------------------------------------------------------------------------


def cube(s: Scope) -> Lines:
    """A sample of t5 at the edges of faces and within them."""
    usable = [n for n in ("s2", "s3") if s.abilities.cube_edges or is_point(s.samplers[n])]
    name = s.choices.pick(usable)
    exact = is_point(s.samplers[name])
    lod = words(bits_of(s.choices.pick(_MIPS)))
    lines = _direction(s, exact=exact)
    operands = f"{TEMP}.xyzw, t5.{swizzle(s)}, {name}, {lod}"
    return [*lines, *_result(s, f"sample_l{indexable(s, 't5')}", operands, exact=exact)]


def _direction(s: Scope, *, exact: bool) -> Lines:
    """One axis is 1 or -1, the others are within: centres of texels, or sixteenths of texels."""
    numbers = f"{s.choices.pick(GENERAL)}.{swizzle(s)}"
    cells = 2**CUBE_BITS if exact else 16 * 2**CUBE_BITS
    scale, shift = 2.0 / cells, 1.0 / cells - 1.0 if exact else -1.0
    lines = [
        f"and {TEMP}.xyz, {numbers}, {words(cells - 1, cells - 1, 1, 0)}",
        f"itof {TEMP}.xyz, {TEMP}.xyzx",
        f"mad {TEMP}.xyz, {TEMP}.xyzx, {_literal([scale, scale, 2.0])}, "
        f"{_literal([shift, shift, -1.0])}",
    ]
    for letter in "xy":
        if s.choices.chance(50):
            edges = (*_EDGES, *_ALMOST) if s.abilities.cube_edges else _ALMOST
            lines += _sometimes(s, letter, edges, _NOT_NUMBERS if s.choices.chance(15) else ())
    order = s.choices.pick(("xyz", "yzx", "zxy"))
    layer = words(bits_of(s.choices.pick(_LAYERS)))
    return [*lines, f"mov {TEMP}.xyz, {TEMP}.{order}x", f"mov {TEMP}.w, {layer}"]


def compare(s: Scope) -> Lines:
    """A comparison of t6's depths by s4."""
    return _compared(s, "t6", "s4", extreme=True)


def _compared(s: Scope, name: str, sampler: str, *, extreme: bool) -> Lines:
    """A comparison of one texel, or of four; the reference is the value of a texel, or near it."""
    image, mnemonic, moved, letter = _alone(s, name), "sample_c_lz", "", ""
    if s.choices.chance(60):
        (mnemonic, moved), letter = _moved(s, "gather4_c", extreme=extreme), ".x"
    reference = f"l({s.choices.pick(('0.0', '0.5', '0.625', '1.0'))})"
    operands = f"{TEMP}.xyzw, {moved}{name}.xxxx, {sampler}{letter}, {reference}"
    lines = _coordinates(s, image.dimension, extreme=extreme)
    return [*lines, *_result(s, f"{mnemonic}{image.suffix}", operands, exact=True)]
