"""The threads of `map_chunks`: one for each kernel, which takes the next chunk when it can."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

import numpy as np

from translate.dataclass import dataclass, replace
from vkrunner.api.kernel import Kernel
from vkrunner.binding.registers import find
from vkrunner.dispatch.context import nanoseconds
from vkrunner.dispatch.future import Future
from vkrunner.dispatch.groups import check_groups
from vkrunner.dispatch.result import Result
from vkrunner.errors import (
    DIVIDE,
    DuplicateError,
    LimitError,
    ShapeError,
    WrongTypeError,
    warn,
)
from vkrunner.values.numbers import Array, check_unmasked

_IN_FLIGHT = 3  # of each device: one runs, one waits, and one is copied
_PLAIN = frozenset((np.ndarray, np.memmap))  # filled under a lock


class Rows(Protocol):
    """An object with rows: an array, a `np.memmap`, or any object with these three members."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def dtype(self) -> np.dtype[Any]: ...

    def __getitem__(self, rows: slice, /) -> Any: ...


class WritableRows(Rows, Protocol):
    """Rows that can be assigned, like those of an array or of a `np.memmap`."""

    def __setitem__(self, rows: slice, values: Any, /) -> None: ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """Rows that one dispatch computes; `map_chunks` passes it to its callables.

    Attributes
    ----------
    index : int
        The number of the chunk, from 0 on.
    start, stop : int
        The rows of the outputs that the chunk fills.
    first, last : int
        The rows that the kernel sees: those from `start` to `stop` and the halo around them.
    kernel : Kernel
        The kernel that computes the chunk, one of the passed kernels.
    """

    index: int
    start: int
    stop: int
    first: int
    last: int
    kernel: Kernel

    @property
    def rows(self) -> int:
        """The number of rows that the kernel sees."""
        return self.last - self.first


Arguments = Mapping[str, Any]
Groups = int | Sequence[int]
Row = tuple[tuple[int, ...], np.dtype[Any]]  # the shape and the dtype of one row


