"""A listing's text as lines of code: no comments, no instruction numbers, `#line` taken in.

Source: listings of fxc 10.1 and 6.3.9600, plain, with instruction numbers (-Ni) and offsets (-No).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")
# `  12: `, `0x00000014: `, `  12  0x00000014: `, each perhaps in front of nothing
_NUMBERING = re.compile(r"\s*(?:(?:\d+\s+)?0[xX][0-9A-Fa-f]+|\d+):\s*")
_SOURCE_LINE = re.compile(r'#line\s+(\d{1,9})(?:\s+"([^"]*)")?')
_MESSAGE = re.compile(r'\w+\s*"')  # no other code has a string in it
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Line:
    """Code of one line: `text` is the line cut before its comment, code begins at `start`.

    `number` counts from 1, `start` from 0. `source` are the file and line of the HLSL that a
    `#line` before it names.
    """

    number: int
    text: str
    start: int
    source: tuple[str | None, int | None] = (None, None)


def split_lines(text: str) -> list[str]:
    """The lines as an editor counts them, without their ends and without a byte order mark."""
    return _LINE_END.split(text.removeprefix(_BYTE_ORDER_MARK))


def read_code(lines: list[str]) -> list[Line]:
    """The lines that hold code."""
    code: list[Line] = []
    source: tuple[str | None, int | None] = (None, None)
    for number, line in enumerate(lines, 1):
        text = _without_comment(line).rstrip()
        if not text:
            continue
        start = _code_start(text)
        if start == len(text):
            continue
        if text[start] != "#":
            code.append(Line(number, text, start, source))
        elif match := _SOURCE_LINE.match(line, start):
            source = (match[2] or source[0], int(match[1]))
    return code


def _without_comment(line: str) -> str:
    """The line up to `//`, unless that stands in a message's string, which the last `"` ends."""
    comment = line.find("//")
    if '"' in line[: max(comment, 0)] and _MESSAGE.match(line, _code_start(line)):
        comment = line.find("//", line.rindex('"'))
    return line if comment < 0 else line[:comment]


def _code_start(text: str) -> int:
    """Where the code begins: after blanks, and after numbers that fxc was asked to print."""
    numbering = _NUMBERING.match(text)
    if numbering is not None:
        return numbering.end()
    return len(text) - len(text.lstrip())
