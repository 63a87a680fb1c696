"""The lines of `[uav]`, `[srv]`, `[cb]` and `[sampler]`."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from vkrunner import ArgumentError
from vkrunner.shadertest.cases import (
    Constants,
    Extents,
    Number,
    Pattern,
    Resource,
    SamplerSection,
)
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Line, Rows, Token
from vkrunner.shadertest.literals import (
    element_type,
    integer,
    number,
    numbers,
    pattern,
    sees_pattern,
)
from vkrunner.values.dimensions import DIMENSIONS
from vkrunner.values.formats import Format, format_of_name
from vkrunner.values.samplers import SETTINGS, sampler_state

USUAL_FORMAT = "r32g32b32a32_float"  # of vkd3d's textures and typed buffers
_MOST_EXTENT = 2**31 - 1
_COMPARISON = re.compile(r"\w+(?: +\w+)*")
_OLD_SIZE = re.compile(r"\d+\s*,")
_KIND_OF_FORMAT = re.compile(r"(?:float|uint|sint|unorm|snorm|typeless)\b")
_NO_FORMATS = ("r32_typeless", "unknown")
_MEMBER = re.compile(r"[A-Za-z_]\w*(?:\.\w+|\[\d+\])*\s*=(?!=)")


@dataclasses.dataclass(slots=True)
class _Body:
    """The lines of a section: words with their values, numbers or a pattern, members."""

    given: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    numbers: list[Number] = dataclasses.field(default_factory=list[Number])
    pattern: Pattern | None = None
    members: dict[Token, tuple[Number, ...]] = dataclasses.field(
        default_factory=dict[Token, tuple[Number, ...]]
    )

    def read(
        self, lines: list[Line], rows: Rows, *, contents: bool = True, members: bool = False
    ) -> None:
        """Read the lines: words of a table and, where they are allowed, contents and members."""
        there = ", ".join(rows)
        what, unknown = f"numbers, a pattern, or one of {there}", f"no {{}} here; there are {there}"
        for line in lines:
            cursor = Cursor(line)
            if contents and cursor.sees(NUMBER):
                self.numbers.extend(numbers(cursor))
            elif members and cursor.sees(_MEMBER):
                self._member(cursor)
            elif contents and sees_pattern(cursor):
                self._pattern(cursor)
            else:
                cursor.setting(rows, self.given, what, unknown)
            cursor.finish()

    @property
    def values(self) -> tuple[Number, ...] | Pattern:
        return self.pattern or tuple(self.numbers)

    def _pattern(self, cursor: Cursor) -> None:
        found = pattern(cursor)
        if self.pattern is not None:
            raise found.token.error("the contents are given already")
        self.pattern = found

    def _member(self, cursor: Cursor) -> None:
        token = cursor.expect(re.compile(r"[\w.\[\]]+"), "a name")
        if token.text in [before.text for before in self.members]:
            raise token.error(f"{token.text} is given twice")
        cursor.expect("=", "=")
        self.members[token] = numbers(cursor)
        if not self.members[token]:
            raise cursor.error("expected numbers")


# -- [uav], [srv] ----------------------------------------------------------------------------------

_COUNTER_BUFFER = "counter_buffer"  # vkd3d's name for a buffer of which the counter is looked at
# dimension -> the extents after it in `size`, in the order of an array's axes
_EXTENTS = {
    "buffer": ("elements",),
    "raw_buffer": ("dwords",),
    **{name: dimension.axis_names for name, dimension in DIMENSIONS.items()},
    _COUNTER_BUFFER: ("elements",),
}
_WRITTEN = ("samples", "width", "height", "depth", "layers", "elements", "dwords")  # in `size`


def read_resource(key: str, header: Token, lines: list[Line]) -> Resource:
    """A `[uav]` or `[srv]` section; one that contradicts itself is refused."""
    body = _Body()
    body.read(lines, _RESOURCE)
    return _checked(header, _counted(Resource(header, key, **body.given, values=body.values)), body)


def read_vkd3d_resource(key: str, header: Token, lines: list[Line], name: str) -> Resource:
    """The same by vkd3d's rules: an SRV's texture without a format has four floats.

    `name` is the section's as it is written: an older `[buffer uav]` has a width and a height.
    """
    body = _Body()
    body.read(lines, _RESOURCE)
    size: Extents | None = body.given.get("size")
    if size is not None and not size.is_buffer:
        if not name.startswith("uav"):
            body.given.setdefault("format", format_of_name(USUAL_FORMAT))
        if name.startswith("buffer"):
            shape = (math.prod(size.shape),)
            body.given["size"] = dataclasses.replace(size, dimension="buffer", shape=shape)
    return _checked(header, _counted(Resource(header, key, **body.given, values=body.values)), body)


def _counted(made: Resource) -> Resource:
    """With a counter that starts at the contents, where it is a counter_buffer."""
    size, values = made.size, made.values
    if size is None or size.dimension != _COUNTER_BUFFER:
        return made
    if isinstance(values, Pattern) or len(values) > 1:
        raise size.token.error("a counter_buffer has one number, where its counter starts")
    first = next((value for value in values if value is not None), None)
    if first is not None and first.is_float:
        raise first.token.error("a counter is an integer")
    start = int(first.value) % 2**32 if first is not None else 0
    size = dataclasses.replace(size, dimension="buffer")
    return dataclasses.replace(made, size=size, counter=start, shows_counter=True, values=())


def _checked(header: Token, made: Resource, body: _Body) -> Resource:
    if body.numbers and body.pattern is not None:
        raise body.numbers[0].token.error("the contents are a pattern already")
    size = made.size
    if made.null and (size or made.values or made.guard != (0, 0)):
        raise header.error("a null resource has neither size nor contents")
    if size is not None and not size.is_buffer:
        if made.format is None:
            raise size.token.error("a texture needs a format, for instance: format r32-float")
        if made.guard != (0, 0):
            raise size.token.error("a guard region is for buffers")
    if made.levels > 1 and (size is None or size.is_buffer):
        raise header.error("only textures have levels")
    if made.first_level >= made.levels:
        raise header.error(f"the view begins at level {made.first_level} of {made.levels}")
    if made.format is not None and made.stride is not None:
        raise made.stride.token.error("a buffer has a stride or a format, not both")
    return made


def _size(cursor: Cursor) -> Extents:
    start = cursor.expect("(", "(")
    if cursor.sees(_OLD_SIZE):
        return _old_size(cursor, start)
    there = ", ".join(_EXTENTS)
    dimension = cursor.expect(re.compile(r"\w+"), f"one of {there}")
    axes = _EXTENTS.get(dimension.text)
    if axes is None:
        raise dimension.error(f"no {dimension.text!r}; there are {there}")
    given: dict[str, int] = {"layers": 6} if dimension.text == "cube" else {}
    for axis in (name for name in _WRITTEN if name in axes and name not in given):
        if dimension.text == "cube" and axis == "height" and cursor.sees(")"):
            given[axis] = given["width"]  # vkd3d writes it once
            continue
        cursor.expect(",", f", and {axis}")
        least = 0 if axis in ("elements", "dwords") else 1
        given[axis] = integer(cursor, axis, least, _MOST_EXTENT)
    cursor.expect(")", ")")
    shape = tuple(given[axis] for axis in axes)
    return Extents(cursor.span_since(start), dimension.text, shape)


def _stride(cursor: Cursor) -> Number:
    found = number(cursor)
    if found.is_float or found.value % 4 or not 4 <= found.value <= 2048:
        raise found.token.error("a stride is a multiple of 4 from 4 to 2048")
    return found


def _old_size(cursor: Cursor, start: Token) -> Extents:
    """`(width, height)`, as vkd3d wrote the size of a 2d texture."""
    width = integer(cursor, "width", 1, _MOST_EXTENT)
    cursor.expect(",", ", and height")
    height = integer(cursor, "height", 1, _MOST_EXTENT)
    cursor.expect(")", ")")
    return Extents(cursor.span_since(start), "2d", (height, width))


def read_format(cursor: Cursor) -> Format | None:
    """A DXGI format, `r32_float` or, as vkd3d writes it, `r32-float`, once `r32 float`.

    None for vkd3d's r32-typeless and unknown, by which a buffer has no format.
    """
    first = cursor.expect(re.compile(r"[\w-]+"), "a format, for instance r32_float")
    cursor.accept(_KIND_OF_FORMAT)
    token = cursor.span_since(first)
    name = re.sub("[- ]+", "_", token.text).removesuffix("_shadow")
    if name in _NO_FORMATS:
        return None
    try:
        return format_of_name(name)
    except ArgumentError as error:
        raise token.error(str(error)) from None


def _guard(cursor: Cursor) -> tuple[int, int]:
    if not cursor.accept("("):
        both = integer(cursor, "the elements of a guard", 0, 2**20)
        return both, both
    before = integer(cursor, "the elements in front", 0, 2**20)
    cursor.expect(",", ",")
    after = integer(cursor, "the elements after", 0, 2**20)
    cursor.expect(")", ")")
    return before, after


_RESOURCE: Rows = {
    "size": _size,
    "stride": _stride,
    "format": read_format,
    "type": element_type,
    "counter": lambda cursor: integer(cursor, "a counter"),
    "levels": lambda cursor: integer(cursor, "levels", 1, 16),
    "first_level": lambda cursor: integer(cursor, "a level", 0, 15),
    "guard": _guard,
    "null": lambda cursor: True,
}


# -- [cb], [sampler] -------------------------------------------------------------------------------


def read_constants(key: str, header: Token, lines: list[Line]) -> Constants:
    """A `[cb]` section."""
    body = _Body()
    body.read(lines, {"type": element_type}, members=True)
    if sum((bool(body.members), bool(body.numbers), body.pattern is not None)) > 1:
        raise header.error("constants are given by name, as numbers, or by a pattern: one of them")
    return Constants(header, key, body.given.get("type"), body.values, body.members)


def read_vkd3d_sampler(key: str, header: Token, lines: list[Line]) -> SamplerSection:
    """A `[sampler]` section with vkd3d's settings where it has none: points, and a border of 0."""
    made = read_sampler(key, header, lines)
    return dataclasses.replace(made, settings={"filter": "point", "border": 0.0, **made.settings})


def read_sampler(key: str, header: Token, lines: list[Line]) -> SamplerSection:
    """A `[sampler]` section."""
    rows = {name: partial(_setting, name) for name in SETTINGS}
    body = _Body()
    body.read(lines, rows, contents=False)
    try:
        sampler_state(**body.given)
    except ArgumentError as error:
        raise header.error(str(error)) from None
    return SamplerSection(header, key, body.given)


def _setting(name: str, cursor: Cursor) -> Any:
    """A line of a sampler: one name or number, or three names, or four numbers."""
    allowed, most = SETTINGS[name]
    found = _names(cursor, name, allowed) if allowed is not None else _finite(cursor)
    if len(found) not in (1, most):
        several = {1: "", 3: " or three", 4: " or four"}[most]
        kind = name if allowed is not None else "number"
        raise cursor.error(f"expected one {kind}{several}, got {len(found)}")
    return found if len(found) > 1 else found[0]


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
