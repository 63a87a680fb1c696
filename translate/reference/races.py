"""Races among the threads of a group, found from their accesses between two barriers.

A race is a store or an atomic, and another thread's access to the same element, that no `sync`
orders. An element is a dword, or a texel of a typed UAV. Atomics do not race with one another: they
are atomic with respect to atomics and loads, but not to stores (FS §7.14.2). A load still gets the
old or the new number, depending on the order; beside a compare and exchange that is no race,
because the exchange finds out. Stores and atomics that change no bits race with no earlier load if
nothing changed the element since, because their order does not affect its value; stores of the same
bits do not race with each other.

A `sync` with `_t` orders accesses if it also has `_g`, for group-shared memory, or `_u`, for UAVs.
So do three: one without `_t` by the first thread, one with `_t`, and one without `_t` by the second
thread's group.

Accesses are only noted when they happen, and compared at the barrier: most elements have accesses
of one thread, or loads alone, and need no comparison. Those of an instruction that can meet no
rival before a barrier are not even noted (`structure.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from translate.dataclass import dataclass, replace
from translate.isa.instruction import Lanes
from translate.reference.findings import Race
from translate.reference.report import Reporter

LOAD, STORE, ATOMIC = "load", "store", "atomic"

Address = tuple[int, ...]

_PLAIN, _FENCED, _RELEASED = range(3)
_UNTOUCHED = -1
_MOST_RECORDS = 256
_SPARSE = 4  # with more elements than this for each access, the accessed ones are renumbered


@dataclass(frozen=True, slots=True)
class _Access:
    """An instruction's accesses of one kind: lane `lanes[n]` accesses element `at[n]`.

    `changed` says whether the element gets other bits; None for loads. `values` has the bits that a
    store leaves, u8 or u32[n, ...]. `compared`: its races with earlier accesses are known.
    `order`: since then, its threads passed nothing, a fence, or a fence and a barrier.
    """

    kind: str
    instruction: int
    lanes: Lanes
    at: Lanes
    changed: Lanes | None = None
    values: Lanes | None = None
    compared: bool = False
    order: int = _PLAIN

    def part(self, chosen: Lanes) -> _Access:
        """The accesses with these positions, or with True there."""
        changed, values = (None if x is None else x[chosen] for x in (self.changed, self.values))
        at, lanes = self.at[chosen], self.lanes[chosen]
        return replace(self, lanes=lanes, at=at, changed=changed, values=values)

    @property
    def changes(self) -> bool:
        """Whether any element gets other bits."""
        return self.changed is not None and bool(self.changed.any())


@dataclass(slots=True)
class _Touched:
    """For each element: the last two different lanes that accessed it, and their instructions.

    Two suffice: if threads other than a given one accessed the element, one of the two is such a
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
        """Record accesses of lanes in order; of several lanes at an element, the last two stay."""
        changed = self.lane[at] != lanes
        moved = at[changed]
        self.other_lane[moved] = self.lane[moved]
        self.other_instruction[moved] = self.instruction[moved]
        self.lane[at], self.instruction[at] = lanes, instruction
        first_of_all = self.lane[at] != lanes  # a later lane of this instruction overwrote it
        shared = at[first_of_all]
        self.other_lane[shared] = lanes[first_of_all]
        self.other_instruction[shared] = instruction

    def copy(self, source: _Touched, at: Lanes) -> None:
        """Copy the lanes and instructions of these elements from another."""
        self.lane[at], self.instruction[at] = source.lane[at], source.instruction[at]
        self.other_lane[at] = source.other_lane[at]
        self.other_instruction[at] = source.other_instruction[at]

    def another(self, at: Lanes, lanes: Lanes) -> tuple[Lanes, Lanes]:
        """For each element: a lane other than the given one (-1 for none), and its instruction."""
        own = self.lane[at] == lanes
        lane = np.where(own, self.other_lane[at], self.lane[at])
        return lane, np.where(own, self.other_instruction[at], self.instruction[at])


