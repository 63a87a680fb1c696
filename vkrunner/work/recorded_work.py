"""RecordedWork: the steps of a recording, and what submits them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.errors import ArgumentError
from vkrunner.resources.collected import Reference
from vkrunner.resources.device_objects import object_of
from vkrunner.work.backend import Backend, Executable, Input
from vkrunner.work.future import DEFAULT_TIMEOUT_NS, RecordingFuture
from vkrunner.work.plan_cache import Plan
from vkrunner.work.steps import DispatchStep, Step
from vkrunner.work.submission import Origins, Submission, origin_of

MOST_IN_FLIGHT = 8

Replacements = Mapping[tuple[Step, Place], Any]


class RecordedWork:
    """Steps that are submitted together; the home of their executables.

    One executable serves one submission at a time. While it is in flight, or its results have not
    been fetched, a further submission gets another one, up to MOST_IN_FLIGHT.
    """

    def __init__(self, backend: Backend, *, timestamps: bool):
        self.steps: list[Step] = []
        self._backend = backend
        self._closed = False
        self._seen_closings = backend.closings
        self._timestamps = timestamps and backend.info.features.timestamps
        self._plan: Plan[Executable] = Plan()
        # By weak references to their submissions, oldest first; whoever pops one has it alone
        self._busy: dict[Reference, Executable] = {}
        backend.plans.watch(self._plan)
        backend.settle_before_close(self)

    @property
    def dispatches(self) -> list[DispatchStep]:
        """The dispatches among the steps."""
        return [step for step in self.steps if isinstance(step, DispatchStep)]

    @property
    def closed(self) -> bool:
        return self._closed

    def submit(self, replacements: Replacements) -> RecordingFuture:
        """Submit the steps with other arrays in place of some of theirs."""
        self._check_closed()
        executable = self._take()
        values: dict[Input, Any] = {}
        for (step, place), value in replacements.items():
            values[executable.inputs[step][place]] = value
        submission = Submission(self._backend, executable, self._origins, self)
        try:
            executable.start(values, DEFAULT_TIMEOUT_NS)
        finally:
            self._busy[Reference(submission)] = executable
        if self._closed:  # by another thread, which has not seen this submission
            self._drop_busy()
        if self._backend.closed:  # by another thread, which has settled the others
            submission.settle()
        return RecordingFuture(submission)

    def _take(self) -> Executable:
        """An executable that is not in flight, and that no other thread has."""
        timed = self._timestamps or self._is_profiled
        while True:
            executable = self._plan.take() or self._take_forgotten()
            if executable is None:
                if len(self._busy) < MOST_IN_FLIGHT:
                    return self._encode(timed=timed)
                self._finish_oldest()
            elif executable.is_timed or not timed:
                return executable

    def _encode(self, *, timed: bool) -> Executable:
        steps = {step: step for step in self.steps}
        made = self._backend.encode(steps, timed=timed, is_recorded=True)
        self._plan.tokens = made.tokens
        self.check_open()  # else another thread closed what was not known to be used yet
        return made

    @property
    def _is_profiled(self) -> bool:
        backend = self._backend
        return bool(backend.on_dispatch) and backend.info.features.timestamps

    def _take_forgotten(self) -> Executable | None:
        """One that has ended, and whose results cannot be asked for any more."""
        for reference, executable in list(self._busy.items()):
            if reference() is None and executable.has_ended() and self._busy.pop(reference, None):
                return executable
        return None

    def _finish_oldest(self) -> None:
        """Wait for the oldest submission; results that may be asked for are fetched."""
        busy = list(self._busy.items())  # of which other threads may pop some
        if not busy:
            return
        reference, executable = busy[0]
        submission = reference()
        if submission is not None:
            submission.results(DEFAULT_TIMEOUT_NS)
        else:
            executable.wait(executable.serial, DEFAULT_TIMEOUT_NS)
        self._give_back(reference)  # which Ctrl-C may have kept the submission from

    def give_back(self, executable: Executable) -> None:
        """Of work that has ended, and whose results were copied or are not wanted."""
        for reference, busy in list(self._busy.items()):
            if busy is executable:
                self._give_back(reference)

    def _give_back(self, reference: Reference) -> None:
        executable = self._busy.pop(reference, None)
        if executable is not None:
            with self._backend.lock:
                if self._plan.is_kept:
                    self._plan.idle.append(executable)

    def settle(self) -> None:
        """Fetch the results of what is in flight, for its memory is going to be freed."""
        for reference in list(self._busy):
            submission = reference()
            if submission is not None:
                submission.settle()

    def check_open(self) -> None:
        """Raises ArgumentError when it, or an object that it uses, is closed."""
        self._check_closed()
        self._backend.check_alive()  # the queue itself checks whether it can be used
        if self._seen_closings != self._backend.closings:
            seen = self._backend.closings
            for step in self.steps:
                for child in step.needs:
                    object_of(child)
            self._seen_closings = seen

    def _check_closed(self) -> None:
        if self._closed:
            raise ArgumentError("the recording is closed")

    def close(self) -> None:
        """Free the executables, when work in flight has ended; harmless a second time."""
        self._closed = True
        if not self._backend.is_here:
            return
        with self._backend.lock:
            self._plan.drop()
        self._drop_busy()
        self._backend.collect()

    def _drop_busy(self) -> None:
        """Leave what is in flight to its futures."""
        for reference in list(self._busy):
            submission = reference()
            if submission is not None:
                self._backend.settle_before_close(submission)
            self._busy.pop(reference, None)

    @cached_property
    def _origins(self) -> Origins:
        """The parts of results that all submissions share; valid once the recording has ended."""
        return {step: origin_of(step) for step in self.dispatches}
