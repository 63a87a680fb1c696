"""Executable: recorded steps that are submitted again and again, with memory for their arrays.

Recordings and single dispatches both have some, and hand each from one `DeviceSubmission` to the
next: one command buffer serves one submission at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from time import perf_counter_ns
from typing import Any, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.future import Collected, chosen
from vkrunner.report import Violations
from vkrunner.result import Duration, Resident, Result, ResultLayout
from vkrunner.values.arrays import Array
from vkrunner.vulkan.command_list import CommandList, Step
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.prepared import Prepared
from vkrunner.vulkan.reading import StepTime
from vkrunner.vulkan.staging import Input


class Origin:
    """The parts of a dispatch's result that no submission changes: its names and its residents."""

    __slots__ = ("layout", "name", "residents")

    def __init__(self, name: str, layout: ResultLayout, residents: Mapping[Place, Resident]):
        self.name = name  # the kernel's
        self.layout = layout
        self.residents = residents


Origins = Mapping[Any, Origin]  # by dispatch
Left = tuple[Mapping[Place, Array], Violations | None]


class Executable:
    """Steps on the device, by what `Future.result` calls them.

    A recording's is freed when it is collected. That of a plan (`is_planned`) is freed by the plan
    and with the device: a finalizer, which holds what it frees, would keep the device alive.
    """

    def __init__(
        self,
        logical: LogicalDevice,
        make: Callable[[ExitStack], Mapping[Any, Step]],
        *,
        timed: bool,
        is_planned: bool = False,
    ):
        self._logical = logical
        self.stack = logical.own(None if is_planned else self)
        try:
            steps = make(self.stack)
            self.work = CommandList(logical, [*steps.values()], self.stack, timed=timed)
        except BaseException:
            logical.release(self.stack)
            raise
        self.inputs = {name: step.inputs for name, step in steps.items()}
        every = [there for inputs in self.inputs.values() for there in inputs.values()]
        self.nbytes = sum(there.target.nbytes for there in every)
        self._dispatches = {n: step for n, step in steps.items() if isinstance(step, Prepared)}
        self._reported = [step for step in self._dispatches.values() if step.has_report]
        self._left = {n: step for n, step in self._dispatches.items() if step.has_outputs}
        self.has_outputs = bool(self._left)
        self._spent = {there for there in every if there.is_spent}
        self._stale: set[Input] = set()  # inputs without their recorded data

    def write(self, values: Mapping[Input, Any]) -> None:
        """Write the inputs of a submission.

        Inputs that `values` leaves out get their recorded data. Raises ArgumentError for constants
        that do not fit, and as `CommandList.settle`.
        """
        if self.work.is_timed:
            self.work.settle()
        stale = self._stale
        self._stale = stale.union(self._spent, values)  # until all is written
        for there in stale.difference(values):
            there.restore()
        for there, value in values.items():
            there.write(value)
        self._stale = self._spent.union(values)
        for step in self._reported:
            step.clear_report()

    def copy(self, origins: Origins, elapsed_ns: int | None) -> Copied:
        """A copy of the results of an ended submission; `elapsed_ns` if the host timed it."""
        durations = self._durations(origins, elapsed_ns)
        left: dict[Any, Left] = {}
        for name, step in self._left.items():
            left[name] = _left(step)
        return Copied(origins, left, durations)

    def result(self, origins: Origins, name: Any, elapsed_ns: int | None) -> Result:
        """The result of the only dispatch, after its submission has ended."""
        durations = self._durations(origins, elapsed_ns)
        return _result(origins[name], _left(self._dispatches[name]), durations.get(name))

    def _durations(self, origins: Origins, elapsed_ns: int | None) -> Mapping[Any, Duration]:
        """The time of each dispatch, which is fetched when asked for, or for a profile."""
        reading = self.work.reading() if self.work.is_timed else None
        if reading is None:
            if elapsed_ns is None:
                return _UNTIMED
            return {n: 0 if s.is_nothing else elapsed_ns for n, s in self._dispatches.items()}
        durations: dict[Any, Duration] = {}
        for name, step in self._dispatches.items():
            number = len(durations)
            durations[name] = 0 if step.is_nothing else StepTime(reading, number)
        for call in self._logical.on_dispatch:
            for name, time in durations.items():
                if isinstance(time, StepTime):
                    call(origins[name].name, time.duration_ns)
        return durations