class AccessLog:
    """The accesses of a batch's lanes to one memory since their groups' last barriers for it.

    Elements have numbers below `count`, in which groups may share an element. `kind` is that of a
    Race; `place` gives the byte offset and the address of an element.
    """

    def __init__(
        self,
        register: str,
        kind: str,
        count: int,
        reporter: Reporter,
        place: Callable[[int], tuple[int, Address]],
    ):
        self._register, self._kind, self._count = register, kind, count
        self._reporter, self._place = reporter, place
        self._accesses: list[_Access] = []
        self._noted = 0

    def load(self, lanes: Lanes, at: Lanes) -> None:
        """Note loads."""
        self._note(LOAD, lanes, at)

    def store(self, lanes: Lanes, at: Lanes, changed: Lanes, values: Lanes) -> None:
        """Note stores of `values`; `changed`: the element had other bits before."""
        self._note(STORE, lanes, at, changed, values)

    def atomic(self, lanes: Lanes, at: Lanes, changed: Lanes, *, compares: bool) -> None:
        """Note atomics; `changed`: the lane gives the element other bits.

        `compares`: they are compares and exchanges, whose changes race with no load.
        """
        self._note(ATOMIC, lanes, at, np.zeros_like(changed) if compares else changed)

    def _note(
        self,
        kind: str,
        lanes: Lanes,
        at: Lanes,
        changed: Lanes | None = None,
        values: Lanes | None = None,
    ) -> None:
        if self._reporter.muted or not len(lanes) or not self._reporter.can_race:
            return
        instruction = self._reporter.instruction
        self._accesses.append(_Access(kind, instruction, lanes, at, changed, values))
        self._noted += len(lanes)
        is_long = len(self._accesses) > _MOST_RECORDS  # each fence goes through all
        if is_long or self._noted > self._reporter.findings.access_limit:
            self._condense()

    def meet(self, groups: Lanes | None = None) -> None:
        """Find the races of groups (None: all) that met at a barrier; forget these."""
        met, others = self._of_groups(groups)
        self._search(met)
        self._keep(others)

    def fence(self, lanes: Lanes) -> None:
        """Order accesses of these lanes for this memory, without waiting.

        A group whose lanes all do so sees accesses that were fenced before its last barrier.
        """
        if not self._accesses:
            return
        batch, accesses = self._reporter.batch, self._accesses
        if any(access.order == _RELEASED for access in accesses):
            groups, counts = np.unique(batch.group_of(lanes), return_counts=True)
            seen, others = self._of_groups(groups[counts == batch.group_size])
            self._search(seen)
            accesses = [replace(a, compared=True) for a in seen if a.order != _RELEASED]
            accesses += others
        here = np.zeros(batch.lane_count, np.bool_)
        here[lanes] = True
        kept = list[_Access]()
        for access in accesses:
            if access.order != _PLAIN:
                kept.append(access)
                continue
            fenced = here[access.lanes]
            kept += _parts([access], [~fenced])
            kept += [replace(part, order=_FENCED) for part in _parts([access], [fenced])]
        self._keep(kept)

    def wait(self, groups: Lanes | None = None) -> None:
        """The threads of groups (None: all) wait for one another, but not for this memory."""
        waiting, others = self._of_groups(groups)
        released = [replace(a, order=_RELEASED) if a.order else a for a in waiting]
        self._keep([*others, *released])

    def _keep(self, accesses: list[_Access]) -> None:
        self._accesses = accesses
        self._noted = sum(len(access.lanes) for access in accesses)

    def _of_groups(self, groups: Lanes | None) -> tuple[list[_Access], list[_Access]]:
        """The accesses of these groups (None: all), and the others."""
        if groups is None:
            return self._accesses, []
        chosen = [np.isin(self._groups(access), groups) for access in self._accesses]
        others = _parts(self._accesses, [~some for some in chosen])
        return _parts(self._accesses, chosen), others

    def _groups(self, access: _Access) -> Lanes:
        return self._reporter.batch.group_of(access.lanes)

    # --- the search ------------------------------------------------------------------------------

    def _search(self, accesses: list[_Access]) -> None:
        """Compare the accesses to each element that has two threads' of kinds that can race."""
        found = _doubtful(accesses)
        if not found:
            return
        keys = [self._groups(access) * self._count + access.at for access in found]
        distinct, numbers = np.unique(np.concatenate(keys), return_inverse=True)
        comparison = _Comparison(len(distinct), self._add)
        for access, at in zip(found, _split(numbers, found), strict=True):
            comparison.take(access, at)

    def _add(
        self,
        kinds: tuple[str, str],
        others: Lanes,
        instructions: Lanes,
        access: _Access,
        rows: Lanes,
    ) -> None:
        """Record races of an access's rows with other lanes' instructions."""
        findings, reporter = self._reporter.findings, self._reporter
        for instruction in np.unique(instructions).tolist():
            chosen = np.flatnonzero(instructions == instruction)
            pair = (instruction, access.instruction)
            room = findings.room_for_races(self._register, *pair, len(chosen))
            for position in chosen[:room]:
                row = int(rows[position])
                lane, (byte_offset, address) = int(access.lanes[row]), self._place(access.at[row])
                race = Race(
                    group=reporter.batch.group(lane),
                    register=self._register,
                    byte_offset=byte_offset,
                    accesses=kinds,
                    first=reporter.participant(int(others[position]), instruction),
                    second=reporter.participant(lane, access.instruction),
                    kind=self._kind,
                    address=address,
                )
                findings.races.append(race)

    # --- many accesses ---------------------------------------------------------------------------

    def _condense(self) -> None:
        """Compare the accesses so far, and keep of each kind the last two of an element.

        If even these are too many, all are forgotten, and the findings say so.
        """
        self._search(self._accesses)
        findings, kept = self._reporter.findings, list[_Access]()
        for order in (_RELEASED, _FENCED, _PLAIN):
            alike = [access for access in self._accesses if access.order == order]
            kept += [replace(access, order=order) for access in self._last_two(alike)]
        self._keep(kept)
        if 2 * self._noted > findings.access_limit:
            self._keep([])
            findings.races_are_known = False

    def _last_two(self, accesses: list[_Access]) -> Iterable[_Access]:
        if not accesses:
            return
        kinds = (LOAD, STORE, ATOMIC)
        lanes = np.concatenate([access.lanes for access in accesses])
        at = np.concatenate([access.at for access in accesses])
        keys = np.concatenate([self._groups(access) * self._count for access in accesses]) + at
        kind = np.concatenate([np.full(len(a.at), kinds.index(a.kind)) for a in accesses])
        instructions = np.concatenate([np.full(len(a.at), a.instruction) for a in accesses])
        changed = np.concatenate(
            [np.zeros(len(a.at), np.bool_) if a.changed is None else a.changed for a in accesses]
        )
        classes = 2 * kind + changed
        order = np.lexsort((np.arange(len(keys)), keys, classes))
        runs = np.flatnonzero(_begins(classes[order]) | _begins(keys[order]))
        last = np.append(runs[1:], len(order)) - 1
        lengths = last - runs + 1
        differs = lanes[order] != np.repeat(lanes[order[last]], lengths)
        other = np.maximum.reduceat(np.where(differs, np.arange(len(order)), -1), runs)
        count = int(instructions.max()) + 1
        for rows in (order[other[other >= 0]], order[last]):
            # Not np.unique's `axis`, which can turn Ctrl-C into a TypeError
            together = classes[rows] * count + instructions[rows]
            for wanted in np.unique(together):
                row = rows[together == wanted]
                of_class, instruction = divmod(int(wanted), count)
                name = kinds[of_class // 2]
                change = None if name == LOAD else changed[row]
                yield _Access(name, instruction, lanes[row], at[row], change, compared=True)


class _Comparison:
    """Compares accesses in their order. `add` gets kinds, other lanes and their instructions."""

    def __init__(
        self,
        count: int,
        add: Callable[[tuple[str, str], Lanes, Lanes, _Access, Lanes], None],
    ):
        self._add = add
        self._of = {kind: _Touched.untouched(count) for kind in (LOAD, STORE, ATOMIC)}
        self._updates = _Touched.untouched(count)  # by atomics that changed the element
        self._stale = _Touched.untouched(count)  # by loads before the element's last change

    def take(self, access: _Access, at: Lanes) -> None:
        """Compare an instruction's accesses with the earlier ones, and note them."""
        everything = np.arange(len(at))
        changed = np.ones(len(at), np.bool_) if access.changed is None else access.changed
        changes, others = np.flatnonzero(changed), np.flatnonzero(~changed)
        if not access.compared:
            for kind, touched, rows in self._rivals(access.kind, everything, changes, others):
                self._compare(kind, touched, access, at, rows)
            if access.values is not None:
                self._compare_within(access, at, access.values)
        self._of[access.kind].note(at, access.lanes, access.instruction)
        if access.kind == ATOMIC:
            self._updates.note(at[changes], access.lanes[changes], access.instruction)
        if access.kind != LOAD:
            self._stale.copy(self._of[LOAD], at[changes])

    def _rivals(
        self, kind: str, everything: Lanes, changes: Lanes, others: Lanes
    ) -> list[tuple[str, _Touched, Lanes]]:
        """The earlier accesses that a kind races with, and which of its own accesses do.

        Atomics are not atomic with respect to stores, whatever these store (FS §7.14.2).
        """
        stores = (STORE, self._of[STORE])
        if kind == LOAD:
            return [(*stores, everything), (ATOMIC, self._updates, everything)]
        loads = [(LOAD, self._of[LOAD], changes), (LOAD, self._stale, others)]
        if kind == ATOMIC:
            return [(*stores, everything), *loads]
        return [*loads, (*stores, changes), (ATOMIC, self._of[ATOMIC], everything)]

    def _compare(
        self, kind: str, touched: _Touched, access: _Access, at: Lanes, rows: Lanes
    ) -> None:
        other, instruction = touched.another(at[rows], access.lanes[rows])
        races = other != _UNTOUCHED
        if races.any():
            kinds = (kind, access.kind)
            self._add(kinds, other[races], instruction[races], access, rows[races])

    def _compare_within(self, access: _Access, at: Lanes, values: Lanes) -> None:
        """Find lanes of the same instruction that store different values to an element."""
        order = np.argsort(at, kind="stable")
        ordered = values[order].reshape(len(at), -1)
        same_place = at[order][1:] == at[order][:-1]
        races = np.flatnonzero(same_place & (ordered[1:] != ordered[:-1]).any(axis=1))
        if len(races):
            first, second = order[races], order[races + 1]
            here = np.full(len(races), access.instruction)
            self._add((STORE, STORE), access.lanes[first], here, access, second)


def _doubtful(accesses: list[_Access]) -> list[_Access]:
    """The accesses to elements that several lanes access, and one changes in a way that can race.

    Atomics race with loads if they change the element, stores with everything.
    """
    stores = any(access.kind == STORE for access in accesses)
    updates = any(access.kind == ATOMIC and access.changes for access in accesses)
    if not stores and not (updates and any(access.kind == LOAD for access in accesses)):
        return []
    places, count = _near(accesses)
    lane = np.zeros(count, np.int32)
    for access, at in zip(accesses, places, strict=True):
        lane[at] = access.lanes
    several, stored, loaded, updated = (np.zeros(count, np.bool_) for _ in range(4))
    for access, at in zip(accesses, places, strict=True):
        several[at[lane[at] != access.lanes]] = True
        if access.kind == ATOMIC:
            updated[at[access.changed]] = True
        else:
            (stored if access.kind == STORE else loaded)[at] = True
    doubtful = several & (stored | updated & loaded)
    if not doubtful.any():
        return []
    return _parts(accesses, [doubtful[at] for at in places])


def _parts(accesses: list[_Access], chosen: list[Lanes]) -> list[_Access]:
    """The accesses with True in `chosen`, without those that have none left."""
    parts = (access.part(some) for access, some in zip(accesses, chosen, strict=True))
    return [part for part in parts if len(part.at)]


def _near(accesses: list[_Access]) -> tuple[list[Lanes], int]:
    """The accesses' elements with other numbers, below a count like that of the accesses."""
    first = min(int(access.at.min()) for access in accesses)
    count = max(int(access.at.max()) for access in accesses) - first + 1
    if count <= _SPARSE * sum(len(access.at) for access in accesses):
        return [access.at - first for access in accesses], count
    distinct, numbers = np.unique(np.concatenate([a.at for a in accesses]), return_inverse=True)
    return _split(numbers, accesses), len(distinct)


def _split(numbers: Lanes, accesses: list[_Access]) -> list[Lanes]:
    """The numbers of each access, of all one after the other."""
    ends = np.cumsum([len(access.at) for access in accesses])
    return np.split(numbers.ravel(), ends[:-1])


def _begins(ordered: Lanes) -> Lanes:
    """Whether each number differs from the one before."""
    return np.concatenate(([True], ordered[1:] != ordered[:-1]))
