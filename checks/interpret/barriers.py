"""Barriers: all threads of a group meet, and accesses to group-shared memory are ordered."""

from __future__ import annotations

import numpy as np

from checks.interpret.operation import Operation
from checks.interpret.spaces import Spaces
from translate.ir import row


class Barriers:
    """Executes `barrier`: checks that all threads arrive, and tells `Races` about it.

    Memory itself needs no ordering: every operation ends for all threads before the next one
    begins.
    """

    def __init__(self, spaces: Spaces):
        self._spaces = spaces

    def execute(self, operation: Operation) -> None:
        """Raises InterpretError if only some threads of a group reach the barrier."""
        barrier = row.BARRIER.of(operation.value)
        if not barrier.threads:
            return
        threads = operation.context.threads
        here = np.bincount(threads.group[operation.active.lanes], minlength=threads.group_count)
        missing = (here > 0) & (here < threads.group_size)
        if missing.any():
            wrong = missing[threads.group[operation.active.lanes]]
            raise operation.fault("is reached by only part of a group", wrong)
        if not barrier.shared_memory:
            return
        groups = np.flatnonzero(here)
        for space in self._spaces.shared():
            if space.races is not None:
                dwords = groups[:, None] * space.reach + np.arange(space.reach)
                space.races.meet(dwords.ravel())
