"""Arguments on the device: what is uploaded, which part of what a descriptor gets.

A shader's bounds are those of the bound range, so the range is the view's to the byte. Where no
descriptor of the device can show a view, the shader is told by a window which part of it is meant.
Source: Vulkan specification, "Buffer Views" and "Image Views".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack

from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    SAMPLER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
)
from vkrunner.arguments import Argument, label_of
from vkrunner.bound import (
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_BUFFER,
    UNIFORM_TEXEL_BUFFER,
    Bound,
    is_changed,
)
from vkrunner.errors import ArgumentError, FeatureError, LimitError
from vkrunner.resources.images import (
    SAMPLED,
    STORAGE,
    Image,
    ImageCopy,
    can_compare,
    image_features,
)
from vkrunner.resources.memory import Excerpt, Storage, Transient, texel_view
from vkrunner.resources.samplers import create_sampler
from vkrunner.resources.textures import Texture
from vkrunner.values.arrays import bytes_of
from vkrunner.values.formats import Format, depth_twin
from vkrunner.vulkan import vk
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pool import Slot

_VECTOR_BYTES = 16  # what a constant buffer counts in
_DWORD = 4
_PLACEHOLDER_BYTES = 16  # the largest texel
_WITH_WINDOWS = (RAW_BUFFER, STRUCTURED_BUFFER, TYPED_BUFFER)


def needs_window(logical: LogicalDevice, argument: Argument) -> bool:
    """Whether no descriptor of the device shows just this view, but one shows it with others."""
    binding = argument.binding
    if binding.kind not in _WITH_WINDOWS or binding.count != 1:
        return False
    offset, size = byte_range(argument)
    if size == 0:
        return not logical.info.features.null_descriptor
    return offset % _offset_alignment(logical, binding) != 0


def bind(
    logical: LogicalDevice, argument: Argument, stack: ExitStack, *, windowed: bool = False
) -> Bound:
    """Put an argument on the device; `stack` frees what is made for it.

    `windowed`: the shader takes the view's first element and size from a window. Raises LimitError
    or FeatureError for what the device cannot bind.
    """
    if argument.binding.kind == SAMPLER:
        return _bind_sampler(logical, argument, stack)
    if argument.binding.kind == TEXTURE:
        return _bind_texture(logical, argument, stack)
    return _bind_buffer(logical, argument, stack, windowed)


def _bind_sampler(logical: LogicalDevice, argument: Argument, stack: ExitStack) -> Bound:
    """A Sampler's handle, or a sampler made for the dispatch where only a state is given."""
    sampler = argument.sampler
    if sampler is not None:
        check_owner(logical, sampler.logical, argument.binding, "sampler")
        return Bound(argument.binding, argument.element, sampler=sampler.handle)
    assert argument.state is not None
    handle = create_sampler(logical, argument.state, stack)
    return Bound(argument.binding, argument.element, sampler=handle)


def _bind_texture(logical: LogicalDevice, argument: Argument, stack: ExitStack) -> Bound:
    binding, element = argument.binding, argument.element
    view = argument.texture
    if view is not None:
        check_owner(logical, view.texture.image.logical, binding, "texture")
        handle = view.texture.image.create_view(view.dimension, view.part, stack)
        return Bound(binding, element, image=handle)
    layout = argument.layout
    if layout is None:
        _check_null(logical, argument)
        return Bound(binding, element)
    assert argument.array is not None
    if layout.size.samples > 1:
        texture = Texture(logical, layout, [argument.array])
        stack.callback(texture.close)
        image = texture.image
        handle = image.create_view(layout.dimension, image.whole, stack)
        return Bound(binding, element, image=handle)
    use = STORAGE if _is_storage(binding) else SAMPLED
    image = Image(logical, stack, layout.format, layout.size, (use,))
    copy = ImageCopy(image, stack, image.whole)
    copy.level(0)[:] = bytes_of(argument.array)
    handle = image.create_view(layout.dimension, image.whole, stack)
    return Bound(binding, element, image=handle, copy=copy)


