"""Waiter: the thread that calls functions when submissions end."""

from __future__ import annotations

import logging
from _thread import start_new_thread
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from os import getpid
from threading import RLock

Call = Callable[[], None]
EndsWithin = Callable[[int, int], bool]  # called with a serial and nanoseconds

_SLICE_NS = 50_000_000  # after which the thread looks for calls of older submissions
_log = logging.getLogger("vkrunner")


class Waiter:
    """Calls functions when submissions in flight end, in the order in which they end.

    One thread makes all calls for the device. `add` starts it if it does not run; it ends when no
    call is left. If a signal handler starts a second thread at the same time, one of the two ends
    at once.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._calls: list[tuple[int, int, Call]] = []  # a heap, by serial and by their own order
        self._numbers = count()
        self._process: int | None = None  # with the thread; a fork lacks it

    def add(self, serial: int, call: Call, ends_within: EndsWithin) -> None:
        """Call a function when a submission has ended; `ends_within` waits for the end."""
        with self._lock:
            heappush(self._calls, (serial, next(self._numbers), call))
            is_served = self._is_served()
        if not is_served:
            # `threading.Thread.start` would wait for a lock that the thread below a handler holds.
            start_new_thread(self._run, (ends_within,))

    def _is_served(self) -> bool:
        return self._process == getpid()

    def _run(self, ends_within: EndsWithin) -> None:
        with self._lock:
            if self._is_served():
                return
            self._process = getpid()
        try:
            while (serial := self._oldest()) is not None:
                if ends_within(serial, _SLICE_NS):
                    self._call_until(serial)
        except BaseException:
            self._process = None
            raise

    def _oldest(self) -> int | None:
        """The oldest submission with a call; None tells the thread to end."""
        with self._lock:
            if self._calls:
                return self._calls[0][0]
            self._process = None
            return None

    def _call_until(self, serial: int) -> None:
        """Call the functions of a submission and of earlier ones."""
        while True:
            with self._lock:
                if not self._calls or self._calls[0][0] > serial:
                    return
                call = heappop(self._calls)[2]
            try:
                call()
            except BaseException:  # such as SystemExit, which would end the thread
                _log.exception("a callback at the end of a submission failed")
