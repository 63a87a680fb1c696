"""Memory of one buffer or array: Storage, which stays on the device, and Transient, which moves.

On a CPU or integrated device both lie in memory that both sides see; on others in device memory,
and are copied by the device to and from memory that the host sees. What the host can map of that
(resizable BAR) it writes in place; reading it goes over the bus dword by dword, so it is copied.
Source: Vulkan specification, "Resource Creation", "Copying Data Between Buffers".
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

from vkrunner.device_objects import DeviceBuffer, next_token
from vkrunner.errors import ArgumentError
from vkrunner.values.arrays import Bytes
from vkrunner.values.formats import Format
from vkrunner.vulkan import vk
from vkrunner.vulkan.barriers import (
    AFTER_ALL,
    AFTER_COPY,
    BEFORE_ALL,
    BEFORE_COPY,
    BEFORE_HOST,
    record_barrier,
)
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.mapping import Leases
from vkrunner.vulkan.pool import Slot

_CHUNK_BYTES = 64 << 20  # the most that is staged at once


class Storage:
    """A `DeviceBuffer`: the bytes of one buffer that stays on the device."""

    def __init__(self, logical: LogicalDevice, nbytes: int):
        self.owner = logical
        self.nbytes = nbytes
        self.token = self._used_as = next_token()
        self._closed = False
        self._stack = logical.own(self)
        self._leases = Leases(logical.leases)
        self.slot: Slot = logical.slot(nbytes, self._stack, host=False)

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        if self._closed:
            raise ArgumentError("the buffer is closed")
        self.owner.check_open()

    def read(self, first: int, out: Bytes) -> None:
        """Copy what the device has from byte `first` on, when no work in flight uses it."""
        with self.owner.in_use():
            self.check_open()
            self.owner.wait_for(self._used_as)
            mapped = self.slot.mapped
            if mapped is not None:
                out[:] = mapped[first : first + out.nbytes]
                return
            for start in range(0, out.nbytes, _CHUNK_BYTES):
                chunk = out[start : start + _CHUNK_BYTES]
                self._stage(first + start, chunk, to_device=False)

    def write(self, first: int, data: Bytes) -> None:
        """Replace bytes from byte `first` on, when no work in flight uses them."""
        with self.owner.in_use():
            self.check_open()
            self.owner.wait_for(self._used_as)
            writable = self.slot.writable
            if writable is not None:
                writable[first : first + data.nbytes] = data
                return
            for start in range(0, data.nbytes, _CHUNK_BYTES):
                chunk = data[start : start + _CHUNK_BYTES]
                self._stage(first + start, chunk, to_device=True)

    def map(self, mode: str) -> Bytes | None:
        """The bytes where the host has them, writable with a "w"; not freed before the array is."""
        with self.owner.in_use():
            self.check_open()
            mapped = self.slot.writable if mode == "w" else self.slot.mapped
            if mapped is None:
                return None
            self.owner.wait_for(self._used_as)
            view = self._leases.view(self, mapped[: self.nbytes], writable="w" in mode)
            self.check_open()  # it may have been closed when there was no lease yet
            return view

    def close(self) -> None:
        """Free the memory, when work in flight and mapped arrays have ended."""
        self._closed, self.token = True, 0
        self.owner.closings += 1
        self._leases.when_ended(lambda: self.owner.retire_later(self._stack))
        self.owner.bury()

    def _stage(self, first: int, chunk: Bytes, *, to_device: bool) -> None:
        logical, size = self.owner, chunk.nbytes
        stack = logical.own()
        try:
            host = logical.slot(size, stack, host=True)
            ours, theirs = (host, 0), (self.slot, first)
            source, target = (ours, theirs) if to_device else (theirs, ours)
            if to_device:
                host.bytes[:size] = chunk

            def record(commands: vk.Handle) -> None:
                record_barrier(commands, AFTER_ALL, BEFORE_COPY)
                record_copy(commands, source, target, size)
                if not to_device:
                    record_barrier(commands, AFTER_COPY, BEFORE_HOST)

            logical.execute(record)
            if not to_device:
                chunk[:] = host.bytes[:size]
        finally:
            logical.release(stack)


def storage_of(memory: DeviceBuffer) -> Storage:
    """The storage of a buffer whose owner was checked."""
    assert isinstance(memory, Storage), "buffers of other devices were refused"
    return memory


class Transient:
    """Memory for an array that comes with a submission and, if `is_returned`, goes back.

    `device` is the device's side. The host's is the same, or else another that is copied.
    """

    def __init__(
        self, logical: LogicalDevice, stack: ExitStack, nbytes: int, *, is_returned: bool = True
    ):
        self.nbytes = nbytes
        self.device: Slot = logical.slot(nbytes, stack, host=False)
        self._host = self.device
        if self.device.mapped is None and (is_returned or self.device.writable is None):
            self._host = logical.slot(nbytes, stack, host=True)

    @property
    def staged(self) -> bool:
        """Whether what the shader wrote is to be brought over by the device."""
        return self._host is not self.device

    @property
    def incoming(self) -> Bytes:
        """Where the array is put before a submission."""
        writable = self.device.writable
        return (self._host.bytes if writable is None else writable)[: self.nbytes]

    @property
    def outgoing(self) -> Bytes:
        """Where it is found after one, changed if it is returned."""
        found = self._host.writable
        assert found is not None
        return found[: self.nbytes]

    def record_start(self, commands: vk.Handle) -> None:
        """A buffer is ready as it is."""

    def record_upload(self, commands: vk.Handle) -> None:
        """Copy the host's bytes to the device's, where they are apart."""
        if self.device.writable is None:
            record_copy(commands, (self._host, 0), (self.device, 0), self.nbytes)

    def record_download(self, commands: vk.Handle) -> None:
        """Copy the device's bytes to the host's."""
        record_copy(commands, (self.device, 0), (self._host, 0), self.nbytes)


def record_copy(
    commands: vk.Handle, source: tuple[Slot, int], target: tuple[Slot, int], nbytes: int
) -> None:
    """Copy bytes between slots, each from a first byte on."""
    region = vk.struct(
        "VkBufferCopy",
        srcOffset=source[0].offset + source[1],
        dstOffset=target[0].offset + target[1],
        size=nbytes,
    )
    vk.lib().vkCmdCopyBuffer(commands, source[0].handle, target[0].handle, 1, region)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Bytes of a buffer that are copied out of it before each dispatch, zeros behind them.

    It stands for a view that no descriptor shows: one that ends too early, or begins anywhere.
    """

    source: Slot
    offset: int
    size: int
    target: Slot
    target_bytes: int

    def record(self, commands: vk.Handle) -> None:
        """Copy; the dispatch may follow."""
        target = self.target
        fill = (target.handle, target.offset, self.target_bytes, 0)
        vk.lib().vkCmdFillBuffer(commands, *fill)
        if self.size:
            record_barrier(commands, AFTER_COPY, BEFORE_COPY)
            record_copy(commands, (self.source, self.offset), (target, 0), self.size)
        record_barrier(commands, AFTER_COPY, BEFORE_ALL)


def texel_view(
    logical: LogicalDevice, slot: Slot, format: Format, span: tuple[int, int], stack: ExitStack
) -> vk.Handle:
    """A VkBufferView of a span (first byte, bytes) of a slot."""
    info = vk.struct(
        "VkBufferViewCreateInfo",
        buffer=slot.handle,
        format=vk.constant(format.vulkan),
        offset=slot.offset + span[0],
        range=span[1],
    )
    return logical.create("VkBufferView", info, stack)
