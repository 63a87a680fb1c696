"""Profile: the times of the dispatches of each kernel."""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass
from threading import RLock
from types import TracebackType
from typing import Self, TextIO

from vkrunner.values.comparison import text_table
from vkrunner.work.backend import Backend

_HEADING = ("kernel", "count", "total ms", "mean us", "min us", "max us")


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """The times of one kernel's dispatches, by the device's clock.

    Attributes
    ----------
    name : str
        The kernel's name.
    count : int
        The number of dispatches.
    total_ns : int
        The total time of the dispatches, in nanoseconds.
    min_ns : int
        The time of the shortest dispatch.
    max_ns : int
        The time of the longest dispatch.
    """

    name: str
    count: int
    total_ns: int
    min_ns: int
    max_ns: int

    @property
    def mean_ns(self) -> float:
        """The mean time of a dispatch, in nanoseconds."""
        return self.total_ns / self.count


class Profile:
    """The result of `Device.profile`: a context manager that measures dispatches.

    Within the `with`, every dispatch on the device counts when its results are fetched, including
    dispatches of other threads and of recordings. At the end a table is printed to `file`, or to
    standard output. Dispatches of kernels with the same `Kernel.name` are one row. On a device
    without a clock the table is empty.
    """

    def __init__(self, backend: Backend, file: TextIO | None):
        self._backend = backend
        self._file = file
        self._lock = RLock()
        self._is_counting = False  # in this thread; a signal's handler checks it
        self._times: dict[str, KernelTimes] = {}
        self._new: deque[tuple[str, int]] = deque()  # kernel and duration of dispatches to count

    @property
    def kernels(self) -> list[KernelTimes]:
        """A row for each kernel, the largest total time first."""
        self._count()
        rows = list(self._times.values())  # a copy, which a handler does not change
        return sorted(rows, key=lambda row: -row.total_ns)

    @property
    def total_ns(self) -> int:
        """The time of all kernels, in nanoseconds."""
        return sum(row.total_ns for row in self.kernels)

    def table(self) -> str:
        """The table as text, with a heading.

        Returns
        -------
        str
            A row for each kernel: name, count, and total, mean, smallest and largest time.
        """
        return "\n".join(text_table([_HEADING, *map(_row, self.kernels)], str.rjust))

    def __enter__(self) -> Self:
        self._backend.context.on_dispatch.append(self._add)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._backend.context.on_dispatch.remove(self._add)
        print(self.table(), file=self._file or sys.stdout)

    def _add(self, name: str, duration_ns: int) -> None:
        self._new.append((name, duration_ns))
        self._count()

    def _count(self) -> None:
        """Count the new dispatches.

        If a signal handler calls this while its thread is in here, the outer call counts them.
        """
        with self._lock:
            if self._is_counting:
                return
            self._is_counting = True
            try:
                while self._new:
                    self._count_one(*self._new.popleft())
            finally:
                self._is_counting = False

    def _count_one(self, name: str, duration_ns: int) -> None:
        row = self._times.get(name, KernelTimes(name, 0, 0, duration_ns, duration_ns))
        self._times[name] = KernelTimes(
            name,
            row.count + 1,
            row.total_ns + duration_ns,
            min(row.min_ns, duration_ns),
            max(row.max_ns, duration_ns),
        )


def _row(times: KernelTimes) -> tuple[str, ...]:
    micro = (times.mean_ns / 1e3, times.min_ns / 1e3, times.max_ns / 1e3)
    return times.name, str(times.count), f"{times.total_ns / 1e6:.3f}", *(f"{t:.1f}" for t in micro)
