"""Find races in group-shared memory.

A race is a store and another thread's access to the same dword without a barrier between, or an
atomic and another thread's load. Those that do not change the value are no race (FS §7.14), nor are
compares and exchanges beside loads.
"""

from __future__ import annotations

import numpy as np

from checks.interpret.lanes import Lanes

_NONE = np.iinfo(np.int64).max


class _Touched:
    """The first and the last lane that accessed each dword."""

    def __init__(self, count: int):
        self.first: Lanes = np.full(count, _NONE)
        self.last: Lanes = np.full(count, -1)

    def note(self, at: Lanes, lanes: Lanes) -> None:
        np.minimum.at(self.first, at, lanes)
        np.maximum.at(self.last, at, lanes)

    def by_another(self, at: Lanes, lanes: Lanes) -> bool:
        """Whether any dword `at[n]` was accessed by another lane than `lanes[n]`."""
        touched = self.last[at] >= 0
        return bool((touched & ((self.first[at] != lanes) | (self.last[at] != lanes))).any())

    def forget(self, at: Lanes) -> None:
        self.first[at] = _NONE
        self.last[at] = -1


class Races:
    """The accesses to one g#; `found` is set at the first race."""

    def __init__(self, count: int):
        self.found = False
        self._loads, self._stores, self._atomics = (_Touched(count) for _ in range(3))
        self._updates = _Touched(count)  # by atomics that changed the value
        self._stale = _Touched(count)  # by loads before the dword's last change

    def load(self, at: Lanes, lanes: Lanes) -> None:
        for touched in (self._stores, self._updates):
            self.found |= touched.by_another(at, lanes)
        self._loads.note(at, lanes)

    def atomic(self, at: Lanes, lanes: Lanes, changes: Lanes) -> None:
        """`changes`: the lanes that change the value."""
        self.found |= self._stores.by_another(at, lanes)
        self._compare_loads(at, lanes, changes)
        self._atomics.note(at, lanes)
        self._updates.note(at[changes], lanes[changes])

    def store(self, at: Lanes, lanes: Lanes, changes: Lanes) -> None:
        """`changes`: the lanes that change the value."""
        self._compare_loads(at, lanes, changes)
        self.found |= self._stores.by_another(at[changes], lanes[changes])
        self.found |= self._atomics.by_another(at, lanes)
        self._stores.note(at, lanes)

    def _compare_loads(self, at: Lanes, lanes: Lanes, changes: Lanes) -> None:
        self.found |= self._loads.by_another(at[changes], lanes[changes])
        self.found |= self._stale.by_another(at[~changes], lanes[~changes])
        changed = at[changes]
        self._stale.first[changed] = self._loads.first[changed]
        self._stale.last[changed] = self._loads.last[changed]

    def meet(self, at: Lanes) -> None:
        """A barrier orders all accesses to these dwords."""
        for touched in (self._loads, self._stores, self._atomics, self._updates, self._stale):
            touched.forget(at)
