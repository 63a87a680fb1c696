"""Buffers and bindings in the header comment of fxc's listings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_BUFFER = re.compile(r"^// (?:cbuffer|Resource bind info for|interfaces) (\S+)$")
_VARIABLE = re.compile(r"^// .*?(\$?\w+)(?:\[\d+\])?; +// Offset: +(\d+) Size: +(\d+)$")
_BINDING = re.compile(
    r"^// (\S+) +(?:\S+ +){3,4}(cb|t|s|u)(\d+)(?:,space(\d+))? +(\d+|unbounded) $"
)


class ListedVariable(NamedTuple):
    name: str
    offset: int
    size: int


class ListedBinding(NamedTuple):
    name: str
    prefix: str
    number: int
    space: int
    size: int


def listed_buffers(path: Path) -> dict[str, list[ListedVariable]]:
    """Buffers by name, with their variables (not the members of structures)."""
    buffers: dict[str, list[ListedVariable]] = {}
    variables: list[ListedVariable] = []
    for line in path.read_text().splitlines():
        if match := _BUFFER.match(line):
            variables = buffers.setdefault(match[1], [])
        elif match := _VARIABLE.match(line):
            variables.append(ListedVariable(match[1], int(match[2]), int(match[3])))
    return buffers


def listed_bindings(path: Path) -> list[ListedBinding]:
    """The rows of the binding table; an unbounded count is 0, as RDEF has it."""
    return [
        ListedBinding(
            match[1],
            match[2],
            int(match[3]),
            int(match[4] or 0),
            0 if match[5] == "unbounded" else int(match[5]),
        )
        for line in path.read_text().splitlines()
        if (match := _BINDING.match(line))
    ]
