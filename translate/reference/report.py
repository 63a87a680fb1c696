"""Record and count the violations of an instruction's lanes, and barriers that only some reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from translate.errors import NOWHERE, Where
from translate.interface import CONSTANT_BUFFER
from translate.isa.instruction import Lanes
from translate.isa.registers import Operand, RegisterFile
from translate.program import Statement
from translate.reference.batch import Batch
from translate.reference.findings import (
    IMMEDIATE_CONSTANTS,
    INDEXABLE_TEMP,
    OUTSIDE,
    DivergentBarrier,
    Findings,
    Participant,
    Violation,
)
from translate.reference.uses import Uses

_KINDS = {
    RegisterFile.CONSTANT_BUFFER: CONSTANT_BUFFER,
    RegisterFile.IMMEDIATE_CONSTANT_BUFFER: IMMEDIATE_CONSTANTS,
    RegisterFile.INDEXABLE_TEMP: INDEXABLE_TEMP,
}


class Reporter:
    """Adds violations by a batch's current instruction to the findings."""

    def __init__(
        self, findings: Findings, batch: Batch, places: Mapping[int, Where], racing: Set[int]
    ):
        """`places` has the place in the source for every instruction; `racing`: `structure.py`."""
        self.findings = findings
        self.batch = batch
        self._places = places
        self._racing = racing
        self.uses = Uses(batch, findings)
        self.muted = False  # while an observer reads operands
        self._statement: Statement | None = None
        self._seen: dict[tuple[int, str], set[int]] = {}

    def begin(self, statement: Statement) -> None:
        """Start recording for this instruction."""
        self._statement = statement
        self._seen.clear()
        self.uses.begin(statement)

    @property
    def where(self) -> Where:
        """The place of the current instruction in the input."""
        return self._statement.where if self._statement else NOWHERE

    @property
    def instruction(self) -> int:
        """The number of the current instruction; -1 if it has none."""
        number = self.where.instruction
        return -1 if number is None else number

    @property
    def can_race(self) -> bool:
        """Whether accesses of the current instruction can race."""
        return id(self._statement) in self._racing

    def participant(self, lane: int, instruction: int) -> Participant:
        """The record of a lane's thread at an instruction."""
        where = self._places.get(instruction, NOWHERE)
        thread = self.batch.thread(lane)
        return Participant(thread, instruction, where.line, where.hlsl_file, where.hlsl_line)

    def outside_array(
        self,
        operand: Operand,
        register: str,
        lanes: Lanes,
        index: Lanes,
        bad: Lanes,
        *,
        defined: bool,
    ) -> None:
        """Report an out-of-bounds index of cb#, icb or x#, once per operand and lane.

        An operand is read several times: once for each component, and for each accessed register.
        """
        if self.muted:
            return
        seen = self._seen.setdefault((id(operand), register), set())
        new = bad & ~np.isin(lanes, [*seen])
        seen.update(lanes[new].tolist())
        kind = _KINDS[operand.file]
        place = [index[new]]
        self.add(register, kind, OUTSIDE, lanes[new], place, defined=defined, operand=operand)

    def add(
        self,
        register: str,
        kind: str,
        cause: str,
        lanes: Lanes,
        address: Sequence[Lanes],
        *,
        defined: bool,
        has_byte_offset: bool = False,
        operand: Operand | None = None,
    ) -> None:
        """Report a violation by each lane; further ones than the limit are only counted.

        With `has_byte_offset`, the last part of `address` is a byte offset. `operand` is the
        operand that loads, None if the instruction itself accesses memory.
        """
        if self.muted or not len(lanes):
            return
        instruction, where = self.instruction, self.where
        batch = self.batch  # `record` is kept by `uses`: with `self`, it would be a cycle

        def record(position: int) -> Violation:
            lane = int(lanes[position])
            at = tuple(int(part[position]) for part in address)
            indices = at[:-1] if has_byte_offset else at
            return Violation(
                thread=batch.thread(lane),
                group=batch.group(lane),
                instruction=instruction,
                line=where.line,
                register=register,
                kind=kind,
                cause=cause,
                address=at,
                index=indices[0] if indices else 0,
                byte_offset=at[-1] if has_byte_offset else 0,
                defined=defined,
            )

        room = self.findings.room_for_violations(instruction, register, cause, len(lanes))
        first = len(self.findings.violations)
        self.findings.violations.extend(map(record, range(room)))
        self.uses.load(register, lanes, operand, range(first, first + room), record)


def report_absent(reporter: Reporter, lanes: Lanes) -> None:
    """Report each group with only some of its threads in `lanes`, which are at a barrier."""
    batch, findings, size = reporter.batch, reporter.findings, reporter.batch.group_size
    here = np.zeros(batch.lane_count, np.bool_)
    here[lanes] = True
    threads = here.reshape(-1, size)
    divided = np.flatnonzero(threads.any(axis=1) & ~threads.all(axis=1))
    arrived = divided * size + threads[divided].argmax(axis=1)
    missing = divided * size + (~threads[divided]).argmax(axis=1)
    left = batch.parted_at[missing]
    for instruction in np.unique(left).tolist():
        rows = np.flatnonzero(left == instruction)
        room = findings.room_for_barriers(reporter.instruction, instruction, len(rows))
        for row in rows[:room]:
            lane = int(arrived[row])
            findings.divergent_barriers.append(
                DivergentBarrier(
                    group=batch.group(lane),
                    arrived=reporter.participant(lane, reporter.instruction),
                    missing=reporter.participant(int(missing[row]), instruction),
                    absent=size - int(threads[divided[row]].sum()),
                )
            )
