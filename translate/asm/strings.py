"""The format strings of messages, as fxc prints them.

fxc does not escape quotation marks, so a string ends at the last one of its line. Bytes that cannot
be printed, for which fxc prints a point, are printed and read as `\\xNN`.
"""

from __future__ import annotations

import re

from translate.asm.faults import Fault

_NAMED = {"b": 8, "t": 9, "n": 10, "r": 13, "\\": 92}
_ESCAPED = {code: f"\\{letter}" for letter, code in _NAMED.items()}
_PRINTABLE = range(0x20, 0x80)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|(.)|$)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_QUOTE = '"'


def format_string(text: bytes) -> str:
    """Print a string with its quotation marks; no command of GitHub's workflows is in it."""
    shown = "".join(map(_shown, text)).replace("##[", "\\x23#[")
    return f"{_QUOTE}{shown}{_QUOTE}"


def _shown(code: int) -> str:
    if code in _ESCAPED:
        return _ESCAPED[code]
    return chr(code) if code in _PRINTABLE else f"\\x{code:02x}"


def read_string(line: str, position: int) -> tuple[bytes, int]:
    """The next string in a line, and the position after it. Raises Fault."""
    start = position + len(line[position:]) - len(line[position:].lstrip())
    end = line.rfind(_QUOTE)
    if not line.startswith(_QUOTE, start) or end == start:
        raise Fault("expected a string in quotation marks", min(start, len(line) - 1))
    return _unescaped(line[start + 1 : end], start + 1), end + 1


def _unescaped(text: str, start: int) -> bytes:
    """Resolve escapes; other characters become UTF-8, as in the container. Raises Fault."""
    surrogate = _SURROGATE.search(text)
    if surrogate is not None:
        code = ord(surrogate[0])
        raise Fault(
            f"U+{code:04X} is no character: write bytes as \\x..", start + surrogate.start(), 1
        )
    parts: list[bytes] = []
    done = 0
    for match in _ESCAPE.finditer(text):
        parts.append(text[done : match.start()].encode())
        done = match.end()
        parts.append(bytes([_code(match, start)]))
    return b"".join([*parts, text[done:].encode()])


def _code(match: re.Match[str], start: int) -> int:
    if match[1]:
        return int(match[1], 16)
    letter: str = match[2] or ""
    if letter == _QUOTE:
        return ord(_QUOTE)
    if letter not in _NAMED:
        known = "".join(f"\\{name} " for name in (*_NAMED, _QUOTE))
        message = f"unknown escape \\{letter}; there are {known}and \\x with two digits"
        raise Fault(message, start + match.start(), len(match[0]))
    return _NAMED[letter]
