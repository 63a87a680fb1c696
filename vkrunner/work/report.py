"""Violations: the reports of a kernel with `guards="report"` on out-of-bounds accesses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from translate.errors import escaped
from vkrunner.values.comparison import text_table

CAUSES = ("outside", "past the stride", "unaligned", "uninitialised")
_CAUSE_TEXTS = {
    "unaligned": "unaligned access to",
    "uninitialised": "read of uninitialised",
}

Triple = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation: an access out of bounds, unaligned, or to memory before its first write.

    Attributes
    ----------
    thread : tuple of int
        The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
    group : tuple of int
        Its group's place (SV_GroupID).
    instruction : int or None
        The number of the instruction, from 0; declarations do not count.
    line : int or None
        The listing's line; None for a container.
    register : str
        The accessed register.
    kind : str
        The kind of memory: structured_buffer, group_shared, ...
    cause : {"outside", "past the stride", "unaligned", "uninitialised"}
        The rule that was violated.
    index : int
        The index of the structure, element or vector; in textures x.
    byte_offset : int
        The address in raw memory, or the offset within a structure.
    defined : bool
        Whether D3D defines the result.
    hlsl_file : str or None
        The HLSL file, if the shader has debug information.
    hlsl_line : int or None
        The line in that file.
    CAUSES : tuple of str
        All values of `cause`.
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
            place = f"index {_signed(self.index)}, {place}"
        how = _CAUSE_TEXTS.get(self.cause, f"{self.cause} of")
        outcome = "defined" if self.defined else "undefined in D3D"
        return (
            f"{where}: {how} {_memory(self)} {self.register}: {place};"
            f" thread {self.thread}, group {self.group}; {outcome}"
        )


class Violations(list[Violation]):
    """The violations of a dispatch: a list of Violation, in no particular order.

    Attributes
    ----------
    total : int
        The number of all violations, including those for which the report had no room.
    """

    def __init__(self, records: Iterable[Violation] = (), total: int = 0):
        super().__init__(records)
        self.total = total

    def table(self) -> str:
        """The violations as text, by instruction and thread.

        Returns
        -------
        str
            A line for each, under a heading.
        """
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
        _memory(violation),
        violation.cause,
        _signed(violation.index),
        hex(violation.byte_offset),
        ",".join(map(str, violation.thread)),
        ",".join(map(str, violation.group)),
        "defined" if violation.defined else "undefined",
    )


def _memory(violation: Violation) -> str:
    if violation.kind == "group_shared":
        return "group-shared memory"
    return violation.kind.replace("_", " ")


def _signed(index: int) -> str:
    """An index as text; one past 2^31 is probably negative: `-1 (4294967295)`."""
    return str(index) if index < 1 << 31 else f"{index - (1 << 32)} ({index})"


def _order(violation: Violation) -> tuple[int, Triple]:
    return violation.instruction or 0, violation.thread
