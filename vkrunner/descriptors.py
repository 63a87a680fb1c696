"""Arguments on the device: what is uploaded, which range of which buffer a descriptor gets.

A shader's bounds are those of the bound range, so the range is the view's to the byte.
Source: Vulkan specification, "Descriptor Set Updates" and "Buffer Views".
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from translate.interface import CONSTANT_BUFFER, Binding
from vkrunner import vk
from vkrunner.arguments import Argument, label_of
from vkrunner.errors import ArgumentError, FeatureError, LimitError
from vkrunner.formats import Format
from vkrunner.logical import LogicalDevice
from vkrunner.memory import Storage

UNIFORM_TEXEL_BUFFER = "uniform_texel_buffer"
STORAGE_TEXEL_BUFFER = "storage_texel_buffer"
UNIFORM_BUFFER = "uniform_buffer"
STORAGE_BUFFER = "storage_buffer"
TEXEL_BUFFERS = (UNIFORM_TEXEL_BUFFER, STORAGE_TEXEL_BUFFER)
_VECTOR_BYTES = 16  # what a constant buffer counts in
DESCRIPTOR_TYPES = (UNIFORM_BUFFER, STORAGE_BUFFER, *TEXEL_BUFFERS)


@dataclass(frozen=True, slots=True)
class Bound:
    """One descriptor's range: `size` bytes from `offset` on of `storage`, None for a null one.

    `texels` is the VkBufferView of a typed one. `transient` storage was made for one dispatch.
    """

    argument: Argument
    storage: Storage | None
    offset: int = 0
    size: int = 0
    texels: vk.Handle = None
    transient: bool = False


def bind(logical: LogicalDevice, argument: Argument, stack: ExitStack) -> Bound:
    """Put an argument on the device; `stack` frees what is made for it.

    Raises LimitError or FeatureError for what the device cannot bind.
    """
    offset, size = _range(argument)
    _check_range(logical, argument.binding, offset, size, argument.format)
    if size == 0:
        _check_null(logical, argument)
        return Bound(argument, None)
    transient = argument.data is not None
    storage = _storage(logical, argument, size, stack)
    _check_owner(logical, storage, label_of(argument.binding))
    texels = None
    if argument.format is not None:
        texels = _buffer_view(logical, storage, argument.format, (offset, size), stack)
    return Bound(argument, storage, offset, size, texels, transient)


def descriptor_type(binding: Binding) -> int:
    """The VkDescriptorType."""
    return vk.constant(f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}")


def descriptor_write(bound: Bound, descriptor_set: vk.Handle) -> Any:
    """The VkWriteDescriptorSet that puts the range into a set."""
    binding = bound.argument.binding
    null = vk.ffi().NULL
    write = vk.struct(
        "VkWriteDescriptorSet",
        dstSet=descriptor_set,
        dstBinding=binding.binding,
        descriptorCount=1,
        descriptorType=descriptor_type(binding),
    )
    if binding.descriptor_type in TEXEL_BUFFERS:
        views = vk.array("VkBufferView", [null if bound.texels is None else bound.texels])
        return vk.keep(write, pTexelBufferView=views)
    info = vk.struct("VkDescriptorBufferInfo", range=vk.WHOLE_SIZE)
    if bound.storage is not None:
        info.buffer = bound.storage.device.handle
        info.offset, info.range = bound.offset, bound.size
    return vk.keep(write, pBufferInfo=info)


def check_format(logical: LogicalDevice, argument: Argument) -> None:
    """Raise FeatureError when the device has no such texel buffers of the argument's format."""
    binding, format = argument.binding, argument.format
    if format is None:
        return
    properties = vk.out("VkFormatProperties")
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties(logical.physical, number, properties)
    able = int(properties.bufferFeatures)
    uses = [binding.descriptor_type.upper()]
    if binding.atomic:
        uses.append(f"{STORAGE_TEXEL_BUFFER.upper()}_ATOMIC")
    if not all(able & vk.flags("VK_FORMAT_FEATURE", use) for use in uses):
        use = "an atomic one" if len(uses) > 1 else binding.descriptor_type.replace("_", " ")
        raise FeatureError(
            f"{label_of(binding)}: {logical.info.name} does not take {format.name} as {use}"
        )


