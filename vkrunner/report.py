"""Violations: what a kernel with `guards="report"` says of accesses that went wrong.

The report is a buffer that the translated shader appends to (`translate.passes.report` has its
layout); records that found no room are counted all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from translate.interface import CONSTANT_BUFFER, ReportSite, ShaderInterface
from vkrunner.binding.arguments import VECTOR_BYTES, Argument, ArrayArgument
from vkrunner.binding.registers import REPORT
from vkrunner.vulkan.descriptor import Bound
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.storage import Transient

CAPACITY = 4096  # records
_HEADER_WORDS = 4
_RECORD_WORDS = 10
NBYTES = 4 * (_HEADER_WORDS + CAPACITY * _RECORD_WORDS)  # but for words of constant buffers
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
        return f"{name}:{self.hlsl_line}"

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
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) for r in rows]
        if self.total > len(self):
            lines.append(f"and {self.total - len(self)} more")
        return "\n".join(line.rstrip() for line in lines)


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


def parse_report(
    interface: ShaderInterface, data: np.ndarray[Any, np.dtype[np.uint8]]
) -> Violations:
    """Read a report buffer, u8[n]."""
    words = data.view(np.uint32)
    total, first = int(words[0]), _HEADER_WORDS + _shortfall_words(interface)
    count = min(total, (len(words) - first) // _RECORD_WORDS)
    rows = words[first : first + count * _RECORD_WORDS]
    records = rows.reshape(count, _RECORD_WORDS).tolist()
    return Violations([_violation(interface.sites, record) for record in records], total)


def _violation(sites: Sequence[ReportSite], record: list[int]) -> Violation:
    number, cause, *places = record
    site = sites[number]
    return Violation(
        thread=(places[3], places[4], places[5]),
        group=(places[0], places[1], places[2]),
        instruction=site.instruction,
        line=site.line,
        register=site.register,
        kind=site.kind,
        cause=CAUSES[cause],
        index=places[6],
        byte_offset=places[7],
        defined=site.defined[cause],
        hlsl_file=site.hlsl_file,
        hlsl_line=site.hlsl_line,
    )


def _shortfall_words(interface: ShaderInterface) -> int:
    return sum(interface[register].count for register in interface.shortfalls)


def _shortfalls(interface: ShaderInterface, arguments: Sequence[Argument]) -> list[int]:
    """How many of its declared vectors each constant buffer lacks, as the report has them."""
    lacking = {
        (a.binding.register, a.element): _unbound_vectors(a)
        for a in arguments
        if a.binding.kind == CONSTANT_BUFFER
    }
    return [
        lacking[register, element]
        for register in interface.shortfalls
        for element in range(interface[register].count)
    ]


def _unbound_vectors(argument: Argument) -> int:
    """None of an array, which is filled up by zeros to what is declared."""
    if isinstance(argument, ArrayArgument):
        return 0
    _, size = argument.byte_range
    declared = (argument.binding.size_bytes or 0) // VECTOR_BYTES
    return max(0, declared - -(-size // VECTOR_BYTES))


def bind_report(
    logical: LogicalDevice,
    interface: ShaderInterface,
    arguments: Sequence[Argument],
    stack: ExitStack,
) -> list[Bound]:
    """Room for a report where the shader writes one, freed by `stack`."""
    binding = next((b for b in interface if b.kind == REPORT), None)
    if binding is None:
        return []
    shortfalls = np.array(_shortfalls(interface, arguments), np.uint32)
    size, first = NBYTES + shortfalls.nbytes, 4 * _HEADER_WORDS
    transient = Transient(logical, stack, size)
    transient.incoming[first : first + shortfalls.nbytes] = shortfalls.view(np.uint8)
    return [Bound(binding, slot=transient.device, size=size, transient=transient)]


def clear_report(report: Sequence[Bound]) -> None:
    """Make it empty, before a submission."""
    for bound in report:
        assert bound.transient is not None
        bound.transient.incoming[: 4 * _HEADER_WORDS] = 0


def violations_of(interface: ShaderInterface, report: Sequence[Bound]) -> Violations:
    """What the report of a finished dispatch says."""
    transient = report[0].transient
    assert transient is not None
    return parse_report(interface, transient.outgoing)
