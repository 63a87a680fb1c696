"""Dispatch: one dispatch as a step of a command list.

Source: Vulkan specification, "Dispatching Commands".
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, cast

from vkrunner.errors import ArgumentError, LimitError
from vkrunner.resources.buffers import Buffer
from vkrunner.values.numbers import is_integer
from vkrunner.vulkan import vk
from vkrunner.vulkan.barriers import INDIRECT, Use
from vkrunner.vulkan.command_list import CommandList, Step
from vkrunner.vulkan.descriptor import Bound
from vkrunner.vulkan.logical import COPY_TIMEOUT_NS, LogicalDevice
from vkrunner.vulkan.pipeline import Pipeline

D3D_MAX_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
INDIRECT_BYTES = 12  # the three numbers of thread groups in a buffer

Groups = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Indirect:
    """Thread groups that stand in a buffer from byte `offset` on, three uint32."""

    buffer: Buffer
    offset: int

    def place(self) -> tuple[vk.Handle, int]:
        """The VkBuffer and the byte in it."""
        slot = self.buffer.storage.slot
        return slot.handle, slot.offset + self.offset

    def use(self) -> Use:
        span = (self.offset, self.offset + INDIRECT_BYTES)
        return Use(self.buffer.storage.token, (span,), writes=False, stage=INDIRECT)


def check_groups(logical: LogicalDevice, groups: Any) -> tuple[int, int, int]:
    """Thread groups in x, y, z; a number alone is x.

    Raises ArgumentError for what is no such number, LimitError for more than D3D or the device
    allows. 0 is allowed, and runs nothing.
    """
    several = isinstance(groups, (tuple, list))
    sizes = tuple(cast("Sequence[Any]", groups)) if several else (groups,)
    if not 1 <= len(sizes) <= 3 or not all(_is_count(n) for n in sizes):
        raise ArgumentError(f"groups are up to three whole numbers from 0 on, not {groups!r}")
    x, y, z = (int(n) for n in (*sizes, 1, 1)[:3])
    for axis, count, most in zip(
        "xyz", (x, y, z), logical.info.limits.max_workgroup_count, strict=True
    ):
        if count > D3D_MAX_GROUPS:
            raise LimitError(f"{count} groups in {axis}: D3D allows {D3D_MAX_GROUPS}")
        if count > most:
            raise LimitError(f"{count} groups in {axis}: {logical.info.name} allows {most}")
    return x, y, z


def _is_count(value: Any) -> bool:
    return is_integer(value) and value.__index__() >= 0


def check_indirect(logical: LogicalDevice, buffer: Any, offset: Any) -> Indirect:
    """Where thread groups stand. Raises ArgumentError for what cannot hold them."""
    if not isinstance(buffer, Buffer):
        kind = type(buffer).__name__
        raise ArgumentError(f"the groups are in a buffer that stays on the device, not in a {kind}")
    if buffer.storage.logical is not logical:
        raise ArgumentError("the buffer of the groups belongs to another device")
    if not _is_count(offset) or offset % 4:
        raise ArgumentError(f"the groups stand at a multiple of 4 bytes, not at {offset!r}")
    if offset + INDIRECT_BYTES > buffer.nbytes:
        raise ArgumentError(
            f"the groups take {INDIRECT_BYTES} bytes from byte {offset} on, the buffer has"
            f" {buffer.nbytes}"
        )
    return Indirect(buffer, int(offset))


class Dispatch(Step):
    """A dispatch of a pipeline over thread groups, with what is bound; `stack` frees the sets."""

    is_timed = True

    def __init__(
        self,
        pipeline: Pipeline,
        bound: Sequence[Bound],
        groups: Groups | Indirect,
        stack: ExitStack,
        uses: Sequence[Use] = (),
    ):
        self._pipeline = pipeline
        self._descriptors = pipeline.describe(bound, stack)
        self._groups = groups if not isinstance(groups, Indirect) else None
        self.is_nothing = self._groups is not None and 0 in self._groups
        self._indirect = groups.place() if isinstance(groups, Indirect) else None
        self._excerpts = [b.excerpt for b in bound if b.excerpt is not None]
        self.uses = uses
        self.copies = [b.moved for b in bound if b.moved is not None]
        self.returned = [b.moved for b in bound if b.is_returned and b.moved is not None]

    def record(self, commands: vk.Handle) -> None:
        if self.is_nothing:
            return
        for excerpt in self._excerpts:
            excerpt.record(commands)
        self._pipeline.record_bind(commands, self._descriptors)
        if self._indirect is not None:
            vk.lib().vkCmdDispatchIndirect(commands, *self._indirect)
        elif self._groups is not None:
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
    pipeline: Pipeline,
    bound: Sequence[Bound],
    groups: Groups,
    stack: ExitStack,
) -> None:
    """Dispatch once and wait; what `bound` has and the shader wrote is then on the host's side."""
    work = CommandList(logical, [Dispatch(pipeline, bound, groups, stack)], stack, timed=False)
    logical.queue.submit(work)
    logical.finish(work, COPY_TIMEOUT_NS)
