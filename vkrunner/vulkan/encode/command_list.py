"""CommandList: steps recorded into one command buffer, with only the necessary barriers; its Clock.

Arrays are copied from the host first, and results to the host last. A barrier separates two steps
if one writes memory that the other uses. A first barrier orders the steps after earlier
submissions. Source of the timestamps: Vulkan specification, "Queries".
"""

from __future__ import annotations

import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from types import MappingProxyType
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.result import Span
from vkrunner.errors import RunnerError
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.device.commands import (
    AFTER_ALL,
    AFTER_COPY,
    BEFORE_ALL,
    BEFORE_COPY,
    BEFORE_HOST,
    CommandBuffer,
    Hazards,
    ResourceUse,
    record_barrier,
    tokens_of,
)
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Owner
from vkrunner.vulkan.objects.images import ImageCopy
from vkrunner.vulkan.objects.storage import StagingBuffer

_QUERY_BYTES = 8
Write = Callable[[Any], None]


class Clock:
    """Timestamps around steps of a command buffer. Each is taken when all earlier work has ended.

    `lock` is held while the timestamps are fetched. A clock does not refer to the device.
    """

    def __init__(self, logical: LogicalDevice, steps: int):
        self.lock = RLock()
        self.context = logical.context
        self._latest: Callable[[], Reading | None] = _no_reading
        self._count = 2 * steps
        self._mask, self._period_ns = (
            logical.timestamp_mask,
            logical.info.limits.timestamp_period_ns,
        )
        info = vk.struct(
            "VkQueryPoolCreateInfo",
            queryType=vk.constant("VK_QUERY_TYPE_TIMESTAMP"),
            queryCount=self._count,
        )
        self._pool = logical.create("VkQueryPool", info, logical.own(self))
        self._ticks = vk.ffi().new("uint64_t[]", self._count)
        self._stage = vk.flags("VK_PIPELINE_STAGE", "BOTTOM_OF_PIPE")
        flags, size = vk.flags("VK_QUERY_RESULT", "64", "WAIT"), self._count * _QUERY_BYTES
        into = (0, self._count, size, self._ticks, _QUERY_BYTES, flags)
        self._query = (logical.handle, self._pool, *into)
        self._get = vk.lib().vkGetQueryPoolResults
        self.context.settle_before_close(self)

    def record_reset(self, commands: vk.Handle) -> None:
        """Reset the queries, at the beginning of the command buffer."""
        vk.lib().vkCmdResetQueryPool(commands, self._pool, 0, self._count)

    def record_start(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step)

    def record_end(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step + 1)

    def reading(self) -> Reading:
        """The timestamps of a submission that has ended."""
        made = Reading(self)
        self._latest = weakref.ref(made)
        return made

    def fetch_latest(self) -> None:
        """Fetch timings that callers may still ask for, before the timestamps are overwritten.

        Raises the errors of `Reading.spans`.
        """
        latest = self._latest()
        if latest is not None:
            _ = latest.spans

    def settle(self) -> None:
        """Fetch the latest reading, or store the error, before the device is destroyed."""
        latest = self._latest()
        if latest is not None:
            latest.settle()

    def fetch(self) -> list[Span]:
        """The span of each timed step. Raises the errors of `Reading.spans`."""
        with self.context.in_use():
            self.context.check_usable()
            return self._spans()

    def _spans(self) -> list[Span]:
        vk.check("vkGetQueryPoolResults", self._get(*self._query))
        ticks, mask, period = list(self._ticks), self._mask, self._period_ns
        return [
            (round((start & mask) * period), round((end - start & mask) * period))
            for start, end in zip(ticks[::2], ticks[1::2], strict=True)
        ]


class Reading:
    """The timestamps of one submission that has ended. They are fetched when they are asked for.

    Callers rarely ask, and on some drivers fetching takes longer than a small dispatch: lavapipe
    waits until its queue is idle. Therefore the device's lock is not held meanwhile, and a device
    with stuck work is not asked. A reading refers to its clock until the timestamps are fetched.
    """

    def __init__(self, clock: Clock):
        self._clock: Clock | None = clock
        self._spans: list[Span] = []
        self._error: RunnerError | None = None

    @property
    def spans(self) -> list[Span]:
        """The span of each timed step.

        Raises ArgumentError in a forked process, DispatchTimeout while work still runs that took
        longer than its timeout, and DeviceLostError if the device was lost since.
        """
        clock = self._clock
        if clock is not None:
            clock.context.check_entry()
            with clock.lock:
                if self._clock is not None:  # if None, another thread has fetched them
                    self._spans, self._clock = clock.fetch(), None
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._spans

    def settle(self) -> None:
        """Fetch the timestamps, or store the error."""
        try:
            _ = self.spans
        except RunnerError as error:
            self._error, self._clock = error, None


class StepTime:
    """The time of one timed step; `step` is its number among the timed steps."""

    __slots__ = ("_reading", "_step")

    def __init__(self, reading: Reading, step: int):
        self._reading = reading
        self._step = step

    @property
    def span(self) -> Span:
        """Start and duration. Raises the errors of `Reading.spans`."""
        return self._reading.spans[self._step]

    @property
    def duration_ns(self) -> int:
        """The nanoseconds. Raises the errors of `Reading.spans`."""
        return self.span[1]


