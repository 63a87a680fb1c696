"""Dispatch: one dispatch as a command of a command list.

Source: Vulkan specification, "Dispatching Commands".
"""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS
from vkrunner.dispatch.groups import INDIRECT_BYTES, Groups, Indirect
from vkrunner.vulkan.device.barriers import INDIRECT, ResourceUse
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.command_list import Command, CommandList
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.encode.pipeline import DescriptorSets, Pipeline
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Owner
from vkrunner.vulkan.objects.storage import Storage


class Dispatch(Command):
    """A dispatch of a pipeline, with its thread groups and descriptor sets."""

    is_timed = True

    def __init__(
        self, pipeline: Pipeline, sets: DescriptorSets, bound: Bound, groups: Groups | Indirect
    ):
        self._pipeline = pipeline
        self._sets = sets
        self._groups = groups
        self.is_nothing = not isinstance(groups, Indirect) and 0 in groups
        self._excerpts = bound.excerpts
        self.copies = bound.copies
        self.uses: Sequence[ResourceUse] = bound.uses
        self.owners: Sequence[Owner] = [pipeline, *bound.owners]
        if isinstance(groups, Indirect):
            storage: Storage = groups.on_device
            end = groups.offset + INDIRECT_BYTES
            use = ResourceUse(storage.token, ((groups.offset, end),), writes=False, stage=INDIRECT)
            self.uses, self.owners = [*self.uses, use], [*self.owners, storage]
            self._indirect = storage.slot.handle, storage.slot.offset + groups.offset

    def record(self, commands: vk.Handle) -> None:
        if self.is_nothing:
            return
        for excerpt in self._excerpts:
            excerpt.record(commands)
        self._pipeline.record_bind(commands, self._sets)
        if isinstance(self._groups, Indirect):
            vk.lib().vkCmdDispatchIndirect(commands, *self._indirect)
        else:
            vk.lib().vkCmdDispatch(commands, *self._groups)

    @property
    def may_compile(self) -> bool:
        return self._pipeline.may_compile and not self.is_nothing

    def compile_no_more(self) -> None:
        self._pipeline.was_dispatched = True

    def record_compilation(self, commands: vk.Handle) -> None:
        self._pipeline.record_bind(commands, self._sets)
        vk.lib().vkCmdDispatch(commands, 0, 0, 0)


def run(
    logical: LogicalDevice,
    work: CommandList,
    pipeline: Pipeline,
    bound: Bound,
    groups: Groups,
) -> None:
    """Dispatch once, as the only step of `work`, and wait.

    Afterwards the host can read the memory of `bound` that the shader wrote.
    """
    sets = pipeline.describe(bound, work.stack)
    work.record_steps([Dispatch(pipeline, sets, bound, groups)], timed=False)
    logical.queue.submit(work)
    logical.context.finish(work.serial, DEFAULT_TIMEOUT_NS)
