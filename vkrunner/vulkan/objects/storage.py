"""Memory of one buffer or array: Storage stays on the device, StagingBuffer moves data.

On a CPU or an integrated device, both are in memory that host and device share. On other devices
they are in device memory, and the device copies them to and from memory that the host sees. If the
host can map all device memory (resizable BAR), it writes there directly; reads would cross the bus
dword by dword, so these are still copied. Source: Vulkan specification, "Resource Creation",
"Copying Data Between Buffers".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from translate.dataclass import dataclass
from vkrunner.resources.device_objects import next_token
from vkrunner.values.formats import Format
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.device.commands import AFTER_COPY, BEFORE_ALL, BEFORE_COPY, record_barrier
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.pool import TEXEL_USES, Suballocation
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_support import format_properties

_CHUNK_BYTES = 64 << 20  # the largest part that is staged at once


class Storage:
    """A `DeviceBuffer`: the bytes of one buffer that stays on the device, which it owns."""

    def __init__(self, logical: LogicalDevice, nbytes: int):
        self.logical = logical
        self.nbytes = nbytes
        self.token = next_token()
        self.slot: Suballocation = logical.slot(nbytes, logical.own(self), host=False)

    def read(self, first: int, out: Bytes) -> None:
        self.logical.wait_for(self.token)
        mapped = self.slot.mapped
        if mapped is not None:
            out[:] = mapped[first : first + out.nbytes]
        else:
            self._stage(first, out, to_device=False)

    def write(self, first: int, data: Bytes) -> None:
        self.logical.wait_for(self.token)
        writable = self.slot.writable
        if writable is not None:
            writable[first : first + data.nbytes] = data
        else:
            self._stage(first, data, to_device=True)

    def map(self, mode: str) -> Bytes | None:
        mapped = self.slot.writable if mode == "w" else self.slot.mapped
        if mapped is None:
            return None
        self.logical.wait_for(self.token)
        use = self.logical.context.in_use()
        return mapped_view(mapped[: self.nbytes], self, use, writable="w" in mode)

    def _stage(self, first: int, data: Bytes, *, to_device: bool) -> None:
        """Copy through memory that the host sees, one part after the other."""
        for start in range(0, data.nbytes, _CHUNK_BYTES):
            chunk = data[start : start + _CHUNK_BYTES]
            self._stage_chunk(first + start, chunk, to_device=to_device)

    def _stage_chunk(self, first: int, chunk: Bytes, *, to_device: bool) -> None:
        with self.logical.temporaries() as stack:
            host = self.logical.slot(chunk.nbytes, stack, host=True)
            ours, theirs = (host, 0), (self.slot, first)
            source, target = (ours, theirs) if to_device else (theirs, ours)
            if to_device:
                host.bytes[: chunk.nbytes] = chunk
            self.logical.copy(lambda commands: record_copy(commands, source, target, chunk.nbytes))
            if not to_device:
                chunk[:] = host.bytes[: chunk.nbytes]


class StagingBuffer:
    """Memory for an array that is uploaded with a submission and, if `is_returned`, read back.

    `device` is the device's side. The host's side is the same memory, or other memory that is
    copied.
    """

    def __init__(
        self, logical: LogicalDevice, stack: Deletions, nbytes: int, *, is_returned: bool = True
    ):
        self.nbytes = nbytes
        self.is_returned = is_returned
        self.device: Suballocation = logical.slot(nbytes, stack, host=False)
        self._host = self.device
        if self.device.mapped is None and (is_returned or self.device.writable is None):
            self._host = logical.slot(nbytes, stack, host=True)

    @property
    def staged(self) -> bool:
        """Whether the host reads other memory than the shader writes: results must be copied."""
        return self._host is not self.device

    @property
    def incoming(self) -> Bytes:
        """The bytes to which the array is written before a submission."""
        writable = self.device.writable
        return (self._host.bytes if writable is None else writable)[: self.nbytes]

    @property
    def outgoing(self) -> Bytes:
        """The bytes that the host reads after a submission; results, if `is_returned`."""
        found = self._host.writable
        assert found is not None
        return found[: self.nbytes]

    def record_start(self, commands: vk.Handle) -> None:
        """Record nothing: buffers need no layout."""

    def record_upload(self, commands: vk.Handle) -> None:
        """Copy the host's bytes to the device, if they are separate."""
        if self.device.writable is None:
            record_copy(commands, (self._host, 0), (self.device, 0), self.nbytes)

    def record_download(self, commands: vk.Handle) -> None:
        """Copy the device's bytes to the host."""
        record_copy(commands, (self.device, 0), (self._host, 0), self.nbytes)


def record_copy(
    commands: vk.Handle,
    source: tuple[Suballocation, int],
    target: tuple[Suballocation, int],
    nbytes: int,
) -> None:
    """Record a copy of `nbytes` between two slots; each comes with its first byte's offset."""
    region = vk.struct(
        "VkBufferCopy",
        srcOffset=source[0].offset + source[1],
        dstOffset=target[0].offset + target[1],
        size=nbytes,
    )
    vk.lib().vkCmdCopyBuffer(commands, source[0].handle, target[0].handle, 1, region)


@dataclass(frozen=True, slots=True)
class PaddedCopy:
    """Bytes of a buffer that are copied before each dispatch, with zeros after them.

    The copy is bound in place of a view that is not aligned, or shorter than the shader declares.
    """

    source: Suballocation
    offset: int
    size: int
    target: Suballocation
    target_bytes: int

    def record(self, commands: vk.Handle) -> None:
        """Record the copy; a dispatch may follow directly."""
        target = self.target
        fill = (target.handle, target.offset, self.target_bytes, 0)
        vk.lib().vkCmdFillBuffer(commands, *fill)
        if self.size:
            record_barrier(commands, AFTER_COPY, BEFORE_COPY)
            record_copy(commands, (self.source, self.offset), (target, 0), self.size)
        record_barrier(commands, AFTER_COPY, BEFORE_ALL)


class _Base:
    """The base of a NumPy view; it keeps the owners of the memory alive."""

    def __init__(self, mapped: Bytes, owners: tuple[object, ...], *, writable: bool):
        self._owners = owners
        interface: dict[str, Any] = dict(mapped.__array_interface__)
        interface["data"] = (interface["data"][0], not writable)
        self.__array_interface__ = interface


def mapped_view(mapped: Bytes, *owners: object, writable: bool) -> Bytes:
    """The same bytes as u8; the owners of the memory live as long as the view."""
    view: Bytes = np.asarray(_Base(mapped, owners, writable=writable))
    return view


def texel_view(
    logical: LogicalDevice,
    slot: Suballocation,
    format: Format,
    span: tuple[int, int],
    use: str,
    stack: Deletions,
) -> vk.Handle:
    """A VkBufferView of a span (first byte, bytes) of a slot, for descriptors of type `use`.

    The format of a view must support all texel uses of its VkBuffer. Where it does not, the view
    is of another VkBuffer with the same memory.
    """
    able, buffer = int(format_properties(logical, format).bufferFeatures), slot.handle
    if not all(able & vk.flags("VK_FORMAT_FEATURE", one) for one in TEXEL_USES):
        buffer = slot.block.alias(logical.handle, use.upper(), stack)
    info = vk.struct(
        "VkBufferViewCreateInfo",
        buffer=buffer,
        format=vk.constant(format.vulkan),
        offset=slot.offset + span[0],
        range=span[1],
    )
    return logical.create("VkBufferView", info, stack)