def _range(argument: Argument) -> tuple[int, int]:
    """(offset, size) in bytes. Raises ArgumentError for a view that does not fit its buffer."""
    if argument.data is not None:
        return 0, argument.data.nbytes
    if argument.counter_of is not None:
        return 0, 4
    if argument.view is None:
        return 0, 0
    view, binding = argument.view, argument.binding
    if binding.kind == CONSTANT_BUFFER:
        return _constant_range(argument)
    element = view.element_bytes or argument.element_bytes
    if view.num_elements is None and view.buffer.nbytes % element:
        raise ArgumentError(
            f"{label_of(binding)} has elements of {element} bytes, the buffer"
            f" {view.buffer.nbytes} bytes: say how many by view(num_elements=...)"
        )
    return view.range(element)


def _constant_range(argument: Argument) -> tuple[int, int]:
    """As many bytes as the shader declares, which the buffer has to have."""
    view, binding = argument.view, argument.binding
    assert view is not None
    first, size = view.range(view.element_bytes or _VECTOR_BYTES)
    if view.num_elements is None:
        size = view.buffer.nbytes - first
    needed = binding.size_bytes or size
    if size < needed:
        raise ArgumentError(f"{label_of(binding)} needs {needed} bytes, the buffer has {size}")
    return first, needed


def _check_range(
    logical: LogicalDevice, binding: Binding, offset: int, size: int, format: Format | None
) -> None:
    limits, label = logical.info.limits, label_of(binding)
    if format is not None:
        texels, most = size // format.texel_bytes, limits.max_texel_buffer_elements
        if texels > most:
            raise LimitError(f"{label}: {texels} elements; {logical.info.name} allows {most}")
        alignment = limits.texel_buffer_offset_alignment
    else:
        uniform = binding.descriptor_type == UNIFORM_BUFFER
        most = limits.max_uniform_buffer_range if uniform else limits.max_storage_buffer_range
        if size > most:
            raise LimitError(f"{label}: {size} bytes; {logical.info.name} allows {most}")
        storage, constants = (
            limits.storage_buffer_offset_alignment,
            limits.uniform_buffer_offset_alignment,
        )
        alignment = constants if uniform else storage
    if offset % alignment:
        raise LimitError(
            f"{label}: the view starts at byte {offset};"
            f" {logical.info.name} wants a multiple of {alignment}"
        )


def _check_null(logical: LogicalDevice, argument: Argument) -> None:
    if not logical.info.features.null_descriptor:
        raise FeatureError(
            f"{label_of(argument.binding)} is null or empty: {logical.info.name} lacks the"
            " feature null_descriptor"
        )


def _storage(logical: LogicalDevice, argument: Argument, size: int, stack: ExitStack) -> Storage:
    if argument.data is not None:
        storage = Storage(logical, stack, size)
        storage.bytes[:] = argument.data
        return storage
    if argument.counter_of is not None:
        counter = argument.counter_of.counter_storage
        assert counter is not None
        return counter
    assert argument.view is not None
    return argument.view.buffer.storage


def _check_owner(logical: LogicalDevice, storage: Storage, label: str) -> None:
    if storage.logical is not logical:
        raise ArgumentError(f"{label}: the buffer belongs to another device")


def _buffer_view(
    logical: LogicalDevice,
    storage: Storage,
    format: Format,
    span: tuple[int, int],
    stack: ExitStack,
) -> vk.Handle:
    info = vk.struct(
        "VkBufferViewCreateInfo",
        buffer=storage.device.handle,
        format=vk.constant(format.vulkan),
        offset=span[0],
        range=span[1],
    )
    return logical.create("VkBufferView", info, stack)
