"""Group-shared memory of a batch, and the threads' accesses since the last barrier.

A race is a store or an atomic, and another thread's access to the same dword, that no `sync` with
`_g_t` orders. Atomics do not race with one another: they are atomic with respect to atomics and
loads, but not to stores (FS §7.14.2). A load still gets the old or the new number, depending on the
order. Stores and atomics that change no bits race with no load, because their order does not affect
its value; stores of the same bits do not race with each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.isa.instruction import Lanes
from translate.reference.batch import Batch
from translate.reference.findings import Race
from translate.reference.layout import SharedArray
from translate.reference.report import Reporter

_UNTOUCHED = -1


@dataclass(slots=True)
class _Touched:
    """For each dword: the last two different lanes that accessed it, and their instructions.

    Two suffice: if threads other than a given one accessed the dword, one of the two is such a
    thread.
    """

    lane: Lanes
    instruction: Lanes
    other_lane: Lanes
    other_instruction: Lanes

    @staticmethod
    def untouched(count: int) -> _Touched:
        return _Touched(*(np.full(count, _UNTOUCHED, np.int32) for _ in range(4)))

    def note(self, at: Lanes, lanes: Lanes, instruction: int) -> None:
        """Record accesses of lanes in order; of several lanes at a dword, the last two are kept."""
        changed = self.lane[at] != lanes
        moved = at[changed]
        self.other_lane[moved] = self.lane[moved]
        self.other_instruction[moved] = self.instruction[moved]
        self.lane[at], self.instruction[at] = lanes, instruction
        first_of_all = self.lane[at] != lanes  # a later lane of this instruction overwrote it
        shared = at[first_of_all]
        self.other_lane[shared] = lanes[first_of_all]
        self.other_instruction[shared] = instruction

    def another(self, at: Lanes, lanes: Lanes) -> tuple[Lanes, Lanes]:
        """For each dword: a lane other than the given one (-1 for none), and its instruction."""
        own = self.lane[at] == lanes
        lane = np.where(own, self.other_lane[at], self.lane[at])
        return lane, np.where(own, self.other_instruction[at], self.instruction[at])

    def forget(self, dwords: slice | Lanes) -> None:
        for array in (self.lane, self.other_lane):
            array[dwords] = _UNTOUCHED


class SharedMemory:
    """A g# of every group in a batch. `words` and `written` are ordered by group, then by dword."""

    def __init__(self, declared: SharedArray, batch: Batch):
        self.register = f"g{declared.number}"
        self.size = declared.size // 4
        self._batch = batch
        count = self.size * batch.group_count
        self.words: Lanes = np.zeros(count, np.uint32)
        self.written: Lanes = np.zeros(count, np.bool_)
        self._loads, self._stores = _Touched.untouched(count), _Touched.untouched(count)
        self._atomics = _Touched.untouched(count)
        self._updates = _Touched.untouched(count)  # by atomics that changed the dword

    def base(self, lanes: Lanes) -> Lanes:
        """The first dword of each lane's group."""
        return self._batch.group_of(lanes) * self.size

    def meet(self, groups: Lanes | None) -> None:
        """Forget the accesses of groups (None: all) that passed a barrier for this memory."""
        dwords: slice | Lanes = slice(None)
        if groups is not None:
            dwords = (groups[:, None] * self.size + np.arange(self.size)).ravel()
        for touched in (self._loads, self._stores, self._atomics, self._updates):
            touched.forget(dwords)

    def note_load(self, reporter: Reporter, lanes: Lanes, at: Lanes) -> None:
        self._compare(reporter, self._stores, "store", "load", lanes, at)
        self._compare(reporter, self._updates, "atomic", "load", lanes, at)
        self._loads.note(at, lanes, reporter.instruction)

    def note_atomic(self, reporter: Reporter, lanes: Lanes, at: Lanes, changed: Lanes) -> None:
        """Call after the atomic: `changed` says which dwords have another value than before."""
        self._compare(reporter, self._stores, "store", "atomic", lanes, at)
        self._compare(reporter, self._loads, "load", "atomic", lanes[changed], at[changed])
        self._atomics.note(at, lanes, reporter.instruction)
        self._updates.note(at[changed], lanes[changed], reporter.instruction)
        self.mark_written(at)

    def note_store(self, reporter: Reporter, lanes: Lanes, at: Lanes, values: Lanes) -> None:
        """Call before storing: a store that does not change the value does not race."""
        changes = self.words[at] != values
        for touched, access in (
            (self._loads, "load"),
            (self._stores, "store"),
            (self._atomics, "atomic"),
        ):
            self._compare(reporter, touched, access, "store", lanes[changes], at[changes])
        self._compare_within(reporter, lanes, at, values)
        self._stores.note(at, lanes, reporter.instruction)
        self.mark_written(at)

    def mark_written(self, at: Lanes) -> None:
        self.written[at] = True

    def _compare(
        self,
        reporter: Reporter,
        touched: _Touched,
        earlier: str,
        later: str,
        lanes: Lanes,
        at: Lanes,
    ) -> None:
        other, instruction = touched.another(at, lanes)
        races = other != _UNTOUCHED
        if races.any():
            kinds = (earlier, later)
            self._add(reporter, kinds, other[races], instruction[races], lanes[races], at[races])

    def _compare_within(self, reporter: Reporter, lanes: Lanes, at: Lanes, values: Lanes) -> None:
        """Find lanes of the same instruction that store different values to a dword."""
        order = np.argsort(at, kind="stable")
        ordered_at, ordered_values = at[order], values[order]
        same_place = ordered_at[1:] == ordered_at[:-1]
        races = np.flatnonzero(same_place & (ordered_values[1:] != ordered_values[:-1]))
        if len(races):
            first, second = order[races], order[races + 1]
            here = np.full(len(races), reporter.instruction)
            kinds = ("store", "store")
            self._add(reporter, kinds, lanes[first], here, lanes[second], at[second])

    def _add(
        self,
        reporter: Reporter,
        kinds: tuple[str, str],
        others: Lanes,
        instructions: Lanes,
        lanes: Lanes,
        at: Lanes,
    ) -> None:
        for instruction in np.unique(instructions).tolist():
            rows = np.flatnonzero(instructions == instruction)
            for row in rows[: self._room(reporter, instruction, len(rows))]:
                lane = int(lanes[row])
                reporter.findings.races.append(
                    Race(
                        group=self._batch.group(lane),
                        register=self.register,
                        byte_offset=4 * (int(at[row]) % self.size),
                        accesses=kinds,
                        first=reporter.participant(int(others[row]), instruction),
                        second=reporter.participant(lane, reporter.instruction),
                    )
                )

    def _room(self, reporter: Reporter, earlier: int, count: int) -> int:
        """Count races with an earlier instruction; returns the number of them to record."""
        now = reporter.instruction
        return reporter.findings.room_for_races(self.register, earlier, now, count)
