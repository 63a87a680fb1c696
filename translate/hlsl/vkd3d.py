"""Two faults of vkd3d-compiler 2.1: the lines after an `#include`, and nested arrays.

Wrong lines are left out of messages; a warning names the arrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from translate.errors import Where
from translate.hlsl.messages import WARNING, Message
from translate.hlsl.source import decoded, without_comments

_INCLUDE = re.compile(rb"#\s*include\b")
_SHARED = re.compile(r"\bgroupshared\b([^;]{0,1000}+)")
_TWO_INDICES = re.compile(r"\]\s*+\[")
_STRUCTURE = re.compile(r"\bstruct\s++(\w++)\s*+\{([^{}]*+)\}")
_NESTED = (
    "vkd3d-compiler loads from wrong elements of an array within an array in group-shared memory;"
    " use arrays with one index, or fxc"
)


def without_wrong_lines(
    messages: Iterable[Message], file: str, lines: Sequence[bytes]
) -> Iterator[Message]:
    """Leave out the lines after the first `#include`: the compiler counts included lines, too."""
    first = next((n for n, line in enumerate(lines, 1) if _INCLUDE.search(line)), None)
    for message in messages:
        where = message.where
        if where.file == file and where.line is not None and first and where.line >= first:
            text = f"{message.text} (line {where.line} of the text with its #include files)"
            yield replace(message, text=text, where=Where(file))
        else:
            yield message


def nested_array_warnings(texts: Mapping[str, bytes]) -> Iterator[Message]:
    """Warn of each array of arrays, or of structures with arrays, in group-shared memory."""
    codes = {file: without_comments(decoded(data)) for file, data in texts.items()}
    structures = [s[1] for code in codes.values() for s in _STRUCTURE.finditer(code) if "[" in s[2]]
    for file, code in codes.items():
        for shared in _SHARED.finditer(code):
            of_structures = "[" in shared[1] and not set(structures).isdisjoint(shared[1].split())
            if of_structures or _TWO_INDICES.search(shared[1]):
                line = code.count("\n", 0, shared.start()) + 1
                yield Message(WARNING, _NESTED, Where(file, line))
