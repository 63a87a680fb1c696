"""Profile: the times of the dispatches of each kernel, as a table and as a timeline."""

from __future__ import annotations

import json
import sys
from collections import deque
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from translate.dataclass import dataclass
from translate.interface import html_table
from vkrunner.dispatch.context import Backend
from vkrunner.values.comparison import short_table, text_table

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
    standard output, and the timeline is written to `trace`. Dispatches of kernels with the same
    `Kernel.name` are one row. On a device without a clock the table and the timeline are empty.
    """

    def __init__(self, backend: Backend, file: TextIO | None, trace: str | PathLike[str] | None):
        self._backend = backend
        self._file = file
        self._trace = trace
        self._spans: list[tuple[str, int, int]] = []  # kernel, start, duration; for the timeline
        self._times: dict[str, KernelTimes] = {}
        self._new: deque[tuple[str, int, int]] = deque()  # dispatches to count, as in `_spans`

    @property
    def kernels(self) -> list[KernelTimes]:
        """A row for each kernel, the largest total time first."""
        self._count()
        return sorted(self._times.values(), key=lambda row: -row.total_ns)

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

    def __repr__(self) -> str:
        rows = [*map(_row, self.kernels)]
        return "\n".join([self._caption, *short_table(_HEADING, rows, len(rows))])

    def _repr_html_(self) -> str:
        rows = [*map(_row, self.kernels)]
        return html_table(self._caption, rows, _HEADING if rows else ())

    @property
    def _caption(self) -> str:
        return "times of kernels" if self.kernels else "no times: no dispatch was measured"

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
        if self._trace is not None:
            text = json.dumps(_timeline(self._backend.context.info.name, self._spans))
            Path(self._trace).write_text(text, encoding="utf-8")

    def _add(self, name: str, start_ns: int, duration_ns: int) -> None:
        self._new.append((name, start_ns, duration_ns))
        self._count()

    def _count(self) -> None:
        """Count the new dispatches. Raises ReentryError within the devices' lock."""
        context = self._backend.context
        if context.is_here:  # a lock that was held at a fork is never released
            context.check_outside()
            with context.lock:
                while self._new:
                    self._count_one(*self._new.popleft())

    def _count_one(self, name: str, start_ns: int, duration_ns: int) -> None:
        if self._trace is not None:
            self._spans.append((name, start_ns, duration_ns))
        row = self._times.get(name, KernelTimes(name, 0, 0, duration_ns, duration_ns))
        self._times[name] = KernelTimes(
            name,
            row.count + 1,
            row.total_ns + duration_ns,
            min(row.min_ns, duration_ns),
            max(row.max_ns, duration_ns),
        )


def _timeline(device: str, spans: Sequence[tuple[str, int, int]]) -> dict[str, object]:
    """Dispatches in Chrome's Trace Event Format: times are in microseconds, from the first one on.

    Source: "Trace Event Format", Google, events of the phases M (metadata) and X (complete).
    """
    first = min((start for _, start, _ in spans), default=0)
    process: dict[str, object] = {
        "name": "process_name",
        "ph": "M",
        "pid": 0,
        "args": {"name": device},
    }
    dispatches: list[dict[str, object]] = [
        {
            "name": name,
            "ph": "X",
            "pid": 0,
            "tid": 0,
            "ts": (start - first) / 1e3,
            "dur": duration / 1e3,
        }
        for name, start, duration in spans
    ]
    return {"traceEvents": [process, *dispatches]}


def _row(times: KernelTimes) -> tuple[str, ...]:
    micro = (times.mean_ns / 1e3, times.min_ns / 1e3, times.max_ns / 1e3)
    return times.name, str(times.count), f"{times.total_ns / 1e6:.3f}", *(f"{t:.1f}" for t in micro)
