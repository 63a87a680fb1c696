"""Future: work that was handed to the device, to be waited for and asked for its results."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from vkrunner.errors import ArgumentError
from vkrunner.result import Result
from vkrunner.submission import Submission

DEFAULT_TIMEOUT_S = 60.0
_FOREVER_NS = 2**62


@lru_cache(64)
def nanoseconds(timeout: float) -> int:
    """A timeout in ns. Raises ArgumentError unless it is a positive number of seconds."""
    if not timeout > 0:
        raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
    return round(min(timeout * 1e9, _FOREVER_NS))


DEFAULT_TIMEOUT_NS = nanoseconds(DEFAULT_TIMEOUT_S)


class Future:
    """What `submit` and `dispatch_async` give.

    Results are copied to the host when they are asked for; a future that is not kept costs
    nothing. Any thread may wait.
    """

    def __init__(self, submission: Submission):
        self._submission = submission

    def done(self) -> bool:
        """Whether the work has ended. Raises ArgumentError in a process that was forked."""
        return self._submission.has_ended()

    def wait(self, timeout: float = DEFAULT_TIMEOUT_S) -> None:
        """Return when the work has ended.

        Raises DispatchTimeout when it has not after `timeout` seconds: it goes on, and can be
        waited for again.
        """
        self._submission.wait(nanoseconds(timeout))

    def result(self, step: Any = None, timeout: float = DEFAULT_TIMEOUT_S) -> Result:
        """What a dispatch wrote, after waiting as `wait` does.

        `step` is what `Recording.dispatch` gave; it may be left out where there is one dispatch.
        Arrays are new ones; what stays on the device is read when asked for. Raises ArgumentError
        for a step of another recording.
        """
        return self._submission.results(nanoseconds(timeout)).result(step)

    @property
    def duration_ns(self) -> int | None:
        """The device's time for all dispatches, after waiting; None where they are not timed."""
        return self._submission.results(DEFAULT_TIMEOUT_NS).duration_ns
