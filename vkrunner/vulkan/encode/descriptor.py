"""Descriptors: a record for each kind; `Bound`, the descriptors of one dispatch; tables of sizes.

Source: Vulkan specification, "Descriptor Set Updates".

A shader reads sizes (`Options.size_tables`) if the driver returns wrong sizes, or if the option
asks for it. It reads windows (`Options.windows`) if a view in the array needs one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np

from translate import ShaderInterface
from translate.dataclass import dataclass, field
from translate.interface import (
    COUNTER,
    SAMPLED_IMAGE,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    TABLES,
    UNIFORM_TEXEL_BUFFER,
    Binding,
    Table,
)
from vkrunner.binding.arguments import Place
from vkrunner.errors import FeatureError, LimitError
from vkrunner.info.faults import Faults
from vkrunner.shader.device_options import tables_for
from vkrunner.values.formats import FORMATS
from vkrunner.values.numbers import Bytes
from vkrunner.vulkan.device.commands import ResourceUse
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.device.pool import Suballocation
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions, Owner
from vkrunner.vulkan.objects.images import ImageCopy
from vkrunner.vulkan.objects.storage import StagingBuffer, texel_view

_TEXEL_BUFFERS = (UNIFORM_TEXEL_BUFFER, STORAGE_TEXEL_BUFFER)
_IMAGES = (SAMPLED_IMAGE, STORAGE_IMAGE)

Moved = StagingBuffer | ImageCopy  # the staging memory of an array argument
Window = tuple[int, int]  # a view's first element or slice, and the number of them
Words: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]
_DWORD = 4


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


@dataclass(frozen=True, slots=True)
class Pushed:
    """The part of the push constants that is a constant buffer: the host writes it, like staging
    memory, before the commands are recorded."""

    incoming: Bytes
    is_returned: bool = False

    @property
    def outgoing(self) -> Bytes:
        return self.incoming


@dataclass(slots=True)
class Bound:
    """The descriptors of one dispatch, with everything that their use needs.

    `windows` has the window of each view that is narrower than its descriptor, by register and
    element. `copies` are the staging memory of array arguments. `uses` are accesses to resources
    that stay on the device; `owners` keep Vulkan objects alive. `pushed` are the push constants.
    """

    descriptors: list[Descriptor] = field(default_factory=list[Descriptor])
    windows: dict[Place, Window] = field(default_factory=dict[Place, Window])
    copies: list[Moved] = field(default_factory=list[Moved])
    excerpts: list[Excerpt] = field(default_factory=list[Excerpt])
    uses: list[ResourceUse] = field(default_factory=list[ResourceUse])
    owners: list[Owner] = field(default_factory=list[Owner])
    pushed: Bytes = field(default_factory=lambda: np.zeros(0, np.uint8))

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


def check_tables(logical: LogicalDevice, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError if a finished module needs a table of sizes, but reads none.

    It needs one if the driver returns wrong sizes for the buffers in its arrays.
    """
    needed = tables_for(interface, faults)
    if needed != "none" and all(table.kind != "sizes" for table in interface.tables):
        raise FeatureError(
            f"{logical.info.name} gets the sizes of buffers in arrays wrong: translate the module"
            f" with Options(size_tables={needed!r})"
        )


def bind_tables(
    logical: LogicalDevice, interface: ShaderInterface, bound: Bound, stack: Deletions
) -> None:
    """Add the buffer with the sizes and windows that the shader reads; `stack` frees it.

    Raises LimitError if it has more elements than the device's texel buffers.
    """
    contents, most = _contents(interface, bound), logical.info.limits.max_texel_buffer_elements
    if contents.size > most:
        raise LimitError(
            f"the sizes and view ranges of buffers in arrays are {contents.size} numbers;"
            f" {logical.info.name} allows {most}"
        )
    staging = StagingBuffer(logical, stack, contents.nbytes, is_returned=False)
    staging.incoming[:] = contents.view(np.uint8)
    span, binding = (0, contents.nbytes), interface[TABLES]
    shown = FORMATS["r32_uint"], span, binding.descriptor_type
    view = texel_view(logical, staging.device, *shown, stack)
    bound.descriptors.append(TexelDescriptor(binding, 0, view))
    bound.copies.append(staging)


def _contents(interface: ShaderInterface, bound: Bound) -> Words:
    """The numbers of all tables."""
    numbers: dict[int, int] = {}
    for table in interface.tables:
        for one in bound.descriptors:
            if one.binding.register == _described(table):
                found = _KINDS[table.kind](one, bound.windows)
                start = table.first + one.element * table.stride
                numbers.update(enumerate(found, start))
    contents = np.zeros(max(numbers) + 1, np.uint32)
    contents[[*numbers]] = [*numbers.values()]
    return contents


def _described(table: Table) -> str:
    """The register of the descriptors that a table describes."""
    return f"{table.register}.{COUNTER}" if table.kind == "counters" else table.register


def _size(one: Descriptor, windows: Mapping[Place, Window]) -> tuple[int]:
    """The number of structures or dwords in a view; 1 or 0 for a counter."""
    window = windows.get((one.binding.register, one.element))
    if window is not None:
        return (window[1] * _DWORD // (one.binding.stride or _DWORD),)
    size = one.size if isinstance(one, BufferDescriptor) else 0
    return (size // (one.binding.stride or _DWORD),)


def _window(one: Descriptor, windows: Mapping[Place, Window]) -> Window:
    """The first element and the count of a view."""
    return windows[one.binding.register, one.element]


_KINDS: Mapping[str, Callable[[Descriptor, Mapping[Place, Window]], tuple[int, ...]]] = {
    "sizes": _size,
    "counters": _size,
    "windows": _window,
}
