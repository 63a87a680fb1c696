"""Arguments on the device: uploads, and the ranges for descriptors.

A shader's bounds are those of the bound range, so the range is the view's to the byte. Where no
descriptor of the device can show a view, a window passes the part to the shader.
Source: Vulkan specification, "Buffer Views" and "Image Views".
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    UNIFORM_BUFFER,
    Binding,
    ShaderInterface,
)
from vkrunner.binding.arguments import (
    DWORD_BYTES,
    VECTOR_BYTES,
    Argument,
    ArrayArgument,
    NullArgument,
    ResidentBytes,
    ResidentConstants,
    ResidentTexture,
    SamplerArgument,
    Texels,
    TextureArray,
)
from vkrunner.binding.constants import padded
from vkrunner.binding.registers import label_of
from vkrunner.errors import FeatureError, LimitError
from vkrunner.resources.device_objects import object_of
from vkrunner.values.arrays import Array
from vkrunner.values.dimensions import Dimension, ImageSize, Part
from vkrunner.values.formats import buffer_twin
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.pool import Suballocation
from vkrunner.vulkan.encode.descriptor import Bound, is_changed
from vkrunner.vulkan.encode.texture import TextureImage, image_of
from vkrunner.vulkan.encode.transfers import ImageExcerpt
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_features import SAMPLED, STORAGE
from vkrunner.vulkan.objects.images import Image, ImageCopy
from vkrunner.vulkan.objects.samplers import SamplerObject, create_sampler
from vkrunner.vulkan.objects.storage import PaddedCopy, StagingBuffer, storage_of, texel_view

_PLACEHOLDER_BYTES = 16  # the largest texel
_WITH_WINDOWS = (RAW_BUFFER, STRUCTURED_BUFFER, TYPED_BUFFER)


def needs_window(logical: LogicalDevice, argument: Argument) -> bool:
    """Whether no descriptor of the device shows just this view, but one shows it with others."""
    binding = argument.binding
    if isinstance(argument, ResidentTexture):
        return argument.view.part.num_w_slices is not None
    if binding.kind not in _WITH_WINDOWS:
        return False
    offset, size = argument.byte_range
    if size == 0:
        return not logical.info.features.null_descriptor
    return offset % _offset_alignment(logical, binding) != 0


def fit_constants(arguments: Sequence[Argument], interface: ShaderInterface) -> list[Argument]:
    """The arguments with constant buffers as long as a module declares them."""
    return [
        _fit(argument, interface[argument.binding.register])
        if argument.binding.kind == CONSTANT_BUFFER
        else argument
        for argument in arguments
    ]


def _fit(argument: Argument, binding: Binding) -> Argument:
    if isinstance(argument, ArrayArgument) and binding.size_bytes:
        array = padded(argument.array, binding.size_bytes)
        return dataclasses.replace(argument, binding=binding, array=array)
    return dataclasses.replace(argument, binding=binding)


def needs_excerpt(argument: Argument, logical: LogicalDevice) -> TypeGuard[ResidentConstants]:
    """Whether a constant buffer's view ends too early, or begins where no descriptor can.

    D3D reads 0 after the end; a uniform buffer's range is never less than the shader declares.
    """
    if not isinstance(argument, ResidentConstants):
        return False
    offset, size = argument.byte_range
    too_short = size < (argument.binding.size_bytes or 0)
    return too_short or offset % _offset_alignment(logical, argument.binding) != 0


def needs_image_excerpt(argument: Argument) -> TypeGuard[ResidentTexture]:
    """Whether a view begins at a later mip and has several, which some drivers show wrongly."""
    if not isinstance(argument, ResidentTexture) or _use(argument.binding) != SAMPLED:
        return False
    part = argument.view.part
    return part.first_mip > 0 and part.num_mips > 1


def bind(
    logical: LogicalDevice,
    argument: Argument,
    stack: Deletions,
    *,
    windowed: bool = False,
    excerpted: bool = False,
) -> Bound:
    """Put an argument on the device; `stack` frees what is made for it.

    `windowed`: the shader takes the view's first element and size from a window. `excerpted`: the
    mips of a view are copied. Raises LimitError or FeatureError for what the device cannot bind.
    """
    if isinstance(argument, SamplerArgument):
        return _bind_sampler(logical, argument, stack)
    if isinstance(argument, ResidentTexture):
        return _bind_texture(argument, stack, windowed, excerpted)
    if isinstance(argument, TextureArray) and argument.array.size:
        return _bind_texture_array(logical, argument, stack, windowed)
    if needs_excerpt(argument, logical):
        return _bind_excerpt(logical, argument, stack)
    return _bind_bytes(logical, argument, stack, windowed)


def _bind_sampler(logical: LogicalDevice, argument: SamplerArgument, stack: Deletions) -> Bound:
    """The caller's, or a new one."""
    binding, element, resident = argument.binding, argument.element, argument.resident
    if resident is None:
        handle = create_sampler(logical, argument.state, stack)
        return Bound(binding, element, sampler=handle)
    made = object_of(resident)
    assert isinstance(made, SamplerObject), "samplers of other devices were refused"
    return Bound(binding, element, sampler=made.handle, owner=made)


