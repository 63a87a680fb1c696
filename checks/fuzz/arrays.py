"""Ranges of buffers, textures and constants: loads, a thread's own parts, and hidden counters.

All threads read T10, T11, T12 and T13: raw, structured, typed, textures. A thread owns two dwords
in each element of U10, a structure in U11, a texel in U12, and a texel of a texture in U13. U14 is
appended to and U15 consumed from. CB10 holds constant buffers.
"""

from __future__ import annotations

from . import buffers
from .operands import index, maybe_tiled, register, scalar, source, swizzle, words
from .ranges import chosen, widest
from .scope import TEMP, Lines, Scope, Statement
from .textures import DIMENSIONS, own_texel, texel_address

_OWN_BYTES = 8  # of an element of U10
_APPENDED = 0x5EED


def load(s: Scope) -> Lines:
    """From an element of T10, T11 or T12, or of CB10."""
    name = s.choices.pick(("T10", "T11", "T12", "CB10"))
    place = chosen(s, s.ranges[name])
    if name == "T10":
        return buffers.load_raw(s, place, 4 * 40)
    if name == "T11":
        return buffers.load_structured(s, place, 33)
    if name == "T12":
        return buffers.load_texel(s, place, s.ranges[name].elements[0].format, "", 20)
    operand = f"{place.register}[{index(s, 3)}].{swizzle(s)}{place.end}"
    return [*place.before, f"mov {register(s)}, {operand}"]


def size(s: Scope) -> Lines:
    """The size of an element."""
    name = s.choices.pick(("T10", "T11", "T12", "U10", "U11", "U12"))
    place = chosen(s, s.ranges[name])
    return [*place.before, f"bufinfo {register(s)}, {place.register}.xyzw{place.end}"]


def own(s: Scope) -> Lines:
    """A load, store or atomic of the thread's part of an element of U10, U11 or U12."""
    name = s.choices.pick(("U10", "U11", "U12"))
    place = chosen(s, s.ranges[name])
    if name == "U10":
        return buffers.own_raw(s, place, s.me, _OWN_BYTES, 2)
    if name == "U11":
        return buffers.own_structure(s, place, s.me, 1)
    return buffers.own_texel(s, place, widest(s.ranges[name]), "", 1)


# --- textures ------------------------------------------------------------------------------------


def image(s: Scope) -> Lines:
    """Texels of T13 and U13, or the sizes of their elements."""
    makers: tuple[Statement, ...] = (_fetch, _fetch, _own_image, _image_size)
    return s.choices.pick(makers)(s)


def _fetch(s: Scope) -> Lines:
    place = chosen(s, s.ranges["T13"])
    target, after = buffers.landing(s, s.ranges["T13"].elements[0].format)
    line = f"ld {target}, {TEMP}.xyzw, {place.register}.{swizzle(s)}{place.end}"
    return [*place.before, *texel_address(s), *maybe_tiled(s, line), *after]


def _own_image(s: Scope) -> Lines:
    range = s.ranges["U13"]
    at = own_texel(s, DIMENSIONS[range.elements[0].dimension].written)
    return buffers.texel_access(s, chosen(s, range), widest(range), "", f"{TEMP}.xyzz", at)


def _image_size(s: Scope) -> Lines:
    name = s.choices.pick(("T13", "T13", "U13"))
    mip = "l(0)" if name == "U13" else s.choices.pick(("l(0)", "l(1)", "l(5)", scalar(s)))
    place = chosen(s, s.ranges[name])
    operands = f"{mip}, {place.register}.{swizzle(s)}{place.end}"
    return [*place.before, *buffers.queried(s, "resinfo", operands)]


# --- counters ------------------------------------------------------------------------------------


def counted(s: Scope) -> Lines:
    """Append to an element, or consume from one: once in each thread.

    Where a list may be too short for all threads, all append the same value.
    """
    if s.choices.chance(50):
        return buffers.consumed(s, chosen(s, s.ranges["U15"]))
    value = source(s) if s.guards == "report" else words(*[_APPENDED] * 4)
    return buffers.appended(s, chosen(s, s.ranges["U14"]), value)
