"""Reading: what the timestamps of a command buffer were in one submission."""

from __future__ import annotations

import os
import weakref
from threading import RLock

from vkrunner.errors import RunnerError
from vkrunner.process import check_process
from vkrunner.vulkan.clock import Clock
from vkrunner.vulkan.logical import LogicalDevice


class Reading:
    """The timestamps of one submission that has ended, fetched when somebody asks for them.

    Few do, and fetching takes some drivers longer than a small dispatch: lavapipe waits for its
    queue to be idle. So the queue's lock is not held meanwhile, and a device that may never be idle
    is not asked.
    """

    def __init__(self, clock: Clock, logical: LogicalDevice):
        self._clock: Clock | None = clock
        self._logical = weakref.ref(logical)
        self._lock = RLock()
        self._pid = os.getpid()
        self._times: list[int] = []
        self._error: RunnerError | None = None

    @property
    def durations_ns(self) -> list[int]:
        """The time of each timed step.

        Raises ArgumentError in a forked process, DispatchTimeout while given-up work runs,
        DeviceLostError where the device was lost since.
        """
        if self._clock is not None:
            self._fetch()
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._times

    def end(self) -> None:
        """Fetch them, or what hinders it, for there is nothing to be fetched any more."""
        try:
            _ = self.durations_ns
        except RunnerError as error:
            with self._lock:
                if self._clock is not None:
                    self._error, self._clock = error, None

    def _fetch(self) -> None:
        check_process(self._pid)  # before the lock, which nobody opens who was lost in a fork
        logical = self._logical()  # which is not collected meanwhile
        if logical is None:
            self._take()
            return
        with logical.in_use():
            logical.queue.check_usable()  # which may take the queue's lock, so not within ours
            self._take()

    def _take(self) -> None:
        with self._lock:
            if self._clock is not None:
                self._times = self._clock.durations_ns()
                self._clock = None


class StepTime:
    """The time of one timed step, by its number."""

    __slots__ = ("_reading", "_step")

    def __init__(self, reading: Reading, step: int):
        self._reading = reading
        self._step = step

    @property
    def duration_ns(self) -> int:
        """Raises as `Reading.durations_ns`."""
        return self._reading.durations_ns[self._step]
