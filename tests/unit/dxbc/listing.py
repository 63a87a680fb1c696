"""Buffers in the header comment of fxc's listings."""

import re
from pathlib import Path
from typing import NamedTuple

_BUFFER = re.compile(r"^// (?:cbuffer|Resource bind info for|interfaces) (\S+)$")
_VARIABLE = re.compile(r"^// .*?(\$?\w+)(?:\[\d+\])?; +// Offset: +(\d+) Size: +(\d+)$")


class ListedVariable(NamedTuple):
    name: str
    offset: int
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
