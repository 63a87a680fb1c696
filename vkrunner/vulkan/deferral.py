"""Deferral: what was closed is destroyed when nothing can need it any more.

Two kinds of things can: work in flight, and calls of other threads that have begun. Whoever looks
whether something is open does so after its call has begun, and whoever closes it says so first.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from threading import RLock
from types import TracebackType


class Call:
    """What a thread does with the device for the length of a `with`; they may be nested."""

    __slots__ = ("_deferral",)

    _deferral: Deferral

    def __init__(self, deferral: Deferral):
        self._deferral = deferral

    def __enter__(self) -> None:
        self._deferral.begin(id(self))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._deferral.end(id(self))

    def __del__(self) -> None:
        """Of a call whose end was interrupted, or its beginning."""
        deferral = getattr(self, "_deferral", None)
        if deferral is not None:
            deferral.forget(id(self))


class _Closed:
    """What was made and closed at these serials.

    `shared` while the calls of other threads may have to do with it: those that have begun while
    it was open.
    """

    __slots__ = ("made", "serial", "shared", "stack")

    def __init__(self, made: int, serial: int, stack: ExitStack, *, shared: bool):
        self.made = made
        self.serial = serial
        self.stack = stack
        self.shared = shared

    def is_called(self, calls: list[int]) -> bool:
        """Whether one of the calls that began at these serials may have to do with it."""
        return any(self.made <= begun <= self.serial for begun in calls)


class Deferral:
    """What was closed on a device and is not destroyed yet.

    `serial` counts submissions and what was closed, by those who have the `lock`. Calls begin and
    end without it: one step of the interpreter each.
    """

    def __init__(self, oldest_work: Callable[[int], int] = lambda default: default):
        self.lock = RLock()
        self.serial = 0
        self._oldest_work = oldest_work
        self._calls: dict[int, int] = {}  # to the serial at their beginning
        self._closed: dict[_Closed, None] = {}  # oldest first
        self._last: Callable[[], None] | None = None
        self._pid = os.getpid()

    def begin(self, call: int) -> None:
        """Nothing shared that is closed from now on is destroyed before the call's end."""
        self._calls[call] = self.serial

    def end(self, call: int) -> None:
        """Destroy what waited for it."""
        self.forget(call)
        self.sweep_soon()

    def forget(self, call: int) -> None:
        """It is over; what waited for it waits for the next sweep, unless it is the device."""
        self._calls.pop(call, None)
        if self._last is not None:
            self._end_all()

    def close_later(self, stack: ExitStack, *, made: int, shared: bool) -> None:
        """Close a stack as soon as nothing that was submitted until now is in flight.

        If it is `shared`, calls that have begun since it was `made`, at this serial, come first,
        and what they submit.
        """
        with self.lock:
            self._closed[_Closed(made, self.serial, stack, shared=shared)] = None
            self.serial += 1
            self.sweep()

    def sweep_soon(self) -> None:
        """Sweep where something waits for it; not in a fork, whose parent will."""
        if self._closed and os.getpid() == self._pid:
            self.sweep()

    def sweep(self) -> None:
        """Close the stacks whose time has come."""
        with self.lock:
            behind_all = self.serial + 1
            calls = list(self._calls.values())
            worked = self._oldest_work(behind_all)
            for closed in list(self._closed):
                if closed.shared and not closed.is_called(calls):
                    closed.shared = False  # what those calls have submitted remains in the way
                    closed.serial = self.serial
                if not closed.shared and closed.serial < worked:
                    closed.stack.close()  # which may sweep, too
                    self._closed.pop(closed, None)

    def when_unused(self, last: Callable[[], None]) -> None:
        """Call it when no call is in progress: now, or at the end of the last, and without lock."""
        self._last = last
        self._end_all()

    def _end_all(self) -> None:
        if os.getpid() != self._pid:
            return
        with self.lock:
            if self._calls:
                return
            last, self._last = self._last, None
        if last is None:
            return
        try:
            last()
        except BaseException:  # Ctrl-C: it may be called again
            self._last = last
            raise

    def close_all(self) -> None:
        """Close what is left, where neither work nor calls can need it."""
        with self.lock:
            for closed in list(self._closed):
                closed.stack.close()
                self._closed.pop(closed, None)
