"""The table of directives: the lines of each section, and the arguments of those in `[test]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from translate.dataclass import dataclass
from translate.errors import did_you_mean
from translate.hlsl.options import PROFILES
from translate.options import DENORMALS, GUARDS, TARGETS
from vkrunner import Violation
from vkrunner.shadertest import arguments, conditions
from vkrunner.shadertest.arguments import (
    INDEX,
    check_dwords,
    expected_values,
    integer,
    number,
    numbers,
    read_key,
    real,
    scalar_type,
    value_of,
)
from vkrunner.shadertest.cases import (
    CounterProbe,
    Dispatch,
    ExpectedViolation,
    Number,
    Pattern,
    Probe,
    Uniform,
    Values,
    Violations,
)
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Token
from vkrunner.shadertest.violations import RACES
from vkrunner.values.comparison import Tolerance

_FIELD = re.compile(r"\.\w+(?:\.\w+|\[\d+\])*|\[\d+\](?:\.\w+|\[\d+\])*")
# vkd3d's forms: r, rg, rgb, rgba with nothing, i, ui, i64, ui64 or d after them; and f32, i32, ...
_TYPES = {
    **{"": "<f4", "i": "<i4", "ui": "<u4", "d": "<f8", "i64": "<i8", "ui64": "<u8"},
    **{"f32": "<f4", "i32": "<i4", "u32": "<u4", "f64": "<f8", "i64": "<i8", "u64": "<u8"},
}
_WRITTEN_AS = re.compile(
    r"(?:(?:rgba|rgb|rg|r)(?:ui64|i64|ui|i|d)?|f32|i32|u32|f64|i64|u64)(?=\s*\()"
)
_REGISTER = re.compile(r"(?:cb|icb|[tugx])\d*(?:_space\d+)?(?!\w)")
_MEMORY_KINDS = (
    *("structured_buffer", "raw_buffer", "typed_buffer", "texture", "constant_buffer"),
    *("group_shared", "immediate_constant_buffer", "indexable_temp"),
)


def dispatch(cursor: Cursor) -> Dispatch:
    """Read the thread groups: `4 1 1`."""
    with cursor.parentheses():
        x, y, z = (_groups(cursor, axis) for axis in "xyz")
    return Dispatch(cursor.span, (x, y, z))


def _groups(cursor: Cursor, axis: str) -> int:
    count = integer(cursor, f"the thread groups in {axis}")
    cursor.accept(",")
    return count


def uniform(cursor: Cursor) -> Uniform:
    """Read `OFFSET TYPE VALUES`, or `cb 2 OFFSET TYPE VALUES`."""
    key = read_key(cursor, "cb") if cursor.accept("cb") else "cb0"
    offset = integer(cursor, "an offset in dwords", 0, 2**16)
    element = scalar_type(cursor)
    values = numbers(cursor)
    if len(values) != len(element.leaves):
        raise cursor.error(f"expected {len(element.leaves)} numbers, got {len(values)}")
    return Uniform(cursor.span, key, offset, element, values)


def error(cursor: Cursor) -> Token:
    """Read a part of the expected error's message, in quotes or not."""
    text = cursor.take_rest("a part of the error's message")
    is_quoted = re.fullmatch(r'".*"', text.text) is not None
    return Token(text.text[1:-1], text.line, text.start) if is_quoted else text


def timeout(cursor: Cursor) -> float:
    """Read seconds."""
    found = real(cursor, "a timeout in seconds")
    if not found:
        raise cursor.span.error("a timeout is longer than 0 seconds")
    return found


# -- probes ----------------------------------------------------------------------------------------


def probe(cursor: Cursor) -> Probe | CounterProbe:
    """Read a resource, a place in it, the expected values, and a tolerance."""
    kind = cursor.accept("uav") or cursor.expect("srv", "uav or srv")
    key = read_key(cursor, kind.text)
    target = cursor.span_since(kind)
    if cursor.accept("counter"):
        with cursor.parentheses():
            expected = _counter(cursor)
        return CounterProbe(cursor.span, key, target, expected)
    level = integer(cursor, "a level", 0, 15) if cursor.accept("level") else 0
    place, spans = _place(cursor)
    name = cursor.accept(_FIELD)
    written_as, components = _written_as(cursor)
    values = expected_values(cursor)
    _check_components(values, components, place)
    tolerance = _tolerance(cursor)
    made = (key, target, place, spans, values, level, name, written_as, components, tolerance)
    return Probe(cursor.span, *made)


