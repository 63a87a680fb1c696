"""Future: submitted work. RecordedWork: a recording's steps, submitted repeatedly.

Callers wait for a future and fetch its results.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from translate.interface import line_of
from vkrunner.binding.arguments import Place
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S, Backend, nanoseconds
from vkrunner.dispatch.executable import Executable, Input, Plan
from vkrunner.dispatch.result import Result
from vkrunner.dispatch.steps import DispatchStep, Step
from vkrunner.dispatch.submission import Origins, Submission, origin_of
from vkrunner.errors import (
    AbortError,
    ClosedError,
    LoopLimitError,
    RunnerError,
    VulkanError,
    logger,
)
from vkrunner.resources.device_objects import object_of


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

    if not TYPE_CHECKING:  # checkers shall know what a future has

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):  # of a future that is being copied
                raise AttributeError(name)
            raise AttributeError(f"a future has no {name!r}: future.result().{name} waits for it")

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


MOST_IN_FLIGHT = 8

Replacements = Mapping[tuple[Step, Place], Any]


class RecordedWork(Plan):
    """The steps of a recording, which are submitted together.

    If all executables are in flight or have results to fetch, a submission gets a new one, up to
    MOST_IN_FLIGHT.
    """

    def __init__(self, backend: Backend, *, timestamps: bool):
        self.steps: list[Step] = []
        self.closed = False
        self._backend = backend
        self._context = backend.context
        self._cache = backend.context.plans
        self._seen_closings = self._cache.closings
        self._timestamps = timestamps
        super().__init__(self._cache)
        self.is_kept = True

    @property
    def dispatches(self) -> list[DispatchStep]:
        """The dispatches among the steps."""
        return [step for step in self.steps if isinstance(step, DispatchStep)]

    def submit(self, replacements: Replacements) -> RecordingFuture:
        """Submit the steps; `replacements` has arrays to use instead of recorded ones."""
        self._check_closed()
        executable = self._take()
        values: dict[Input, Any] = {}
        for (step, place), value in replacements.items():
            values[executable.inputs[step][place]] = value
        context, origins = self._context, self._origins
        made = Submission(context, self, executable, origins, values, DEFAULT_TIMEOUT_NS)
        made.lend()
        return RecordingFuture(made)

    def _take(self) -> Executable:
        """An executable that is not in flight, for this thread alone."""
        timed = self._timestamps or bool(self._context.on_dispatch)
        while True:
            executable = self._cache.take(self)
            if executable is None:
                if len(self.lent) < MOST_IN_FLIGHT:
                    return self._encode(timed=timed)
                self._finish_oldest()
            elif executable.is_timed or not timed:
                return executable

    def _encode(self, *, timed: bool) -> Executable:
        steps = {step: step for step in self.steps}
        made = self._backend.encode(steps, timed=timed, is_recorded=True)
        self.tokens = made.tokens
        self.check_open()  # another thread may have closed an object before its token was noted
        return made

    def _finish_oldest(self) -> None:
        """Wait for the oldest submission, and fetch its results if a future may ask for them."""
        for ticket, executable in list(self.lent.copy().items())[:1]:
            submission: Submission | None = ticket()
            if submission is not None:
                submission.fetch(DEFAULT_TIMEOUT_NS)
            elif executable is not None:
                self._context.wait(executable.serial, DEFAULT_TIMEOUT_NS)
            if executable is not None:
                self._cache.give_back(self, executable, ticket)  # unless the submission did

    def check_open(self) -> None:
        """Raise ArgumentError if the recording, or an object that it uses, is closed."""
        self._check_closed()
        self._context.check_alive()  # a submission checks whether the queue can be used
        if self._seen_closings != self._cache.closings:
            seen = self._cache.closings
            for step in self.steps:
                for child in step.needs:
                    object_of(child)
            self._seen_closings = seen

    def _check_closed(self) -> None:
        if self.closed:
            raise ClosedError("the recording is closed")

    def close(self) -> None:
        """Free the executables when their work has ended. A second call does nothing."""
        self.closed = True
        if self._context.is_here:
            self._cache.drop(self)
            self._backend.collect()

    @cached_property
    def _origins(self) -> Origins:
        """The parts of results that all submissions share; to be read after the last step."""
        return {step: origin_of(step) for step in self.dispatches}
