"""Submission: one submission of an executable, until its results are copied."""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from typing import Any, Self

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, Context
from vkrunner.dispatch.executable import Executable, Input, Plan
from vkrunner.dispatch.result import Outcome, Resident, Result, ResultLayout, residents_of
from vkrunner.dispatch.steps import DispatchStep
from vkrunner.errors import (
    AbortError,
    LoopLimitError,
    MissingError,
    RunnerError,
    UnknownNameError,
)
from vkrunner.resources.device_objects import Reference

# The parts of a dispatch's result that are known before its work: the kernel's name, the layout of
# the result, and the resources in it that stay on the device
Origin = tuple[str, ResultLayout, Mapping[Place, Resident]]
Origins = Mapping[Any, Origin]  # by dispatch step


def origin_of(step: DispatchStep) -> Origin:
    """The parts of a dispatch's result that are the same for every submission of the step."""
    layout = ResultLayout(step.interface, step.arguments, step.reported_dispatch())
    return step.name, layout, residents_of(step.arguments)


class Submission:
    """Starts an executable, waits for it, copies its results and gives it back to its plan.

    A synchronous caller waits once, by `finish` or `run`. After `lend`, many threads may wait and
    ask for the results, which are copied at the first request, or when the device is closed.
    Without a plan the executable is not reused. Raises the errors of `Executable.start`, and
    DispatchTimeout while earlier work that timed out still runs.
    """

    __slots__ = (
        *("__weakref__", "_context", "_executable", "_lock", "_made", "_origins", "_outcomes"),
        *("_plan", "_serial", "_ticket"),
    )

    def __init__(
        self,
        context: Context,
        plan: Plan | None,
        executable: Executable,
        origins: Origins,
        values: Mapping[Input, Any],
        timeout_ns: int,
    ):
        self._context = context
        self._executable: Executable | None = executable  # until it is given back
        self._plan = plan
        self._origins = origins
        if context.overdue:
            context.check_overdue()
        executable.start(values, timeout_ns)
        self._serial = executable.serial

    def lend(self) -> None:
        """Allow callers to ask for the results later."""
        self._lock = RLock()  # held to copy the results
        self._outcomes: Mapping[Any, Outcome] | None = None
        self._made: dict[Any, Result] = {}
        self._ticket: Reference | None = None
        if self._plan is not None and self._executable is not None:
            self._ticket = self._context.plans.lend(self._plan, self._executable, self)
        if self._context.closed:  # another thread has closed it, and settled the others before
            self.settle()

    # --- for the caller alone --------------------------------------------------------------------

    def finish(self, timeout_ns: int) -> Mapping[Any, Outcome]:
        """Wait, and copy the results; for a caller that waits once. Raises as `Context.finish`."""
        context, executable = self._context, self._executable
        assert executable is not None, "it is finished once"
        context.finish(self._serial, timeout_ns)
        outcomes = executable.outcomes()
        self._executable = None
        if context.on_dispatch:
            self._report_times(outcomes)
        if self._plan is not None:
            context.plans.give_back(self._plan, executable, None)
        return outcomes

    def run(self, timeout_ns: int) -> Result:
        """The result of a single dispatch. Raises as `finish` and `ResultLayout.result`."""
        outcomes = self.finish(timeout_ns)
        _, layout, residents = self._origins[None]
        return layout.result(outcomes[None], residents)

    # --- waiting, after `lend` -------------------------------------------------------------------

    def has_ended(self) -> bool:
        if self._executable is None:
            return True
        self._context.check_entry()
        return self._context.queue.has_ended(self._serial)

    def wait(self, timeout_ns: int) -> None:
        """Return when the work has ended. May be called again. Raises DispatchTimeout."""
        executable = self._executable  # another thread may give it back
        if executable is None:
            return
        self._context.check_process()
        with self._context.in_use():  # also while another thread closes the device
            self._context.wait(self._serial, timeout_ns)
        if not executable.has_outputs:
            self._copy()

    def fetch(self, timeout_ns: int) -> Self:
        """Wait, then copy the results."""
        self.wait(timeout_ns)
        with nullcontext() if self._executable is None else self._context.in_use():
            self._copy()
        return self

    def take(self, use: Callable[[Result], None], timeout_ns: int) -> None:
        """Wait, and call `use` with the result of a single dispatch, instead of `result`.

        `use` copies what it needs: later submissions overwrite the result's arrays.
        """
        self.wait(timeout_ns)
        with nullcontext() if self._executable is None else self._context.in_use():
            if not self._copy(use):
                use(self.result())

    def call_at_end(self, call: Callable[[], None]) -> None:
        """Make a call when the work has ended: at once, or later from a thread of the device."""
        if self.has_ended():
            call()
        else:
            self._context.call_after(self._serial, call)

    def settle(self) -> None:
        """Wait, and copy the results before the device is destroyed."""
        with suppress(RunnerError):
            if self._executable is not None:
                self._context.finish(self._serial, DEFAULT_TIMEOUT_NS)
                self._copy()

    def _copy(self, use: Callable[[Result], None] | None = None) -> bool:
        """Copy the results of ended work, or `use` them, so that its memory can be used again.

        Returns False if they were copied before.
        """
        context = self._context
        with self._lock:
            executable = self._executable
            if executable is None:
                return False
            outcomes = executable.outcomes(copied=use is None)
            if use is not None:
                _, layout, residents = self._origins[None]
                use(layout.result(outcomes[None], residents))
            if self._executable is None:  # a handler has closed the device meanwhile
                return True
            self._outcomes, self._executable = outcomes, None
        if context.on_dispatch:
            self._report_times(outcomes)
        ticket, self._ticket = self._ticket, None  # else it notes the end of self
        if self._plan is not None:
            context.plans.give_back(self._plan, executable, ticket)
        return True

    def _report_times(self, outcomes: Mapping[Any, Outcome]) -> None:
        """Pass the times of the dispatches to profiles, if the device took them."""
        for step, outcome in outcomes.items():
            duration = outcome.duration
            if duration is not None and not isinstance(duration, int):
                for call in self._context.on_dispatch:
                    call(self._origins[step][0], *duration.span)

    # --- results, when they were copied ----------------------------------------------------------

    def result(self, step: Any = None) -> Result:
        """The result of a dispatch. Raises as `chosen` and `ResultLayout.result`."""
        if step is not None or None not in self._origins:
            step = chosen(self._origins, step)
        if step not in self._made:
            outcomes = self._outcomes
            assert outcomes is not None, "they were copied"
            _, layout, residents = self._origins[step]
            self._made[step] = layout.result(outcomes[step], residents)
        return self._made[step]

    @property
    def duration_ns(self) -> int | None:
        """The time of all dispatches together; None if they were not timed."""
        times = [self.result(step).duration_ns for step in self._origins]
        if not times or any(time is None for time in times):
            return None
        return sum(time or 0 for time in times)

    @property
    def error(self) -> AbortError | LoopLimitError | None:
        """The error of the first dispatch that aborted, or whose loop the driver ended."""
        for step in self._origins:
            try:
                self.result(step)
            except (AbortError, LoopLimitError) as error:
                return error
        return None

    def check_loops(self, timeout_ns: int) -> None:
        """Raise LoopLimitError if the driver ended a loop, after waiting."""
        for step, (_, layout, _) in self._origins.items():
            if layout.interface.messages:
                outcomes = self.fetch(timeout_ns)._outcomes or {}
                messages = outcomes[step].messages
                if messages is not None:
                    messages.check_loops()


def chosen(steps: Mapping[Any, Any], step: Any) -> Any:
    """The dispatch whose result is asked for; None names the only one.

    Raises ArgumentError if None does not name exactly one dispatch, or `step` is not one of them.
    """
    if step is None and len(steps) == 1:
        return next(iter(steps))
    for own in steps:
        if own is step:
            return own
    if not steps:
        raise MissingError("the recording has no dispatch, so there is no result")
    if step is None:
        raise MissingError(f"there are {len(steps)} dispatches: say which, result(step)")
    if None in steps:
        raise UnknownNameError("the future of a single dispatch has no steps")
    raise UnknownNameError("the step is not a dispatch of this recording")
