"""Arguments: what one descriptor gets, a record for each kind of value.

An array comes with each submission; what is resident stays on the device between them.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from translate.interface import CONSTANT_BUFFER, RAW_BUFFER, Binding
from vkrunner.binding.constants import constant_bytes
from vkrunner.binding.registers import label_of
from vkrunner.errors import ArgumentError
from vkrunner.resources.buffers import (
    Buffer,
    BufferView,
    counter_of,
    element_bytes_of,
    range_of,
)
from vkrunner.resources.device_objects import DeviceChild, ObjectMaker, check_owner
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, TextureView, layout_of
from vkrunner.values.arrays import Array, as_array, bytes_of
from vkrunner.values.formats import Format
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout

Place = tuple[str, int]  # (register, element)

DWORD_BYTES = 4
VECTOR_BYTES = 16  # what a constant buffer counts in


@dataclass(frozen=True, slots=True)
class Argument:
    """The argument for number `element` of a binding."""

    binding: Binding
    element: int

    @property
    def place(self) -> Place:
        return self.binding.register, self.element

    @property
    def byte_range(self) -> tuple[int, int]:
        """The range of a buffer's argument: (offset, size) in bytes, size 0 if it is null.

        Raises ArgumentError for a view that does not fit its buffer.
        """
        return 0, 0

    @property
    def resident(self) -> DeviceChild[Any] | None:
        """The bound resource, if it stays on the device between dispatches."""
        return None

    def check_owner(self, maker: ObjectMaker) -> None:
        """Raises ArgumentError when what is bound is closed, or belongs to another device."""
        resident = self.resident
        if resident is not None:
            check_owner(resident, maker, f"{label_of(self.binding)}: ")


@dataclass(frozen=True, slots=True)
class NullArgument(Argument):
    """Nothing: a null descriptor; of a constant buffer, zeros."""


@dataclass(frozen=True, slots=True)
class NullTexels(NullArgument):
    """Nothing for a typed buffer. Any format will do, but the shader is translated for one."""

    format: Format


@dataclass(frozen=True, slots=True)
class NullTexture(NullArgument):
    """Nothing for a texture, in a format as for NullTexels."""

    format: Format


@dataclass(frozen=True, slots=True)
class SamplerArgument(Argument):
    """A sampler of the caller's, or what one is made from."""

    sampler: Sampler | SamplerState

    @property
    def state(self) -> SamplerState:
        return self.sampler.state if isinstance(self.sampler, Sampler) else self.sampler

    @property
    def resident(self) -> Sampler | None:
        return self.sampler if isinstance(self.sampler, Sampler) else None


@dataclass(frozen=True, slots=True)
class ArrayArgument(Argument):
    """An array for a structured or raw buffer, constants as bytes, or a counter's start.

    The result has a new array of its dtype and shape.
    """

    array: Array

    @property
    def contents(self) -> Array:
        """u8[n] to upload; of a raw buffer, which counts in dwords, whole ones."""
        data = bytes_of(self.array)
        _, size = self.byte_range
        if size == data.nbytes:
            return data
        return np.concatenate([data, np.zeros(size - data.nbytes, np.uint8)])

    @property
    def byte_range(self) -> tuple[int, int]:
        size = self.array.nbytes
        return 0, size + (-size % DWORD_BYTES if self.binding.kind == RAW_BUFFER else 0)

    @property
    def is_moved(self) -> bool:
        """Whether the array comes with each submission; an empty one is nowhere."""
        return self.array.size > 0

    def copied(self) -> Self:
        """The same with a copy of the array."""
        return dataclasses.replace(self, array=self.array.copy())

    def with_value(self, value: Any) -> Self:
        """The same with another array of the same dtype and shape, or with other constants."""
        label = label_of(self.binding)
        if self.binding.kind == CONSTANT_BUFFER:
            return dataclasses.replace(self, array=constant_bytes(self.binding, value, label))
        return dataclasses.replace(self, array=as_array(value, label))


@dataclass(frozen=True, slots=True)
class TexelArray(ArrayArgument):
    """An array for a typed buffer."""

    format: Format


@dataclass(frozen=True, slots=True)
class TextureArray(ArrayArgument):
    """An array for a texture, which has this layout."""

    layout: TextureLayout

    @property
    def format(self) -> Format:
        return self.layout.format

    @property
    def is_moved(self) -> bool:
        """As of any array; a texture of several samples is filled once."""
        return self.array.size > 0 and self.layout.size.samples == 1


@dataclass(frozen=True, slots=True)
class ResidentBytes(Argument, ABC):
    """Bytes that stay on the device."""

    @property
    @abstractmethod
    def resident(self) -> Buffer: ...


@dataclass(frozen=True, slots=True)
class ResidentCounter(ResidentBytes):
    """The hidden counter of a buffer."""

    buffer: Buffer

    @property
    def resident(self) -> Buffer:
        counter = counter_of(self.buffer)
        assert counter is not None, "buffers without a counter were refused"
        return counter

    @property
    def byte_range(self) -> tuple[int, int]:
        return 0, DWORD_BYTES


@dataclass(frozen=True, slots=True)
class ResidentBuffer(ResidentBytes):
    """A view of a buffer, for a structured or raw one."""

    view: BufferView

    @property
    def resident(self) -> Buffer:
        return self.view.buffer

    @property
    def byte_range(self) -> tuple[int, int]:
        return self._range(self.binding.stride or DWORD_BYTES)

    def _range(self, element_bytes: int) -> tuple[int, int]:
        """`element_bytes`: what the register counts in, for a view that does not say."""
        view = self.view
        element = element_bytes_of(view) or element_bytes
        if view.num_elements is None and view.buffer.nbytes % element:
            raise ArgumentError(
                f"{label_of(self.binding)} has elements of {element} bytes, the buffer"
                f" {view.buffer.nbytes} bytes: say how many by view(num_elements=...)"
            )
        return range_of(view, element)


@dataclass(frozen=True, slots=True)
class ResidentTexels(ResidentBuffer):
    """A view of a buffer, for a typed one."""

    format: Format

    @property
    def byte_range(self) -> tuple[int, int]:
        return self._range(self.format.texel_bytes)


@dataclass(frozen=True, slots=True)
class ResidentConstants(ResidentBuffer):
    """A view of a buffer, for a constant buffer."""

    @property
    def byte_range(self) -> tuple[int, int]:
        """As many bytes as the shader may read, or as there are."""
        view = self.view
        first, size = range_of(view, VECTOR_BYTES)
        if view.num_elements is None:
            size = view.buffer.nbytes - first
        return first, min(size, self.binding.most_bytes or self.binding.size_bytes or size)


@dataclass(frozen=True, slots=True)
class ResidentTexture(Argument):
    """A view of a texture."""

    view: TextureView

    @property
    def resident(self) -> Texture:
        return self.view.texture

    @property
    def format(self) -> Format:
        return layout_of(self.view).format


Texels = NullTexels | TexelArray | ResidentTexels
Typed = Texels | NullTexture | TextureArray | ResidentTexture
