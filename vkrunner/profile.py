"""Profile: how long the dispatches of each kernel took."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import Self, TextIO

from vkrunner.backend import Backend
from vkrunner.values.comparison import text_table

_HEADING = ("kernel", "count", "total ms", "mean us", "min us", "max us")


@dataclass(frozen=True, slots=True)
class KernelTimes:
    """The dispatches of one kernel, by the device's clock.

    Attributes
    ----------
    name : str
        The kernel's name.
    count : int
        How many dispatches there were.
    total_ns : int
        The time of all of them, in nanoseconds.
    min_ns : int
        The shortest.
    max_ns : int
        The longest.
    """

    name: str
    count: int
    total_ns: int
    min_ns: int
    max_ns: int

    @property
    def mean_ns(self) -> float:
        """The mean of their times, in nanoseconds."""
        return self.total_ns / self.count


class Profile:
    """The result of `Device.profile`.

    While its `with` is open, every dispatch on the device counts when its results are fetched, also
    of threads and recordings. At the end a table is printed to `file`, or to standard output.
    Kernels are distinguished by `Kernel.name`; where the device has no clock there are no rows.
    """

    def __init__(self, backend: Backend, file: TextIO | None):
        self._backend = backend
        self._file = file
        self._lock = Lock()
        self._times: dict[str, KernelTimes] = {}

    @property
    def kernels(self) -> list[KernelTimes]:
        """A row for each kernel, that which took most time first."""
        return sorted(self._times.values(), key=lambda row: -row.total_ns)

    @property
    def total_ns(self) -> int:
        """The time of all kernels, in nanoseconds."""
        return sum(row.total_ns for row in list(self._times.values()))

    def table(self) -> str:
        """The rows as text, under a heading.

        Returns
        -------
        str
            Kernel, count, and total, mean, least and greatest time.
        """
        return "\n".join(text_table([_HEADING, *map(_row, self.kernels)], str.rjust))

    def __enter__(self) -> Self:
        self._backend.on_dispatch.append(self._add)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._backend.on_dispatch.remove(self._add)
        print(self.table(), file=self._file or sys.stdout)

    def _add(self, name: str, duration_ns: int) -> None:
        with self._lock:
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
