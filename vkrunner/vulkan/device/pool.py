"""Pool: memory for buffers, handed out in slots, so that a dispatch allocates none.

A slot (`Suballocation`) is a part of a VkBuffer. The VkBuffer is created once and, if the host can
see it, mapped once. Small slots share a VkBuffer, large ones have one each. Returned memory is kept
for later slots, up to a limit. Every slot starts at a multiple of SLOT_ALIGNMENT, which no offset
alignment exceeds. Source: Vulkan specification, "Device Memory", "Required Limits".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from enum import Enum
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from translate.dataclass import dataclass
from vkrunner.errors import OutOfMemoryError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

Reclaim = Callable[[], None]

SLOT_ALIGNMENT = 256  # the largest that Vulkan allows a device to require
IDLE_BYTES = 256 << 20  # of unused large slots that a pool keeps
_LARGEST_SHARED = 256 << 10
_BLOCK_BYTES = (64 << 10, 4 << 20)  # smallest and largest shared VkBuffer
_SLOTS_PER_BLOCK = 16
TEXEL_USES = ("UNIFORM_TEXEL_BUFFER", "STORAGE_TEXEL_BUFFER")
_USAGE = (
    *TEXEL_USES,
    "STORAGE_BUFFER",
    "UNIFORM_BUFFER",
    "INDIRECT_BUFFER",
    "TRANSFER_SRC",
    "TRANSFER_DST",
)


class MemoryPlace(Enum):
    """The place of memory, and the host's use of it."""

    HOST = "host"  # mapped; the host reads and writes it fast
    DEVICE = "device"  # device memory that the host cannot see
    WRITTEN = "written"  # mapped device memory: writes are fast, reads cross the bus


_NEEDED = {
    MemoryPlace.HOST: ("HOST_VISIBLE", "HOST_COHERENT"),
    MemoryPlace.DEVICE: (),
    MemoryPlace.WRITTEN: ("DEVICE_LOCAL", "HOST_VISIBLE", "HOST_COHERENT"),
}


class DeviceMemory:
    """Allocates memory on one device."""

    def __init__(self, handle: vk.Handle, physical: vk.Handle, info: DeviceInfo):
        self.handle = handle
        self.most_bytes = info.limits.max_memory_allocation_bytes
        properties = vk.struct("VkPhysicalDeviceMemoryProperties")
        vk.lib().vkGetPhysicalDeviceMemoryProperties(physical, properties)
        types = [properties.memoryTypes[i] for i in range(properties.memoryTypeCount)]
        self._kinds = [int(t.propertyFlags) for t in types]
        self._heap_bytes = [int(properties.memoryHeaps[t.heapIndex].size) for t in types]

    @property
    def is_written_in_place(self) -> bool:
        """Whether the host can map all device memory, instead of a small part (resizable BAR)."""
        local = self._able(vk.flags("VK_MEMORY_PROPERTY", "DEVICE_LOCAL"))
        seen = self._able(vk.flags("VK_MEMORY_PROPERTY", *_NEEDED[MemoryPlace.WRITTEN]))
        sizes = self._heap_bytes
        return bool(seen) and max(sizes[i] for i in seen) >= max(sizes[i] for i in local)

    def allocate(self, requirements: Any, place: MemoryPlace, stack: Deletions) -> vk.Handle:
        """Memory for a resource with these VkMemoryRequirements, freed by `stack`."""
        info = vk.struct(
            "VkMemoryAllocateInfo",
            allocationSize=requirements.size,
            memoryTypeIndex=self._type(int(requirements.memoryTypeBits), place),
        )
        null = vk.ffi().NULL
        try:
            name, kind = "vkAllocateMemory", "VkDeviceMemory"
            return vk.create(name, kind, self.handle, info, null, stack=stack)
        except OutOfMemoryError as error:
            wanted = f"{int(requirements.size)} bytes were asked for"
            raise OutOfMemoryError(error.call, error.result, wanted) from None

    def _type(self, allowed: int, place: MemoryPlace) -> int:
        """The index of the best memory type among the bits of `allowed`.

        Cached if the host reads it, otherwise local to the device. Raises OutOfMemoryError.
        """
        kinds, sizes = self._kinds, self._heap_bytes
        cached, local = (vk.flags("VK_MEMORY_PROPERTY", n) for n in ("HOST_CACHED", "DEVICE_LOCAL"))
        needed = vk.flags("VK_MEMORY_PROPERTY", *_NEEDED[place])
        able = [i for i in self._able(needed) if allowed >> i & 1]
        if not able:
            raise OutOfMemoryError("vkAllocateMemory", -2)
        if place is MemoryPlace.HOST:
            return max(able, key=lambda i: (bool(kinds[i] & cached), bool(kinds[i] & local), -i))
        if place is MemoryPlace.WRITTEN:
            return max(able, key=lambda i: (sizes[i], -i))
        return max(able, key=lambda i: (bool(kinds[i] & local), -i))

    def _able(self, needed: int) -> list[int]:
        """The indices of the memory types with all of these property flags."""
        return [i for i, flags in enumerate(self._kinds) if flags & needed == needed]


