"""RecordedWork: the steps of a recording, submitted repeatedly."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.backend import Backend
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS
from vkrunner.dispatch.executable import Executable, Input, Plan
from vkrunner.dispatch.future import RecordingFuture
from vkrunner.dispatch.steps import DispatchStep, Step
from vkrunner.dispatch.submission import Origins, Submission, origin_of
from vkrunner.errors import ClosedError
from vkrunner.resources.device_objects import object_of

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
