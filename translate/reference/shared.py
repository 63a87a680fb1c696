"""Group-shared memory of a batch."""

from __future__ import annotations

import numpy as np

from translate.isa.instruction import Lanes
from translate.reference.findings import GROUP_SHARED
from translate.reference.layout import SharedArray
from translate.reference.races import AccessLog
from translate.reference.report import Reporter


class SharedMemory:
    """A g# of every group in a batch. `words` and `written` are ordered by group, then by dword."""

    def __init__(self, declared: SharedArray, reporter: Reporter):
        self.size = size = declared.size // 4
        self._batch = reporter.batch
        count = size * self._batch.group_count
        self.words: Lanes = np.zeros(count, np.uint32)
        self.written: Lanes = np.zeros(count, np.bool_)

        def place(at: int) -> tuple[int, tuple[int, ...]]:
            byte_offset = 4 * (int(at) % size)
            return byte_offset, (byte_offset,)

        self.log = AccessLog(f"g{declared.number}", GROUP_SHARED, count, reporter, place)

    def base(self, lanes: Lanes) -> Lanes:
        """The first dword of each lane's group."""
        return self._batch.group_of(lanes) * self.size
