"""LogicalDevice: the VkDevice with its queue, and the one place that submits and waits.

Work is synchronous: one command buffer, recorded anew each time, and a fence. What the device owns
is destroyed with it, or earlier when its owner is closed or collected.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from vkrunner import physical, vk
from vkrunner.errors import ArgumentError, DeviceLostError, DispatchTimeout
from vkrunner.instance import Instance
from vkrunner.records import DeviceInfo

Record = Callable[[Any], None]  # records into a VkCommandBuffer

QUERY_COUNT = 2  # timestamps: before and after a dispatch

_TIMEOUT = 2  # VK_TIMEOUT
_SLICE_NS = 50_000_000  # a wait is cut into slices, so that Ctrl-C is heard
_PORTABILITY_SUBSET = "VK_KHR_portability_subset"


class LogicalDevice:
    """A VkDevice made with every feature that `info` has.

    `staged` tells whether buffers live in device memory that the host cannot see, and are copied.
    """

    def __init__(
        self, instance: Instance, handle: vk.Handle, info: DeviceInfo, staged: bool | None = None
    ):
        self.info = info
        self.staged = info.type == "discrete" if staged is None else staged
        self.physical = handle
        self._stack = ExitStack()
        self._owned: dict[int, ExitStack] = {}
        self._closed = False
        self._pending = False  # a wait ended before the work did
        with ExitStack() as undo:
            undo.callback(self._stack.close)
            self._stack.callback(instance.close)
            self._create(instance.api_version)
            undo.pop_all()

    def _create(self, api_version: int) -> None:
        family = physical.compute_family(self.physical)
        assert family is not None, "such a device is not offered"
        self.timestamp_mask = (1 << family[1]) - 1
        self.handle = self._create_device(family[0], api_version)
        self._stack.callback(vk.lib().vkDestroyDevice, self.handle, vk.ffi().NULL)
        place = vk.out("VkQueue")
        vk.lib().vkGetDeviceQueue(self.handle, family[0], 0, place)
        self.queue = place[0]
        self._create_commands(family[0])
        fence = vk.struct("VkFenceCreateInfo")
        self.fence = self.create("VkFence", fence, self._stack)
        self._fences = vk.array("VkFence", [self.fence])
        self.queries = self._create_queries() if self.info.features.timestamps else None
        commands = vk.array("VkCommandBuffer", [self.commands])
        self._submit = vk.struct("VkSubmitInfo", commandBufferCount=1, pCommandBuffers=commands)
        self._begin = vk.struct(
            "VkCommandBufferBeginInfo", flags=vk.flags("VK_COMMAND_BUFFER_USAGE", "ONE_TIME_SUBMIT")
        )

    def _create_device(self, family: int, instance_version: int) -> vk.Handle:
        properties = vk.struct("VkPhysicalDeviceProperties")
        vk.lib().vkGetPhysicalDeviceProperties(self.physical, properties)
        version = min(int(properties.apiVersion), instance_version)
        features, extensions = physical.enabled_features(self.info, version)
        if _PORTABILITY_SUBSET in self.info.extensions:  # must be enabled where it is offered
            extensions.append(_PORTABILITY_SUBSET)
        queue = vk.struct(
            "VkDeviceQueueCreateInfo",
            queueFamilyIndex=family,
            queueCount=1,
            pQueuePriorities=vk.array("float", [1.0]),
        )
        info = vk.struct(
            "VkDeviceCreateInfo",
            pNext=features,
            queueCreateInfoCount=1,
            pQueueCreateInfos=[queue],
            enabledExtensionCount=len(extensions),
            ppEnabledExtensionNames=extensions,
        )
        return vk.create("vkCreateDevice", "VkDevice", self.physical, info, vk.ffi().NULL)

    def _create_commands(self, family: int) -> None:
        info = vk.struct(
            "VkCommandPoolCreateInfo",
            flags=vk.flags("VK_COMMAND_POOL_CREATE", "TRANSIENT", "RESET_COMMAND_BUFFER"),
            queueFamilyIndex=family,
        )
        pool = self.create("VkCommandPool", info, self._stack)
        allocate = vk.struct(
            "VkCommandBufferAllocateInfo",
            commandPool=pool,
            level=vk.constant("VK_COMMAND_BUFFER_LEVEL_PRIMARY"),
            commandBufferCount=1,
        )
        self.commands = vk.create(
            "vkAllocateCommandBuffers", "VkCommandBuffer", self.handle, allocate
        )

    def _create_queries(self) -> vk.Handle:
        info = vk.struct(
            "VkQueryPoolCreateInfo",
            queryType=vk.constant("VK_QUERY_TYPE_TIMESTAMP"),
            queryCount=QUERY_COUNT,
        )
        return self.create("VkQueryPool", info, self._stack)

    def create(self, handle_type: str, info: Any, stack: ExitStack) -> vk.Handle:
        """A child object of the device, destroyed when `stack` closes."""
        noun = handle_type.removeprefix("Vk")
        null = vk.ffi().NULL
        handle = vk.create(f"vkCreate{noun}", handle_type, self.handle, info, null)
        stack.callback(getattr(vk.lib(), f"vkDestroy{noun}"), self.handle, handle, null)
        return handle

    def own(self, owner: object | None = None) -> ExitStack:
        """A stack for what `owner` creates: closed by `release`, with it, or with us.

        Raises as `check_open`.
        """
        self.check_open()
        stack = ExitStack()
        self._owned[id(stack)] = stack
        if owner is not None:
            weakref.finalize(owner, self.release, stack).atexit = False
        return stack

    def release(self, stack: ExitStack) -> None:
        """Close a stack of `own`; harmless a second time. Kept while the device may still work."""
        if self._pending and not self._idle():
            return
        self._owned.pop(id(stack), None)
        stack.close()

    def execute(self, record: Record, timeout_ns: int) -> None:
        """Record commands, submit them and wait until they have ended.

        Raises DispatchTimeout when they do not in `timeout_ns`; then nothing more can be executed.
        """
        self.check_open()
        vk.call("vkResetCommandBuffer", self.commands, 0)  # recording may have ended in an error
        vk.call("vkBeginCommandBuffer", self.commands, self._begin)
        record(self.commands)
        vk.call("vkEndCommandBuffer", self.commands)
        vk.call("vkResetFences", self.handle, 1, self._fences)
        vk.call("vkQueueSubmit", self.queue, 1, self._submit, self.fence)
        self._pending = True
        try:
            self._wait(timeout_ns)
        except DeviceLostError:
            self._pending = False  # lost work has ended: objects may be destroyed
            raise

    def _wait(self, timeout_ns: int) -> None:
        end = time.monotonic_ns() + timeout_ns
        while True:
            left = max(0, end - time.monotonic_ns())
            if self._wait_slice(min(left, _SLICE_NS)):
                self._pending = False
                return
            if left == 0:
                seconds = timeout_ns / 1e9
                raise DispatchTimeout(
                    f"the device {self.info.name} did not end its work in {seconds:g} s:"
                    " close it and open it anew, or dispatch with a longer timeout"
                )

    def _wait_slice(self, timeout_ns: int) -> bool:
        result = vk.call("vkWaitForFences", self.handle, 1, self._fences, 1, timeout_ns)
        return result != _TIMEOUT

    def _idle(self) -> bool:
        """Whether work that was given up has ended meanwhile."""
        try:
            self._pending = not self._wait_slice(0)
        except DeviceLostError:
            self._pending = False
        return not self._pending

    def check_open(self) -> None:
        """Raises ArgumentError when closed, DispatchTimeout while given-up work still runs."""
        if self._closed:
            raise ArgumentError("the device is closed")
        if self._pending and not self._idle():
            raise DispatchTimeout(f"the device {self.info.name} is still busy: open it anew")

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        """Destroy everything, unless given-up work still runs: then it is all left as it stands."""
        if self._closed:
            return
        self._closed = True
        if self._pending and not self._idle():
            _abandoned.append(self)  # destroying what a device works with would crash the process
            return
        for stack in list(self._owned.values()):
            self.release(stack)
        self._stack.close()


_abandoned: list[LogicalDevice] = []
