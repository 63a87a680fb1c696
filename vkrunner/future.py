"""Future: work that was handed to the device, to be waited for and asked for its results."""

from __future__ import annotations

from contextlib import suppress
from threading import TIMEOUT_MAX, RLock
from typing import Any

from vkrunner.errors import ArgumentError, DispatchTimeout, RunnerError
from vkrunner.result import Result
from vkrunner.submission import Results, Submission

DEFAULT_TIMEOUT_S = 60.0
_FOREVER_NS = 2**62


def nanoseconds(timeout: float) -> int:
    """A timeout in ns. Raises ArgumentError unless it is a positive number of seconds."""
    if not timeout > 0:
        raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
    return round(min(timeout * 1e9, _FOREVER_NS))


class Future:
    """What `submit` and `dispatch_async` give.

    Results are copied to the host when they are asked for; a future that nobody keeps costs
    nothing. Any thread may wait.
    """

    def __init__(self, submission: Submission):
        self._submission: Submission | None = submission
        self._collected: Results | None = None
        self._lock = RLock()

    def done(self) -> bool:
        """Whether the work has ended. Raises ArgumentError in a process that was forked."""
        submission = self._submission
        return submission is None or submission.has_ended()

    def wait(self, timeout: float = DEFAULT_TIMEOUT_S) -> None:
        """Return when the work has ended.

        Raises DispatchTimeout when it has not after `timeout` seconds: it goes on, and can be
        waited for again.
        """
        timeout_ns = nanoseconds(timeout)
        if self._collected is not None:
            return
        if not self._lock.acquire(blocking=False):
            self._wait_for_others(timeout)
        try:
            submission = self._submission  # another thread may have collected it meanwhile
            if submission is not None:
                submission.wait(timeout_ns)
                if not submission.has_outputs:
                    self.collect()
        finally:
            self._lock.release()

    def result(self, step: Any = None, timeout: float = DEFAULT_TIMEOUT_S) -> Result:
        """What a dispatch wrote, after waiting as `wait` does.

        `step` is what `Recording.dispatch` gave; it may be left out where there is one dispatch.
        Arrays are new ones; what stays on the device is read when asked for. Raises ArgumentError
        for a step of another recording.
        """
        self.wait(timeout)
        return self.collect().result(step)

    @property
    def duration_ns(self) -> int | None:
        """The device's time for all dispatches, after waiting; None where they are not timed."""
        self.wait()
        return self.collect().duration_ns

    def collect(self) -> Results:
        """Copy the results of work that has ended, so that its memory can serve again."""
        with self._lock:
            if self._collected is None:
                submission = self._submission
                assert submission is not None
                found = submission.results()
                if self._collected is None:  # a finalizer may have closed the device meanwhile
                    self._collected = found
            submission, self._submission = self._submission, None  # nobody drops it any more
            if submission is not None:
                submission.give_back()
            return self._collected

    def _wait_for_others(self, timeout: float) -> None:
        """Take the lock from another thread that waits for the same work."""
        while not self._lock.acquire(timeout=min(timeout, TIMEOUT_MAX)):
            submission = self._submission
            if submission is not None and not submission.is_compiling():
                raise DispatchTimeout(f"another thread waited for the same work for {timeout:g} s")

    def settle(self) -> None:
        """Fetch the results of work that has ended, for its memory is going to be freed."""
        with self._lock, suppress(RunnerError):
            if self._submission is not None:
                self.collect()

    def __del__(self) -> None:
        submission = getattr(self, "_submission", None)
        if submission is not None:
            submission.drop()
