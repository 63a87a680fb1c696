"""Read the immediate constant buffer, the only declaration of several lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from translate.asm.doubts import Doubts
from translate.asm.faults import Fault
from translate.asm.lexer import Line
from translate.asm.literals import LiteralError, parse_dword
from translate.errors import AssemblyError, shown

# a brace, a comma, or a number
_TOKEN = re.compile(r"[{},]|[^\s{},]+")
_COMPONENTS = 4

Report = Callable[[Fault, int], AssemblyError]


def read_vectors(
    code: list[Line], index: int, position: int, report: Report, doubts: Doubts
) -> tuple[tuple[int, ...], int]:
    """The dwords of `{ { a, b, c, d}, ... }`, and the index of the code line after them.

    Reading begins at `position` in `code[index]`. Errors and warnings of rounded numbers name the
    lines where they occur.
    """
    data: list[int] = []
    depth = count = 0
    first = index
    while index < len(code):
        line = code[index]
        start = position if index == first else line.start
        for token in _TOKEN.finditer(line.text, start):
            text = token[0]
            if text == "{":
                depth += 1
                count = 0
            elif text == "}":
                depth -= 1
            at = token.start()
            fault = _misplaced(text, depth, count, at)
            if fault is not None:
                raise report(fault, line.number)
            if text not in ("{", "}", ","):
                data.append(_dword(text, at, line, report))
                doubts.check_entry(text, at, line.number)
                count += 1
            if text == "}" and depth == 0:
                rest = line.text[token.end() :].strip()
                if rest:
                    raise report(Fault(f"unexpected {shown(rest)}", token.end()), line.number)
                return tuple(data), index + 1
        index += 1
    raise Fault(
        "the immediate constant buffer is not closed by '}'",
        code[first].start,
        position - code[first].start,
    )


def _misplaced(text: str, depth: int, count: int, at: int) -> Fault | None:
    """The fault of a token, or None: braces have two levels, the inner ones four numbers."""
    if text == "{" and depth > 2:
        return Fault("braces nest at most twice", at)
    if text == "}" and depth == 1 and count != _COMPONENTS:
        return Fault(f"a vector has {_COMPONENTS} components, found {count}", at)
    if text not in ("{", "}", ",") and depth != 2:
        return Fault(f"expected a vector in braces, found {shown(text)}", at, len(text))
    if text == "," and depth == 0:
        return Fault("expected '{'", at)
    return None


def _dword(text: str, at: int, line: Line, report: Report) -> int:
    try:
        return parse_dword(text)
    except LiteralError as error:
        raise report(Fault(str(error), at, len(text)), line.number) from None
