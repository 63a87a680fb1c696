"""Future: work that was handed to the device, to be waited for and asked for its results."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from threading import TIMEOUT_MAX, RLock
from typing import Any, Protocol

from vkrunner.errors import ArgumentError, DispatchTimeout, RunnerError
from vkrunner.result import Result

DEFAULT_TIMEOUT_S = 60.0
_FOREVER_NS = 2**62


def nanoseconds(timeout: float) -> int:
    """A timeout in ns. Raises ArgumentError unless it is a positive number of seconds."""
    if not timeout > 0:
        raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
    return round(min(timeout * 1e9, _FOREVER_NS))


class Collected(Protocol):
    """What work that has ended left on the host's side.

    `duration_ns` is the time of all its dispatches together, None where they were not timed.
    """

    @property
    def duration_ns(self) -> int | None: ...

    def result(self, step: Any) -> Result: ...


class Submission(Protocol):
    """Work in flight; `has_outputs` where something has to be copied when it has ended.

    `is_compiling` says whether its device's driver compiles, which no timeout counts. After the
    end, `results` copies what it left, and `give_back` is called once, when nobody needs
    its memory any more; `drop` instead of it, from anywhere, where nobody asks.
    """

    has_outputs: bool

    def has_ended(self) -> bool: ...

    def is_compiling(self) -> bool: ...

    def wait(self, timeout_ns: int) -> None: ...

    def results(self) -> Collected: ...

    def give_back(self) -> None: ...

    def drop(self) -> None: ...


class Future:
    """What `submit` and `dispatch_async` give.

    Results are copied to the host when they are asked for; a future that nobody keeps costs
    nothing. Any thread may wait.
    """

    def __init__(self, submission: Submission):
        self._submission: Submission | None = submission
        self._collected: Collected | None = None
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

    def collect(self) -> Collected:
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


def chosen(steps: Collection[Any], step: Any) -> Any:
    """The dispatch that a result is asked of; that of a single dispatch is called None.

    Raises ArgumentError unless there is just one.
    """
    if step is None and len(steps) == 1:
        return next(iter(steps))
    for own in steps:
        if own is step:
            return own
    if step is None:
        raise ArgumentError(f"there are {len(steps)} dispatches: say which, result(step)")
    if None in steps:
        raise ArgumentError("the future of a single dispatch has no steps")
    raise ArgumentError("the step is no dispatch of this recording")


class Finished:
    """The results of dispatches that were not timed, by step; of a single one, by None."""

    duration_ns: int | None = None

    def __init__(self, results: Mapping[Any, Result]):
        self._results = results

    def result(self, step: Any) -> Result:
        return self._results[chosen(self._results, step)]


class Ended:
    """A submission whose work ended before the call that started it."""

    has_outputs = True

    def __init__(self, collected: Collected):
        self._collected = collected

    def has_ended(self) -> bool:
        return True

    def is_compiling(self) -> bool:
        return False

    def wait(self, timeout_ns: int) -> None:
        pass

    def results(self) -> Collected:
        return self._collected

    def give_back(self) -> None:
        pass

    def drop(self) -> None:
        pass
