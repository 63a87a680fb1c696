"""`violation` lines: the fields of an access that goes wrong, in any order."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from vkrunner import Violation
from vkrunner.shadertest.cases import ExpectedViolation
from vkrunner.shadertest.cursor import WORD, Cursor, Token
from vkrunner.shadertest.literals import integer, numbers

_REGISTER = re.compile(r"(?:cb|icb|[tugx])\d*(?:_space\d+)?(?!\w)")
MEMORY_KINDS = (
    *("structured_buffer", "raw_buffer", "typed_buffer", "texture", "constant_buffer"),
    *("group_shared", "immediate_constant_buffer", "indexable_temp"),
)


def read_violation(cursor: Cursor, token: Token) -> ExpectedViolation:
    """What follows `violation`: `u0 outside index 9 thread (1, 0, 0) defined count 2`."""
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