def _bind_buffer(
    logical: LogicalDevice, argument: Argument, stack: ExitStack, windowed: bool
) -> Bound:
    binding, element = argument.binding, argument.element
    if needs_excerpt(logical, argument):
        return _bind_excerpt(logical, argument, stack)
    offset, size = byte_range(argument)
    if size == 0:
        if windowed:
            return _bind_placeholder(logical, argument, stack)
        _check_null(logical, argument)
        return Bound(binding, element)
    window = None
    if windowed:
        offset, size, window = _widened(logical, argument, offset, size)
    _check_range(logical, binding, offset, size, argument.format)
    transient = None
    if argument.data is not None:
        transient = Transient(logical, stack, size, is_returned=is_changed(binding))
        transient.incoming[:] = argument.data
    slot = transient.device if transient is not None else _resident_slot(logical, argument)
    texels = _texels(logical, argument, slot, (offset, size), stack)
    return Bound(binding, element, slot, offset, size, texels, window, transient=transient)


def needs_excerpt(logical: LogicalDevice, argument: Argument) -> bool:
    """Whether a constant buffer's view ends too early, or begins where no descriptor can.

    D3D reads 0 behind the end; a uniform buffer's range is never less than the shader declares.
    """
    if argument.binding.kind != CONSTANT_BUFFER or argument.view is None:
        return False
    offset, size = byte_range(argument)
    too_short = size < (argument.binding.size_bytes or 0)
    return too_short or offset % _offset_alignment(logical, argument.binding) != 0


def _bind_excerpt(logical: LogicalDevice, argument: Argument, stack: ExitStack) -> Bound:
    offset, size = byte_range(argument)
    whole = argument.binding.size_bytes or size
    whole += -whole % _VECTOR_BYTES
    _check_range(logical, argument.binding, 0, whole, None)
    target = logical.slot(whole, stack, host=False)
    source = _resident_slot(logical, argument)
    excerpt = Excerpt(source, offset, size, target, whole)
    return Bound(argument.binding, argument.element, target, 0, whole, excerpt=excerpt)


def _bind_placeholder(logical: LogicalDevice, argument: Argument, stack: ExitStack) -> Bound:
    """Some bytes that an empty window keeps the shader from."""
    slot, size = logical.slot(_PLACEHOLDER_BYTES, stack, host=False), _PLACEHOLDER_BYTES
    texel = argument.format.texel_bytes if argument.format is not None else size
    texels = _texels(logical, argument, slot, (0, texel), stack)
    return Bound(argument.binding, argument.element, slot, 0, size, texels, (0, 0))


def _texels(
    logical: LogicalDevice, argument: Argument, slot: Slot, span: tuple[int, int], stack: ExitStack
) -> vk.Handle:
    """The VkBufferView of a typed buffer, None for another."""
    if argument.format is None:
        return None
    return texel_view(logical, slot, argument.format, span, stack)


