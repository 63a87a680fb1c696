"""Descriptors: a record for each kind; `Bound`, the descriptors of one dispatch.

Source: Vulkan specification, "Descriptor Set Updates".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, Protocol

from translate.interface import (
    SAMPLED_IMAGE,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_TEXEL_BUFFER,
    Binding,
)
from vkrunner.binding.arguments import Place
from vkrunner.vulkan.device.barriers import ResourceUse
from vkrunner.vulkan.device.pool import Suballocation
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Owner
from vkrunner.vulkan.objects.images import ImageCopy
from vkrunner.vulkan.objects.storage import StagingBuffer

_TEXEL_BUFFERS = (UNIFORM_TEXEL_BUFFER, STORAGE_TEXEL_BUFFER)
_IMAGES = (SAMPLED_IMAGE, STORAGE_IMAGE)

Moved = StagingBuffer | ImageCopy  # the staging memory of an array argument
Window = tuple[int, int]  # a view's first element or slice, and the number of them


@dataclass(frozen=True, slots=True)
class Descriptor(ABC):
    """One descriptor of a binding; `element` is its index if the binding is an array, else 0."""

    binding: Binding
    element: int

    def write(self, descriptor_set: vk.Handle) -> Any:
        """The VkWriteDescriptorSet that writes this descriptor to a set."""
        return vk.struct(
            "VkWriteDescriptorSet",
            dstSet=descriptor_set,
            dstBinding=self.binding.binding,
            dstArrayElement=self.element,
            descriptorCount=1,
            descriptorType=descriptor_type(self.binding),
            **self._resource(),
        )

    @abstractmethod
    def _resource(self) -> dict[str, Any]:
        """The field of VkWriteDescriptorSet that points to the resource: its name and value."""


@dataclass(frozen=True, slots=True)
class BufferDescriptor(Descriptor):
    """A storage or uniform buffer: `size` bytes of a slot from `offset` on."""

    slot: Suballocation
    offset: int
    size: int

    def _resource(self) -> dict[str, Any]:
        info = vk.struct(
            "VkDescriptorBufferInfo",
            buffer=self.slot.handle,
            offset=self.slot.offset + self.offset,
            range=self.size,
        )
        return {"pBufferInfo": info}


@dataclass(frozen=True, slots=True)
class TexelDescriptor(Descriptor):
    """A uniform or storage texel buffer: a VkBufferView."""

    view: vk.Handle

    def _resource(self) -> dict[str, Any]:
        return {"pTexelBufferView": [self.view]}


@dataclass(frozen=True, slots=True)
class ImageDescriptor(Descriptor):
    """A sampled or storage image: a VkImageView."""

    view: vk.Handle

    def _resource(self) -> dict[str, Any]:
        layout = vk.constant("VK_IMAGE_LAYOUT_GENERAL")
        info = vk.struct("VkDescriptorImageInfo", imageView=self.view, imageLayout=layout)
        return {"pImageInfo": info}


@dataclass(frozen=True, slots=True)
class SamplerDescriptor(Descriptor):
    """A VkSampler."""

    sampler: vk.Handle

    def _resource(self) -> dict[str, Any]:
        return {"pImageInfo": vk.struct("VkDescriptorImageInfo", sampler=self.sampler)}


@dataclass(frozen=True, slots=True)
class NullDescriptor(Descriptor):
    """A null descriptor of any kind but a sampler."""

    def _resource(self) -> dict[str, Any]:
        if self.binding.descriptor_type in _TEXEL_BUFFERS:
            return {"pTexelBufferView": [vk.ffi().NULL]}
        if self.binding.descriptor_type in _IMAGES:
            return {"pImageInfo": vk.struct("VkDescriptorImageInfo")}
        return {"pBufferInfo": vk.struct("VkDescriptorBufferInfo", range=vk.WHOLE_SIZE)}


class Excerpt(Protocol):
    """A copy of a view, made before each dispatch and bound in its place.

    It is needed if no descriptor shows the view correctly.
    """

    def record(self, commands: vk.Handle) -> None: ...


@dataclass(slots=True)
class Bound:
    """The descriptors of one dispatch, with everything that their use needs.

    `windows` has the window of each view that is narrower than its descriptor, by register and
    element. `copies` are the staging memory of array arguments. `uses` are accesses to resources
    that stay on the device; `owners` keep Vulkan objects alive.
    """

    descriptors: list[Descriptor] = field(default_factory=list[Descriptor])
    windows: dict[Place, Window] = field(default_factory=dict[Place, Window])
    copies: list[Moved] = field(default_factory=list[Moved])
    excerpts: list[Excerpt] = field(default_factory=list[Excerpt])
    uses: list[ResourceUse] = field(default_factory=list[ResourceUse])
    owners: list[Owner] = field(default_factory=list[Owner])

    def add_staged(self, binding: Binding, staging: StagingBuffer) -> None:
        """Add a descriptor of a whole staging buffer, which is copied like those of arguments."""
        self.descriptors.append(BufferDescriptor(binding, 0, staging.device, 0, staging.nbytes))
        self.copies.append(staging)


def is_changed(binding: Binding) -> bool:
    """Whether the shader writes to the binding."""
    return binding.written or binding.atomic


def descriptor_type(binding: Binding) -> int:
    """The VkDescriptorType."""
    return vk.constant(f"VK_DESCRIPTOR_TYPE_{binding.descriptor_type.upper()}")
