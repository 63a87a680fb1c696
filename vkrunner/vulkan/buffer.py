"""VulkanBuffer: a buffer that stays on the device until it is closed or collected."""

from __future__ import annotations

from vkrunner.device_objects import DeviceBuffer
from vkrunner.errors import ArgumentError
from vkrunner.values.arrays import Bytes
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.mapping import view_of
from vkrunner.vulkan.storage import Storage


class VulkanBuffer:
    """A `DeviceBuffer`.

    It refers to its storage until it is closed; work in flight may refer to the storage longer.
    """

    def __init__(self, logical: LogicalDevice, nbytes: int):
        self.owner = logical
        self.nbytes = nbytes
        storage = Storage(logical, nbytes)
        self._storage: Storage | None = storage
        self.token = storage.token
        logical.plans.forget_with(self, storage.token)

    @property
    def storage(self) -> Storage:
        """Raises ArgumentError when the buffer or its device is closed."""
        storage = self._storage
        if storage is None:
            raise ArgumentError("the buffer is closed")
        self.owner.check_open()
        return storage

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        _ = self.storage

    def read(self, first: int, out: Bytes) -> None:
        """Copy what the device has from byte `first` on, when no work in flight uses it."""
        with self.owner.in_use():
            self.storage.read(first, out)

    def write(self, first: int, data: Bytes) -> None:
        """Replace bytes from byte `first` on, when no work in flight uses them."""
        with self.owner.in_use():
            self.storage.write(first, data)

    def map(self, mode: str) -> Bytes | None:
        """The bytes where the host has them, writable with a "w"; not freed before the array is."""
        with self.owner.in_use() as use:
            storage = self.storage
            mapped = storage.slot.writable if mode == "w" else storage.slot.mapped
            if mapped is None:
                return None
            self.owner.wait_for(storage.token)
            return view_of(mapped[: self.nbytes], storage, use, writable="w" in mode)

    def close(self) -> None:
        """Free the memory, when work in flight and mapped arrays have ended."""
        storage, self._storage, self.token = self._storage, None, 0
        if storage is not None:
            token = storage.token
            del storage
            self.owner.forget(token)


def storage_of(memory: DeviceBuffer) -> Storage:
    """The storage of a buffer whose owner was checked. Raises ArgumentError when it is closed."""
    assert isinstance(memory, VulkanBuffer), "buffers of other devices were refused"
    return memory.storage
