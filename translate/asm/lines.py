"""Split a listing into lines of code, without comments and instruction numbers.

`#line` directives become the source of the following lines. Source: listings of fxc 10.1 and
6.3.9600, plain, with instruction numbers (-Ni), with offsets (-No) and in HTML (-Cc).
"""

from __future__ import annotations

import re

from translate.dataclass import dataclass

_LINE_END = re.compile(r"\r\n|\r|\n")
# `  12: `, `0x00000014: `, `  12  0x00000014: `; the rest of the line may be empty
_NUMBERING = re.compile(r"\s*(?:(?:\d+\s+)?0[xX][0-9A-Fa-f]+|\d+):\s*")
_SOURCE_LINE = re.compile(r'#line\s+(\d{1,9})(?:\s+"([^"]*)")?')
_MESSAGE = re.compile(r'\w+\s*"')  # only messages contain strings
_BYTE_ORDER_MARK = "\ufeff"
_COLOURED = "<pre><body bgcolor="
_COLOURS = re.compile(
    r'<pre><body bgcolor="#\w{6}">|</pre>|<font color = "#\w{6}">|</font>|<!-- id=\d+ -->'
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of code.

    `text` is the line without its comment, `start` (from 0) is where its code begins, `number`
    counts lines from 1. `source` is the HLSL file and line of the last `#line` before it.
    """

    number: int
    text: str
    start: int
    source: tuple[str | None, int | None] = (None, None)


def split_lines(text: str) -> list[str]:
    """Split text into lines as an editor does, without line ends and byte order mark.

    Of a listing that fxc coloured (/Cc), without its HTML.
    """
    plain = text.removeprefix(_BYTE_ORDER_MARK)
    return _LINE_END.split(_COLOURS.sub("", plain) if plain.startswith(_COLOURED) else plain)


def read_code(lines: list[str]) -> list[Line]:
    """The lines that contain code."""
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
    """Remove a `//` comment. `//` inside a message's string is kept; the last `"` ends it."""
    comment = line.find("//")
    if '"' in line[: max(comment, 0)] and _MESSAGE.match(line, _code_start(line)):
        comment = line.find("//", line.rindex('"'))
    return line if comment < 0 else line[:comment]


def _code_start(text: str) -> int:
    """Where code begins, after spaces and after the numbers that fxc prints on request."""
    numbering = _NUMBERING.match(text)
    if numbering is not None:
        return numbering.end()
    return len(text) - len(text.lstrip())


class Fault(Exception):
    """Invalid text at `start` in its line (from 0), `length` characters long.

    The caller knows the line and turns the fault into an AssemblyError.
    """

    def __init__(self, message: str, start: int, length: int = 1):
        super().__init__(message)
        self.message = message
        self.start = start
        self.length = length
