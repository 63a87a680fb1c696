"""Dispatch: one dispatch as a command of a command list.

Source: Vulkan specification, "Dispatching Commands".
"""

from __future__ import annotations

from collections.abc import Sequence

from vkrunner.vulkan.device.barriers import INDIRECT, ResourceUse
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.submissions import COPY_TIMEOUT_NS
from vkrunner.vulkan.encode.command_list import Command, CommandList
from vkrunner.vulkan.encode.descriptor import Bound
from vkrunner.vulkan.encode.pipeline import Pipeline
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions, Owner
from vkrunner.vulkan.objects.storage import storage_of
from vkrunner.work.groups import INDIRECT_BYTES, Groups, Indirect


class Dispatch(Command):
    """A dispatch of a pipeline over thread groups, with what is bound; `stack` frees the sets."""

    is_timed = True

    def __init__(
        self,
        pipeline: Pipeline,
        bound: Sequence[Bound],
        groups: Groups | Indirect,
        stack: Deletions,
        uses: Sequence[ResourceUse] = (),
    ):
        self._pipeline = pipeline
        self.owners: Sequence[Owner] = [pipeline, *(b.owner for b in bound if b.owner is not None)]
        self._descriptors = pipeline.describe(bound, stack)
        self._groups = groups
        self.is_nothing = not isinstance(groups, Indirect) and 0 in groups
        self._excerpts = [b.excerpt for b in bound if b.excerpt is not None]
        self.uses = uses
        self.copies = [b.moved for b in bound if b.moved is not None]
        self.returned = [b.moved for b in bound if b.is_returned and b.moved is not None]
        if isinstance(groups, Indirect):
            storage, end = storage_of(groups.buffer), groups.offset + INDIRECT_BYTES
            use = ResourceUse(storage.token, ((groups.offset, end),), writes=False, stage=INDIRECT)
            self.uses, self.owners = [*uses, use], [*self.owners, storage]
            self._indirect = storage.slot.handle, storage.slot.offset + groups.offset

    def record(self, commands: vk.Handle) -> None:
        if self.is_nothing:
            return
        for excerpt in self._excerpts:
            excerpt.record(commands)
        self._pipeline.record_bind(commands, self._descriptors)
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
        self._pipeline.record_bind(commands, self._descriptors)
        vk.lib().vkCmdDispatch(commands, 0, 0, 0)


def run(
    logical: LogicalDevice,
    work: CommandList,
    pipeline: Pipeline,
    bound: Sequence[Bound],
    groups: Groups,
) -> None:
    """Dispatch once, as the only step of `work`, and wait.

    What `bound` has and the shader wrote is then on the host's side.
    """
    work.record_steps([Dispatch(pipeline, bound, groups, work.stack)], timed=False)
    logical.queue.submit(work)
    logical.queue.finish(work, COPY_TIMEOUT_NS)
