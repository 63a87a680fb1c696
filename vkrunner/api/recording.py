"""Recording: several dispatches, copies and clears, recorded once and submitted repeatedly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Never, TypeVar

from translate.interface import line_of
from vkrunner.api.kernel import Kernel, dispatch_step
from vkrunner.binding.arguments import Place
from vkrunner.binding.registers import Key, unnamed_error
from vkrunner.dispatch.context import Backend
from vkrunner.dispatch.future import RecordedWork, RecordingFuture, Replacements
from vkrunner.dispatch.groups import Indirect, check_indirect
from vkrunner.dispatch.steps import (
    CopyStep,
    DispatchStep,
    FillStep,
    Step,
    Updates,
    clear_step,
    copy_step,
    counter_copy_step,
    counter_step,
)
from vkrunner.errors import ClosedError, UnknownNameError
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import Closing, check_owner
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.values.numbers import Array

S = TypeVar("S", bound=Step)


class Recording(Closing):
    """Steps that run in their order; made by `Device.record`.

    Each step sees the writes of earlier steps; steps without common resources may overlap. Arrays
    are copied when they are recorded. Every submission begins with these copies, and returns new
    arrays. The end of the `with`, or the first `submit`, ends the recording. Several threads may
    submit it.

    Examples
    --------
    >>> import numpy as np
    >>> import vkrunner
    >>> with vkrunner.open_device() as device:
    ...     kernel = device.kernel("shaders/saxpy.dxbc")
    ...     x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    ...     with device.record() as work:
    ...         step = work.dispatch(kernel, 1, x=x, y=y, Params={"a": 2, "count": 4})
    ...     print(work.submit().result(step).y)
    ...     print(work.submit({step: {"x": x + 1}}).result(step).y)
    [1. 3. 5. 7.]
    [3. 5. 7. 9.]
    """

    def __init__(self, backend: Backend, *, timestamps: bool):
        self._backend = backend
        self._has_ended = False
        self._work = RecordedWork(backend, timestamps=timestamps)

    def dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int],
        /,
        *unnamed: Never,
        bindings: Mapping[Key, Any] | None = None,
        strict: bool = True,
        **resources: Any,
    ) -> DispatchStep:
        """Record a dispatch.

        Parameters
        ----------
        kernel : Kernel
            A kernel of the same device.
        groups
            See `Kernel.dispatch`.
        *unnamed
            See `Kernel.dispatch`.
        bindings
            See `Kernel.dispatch`.
        strict
            See `Kernel.dispatch`.
        **resources
            See `Kernel.dispatch`.

        Returns
        -------
        DispatchStep
            Names the step to `submit` and to `Future.result`.

        Raises
        ------
        RunnerError
            As `Kernel.dispatch` raises for its arguments.
        """
        if unnamed:
            raise unnamed_error(unnamed, kernel.interface)
        with self._backend.context.in_use():
            return self._add_dispatch(kernel, groups, resources, bindings, strict)

    def dispatch_indirect(
        self,
        kernel: Kernel,
        buffer: Buffer,
        offset: int = 0,
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        strict: bool = True,
        **resources: Any,
    ) -> DispatchStep:
        """Record a dispatch; the number of thread groups is read from a buffer when the step runs.

        Parameters
        ----------
        kernel : Kernel
            A kernel of the same device.
        buffer
            See `Kernel.dispatch_indirect`.
        offset
            See `Kernel.dispatch_indirect`.
        bindings
            See `Kernel.dispatch_indirect`.
        strict
            See `Kernel.dispatch_indirect`.
        **resources
            See `Kernel.dispatch_indirect`.

        Returns
        -------
        DispatchStep
            Names the step to `submit` and to `Future.result`.

        Raises
        ------
        RunnerError
            As `Kernel.dispatch_indirect` raises for its arguments.
        """
        with self._backend.context.in_use():
            groups = check_indirect(self._backend, buffer, offset)
            return self._add_dispatch(kernel, groups, resources, bindings, strict)

    def copy(
        self,
        source: Buffer | BufferView | Texture | TextureView | Array,
        target: Buffer | BufferView | Texture | TextureView,
    ) -> CopyStep:
        """Record a copy from buffer to buffer, from texture to texture, or from an array to either.

        Parameters
        ----------
        source : Buffer, BufferView, Texture, TextureView or array_like
            The source of the copy. An array can be replaced in `submit` by the name "source".
        target : Buffer, BufferView, Texture or TextureView
            A buffer needs as many bytes as the source, a texture the source's format and extents.
            An array is copied to the first mip of a view.

        Returns
        -------
        CopyStep
            Names the step to `submit`.

        Raises
        ------
        ArgumentError
            Source and target do not fit each other, or overlap.
        """
        return self._add(copy_step(source, target))

    def clear(
        self, target: Buffer | BufferView | Texture | TextureView, value: Any = 0
    ) -> CopyStep | FillStep:
        """Record a clear: set each element of a buffer, or each texel of a texture's first mip.

        Parameters
        ----------
        target : Buffer, BufferView, Texture or TextureView
            The resource to clear.
        value : number or sequence of numbers, optional
            A number of the buffer's or texture's dtype, or one for each component of a texture. If
            numbers of the buffer's dtype do not have 1, 2 or 4 bytes, only 0 is allowed.

        Returns
        -------
        CopyStep or FillStep
            Names the step.

        Raises
        ------
        ArgumentError
            The value does not fit.
        """
        return self._add(clear_step(target, value))

    def set_counter(self, buffer: Buffer, value: int = 0) -> FillStep:
        """Record that the hidden counter of a buffer is set to a value.

        Parameters
        ----------
        buffer : Buffer
            A buffer with a counter.
        value : int, optional
            From 0 to 2^32 - 1.

        Returns
        -------
        FillStep
            Names the step.

        Raises
        ------
        ArgumentError
            The buffer has no counter, or the value does not fit.
        """
        return self._add(counter_step(buffer, value))

    def copy_counter(self, buffer: Buffer, target: Buffer | BufferView) -> CopyStep:
        """Record a copy of a buffer's hidden counter to four bytes (D3D's CopyStructureCount).

        Parameters
        ----------
        buffer : Buffer
            A buffer with a counter.
        target : Buffer or BufferView
            Four bytes: `target.view(first_element, 1)` is one dword of a buffer.

        Returns
        -------
        CopyStep
            Names the step.

        Raises
        ------
        ArgumentError
            The buffer has no counter, or the target is of another size.
        """
        return self._add(counter_copy_step(buffer, target))

    def submit(self, updates: Updates | None = None) -> RecordingFuture:
        """Submit all steps and return at once.

        Parameters
        ----------
        updates : mapping of step to mapping of str to value, optional
            Arrays and constants for this submission that replace recorded ones of the same dtype
            and shape: `work.submit({step: {"x": array, "Params": {...}}})`. They have been copied
            when this returns. Submissions in flight do not change.

        Returns
        -------
        Future
            The work, to be waited for.

        Raises
        ------
        ArgumentError
            An object that the recording uses was closed, or an update does not fit.
        """
        self._has_ended = True
        with self._backend.context.in_use():
            self._work.check_open()
            return self._work.submit(self._replacements(updates) if updates else {})

    def close(self) -> None:
        """Free the recorded steps when their work has ended. A second call does nothing."""
        self._has_ended = True
        self._work.close()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the recording, so that it can only be submitted; after an error, close it."""
        self._has_ended = True
        if kind is not None:
            self.close()

    def __repr__(self) -> str:
        steps, dispatches = len(self._work.steps), len(self.dispatches)
        return line_of(self, f"steps: {steps}", f"dispatches: {dispatches}", self._state)

    @property
    def _state(self) -> str:
        if self._work.closed:
            return "closed"
        if self._backend.context.closed:
            return "its device is closed"
        return "to be submitted" if self._has_ended else "being recorded"

    @property
    def dispatches(self) -> list[DispatchStep]:
        """The dispatches among the steps."""
        return self._work.dispatches

    def _add_dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
        strict: object,
    ) -> DispatchStep:
        step = dispatch_step(kernel, groups, resources, bindings, strict)
        return self._add(step.with_copies())

    def _add(self, step: S) -> S:
        if self._has_ended:
            raise ClosedError("the recording has ended")
        for child in step.needs:
            check_owner(child, self._backend)
        self._work.steps.append(step)
        return step

    def _replacements(self, updates: Updates) -> Replacements:
        found: dict[tuple[Step, Place], Any] = {}
        for step, values in updates.items():
            if not any(step is own for own in self._work.steps):
                raise UnknownNameError(f"{step!r} is not a step of this recording")
            for name, value in values.items():
                place, replaceable = step.replaceable(name)
                found[step, place] = replaceable.check(value)
        return found
