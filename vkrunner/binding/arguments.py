"""Arguments: for each descriptor, the view that it shows, and the array or resource behind it.

The subclasses of Shown describe the view, one class for each kind of descriptor. An Argument adds
the data: an array comes with each submission, a resource stays on the device between them.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from translate.interface import CONSTANT_BUFFER, Binding
from vkrunner.binding.constants import constant_bytes
from vkrunner.resources.buffers import Buffer, BufferView
from vkrunner.resources.device_objects import DeviceChild, ObjectMaker, check_owner, object_of
from vkrunner.resources.textures import TextureView
from vkrunner.values.arrays import Array, as_array, bytes_of
from vkrunner.values.formats import Format
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import Dimension, Part, TextureLayout

Place = tuple[str, int]  # (register, element)

DWORD_BYTES = 4
VECTOR_BYTES = 16  # the unit of a constant buffer


@dataclass(frozen=True, slots=True)
class Shown:
    """Descriptor number `element` of a binding; subclasses have the part that it shows."""

    binding: Binding
    element: int

    @property
    def place(self) -> Place:
        return self.binding.register, self.element


@dataclass(frozen=True, slots=True)
class ByteRange(Shown):
    """Bytes of a structured or raw buffer, or a hidden counter; if `size` is 0, null descriptor."""

    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class ConstantRange(ByteRange):
    """Bytes of a constant buffer; the shader reads zeros from a null constant buffer."""


@dataclass(frozen=True, slots=True)
class TexelRange(ByteRange):
    """Texels of a typed buffer. A null range too has a format, because the module declares one."""

    format: Format


@dataclass(frozen=True, slots=True)
class NullImage(Shown):
    """A null texture. It too has a format, because the module declares one."""

    format: Format


@dataclass(frozen=True, slots=True)
class ImagePart(Shown):
    """Mips and slices of a texture, seen in a dimension and in the format of `layout`."""

    layout: TextureLayout
    dimension: Dimension
    part: Part

    @property
    def format(self) -> Format:
        return self.layout.format


@dataclass(frozen=True, slots=True)
class SamplerSettings(Shown):
    """The state of a sampler."""

    state: SamplerState


Typed = TexelRange | NullImage | ImagePart


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument for one descriptor.

    This base class itself is for null descriptors, and for samplers given by their state alone.
    """

    shown: Shown


@dataclass(frozen=True, slots=True)
class ArrayArgument(Argument):
    """An array that is uploaded; also constants as bytes, or the initial value of a counter.

    For a UAV, the result has a new array of the same dtype and shape.
    """

    array: Array

    @property
    def contents(self) -> Array:
        """The bytes to upload, u8[n]; a raw buffer's end with zeros up to a whole dword."""
        data, shown = bytes_of(self.array), self.shown
        if not isinstance(shown, ByteRange) or shown.size == data.nbytes:
            return data
        return np.concatenate([data, np.zeros(shown.size - data.nbytes, np.uint8)])

    @property
    def is_moved(self) -> bool:
        """Whether each submission uploads the array.

        An empty array has no memory, and a multisampled texture is filled only once.
        """
        shown = self.shown
        is_filled_once = isinstance(shown, ImagePart) and shown.layout.size.samples > 1
        return self.array.size > 0 and not is_filled_once

    def copied(self) -> Self:
        """The argument with a copy of the array."""
        return dataclasses.replace(self, array=self.array.copy())

    def with_value(self, value: Any) -> Self:
        """The argument with another array of the same dtype and shape, or with other constants."""
        binding = self.shown.binding
        label = binding.label
        if binding.kind == CONSTANT_BUFFER:
            array = constant_bytes(binding, value, label)
            shown = dataclasses.replace(self.shown, size=array.nbytes)
            return dataclasses.replace(self, shown=shown, array=array)
        return dataclasses.replace(self, array=as_array(value, label))


@dataclass(frozen=True, slots=True)
class ResidentArgument(Argument):
    """A resource that stays on the device.

    `given` is the caller's buffer or view. If it is a UAV, the result refers to it.
    """

    resource: DeviceChild[Any]
    given: Buffer | BufferView | TextureView | None = None

    @property
    def on_device(self) -> Any:
        """The backend's object for the resource. Raises ArgumentError if the resource is closed."""
        return object_of(self.resource)

    def check_owner(self, maker: ObjectMaker) -> None:
        """Raise ArgumentError if the resource is closed, or belongs to another device."""
        check_owner(self.resource, maker, f"{self.shown.binding.label}: ")


Filled = ArrayArgument | ResidentArgument  # neither null nor a new sampler
