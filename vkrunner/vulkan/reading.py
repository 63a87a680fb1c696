"""Reading: what the timestamps of a command buffer were in one submission."""

from __future__ import annotations

import weakref

from vkrunner.errors import RunnerError
from vkrunner.vulkan.clock import Clock
from vkrunner.vulkan.logical import LogicalDevice


class Reading:
    """The timestamps of one submission that has ended, fetched when they are asked for.

    Few are, and fetching takes some drivers longer than a small dispatch: lavapipe waits for its
    queue to be idle. So the device's lock is not held meanwhile, and a device that may never be
    idle is not asked. Until they are fetched this refers to the clock, but not to the device, which
    fetches them before it is destroyed.
    """

    def __init__(self, clock: Clock, logical: LogicalDevice):
        self._clock: Clock | None = clock
        self._logical = weakref.ref(logical)
        self._times: list[int] = []
        self._error: RunnerError | None = None
        clock.latest = weakref.ref(self)

    @property
    def durations_ns(self) -> list[int]:
        """The time of each timed step.

        Raises ArgumentError in a forked process, DispatchTimeout while given-up work runs,
        DeviceLostError where the device was lost since.
        """
        clock = self._clock
        if clock is not None:
            clock.check_process()  # before the lock: one that is held at a fork is never released
            with clock.lock:
                self._fetch()
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._times

    def settle(self) -> None:
        """Fetch them, or what hinders it, for the device is going to be destroyed."""
        try:
            _ = self.durations_ns
        except RunnerError as error:
            self._error, self._clock = error, None

    def _fetch(self) -> None:
        clock, logical = self._clock, self._logical()
        if clock is None:  # another thread has fetched them
            return
        if logical is None:  # whose finalizer fetches them
            self._times, self._clock = clock.durations_ns(), None
            return
        with logical.in_use():
            logical.queue.check_usable()
            self._times, self._clock = clock.durations_ns(), None


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