def _place(cursor: Cursor) -> tuple[Token, tuple[slice, ...]]:
    """Read `all`, or coordinates, each a number or first:end."""
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
    first = cursor.accept(INDEX)
    at = int(value_of(first)) if first is not None else 0
    if cursor.accept(":"):
        end = cursor.accept(INDEX)
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
    if components and not isinstance(values, Pattern) and len(values) % components:
        first = next((value.token for value in values if value is not None), place)
        raise first.error(f"expected {components} numbers for each element, got {len(values)}")


def _counter(cursor: Cursor) -> Number:
    """Read an integer of 32 bits."""
    found = number(cursor)
    if found.is_float:
        raise found.token.error("a counter is an integer")
    check_dwords((found,))
    return found


_TOLERANCES: dict[str, Callable[[Cursor], float]] = {
    "abs": partial(real, what="a tolerance"),
    "rel": partial(real, what="a tolerance"),
    "ulp": partial(integer, what="a tolerance in ULPs"),
    "bits": lambda cursor: True,
}


def _tolerance(cursor: Cursor) -> Tolerance:
    """Read `abs A`, `rel R`, `ulp N`, `bits`; or a bare integer, vkd3d's form for ULPs."""
    if cursor.sees(NUMBER):
        return Tolerance(ulps=integer(cursor, "a tolerance in ULPs"))
    given: dict[str, Any] = {}
    while not cursor.at_end:
        name = cursor.choose(_TOLERANCES, "tolerance")
        if name.text in given:
            raise name.error(f"{name.text} is given twice")
        given[name.text] = _TOLERANCES[name.text](cursor)
    if "bits" in given and len(given) > 1:
        raise cursor.error("bits leaves no tolerance")
    return Tolerance(given.get("abs", 0), given.get("rel", 0), given.get("ulp", 0), "bits" in given)


# -- violations ------------------------------------------------------------------------------------


def violation(cursor: Cursor) -> ExpectedViolation:
    """Read fields in any order: `u0 outside index 9 thread (1, 0, 0) defined count 2`."""
    given: dict[str, Any] = {}
    if cursor.sees("none") or cursor.sees(INDEX):
        raise cursor.error(f"did you mean `violations {cursor.rest.text}`?")
    while not cursor.at_end:
        name, value = _violation_field(cursor)
        if name in given:
            raise cursor.error(f"{name} is given twice")
        given[name] = value
    if not given.keys() - {"count"}:
        raise cursor.error("expected a register, a cause, index, byte_offset, thread, group, ...")
    count = given.pop("count", 1)
    return ExpectedViolation(cursor.span, given, count)


def _violation_field(cursor: Cursor) -> tuple[str, Any]:
    """Read (a field of `Violation`, or count; its value)."""
    register = cursor.accept(_REGISTER)
    if register is not None:
        return "register", register.text
    word = cursor.expect(_VIOLATION_WORD, "a field of a violation")
    if word.text not in _VIOLATION_FIELDS:
        there = ", ".join(_VIOLATION_FIELDS)
        raise word.error(f"unknown {word.text!r}; expected a register, or one of {there}")
    name, value = _VIOLATION_FIELDS[word.text]
    return name, value(cursor) if callable(value) else value


def _three(cursor: Cursor) -> tuple[int, ...]:
    cursor.expect("(", "(x, y, z)")
    found = numbers(cursor)
    cursor.expect(")", ")")
    if len(found) != 3 or any(one.is_float for one in found):
        raise cursor.error("expected (x, y, z)")
    return tuple(int(one.value) for one in found)


# word -> the field, and its value or the reader of its value
_VIOLATION_FIELDS: dict[str, tuple[str, Any]] = {
    **{cause: ("cause", cause) for cause in Violation.CAUSES},
    **{
        name: (name, partial(integer, what=name))
        for name in ("index", "byte_offset", "instruction", "line")
    },
    "count": ("count", partial(integer, what="count", least=1)),
    "thread": ("thread", _three),
    "group": ("group", _three),
    "defined": ("defined", True),
    "undefined": ("defined", False),
    **{kind: ("kind", kind) for kind in _MEMORY_KINDS},
}
_VIOLATION_WORD = re.compile(rf"(?:{'|'.join(Violation.CAUSES)})\b|{WORD.pattern}")


def violation_count(cursor: Cursor) -> Violations:
    """Read `none`, or a number of violations."""
    none = cursor.accept("none")
    total = 0 if none else integer(cursor, "a number of violations, or none")
    return Violations(cursor.span, total=total)


HLSL = "compute shader"