def _widened(
    logical: LogicalDevice, argument: Argument, offset: int, size: int
) -> tuple[int, int, tuple[int, int]]:
    """(offset, size, window): the range from where a descriptor can start to the view's end."""
    unit = argument.format.texel_bytes if argument.format is not None else _DWORD
    step = math.lcm(unit, _offset_alignment(logical, argument.binding))
    before = offset % step
    return offset - before, before + size, (before // unit, size // unit)


def check_format(logical: LogicalDevice, argument: Argument) -> None:
    """Raise FeatureError when the device has no such resources of the argument's format."""
    binding, format = argument.binding, argument.format
    if format is None:
        return
    if binding.kind == TEXTURE:
        if argument.texture is not None or argument.layout is not None:
            _check_texture_format(logical, argument, format)
        return
    properties = vk.out("VkFormatProperties")
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties(logical.physical, number, properties)
    able = int(properties.bufferFeatures)
    uses = [binding.descriptor_type.upper()]
    if binding.descriptor_type == STORAGE_TEXEL_BUFFER:  # its buffer may be used as both
        uses.append(UNIFORM_TEXEL_BUFFER.upper())
    if binding.atomic:
        uses.append(f"{STORAGE_TEXEL_BUFFER.upper()}_ATOMIC")
    if not all(able & vk.flags("VK_FORMAT_FEATURE", use) for use in uses):
        use = "an atomic one" if binding.atomic else binding.descriptor_type.replace("_", " ")
        raise FeatureError(
            f"{label_of(binding)}: {logical.info.name} does not take {format.name} as {use}"
        )


def _check_texture_format(logical: LogicalDevice, argument: Argument, format: Format) -> None:
    binding, name = argument.binding, logical.info.name
    able = image_features(logical, format)
    use = "STORAGE_IMAGE" if _is_storage(binding) else "SAMPLED_IMAGE"
    if not able & vk.flags("VK_FORMAT_FEATURE", use):
        advice = ": give its texels a fourth component" if format.components == 3 else ""
        raise FeatureError(
            f"{label_of(binding)}: {name} does not take {format.name} as a"
            f" {use.lower().replace('_', ' ')}{advice}"
        )
    if binding.atomic and not able & vk.flags("VK_FORMAT_FEATURE", "STORAGE_IMAGE_ATOMIC"):
        raise FeatureError(f"{label_of(binding)}: {name} has no atomics on {format.name}")
    if binding.comparison and not can_compare(logical, format):
        twin = depth_twin(format)
        format_text = "one component" if twin is format else f"format={twin.name!r}"
        raise FeatureError(
            f"{label_of(binding)}: {name} does not compare {format.name}:"
            f" make the texture with {format_text}"
        )


def check_filters(logical: LogicalDevice, arguments: Sequence[Argument]) -> None:
    """Raise FeatureError where a linear filter meets a format that the device does not filter.

    Comparisons are filtered after the comparison, which every depth format can.
    """
    linear: set[str] = set()
    for argument in arguments:
        state = argument.sampler.state if argument.sampler is not None else argument.state
        if state is not None and state.comparison is None and "linear" in state.filters:
            linear.add(argument.binding.register)
    for argument in arguments:
        met = sorted(linear.intersection(argument.binding.samplers or ()))
        if not met or argument.format is None or argument.is_null:
            continue
        able = image_features(logical, argument.format)
        if not able & vk.flags("VK_FORMAT_FEATURE", "SAMPLED_IMAGE_FILTER_LINEAR"):
            raise FeatureError(
                f"{label_of(argument.binding)}: {logical.info.name} does not filter"
                f" {argument.format.name}: pass {met[0]}=device.sampler('point')"
            )


def _is_storage(binding: Binding) -> bool:
    return binding.descriptor_type == STORAGE_IMAGE


def byte_range(argument: Argument) -> tuple[int, int]:
    """What a buffer's argument shows: (offset, size) in bytes.

    Raises ArgumentError for a view that does not fit its buffer.
    """
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
    """As many bytes as the shader declares, or as there are."""
    view, binding = argument.view, argument.binding
    assert view is not None
    first, size = view.range(view.element_bytes or _VECTOR_BYTES)
    if view.num_elements is None:
        size = view.buffer.nbytes - first
    return first, min(size, binding.size_bytes or size)


def _check_range(
    logical: LogicalDevice, binding: Binding, offset: int, size: int, format: Format | None
) -> None:
    limits, label = logical.info.limits, label_of(binding)
    if format is not None:
        texels, most = size // format.texel_bytes, limits.max_texel_buffer_elements
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
    """What a buffer's range starts at a multiple of, in bytes."""
    limits = logical.info.limits
    if binding.kind == TYPED_BUFFER:
        return limits.texel_buffer_offset_alignment
    if binding.descriptor_type == UNIFORM_BUFFER:
        return limits.uniform_buffer_offset_alignment
    return limits.storage_buffer_offset_alignment


def _check_null(logical: LogicalDevice, argument: Argument) -> None:
    if not logical.info.features.null_descriptor:
        raise FeatureError(
            f"{label_of(argument.binding)} is null or empty: {logical.info.name} lacks the"
            " feature null_descriptor"
        )


def _resident_slot(logical: LogicalDevice, argument: Argument) -> Slot:
    """Where the bytes of what stays on the device are."""
    storage = resident_storage(argument)
    assert storage is not None
    check_owner(logical, storage.logical, argument.binding, "buffer")
    return storage.slot


def resident_storage(argument: Argument) -> Storage | None:
    """The storage of a buffer, or of its counter, that stays on the device."""
    if argument.counter_of is not None:
        return argument.counter_of.counter_storage
    return argument.view.buffer.storage if argument.view is not None else None


def check_owner(logical: LogicalDevice, owner: LogicalDevice, binding: Binding, what: str) -> None:
    if owner is not logical:
        raise ArgumentError(f"{label_of(binding)}: the {what} belongs to another device")
