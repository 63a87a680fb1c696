"""Ranges of buffers, textures and constants: loads, a thread's own parts, and hidden counters.

All threads read T10, T11, T12 and T13: raw, structured, typed, textures. A thread owns two dwords
in each element of U10, a structure in U11, a texel in U12, and a texel of a texture in U13. U14 is
appended to and U15 consumed from. CB10 holds constant buffers.
"""

from __future__ import annotations

from .buffers import atomic, consumed, own_offset, texel_access
from .buffers import landing as landing_of
from .operands import (
    index,
    maybe_far,
    maybe_tiled,
    near,
    register,
    scalar,
    source,
    swizzle,
    words,
)
from .ranges import chosen, component_of, widest
from .scope import TEMP, Lines, Range, Scope, Statement
from .textures import DIMENSIONS, own_texel, texel_address

_OWN_BYTES = 8  # of an element of U10
_APPENDED = 0x5EED


def _landing(s: Scope, range: Range) -> tuple[str, Lines]:
    return landing_of(s, f"_{component_of(range)}")


# --- read by all ---------------------------------------------------------------------------------


def load(s: Scope) -> Lines:
    """From an element of T10, T11 or T12, or of CB10."""
    makers: tuple[Statement, ...] = (_load_raw, _load_structured, _load_texel, _constants)
    return s.choices.pick(makers)(s)


def _load_raw(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["T10"])
    at = near(s, 4 * 40) if s.choices.chance(80) else [f"mov {TEMP}.x, {scalar(s)}"]
    line = f"ld_raw {register(s)}, {TEMP}.x, {place}.{swizzle(s)}{end}"
    return [*lines, *at, *maybe_tiled(s, line)]


def _load_structured(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["T11"])
    offset = words(s.choices.pick((0, 4, 8, 12))) if s.choices.chance(80) else scalar(s)
    line = f"ld_structured {register(s)}, {TEMP}.x, {offset}, {place}.{swizzle(s)}{end}"
    return [*lines, *near(s, 33), *maybe_far(s, percent=10), *maybe_tiled(s, line)]


def _load_texel(s: Scope) -> Lines:
    range = s.ranges["T12"]
    lines, place, end = chosen(s, range)
    target, after = _landing(s, range)
    line = f"ld {target}, {TEMP}.xxxx, {place}.{swizzle(s)}{end}"
    return [*lines, *near(s, 20), *maybe_far(s, percent=10), *maybe_tiled(s, line), *after]


def _constants(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["CB10"])
    return [*lines, f"mov {register(s)}, {place}[{index(s, 3)}].{swizzle(s)}{end}"]


def size(s: Scope) -> Lines:
    """The size of an element."""
    name = s.choices.pick(("T10", "T11", "T12", "U10", "U11", "U12"))
    lines, place, end = chosen(s, s.ranges[name])
    return [*lines, f"bufinfo {register(s)}, {place}.xyzw{end}"]


# --- a thread's own ------------------------------------------------------------------------------


def own(s: Scope) -> Lines:
    """A load, store or atomic of the thread's part of an element of U10, U11 or U12."""
    makers: tuple[Statement, ...] = (_own_raw, _own_structured, _own_texel)
    return s.choices.pick(makers)(s)


def _own_raw(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["U10"])
    action, count = s.choices.number(0, 2), s.choices.number(1, 2)
    lines += own_offset(s, s.me, _OWN_BYTES, count if action == 1 else 1, 15)
    if action == 0:
        line = f"ld_raw {register(s)}, {TEMP}.x, {place}.xxxx{end}"
        return [*lines, *maybe_tiled(s, line)]
    if action == 1:
        return [*lines, f"store_raw {place}.{'xy'[:count]}{end}, {TEMP}.x, {source(s)}"]
    return [*lines, atomic(s, f"{place}{end}", f"{TEMP}.x")]


def _own_structured(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["U11"])
    lines += [f"mov {TEMP}.x, {s.me}", *maybe_far(s, percent=15)]
    lines += [f"and {TEMP}.y, {scalar(s)}, l(15)"]
    action = s.choices.number(0, 2)
    if action == 0:
        line = f"ld_structured {register(s)}, {TEMP}.x, {TEMP}.y, {place}.{swizzle(s)}{end}"
        return [*lines, *maybe_tiled(s, line)]
    if action == 1:
        letters = "xyz"[: s.choices.number(1, 3)]
        return [*lines, f"store_structured {place}.{letters}{end}, {TEMP}.x, {TEMP}.y, {source(s)}"]
    return [*lines, atomic(s, f"{place}{end}", f"{TEMP}.xyxx")]


def _own_texel(s: Scope) -> Lines:
    range = s.ranges["U12"]
    lines, place, end = chosen(s, range)
    at = [f"mov {TEMP}.x, {s.me}", *maybe_far(s, percent=15)]
    return [*lines, *_texel_access(s, range, f"{TEMP}.xxxx", place, end, at)]


def _texel_access(s: Scope, range: Range, at: str, place: str, end: str, before: Lines) -> Lines:
    """A load, store or atomic of a texel of a UAV."""
    action = s.choices.number(0, 2)
    if not all(e.format in ("r32_uint", "r32_sint") for e in range.elements):
        action = min(action, 1)
    return texel_access(s, action, widest(range), "", place, at, before, end)


# --- textures ------------------------------------------------------------------------------------


def image(s: Scope) -> Lines:
    """Texels of T13 and U13, or the sizes of their elements."""
    makers: tuple[Statement, ...] = (_fetch, _fetch, _own_image, _image_size)
    return s.choices.pick(makers)(s)


def _fetch(s: Scope) -> Lines:
    range = s.ranges["T13"]
    lines, place, end = chosen(s, range)
    target, after = _landing(s, range)
    lines += texel_address(s)
    line = f"ld {target}, {TEMP}.xyzw, {place}.{swizzle(s)}{end}"
    return [*lines, *maybe_tiled(s, line), *after]


def _own_image(s: Scope) -> Lines:
    range = s.ranges["U13"]
    lines, place, end = chosen(s, range)
    at = own_texel(s, DIMENSIONS[range.elements[0].dimension].written)
    return [*lines, *_texel_access(s, range, f"{TEMP}.xyzz", place, end, at)]


def _image_size(s: Scope) -> Lines:
    name = s.choices.pick(("T13", "T13", "U13"))
    mip = "l(0)" if name == "U13" else s.choices.pick(("l(0)", "l(1)", "l(5)", scalar(s)))
    lines, place, end = chosen(s, s.ranges[name])
    return [*lines, f"resinfo_uint {register(s)}, {mip}, {place}.{swizzle(s)}{end}"]


# --- counters ------------------------------------------------------------------------------------


def counted(s: Scope) -> Lines:
    """Append to an element, or consume from one: once in each thread."""
    return s.choices.pick((_append, _consume))(s)


def _append(s: Scope) -> Lines:
    """Where a list may be too short for all threads, all append the same value."""
    s.appends += 1
    value = source(s) if s.guards == "report" else words(*[_APPENDED] * 4)
    lines, place, end = chosen(s, s.ranges["U14"])
    return [
        *lines,
        f"imm_atomic_alloc {TEMP}.x, {place}{end}",
        f"store_structured {place}.xy{end}, {TEMP}.x, l(0), {value}",
        f"mov {TEMP}.x, l(0)",
    ]


def _consume(s: Scope) -> Lines:
    lines, place, end = chosen(s, s.ranges["U15"])
    return [*lines, *consumed(s, place, end)]
