"""Record and count the violations of an instruction's lanes, and barriers that only some reach.

Numbers that were loaded out of bounds are followed through a batch's registers, to see their uses.
fxc moves loads out of conditions: it loads in every thread, and selects another number where the
condition is false (`movc`, `and` or `or` with a mask). An out-of-bounds load is unused if its
number gets into no memory, address, condition or sample: it is selected nowhere, or overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

import numpy as np

from translate.dataclass import dataclass
from translate.errors import NOWHERE, Where
from translate.interface import CONSTANT_BUFFER
from translate.isa.instruction import Kind, Lanes
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

_COMPUTING = (Kind.ALU, Kind.MOVE, Kind.DOT)
_HIDING = {"and": 0, "or": 0xFFFFFFFF}  # whatever the other number is


@dataclass(frozen=True, slots=True)
class _Loads:
    """Marks from `first` on, of a load's violations; see `Findings.note_uses`."""

    first: int
    count: int
    place: tuple[int, str]  # instruction and register
    records: range
    record: Callable[[int], Violation]


@dataclass(frozen=True, slots=True)
class _Sums:
    """Marks from `first` on, of numbers that were computed from two marked numbers each."""

    first: int
    left: Lanes
    right: Lanes


class Uses:
    """The marks of a batch: each out-of-bounds load of a lane has a number, its mark, from 1 on.

    Components of temporary registers have the mark of the load that their value comes from, 0 for
    other values. If an instruction needs more marks than the findings' limit, all loads of the
    batch count as used.
    """

    def __init__(self, batch: Batch, findings: Findings):
        self._batch = batch
        self._findings = findings
        self._marks: Lanes | None = None  # of temps, once a load was out of bounds
        self._origins: list[_Loads | _Sums] = []
        self._used = np.zeros(1024, np.bool_)  # by mark
        self._next = 1
        self._statement: Statement | None = None
        self._loaded: dict[int | None, Lanes] = {}  # in this statement; by operand, None for a load
        self._result: Lanes | None = None

    @property
    def is_active(self) -> bool:
        """Whether a load of the batch was out of bounds."""
        return self._marks is not None

    def begin(self, statement: Statement) -> None:
        """Start following this instruction."""
        self._statement, self._result = statement, None
        self._loaded.clear()

    def load(
        self,
        register: str,
        lanes: Lanes,
        operand: Operand | None,
        records: range,
        record: Callable[[int], Violation],
    ) -> None:
        """Mark the number that an instruction or its operand loads out of bounds in these lanes."""
        statement = self._statement
        if statement is None:
            return
        kind = statement.row.kind
        if not (kind in _COMPUTING if operand is not None else kind is Kind.LOAD):
            return
        first = self._new(len(lanes))
        if first is None:
            return
        place = (statement.where.instruction or 0, register)
        self._origins.append(_Loads(first, len(lanes), place, records, record))
        key = None if operand is None else id(operand)
        marks = self._loaded.setdefault(key, np.zeros(self._batch.lane_count, np.int32))
        marks[lanes] = np.arange(first, first + len(lanes))

    def _new(self, count: int) -> int | None:
        """The first of new marks; None if there are too many."""
        first, self._next = self._next, self._next + count
        if self._next > self._findings.mark_limit:
            self._marks = None
            self._findings.uses_are_known = False
            return None
        if first == 1:
            self._marks = np.zeros_like(self._batch.temps, np.int32)
        while len(self._used) < self._next:
            self._used = np.concatenate([self._used, np.zeros_like(self._used)])
        return first

    # --- values that registers get ---------------------------------------------------------------

    def of(self, operand: Operand, slot: int, lanes: Lanes) -> Lanes:
        """The marks of a source for destination component `slot`."""
        if operand.file is RegisterFile.TEMP and self._marks is not None:
            row = self._marks[4 * operand.number + operand.component(slot)]
            return self._batch.part(row, lanes)
        found = self._loaded.get(id(operand))
        return np.zeros(len(lanes), np.int32) if found is None else found[lanes]

    def of_component(self, slot: int, arguments: list[Lanes], lanes: Lanes) -> Lanes:
        """The marks of a result that the current instruction computes from these arguments.

        A number that `movc` does not select, or that `and` hides with 0 or `or` with ~0, has no
        effect.
        """
        assert self._statement is not None
        row = self._statement.row
        sources = self._statement.operands[row.destinations :]
        marks = [self.of(operand, slot, lanes) for operand in sources]
        if row.name == "movc":
            selected = np.where(arguments[0] != 0, marks[1], marks[2])
            return self._joined(marks[0], selected)
        if row.name in _HIDING:
            hides = _HIDING[row.name]
            marks = [np.where(arguments[1 - n] != hides, marks[n], 0) for n in (0, 1)]
        result = marks[0]
        for other in marks[1:]:
            result = self._joined(result, other)
        return result

    def write(self, row: int, lanes: Lanes, marks: Lanes | None) -> None:
        """Give a register's component its marks; None for those of the whole instruction."""
        if not self.is_active:
            return
        found = self._of_result(lanes) if marks is None else marks
        followed = self._marks  # None now if this result needs too many
        if followed is not None:
            followed[row][slice(None) if lanes is self._batch.everyone else lanes] = found

    def _of_result(self, lanes: Lanes) -> Lanes:
        """The marks of a result that depends on all of the instruction."""
        assert self._statement is not None
        if self._statement.row.kind not in _COMPUTING:
            found = self._loaded.get(None)
            return np.zeros(len(lanes), np.int32) if found is None else found[lanes]
        if self._result is None:  # later, the instruction may have overwritten its operands
            self._result = self._of_operands(lanes)
        return self._result

    def _of_operands(self, lanes: Lanes) -> Lanes:
        assert self._statement is not None
        result = np.zeros(len(lanes), np.int32)
        for operand in self._statement.operands[self._statement.row.destinations :]:
            for slot in range(4):
                result = self._joined(result, self.of(operand, slot, lanes))
        return result

    def _joined(self, left: Lanes, right: Lanes) -> Lanes:
        """The marks of numbers that were computed from two numbers."""
        both = (left != 0) & (right != 0) & (left != right)
        result = np.where(left != 0, left, right)
        count = int(both.sum())
        first = self._new(count) if count else None
        if first is not None:
            self._origins.append(_Sums(first, left[both], right[both]))
            result[both] = np.arange(first, first + count)
        return result

    # --- uses --------------------------------------------------------------------------------

    def read(self, operand: Operand, component: int, lanes: Lanes) -> None:
        """Note that the current instruction reads a register: a use, unless it computes."""
        if self._marks is None or self._statement is None:
            return
        if self._statement.row.kind not in _COMPUTING:
            row = self._marks[4 * operand.number + component]
            self._used[self._batch.part(row, lanes)] = True

    def use(self, operand: Operand, slot: int, lanes: Lanes) -> None:
        """Note a use of a source: an address, or a value for memory."""
        if self.is_active:
            self._used[self.of(operand, slot, lanes)] = True

    def keep(self, lanes: Lanes, marks: Lanes | None) -> None:
        """Note that a result is stored in an x#, which counts as a use."""
        if self.is_active:
            self._used[self._of_result(lanes) if marks is None else marks] = True

    def finish(self) -> None:
        """Tell the findings which loads of the batch were unused."""
        if not self.is_active:
            return
        for origin in reversed(self._origins):
            if isinstance(origin, _Sums):
                used = self._used[origin.first :][: len(origin.left)]
                for parts in (origin.left, origin.right):
                    self._used[parts[used]] = True
            else:
                unused = ~self._used[origin.first :][: origin.count]
                self._findings.note_uses(origin.place, unused, origin.records, origin.record)


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
