"""Binding: the arguments of a dispatch as descriptors, with memory for its arrays.

A shader reads its bounds from the descriptor, so a descriptor's range is exactly the view's. If the
device cannot describe a view exactly (its offset is not aligned, a 3D UAV has only some slices), a
wider descriptor is bound. The shader then gets the view's first element or slice and their count,
the view's *window*. Source: Vulkan specification, "Buffer Views" and "Image Views".
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from translate.interface import (
    COUNTER,
    RAW_BUFFER,
    STORAGE_IMAGE,
    STRUCTURED_BUFFER,
    TYPED_BUFFER,
    UNIFORM_BUFFER,
    Binding,
)
from vkrunner.binding.arguments import (
    DWORD_BYTES,
    VECTOR_BYTES,
    Argument,
    ArrayArgument,
    ByteRange,
    ConstantRange,
    Filled,
    ImagePart,
    ResidentArgument,
    SamplerSettings,
    Shown,
    TexelRange,
)
from vkrunner.binding.constants import padded
from vkrunner.errors import ArgumentError, FeatureError, LimitError, too_large
from vkrunner.values.formats import bound_format
from vkrunner.values.texture_layout import Part
from vkrunner.vulkan.device.commands import COPY, SHADER, ResourceUse, Span
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.pool import Suballocation
from vkrunner.vulkan.encode.descriptor import (
    Bound,
    BufferDescriptor,
    ImageDescriptor,
    Moved,
    NullDescriptor,
    Pushed,
    SamplerDescriptor,
    TexelDescriptor,
    Window,
    is_changed,
)
from vkrunner.vulkan.encode.pipeline import Pipeline
from vkrunner.vulkan.encode.texture import TextureImage
from vkrunner.vulkan.encode.transfers import ImageExcerpt
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.vulkan.objects.format_support import SAMPLED, STORAGE
from vkrunner.vulkan.objects.images import Image, ImageCopy, spans_of
from vkrunner.vulkan.objects.samplers import SamplerObject, create_sampler
from vkrunner.vulkan.objects.storage import PaddedCopy, StagingBuffer, Storage, texel_view

_PLACEHOLDER_BYTES = 16  # the largest texel
_WITH_WINDOWS = (RAW_BUFFER, STRUCTURED_BUFFER, TYPED_BUFFER)


def needs_window(logical: LogicalDevice, shown: Shown) -> bool:
    """Whether no descriptor can cover exactly this view: it needs a wider one, and a window."""
    if isinstance(shown, ImagePart):
        return shown.part.num_w_slices is not None
    if not isinstance(shown, ByteRange) or shown.binding.kind not in _WITH_WINDOWS:
        return False
    if shown.size == 0:
        return not logical.info.features.null_descriptor
    return shown.offset % _offset_alignment(logical, shown.binding) != 0


class Binder:
    """Binds the arguments of one dispatch; `stack` frees the objects that are made for them.

    `copies_mips`: views of several mips that begin past mip 0 are copied to an image of their own,
    because the driver shows them wrongly. Methods return the staging memory that they made for an
    array argument, otherwise None. They raise LimitError or FeatureError for views that the device
    cannot bind.
    """

    def __init__(
        self, logical: LogicalDevice, pipeline: Pipeline, stack: Deletions, *, copies_mips: bool
    ):
        self.bound = Bound(pushed=np.zeros(pipeline.interface.push_bytes, np.uint8))
        self._logical = logical
        self._interface = pipeline.interface
        self._windowed = pipeline.windowed
        self._stack = stack
        self._copies_mips = copies_mips

    def bind(self, argument: Argument) -> Moved | Pushed | None:
        """Add the descriptor of an argument, and its memory, window and owners."""
        shown = argument.shown
        if isinstance(shown, SamplerSettings):
            return self._sampler(argument, shown)
        if isinstance(shown, ConstantRange):
            return self._constants(argument, shown)
        if isinstance(shown, ByteRange) and shown.size and isinstance(argument, Filled):
            return self._range(argument, shown)
        if isinstance(shown, ImagePart) and isinstance(argument, ArrayArgument):
            return self._image_of_array(argument, shown)
        if isinstance(shown, ImagePart) and isinstance(argument, ResidentArgument):
            return self._image(argument, shown)
        return self._nothing(shown)

    def _sampler(self, argument: Argument, shown: SamplerSettings) -> None:
        """Add the descriptor of the caller's sampler, or of a new one with these settings."""
        if isinstance(argument, ResidentArgument):
            made: SamplerObject = argument.on_device
            self.bound.owners.append(made)
            handle = made.handle(of_integers=self._samples_integers(shown))
        else:
            handle = create_sampler(self._logical, shown.state, self._stack)
        self.bound.descriptors.append(SamplerDescriptor(shown.binding, shown.element, handle))

    def _samples_integers(self, shown: SamplerSettings) -> bool:
        """Whether a sampler's textures have integers. No VkSampler has a border for both kinds."""
        state, sampled = shown.state, shown.binding.textures or ()
        integers = [t for t in sampled if self._interface[t].component in ("uint", "sint")]
        if "border" in state.addresses and any(state.border) and 0 < len(integers) < len(sampled):
            raise FeatureError(
                f"{shown.binding.label}: Vulkan has no border of {state.border} for integers"
                f" ({', '.join(integers)}) and other numbers in one sampler: bind different ones,"
                " or a border of 0"
            )
        return bool(integers)

    def _range(self, argument: Filled, shown: ByteRange) -> StagingBuffer | None:
        """Add the descriptor of a range: in a buffer on the device, or in new memory for an array.

        Returns that new memory; None for a buffer on the device.
        """
        offset, size = shown.offset, shown.size
        if shown.binding.register in self._windowed:
            offset, size, window = _widened(self._logical, shown)
            self.bound.windows[shown.place] = window
        _check_range(self._logical, shown, offset, size)
        if isinstance(argument, ResidentArgument):
            self._add_range(shown, self._storage(argument, shown).slot, offset, size)
            return None
        staging = self._staging(shown, size)
        staging.incoming[:] = argument.contents
        self._add_range(shown, staging.device, offset, size)
        return staging

    def _add_range(self, shown: ByteRange, slot: Suballocation, offset: int, size: int) -> None:
        place = shown.binding, shown.element
        if isinstance(shown, TexelRange):
            view = _texels(self._logical, shown, slot, (offset, size), self._stack)
            self.bound.descriptors.append(TexelDescriptor(*place, view))
        else:
            self.bound.descriptors.append(BufferDescriptor(*place, slot, offset, size))

    def _constants(self, argument: Argument, shown: ConstantRange) -> StagingBuffer | Pushed | None:
        """Add the descriptor of a constant buffer, with at least the size that the shader declares.

        D3D reads 0 past the end of a shorter view, but Vulkan forbids uniform buffers that are
        shorter than the declaration. So a shorter view is copied and padded with zeros. A view
        whose offset is not aligned is copied too.
        """
        # Of the pipeline's module: other modules of the kernel may have it in push constants
        shown = replace(shown, binding=self._interface[shown.binding.register])
        declared, staging = shown.binding.size_bytes, None
        array = argument.array if isinstance(argument, ArrayArgument) else np.empty(0, np.uint8)
        if shown.binding.push_offset is not None:
            if isinstance(argument, ResidentArgument):
                raise ArgumentError(
                    f"{shown.binding.label} is push constants (Options.push_constants), which take"
                    " values of the host, not a buffer on the device"
                )
            part = self.bound.pushed[shown.binding.push_offset :][:declared]
            part[:] = padded(array, part.nbytes)
            return Pushed(part)
        if isinstance(argument, ResidentArgument):
            is_aligned = shown.offset % _offset_alignment(self._logical, shown.binding) == 0
            if shown.size >= (declared or 1) and is_aligned:
                return self._range(argument, shown)
            size = declared or shown.size or VECTOR_BYTES
            size += -size % VECTOR_BYTES
            _check_range(self._logical, shown, 0, size)
            slot = self._logical.slot(size, self._stack, host=False)
            source = self._storage(argument, shown, COPY).slot
            self.bound.excerpts.append(PaddedCopy(source, shown.offset, shown.size, slot, size))
        else:
            size = declared or array.nbytes or VECTOR_BYTES
            _check_range(self._logical, shown, 0, size)
            staging = self._staging(shown, size)
            staging.incoming[:] = padded(array, size)
            slot = staging.device
        descriptor = BufferDescriptor(shown.binding, shown.element, slot, 0, size)
        self.bound.descriptors.append(descriptor)
        return staging

    def _staging(self, shown: Shown, size: int) -> StagingBuffer:
        """New memory for an array argument; it is read back if the shader writes to it."""
        is_returned = is_changed(shown.binding)
        staging = StagingBuffer(self._logical, self._stack, size, is_returned=is_returned)
        self.bound.copies.append(staging)
        return staging

    def _storage(
        self, argument: ResidentArgument, shown: ByteRange, stage: str = SHADER
    ) -> Storage:
        """The argument's buffer on the device; notes that the dispatch uses the view's bytes."""
        storage: Storage = argument.on_device
        self._use(storage, shown, ((shown.offset, shown.offset + shown.size),), stage)
        return storage

    def _use(
        self, owner: Storage | Image, shown: Shown, spans: tuple[Span, ...], stage: str
    ) -> None:
        writes = is_changed(shown.binding) or shown.binding.kind == COUNTER
        self.bound.owners.append(owner)
        self.bound.uses.append(ResourceUse(owner.token, spans, writes, stage))

    def _image(self, argument: ResidentArgument, shown: ImagePart) -> None:
        """Add the descriptor of an image on the device, or of a copy of the viewed part."""
        image: Image = argument.on_device
        part, is_copied = shown.part, self._copies_mips and _begins_late(shown)
        self._use(image, shown, spans_of(part), COPY if is_copied else SHADER)
        if is_copied:
            excerpt = ImageExcerpt(image, part)
            self.bound.excerpts.append(excerpt)
            image, part = excerpt.target, excerpt.target.whole
        self._add_image(image, shown, part)

    def _image_of_array(self, argument: ArrayArgument, shown: ImagePart) -> ImageCopy | None:
        """Add the descriptor of a new image for an array argument.

        Returns the copy that fills the image in each submission; None for a multisampled image,
        which a shader fills at once.
        """
        logical, layout, copy = self._logical, shown.layout, None
        if layout.size.samples > 1:
            image = TextureImage(logical, layout, [argument.array])
        else:
            format = bound_format(layout.format, shown.binding)
            image = Image(logical, format, layout.size, (_image_use(shown.binding),))
            is_returned = is_changed(shown.binding)
            copy = ImageCopy(image, self._stack, image.whole, is_returned=is_returned)
            copy.put(0, argument.contents)
            self.bound.copies.append(copy)
        self.bound.owners.append(image)
        self._add_image(image, shown, image.whole)
        return copy

    def _add_image(self, image: Image, shown: ImagePart, part: Part) -> None:
        """Add the descriptor of a part of an image; that of a 3D UAV shows all slices of its mip.

        Storage images cannot have a swizzle; the shader's accesses are translated instead.
        """
        format = image.seen_as(bound_format(shown.format, shown.binding))
        use = _image_use(shown.binding)
        swizzle = format.swizzle if use == SAMPLED else "rgba"
        view = image.create_view(shown.dimension, part, self._stack, format, use, swizzle=swizzle)
        self.bound.descriptors.append(ImageDescriptor(shown.binding, shown.element, view))
        if shown.binding.register in self._windowed:
            slices = image.size.part_extent(shown.part, shown.part.first_mip)[2]
            self.bound.windows[shown.place] = shown.part.first_w_slice, slices

    def _nothing(self, shown: Shown) -> None:
        """Add a null descriptor, for a null or empty view.

        If the shader reads a window of the buffer, add a few bytes with an empty window instead,
        which are never read.
        """
        logical, binding = self._logical, shown.binding
        is_windowed = binding.register in self._windowed
        if is_windowed:
            self.bound.windows[shown.place] = 0, 0
        if is_windowed and isinstance(shown, ByteRange):
            slot = logical.slot(_PLACEHOLDER_BYTES, self._stack, host=False)
            size = _unit(shown) if isinstance(shown, TexelRange) else _PLACEHOLDER_BYTES
            self._add_range(shown, slot, 0, size)
            return
        if not logical.info.features.null_descriptor:
            is_counter = binding.kind == COUNTER
            cure = "; device.buffer(..., counter=0) makes a counter" if is_counter else ""
            raise FeatureError(
                f"{binding.label} is null or empty: {logical.info.name} lacks the feature"
                f" null_descriptor{cure}"
            )
        self.bound.descriptors.append(NullDescriptor(binding, shown.element))


