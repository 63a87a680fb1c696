"""A shader's properties as plain data, for the verbs that print JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from translate import Program

_DIGEST = slice(4, 20)  # in a container's header; zeros if it is unsigned


def shader_facts(program: Program, data: bytes) -> dict[str, Any]:
    """Profile, size, checksum, chunks and number of instructions."""
    names = Counter(s.row.name for s in program.statements if not s.row.is_declaration)
    return {
        "profile": program.profile,
        "bytes": len(data),
        "checksum": _checksum(program, data),
        "chunks": [
            {"name": c.fourcc.decode("latin-1"), "bytes": len(c.payload)} for c in program.chunks
        ],
        "declarations": len(program.statements) - names.total(),
        "instructions": names.total(),
        "mnemonics": dict(names.most_common()),
    }


def warning_lines(program: Program) -> list[str]:
    """The warnings about the shader's container or listing, with their places."""
    placed = (f"{w.where}: {w.message}" for w in program.listing_warnings)
    return [*program.warnings, *placed]


def _checksum(program: Program, data: bytes) -> str | None:
    """ "right", "wrong", or "none" for a container without one; None for a listing."""
    if not program.chunks:
        return None
    if not any(data[_DIGEST]):
        return "none"
    return "wrong" if any("checksum" in warning for warning in program.warnings) else "right"
