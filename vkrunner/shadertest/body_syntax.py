"""The lines of `[test]`: dispatches, probes, and what is expected of the whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vkrunner import Violation
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Token
from vkrunner.shadertest.literals import (
    check_dwords,
    expected_values,
    integer,
    number,
    numbers,
    real,
    scalar_type,
    whole,
)
from vkrunner.shadertest.records import (
    CounterProbe,
    Dispatch,
    ExpectedViolation,
    Number,
    Pattern,
    Probe,
    Span,
    Step,
    Uniform,
    Values,
    Violations,
)
from vkrunner.values.comparison import EXACT, Tolerance

_CLASSES = {"uav": "u", "srv": "t", "cb": "cb", "sampler": "s"}
_INDEX = re.compile(r"\d+(?![\w.])")
_COORDINATE = re.compile(r"\d+(?![\w.])")
_FIELD = re.compile(r"\.\w+(?:\.\w+|\[\d+\])*|\[\d+\](?:\.\w+|\[\d+\])*")
# vkd3d's forms: r, rg, rgb, rgba with nothing, i, ui or d behind; and f32, i32, u32, f64
_WRITTEN_AS = re.compile(r"(?:(rgba|rgb|rg|r)(ui|i|d)?|(f32|i32|u32|f64))(?=\s*\()")
_KINDS = {"": "<f4", "i": "<i4", "ui": "<u4", "d": "<f8"}
_TYPES = {"f32": "<f4", "i32": "<i4", "u32": "<u4", "f64": "<f8"}
_VIOLATION_NUMBERS = ("index", "byte_offset", "instruction", "line", "count")
_REGISTER = re.compile(r"(?:cb|icb|[tugx])\d*(?:_space\d+)?(?!\w)")
_DEFINED = {"defined": True, "undefined": False}
MEMORY_KINDS = (
    *("structured_buffer", "raw_buffer", "typed_buffer", "texture", "constant_buffer"),
    *("group_shared", "immediate_constant_buffer", "indexable_temp"),
)


def read_key(cursor: Cursor, what: str) -> str:
    """A register by its number, `0` or `2 space 1`, or an HLSL name, behind its class."""
    found = cursor.accept(_INDEX)
    if found is None:
        return cursor.expect(WORD, f"the number or the HLSL name of a {what}").text
    space = integer(cursor, "a register space") if cursor.accept(re.compile(r"space\b")) else 0
    return f"{_CLASSES[what]}{whole(found)}" + (f"_space{space}" if space else "")


@dataclass(slots=True)
class TestBody:
    """What the lines of a `[test]` amount to."""

    __test__ = False  # pytest: no class of tests

    folder: Path
    steps: list[Step] = field(default_factory=list[Step])
    error: Token | None = None
    violations: Violations | None = None
    timeout_s: float | None = None

    def read(self, cursor: Cursor) -> None:
        """One line."""
        token = cursor.expect(WORD, f"one of {', '.join(_DIRECTIVES)}")
        directive = _DIRECTIVES.get(token.text)
        if directive is None:
            raise token.error(f"no {token.text!r} in a test; there are {', '.join(_DIRECTIVES)}")
        directive(self, cursor, token)
        cursor.finish()

    def dispatch(self, cursor: Cursor, token: Token) -> None:
        bracket = cursor.accept("(")
        sizes: list[int] = []
        for axis in "xyz":
            sizes.append(integer(cursor, f"the thread groups in {axis}"))
            cursor.accept(",")
        if bracket is not None:
            cursor.expect(")", ")")
        x, y, z = sizes
        self.steps.append(Dispatch(cursor.span_since(token), (x, y, z)))

    def uniform(self, cursor: Cursor, token: Token) -> None:
        key = read_key(cursor, "cb") if cursor.accept(re.compile(r"cb\b")) else "cb0"
        offset = integer(cursor, "an offset in dwords", 0, 2**16)
        element = scalar_type(cursor)
        values = numbers(cursor)
        if len(values) != len(element.leaves):
            raise cursor.error(f"expected {len(element.leaves)} numbers, got {len(values)}")
        self.steps.append(Uniform(cursor.span_since(token), key, offset, element, values))

    def probe(self, cursor: Cursor, token: Token) -> None:
        kind = cursor.expect(re.compile(r"(?:uav|srv)\b"), "uav or srv")
        key = read_key(cursor, kind.text)
        target = cursor.span_since(kind)
        if cursor.accept(re.compile(r"counter\b")):
            expected = _one_number(cursor)
            self.steps.append(CounterProbe(cursor.span_since(token), key, target, expected))
            return
        level = integer(cursor, "a level", 0, 15) if cursor.accept(re.compile(r"level\b")) else 0
        place, spans = _place(cursor)
        name = cursor.accept(_FIELD)
        written_as, components = _written_as(cursor)
        values = expected_values(cursor, self.folder)
        _check_components(values, components, place)
        tolerance = _tolerance(cursor)
        made = cursor.span_since(token)
        what = (key, target, place, spans, values, level, name)
        self.steps.append(Probe(made, *what, written_as, components, tolerance))

    def expect_error(self, cursor: Cursor, token: Token) -> None:
        if self.error is not None:
            raise token.error(f"an error is expected in line {self.error.line.number} already")
        text = cursor.rest
        if not text.text:
            raise cursor.error("expected a part of the error's message")
        cursor.accept(re.compile(r".*"))
        unquoted = text.text[1:-1] if re.fullmatch(r'".*"', text.text) else text.text
        self.error = Token(unquoted, text.line, text.start)

    def violation(self, cursor: Cursor, token: Token) -> None:
        before = self.violations
        if before is not None and before.total is not None:
            raise token.error(f"line {before.token.line.number} says how many there are")
        expected = _violation(cursor, token)
        rows = before.expected if before is not None else ()
        self.violations = Violations(before.token if before else token, (*rows, expected))

    def count_violations(self, cursor: Cursor, token: Token) -> None:
        if self.violations is not None:
            raise token.error(f"line {self.violations.token.line.number} names violations")
        none = cursor.accept(re.compile(r"none\b"))
        total = 0 if none else integer(cursor, "a number of violations, or none")
        self.violations = Violations(cursor.span_since(token), total=total)

    def timeout(self, cursor: Cursor, token: Token) -> None:
        seconds = real(cursor, "a timeout in seconds")
        if not seconds:
            raise token.error("a timeout is longer than 0 seconds")
        self.timeout_s = seconds


_DIRECTIVES: dict[str, Callable[[TestBody, Cursor, Token], None]] = {
    "dispatch": TestBody.dispatch,
    "probe": TestBody.probe,
    "uniform": TestBody.uniform,
    "error": TestBody.expect_error,
    "violation": TestBody.violation,
    "violations": TestBody.count_violations,
    "timeout": TestBody.timeout,
}


def _place(cursor: Cursor) -> tuple[Token, tuple[Span, ...]]:
    """`all`, or coordinates, each a number or first:end."""
    whole = cursor.accept(re.compile(r"all\b"))
    if whole is not None:
        return whole, ()
    start = cursor.expect("(", "all, or coordinates in ( )")
    spans = [_span(cursor)]
    while cursor.accept(","):
        spans.append(_span(cursor))
    cursor.expect(")", ", or )")
    return cursor.span_since(start), tuple(spans)


def _span(cursor: Cursor) -> Span:
    first = cursor.accept(_COORDINATE)
    if cursor.accept(":"):
        end = cursor.accept(_COORDINATE)
        return Span(whole(first) if first else 0, whole(end) if end else None)
    if first is None:
        raise cursor.error("expected a coordinate, or a range first:end")
    at = whole(first)
    return Span(at, at + 1)


def _written_as(cursor: Cursor) -> tuple[str | None, int | None]:
    """(dtype, components) of a form such as rgbaui or f32."""
    token = cursor.accept(_WRITTEN_AS)
    if token is None:
        return None, None
    match = _WRITTEN_AS.match(token.text + "(")
    assert match is not None
    if match[3]:
        return _TYPES[match[3]], None
    return _KINDS[match[2] or ""], len(match[1])


def _check_components(values: Values, components: int | None, place: Token) -> None:
    if components is None or isinstance(values, Pattern) or len(values) % components == 0:
        return
    first = next((value.token for value in values if value is not None), place)
    raise first.error(f"expected {components} numbers for each element, got {len(values)}")


def _one_number(cursor: Cursor) -> Number:
    """An integer of 32 bits, in parentheses or not."""
    bracket = cursor.accept("(")
    found = number(cursor)
    if found.is_float:
        raise found.token.error("a counter is an integer")
    check_dwords((found,))
    if bracket is not None:
        cursor.expect(")", ")")
    return found


def _tolerance(cursor: Cursor) -> Tolerance:
    """`abs A`, `rel R`, `ulp N`, `bits`; a bare integer is vkd3d's way to write ULPs."""
    given: dict[str, Any] = {}
    if cursor.sees(NUMBER):
        return Tolerance(ulps=integer(cursor, "a tolerance in ULPs"))
    while not cursor.at_end:
        token = cursor.expect(WORD, "abs, rel, ulp or bits")
        name = {"abs": "absolute", "rel": "relative", "ulp": "ulps"}.get(token.text, token.text)
        if name in given:
            raise token.error(f"{token.text} is given twice")
        if name in ("absolute", "relative"):
            given[name] = real(cursor, "a tolerance")
        elif name == "ulps":
            given[name] = integer(cursor, "a tolerance in ULPs")
        elif name == "bits":
            given[name] = True
        else:
            raise token.error(f"no tolerance {token.text!r}; there are abs, rel, ulp and bits")
    if "bits" in given and len(given) > 1:
        raise cursor.error("bits leaves no tolerance")
    return Tolerance(**given) if given else EXACT


