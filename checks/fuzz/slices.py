"""Textures of one slice, views of one slice or of later mips, 3D textures of depth 1, small texels.

All threads read t8. A thread owns the texels of u16 with its x and y, in each slice. Coordinates
are inside, just outside, and far outside.
"""

from __future__ import annotations

from typing import NamedTuple

from .buffers import indexable, landing, queried, texel_access
from .case import Argument
from .choices import Choices
from .operands import FAR, alone, maybe_tiled, scalar, swizzle, words
from .scope import TEMP, Lines, Scope, Statement
from .textures import own_texel, texel_address

READ, WRITTEN = "t8", "u16"
FORMATS = (
    *("r32_uint", "r32_uint", "r32_sint", "r32_float", "r8_uint", "r16_uint", "r8_sint"),
    *("r16_sint", "r8_unorm", "r16_float", "r8g8_uint", "r16g16_uint", "r16g16_float"),
    *("r8g8b8a8_uint", "r16g16b16a16_uint"),
)
_SOME = f"{TEMP}.w"
_SLICES = (0, 0, 0, 0, 1, 2, 5, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


class Shape(NamedTuple):
    """`bits` of x and y; `axis` is the coordinate that has slices or depth, if any."""

    bits: tuple[int, ...]
    axis: str = ""


SHAPES = {
    "texture2darray": Shape((3, 2), "z"),
    "texture3d": Shape((3, 2), "z"),
    "texture1darray": Shape((5,), "y"),
    "texture2d": Shape((3, 2)),
}


def arguments(c: Choices, formats: dict[str, str], dimensions: dict[str, str]) -> list[Argument]:
    """t8 and u16: textures, or views of larger ones."""
    return [_argument(c, name, formats[name], dimensions[name]) for name in (READ, WRITTEN)]


def _argument(c: Choices, name: str, format: str, dimension: str) -> Argument:
    shape, slices, mip, first = SHAPES[dimension], c.pick((1, 1, 2)), 0, 0
    total, mips = slices, c.pick((1, 3)) if name == READ else 1
    if c.chance(50):
        mip, mips = c.pick((0, 1, 2)), 3
        if dimension.endswith("array"):
            first = c.pick((0, 1, 2))
            total = first + slices + c.pick((0, 1))
    if dimension == "texture3d":
        total = slices << mip
    extents = [1 << bits + mip for bits in reversed(shape.bits)]
    extents = [total, *extents] if shape.axis else extents
    window = () if (mip, first, total) == (0, 0, slices) else (mip, first, slices)
    return Argument(name, "texture", tuple(extents), format=format, dimension=dimension,
                    mips=mips, window=window)  # fmt: skip


def access(s: Scope) -> Lines:
    """A load of t8, or a load, store or atomic of the thread's texel of u16."""
    makers: tuple[Statement, ...] = (_fetch, _own, _own, _size)
    return s.choices.pick(makers)(s)


def _fetch(s: Scope) -> Lines:
    target, after = landing(s, s.formats[READ])
    line = f"ld{indexable(s, READ)} {target}, {TEMP}.xyzw, {READ}.{swizzle(s)}"
    axis = SHAPES[s.dimensions[READ]].axis
    mip = words(s.choices.pick((0, 0, 0, 1, 2, 5, 0x80000000)))
    at = [*own_texel(s, SHAPES[s.dimensions[READ]].bits, far=False), *_slice(s, axis)]
    at.append(f"mov {TEMP}.w, {mip}")
    if s.choices.chance(25):
        at = [*texel_address(s), *_slice(s, axis)]
    return [*at, *maybe_tiled(s, line), *after]


def _slice(s: Scope, axis: str) -> Lines:
    """A slice inside or outside, the same for all threads or for some of them."""
    if not axis:
        return []
    number = words(s.choices.pick(_SLICES))
    if s.choices.chance(50):
        return [f"mov {TEMP}.{axis}, {number}"]
    return [*_some(s), f"movc {TEMP}.{axis}, {_SOME}, {number}, l(0)"]


def _some(s: Scope) -> Lines:
    """A condition that holds for some of the threads."""
    number = s.choices.pick((s.me, s.me, scalar(s)))
    return [f"and {_SOME}, {number}, {words(1 << s.choices.number(0, 4))}"]


def _own(s: Scope) -> Lines:
    format, shape = s.formats[WRITTEN], SHAPES[s.dimensions[WRITTEN]]
    before = [*own_texel(s, shape.bits, far=False), *_slice(s, shape.axis), *_outside(s, shape)]
    suffix = indexable(s, WRITTEN)
    return texel_access(s, alone(WRITTEN), format, suffix, f"{TEMP}.xyzz", before)


def _outside(s: Scope, shape: Shape) -> Lines:
    """Move x or y out of the texture in some of the threads."""
    if not s.choices.chance(40):
        return []
    axis = s.choices.number(0, len(shape.bits) - 1)
    extent = 1 << shape.bits[axis]
    number = words(s.choices.pick((extent, extent + 1, 2 * extent, 16 * extent, 0x4000, *FAR)))
    letter = "xy"[axis]
    return [*_some(s), f"movc {TEMP}.{letter}, {_SOME}, {number}, {TEMP}.{letter}"]


def _size(s: Scope) -> Lines:
    name = s.choices.pick((READ, WRITTEN))
    mip = s.choices.pick(("l(0)", "l(1)", "l(3)")) if name == READ else "l(0)"
    return queried(s, f"resinfo{indexable(s, name)}", f"{mip}, {name}.{swizzle(s)}")