_UNTIMED: Mapping[Any, Duration] = {}


def _left(step: Prepared) -> Left:
    arrays: dict[Place, Array] = {}
    for place, output in step.outputs.items():
        arrays[place] = output.read()
    return arrays, step.violations() if step.has_report else None


def _result(origin: Origin, left: Left, duration: Duration) -> Result:
    layout, (arrays, violations) = origin.layout, left
    result = Result(layout.interface, *layout.contents(arrays, origin.residents), duration)
    if violations is not None:
        result.violations = violations
    return result


class Copied:
    """What a submission left; a result is made of it when it is asked for."""

    def __init__(
        self,
        origins: Origins,
        left: Mapping[Any, Left],
        durations: Mapping[Any, Duration],
    ):
        self._origins = origins
        self._left = left
        self._durations = durations
        self._results: dict[Any, Result] = {}

    @property
    def duration_ns(self) -> int | None:
        """The time of all dispatches together."""
        if not self._durations:
            return None
        return sum(self.result(step).duration_ns or 0 for step in self._durations)

    def result(self, step: Any) -> Result:
        step = chosen(self._origins, step)
        found = self._results.get(step)
        if found is None:
            left, duration = self._left.get(step, _NOTHING), self._durations.get(step)
            found = self._results.setdefault(step, _result(self._origins[step], left, duration))
        return found


_NOTHING: Left = {}, None


class Home(Protocol):
    """Where an executable is while no submission has it.

    `host_clock`: the host measures how long its submissions take, if the device does not.
    """

    host_clock: bool

    def give_back(self, submission: DeviceSubmission) -> None:
        """Of work that has ended, and whose results were copied or are not wanted."""
        ...

    def drop(self, submission: DeviceSubmission) -> None:
        """Of work that may be in flight; called from anywhere, a finalizer included."""
        ...


class DeviceSubmission:
    """One submission of an executable: a `futures.Submission`."""

    def __init__(
        self, logical: LogicalDevice, executable: Executable, origins: Origins, home: Home
    ):
        self._logical = logical
        self.executable = executable
        self.has_outputs = executable.has_outputs
        self._origins = origins
        self._home = home
        self._started_ns = 0

    def start(self, values: Mapping[Input, Any]) -> None:
        """Bring its data to the device and submit it. Raises as `Executable.write` and `submit`."""
        try:
            self.executable.write(values)
            self._started_ns = perf_counter_ns()
            self._logical.queue.submit(self.executable.work)
        except BaseException:  # Ctrl-C may come when it is in flight
            self._home.drop(self)
            raise

    def has_ended(self) -> bool:
        return self._logical.has_ended(self.executable.work)

    def is_compiling(self) -> bool:
        return self._logical.is_compiling

    def wait(self, timeout_ns: int) -> None:
        self._logical.wait(self.executable.work, timeout_ns)

    def finish(self, timeout_ns: int) -> Result:
        """Wait, and give the result of a single dispatch.

        After a timeout the device is not usable until the work has ended.
        """
        try:
            self._logical.finish(self.executable.work, timeout_ns)
        except BaseException:
            self._home.drop(self)
            raise
        result = self.executable.result(self._origins, None, self._elapsed_ns())
        self._home.give_back(self)
        return result

    def results(self) -> Collected:
        with self._logical.in_use():
            return self.executable.copy(self._origins, self._elapsed_ns())

    def _elapsed_ns(self) -> int | None:
        return perf_counter_ns() - self._started_ns if self._home.host_clock else None

    def give_back(self) -> None:
        self._home.give_back(self)

    def drop(self) -> None:
        self._home.drop(self)
