"""The lines of `[test]`: dispatches, probes, and expected errors and violations."""

from __future__ import annotations

import re
from collections.abc import Callable

from vkrunner.shadertest.cases import Case, Dispatch, Qualified, Uniform, Violations
from vkrunner.shadertest.cursor import WORD, Cursor, Token
from vkrunner.shadertest.literals import integer, numbers, plain, real, scalar_type
from vkrunner.shadertest.probe_reader import read_key, read_probe
from vkrunner.shadertest.qualifiers import Qualifiers, read_qualifiers
from vkrunner.shadertest.violation_reader import read_violation
from vkrunner.values.elements import Leaf

# vkd3d's lines about drawing; a test that has one is skipped
_DRAWS = re.compile(
    r"(?:draw|clear|copy|depth-bounds|depth|sample mask|alpha test|shade mode|clip-plane"
    r"|point-size|point-sprite|fog-colour|fog|viewport)(?![\w-])"
    r"|probe\s*(?:\(|(?:rtv|dsv|render target|all)\b)"
)


def draws(cursor: Cursor) -> bool:
    """Whether a line is one of vkd3d's about drawing, whatever stands in front of it."""
    read_qualifiers(cursor)
    return cursor.sees(_DRAWS)


def read_line(case: Case, cursor: Cursor) -> None:
    """Read one line into a case."""
    start = cursor.rest
    qualifiers = read_qualifiers(cursor)
    there = ", ".join(_DIRECTIVES)
    token = cursor.expect(WORD, f"one of {there}")
    directive = _DIRECTIVES.get(token.text)
    if directive is None:
        raise token.error(f"no {token.text!r} in a test; there are {there}")
    directive(case, cursor, token)
    cursor.finish()
    if qualifiers is not None:
        _qualify(case, cursor.span_since(start), token, qualifiers)


def _qualify(case: Case, line: Token, word: Token, qualifiers: Qualifiers) -> None:
    """Put the words in front of a line to the step that it is."""
    if word.text not in _STEPS:
        raise line.error(f"todo, bug and if are for {', '.join(_STEPS)}")
    step = case.steps.pop()
    assert not isinstance(step, Qualified)
    case.steps.append(Qualified(line, qualifiers, step))


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
    if case.loose:
        pairs = zip(values, element.leaves, strict=True)
        values = tuple(plain(v) if _is_float(leaf) else v for v, leaf in pairs)
    case.steps.append(Uniform(cursor.span_since(token), key, offset, element, values))


def _is_float(leaf: Leaf) -> bool:
    return leaf.dtype is not None and leaf.dtype.kind == "f"


def _probe(case: Case, cursor: Cursor, token: Token) -> None:
    case.steps.append(read_probe(cursor, token, loose=case.loose))


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
    expected = (*before.expected, read_violation(cursor, token))
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
_STEPS = ("dispatch", "probe", "uniform")
