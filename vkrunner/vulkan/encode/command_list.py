"""CommandList: steps recorded into one command buffer, with only the necessary barriers.

Arrays are copied from the host first, and results to the host last. A barrier separates two steps
if one writes memory that the other uses. A first barrier orders the steps after earlier
submissions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.device.clock import Clock
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

Write = Callable[[Any], None]


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
