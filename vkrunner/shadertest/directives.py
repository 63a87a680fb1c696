"""The table of directives: the lines that each section may have in this project's dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from translate.dataclass import dataclass
from translate.hlsl.options import PROFILES
from translate.options import DENORMALS, GUARDS, TARGETS
from vkrunner.shadertest import arguments, conditions, test_lines
from vkrunner.shadertest.cursor import NUMBER, WORD, Cursor, Token
from vkrunner.shadertest.violations import RACES

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
        _Repeatable("dispatch", test_lines.dispatch, "steps"),
        _Repeatable("probe", test_lines.probe, "steps"),
        _Repeatable("uniform", test_lines.uniform, "steps"),
        Directive("error", test_lines.error),
        _Repeatable("violation", test_lines.violation, "violations"),
        _Repeatable("violations", test_lines.violation_count, "violations"),
        Directive("races", _one_of("word", RACES)),
        Directive("timeout", test_lines.timeout, "timeout_s"),
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
        hint = _HINTS.get(section, "")
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
