"""The sections of a file: their headers and lines, and the record that each becomes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence, Sized
from typing import Any, TypeVar

from translate import Where
from translate.dataclass import dataclass, field, replace
from vkrunner import ArgumentError
from vkrunner.shadertest.arguments import COUNTER_BUFFER
from vkrunner.shadertest.cases import (
    ALWAYS,
    BoundSection,
    Case,
    Constants,
    ExpectedViolation,
    Number,
    Pattern,
    Qualifiers,
    Resource,
    SamplerSection,
    ShaderSection,
    Violations,
)
from vkrunner.shadertest.conditions import read_qualifiers
from vkrunner.shadertest.cursor import WORD, Cursor, Line, ShaderTestError, Token, start_of
from vkrunner.shadertest.directives import DIRECTIVES, HLSL, Table, read_directive
from vkrunner.values.elements import element_of_format
from vkrunner.values.samplers import sampler_state

SECTIONS = tuple(DIRECTIVES)
BOUND = ("uav", "srv", "cb", "sampler")
SHADERS = ("shader", HLSL)
# vkd3d's sections for drawing and the preprocessor; they are not executed here
_HLSL_OF_OTHERS = (
    *("pixel shader", "vertex shader", "hull shader", "domain shader", "geometry shader"),
    *("effect", "preproc"),
)
OTHERS = (*_HLSL_OF_OTHERS, "input layout", "rtv", "dsv", "vb", "render target", "vertex buffer")
_OLD_NAMES = {"texture": "srv", "buffer srv": "srv", "buffer uav": "uav"}
_NOT_HERE = {  # sections of other files of vkd3d and piglit, and attributes of HLSL
    "compute": "HLSL belongs in [compute shader]",
    "numthreads": "HLSL belongs in [compute shader]",
    "pixel": "there are compute shaders only",
    "vertex": "there are compute shaders only",
}
_NAMES = (*SECTIONS, *OTHERS, *_OLD_NAMES)
_HEADER = re.compile(r"\s*\[")
_FIRST_SECTION = re.compile(rf"\s*\[\s*({WORD.pattern})")
# attributes of HLSL are in brackets too; among lines of HLSL only these are headers
_IN_HLSL = "|".join(_NAMES).replace(" ", r"\s+")
_HEADER_IN_HLSL = re.compile(rf"\s*\[\s*(?:{_IN_HLSL})[\s\]]")
# Of the resources, requirements or earlier tests of a test: each test has a list of them. D3D11 has
# 223 registers, a device less than 100 features and limits, and the files of vkd3d fewer tests
MOST = 500
_HLSL_FIELDS = ("entry", "profile", "defines", "include", "fxc_flags")
# A comment of fxc, or the shader model, perhaps after the numbers of an fxc option
_LISTING = re.compile(r"\s*(?://|(?!profile\s)(?:\S+:?\s+)?[a-z]s_\d_\d\b)")
# An option, a blank line, or a comment with %. Lines of HLSL may also begin with `class`
_OPTIONS = "|".join(str(row.words) for row in DIRECTIVES[HLSL] if row.words != "class")
_ABOVE_HLSL = re.compile(rf"\s*(?:%|$|class\s+[\w$]+\s*=|(?:{_OPTIONS})(?:\s|$))")
T = TypeVar("T")


@dataclass(slots=True)
class Section:
    """A section: its header, its name, the text after the name, and its lines.

    `written` is the name in the header; older files of vkd3d use other names.
    """

    header: Token
    name: str
    written: str
    cursor: Cursor
    lines: list[Line] = field(default_factory=list[Line])


def find_sections(lines: list[Line]) -> list[Section]:
    """The sections with their lines. Blank lines and comments stay only in shaders.

    Raises ShaderTestError for an unknown section, and for text before the first section.
    """
    _check_first(lines)
    found: list[Section] = []
    for line in lines:
        last = found[-1].name if found else ""
        is_hlsl = last == HLSL or last in _HLSL_OF_OTHERS
        if (_HEADER_IN_HLSL if is_hlsl else _HEADER).match(line.text):
            found.append(_section(line))
        elif last in SHADERS or not Cursor(line).at_end:
            found[-1].lines.append(line)
    return found


def _check_first(lines: list[Line]) -> None:
    """Raise ShaderTestError unless the file begins with a known section.

    The error does not quote the line, because the file may be anything, even a secret.
    """
    first = next((line for line in lines if not Cursor(line).at_end), None)
    if first is None:
        raise start_of(lines[0].file).error("the file has no [test]")
    found = _FIRST_SECTION.match(first.text)
    near = (*SECTIONS, *_NOT_HERE, *(name.partition(" ")[0] for name in _NAMES))
    if found is None or not difflib.get_close_matches(found[1], near):
        message = "expected a section, for instance [shader]"
        raise ShaderTestError(message, Where(first.file, first.number, 1))


def _section(line: Line) -> Section:
    end = line.text.rfind("]")
    if end < 0:
        raise Cursor(line).error("a section's name ends with ]")
    after = Cursor(line, end + 1, max(end + 1, len(line.text)))
    if not after.at_end and not after.sees(re.compile("[%#]")):
        raise after.error("expected the end of the line after ]")
    start = line.text.index("[")
    cursor = Cursor(line, start + 1, end)
    header = Token(line.text[start : end + 1], line, start)
    name = next((name for name in _NAMES if cursor.accept(name)), None)
    if name is None:
        first = cursor.expect(WORD, f"a section's name: {', '.join(SECTIONS)}")
        hint = _NOT_HERE.get(first.text, f"expected one of {', '.join(SECTIONS)}")
        raise first.error(f"unknown section [{first.text}]: {hint}")
    return Section(header, _OLD_NAMES.get(name, name), name, cursor)


# -- lines -----------------------------------------------------------------------------------------


def read_lines(
    section: Section, table: Table = DIRECTIVES, begin: Callable[[Line], Cursor] = Cursor
) -> dict[str, Any]:
    """The fields of a section from its lines. Raises ShaderTestError."""
    given: dict[str, Any] = {}
    for cursor in map(begin, section.lines):
        qualifiers = read_qualifiers(cursor) if section.name == "test" else ALWAYS
        if qualifiers != ALWAYS:
            _read_qualified(cursor, given, qualifiers, table)
        elif not cursor.at_end:
            read_directive(cursor, section.name, given, table)
            cursor.finish()
    return given


def _read_qualified(
    cursor: Cursor, given: dict[str, Any], qualifiers: Qualifiers, table: Table
) -> None:
    """Read the rest of a line of `[test]` with qualifiers before it."""
    line, found = cursor.after(), dict[str, Any]()
    read_directive(line, "test", found, table)
    line.finish()
    whole = line.span_since(cursor.span)
    if "steps" not in found:
        raise whole.error("todo, bug and if are for dispatch, probe, uniform")
    (step,) = found["steps"]
    step = replace(step, token=whole, qualifiers=qualifiers)
    given.setdefault("steps", []).append(step)


def _unique(pairs: Iterable[tuple[Token, T]]) -> dict[Token, T]:
    """Values by name; each name may be given once."""
    made: dict[str, tuple[Token, T]] = {}
    for token, value in pairs:
        if token.text in made:
            raise token.error(f"{token.text} is given twice")
        made[token.text] = token, value
    return dict(made.values())


# -- [uav], [srv], [cb], [sampler] -----------------------------------------------------------------


def bound_of(section: Section, key: str, given: dict[str, Any]) -> BoundSection:
    """The resource, constants or sampler of a section with these fields.

    Raises ShaderTestError for contradictions.
    """
    if section.name == "cb":
        return _constants(section.header, key, given)
    if section.name == "sampler":
        return _sampler(section.header, key, given)
    return _resource(section.header, key, given)


def _constants(header: Token, key: str, given: dict[str, Any]) -> Constants:
    if len(given.keys() & {"members", "numbers", "patterns"}) > 1:
        raise header.error("constants are given by name, as numbers, or by a pattern: one of them")
    members = _unique(given.pop("members", ()))
    return Constants(header, key, given.get("type"), _contents(given), members)


def _sampler(header: Token, key: str, given: dict[str, Any]) -> SamplerSection:
    try:
        sampler_state(**given)
    except ArgumentError as error:
        raise header.error(str(error)) from None
    return SamplerSection(header, key, given)


def _resource(header: Token, key: str, given: dict[str, Any]) -> Resource:
    values = _contents(given)
    made = _counted(Resource(header, key, **given, values=values))
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
    texel = element_of_format(made.format).itemsize if made.format is not None else 0
    if made.format is not None and made.type is not None and made.type.itemsize != texel:
        sizes = f"{texel} bytes, the type {made.type.itemsize}"
        raise (size.token if size else header).error(f"a texel of {made.format.name} has {sizes}")
    if made.format is not None and made.stride is not None:
        raise made.stride.token.error("a buffer has a stride or a format, not both")
    return made


def _contents(given: dict[str, Any]) -> tuple[Number, ...] | Pattern:
    """Take the contents out of the fields of a section: its numbers, or its pattern."""
    numbers = tuple(one for row in given.pop("numbers", ()) for one in row)
    patterns: Sequence[Pattern] = given.pop("patterns", ())
    if len(patterns) > 1:
        raise patterns[1].token.error("the contents are given already")
    if numbers and patterns:
        raise numbers[0].token.error("the contents are a pattern already")
    return patterns[0] if patterns else numbers


def _counted(made: Resource) -> Resource:
    """If it is a counter_buffer, turn its contents into the initial value of its hidden counter."""
    size, values = made.size, made.values
    if size is None or size.dimension != COUNTER_BUFFER:
        return made
    if isinstance(values, Pattern) or len(values) > 1:
        raise size.token.error("a counter_buffer takes one number, the counter's initial value")
    first = next((value for value in values if value is not None), None)
    if first is not None and first.is_float:
        raise first.token.error("a counter is an integer")
    start = int(first.value) % 2**32 if first is not None else 0
    size = replace(size, dimension="buffer")
    return replace(made, size=size, counter=start, shows_counter=True, values=())


# -- [shader], [compute shader] --------------------------------------------------------------------


def read_shader(section: Section) -> ShaderSection:
    """Read options, then a listing or HLSL; or the file of a shader. Raises ShaderTestError."""
    is_hlsl, lines = section.name == HLSL, section.lines
    begins = (not _ABOVE_HLSL.match(x.text) if is_hlsl else _LISTING.match(x.text) for x in lines)
    first = next((n for n, it_does in enumerate(begins) if it_does), len(lines))
    given = read_lines(replace(section, lines=lines[:first]))
    text = tuple(lines[first:])
    for name in given.keys() & {"defines", "class_instances"}:
        given[name] = {token.text: value for token, value in _unique(given[name]).items()}
    token, path = given.pop("file", (section.header, None))
    if text and path is not None:
        raise Cursor(text[0]).error("the shader is in a file already")
    if not text and path is None:
        either = "HLSL" if is_hlsl else "a listing"
        raise section.header.error(f"the section has neither {either} nor a file")
    hlsl = {name: given.pop(name) for name in _HLSL_FIELDS if name in given}
    if text and hlsl and not is_hlsl:
        name = next(iter(hlsl))
        raise section.header.error(f"{name} is for HLSL: that belongs in [compute shader]")
    return ShaderSection(token, text, path, given, hlsl if is_hlsl or hlsl else None)


# -- [test] ----------------------------------------------------------------------------------------


def with_steps(case: Case, given: dict[str, Any]) -> Case:
    """The case with the fields of a `[test]`. Raises ShaderTestError for contradictions."""
    steps, violations = tuple(given.pop("steps", ())), _violations(given.pop("violations", ()))
    if not steps and "error" not in given:
        raise case.token.error("the test does nothing: dispatch and probe something")
    if violations is not None and case.shader.options.get("guards") != "report":
        raise violations.token.error("accesses are reported with: guards report, in [shader]")
    return replace(case, steps=steps, violations=violations, **given)


def _violations(found: Sequence[ExpectedViolation | Violations]) -> Violations | None:
    """The expected violations, or their number."""
    total = next((one for one in found if isinstance(one, Violations)), None)
    named = tuple(one for one in found if isinstance(one, ExpectedViolation))
    if total is not None and len(found) > 1:
        first, second = found[0], found[1] if found[0] is total else total
        what = "their number" if first is total else "one of them"
        rule = "a test has one line `violations`, or lines `violation`"
        raise second.token.error(f"line {first.token.line.number} has {what}: {rule}")
    return total or (Violations(named[0].token, named) if named else None)


def check_name(name: str, token: Token, taken: dict[str, Token]) -> None:
    """Note a test's name in `taken`. Raise ShaderTestError if another test of the file has it."""
    twin = taken.setdefault(name, token)
    if twin is not token:
        raise token.error(f"line {twin.line.number} has a test {name!r}")


def check_number(sections: Sized, token: Token, noun: str) -> None:
    """Raise ShaderTestError if a test has more sections or lines of a kind than any needs."""
    if len(sections) > MOST:
        raise token.error(f"a test has at most {MOST} {noun}")