@dataclass(frozen=True, slots=True)
class Directive:
    """A kind of line: its first words, and the reader of the arguments after them.

    If it has a pattern instead of words, the arguments begin with the pattern. `read` returns the
    value of `field` (default: the words) in the section's record; a repeatable directive collects
    values in a list.
    """

    words: str | re.Pattern[str]
    read: Callable[[Cursor], Any]
    field: str = ""
    repeatable: bool = False

    def begins(self, cursor: Cursor) -> Token | None:
        """The line's first words, which are taken; None for another line."""
        if isinstance(self.words, re.Pattern):
            return cursor.rest if cursor.sees(self.words) else None
        return cursor.accept(self.words)


Table = Mapping[str, tuple[Directive, ...]]  # section -> its lines


def _flag(cursor: Cursor) -> bool:
    return True


def _one_of(kind: str, names: Collection[str]) -> Callable[[Cursor], str]:
    return lambda cursor: cursor.choose(names, kind, arguments.NAME).text


_Repeatable = partial(Directive, repeatable=True)
_CONTENTS = (
    _Repeatable(NUMBER, arguments.numbers, "numbers"),
    _Repeatable(arguments.PATTERN, arguments.pattern, "patterns"),
    Directive("type", arguments.element_type),
)
_RESOURCE = (
    *_CONTENTS,
    Directive("size", arguments.size),
    Directive("stride", arguments.stride),
    Directive("format", arguments.dxgi_format),
    Directive("counter", partial(arguments.integer, what="a counter")),
    Directive("levels", partial(arguments.integer, what="levels", least=1, most=16)),
    Directive("first_level", partial(arguments.integer, what="a level", most=15)),
    Directive("guard", arguments.guard),
    Directive("null", _flag),
)
_SHADER = (
    Directive("file", Cursor.path),
    Directive("guards", _one_of("mode of guards", GUARDS)),
    Directive("denormals", _one_of("mode of denormals", DENORMALS)),
    Directive("target", _one_of("target", TARGETS)),
    Directive("optimize", lambda cursor: _one_of("switch", ("on", "off"))(cursor) == "on"),
    Directive("entry", arguments.entry),
    Directive("profile", _one_of("profile of a compute shader", PROFILES)),
    _Repeatable("define", arguments.define, "defines"),
    _Repeatable("include", lambda cursor: str(cursor.path()[1])),
    Directive("fxc_flags", arguments.fxc_flags),
    _Repeatable("class", arguments.class_instance, "class_instances"),
)
DIRECTIVES: Table = {
    "require": (
        *(_Repeatable(*row, "requirements") for row in conditions.REQUIREMENTS.items()),
        _Repeatable(conditions.MODEL, conditions.model, "requirements"),
    ),
    "uav": _RESOURCE,
    "srv": _RESOURCE,
    "cb": (_Repeatable(arguments.MEMBER, arguments.member, "members"), *_CONTENTS),
    "sampler": tuple(Directive(name, read) for name, read in arguments.SETTINGS.items()),
    "shader": _SHADER,
    HLSL: _SHADER,
    "test": (
        _Repeatable("dispatch", dispatch, "steps"),
        _Repeatable("probe", probe, "steps"),
        _Repeatable("uniform", uniform, "steps"),
        Directive("error", error),
        _Repeatable("violation", violation, "violations"),
        _Repeatable("violations", violation_count, "violations"),
        Directive("races", _one_of("word", RACES)),
        Directive("timeout", timeout, "timeout_s"),
    ),
}
_HINTS: dict[str, str] = dict.fromkeys(
    ("shader", HLSL),
    "; a listing begins with its model, for instance cs_5_0, and HLSL belongs in [compute shader]",
)


def read_directive(
    cursor: Cursor, section: str, given: dict[str, Any], table: Table = DIRECTIVES
) -> None:
    """Read a line into the fields of its section's record. Raises ShaderTestError."""
    rows = table[section]
    found = ((row, token) for row in rows if (token := row.begins(cursor)) is not None)
    directive, token = next(found, (None, None))
    if directive is None or token is None:
        names = (row.words if isinstance(row.words, str) else row.field for row in rows)
        there = ", ".join(dict.fromkeys(names))
        word = cursor.expect(WORD, f"one of {there}")
        named = [*there.split(", "), *arguments.PATTERNS, *arguments.FILES]
        hint = _HINTS.get(section, did_you_mean(word.text, named))
        raise word.error(f"unknown {word.text!r} in [{section}]; expected one of {there}{hint}")
    if directive.words == token.text and section != "require" and (sign := cursor.accept("=")):
        raise sign.error(f"write `{token.text} {cursor.rest.text}`, without =")
    name = directive.field or token.text
    if directive.repeatable:
        given.setdefault(name, []).append(directive.read(cursor))
    elif name in given:
        raise token.error(f"{token.text} is given twice")
    else:
        given[name] = directive.read(cursor)
