"""The sections of a file: their headers and lines."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field

from translate import Where
from vkrunner.shadertest.cursor import WORD, Cursor, Line, ShaderTestError, Token, start_of
from vkrunner.shadertest.directives import DIRECTIVES, HLSL

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
