"""CommandBuffer: recorded once, submitted many times, in flight at most once; its barriers.

Barriers are computed from the resources that the steps use. Source: Vulkan specification,
"Synchronization and Cache Control", "Command Buffers", "Events".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from translate.dataclass import dataclass, field
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

# (stages, accesses) of the two scopes of a barrier
Side = tuple[tuple[str, ...], tuple[str, ...]]
SHADER, COPY, INDIRECT = "COMPUTE_SHADER", "TRANSFER", "DRAW_INDIRECT"
AFTER_SHADER: Side = ((SHADER,), ("SHADER_WRITE",))
AFTER_COPY: Side = ((COPY,), ("TRANSFER_WRITE",))
AFTER_ALL: Side = ((SHADER, COPY, INDIRECT), ("SHADER_WRITE", "TRANSFER_WRITE"))
BEFORE_COPY: Side = ((COPY,), ("TRANSFER_READ", "TRANSFER_WRITE"))
BEFORE_HOST: Side = (("HOST",), ("HOST_READ",))
BEFORE_ALL: Side = (
    (SHADER, COPY, INDIRECT),
    (
        *("SHADER_READ", "SHADER_WRITE", "UNIFORM_READ"),
        *("TRANSFER_READ", "TRANSFER_WRITE", "INDIRECT_COMMAND_READ"),
    ),
)

_WRITES = {SHADER: "SHADER_WRITE", COPY: "TRANSFER_WRITE"}
Span = tuple[int, int]  # first and end
Record = Callable[[vk.Handle], None]  # records into a VkCommandBuffer
_EVENT_SET, _EVENT_RESET = 3, 4  # VK_EVENT_SET, VK_EVENT_RESET


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """The use of a part of one resource by a step; a token names the resource.

    `spans` are the bytes of a buffer, or the mips and layers of an image; `stage` is SHADER, COPY
    or INDIRECT.
    """

    token: int
    spans: tuple[Span, ...]
    writes: bool
    stage: str = SHADER

    def conflicts(self, other: ResourceUse) -> bool:
        """Whether two uses of one resource must stay in order."""
        if not (self.writes or other.writes):
            return False
        pairs = zip(self.spans, other.spans, strict=True)
        return all(ours[0] < theirs[1] and theirs[0] < ours[1] for ours, theirs in pairs)


@dataclass
class Hazards:
    """The uses of resources since the last barrier."""

    _pending: dict[int, list[ResourceUse]] = field(default_factory=dict[int, list[ResourceUse]])

    def barrier_before(self, uses: Sequence[ResourceUse]) -> Side | None:
        """The accesses that a barrier before a step must wait for; None if no barrier is needed.

        The caller has to record the barrier, with BEFORE_ALL as its second scope.
        """
        after = self._waited_for() if any(self._conflicts(use) for use in uses) else None
        if after is not None:
            self._pending.clear()
        for use in uses:
            self._pending.setdefault(use.token, []).append(use)
        return after

    def _conflicts(self, use: ResourceUse) -> bool:
        return any(use.conflicts(earlier) for earlier in self._pending.get(use.token, ()))

    def _waited_for(self) -> Side:
        uses = [use for several in self._pending.values() for use in several]
        stages = sorted({use.stage for use in uses})
        return tuple(stages), tuple(sorted({_WRITES[use.stage] for use in uses if use.writes}))


def tokens_of(uses: Iterable[ResourceUse]) -> frozenset[int]:
    """The tokens of the used resources."""
    return frozenset(use.token for use in uses)


def record_barrier(commands: vk.Handle, after: Side, before: Side) -> None:
    """Order all memory accesses of `after` before those of `before`."""
    barrier = vk.struct(
        "VkMemoryBarrier",
        srcAccessMask=vk.flags("VK_ACCESS", *after[1]),
        dstAccessMask=vk.flags("VK_ACCESS", *before[1]),
    )
    stages = [vk.flags("VK_PIPELINE_STAGE", *side[0]) for side in (after, before)]
    null = vk.ffi().NULL
    vk.lib().vkCmdPipelineBarrier(commands, *stages, 0, 1, barrier, 0, null, 0, null)


class CommandPool:
    """The source of command buffers. The caller lets only one thread use it at a time."""

    def __init__(self, device: vk.Handle, family: int, stack: Deletions):
        self.device = device
        info = vk.struct(
            "VkCommandPoolCreateInfo",
            flags=vk.flags("VK_COMMAND_POOL_CREATE", "RESET_COMMAND_BUFFER"),
            queueFamilyIndex=family,
        )
        self.handle = vk.create_child(device, "VkCommandPool", info, stack)
        self._begin = vk.struct("VkCommandBufferBeginInfo")
        self._allocate = vk.struct(
            "VkCommandBufferAllocateInfo",
            commandPool=self.handle,
            level=vk.constant("VK_COMMAND_BUFFER_LEVEL_PRIMARY"),
            commandBufferCount=1,
        )

    def allocate(self, stack: Deletions) -> vk.Handle:
        """A VkCommandBuffer that `stack` frees."""
        name = "vkAllocateCommandBuffers"
        handle = vk.create(name, "VkCommandBuffer", self.device, self._allocate)
        handles = vk.array("VkCommandBuffer", [handle])
        stack.callback(vk.lib().vkFreeCommandBuffers, self.device, self.handle, 1, handles)
        return handle

    def record(self, handle: vk.Handle, record: Record) -> None:
        """Discard the commands of a command buffer, and let `record` record new ones."""
        vk.call("vkResetCommandBuffer", handle, 0)  # an earlier recording may have failed
        vk.call("vkBeginCommandBuffer", handle, self._begin)
        record(handle)
        vk.call("vkEndCommandBuffer", handle)


class Compilation:
    """Dispatches of no groups, in which a driver compiles before the device's work begins.

    lavapipe compiles a pipeline in its queue's thread, at the first dispatch with a kind of
    descriptors. Timeouts limit only the device's work, so events mark the start and end of the
    compilation.
    """

    def __init__(self, pool: CommandPool, record: Record, stack: Deletions):
        self._device = pool.device
        self._begun, self._ended = self._create_event(stack), self._create_event(stack)
        self.handle = pool.allocate(stack)
        stage = vk.flags("VK_PIPELINE_STAGE", "ALL_COMMANDS")

        def record_all(commands: vk.Handle) -> None:
            vk.lib().vkCmdSetEvent(commands, self._begun, stage)
            record(commands)
            vk.lib().vkCmdSetEvent(commands, self._ended, stage)
            record_barrier(commands, AFTER_ALL, BEFORE_ALL)

        pool.record(self.handle, record_all)

    @property
    def is_running(self) -> bool:
        """Whether the driver is compiling at this moment. Raises VulkanError."""
        return self._is_set(self._begun) and not self._is_set(self._ended)

    def _is_set(self, event: vk.Handle) -> bool:
        status: int = vk.lib().vkGetEventStatus(self._device, event)
        if status not in (_EVENT_SET, _EVENT_RESET):
            vk.check("vkGetEventStatus", status)
        return status == _EVENT_SET

    def _create_event(self, stack: Deletions) -> vk.Handle:
        return vk.create_child(self._device, "VkEvent", vk.struct("VkEventCreateInfo"), stack)


class Fence:
    """A VkFence; `waiters` counts the threads that wait for it.

    `was_seen`: a thread has seen this fence signalled since its last submission. That it has ended
    may also be known from a later fence.
    """

    __slots__ = ("handle", "pointer", "waiters", "was_seen")

    def __init__(self, device: vk.Handle, stack: Deletions):
        info = vk.struct("VkFenceCreateInfo")
        self.handle: vk.Handle = vk.create_child(device, "VkFence", info, stack)
        self.pointer: Any = vk.array("VkFence", [self.handle])
        self.waiters = 0
        self.was_seen = True


class CommandBuffer:
    """A VkCommandBuffer with its fence and resources; `stack` frees them.

    If `compiles_first`, the next submission is the first, and runs `compilation` before the
    commands. `uses` are the tokens of the resources that the commands use, `serial` is the number
    of the last submission. The caller holds the device's lock.
    """

    def __init__(self, pool: CommandPool, own: Callable[[object], Deletions]):
        self._pool = pool
        self.stack = own(self)
        # before the command buffer: RADV's null hardware has no fences, and crashes on freeing it
        self.fence = Fence(pool.device, self.stack)
        self.handle = pool.allocate(self.stack)
        self.submit_info: Any = _submit_info([self.handle])
        self._submit_again = self.submit_info
        self.compilation: Compilation | None = None
        self.compiles_first = False
        self._fences = [self.fence]
        self.uses: frozenset[int] = frozenset()
        self.serial = 0

    def record(self, record: Record) -> None:
        """Record new commands. The command buffer must not be in flight."""
        self._pool.record(self.handle, record)

    def take_other_fence(self) -> Fence:
        """Leave the fence to the threads that wait for it, and use another one."""
        unused = [fence for fence in self._fences if not fence.waiters]
        if not unused:
            unused = [Fence(self._pool.device, self.stack)]
            self._fences += unused
        self.fence = unused[0]
        return self.fence

    def compile_first(self, record: Record) -> None:
        """Let the driver compile the pipelines of `record` before the first submission's work."""
        self.compilation = Compilation(self._pool, record, self.stack)
        self.compiles_first = True
        self.submit_info = _submit_info([self.compilation.handle, self.handle])

    def compile_no_more(self) -> None:
        """Omit the compilation from further submissions, after the first."""
        self.compiles_first = False
        self.submit_info = self._submit_again


def _submit_info(handles: list[vk.Handle]) -> Any:
    return vk.struct(
        "VkSubmitInfo",
        commandBufferCount=len(handles),
        pCommandBuffers=vk.array("VkCommandBuffer", handles),
    )
