"""Deferral: what was closed is destroyed when nothing can need it any more.

Two kinds of things can: work in flight, and calls of other threads that have begun. Whoever looks
whether something is open does so after its call has begun, and whoever closes it says so first.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from types import TracebackType
from typing import NamedTuple


class Call:
    """What a thread does with the device for the length of a `with`; they may be nested."""

    __slots__ = ("_deferral", "serial")

    def __init__(self, deferral: Deferral):
        self._deferral = deferral
        self.serial = 0

    def __enter__(self) -> None:
        self._deferral.begin(self)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._deferral.end(self)


class _Closed(NamedTuple):
    """What was closed; `shared` where the calls of other threads may have to do with it."""

    serial: int
    stack: ExitStack
    shared: bool


class Deferral:
    """What was closed on a device and is not destroyed yet.

    `serial` counts submissions and what was closed, by those who have the `lock`. Calls begin and
    end without it: one step of the interpreter each.
    """

    def __init__(self, oldest_work: Callable[[int], int] = lambda default: default):
        self.lock = RLock()
        self.serial = 0
        self._oldest_work = oldest_work
        self._calls: dict[Call, None] = {}
        self._closed: list[_Closed] = []
        self._last: Callable[[], None] | None = None

    def begin(self, call: Call) -> None:
        """Nothing shared that is closed from now on is destroyed before the call's end."""
        call.serial = self.serial
        self._calls[call] = None

    def end(self, call: Call) -> None:
        """Destroy what waited for it."""
        del self._calls[call]
        self.sweep_soon()
        if self._last is not None:
            self._end_all()

    def close_later(self, stack: ExitStack, *, shared: bool) -> None:
        """Close a stack as soon as nothing that was submitted until now is in flight.

        If it is `shared`, calls that have begun until now come first, and what they submit.
        """
        with self.lock:
            self._closed.append(_Closed(self.serial, stack, shared))
            self.serial += 1
            self.sweep()

    def sweep_soon(self) -> None:
        """The same where something waits for it."""
        if self._closed:
            self.sweep()

    def sweep(self) -> None:
        """Close the stacks whose time has come."""
        with self.lock:
            behind_all = self.serial + 1
            called = min((call.serial for call in list(self._calls)), default=behind_all)
            worked = self._oldest_work(behind_all)
            rows = [self._without_calls(row, called) for row in self._closed]
            self._closed = [row for row in rows if row.shared or row.serial >= worked]
            for row in rows:
                if not row.shared and row.serial < worked:
                    row.stack.close()

    def _without_calls(self, row: _Closed, called: int) -> _Closed:
        """Where no call that had begun is left, what remains in the way is what they submitted."""
        left = row.shared and row.serial < called
        return _Closed(self.serial, row.stack, shared=False) if left else row

    def when_unused(self, last: Callable[[], None]) -> None:
        """Call it when no call is in progress: now, or at the end of the last, and without lock."""
        self._last = last
        self._end_all()

    def _end_all(self) -> None:
        with self.lock:
            if self._calls:
                return
            last, self._last = self._last, None
        if last is not None:
            last()

    def close_all(self) -> None:
        """Close what is left, where neither work nor calls can need it."""
        with self.lock:
            left, self._closed = self._closed, []
            for closed in left:
                closed.stack.close()
