"""Violations: what a kernel with `guards="report"` says of accesses that went wrong.

The report is a buffer that the translated shader appends to (`translate.passes.report` has its
layout); records that found no room are counted all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from translate.interface import ReportSite, ShaderInterface

REPORT = "report"
CAPACITY = 4096  # records
_HEADER_WORDS = 4
_RECORD_WORDS = 10
NBYTES = 4 * (_HEADER_WORDS + CAPACITY * _RECORD_WORDS)
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

    def __str__(self) -> str:
        where = f"instruction {self.instruction}"
        if self.line is not None:
            where = f"line {self.line} ({where})"
        place = f"byte offset {self.byte_offset:#x}"
        if self.kind != "raw_buffer":
            place = f"index {self.index}, {place}"
        outcome = "defined" if self.defined else "undefined in D3D"
        return (
            f"{where}: {self.cause} of {self.register}, a {self.kind.replace('_', ' ')}: {place};"
            f" thread {self.thread}, group {self.group}; {outcome}"
        )


class Violations(Sequence[Violation]):
    """The violations of a dispatch, in no particular order; `total` counts those left out too."""

    def __init__(self, records: Sequence[Violation] = (), total: int = 0):
        self._records = tuple(records)
        self.total = total

    @overload
    def __getitem__(self, index: int) -> Violation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Violation]: ...
    def __getitem__(self, index: int | slice) -> Violation | Sequence[Violation]:
        return self._records[index]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Violation]:
        return iter(self._records)

    def __repr__(self) -> str:
        return f"Violations({len(self._records)} of {self.total})"


def parse_report(
    interface: ShaderInterface, data: np.ndarray[Any, np.dtype[np.uint8]]
) -> Violations:
    """Read a report buffer, u8[NBYTES]."""
    words = data.view(np.uint32)
    total = int(words[0])
    count = min(total, (len(words) - _HEADER_WORDS) // _RECORD_WORDS)
    rows = words[_HEADER_WORDS : _HEADER_WORDS + count * _RECORD_WORDS]
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
    )
