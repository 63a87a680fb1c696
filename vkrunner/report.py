"""Violations: what a kernel with `guards="report"` says of accesses that went wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from translate.errors import escaped
from vkrunner.values.comparison import text_table

CAUSES = ("outside", "past the stride", "unaligned", "uninitialised")

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Violation:
    """One access that went wrong.

    `thread` is the thread's place in the dispatch (SV_DispatchThreadID), `group` that of its group.
    `instruction` counts from 0 without declarations; `line` is the listing's, None for a container.
    `kind` is the memory's (structured_buffer, group_shared, ...), `cause` one of CAUSES. `index`
    counts structures, elements or vectors, and is a texture's x; `byte_offset` is raw memory's
    address or the offset within a structure. `defined`: whether D3D says what happens.
    `hlsl_file` and `hlsl_line` come from debug information, None without it.
    """

    thread: Triple
    group: Triple
    instruction: int | None
    line: int | None
    register: str
    kind: str
    cause: str
    index: int
    byte_offset: int
    defined: bool
    hlsl_file: str | None = None
    hlsl_line: int | None = None
    CAUSES: ClassVar[tuple[str, ...]] = CAUSES

    @property
    def hlsl_place(self) -> str:
        """`file:line` of the HLSL, "" without debug information."""
        if self.hlsl_line is None:
            return ""
        name = (self.hlsl_file or "").replace("\\", "/").rpartition("/")[2]
        return escaped(f"{name}:{self.hlsl_line}")

    def __str__(self) -> str:
        where = f"instruction {self.instruction}"
        if self.line is not None:
            where = f"line {self.line} ({where})"
        if self.hlsl_place:
            where = f"{self.hlsl_place}, {where}"
        place = f"byte offset {self.byte_offset:#x}"
        if self.kind != "raw_buffer":
            place = f"index {self.index}, {place}"
        outcome = "defined" if self.defined else "undefined in D3D"
        return (
            f"{where}: {self.cause} of {self.register}, a {self.kind.replace('_', ' ')}: {place};"
            f" thread {self.thread}, group {self.group}; {outcome}"
        )


class Violations(list[Violation]):
    """The violations of a dispatch, in no particular order; `total` counts those left out too."""

    def __init__(self, records: Iterable[Violation] = (), total: int = 0):
        super().__init__(records)
        self.total = total

    def table(self) -> str:
        """A line for each, under a heading, by instruction and thread."""
        rows = [_HEADING, *(_row(v) for v in sorted(self, key=_order))]
        if not any(row[0] for row in rows[1:]):
            rows = [row[1:] for row in rows]
        more = [f"and {self.total - len(self)} more"] if self.total > len(self) else []
        return "\n".join([*text_table(rows), *more])


_HEADING = (
    *("HLSL", "line", "instruction", "register", "memory", "what", "index", "byte offset"),
    *("thread", "group", "in D3D"),
)


def _row(violation: Violation) -> tuple[str, ...]:
    line = "" if violation.line is None else str(violation.line)
    return (
        violation.hlsl_place,
        line,
        str(violation.instruction),
        violation.register,
        violation.kind.replace("_", " "),
        violation.cause,
        str(violation.index),
        hex(violation.byte_offset),
        ",".join(map(str, violation.thread)),
        ",".join(map(str, violation.group)),
        "defined" if violation.defined else "undefined",
    )


def _order(violation: Violation) -> tuple[int, Triple]:
    return violation.instruction or 0, violation.thread
