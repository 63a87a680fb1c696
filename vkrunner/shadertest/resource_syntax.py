"""The lines of `[uav]`, `[srv]`, `[cb]` and `[sampler]`."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from vkrunner import ArgumentError
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Line, Token
from vkrunner.shadertest.literals import (
    element_type,
    integer,
    number,
    numbers,
    pattern,
    sees_pattern,
)
from vkrunner.shadertest.records import (
    Constants,
    Extents,
    Member,
    Number,
    Pattern,
    Resource,
    SamplerSection,
)
from vkrunner.values.dimensions import DIMENSIONS
from vkrunner.values.elements import element_of_format
from vkrunner.values.formats import Format, format_of_name
from vkrunner.values.samplers import SETTINGS, sampler_state

_MOST_EXTENT = 2**31 - 1
_COMPARISON = re.compile(r"\w+(?: +\w+)*")
_MEMBER = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[\d+\])*\s*=(?!=)")

# dimension -> what `size` takes behind it, in the order of an array's axes
_EXTENTS = {
    "buffer": ("elements",),
    "raw_buffer": ("dwords",),
    "1d": ("width",),
    "1darray": ("layers", "width"),
    "2d": ("height", "width"),
    "2darray": ("layers", "height", "width"),
    "2dms": ("height", "width", "samples"),
    "2dmsarray": ("layers", "height", "width", "samples"),
    "3d": ("depth", "height", "width"),
    "cube": ("layers", "height", "width"),
    "cubearray": ("layers", "height", "width"),
}
assert set(DIMENSIONS) <= set(_EXTENTS)
_WRITTEN = ("samples", "width", "height", "depth", "layers", "elements", "dwords")  # in `size`


def read_resource(key: str, header: Token, lines: list[Line], folder: Path) -> Resource:
    """A `[uav]` or `[srv]` section."""
    made = Resource(header, key)
    values: list[Number] = []
    seen: set[str] = set()
    for line in lines:
        cursor = Cursor(line)
        if cursor.sees(NUMBER):
            values.extend(numbers(cursor))
        elif sees_pattern(cursor):
            found = pattern(cursor, folder)
            if isinstance(made.values, Pattern):
                raise found.token.error("the contents are given already")
            made = dataclasses.replace(made, values=found)
        else:
            made = dataclasses.replace(made, **_directive(cursor, _RESOURCE, seen))
        cursor.finish()
    return _checked(made, tuple(values))


def _checked(made: Resource, values: tuple[Number, ...]) -> Resource:
    """What was read, with numbers as contents; what contradicts itself is refused."""
    if values and isinstance(made.values, Pattern):
        raise values[0].token.error("the contents are a pattern already")
    if values:
        made = dataclasses.replace(made, values=values)
    extents = made.extents
    if made.null and (extents or made.values or made.guard != (0, 0)):
        raise made.token.error("a null resource has neither size nor contents")
    if extents is not None and not extents.is_buffer:
        if made.format is None:
            raise extents.token.error("a texture needs a format, for instance: format r32-float")
        if made.guard != (0, 0):
            raise extents.token.error("a guard region is for buffers")
    if made.levels > 1 and (extents is None or extents.is_buffer):
        raise made.token.error("only textures have levels")
    if made.format is not None and made.stride is not None:
        raise made.stride.token.error("a buffer has a stride or a format, not both")
    return made


def _directive(cursor: Cursor, known: dict[str, Any], seen: set[str]) -> dict[str, Any]:
    name = cursor.expect(WORD, f"numbers, a pattern, or one of {', '.join(known)}")
    read: Callable[[Cursor], dict[str, Any]] | None = known.get(name.text)
    if read is None:
        raise name.error(f"no {name.text!r} here; there are {', '.join(known)}")
    if name.text in seen:
        raise name.error(f"{name.text} is given twice")
    seen.add(name.text)
    return read(cursor)


def _size(cursor: Cursor) -> dict[str, Any]:
    start = cursor.expect("(", "(")
    dimension = cursor.expect(re.compile(r"\w+"), f"one of {', '.join(_EXTENTS)}")
    axes = _EXTENTS.get(dimension.text)
    if axes is None:
        raise dimension.error(f"no {dimension.text!r}; there are {', '.join(_EXTENTS)}")
    given: dict[str, int] = {"layers": 6} if dimension.text == "cube" else {}
    for axis in (name for name in _WRITTEN if name in axes and name not in given):
        cursor.expect(",", f", and {axis}")
        least = 0 if axis in ("elements", "dwords") else 1
        given[axis] = integer(cursor, axis, least, _MOST_EXTENT)
    cursor.expect(")", ")")
    shape = tuple(given[axis] for axis in axes)
    return {"extents": Extents(cursor.span_since(start), dimension.text, shape)}


def _stride(cursor: Cursor) -> dict[str, Any]:
    found = number(cursor)
    if found.is_float or found.value % 4 or not 4 <= found.value <= 2048:
        raise found.token.error("a stride is a multiple of 4 from 4 to 2048")
    return {"stride": found}


def _format(cursor: Cursor) -> dict[str, Any]:
    format = read_format(cursor)
    return {"format": format, "element": element_of_format(format)}


def read_format(cursor: Cursor) -> Format:
    """A DXGI format, `r32_float` or, as vkd3d writes it, `r32-float`."""
    token = cursor.expect(re.compile(r"[\w-]+"), "a format, for instance r32_float")
    try:
        return format_of_name(token.text.replace("-", "_"))
    except ArgumentError as error:
        raise token.error(str(error)) from None


def _guard(cursor: Cursor) -> dict[str, Any]:
    if not cursor.accept("("):
        both = integer(cursor, "the elements of a guard", 0, 2**20)
        return {"guard": (both, both)}
    before = integer(cursor, "the elements in front", 0, 2**20)
    cursor.expect(",", ",")
    behind = integer(cursor, "the elements behind", 0, 2**20)
    cursor.expect(")", ")")
    return {"guard": (before, behind)}


_RESOURCE: dict[str, Callable[[Cursor], dict[str, Any]]] = {
    "size": _size,
    "stride": _stride,
    "format": _format,
    "type": lambda cursor: {"element": element_type(cursor)},
    "counter": lambda cursor: {"counter": integer(cursor, "a counter")},
    "levels": lambda cursor: {"levels": integer(cursor, "levels", 1, 16)},
    "guard": _guard,
    "null": lambda cursor: {"null": True},
}

_CONSTANTS = {"type": _RESOURCE["type"]}


def read_constants(key: str, header: Token, lines: list[Line], folder: Path) -> Constants:
    """A `[cb]` section."""
    made = Constants(header, key)
    members: list[Member] = []
    values: list[Number] = []
    for line in lines:
        cursor = Cursor(line)
        if cursor.sees(NUMBER):
            values.extend(numbers(cursor))
        elif cursor.sees(_MEMBER):
            members.append(_member(cursor, members))
        elif sees_pattern(cursor):
            made = dataclasses.replace(made, values=pattern(cursor, folder))
        else:
            made = dataclasses.replace(made, **_directive(cursor, _CONSTANTS, set()))
        cursor.finish()
    if sum((bool(members), bool(values), isinstance(made.values, Pattern))) > 1:
        raise header.error("constants are given by name, as numbers, or by a pattern: one of them")
    if values:
        made = dataclasses.replace(made, values=tuple(values))
    return dataclasses.replace(made, members=tuple(members))


def _member(cursor: Cursor, before: list[Member]) -> Member:
    token = cursor.expect(re.compile(r"[\w.\[\]]+"), "a name")
    if token.text in [member.name for member in before]:
        raise token.error(f"{token.text} is given twice")
    cursor.expect("=", "=")
    values = numbers(cursor)
    if not values:
        raise cursor.error("expected numbers")
    return Member(token, token.text, values)


def read_sampler(key: str, header: Token, lines: list[Line]) -> SamplerSection:
    """A `[sampler]` section."""
    given: dict[str, Any] = {}
    seen: set[str] = set()
    for line in lines:
        cursor = Cursor(line)
        given |= _directive(cursor, _SAMPLER, seen)
        cursor.finish()
    try:
        sampler_state(**given)
    except ArgumentError as error:
        raise header.error(str(error)) from None
    return SamplerSection(header, key, given)


def _setting(name: str, cursor: Cursor) -> dict[str, Any]:
    """A line of a sampler: one name or number, or three names, or four numbers."""
    allowed, most = SETTINGS[name]
    found = _names(cursor, name, allowed) if allowed is not None else _finite(cursor)
    if len(found) not in (1, most):
        several = {1: "", 3: " or three", 4: " or four"}[most]
        what = name if allowed is not None else "number"
        raise cursor.error(f"expected one {what}{several}, got {len(found)}")
    return {name: found if len(found) > 1 else found[0]}


def _names(cursor: Cursor, what: str, allowed: Mapping[str, str]) -> list[str]:
    names: list[str] = []
    while not cursor.at_end:
        token = cursor.expect(_COMPARISON if what == "comparison" else WORD, what)
        names.append("_".join(token.text.split()))  # vkd3d writes `less equal`
        if names[-1] not in allowed:
            raise token.error(f"no {what} {token.text!r}; there are {', '.join(allowed)}")
    return names


def _finite(cursor: Cursor) -> list[float]:
    found = numbers(cursor)
    for one in found:
        if not math.isfinite(one.value):
            raise one.token.error("expected a finite number")
    return [float(one.value) for one in found]


_SAMPLER = {name: partial(_setting, name) for name in SETTINGS}
