"""Recording: several dispatches, copies and clears, recorded once and submitted repeatedly."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from threading import RLock
from types import TracebackType
from typing import Any, TypeVar

from vkrunner.backend import Backend, Executable, Input
from vkrunner.binding.arguments import Place
from vkrunner.binding.registers import Key
from vkrunner.closing import Closing
from vkrunner.errors import ArgumentError
from vkrunner.future import DEFAULT_TIMEOUT_S, Future, nanoseconds
from vkrunner.groups import Indirect, check_indirect
from vkrunner.kernel import Kernel, dispatch_step
from vkrunner.plan_cache import Plan
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.result import ResultLayout, residents_of
from vkrunner.steps import (
    CopyStep,
    DispatchStep,
    FillStep,
    Step,
    Updates,
    clear_step,
    copy_step,
    counter_step,
)
from vkrunner.submission import Origin, Origins, Submission
from vkrunner.values.arrays import Array

MOST_IN_FLIGHT = 8
_TIMEOUT_NS = nanoseconds(DEFAULT_TIMEOUT_S)

S = TypeVar("S", bound=Step)
Replacements = dict[tuple[Step, Place], Any]


class Recording(Closing):
    """Steps that are run in their order; made by `Device.record`.

    Each step sees what those before it wrote; steps that have nothing to do with each other may
    overlap. Arrays are copied when they are recorded, every submission begins with them, and gives
    new ones back. The end of the `with`, or the first `submit`, ends the recording. Several threads
    may submit it.
    """

    host_clock = False

    def __init__(self, backend: Backend, *, timestamps: bool):
        self._backend = backend
        self._steps: list[Step] = []
        self._has_ended = False
        self._closed = False
        self._seen_closings = backend.closings
        self._timestamps = timestamps and backend.info.features.timestamps
        self._lock = RLock()
        # One executable serves one submission at a time. While it is in flight, or its results have
        # not been fetched, a further submission gets another one, up to MOST_IN_FLIGHT.
        self._plan: Plan[Executable] = Plan()
        # With weak references to their submissions, oldest first
        self._busy: dict[Executable, Callable[[], Submission | None]] = {}
        backend.plans.watch(self._plan)
        backend.settle_before_close(self)

    def dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        **resources: Any,
    ) -> DispatchStep:
        """A dispatch; what it gives names the step to `submit` and to `Future.result`.

        Arguments and errors are those of `Kernel.dispatch`.
        """
        return self._add_dispatch(kernel, groups, resources, bindings)

    def dispatch_indirect(
        self,
        kernel: Kernel,
        buffer: Buffer,
        offset: int = 0,
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        **resources: Any,
    ) -> DispatchStep:
        """A dispatch of as many groups as a buffer says when it is run; see `Kernel`."""
        groups = check_indirect(self._backend, buffer, offset)
        return self._add_dispatch(kernel, groups, resources, bindings)

    def copy(
        self,
        source: Buffer | BufferView | Texture | TextureView | Array,
        target: Buffer | BufferView | Texture | TextureView,
    ) -> CopyStep:
        """A copy from buffer to buffer, from texture to texture, or from an array to either.

        Buffers need as many bytes, textures the same format and extents; an array goes to the first
        mip of a view. The array can be replaced in `submit` by the name "source". Raises
        ArgumentError for what does not fit, and for source and target that overlap.
        """
        return self._add(copy_step(source, target))

    def clear(
        self, target: Buffer | BufferView | Texture | TextureView, value: Any = 0
    ) -> CopyStep | FillStep:
        """Every element of a buffer, or texel of a texture's first mip, made `value`.

        It is a number of the buffer's dtype, which has 1, 2 or 4 bytes (of others it is 0), or of
        the texture's, or one for each component. Raises ArgumentError for another.
        """
        return self._add(clear_step(target, value))

    def set_counter(self, buffer: Buffer, value: int = 0) -> FillStep:
        """The hidden counter of a buffer made `value`. Raises ArgumentError without a counter."""
        return self._add(counter_step(buffer, value))

    def submit(self, updates: Updates | None = None) -> Future:
        """Hand all steps to the device and return at once.

        `updates` replaces arrays and constants of this submission by others of the same dtype and
        shape, by step and name: `work.submit({step: {"x": array, "Params": {...}}})`. They were
        read when this returns. A submission that is still in flight is not changed.
        Raises ArgumentError for what was closed meanwhile, and for updates that do not fit.
        """
        self._has_ended = True
        with self._backend.in_use():
            self.check_open()
            return self._submit(self._replacements(updates) if updates else {})

    def check_open(self) -> None:
        """Raises ArgumentError when it, or something that it needs, is closed."""
        self._check_closed()
        self._backend.check_alive()  # the queue itself tells whether it can be used
        if self._seen_closings != self._backend.closings:
            seen = self._backend.closings
            for step in self._steps:
                step.check_open()
            self._seen_closings = seen

    def _check_closed(self) -> None:
        if self._closed:
            raise ArgumentError("the recording is closed")

    def close(self) -> None:
        """Free what was recorded, when work in flight has ended; harmless a second time."""
        self._closed = True
        self._has_ended = True
        if not self._backend.is_here:
            return
        with self._lock:
            submissions = [reference() for reference in self._busy.values()]
            self._busy.clear()
            with self._backend.lock:
                self._plan.drop()
        for submission in submissions:
            if submission is not None:
                self._backend.settle_before_close(submission)
        del submissions
        self._backend.collect()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """The end of the recording; the recording stays, unless an error ended it."""
        self._has_ended = True
        if kind is not None:
            self.close()

    @property
    def dispatches(self) -> list[DispatchStep]:
        """The dispatches among the steps."""
        return [step for step in self._steps if isinstance(step, DispatchStep)]

    def _add_dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> DispatchStep:
        step = dispatch_step(kernel, groups, resources, bindings)
        if step.pipeline.owner is not self._backend:
            raise ArgumentError("the kernel belongs to another device")
        return self._add(step.with_copies())

    def _add(self, step: S) -> S:
        if self._has_ended:
            raise ArgumentError("the recording has ended")
        step.check_open()
        for region in step.regions:
            if region.memory.owner is not self._backend:
                raise ArgumentError("a buffer or texture belongs to another device")
        self._steps.append(step)
        return step

    def _replacements(self, updates: Updates) -> Replacements:
        found: Replacements = {}
        for step, values in updates.items():
            if not any(step is own for own in self._steps):
                raise ArgumentError(f"{step!r} is not a step of this recording")
            for name, value in values.items():
                place, replaceable = step.replaceable(name)
                found[step, place] = replaceable.check(value)
        return found

    @cached_property
    def _origins(self) -> Origins:
        """The parts of results that all submissions share; valid once the recording has ended."""
        return {
            step: Origin(
                step.name,
                ResultLayout(step.pipeline.interface, step.arguments),
                residents_of(step.arguments),
            )
            for step in self.dispatches
        }

    def _submit(self, replacements: Replacements) -> Future:
        with self._lock:
            self._check_closed()  # it may have been closed while we waited
            executable = self._take()
            values: dict[Input, Any] = {}
            for (step, place), value in replacements.items():
                values[executable.inputs[step][place]] = value
            submission = Submission(self._backend, executable, self._origins, self)
            self._busy[executable] = _no_submission
            submission.start(executable, values, _TIMEOUT_NS)
            self._busy[executable] = weakref.ref(submission)
        if self._backend.closed:  # by another thread, which has settled the others
            submission.settle()
        return Future(submission)

    def _take(self) -> Executable:
        """An executable that is not in flight."""
        timed = self._timestamps or self._is_profiled
        while True:
            with self._backend.lock:
                executable = self._plan.idle.pop() if self._plan.idle else None
            if executable is None:
                executable = self._take_forgotten()
            if executable is None:
                if len(self._busy) < MOST_IN_FLIGHT:
                    return self._encode(timed=timed)
                self._finish_oldest()
            elif executable.is_timed or not timed:
                return executable

    def _encode(self, *, timed: bool) -> Executable:
        steps = {step: step for step in self._steps}
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
        for executable, reference in list(self._busy.items()):
            if reference() is None and executable.has_ended():
                self._busy.pop(executable, None)
                return executable
        return None

    def _finish_oldest(self) -> None:
        """Wait for the oldest submission; results that may be asked for are fetched."""
        busy = list(self._busy)  # which other threads give back without our lock
        if not busy:
            return
        executable = busy[0]
        submission = self._busy.get(executable, _no_submission)()
        if submission is not None:
            submission.results(_TIMEOUT_NS)
        elif not executable.has_ended():  # as it has if Ctrl-C came before it was submitted
            executable.wait(_TIMEOUT_NS)
        self.give_back(executable)  # which Ctrl-C may have kept the submission from

    def give_back(self, executable: Executable) -> None:
        """Of work that has ended, and whose results were copied or are not wanted."""
        if self._busy.pop(executable, None) is not None:
            with self._backend.lock:
                if self._plan.is_kept:
                    self._plan.idle.append(executable)

    def settle(self) -> None:
        """Fetch the results of what is in flight, for its memory is going to be freed."""
        for reference in list(self._busy.values()):
            submission = reference()
            if submission is not None:
                submission.settle()


def _no_submission() -> None:
    """In place of a weak reference to a submission."""
