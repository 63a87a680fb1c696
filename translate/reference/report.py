"""Turns what goes wrong in an instruction's lanes into records, and counts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from translate.errors import NOWHERE, Where
from translate.isa.registers import Operand
from translate.program import Statement
from translate.reference.batch import Batch
from translate.reference.findings import OUTSIDE, Findings, Participant, Violation

Lanes = np.ndarray[Any, Any]


class Reporter:
    """Knows the instruction and the batch that run at the moment."""

    def __init__(self, findings: Findings, batch: Batch, lines: Mapping[int, int | None]):
        """`lines` has the listing's line of every instruction."""
        self.findings = findings
        self.batch = batch
        self._lines = lines
        self.muted = False  # while a debugger looks at operands
        self._statement: Statement | None = None
        self._seen: set[tuple[int, str]] = set()

    def begin(self, statement: Statement) -> None:
        """The next records are of this instruction."""
        self._statement = statement
        self._seen.clear()

    @property
    def where(self) -> Where:
        """The place of the instruction."""
        return self._statement.where if self._statement else NOWHERE

    @property
    def instruction(self) -> int:
        """The number of the instruction."""
        number = self.where.instruction
        return -1 if number is None else number

    def participant(self, lane: int, instruction: int) -> Participant:
        """A thread at an instruction."""
        return Participant(self.batch.thread(lane), instruction, self._lines.get(instruction))

    def outside_array(
        self, operand: Operand, name: str, lanes: Lanes, index: Lanes, bad: Lanes, *, defined: bool
    ) -> None:
        """A cb#, icb or x# indexed past its end; an operand counts once, not per component."""
        key = (id(operand), name)
        if key in self._seen or self.muted:
            return
        self._seen.add(key)
        self.add(name, OUTSIDE, lanes[bad], defined=defined, index=index[bad])

    def add(
        self,
        register: str,
        kind: str,
        lanes: Lanes,
        *,
        defined: bool,
        index: Lanes | Sequence[Lanes] | None = None,
        byte_offset: Lanes | None = None,
    ) -> None:
        """One record for each lane; several arrays of indices make a tuple of each lane's."""
        if not len(lanes):
            return
        room = self.findings.room_for_violations(self.instruction, kind, len(lanes))
        for position in range(room):
            lane = int(lanes[position])
            self.findings.violations.append(
                Violation(
                    thread=self.batch.thread(lane),
                    group=self.batch.group(lane),
                    instruction=self.instruction,
                    line=self.where.line,
                    register=register,
                    kind=kind,
                    index=_index(index, position),
                    byte_offset=None if byte_offset is None else int(byte_offset[position]),
                    defined=defined,
                )
            )


def _index(index: Lanes | Sequence[Lanes] | None, position: int) -> int | tuple[int, ...] | None:
    if index is None:
        return None
    if isinstance(index, np.ndarray):
        return int(index[position])
    return tuple(int(one[position]) for one in index)