def _no_reading() -> None:
    """Called in place of a weak reference to the latest reading, until one is made."""


class Input:
    """`target`: the staging memory of one array argument, which the host writes before submissions.

    `write` writes the caller's value to it: an array of the bound dtype and shape, or any value
    for a constant buffer. `recorded` bytes are used by submissions that get no value; `restore`
    writes them. `is_spent`: the shader writes to this memory, so each submission must write it
    again.
    """

    def __init__(
        self, target: Bytes, write: Write, recorded: Bytes | None, *, is_spent: bool = False
    ):
        self.target = target
        self.write = write
        self.is_spent = is_spent
        self._recorded = recorded

    @property
    def is_recorded(self) -> bool:
        """Whether a submission may omit the value, and use the recorded bytes."""
        return self._recorded is not None

    def restore(self) -> None:
        """Write the recorded bytes."""
        assert self._recorded is not None, "unrecorded arrays come with each submission"
        self.target[:] = self._recorded


class Command(ABC):
    """One step. `uses` are accesses to resources that stay on the device.

    `copies` are the staging memory of array arguments; the host writes it through `inputs` before a
    submission. `is_timed`: the step can be timed; `number` counts such steps from 0. `owners` keep
    the Vulkan objects of the step alive.
    """

    uses: Sequence[ResourceUse] = ()
    copies: Sequence[StagingBuffer | ImageCopy] = ()
    inputs: Mapping[Place, Input] = MappingProxyType({})
    is_timed = False
    number = 0
    owners: Sequence[Owner] = ()

    @abstractmethod
    def record(self, commands: vk.Handle) -> None: ...

    @property
    def may_compile(self) -> bool:
        """Whether the driver may compile during the step's first submission."""
        return False

    def record_compilation(self, commands: vk.Handle) -> None:
        """Record commands that only make the driver compile; for steps with `may_compile`."""
        raise NotImplementedError

    def compile_no_more(self) -> None:
        """Note that the compilation was submitted."""
        raise NotImplementedError


class CommandList(CommandBuffer):
    """The recorded steps; `stack` frees the objects that were made only for them.

    `clock` takes the timestamps of dispatches; None unless `record_steps` was called with `timed`.
    """

    def __init__(self, logical: LogicalDevice):
        self._logical = logical
        self._steps: Sequence[Command] = ()
        self.clock: Clock | None = None
        with logical.lock:
            super().__init__(logical.commands, logical.own)

    def record_steps(self, steps: Sequence[Command], *, timed: bool) -> None:
        """Record the steps, once. With `timed`, add timestamps around the steps with a duration."""
        logical, timed_steps = self._logical, [step for step in steps if step.is_timed]
        self._steps = steps
        for number, step in enumerate(timed_steps):
            step.number = number
        self.clock = Clock(logical, len(timed_steps)) if timed and timed_steps else None
        self.uses = tokens_of(use for step in steps for use in step.uses)
        with logical.lock:
            self.record(self._record)
            if logical.compiles_late and any(step.may_compile for step in steps):
                self.compile_first(self._record_compilation)

    def record_again(self) -> None:
        """Record the steps with their present push constants; they must not be in flight."""
        with self._logical.lock:
            self.record(self._record)

    def compile_no_more(self) -> None:
        super().compile_no_more()
        for step in self._steps:
            if step.may_compile:
                step.compile_no_more()

    def _record(self, commands: vk.Handle) -> None:
        if self.clock is not None:
            self.clock.record_reset(commands)
        self._record_start(commands)
        for step in self._steps:
            for copy in step.copies:
                copy.record_upload(commands)
        record_barrier(commands, AFTER_ALL, BEFORE_ALL)
        hazards = Hazards()
        for step in self._steps:
            after = hazards.barrier_before(step.uses)
            if after is not None:
                record_barrier(commands, after, BEFORE_ALL)
            self._record_step(commands, step)
        self._record_downloads(commands)

    def _record_compilation(self, commands: vk.Handle) -> None:
        self._record_start(commands)
        for step in self._steps:
            if step.may_compile:
                record_barrier(commands, AFTER_ALL, BEFORE_ALL)
                step.record_compilation(commands)

    def _record_start(self, commands: vk.Handle) -> None:
        for step in self._steps:
            for copy in step.copies:
                copy.record_start(commands)

    def _record_step(self, commands: vk.Handle, step: Command) -> None:
        clock = self.clock if step.is_timed else None
        if clock is not None:
            clock.record_start(commands, step.number)
        step.record(commands)
        if clock is not None:
            clock.record_end(commands, step.number)

    def _record_downloads(self, commands: vk.Handle) -> None:
        copies = [copy for step in self._steps for copy in step.copies]
        downloads = [copy for copy in copies if copy.is_returned and copy.staged]
        if downloads:
            record_barrier(commands, AFTER_ALL, BEFORE_COPY)
            for copy in downloads:
                copy.record_download(commands)
            record_barrier(commands, AFTER_COPY, BEFORE_HOST)
        else:
            record_barrier(commands, AFTER_ALL, BEFORE_HOST)
