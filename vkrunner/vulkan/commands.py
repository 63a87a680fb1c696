"""CommandBuffer: recorded once, submitted any number of times, one submission at a time.

Source: Vulkan specification, "Command Buffers".
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from vkrunner.vulkan import vk

Record = Callable[[vk.Handle], None]  # records into a VkCommandBuffer


class CommandPool:
    """Where command buffers come from; the caller sees to it that one thread at a time is here."""

    def __init__(self, device: vk.Handle, family: int, stack: ExitStack):
        self.device = device
        info = vk.struct(
            "VkCommandPoolCreateInfo",
            flags=vk.flags("VK_COMMAND_POOL_CREATE", "RESET_COMMAND_BUFFER"),
            queueFamilyIndex=family,
        )
        null = vk.ffi().NULL
        self.handle = vk.create("vkCreateCommandPool", "VkCommandPool", device, info, null)
        stack.callback(vk.lib().vkDestroyCommandPool, device, self.handle, null)
        self._begin = vk.struct("VkCommandBufferBeginInfo")
        self._allocate = vk.struct(
            "VkCommandBufferAllocateInfo",
            commandPool=self.handle,
            level=vk.constant("VK_COMMAND_BUFFER_LEVEL_PRIMARY"),
            commandBufferCount=1,
        )

    def allocate(self, stack: ExitStack) -> vk.Handle:
        """A VkCommandBuffer, freed by `stack`."""
        name = "vkAllocateCommandBuffers"
        handle = vk.create(name, "VkCommandBuffer", self.device, self._allocate)
        handles = vk.array("VkCommandBuffer", [handle])
        stack.callback(vk.lib().vkFreeCommandBuffers, self.device, self.handle, 1, handles)
        return handle

    def record(self, handle: vk.Handle, record: Record) -> None:
        """Record anew, from the beginning."""
        vk.call("vkResetCommandBuffer", handle, 0)  # recording may have ended in an error
        vk.call("vkBeginCommandBuffer", handle, self._begin)
        record(handle)
        vk.call("vkEndCommandBuffer", handle)


class CommandBuffer:
    """A VkCommandBuffer and what its submission takes."""

    def __init__(self, pool: CommandPool, stack: ExitStack):
        self._pool = pool
        self.handle = pool.allocate(stack)
        self.submit_info: Any = vk.struct(
            "VkSubmitInfo",
            commandBufferCount=1,
            pCommandBuffers=vk.array("VkCommandBuffer", [self.handle]),
        )
        info, null = vk.struct("VkFenceCreateInfo"), vk.ffi().NULL
        self.fence: vk.Handle = vk.create("vkCreateFence", "VkFence", pool.device, info, null)
        stack.callback(vk.lib().vkDestroyFence, pool.device, self.fence, null)
        self.fences: Any = vk.array("VkFence", [self.fence])
        self.uses: frozenset[int] = frozenset()
        self.serial = 0

    def record(self, record: Record) -> None:
        """Record anew; it may not be in flight."""
        self._pool.record(self.handle, record)
