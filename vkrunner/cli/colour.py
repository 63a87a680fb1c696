"""Colours in failures of tests, on a terminal, unless NO_COLOR is set."""

from __future__ import annotations

import os
import re
from typing import TextIO

_RESET = "\x1b[0m"
_RED, _GREEN, _YELLOW, _BOLD = (f"\x1b[{code}m" for code in (31, 32, 33, 1))
_STATUS = {"FAILED": _RED, "ERROR": _RED, "PASSED": _GREEN, "SKIPPED": _YELLOW}
_PLACE = re.compile(r"^([^\n]*?): (error|warning): ")
_CARET = re.compile(r"^( *\| *)(\^+)$")


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours (https://no-color.org)."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def coloured(text: str) -> str:
    """A test's outcome as coloured text: its status, `error:` and the caret stand out."""
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    status, space, rest = line.partition(" ")
    if status in _STATUS:
        return f"{_STATUS[status]}{status}{_RESET}{space}{rest}"
    if place := _PLACE.match(line):
        kind = _RED if place[2] == "error" else _YELLOW
        shown = f"{_BOLD}{place[1]}:{_RESET} {kind}{place[2]}:{_RESET} "
        return shown + line[place.end() :]
    return _CARET.sub(rf"\1{_GREEN}\2{_RESET}", line)
