"""Submission: one submission of an executable, from its data to its results."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter_ns
from typing import Any, Protocol

from vkrunner.backend import Backend, Executable, Input, Outcome
from vkrunner.binding.arguments import Place
from vkrunner.errors import ArgumentError
from vkrunner.result import Resident, Result, ResultLayout, make_result


class Origin:
    """The parts of a dispatch's result that no submission changes: its names and its residents."""

    __slots__ = ("layout", "name", "residents")

    def __init__(self, name: str, layout: ResultLayout, residents: Mapping[Place, Resident]):
        self.name = name  # the kernel's
        self.layout = layout
        self.residents = residents

    def result(self, outcome: Outcome) -> Result:
        contents = self.layout.contents(outcome.arrays, self.residents)
        result = make_result(self.layout.interface, contents, outcome.duration, outcome.findings)
        if outcome.violations is not None:
            result.violations = outcome.violations
        return result


Origins = Mapping[Any, Origin]  # by dispatch


class Home(Protocol):
    """Where an executable is while no submission has it.

    `host_clock`: the host measures how long its submissions take, if the device does not.
    """

    host_clock: bool

    def give_back(self, submission: Submission) -> None:
        """Of work that has ended, and whose results were copied or are not wanted."""
        ...

    def drop(self, submission: Submission) -> None:
        """Of work that may be in flight; called from anywhere, a finalizer included."""
        ...


class Submission:
    """Work in flight; `has_outputs` where something has to be copied when it has ended.

    After the end, `results` copies what it left, and `give_back` is called once, when its memory is
    not needed any more; `drop` instead of it, from anywhere, where the results are not asked for.
    """

    def __init__(self, backend: Backend, executable: Executable, origins: Origins, home: Home):
        self._backend = backend
        self.executable = executable
        self.has_outputs = executable.has_outputs
        self._origins = origins
        self._home = home
        self._started_ns = 0

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Bring its data to the device and submit it. Raises as `Executable.start`."""
        try:
            self._started_ns = perf_counter_ns()
            self.executable.start(values, timeout_ns)
        except BaseException:  # Ctrl-C may come when it is in flight
            self._home.drop(self)
            raise

    def has_ended(self) -> bool:
        return self.executable.has_ended()

    def is_compiling(self) -> bool:
        """Whether the driver compiles, which no timeout counts."""
        return self._backend.is_compiling

    def wait(self, timeout_ns: int) -> None:
        self.executable.wait(timeout_ns)

    def finish(self, timeout_ns: int) -> Result:
        """Wait, and give the result of a single dispatch.

        After a timeout the device is not usable until the work has ended.
        """
        try:
            self.executable.finish(timeout_ns)
        except BaseException:
            self._home.drop(self)
            raise
        (outcome,) = self._outcomes().values()
        self._home.give_back(self)
        return self._origins[None].result(outcome)

    def results(self) -> Results:
        """A copy of what it left."""
        with self._backend.in_use():
            return Results(self._origins, self._outcomes())

    def _outcomes(self) -> Mapping[Any, Outcome]:
        elapsed_ns = perf_counter_ns() - self._started_ns if self._home.host_clock else None
        found = self.executable.outcomes(elapsed_ns)
        if self._backend.on_dispatch:
            self._report_times(found)
        return found

    def _report_times(self, outcomes: Mapping[Any, Outcome]) -> None:
        for step, outcome in outcomes.items():
            duration = outcome.duration
            if duration is not None and not isinstance(duration, int):
                for call in self._backend.on_dispatch:
                    call(self._origins[step].name, duration.duration_ns)

    def give_back(self) -> None:
        self._home.give_back(self)

    def drop(self) -> None:
        self._home.drop(self)


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