class MemoryBlock:
    """A VkBuffer with its own memory, divided into slots of one size; `free` has the unused slots.

    `writable` is u8[size_bytes] if the host can see it. The pool has a block in `blocks` until it
    is closed, and in `listed` while it has free slots.
    """

    def __init__(
        self,
        memory: DeviceMemory,
        size_bytes: int,
        slot_bytes: int,
        blocks: set[MemoryBlock],
        listed: dict[MemoryBlock, None],
        place: MemoryPlace,
    ):
        self.size_bytes = size_bytes
        self.slot_bytes = slot_bytes
        self.free: list[Suballocation] = []
        self._slots = size_bytes // slot_bytes
        self._place = place
        self._stack = Deletions()
        self._stack.callback(blocks.discard, self)
        self._stack.callback(listed.pop, self, None)
        self._freed = Deletions()
        self._stack.add(self._freed)  # the buffer is destroyed before its memory
        with ExitStack() as undo:
            undo.callback(self.close)
            blocks.add(self)
            self.handle = self._create_buffer(memory.handle, _USAGE, self._stack)
            self._allocated = self._allocate(memory)
            self.writable = self._bind(memory.handle)
            numbers = reversed(range(self._slots))
            self.free = [self._slot(number * slot_bytes, slot_bytes) for number in numbers]
            listed[self] = None
            undo.pop_all()

    def alias(self, device: vk.Handle, use: str, stack: Deletions) -> vk.Handle:
        """Another VkBuffer with the same memory, for this use alone; `stack` destroys it.

        Its memory has a type that Vulkan allows for any subset of the block's uses.
        """
        handle = self._create_buffer(device, (use,), stack)
        vk.call("vkBindBufferMemory", device, handle, self._allocated, 0)
        return handle

    def _create_buffer(self, device: vk.Handle, uses: Sequence[str], stack: Deletions) -> vk.Handle:
        info = vk.struct(
            "VkBufferCreateInfo",
            size=self.size_bytes,
            usage=vk.flags("VK_BUFFER_USAGE", *uses),
            sharingMode=vk.constant("VK_SHARING_MODE_EXCLUSIVE"),
        )
        return vk.create_child(device, "VkBuffer", info, stack)

    def _allocate(self, memory: DeviceMemory) -> vk.Handle:
        requirements = vk.out("VkMemoryRequirements")
        vk.lib().vkGetBufferMemoryRequirements(memory.handle, self.handle, requirements)
        return memory.allocate(requirements, self._place, self._freed)

    def _bind(self, device: vk.Handle) -> Bytes | None:
        vk.call("vkBindBufferMemory", device, self.handle, self._allocated, 0)
        if self._place is MemoryPlace.DEVICE:
            return None
        place, size = vk.out("void*"), self.size_bytes
        vk.call("vkMapMemory", device, self._allocated, 0, size, 0, place)
        mapped: Bytes = np.frombuffer(vk.ffi().buffer(place[0], size), np.uint8)
        return mapped

    def _slot(self, offset: int, size_bytes: int) -> Suballocation:
        whole = self.writable
        writable = whole[offset : offset + size_bytes] if whole is not None else None
        mapped = writable if self._place is MemoryPlace.HOST else None
        return Suballocation(self, self.handle, offset, size_bytes, mapped, writable)

    @property
    def is_shared(self) -> bool:
        """Whether it has several slots."""
        return self._slots > 1

    @property
    def is_free(self) -> bool:
        """Whether all of its slots are free."""
        return len(self.free) == self._slots

    def close(self) -> None:
        """Unmap and free the memory."""
        self._stack.close()


