"""Multisampled textures: loads of t7's samples, inside and outside, and queries."""

from __future__ import annotations

from .buffers import indexable, landing
from .floats import settled
from .operands import mask, maybe_tiled, register, scalar, swizzle, words
from .scope import FLOATS, INDEX, TEMP, Lines, Scope
from .textures import texel_address

SAMPLES = 4  # every device has textures with so many
DIMENSIONS = {"texture2dms": (4, 8, SAMPLES), "texture2dmsarray": (2, 4, 8, SAMPLES)}


def load(s: Scope) -> Lines:
    """A sample; its number, like each coordinate, may be outside."""
    target, after = landing(s, s.formats["t7"])
    line = f"ldms{indexable(s, 't7')} {target}, {TEMP}.xyzw, t7.{swizzle(s)}, {INDEX}.z"
    return [*texel_address(s), *_number(s), *maybe_tiled(s, line), *after]


def _number(s: Scope) -> Lines:
    """A sample's number, or one past the last, in the index register's z."""
    at = f"{INDEX}.z"
    lines = [f"and {at}, {scalar(s)}, {words(s.choices.pick((3, 3, 7)))}"]
    if s.choices.chance(20):
        lines.append(f"or {at}, {at}, {words(s.choices.pick((0x80000000, 0xFFFFFFFC, 0x10000)))}")
    return lines


def size(s: Scope) -> Lines:
    """The number of samples of a texel, and the texture's extents."""
    name = s.choices.pick(("sampleinfo", "resinfo"))
    operands = f"t7.{swizzle(s)}"
    if name == "resinfo":
        name, operands = f"resinfo{indexable(s, 't7')}", f"l(0), {operands}"
    if s.choices.chance(50):
        return [f"{name}_uint {register(s)}, {operands}"]
    target, letters = s.choices.pick(FLOATS), mask(s)
    return [f"{name} {target}.{letters}, {operands}", *settled(s, target, letters, zeros=False)]


def position(s: Scope) -> Lines:
    """The position of a sample within its texel."""
    target, letters = s.choices.pick(FLOATS), mask(s)
    line = f"samplepos {target}.{letters}, t7.{swizzle(s)}, {INDEX}.z"
    return [*_number(s), line, *settled(s, target, letters, zeros=False)]
