"""Future: submitted work, which callers wait for and whose results they fetch."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Self, SupportsFloat, TypeVar

from translate.interface import line_of
from vkrunner.errors import (
    AbortError,
    ArgumentError,
    LoopLimitError,
    RunnerError,
    VulkanError,
)
from vkrunner.work.context import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S
from vkrunner.work.result import Result
from vkrunner.work.submission import Submission

_FOREVER_NS = 2**62
_log = logging.getLogger("vkrunner")


@lru_cache(64)
def nanoseconds(timeout: Any) -> int:
    """A timeout in ns. Raises ArgumentError unless it is a positive number of seconds."""
    seconds = float(timeout) if isinstance(timeout, SupportsFloat) else 0.0
    if not seconds > 0:
        raise ArgumentError(f"a timeout is a positive number of seconds, not {timeout!r}")
    return round(min(seconds * 1e9, _FOREVER_NS))


class Future:
    """Submitted work: `submit` returns a RecordingFuture, `dispatch_async` a DispatchFuture.

    Results are copied to the host when they are asked for; a future that is not kept costs
    nothing. Any thread may wait. An `await` lets asyncio's event loop go on until the work has
    ended; cancelling the awaiting task or closing the loop does not stop the work.
    """

    def __init__(self, submission: Submission):
        self._submission = submission

    def done(self) -> bool:
        """Whether the work has ended.

        Returns
        -------
        bool
            True when it has.

        Raises
        ------
        ArgumentError
            The process was forked.
        """
        return self._submission.has_ended()

    def __repr__(self) -> str:
        try:
            state = "done" if self.done() else "in flight"
        except RunnerError as error:
            state = str(error)
        return line_of(self, state)

    def wait(self, timeout: float = DEFAULT_TIMEOUT_S) -> None:
        """Return when the work has ended.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait.

        Raises
        ------
        DispatchTimeout
            The work has not ended: it goes on, and can be waited for again.
        LoopLimitError
            The driver ended a loop, so that the results are wrong.
        """
        timeout_ns = nanoseconds(timeout)
        self._submission.wait(timeout_ns)
        self._submission.check_loops(timeout_ns)

    def result(self, step: Any = None, timeout: float = DEFAULT_TIMEOUT_S) -> Result:
        """The result of a dispatch, after waiting as `wait` does.

        Parameters
        ----------
        step : DispatchStep, optional
            The step that `Recording.dispatch` returned; optional if the work is one dispatch.
        timeout : float, optional
            Seconds to wait.

        Returns
        -------
        Result
            Arrays are new; resources that stay on the device are read when asked for.

        Raises
        ------
        ArgumentError
            The step is of another recording.
        RunnerError
            As `Kernel.dispatch` raises for work that fails.
        """
        return self._submission.fetch(nanoseconds(timeout)).result(step)

    def exception(
        self, timeout: float = DEFAULT_TIMEOUT_S
    ) -> AbortError | LoopLimitError | VulkanError | None:
        """The error that the work ended with, after waiting as `wait` does.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait.

        Returns
        -------
        AbortError, LoopLimitError, VulkanError or None
            The error of the first dispatch that was aborted or whose loops the driver ended, or the
            driver's, as DeviceLostError; None if the work succeeded.

        Raises
        ------
        DispatchTimeout
            The work has not ended: it goes on, and can be waited for again.
        """
        try:
            return self._submission.fetch(nanoseconds(timeout)).error
        except VulkanError as error:
            return error

    def add_done_callback(self, function: Callable[[Self], object]) -> None:
        """Have a function called once, when the work has ended.

        If the work has ended already, it is called at once. Otherwise one thread of the device
        calls all functions, those of earlier submissions first, those of one future in the order in
        which they were added: a slow function delays the others. An exception of a function is
        logged by the logger "vkrunner". Closing the device does not keep functions from being
        called; the end of the process does.

        Parameters
        ----------
        function : callable
            Called with the future.

        Raises
        ------
        ArgumentError
            The process was forked.
        """
        self._submission.call_at_end(partial(_call, function, self))

    @property
    def duration_ns(self) -> int | None:
        """The device's time for all dispatches, after waiting; None where they are not timed."""
        return self._submission.fetch(DEFAULT_TIMEOUT_NS).duration_ns


class DispatchFuture(Future):
    """The future of one dispatch; `await` gives its Result, and raises what `result` does.

    Arrays are copied to the host in the awaiting task's thread.
    """

    def __await__(self) -> Generator[Any, None, Result]:
        yield from _until_done(self)
        return self.result()


class RecordingFuture(Future):
    """The future of a recording's submission; `await` returns the future itself."""

    def __await__(self) -> Generator[Any, None, Self]:
        yield from _until_done(self)
        self.wait()
        return self


def _until_done(future: Future) -> Generator[Any, None, None]:
    """Suspend the task until the work has ended. Raises RuntimeError outside of asyncio's loops."""
    import asyncio  # slow to import; a task that awaits has imported it

    loop = asyncio.get_running_loop()
    end = loop.create_future()

    def note() -> None:
        if not end.done():  # a cancelled task's is done
            end.set_result(None)

    def wake(_: Future) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(note)

    if not future.done():
        future.add_done_callback(wake)
        yield from end


F = TypeVar("F", bound=Future)


def _call(function: Callable[[F], object], future: F) -> None:
    """Call a function with a future; log its exception."""
    try:
        function(future)
    except Exception:
        _log.exception("a done callback of %r failed", future)
