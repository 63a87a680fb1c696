"""Submission: a submission of an executable that its caller does not wait for at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import RLock
from typing import Any, NamedTuple, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.errors import AbortError, ArgumentError, LoopLimitError, RunnerError
from vkrunner.work.backend import Backend, Executable
from vkrunner.work.result import Outcome, Resident, Result, ResultLayout, residents_of
from vkrunner.work.steps import DispatchStep

_SETTLE_TIMEOUT_NS = 60_000_000_000


class Origin(NamedTuple):
    """The parts of a dispatch's result that its work does not change; `name` is the kernel's."""

    name: str
    layout: ResultLayout
    residents: Mapping[Place, Resident]

    def result(self, outcome: Outcome) -> Result:
        """What the dispatch left. Raises as `ResultLayout.result`."""
        return self.layout.result(outcome, self.residents)


def origin_of(step: DispatchStep) -> Origin:
    """What all results of a step have in common."""
    layout = ResultLayout(step.interface, step.arguments)
    return Origin(step.name, layout, residents_of(step.arguments))


Origins = Mapping[Any, Origin]  # by dispatch


class Home(Protocol):
    """Where an executable is while no submission has it."""

    def give_back(self, executable: Executable) -> None:
        """Take it when its work has ended, and its results were copied."""
        ...


class Submission:
    """One submission of an executable, which it gives back when the results were copied.

    That is when they are asked for, or when the device is closed. Many threads may wait.
    """

    def __init__(self, backend: Backend, executable: Executable, origins: Origins, home: Home):
        self._backend = backend
        self.executable: Executable | None = executable  # until it is given back
        self._origins = origins
        self._home = home
        self._results: Results | None = None
        self._lock = RLock()

    def has_ended(self) -> bool:
        executable = self.executable  # another thread may give it back
        return executable is None or executable.has_ended()

    def wait(self, timeout_ns: int) -> None:
        """Return when the work has ended; it may be waited for again. Raises DispatchTimeout."""
        executable = self.executable
        if executable is None:
            return
        serial = executable.serial
        if self.executable is not executable:  # given back: the serial may be another submission's
            return
        executable.wait(serial, timeout_ns)
        if not executable.has_outputs:
            self._copy()

    def check_loops(self, timeout_ns: int) -> None:
        """Raise LoopLimitError if the driver ended a loop in it, after waiting."""
        if any(origin.layout.interface.messages for origin in self._origins.values()):
            self.results(timeout_ns).check_loops()

    def results(self, timeout_ns: int) -> Results:
        """A copy of what it left, after waiting."""
        self.wait(timeout_ns)
        with self._lock:
            if self._results is not None:
                return self._copy()
            with self._backend.in_use():
                return self._copy()

    def call_at_end(self, call: Callable[[], None]) -> None:
        """Make a call when the work has ended: now, or from a thread of the device's."""
        executable = self.executable
        serial = executable.serial if executable is not None else 0
        has_ended = executable is None or executable.has_ended()
        if has_ended or self.executable is not executable:  # given back: then it may run others
            call()
        else:
            self._backend.call_after(serial, call)

    def settle(self) -> None:
        """Wait, and copy the results before the device is destroyed."""
        with suppress(RunnerError):
            executable = self.executable
            if executable is not None:
                executable.finish(_SETTLE_TIMEOUT_NS)
                self._copy()

    def _copy(self) -> Results:
        """Copy the results of work that has ended, so that its memory can serve again."""
        with self._lock:
            if self._results is None:
                assert self.executable is not None
                outcomes = self.executable.outcomes()
                if self._backend.on_dispatch:
                    for step, outcome in outcomes.items():
                        report_time(self._backend, self._origins[step].name, outcome)
                found = Results(self._origins, outcomes)
                if self._results is None:  # a signal's handler may have closed the device meanwhile
                    self._results = found
            executable, self.executable = self.executable, None
            if executable is not None:
                self._home.give_back(executable)
            return self._results


def report_time(backend: Backend, name: str, outcome: Outcome) -> None:
    """Have a profile count a kernel's dispatch, where the device timed it."""
    duration = outcome.duration
    if duration is not None and not isinstance(duration, int):
        for call in backend.on_dispatch:
            call(name, duration.duration_ns)


class Results:
    """The results of a submission; each is made when it is asked for."""

    def __init__(self, origins: Origins, outcomes: Mapping[Any, Outcome]):
        self._origins = origins
        self._outcomes = outcomes
        self._made: dict[Any, Result] = {}

    @property
    def duration_ns(self) -> int | None:
        """The time of all dispatches together; None where they were not timed."""
        times = [self.result(step).duration_ns for step in self._outcomes]
        if not times or any(time is None for time in times):
            return None
        return sum(time or 0 for time in times)

    @property
    def error(self) -> AbortError | LoopLimitError | None:
        """That of the first dispatch that was aborted, or whose loops the driver ended."""
        for step in self._outcomes:
            try:
                self.result(step)
            except (AbortError, LoopLimitError) as error:
                return error
        return None

    def check_loops(self) -> None:
        """Raise LoopLimitError if the driver ended a loop."""
        for outcome in self._outcomes.values():
            if outcome.messages is not None:
                outcome.messages.check_loops()

    def result(self, step: Any) -> Result:
        step = chosen(self._origins, step)
        found = self._made.get(step)
        if found is None:
            found = self._made.setdefault(step, self._origins[step].result(self._outcomes[step]))
        return found


def chosen(steps: Mapping[Any, Any], step: Any) -> Any:
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
