"""Waiter: the thread that makes the calls at the ends of submissions."""

from __future__ import annotations

import logging
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from threading import RLock, Thread

Call = Callable[[], None]
EndsWithin = Callable[[int, int], bool]  # (serial, nanoseconds)

_SLICE_NS = 50_000_000  # after which a call for an older submission is noticed
_log = logging.getLogger("vkrunner")


class Waiter:
    """Calls for submissions that are in flight, made in the order in which these end.

    One thread makes all calls of a device. The first call starts it, and it ends after the last.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._calls: list[tuple[int, int, Call]] = []  # a heap, by serial and by their own order
        self._numbers = count()
        self._thread: Thread | None = None

    def add(self, serial: int, call: Call, ends_within: EndsWithin) -> None:
        """Make a call when a submission has ended; `ends_within` waits for that."""
        with self._lock:
            heappush(self._calls, (serial, next(self._numbers), call))
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(
                    target=self._run, args=(ends_within,), name="vkrunner callbacks", daemon=True
                )
                self._thread.start()

    def _run(self, ends_within: EndsWithin) -> None:
        while (serial := self._oldest()) is not None:
            if ends_within(serial, _SLICE_NS):
                self._call_until(serial)

    def _oldest(self) -> int | None:
        """The oldest submission with a call; without one the thread has to end."""
        with self._lock:
            if self._calls:
                return self._calls[0][0]
            self._thread = None
            return None

    def _call_until(self, serial: int) -> None:
        """Make the calls of a submission and of those before it."""
        while True:
            with self._lock:
                if not self._calls or self._calls[0][0] > serial:
                    return
                call = heappop(self._calls)[2]
            try:
                call()
            except BaseException:  # such as SystemExit, which would end the thread
                _log.exception("a callback at the end of a submission failed")