@dataclass(frozen=True, slots=True, eq=False)
class Suballocation:
    """`size_bytes` of a VkBuffer from byte `offset` on.

    `mapped` is u8[size_bytes] if the host may read and write it, `writable` if it may at least
    write.
    """

    block: MemoryBlock
    handle: vk.Handle
    offset: int
    size_bytes: int
    mapped: Bytes | None
    writable: Bytes | None

    @property
    def bytes(self) -> Bytes:
        """The host's view of the slot, writable. The slot must have one."""
        assert self.mapped is not None, "the host does not see this memory"
        return self.mapped


class Pool:
    """Slots in one kind of memory. The caller holds the device's lock.

    Ctrl-C may interrupt anywhere: a slot is always in its block's `free`, or a stack will return
    it; a block that an interrupted `take` emptied may still be listed. `take` raises
    OutOfMemoryError if no memory is left.
    """

    def __init__(self, memory: DeviceMemory, place: MemoryPlace):
        self._memory = memory
        self.place = place
        self._blocks: set[MemoryBlock] = set()
        self._partial: dict[int, dict[MemoryBlock, None]] = {}  # with free slots, by slot size
        self._given: deque[MemoryBlock] = deque()  # blocks with returned slots

    def take(self, nbytes: int, reclaim: Reclaim, stack: Deletions) -> Suballocation:
        """A slot of at least `nbytes`, until `stack` closes. It is not cleared.

        `reclaim` is called if no memory is left; it returns unused memory.
        """
        size = min(slot_bytes(nbytes), self._memory.most_bytes)
        self.take_back()
        blocks = self._partial.setdefault(size, {})
        block = next((b for b in reversed(blocks) if b.free), None) or self._block(size, reclaim)
        taken: list[Suballocation] = []
        stack.callback(self._given.append, block)
        stack.callback_later(block.free.append, zip(taken, strict=False))
        taken.extend(islice(iter(block.free.pop, None), 1))  # in C: Ctrl-C cannot lose the slot
        if not block.free:
            del blocks[block]
        return taken[0]

    def take_back(self) -> None:
        """Offer the slots that stacks have returned again, and free blocks that are not kept."""
        while self._given:
            block = self._given[0]
            if block in self._blocks:
                self._list(block)
            self._given.popleft()

    def _list(self, block: MemoryBlock) -> None:
        blocks = self._partial.setdefault(block.slot_bytes, {})
        if block.free:
            blocks[block] = None
        if block.is_free and not self._is_kept(block, blocks):
            block.close()

    def _is_kept(self, block: MemoryBlock, blocks: Mapping[MemoryBlock, None]) -> bool:
        """Whether an unused block stays: one of each small size, large ones up to IDLE_BYTES."""
        if block.is_shared:
            return len(blocks) == 1
        large = (b.size_bytes for b in self._blocks if b.is_free and not b.is_shared)
        return sum(large) <= IDLE_BYTES

    def trim(self) -> None:
        """Free every block without used slots."""
        self.take_back()
        for block in [b for blocks in self._partial.values() for b in blocks]:
            if block.is_free:
                block.close()

    def close(self) -> None:
        """Free everything, including slots in use."""
        for block in list(self._blocks):
            block.close()
        self._partial.clear()

    def _block(self, size: int, reclaim: Reclaim) -> MemoryBlock:
        least, most = _BLOCK_BYTES
        nbytes = min(max(size * _SLOTS_PER_BLOCK, least), most) if is_shared(size) else size
        listed = self._partial.setdefault(size, {})
        make = partial(MemoryBlock, self._memory, nbytes, size, self._blocks, listed)
        with suppress(OutOfMemoryError):
            return make(self.place)
        reclaim()
        try:
            return make(self.place)
        except OutOfMemoryError:
            if self.place is not MemoryPlace.WRITTEN:
                raise
            return make(MemoryPlace.DEVICE)  # a device may still have memory that cannot be mapped


def slot_bytes(nbytes: int) -> int:
    """The size of the slot for a buffer of `nbytes`.

    Small sizes are powers of two. Large ones are multiples of a quarter of the power of two below.
    """
    if nbytes <= SLOT_ALIGNMENT:
        return SLOT_ALIGNMENT
    power = 1 << (nbytes - 1).bit_length()
    if power <= _LARGEST_SHARED:
        return power
    step = power >> 3
    return -(-nbytes // step) * step


def is_shared(nbytes: int) -> bool:
    """Whether the slot for so many bytes may be a part of a larger VkBuffer."""
    return slot_bytes(nbytes) <= _LARGEST_SHARED
