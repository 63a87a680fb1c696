"""Copies and fills as commands of a command list; memory for array arguments.

Source: Vulkan specification, "Copying Data Between Buffers", "Copying Data Between Images",
"Filling Buffers".

A step has an `Input` for each array argument. A dispatch has an `Output` for each array of its
result.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from translate.interface import CONSTANT_BUFFER, COUNTER, Binding
from vkrunner.binding.arguments import ArrayArgument, Place
from vkrunner.binding.constants import constant_bytes, packer_of, padded
from vkrunner.dispatch.steps import SOURCE
from vkrunner.resources.device_objects import counter_value
from vkrunner.values.numbers import Array, Bytes, as_array, bytes_of
from vkrunner.values.texture_layout import ImageSize, Part
from vkrunner.vulkan.device.commands import (
    AFTER_COPY,
    BEFORE_ALL,
    COPY,
    ResourceUse,
    record_barrier,
)
from vkrunner.vulkan.encode.command_list import Command, Input, Write
from vkrunner.vulkan.encode.descriptor import Moved, Pushed
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_support import SAMPLED
from vkrunner.vulkan.objects.images import (
    Image,
    ImageCopy,
    mip_layers,
    part_extent,
    part_offset,
    spans_of,
)
from vkrunner.vulkan.objects.storage import Storage, record_copy

Output = tuple[Bytes, np.dtype[Any], tuple[int, ...]]  # staging memory, dtype, shape
_NOTHING: Bytes = np.empty(0, np.uint8)


def input_of(argument: ArrayArgument, moved: Moved | Pushed, *, is_recorded: bool) -> Input:
    """The input of an array argument; `moved` is its staging memory.

    `is_recorded`: submissions that pass no array use this one. Otherwise each submission must pass
    one, except for the initial value of a hidden counter, which is always recorded.
    """
    target, binding = moved.incoming, argument.shown.binding
    is_spent, recorded = moved.is_returned, None
    if isinstance(moved, ImageCopy):
        return image_input(moved, argument.array, is_recorded=is_recorded, is_spent=is_spent)
    if is_recorded or binding.kind == COUNTER:
        recorded = argument.contents
    if binding.kind == CONSTANT_BUFFER:
        write = _constants_writer(binding, target)
        recorded = None if recorded is None else padded(recorded, target.nbytes)
    elif binding.kind == COUNTER:
        write = _counter_writer(target)
    else:
        write = array_writer(target, argument.array)
    return Input(target, write, recorded, is_spent=is_spent)


def image_input(
    copy: ImageCopy, array: Array, *, is_recorded: bool, is_spent: bool = False
) -> Input:
    """The input of an array that is copied to the first mip of the part that `copy` fills."""
    target, mip = copy.incoming, copy.part.first_mip

    def put(given: Array) -> None:
        copy.put(mip, bytes_of(as_array(given, "")))

    write = put if copy.is_packed else array_writer(target, array)
    recorded = copy.packed(mip, bytes_of(array)) if is_recorded else None
    return Input(target, write, recorded, is_spent=is_spent)


def array_writer(target: Bytes, like: Array) -> Write:
    """A function that writes an array to `target`, and zeros after it.

    It takes arrays with the dtype and shape of `like`, in any byte order and with any strides.
    """
    ours, rest = target[: like.nbytes], target[like.nbytes :]
    typed: Array = ours.view(like.dtype).reshape(like.shape)
    if typed.dtype.names is None and not rest.nbytes:
        return partial(typed.__setitem__, ...)  # the fastest for all strides

    def write(array: Array) -> None:
        ours[:] = bytes_of(as_array(array, ""))  # NumPy would copy structures field by field
        rest[:] = 0

    return write


def _constants_writer(binding: Binding, target: Bytes) -> Write:
    label = binding.label
    packer, memory = packer_of(binding.constants, target), memoryview(target.data)

    def write(value: Any) -> None:
        if packer is None or value.__class__ is not dict or not packer.pack(value, memory):
            target[:] = padded(constant_bytes(binding, value, label), target.nbytes)

    return write


def _counter_writer(target: Bytes) -> Write:
    typed = target.view(np.uint32)

    def write(value: Any) -> None:
        typed[:] = value if isinstance(value, np.ndarray) else counter_value(value)

    return write


def output_of(array: Array, moved: Moved | Pushed | None) -> Output:
    """Where the result for `array` lies after a submission: bytes, dtype, shape.

    `moved` is its staging memory; None for an empty array, which has no memory.
    """
    data = moved.outgoing[: array.nbytes] if moved is not None else _NOTHING
    return data, array.dtype, array.shape


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
