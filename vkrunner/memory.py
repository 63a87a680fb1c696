"""Memory for buffers: allocations, and Storage, which knows whether data has to be copied.

On a CPU or integrated device a buffer lies in memory that both sides see; on others it lies in
device memory beside a host-visible twin, and is copied by the device.
Source: Vulkan specification, "Resource Creation" and "Device Memory".
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np

from vkrunner import vk
from vkrunner.errors import LimitError, OutOfMemoryError
from vkrunner.formats import Format
from vkrunner.logical import LogicalDevice

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

COPY_TIMEOUT_NS = 60_000_000_000
_GRANULE = 16  # bytes; sizes are rounded up to it, so that every format and cb range fits
_USAGE = (
    "STORAGE_BUFFER",
    "UNIFORM_BUFFER",
    "UNIFORM_TEXEL_BUFFER",
    "STORAGE_TEXEL_BUFFER",
    "TRANSFER_SRC",
    "TRANSFER_DST",
)
_NEED_HOST = ("HOST_VISIBLE", "HOST_COHERENT")


class Allocation:
    """A VkBuffer with memory of its own; `mapped` is u8[size_bytes] where the host sees it."""

    def __init__(self, logical: LogicalDevice, stack: ExitStack, nbytes: int, *, host: bool):
        self.size_bytes = max(_GRANULE, -(-nbytes // _GRANULE) * _GRANULE)
        self._logical = logical
        self._memory = vk.ffi().NULL
        check_size(logical, self.size_bytes, "a buffer")
        self.handle = self._create_buffer()
        stack.callback(self._destroy)
        requirements = vk.out("VkMemoryRequirements")
        vk.lib().vkGetBufferMemoryRequirements(logical.handle, self.handle, requirements)
        self._memory = allocate(logical, requirements, host=host)
        vk.call("vkBindBufferMemory", logical.handle, self.handle, self._memory, 0)
        self.mapped = _map(logical, self._memory, self.size_bytes) if host else None

    def _create_buffer(self) -> vk.Handle:
        info = vk.struct(
            "VkBufferCreateInfo",
            size=self.size_bytes,
            usage=vk.flags("VK_BUFFER_USAGE", *_USAGE),
            sharingMode=vk.constant("VK_SHARING_MODE_EXCLUSIVE"),
        )
        return vk.create("vkCreateBuffer", "VkBuffer", self._logical.handle, info, vk.ffi().NULL)

    def _destroy(self) -> None:
        """The buffer before its memory, for it may not outlive it in use."""
        device, null = self._logical.handle, vk.ffi().NULL
        vk.lib().vkDestroyBuffer(device, self.handle, null)
        vk.lib().vkFreeMemory(device, self._memory, null)


class Storage:
    """The bytes of one buffer on the device, and the way to and from the host."""

    def __init__(self, logical: LogicalDevice, stack: ExitStack, nbytes: int):
        self.logical = logical
        self.nbytes = nbytes
        self.device = Allocation(logical, stack, nbytes, host=not logical.staged)
        staged = logical.staged
        self.host = Allocation(logical, stack, nbytes, host=True) if staged else self.device

    @property
    def staged(self) -> bool:
        """Whether the host's bytes are another copy, to be brought over by the device."""
        return self.host is not self.device

    @property
    def bytes(self) -> Bytes:
        """The host's side, writable; valid until the storage is closed."""
        assert self.host.mapped is not None
        return self.host.mapped[: self.nbytes]

    def record_upload(self, commands: Any) -> None:
        """Copy the host's bytes to the device's."""
        self._record(commands, self.host, self.device)

    def record_download(self, commands: Any) -> None:
        """Copy the device's bytes to the host's."""
        self._record(commands, self.device, self.host)

    def upload(self) -> None:
        """Make the device see what was written to `bytes`."""
        if self.staged:
            self.logical.execute(self.record_upload, COPY_TIMEOUT_NS)

    def download(self) -> None:
        """Make `bytes` what the device has."""
        if self.staged:
            self.logical.execute(self._download, COPY_TIMEOUT_NS)

    def _download(self, commands: Any) -> None:
        record_barrier(commands, AFTER_SHADER, BEFORE_COPY)
        self.record_download(commands)
        record_barrier(commands, AFTER_COPY, BEFORE_HOST)

    def _record(self, commands: Any, source: Allocation, target: Allocation) -> None:
        region = vk.struct("VkBufferCopy", size=source.size_bytes)
        vk.lib().vkCmdCopyBuffer(commands, source.handle, target.handle, 1, region)


