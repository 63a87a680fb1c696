"""`probe` lines: a resource, a place in it, the values that it has there, and a tolerance."""

from __future__ import annotations

import re
from typing import Any

from vkrunner.shadertest.cases import CounterProbe, Number, Pattern, Probe, Values
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Rows, Token
from vkrunner.shadertest.literals import (
    check_dwords,
    expected_values,
    integer,
    number,
    plain,
    real,
    value_of,
)
from vkrunner.values.comparison import Tolerance

_CLASSES = {"uav": "u", "srv": "t", "cb": "cb", "sampler": "s"}
_INDEX = re.compile(r"\d+(?![\w.])")
_FIELD = re.compile(r"\.\w+(?:\.\w+|\[\d+\])*|\[\d+\](?:\.\w+|\[\d+\])*")
# vkd3d's forms: r, rg, rgb, rgba with nothing, i, ui, i64, ui64 or d after them; and f32, i32, ...
_TYPES = {
    **{"": "<f4", "i": "<i4", "ui": "<u4", "d": "<f8", "i64": "<i8", "ui64": "<u8"},
    **{"f32": "<f4", "i32": "<i4", "u32": "<u4", "f64": "<f8", "i64": "<i8", "u64": "<u8"},
}
_WRITTEN_AS = re.compile(
    r"(?:(?:rgba|rgb|rg|r)(?:ui64|i64|ui|i|d)?|f32|i32|u32|f64|i64|u64)(?=\s*\()"
)


def read_key(cursor: Cursor, section: str) -> str:
    """A register by its number, `0` or `2 space 1`, or an HLSL name, after its class."""
    found = cursor.accept(_INDEX)
    if found is None:
        return cursor.expect(WORD, f"the number or the HLSL name of a {section}").text
    space = integer(cursor, "a register space") if cursor.accept("space") else 0
    return f"{_CLASSES[section]}{value_of(found)}" + (f"_space{space}" if space else "")


def read_probe(cursor: Cursor, token: Token, *, loose: bool = False) -> Probe | CounterProbe:
    """The rest of a line after `probe`, the token; `loose` is for vkd3d's files."""
    if loose:
        cursor.accept("buffer")  # of its older ones
    kind = cursor.accept("uav") or cursor.expect("srv", "uav or srv")
    key = read_key(cursor, kind.text)
    target = cursor.span_since(kind)
    if cursor.accept("counter"):
        with cursor.parentheses():
            expected = _counter(cursor)
        return CounterProbe(cursor.span_since(token), key, target, expected)
    level = integer(cursor, "a level", 0, 15) if cursor.accept("level") else 0
    place, spans = _place(cursor)
    name = cursor.accept(_FIELD)
    written_as, components = _written_as(cursor)
    values = expected_values(cursor)
    if loose and written_as is not None and written_as[1] == "f" and isinstance(values, tuple):
        values = tuple(plain(value) if value is not None else None for value in values)
    _check_components(values, components, place)
    tolerance = _tolerance(cursor)
    made = cursor.span_since(token)
    place_and_values = (key, target, place, spans, values, level, name)
    return Probe(made, *place_and_values, written_as, components, tolerance, loose)


def _place(cursor: Cursor) -> tuple[Token, tuple[slice, ...]]:
    """`all`, or coordinates, each a number or first:end."""
    everything = cursor.accept("all")
    if everything is not None:
        return everything, ()
    start = cursor.expect("(", "all, or coordinates in ( )")
    spans = [_span(cursor)]
    while cursor.accept(","):
        spans.append(_span(cursor))
    cursor.expect(")", ", or )")
    return cursor.span_since(start), tuple(spans)


def _span(cursor: Cursor) -> slice:
    first = cursor.accept(_INDEX)
    at = int(value_of(first)) if first is not None else 0
    if cursor.accept(":"):
        end = cursor.accept(_INDEX)
        return slice(at, int(value_of(end)) if end is not None else None)
    if first is None:
        raise cursor.error("expected a coordinate, or a range first:end")
    return slice(at, at + 1)


def _written_as(cursor: Cursor) -> tuple[str | None, int | None]:
    """(dtype, components) of a form such as rgbaui or f32."""
    token = cursor.accept(_WRITTEN_AS)
    if token is None:
        return None, None
    kind = token.text.lstrip("rgba")
    components = len(token.text) - len(kind)
    return _TYPES[kind], components or None


def _check_components(values: Values, components: int | None, place: Token) -> None:
    if components is None or isinstance(values, Pattern) or len(values) % components == 0:
        return
    first = next((value.token for value in values if value is not None), place)
    raise first.error(f"expected {components} numbers for each element, got {len(values)}")


def _counter(cursor: Cursor) -> Number:
    """An integer of 32 bits."""
    found = number(cursor)
    if found.is_float:
        raise found.token.error("a counter is an integer")
    check_dwords((found,))
    return found


_TOLERANCES: Rows = {
    "abs": lambda cursor: real(cursor, "a tolerance"),
    "rel": lambda cursor: real(cursor, "a tolerance"),
    "ulp": lambda cursor: integer(cursor, "a tolerance in ULPs"),
    "bits": lambda cursor: True,
}
_NO_TOLERANCE = "no tolerance {}; there are abs, rel, ulp and bits"


def _tolerance(cursor: Cursor) -> Tolerance:
    """`abs A`, `rel R`, `ulp N`, `bits`; a bare integer is vkd3d's way to write ULPs."""
    if cursor.sees(NUMBER):
        return Tolerance(ulps=integer(cursor, "a tolerance in ULPs"))
    given: dict[str, Any] = {}
    while not cursor.at_end:
        cursor.setting(_TOLERANCES, given, "abs, rel, ulp or bits", _NO_TOLERANCE)
    if "bits" in given and len(given) > 1:
        raise cursor.error("bits leaves no tolerance")
    return Tolerance(given.get("abs", 0), given.get("rel", 0), given.get("ulp", 0), "bits" in given)