def _bind_texture(
    argument: ResidentTexture, stack: Deletions, windowed: bool, excerpted: bool
) -> Bound:
    """An image that stays on the device, or a copy of the view's part."""
    view, image = argument.view, image_of(argument.resident)
    excerpt = ImageExcerpt(image, view.part) if excerpted else None
    shown, part = (image, view.part) if excerpt is None else (excerpt.target, excerpt.target.whole)
    handle = _view(shown, argument, view.dimension, part, stack)
    window = _slices(image.size, view.part) if windowed else None
    bound = argument.binding, argument.element
    return Bound(*bound, window=window, image=handle, excerpt=excerpt, owner=image)


def _bind_texture_array(
    logical: LogicalDevice, argument: TextureArray, stack: Deletions, windowed: bool
) -> Bound:
    """A texture of its own; one with several samples is filled now, by a shader."""
    binding, element, layout = argument.binding, argument.element, argument.layout
    if layout.size.samples > 1:
        image, copy = TextureImage(logical, layout, [argument.array]), None
    else:
        image = Image(logical, layout.format, layout.size, (_use(binding),))
        copy = ImageCopy(image, stack, image.whole)
        copy.put(0, argument.contents)
    handle = _view(image, argument, layout.dimension, image.whole, stack)
    window = _slices(layout.size, image.whole) if windowed else None
    return Bound(binding, element, window=window, image=handle, copy=copy, owner=image)


def _slices(size: ImageSize, part: Part) -> tuple[int, int]:
    """The window of a 3D UAV: the first slice of its mip, and how many."""
    return part.first_w_slice, size.part_extent(part, part.first_mip)[2]


def _view(
    image: Image,
    argument: ResidentTexture | TextureArray,
    dimension: Dimension,
    part: Part,
    stack: Deletions,
) -> vk.Handle:
    """The VkImageView; storage images take no swizzle, their accesses are translated instead."""
    format, use = image.seen_as(argument.format), _use(argument.binding)
    swizzle = format.swizzle if use == SAMPLED else "rgba"
    return image.create_view(dimension, part, stack, format, use, swizzle=swizzle)


def _use(binding: Binding) -> str:
    return STORAGE if binding.descriptor_type == STORAGE_IMAGE else SAMPLED


def _contents(argument: Argument) -> Array | None:
    """The bytes that come with a submission; there are no null constant buffers."""
    if isinstance(argument, NullArgument) and argument.binding.kind == CONSTANT_BUFFER:
        return padded(np.empty(0, np.uint8), argument.binding.size_bytes or VECTOR_BYTES)
    return argument.contents if isinstance(argument, ArrayArgument) else None


def _bind_bytes(
    logical: LogicalDevice, argument: Argument, stack: Deletions, windowed: bool
) -> Bound:
    """A range of a buffer: of one that stays on the device, or of one for an array."""
    binding, element, contents = argument.binding, argument.element, _contents(argument)
    offset, size = argument.byte_range if contents is None else (0, contents.nbytes)
    if size == 0:
        return _bind_nothing(logical, argument, stack, windowed)
    window = None
    if windowed:
        offset, size, window = _widened(logical, argument, offset, size)
    _check_range(logical, argument, offset, size)
    transient = storage = None
    if contents is not None:
        transient = StagingBuffer(logical, stack, size, is_returned=is_changed(binding))
        transient.incoming[:] = contents
        slot = transient.device
    else:
        assert isinstance(argument, ResidentBytes)
        storage = storage_of(argument.resident)
        slot = storage.slot
    texels = _texels(logical, argument, slot, (offset, size), stack)
    return Bound(
        *(binding, element, slot, offset, size, texels, window),
        transient=transient,
        owner=storage,
    )


