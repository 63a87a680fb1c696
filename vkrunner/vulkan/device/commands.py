"""CommandBuffer: recorded once, submitted many times, in flight at most once.

Source: Vulkan specification, "Command Buffers", "Events".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vkrunner.vulkan.device.barriers import AFTER_ALL, BEFORE_ALL, record_barrier
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

Record = Callable[[vk.Handle], None]  # records into a VkCommandBuffer
_EVENT_SET, _EVENT_RESET = 3, 4  # VK_EVENT_SET, VK_EVENT_RESET


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