def _violation(cursor: Cursor, token: Token) -> ExpectedViolation:
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
    return ExpectedViolation(cursor.span_since(token), tuple(given.items()), count)


def _violation_field(cursor: Cursor) -> tuple[str, Any]:
    for cause in Violation.CAUSES:
        if cursor.accept(re.compile(rf"{cause}\b")):
            return "cause", cause
    register = cursor.accept(_REGISTER)
    if register is not None:
        return "register", register.text
    word = cursor.expect(WORD, "a field of a violation")
    if word.text in _VIOLATION_NUMBERS:
        return word.text, integer(cursor, word.text, 1 if word.text == "count" else 0)
    if word.text in ("thread", "group"):
        return word.text, _three(cursor)
    if word.text in _DEFINED:
        return "defined", _DEFINED[word.text]
    if word.text in MEMORY_KINDS:
        return "kind", word.text
    there = ", ".join(
        (*Violation.CAUSES, *_VIOLATION_NUMBERS, "thread", "group", *_DEFINED, *MEMORY_KINDS)
    )
    raise word.error(f"no {word.text!r} in a violation; there are registers, {there}")


def _three(cursor: Cursor) -> tuple[int, ...]:
    cursor.expect("(", "(x, y, z)")
    found = numbers(cursor)
    cursor.expect(")", ")")
    if len(found) != 3 or any(one.is_float for one in found):
        raise cursor.error("expected (x, y, z)")
    return tuple(int(one.value) for one in found)