@dataclass(frozen=True, slots=True)
class ChunkedWork:
    """The arguments of `map_chunks`: `total` rows, of which each chunk fills `rows`.

    `each` has the shape and dtype of one row of every array.
    """

    inputs: Mapping[str, Rows]
    outputs: Mapping[str, WritableRows]
    each: Mapping[str, Row]
    arguments: Arguments | Callable[[Chunk], Arguments] | None
    groups: Callable[[Chunk], Groups]
    total: int
    rows: int
    halo: int
    timeout: float

    def chunk(self, index: int, kernel: Kernel) -> Chunk:
        start = index * self.rows
        stop = min(start + self.rows, self.total)
        first, last = max(0, start - self.halo), min(self.total, stop + self.halo)
        return Chunk(index, start, stop, first, last, kernel)

    def within_limits(self, kernels: Sequence[Kernel]) -> ChunkedWork:
        """The same work in chunks of at most as many rows as `groups` has few enough groups for."""

        def exceeds(rows: int) -> bool:
            made = replace(self, rows=rows)
            return not all(map(made._has_few_groups, kernels))

        if not exceeds(self.rows):
            return self
        return replace(self, rows=max(1, bisect_left(range(1, self.rows), True, key=exceeds)))

    def _has_few_groups(self, kernel: Kernel) -> bool:
        """Whether the device allows the groups of the first chunk, and of one with both halos."""
        for index in range(min(2, -(-self.total // self.rows))):
            chunk = self.chunk(index, kernel)
            with _named(chunk):
                groups = self.groups(chunk)
                try:
                    check_groups(kernel.device_info, groups)
                except LimitError:
                    return False
        return True

    def submit(self, chunk: Chunk) -> Future:
        """Submit a chunk to a device."""
        given, arrays = self.arguments, self._arrays(chunk)
        others = given(chunk) if callable(given) else given or {}
        if not hasattr(others, "items"):
            role = "arguments returns" if callable(given) else "arguments is"
            raise WrongTypeError(f"{role} a dict of a kernel's arguments, not {others!r:.100}")
        for name in others:
            if name in arrays:
                raise DuplicateError(f"{name} is given twice")
        if chunk.index == 0:
            _warn_of_lost(chunk.kernel, others)
        return chunk.kernel.dispatch_async(self.groups(chunk), **others, **arrays)

    def _arrays(self, chunk: Chunk) -> dict[str, Any]:
        arrays: dict[str, Any] = {}
        for name, (shape, dtype) in self.each.items():
            if name in self.inputs:
                arrays[name] = self._slice(name, chunk)
            else:
                arrays[name] = np.zeros((chunk.rows, *shape), dtype)
        return arrays

    def _slice(self, name: str, chunk: Chunk) -> Array:
        """The rows of an input that a chunk needs.

        A plain ndarray, because dispatches with other classes of arrays are encoded each time.
        Raises ArgumentError if a slice does not have the requested rows.
        """
        given = self.inputs[name][chunk.first : chunk.last]
        check_unmasked(given, name)
        found: Array = np.asarray(given)
        shape, dtype = self.each[name]
        expected = (chunk.rows, *shape)
        if found.shape != expected or found.dtype != dtype:
            raise ShapeError(
                f"{name}[{chunk.first}:{chunk.last}] is an array of"
                f" {found.dtype}{list(found.shape)}, not of {dtype}{list(expected)}"
            )
        return found

    def finish(self, chunk: Chunk, future: Future) -> None:
        """Fill the chunk's rows of the outputs after the work has ended."""
        own = slice(chunk.start - chunk.first, chunk.stop - chunk.first)

        def fill(result: Result) -> None:
            for name, array in self.outputs.items():
                array[chunk.start : chunk.stop] = result[name][own]

        if _PLAIN.issuperset(map(type, self.outputs.values())):
            future._submission.take(fill, nanoseconds(self.timeout))  # without a further copy
        else:  # an object, or a class of arrays, may do anything with the rows
            fill(future.result(timeout=self.timeout))


def _warn_of_lost(kernel: Kernel, arguments: Arguments) -> None:
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            binding = find(kernel.interface, name)[0]
            if binding.register.startswith("u"):
                warn(
                    f"{binding.label} is a UAV whose results are lost: pass it in outputs, or as a"
                    " buffer on the device"
                )


def run_chunks(
    work: ChunkedWork, kernels: Sequence[Kernel], report: Callable[[Chunk], object]
) -> None:
    """Start a thread for each kernel, and report finished chunks in this thread.

    Raises the first error of a thread. All threads have ended when this returns or raises.
    """
    count = -(-work.total // work.rows)
    left = deque(range(count))
    ended: SimpleQueue[Chunk | BaseException] = SimpleQueue()
    workers = [_Worker(work, kernel, left, ended) for kernel in kernels]
    try:
        for worker in workers[:count]:
            worker.start()
        for _ in range(count):
            event = ended.get()
            if isinstance(event, BaseException):
                raise event
            report(event)
    finally:
        for worker in workers:
            worker.is_stopped = True
        for worker in workers:
            if worker.ident is not None:
                worker.join()


class _Worker(Thread):
    """A thread that submits chunks to one kernel's device until no chunk is left."""

    def __init__(
        self,
        work: ChunkedWork,
        kernel: Kernel,
        left: deque[int],
        ended: SimpleQueue[Chunk | BaseException],
    ):
        super().__init__(name=f"map_chunks on {kernel.device_info.name}")
        self.is_stopped = False
        self._work = work
        self._kernel = kernel
        self._left = left
        self._ended = ended
        self._in_flight: deque[tuple[Chunk, Future]] = deque()

    def run(self) -> None:
        try:
            while not self.is_stopped and (self._submit_next() or self._in_flight):
                if len(self._in_flight) == _IN_FLIGHT or not self._left:
                    self._finish_oldest()
        except BaseException as error:
            self._ended.put(error)

    def _submit_next(self) -> bool:
        """Submit the next chunk. Returns False if no chunk is left."""
        try:
            index = self._left.popleft()
        except IndexError:
            return False
        chunk = self._work.chunk(index, self._kernel)
        with _named(chunk):
            self._in_flight.append((chunk, self._work.submit(chunk)))
        return True

    def _finish_oldest(self) -> None:
        chunk, future = self._in_flight.popleft()
        with _named(chunk):
            self._work.finish(chunk, future)
        self._ended.put(chunk)


@contextmanager
def _named(chunk: Chunk) -> Generator[None]:
    """Add a note that names the chunk to errors."""
    try:
        yield
    except BaseException as error:
        if DIVIDE in getattr(error, "__notes__", ()):  # which map_chunks does here
            error.__notes__.remove(DIVIDE)
            error.add_note(f"a chunk of {chunk.rows} rows is too large: pass a smaller rows=")
        rows = f"rows {chunk.start} to {chunk.stop}"
        error.add_note(f"in chunk {chunk.index}, {rows}, on {chunk.kernel.device_info.name}")
        raise
