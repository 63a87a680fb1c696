"""Future: submitted work. Callers wait for it and fetch its results."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar

from translate.interface import line_of
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S, nanoseconds
from vkrunner.dispatch.result import Result
from vkrunner.dispatch.submission import Submission
from vkrunner.errors import (
    AbortError,
    LoopLimitError,
    RunnerError,
    VulkanError,
    logger,
)


class Future:
    """Submitted work: `submit` returns a RecordingFuture, `dispatch_async` a DispatchFuture.

    Results are copied to the host when you ask for them, so a future that you drop costs nothing.
    Any thread may wait. `await` lets asyncio's event loop run other tasks until the work has ended;
    cancelling the task or closing the loop does not stop the work.
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
            The work has not ended in time. It goes on; you can wait again.
        LoopLimitError
            The driver ended a loop, so the results are wrong.
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
            Arrays are new; resources that stay on the device are read when you ask for them.

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
            The error of the first dispatch that aborted or in which the driver ended a loop; or the
            driver's error, such as DeviceLostError; None if the work succeeded.

        Raises
        ------
        DispatchTimeout
            The work has not ended in time. It goes on; you can wait again.
        """
        try:
            return self._submission.fetch(nanoseconds(timeout)).error
        except VulkanError as error:
            return error

    def add_done_callback(self, function: Callable[[Self], object]) -> None:
        """Call a function once when the work has ended.

        If the work has ended already, the function is called at once. Otherwise a thread of the
        device calls it. That thread calls the functions of earlier submissions first, and those of
        one future in the order in which they were added, so a slow function delays the others. The
        logger "vkrunner" logs exceptions of functions. Functions are called even if the device is
        closed, but not after the end of the process.

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
        """The time of all dispatches, after waiting; None if it was not measured."""
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
    """Suspend the task until the work has ended. Raises RuntimeError outside of asyncio."""
    import asyncio  # slow to import; a task that awaits has imported it

    loop = asyncio.get_running_loop()
    end = loop.create_future()

    def note() -> None:
        if not end.done():  # done already if the task was cancelled
            end.set_result(None)

    def wake(_: Future) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(note)

    if not future.done():
        future.add_done_callback(wake)
        yield from end


F = TypeVar("F", bound=Future)


def _call(function: Callable[[F], object], future: F) -> None:
    """Call a function with a future, and log its exception."""
    try:
        function(future)
    except Exception:
        logger().exception("a done callback of %r failed", future)
