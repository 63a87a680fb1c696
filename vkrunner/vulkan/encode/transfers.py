"""Copies and fills as commands of a command list.

Source: Vulkan specification, "Copying Data Between Buffers", "Copying Data Between Images",
"Filling Buffers".
"""

from __future__ import annotations

from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.values.arrays import Array, bytes_of
from vkrunner.values.dimensions import ImageSize, Part
from vkrunner.vulkan.device.barriers import (
    AFTER_COPY,
    BEFORE_ALL,
    COPY,
    ResourceUse,
    record_barrier,
)
from vkrunner.vulkan.encode.command_list import Command, Input
from vkrunner.vulkan.encode.staging import array_writer, image_input
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_features import SAMPLED
from vkrunner.vulkan.objects.images import (
    Image,
    ImageCopy,
    mip_layers,
    part_extent,
    part_offset,
    spans_of,
)
from vkrunner.vulkan.objects.storage import Storage, record_copy
from vkrunner.work.steps import SOURCE


class BufferCopy(Command):
    """Copies `nbytes` from one storage to another; each comes with the offset of its first byte."""

    def __init__(self, source: tuple[Storage, int], target: tuple[Storage, int], nbytes: int):
        self.uses = (_use(*source, nbytes, writes=False), _use(*target, nbytes, writes=True))
        self.owners = (source[0], target[0])
        self._ends = (source[0].slot, source[1]), (target[0].slot, target[1])
        self._nbytes = nbytes

    def record(self, commands: vk.Handle) -> None:
        if self._nbytes:
            record_copy(commands, *self._ends, self._nbytes)


class BufferFill(Command):
    """Writes one dword to each dword of a range of a storage; `first` and `nbytes` are in bytes."""

    def __init__(self, storage: Storage, first: int, nbytes: int, dword: int):
        self.uses = (_use(storage, first, nbytes, writes=True),)
        self.owners = (storage,)
        self._slot = storage.slot
        self._values = storage.slot.offset + first, nbytes, dword

    def record(self, commands: vk.Handle) -> None:
        if self._values[1]:
            vk.lib().vkCmdFillBuffer(commands, self._slot.handle, *self._values)


class BufferUpload(Command):
    """Writes an array to a storage from byte `first` on; a submission may pass another array."""

    def __init__(self, array: Array, storage: Storage, first: int, stack: Deletions):
        self.uses = (_use(storage, first, array.nbytes, writes=True),)
        self.owners = (storage,)
        self._host = storage.logical.slot(array.nbytes, stack, host=True)
        self._to, self._nbytes = (storage.slot, first), array.nbytes
        target = self._host.bytes[: array.nbytes]
        self.inputs = _restored(Input(target, array_writer(target, array), bytes_of(array)))

    def record(self, commands: vk.Handle) -> None:
        if self._nbytes:
            record_copy(commands, (self._host, 0), self._to, self._nbytes)


class ImageUpload(Command):
    """Writes an array to one mip of an image; a submission may pass another array."""

    def __init__(self, array: Array, image: Image, part: Part, stack: Deletions):
        self.uses = (ResourceUse(image.token, spans_of(part), writes=True, stage=COPY),)
        self.owners = (image,)
        self._copy = ImageCopy(image, stack, part)
        self.inputs = _restored(image_input(self._copy, array, is_recorded=True))

    def record(self, commands: vk.Handle) -> None:
        self._copy.record_upload(commands)


def _restored(made: Input) -> dict[Place, Input]:
    made.restore()
    return {(SOURCE, 0): made}


class ImageToImage(Command):
    """Copies a part of an image to a part of the same size of another image."""

    def __init__(self, source: tuple[Image, Part], target: tuple[Image, Part]):
        self.uses = (
            ResourceUse(source[0].token, spans_of(source[1]), writes=False, stage=COPY),
            ResourceUse(target[0].token, spans_of(target[1]), writes=True, stage=COPY),
        )
        self.owners = (source[0], target[0])
        self._ends = source, target

    def record(self, commands: vk.Handle) -> None:
        (source, from_part), (target, to_part) = self._ends
        pairs = zip(from_part.mips, to_part.mips, strict=True)
        regions = [_region(source, (mip, from_part), (to_mip, to_part)) for mip, to_mip in pairs]
        layout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
        array = vk.array("VkImageCopy", regions)
        ends = (source.handle, layout, target.handle, layout)
        vk.lib().vkCmdCopyImage(commands, *ends, len(regions), array)


class ImageExcerpt:
    """Copies a part of an image to an image of its own before each dispatch.

    The copy replaces a view that the driver shows wrongly.
    """

    def __init__(self, source: Image, part: Part):
        width, height, depth = source.size.extent(part.first_mip)
        size = ImageSize(source.size.axes, width, height, depth, part.num_layers, part.num_mips)
        self.target = Image(source.logical, source.format, size, (SAMPLED,), is_cast=True)
        source.logical.copy(self.target.record_start)
        self._copy = ImageToImage((source, part), (self.target, self.target.whole))

    def record(self, commands: vk.Handle) -> None:
        """Record the copy; a dispatch may follow directly."""
        self._copy.record(commands)
        record_barrier(commands, AFTER_COPY, BEFORE_ALL)


def _use(storage: Storage, first: int, nbytes: int, *, writes: bool) -> ResourceUse:
    return ResourceUse(storage.token, ((first, first + nbytes),), writes, COPY)


def _region(image: Image, source: tuple[int, Part], target: tuple[int, Part]) -> Any:
    return vk.struct(
        "VkImageCopy",
        srcSubresource=mip_layers(image.format, source[1], source[0]),
        srcOffset=part_offset(source[1]),
        dstSubresource=mip_layers(image.format, target[1], target[0]),
        dstOffset=part_offset(target[1]),
        extent=part_extent(image.size, source[1], source[0]),
    )
