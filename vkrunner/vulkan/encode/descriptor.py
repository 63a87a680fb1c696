"""Bound: one descriptor with what it shows, and how it is written into a set.

Source: Vulkan specification, "Descriptor Set Updates".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from translate.interface import (
    SAMPLED_IMAGE,
    SAMPLER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_TEXEL_BUFFER,
    Binding,
)
from vkrunner.vulkan.device.pool import Suballocation
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Owner
from vkrunner.vulkan.objects.images import ImageCopy
from vkrunner.vulkan.objects.storage import PaddedCopy, StagingBuffer

if TYPE_CHECKING:
    from vkrunner.vulkan.encode.transfers import ImageExcerpt

TEXEL_BUFFERS = (UNIFORM_TEXEL_BUFFER, STORAGE_TEXEL_BUFFER)
IMAGES = (SAMPLED_IMAGE, STORAGE_IMAGE)


@dataclass(frozen=True, slots=True)
class Bound:
    """One descriptor: number `element` of a binding. Null where nothing is set.

    A buffer's range is `size` bytes from `offset` on of `slot`, with the VkBufferView `texels`
    where it is typed. Of what is more than its view, `window` is the view's first element or slice
    and how many it has, as `ShaderInterface.windows` counts. `image` is a VkImageView, `sampler` a
    VkSampler; `owner` owns what stays on the device. Contents that come with each submission do so
    by `transient`, those of an image by `copy`, those of a view that cannot be shown as it is by
    `excerpt`.
    """

    binding: Binding
    element: int = 0
    slot: Suballocation | None = None
    offset: int = 0
    size: int = 0
    texels: vk.Handle = None
    window: tuple[int, int] | None = None
    image: vk.Handle = None
    transient: StagingBuffer | None = None
    copy: ImageCopy | None = None
    sampler: vk.Handle = None
    excerpt: PaddedCopy | ImageExcerpt | None = None
    owner: Owner | None = None

    @property
    def moved(self) -> StagingBuffer | ImageCopy | None:
        """The array that is passed with each submission; None for a resource on the device."""
        return self.copy if self.transient is None else self.transient

    @property
    def is_returned(self) -> bool:
        """Whether the shader writes what came with the submission, so that it comes back."""
        return self.moved is not None and is_changed(self.binding)


def is_changed(binding: Binding) -> bool:
    """Whether the shader writes there."""
    return binding.written or binding.atomic


def descriptor_type(binding: Binding) -> int:
    """The VkDescriptorType."""
    return vk.constant(f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}")


def descriptor_write(bound: Bound, descriptor_set: vk.Handle) -> Any:
    """The VkWriteDescriptorSet that puts it into a set."""
    return vk.struct(
        "VkWriteDescriptorSet",
        dstSet=descriptor_set,
        dstBinding=bound.binding.binding,
        dstArrayElement=bound.element,
        descriptorCount=1,
        descriptorType=descriptor_type(bound.binding),
        **_contents(bound),
    )


def _contents(bound: Bound) -> dict[str, Any]:
    """The one field that has the resource."""
    kind, null = bound.binding.descriptor_type, vk.ffi().NULL
    if kind in TEXEL_BUFFERS:
        return {"pTexelBufferView": [null if bound.texels is None else bound.texels]}
    if kind in IMAGES or kind == SAMPLER:
        info = vk.struct("VkDescriptorImageInfo")
        if bound.sampler is not None:
            info.sampler = bound.sampler
        if bound.image is not None:
            info.imageView = bound.image
            info.imageLayout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
        return {"pImageInfo": info}
    info = vk.struct("VkDescriptorBufferInfo", range=vk.WHOLE_SIZE)
    if bound.slot is not None:
        info.buffer = bound.slot.handle
        info.offset, info.range = bound.slot.offset + bound.offset, bound.size
    return {"pBufferInfo": info}
