"""The lines of `[test]`: dispatches, probes, and expected errors and violations."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from vkrunner import Violation
from vkrunner.shadertest.cases import (
    Case,
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
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Rows, Token
from vkrunner.shadertest.literals import (
    check_dwords,
    expected_values,
    integer,
    number,
    numbers,
    real,
    scalar_type,
    value_of,
)
from vkrunner.values.comparison import Tolerance

_CLASSES = {"uav": "u", "srv": "t", "cb": "cb", "sampler": "s"}
_INDEX = re.compile(r"\d+(?![\w.])")
_FIELD = re.compile(r"\.\w+(?:\.\w+|\[\d+\])*|\[\d+\](?:\.\w+|\[\d+\])*")
# vkd3d's forms: r, rg, rgb, rgba with nothing, i, ui or d after them; and f32, i32, u32, f64
_WRITTEN_AS = re.compile(r"(?:rgba|rgb|rg|r)(?:ui|i|d)?(?=\s*\()|(?:f32|i32|u32|f64)(?=\s*\()")
_TYPES = {
    **{"": "<f4", "i": "<i4", "ui": "<u4", "d": "<f8"},
    **{"f32": "<f4", "i32": "<i4", "u32": "<u4", "f64": "<f8"},
}
_REGISTER = re.compile(r"(?:cb|icb|[tugx])\d*(?:_space\d+)?(?!\w)")
MEMORY_KINDS = (
    *("structured_buffer", "raw_buffer", "typed_buffer", "texture", "constant_buffer"),
    *("group_shared", "immediate_constant_buffer", "indexable_temp"),
)


def read_key(cursor: Cursor, section: str) -> str:
    """A register by its number, `0` or `2 space 1`, or an HLSL name, after its class."""
    found = cursor.accept(_INDEX)
    if found is None:
        return cursor.expect(WORD, f"the number or the HLSL name of a {section}").text
    space = integer(cursor, "a register space") if cursor.accept("space") else 0
    return f"{_CLASSES[section]}{value_of(found)}" + (f"_space{space}" if space else "")


def read_line(case: Case, cursor: Cursor) -> None:
    """Read one line into a case."""
    there = ", ".join(_DIRECTIVES)
    token = cursor.expect(WORD, f"one of {there}")
    directive = _DIRECTIVES.get(token.text)
    if directive is None:
        raise token.error(f"no {token.text!r} in a test; there are {there}")
    directive(case, cursor, token)
    cursor.finish()


def _dispatch(case: Case, cursor: Cursor, token: Token) -> None:
    sizes: list[int] = []
    with cursor.parentheses():
        for axis in "xyz":
            sizes.append(integer(cursor, f"the thread groups in {axis}"))
            cursor.accept(",")
    x, y, z = sizes
    case.steps.append(Dispatch(cursor.span_since(token), (x, y, z)))


def _uniform(case: Case, cursor: Cursor, token: Token) -> None:
    key = read_key(cursor, "cb") if cursor.accept("cb") else "cb0"
    offset = integer(cursor, "an offset in dwords", 0, 2**16)
    element = scalar_type(cursor)
    values = numbers(cursor)
    if len(values) != len(element.leaves):
        raise cursor.error(f"expected {len(element.leaves)} numbers, got {len(values)}")
    case.steps.append(Uniform(cursor.span_since(token), key, offset, element, values))


def _probe(case: Case, cursor: Cursor, token: Token) -> None:
    kind = cursor.accept("uav") or cursor.expect("srv", "uav or srv")
    key = read_key(cursor, kind.text)
    target = cursor.span_since(kind)
    if cursor.accept("counter"):
        with cursor.parentheses():
            expected = _counter(cursor)
        case.steps.append(CounterProbe(cursor.span_since(token), key, target, expected))
        return
    level = integer(cursor, "a level", 0, 15) if cursor.accept("level") else 0
    place, spans = _place(cursor)
    name = cursor.accept(_FIELD)
    written_as, components = _written_as(cursor)
    values = expected_values(cursor)
    _check_components(values, components, place)
    tolerance = _tolerance(cursor)
    made = cursor.span_since(token)
    place_and_values = (key, target, place, spans, values, level, name)
    case.steps.append(Probe(made, *place_and_values, written_as, components, tolerance))


def _error(case: Case, cursor: Cursor, token: Token) -> None:
    if case.error is not None:
        raise token.error(f"an error is expected in line {case.error.line.number} already")
    text = cursor.take_rest("a part of the error's message")
    is_quoted = re.fullmatch(r'".*"', text.text) is not None
    case.error = Token(text.text[1:-1], text.line, text.start) if is_quoted else text


def _violation(case: Case, cursor: Cursor, token: Token) -> None:
    before = case.violations or Violations(token)
    if before.total is not None:
        raise token.error(f"line {before.token.line.number} says how many there are")
    expected = (*before.expected, _expected_violation(cursor, token))
    case.violations = Violations(before.token, expected)


def _violation_count(case: Case, cursor: Cursor, token: Token) -> None:
    if case.violations is not None:
        raise token.error(f"line {case.violations.token.line.number} names violations")
    none = cursor.accept("none")
    total = 0 if none else integer(cursor, "a number of violations, or none")
    case.violations = Violations(cursor.span_since(token), total=total)


def _timeout(case: Case, cursor: Cursor, token: Token) -> None:
    case.timeout_s = real(cursor, "a timeout in seconds")
    if not case.timeout_s:
        raise token.error("a timeout is longer than 0 seconds")


_DIRECTIVES: dict[str, Callable[[Case, Cursor, Token], None]] = {
    "dispatch": _dispatch,
    "probe": _probe,
    "uniform": _uniform,
    "error": _error,
    "violation": _violation,
    "violations": _violation_count,
    "timeout": _timeout,
}


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


def _expected_violation(cursor: Cursor, token: Token) -> ExpectedViolation:
    """Words and numbers in any order: `u0 outside index 9 thread (1, 0, 0) defined count 2`."""
    given: dict[str, Any] = {}
    while not cursor.at_end:
        name, value = _violation_field(cursor)
        if name in given:
            raise cursor.error(f"{name} is given twice")
        given[name] = value
    if not given.keys() - {"count"}:
        raise cursor.error("expected a register, a cause, index, byte_offset, thread, group, ...")
    count = given.pop("count", 1)
    return ExpectedViolation(cursor.span_since(token), given, count)


def _violation_field(cursor: Cursor) -> tuple[str, Any]:
    """(a field of `Violation`, or count; its value)."""
    register = cursor.accept(_REGISTER)
    if register is not None:
        return "register", register.text
    word = cursor.expect(_VIOLATION_WORD, "a field of a violation")
    if word.text not in _VIOLATION_FIELDS:
        there = ", ".join(_VIOLATION_FIELDS)
        raise word.error(f"no {word.text!r} in a violation; there are registers, {there}")
    name, value = _VIOLATION_FIELDS[word.text]
    return name, value(cursor) if callable(value) else value


def _three(cursor: Cursor) -> tuple[int, ...]:
    cursor.expect("(", "(x, y, z)")
    found = numbers(cursor)
    cursor.expect(")", ")")
    if len(found) != 3 or any(one.is_float for one in found):
        raise cursor.error("expected (x, y, z)")
    return tuple(int(one.value) for one in found)


# word -> the field that it gives, with the value or a reader of it
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
    **{kind: ("kind", kind) for kind in MEMORY_KINDS},
}
_VIOLATION_WORD = re.compile(rf"(?:{'|'.join(Violation.CAUSES)})\b|{WORD.pattern}")
