"""Recording: several dispatches, copies and clears, recorded once and submitted repeatedly."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from vkrunner.binding.arguments import Place
from vkrunner.binding.registers import Key
from vkrunner.closing import Closing
from vkrunner.errors import ArgumentError
from vkrunner.future import Future
from vkrunner.kernel import Kernel
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.textures import Texture, TextureView
from vkrunner.steps import (
    Recorded,
    RecordedCopy,
    RecordedDispatch,
    RecordedFill,
    Updates,
    recorded_clear,
    recorded_copy,
    recorded_counter,
    snapshot,
)
from vkrunner.values.arrays import Array
from vkrunner.vulkan.dispatch import Indirect, check_indirect
from vkrunner.vulkan.logical import LogicalDevice

R = TypeVar("R", bound=Recorded)
Replacements = dict[tuple[Recorded, Place], Any]


class Recording(Closing):
    """Steps that are run in their order; made by `Device.record`.

    Each step sees what those before it wrote; steps that have nothing to do with each other may
    overlap. Arrays are copied when they are recorded, every submission begins with them, and gives
    new ones back. The end of the `with`, or the first `submit`, ends the recording. Several threads
    may submit it.
    """

    def __init__(self, logical: LogicalDevice):
        self._logical = logical
        self._steps: list[Recorded] = []
        self._has_ended = False
        self._closed = False
        self._seen_closings = logical.closings

    def dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        **resources: Any,
    ) -> RecordedDispatch:
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
    ) -> RecordedDispatch:
        """A dispatch of as many groups as a buffer says when it is run; see `Kernel`."""
        groups = check_indirect(self._logical, buffer, offset)
        return self._add_dispatch(kernel, groups, resources, bindings)

    def copy(
        self,
        source: Buffer | BufferView | Texture | TextureView | Array,
        target: Buffer | BufferView | Texture | TextureView,
    ) -> RecordedCopy:
        """A copy from buffer to buffer, from texture to texture, or from an array to either.

        Buffers need as many bytes, textures the same format and extents; an array goes to the first
        mip of a view. The array can be replaced in `submit` by the name "source". Raises
        ArgumentError for what does not fit, and for source and target that overlap.
        """
        return self._add(recorded_copy(source, target))

    def clear(
        self, target: Buffer | BufferView | Texture | TextureView, value: Any = 0
    ) -> RecordedCopy | RecordedFill:
        """Every element of a buffer, or texel of a texture's first mip, made `value`.

        It is a number of the buffer's dtype, which has 1, 2 or 4 bytes (of others it is 0), or of
        the texture's, or one for each component. Raises ArgumentError for another.
        """
        return self._add(recorded_clear(target, value))

    def set_counter(self, buffer: Buffer, value: int = 0) -> RecordedFill:
        """The hidden counter of a buffer made `value`. Raises ArgumentError without a counter."""
        return self._add(recorded_counter(buffer, value))

    def submit(self, updates: Updates | None = None) -> Future:
        """Hand all steps to the device and return at once.

        `updates` replaces arrays and constants of this submission by others of the same dtype and
        shape, by step and name: `work.submit({step: {"x": array, "Params": {...}}})`. They were
        read when this returns. A submission that is still in flight is not changed.
        Raises ArgumentError for what was closed meanwhile, and for updates that do not fit.
        """
        self._has_ended = True
        with self._logical.in_use():
            self.check_open()
            return self._submit(self._replacements(updates) if updates else {})

    def check_open(self) -> None:
        """Raises ArgumentError when it, or something that it needs, is closed."""
        self._check_closed()
        self._logical.check_alive()  # the queue itself tells whether it can be used
        if self._seen_closings != self._logical.closings:
            seen = self._logical.closings
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
    def dispatches(self) -> list[RecordedDispatch]:
        """The dispatches among the steps."""
        return [step for step in self._steps if isinstance(step, RecordedDispatch)]

    def _add_dispatch(
        self,
        kernel: Kernel,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> RecordedDispatch:
        if kernel.logical is not self._logical:
            raise ArgumentError("the kernel belongs to another device")
        return self._add(
            RecordedDispatch(kernel, snapshot(kernel.request(groups, resources, bindings)))
        )

    def _add(self, step: R) -> R:
        if self._has_ended:
            raise ArgumentError("the recording has ended")
        step.check_open()
        for region in step.regions:
            if region.logical is not self._logical:
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

    @abstractmethod
    def _submit(self, replacements: Replacements) -> Future: ...