def _bind_excerpt(logical: LogicalDevice, argument: ResidentConstants, stack: Deletions) -> Bound:
    offset, size = argument.byte_range
    whole = argument.binding.size_bytes or size
    whole += -whole % VECTOR_BYTES
    _check_range(logical, argument, 0, whole)
    target = logical.slot(whole, stack, host=False)
    storage = storage_of(argument.resident)
    excerpt = PaddedCopy(storage.slot, offset, size, target, whole)
    bound = (argument.binding, argument.element, target, 0, whole)
    return Bound(*bound, excerpt=excerpt, owner=storage)


def _bind_nothing(
    logical: LogicalDevice, argument: Argument, stack: Deletions, windowed: bool
) -> Bound:
    """A null descriptor, or some bytes that an empty window keeps the shader from."""
    binding, element = argument.binding, argument.element
    if not windowed or binding.kind == TEXTURE:
        if not logical.info.features.null_descriptor:
            raise FeatureError(
                f"{label_of(binding)} is null or empty: {logical.info.name} lacks the feature"
                " null_descriptor"
            )
        return Bound(binding, element, window=(0, 0) if windowed else None)
    slot, size = logical.slot(_PLACEHOLDER_BYTES, stack, host=False), _PLACEHOLDER_BYTES
    texels = _texels(logical, argument, slot, (0, _unit(argument)), stack)
    return Bound(binding, element, slot, 0, size, texels, (0, 0))


def _unit(argument: Argument) -> int:
    """The size in bytes of a window's unit."""
    return argument.format.texel_bytes if isinstance(argument, Texels) else DWORD_BYTES


def _texels(
    logical: LogicalDevice,
    argument: Argument,
    slot: Suballocation,
    span: tuple[int, int],
    stack: Deletions,
) -> vk.Handle:
    """The VkBufferView of a typed buffer, None for another."""
    if not isinstance(argument, Texels):
        return None
    is_storage = argument.binding.descriptor_type == STORAGE_TEXEL_BUFFER
    format = argument.format if is_storage else buffer_twin(argument.format)
    return texel_view(logical, slot, format, span, stack)


def _widened(
    logical: LogicalDevice, argument: Argument, offset: int, size: int
) -> tuple[int, int, tuple[int, int]]:
    """(offset, size, window): the range from where a descriptor can start to the view's end."""
    unit = _unit(argument)
    step = math.lcm(unit, _offset_alignment(logical, argument.binding))
    before = offset % step
    return offset - before, before + size, (before // unit, size // unit)


def _check_range(logical: LogicalDevice, argument: Argument, offset: int, size: int) -> None:
    limits, binding = logical.info.limits, argument.binding
    label = label_of(binding)
    if isinstance(argument, Texels):
        texels, most = size // argument.format.texel_bytes, limits.max_texel_buffer_elements
        if texels > most:
            raise LimitError(f"{label}: {texels} elements; {logical.info.name} allows {most}")
    else:
        uniform = binding.descriptor_type == UNIFORM_BUFFER
        most = limits.max_uniform_buffer_range if uniform else limits.max_storage_buffer_range
        if size > most:
            raise LimitError(f"{label}: {size} bytes; {logical.info.name} allows {most}")
    alignment = _offset_alignment(logical, binding)
    if offset % alignment:
        raise LimitError(
            f"{label}: the view starts at byte {offset};"
            f" {logical.info.name} wants a multiple of {alignment}"
        )


def _offset_alignment(logical: LogicalDevice, binding: Binding) -> int:
    """The alignment of the start of a buffer's range, in bytes."""
    limits = logical.info.limits
    if binding.kind == TYPED_BUFFER:
        return limits.texel_buffer_offset_alignment
    if binding.descriptor_type == UNIFORM_BUFFER:
        return limits.uniform_buffer_offset_alignment
    return limits.storage_buffer_offset_alignment