def _begins_late(shown: ImagePart) -> bool:
    """Whether a sampled view of several mips begins past mip 0; some drivers show it wrongly."""
    is_sampled = _image_use(shown.binding) == SAMPLED
    return is_sampled and shown.part.first_mip > 0 and shown.part.num_mips > 1


def _image_use(binding: Binding) -> str:
    return STORAGE if binding.descriptor_type == STORAGE_IMAGE else SAMPLED


def _unit(shown: ByteRange) -> int:
    """The size in bytes of one element, the unit of windows: a texel or a dword."""
    return shown.format.texel_bytes if isinstance(shown, TexelRange) else DWORD_BYTES


def _texels(
    logical: LogicalDevice,
    shown: TexelRange,
    slot: Suballocation,
    span: tuple[int, int],
    stack: Deletions,
) -> vk.Handle:
    """The VkBufferView of a typed buffer."""
    use = shown.binding.descriptor_type
    format = bound_format(shown.format, shown.binding)
    return texel_view(logical, slot, format, span, use, stack)


def _widened(logical: LogicalDevice, shown: ByteRange) -> tuple[int, int, Window]:
    """(offset, size, window): the view's range, extended down to an offset that is allowed.

    The window has the view's first element in that range, and the number of its elements.
    """
    unit = _unit(shown)
    before = shown.offset % math.lcm(unit, _offset_alignment(logical, shown.binding))
    return shown.offset - before, before + shown.size, (before // unit, shown.size // unit)


def _check_range(logical: LogicalDevice, shown: ByteRange, offset: int, size: int) -> None:
    limits, binding = logical.info.limits, shown.binding
    label = binding.label
    if isinstance(shown, TexelRange):
        texels, most = size // shown.format.texel_bytes, limits.max_texel_buffer_elements
        if texels > most:
            raise too_large(f"{label}: {texels} elements; {logical.info.name} allows {most}")
    else:
        uniform = binding.descriptor_type == UNIFORM_BUFFER
        most = limits.max_uniform_buffer_range if uniform else limits.max_storage_buffer_range
        if size > most:
            raise too_large(f"{label}: {size} bytes; {logical.info.name} allows {most}")
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