def texel_view(
    storage: Storage, format: Format, span: tuple[int, int], stack: ExitStack
) -> vk.Handle:
    """A VkBufferView of a span (first byte, bytes)."""
    info = vk.struct(
        "VkBufferViewCreateInfo",
        buffer=storage.device.handle,
        format=vk.constant(format.vulkan),
        offset=span[0],
        range=span[1],
    )
    return storage.logical.create("VkBufferView", info, stack)


# (stages, accesses) of the two sides of a barrier
Side = tuple[tuple[str, ...], tuple[str, ...]]
AFTER_SHADER: Side = (("COMPUTE_SHADER",), ("SHADER_WRITE",))
AFTER_COPY: Side = (("TRANSFER",), ("TRANSFER_WRITE",))
AFTER_ALL: Side = (("COMPUTE_SHADER", "TRANSFER"), ("SHADER_WRITE", "TRANSFER_WRITE"))
BEFORE_SHADER: Side = (("COMPUTE_SHADER",), ("SHADER_READ", "SHADER_WRITE", "UNIFORM_READ"))
BEFORE_COPY: Side = (("TRANSFER",), ("TRANSFER_READ", "TRANSFER_WRITE"))
BEFORE_HOST: Side = (("HOST",), ("HOST_READ",))


def record_barrier(commands: Any, after: Side, before: Side) -> None:
    """Order all memory accesses of `after` before those of `before`."""
    barrier = vk.struct(
        "VkMemoryBarrier",
        srcAccessMask=vk.flags("VK_ACCESS", *after[1]),
        dstAccessMask=vk.flags("VK_ACCESS", *before[1]),
    )
    stages = [vk.flags("VK_PIPELINE_STAGE", *side[0]) for side in (after, before)]
    null = vk.ffi().NULL
    vk.lib().vkCmdPipelineBarrier(commands, *stages, 0, 1, barrier, 0, null, 0, null)


def check_size(logical: LogicalDevice, size_bytes: int, what: str) -> None:
    """Raise LimitError for an allocation that is larger than the device allows."""
    most = logical.info.limits.max_memory_allocation_bytes
    if size_bytes > most:
        raise LimitError(f"{what} of {size_bytes} bytes: {logical.info.name} allows {most}")


def allocate(logical: LogicalDevice, requirements: Any, *, host: bool) -> vk.Handle:
    """Memory for a resource with these VkMemoryRequirements, `host` for what the host can map."""
    info = vk.struct(
        "VkMemoryAllocateInfo",
        allocationSize=requirements.size,
        memoryTypeIndex=_memory_type(logical, int(requirements.memoryTypeBits), host=host),
    )
    null = vk.ffi().NULL
    return vk.create("vkAllocateMemory", "VkDeviceMemory", logical.handle, info, null)


def _memory_type(logical: LogicalDevice, allowed: int, *, host: bool) -> int:
    """The best allowed type: coherent and, for reading back, cached; or local to the device."""
    properties = vk.struct("VkPhysicalDeviceMemoryProperties")
    vk.lib().vkGetPhysicalDeviceMemoryProperties(logical.physical, properties)
    needed = vk.flags("VK_MEMORY_PROPERTY", *_NEED_HOST) if host else 0
    cached, local = (vk.flags("VK_MEMORY_PROPERTY", n) for n in ("HOST_CACHED", "DEVICE_LOCAL"))
    kinds = [
        int(properties.memoryTypes[i].propertyFlags) for i in range(properties.memoryTypeCount)
    ]
    able = [i for i, f in enumerate(kinds) if allowed >> i & 1 and f & needed == needed]
    if not able:
        raise OutOfMemoryError("vkAllocateMemory", -2)
    if host:
        return max(able, key=lambda i: (bool(kinds[i] & cached), bool(kinds[i] & local), -i))
    return max(able, key=lambda i: (bool(kinds[i] & local), -i))


def _map(logical: LogicalDevice, memory: vk.Handle, size_bytes: int) -> Bytes:
    """Mapped until the memory is freed."""
    place = vk.out("void*")
    vk.call("vkMapMemory", logical.handle, memory, 0, size_bytes, 0, place)
    mapped: Bytes = np.frombuffer(vk.ffi().buffer(place[0], size_bytes), np.uint8)
    return mapped
