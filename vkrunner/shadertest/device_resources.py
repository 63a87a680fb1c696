"""Resources of a test on a device: made from sections, read back, checked for stray writes."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from translate import Binding, ShaderInterface
from translate.dataclass import dataclass
from translate.interface import RAW_BUFFER, STRUCTURED_BUFFER, TEXTURE, TYPED_BUFFER
from vkrunner import ArgumentError, Buffer, Device, FormatError, Texture, TextureView
from vkrunner.binding.registers import COUNTER_SUFFIX, misread_text
from vkrunner.shadertest.cases import Pattern, Resource, Values
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.encoding import MOST_BYTES, fill, read_elements
from vkrunner.values.elements import ElementType, element_of_dtype, element_of_dwords
from vkrunner.values.formats import depth_twin, name_read_as, reread_as
from vkrunner.values.numbers import Array, bytes_of
from vkrunner.values.texture_layout import (
    dimension_of_name,
    element_axes,
    size_of_shape,
    texel_axes,
)

_DWORD = 4
_VECTOR = 4  # dwords


@dataclass(frozen=True, slots=True)
class DeviceResource:
    """A resource on the device. `shape` has the lengths of its axes, in the first level.

    `whole` has the initial bytes of a buffer with its guard regions, u8[n].
    """

    record: Resource
    label: str
    element: ElementType
    shape: tuple[int, ...]
    buffer: Buffer | None = None
    texture: Texture | None = None
    whole: Array | None = None

    @property
    def is_null(self) -> bool:
        return self.buffer is None and self.texture is None

    def argument(self, binding: Binding) -> Any:
        """The argument of a dispatch for this binding: a view, a texture, or None for null."""
        if self.buffer is None:
            return self._texture_view()
        first, count = self.record.guard[0], math.prod(self.shape)
        size = self.element.itemsize
        if binding.kind == RAW_BUFFER:
            return self.buffer.view(first * size // _DWORD, count * size // _DWORD)
        if self.record.format is not None:
            return self.buffer.view(first, count, format=self.record.format.name)
        return self.buffer.view(first, count, stride=size)

    def _texture_view(self) -> Texture | TextureView | None:
        first, count = self.record.first_level, self.record.levels
        if self.texture is None or first == 0:
            return self.texture
        return self.texture.view(mip=first, num_mips=count - first)

    def read(self, level: int = 0) -> Array:
        """The elements on the device, u8[*shape, itemsize].

        For vkd3d's counter_buffer, the hidden counter as one element.
        """
        if self.record.shows_counter and self.buffer is not None:
            return np.array([[self.buffer.counter]], "<u4").view(np.uint8)
        if self.texture is not None:
            data = self.texture.read(level)
            axes = dimension_of_name(self.texture.dimension).array_axes
            return bytes_of(data).reshape(*data.shape[:axes], self.element.itemsize)
        assert self.buffer is not None
        first, end = self._view_bytes()
        data = self.buffer.read_bytes(first, end - first)
        return data.reshape(*self.shape, self.element.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes that count towards the memory limit of a test."""
        if self.texture is None:
            return self.buffer.nbytes if self.buffer is not None else 0
        return math.prod(self.shape) * self.element.itemsize  # further levels are smaller

    def close(self) -> None:
        """Free its memory on the device."""
        for handle in (self.buffer, self.texture):
            if handle is not None:
                handle.close()

    def _view_bytes(self) -> tuple[int, int]:
        """The start and end of the view in the buffer."""
        first = self.record.guard[0] * self.element.itemsize
        return first, first + math.prod(self.shape) * self.element.itemsize

    def damage(self) -> list[str]:
        """Lines about bytes that changed in the guard regions around the view; empty if none did.

        They describe the first four bytes, and count all.
        """
        if self.buffer is None or self.whole is None or self.record.guard == (0, 0):
            return []
        now = self.buffer.read_bytes(0, self.buffer.nbytes)
        first, end = self._view_bytes()
        changed = now != self.whole
        changed[first:end] = False
        places = np.flatnonzero(changed).tolist()
        lines = [f"{len(places)} bytes in all"] if places else []
        for at in reversed(places[:4]):
            where = f"{first - at} bytes in front of" if at < first else f"{at - end} bytes after"
            lines.insert(0, f"{where} the view: was {self.whole[at]:#04x}, is {now[at]:#04x}")
        return lines


def make_resource(
    device: Device,
    interface: ShaderInterface | None,
    record: Resource,
    binding: Binding | None,
    most_bytes: int = MOST_BYTES,
) -> DeviceResource:
    """Make a resource; from its section alone if `binding` is None: the shader lacks its register.

    Raises ShaderTestError if the section does not fit the shader, or has too many bytes.
    """
    label = binding.label if binding is not None else record.key
    if record.null:
        return DeviceResource(record, label, element_of_dwords(1), (0,))
    size = record.size
    is_texture = binding.kind == TEXTURE if binding is not None else size and not size.is_buffer
    if binding is not None and size is not None and size.is_buffer == is_texture:
        wanted = "a texture" if is_texture else "a buffer"
        raise size.token.error(f"{label} is {wanted}, in the shader")
    if is_texture:
        return _texture(device, record, binding, label, most_bytes)
    return _buffer(device, interface, record, binding, label, most_bytes)


def check_fit(record: Resource, binding: Binding) -> None:
    """Raise FormatError, with the line to write, for texels that the shader cannot read.

    Warn of integers that may be meant as floats.
    """
    label, size, format = binding.label, record.size, record.format
    dimension = size.dimension if size is not None and not size.is_buffer else None
    if None not in (dimension, binding.dimension) and dimension != binding.dimension:
        raise FormatError(
            f"{label} is a {binding.dimension} texture in the shader, not a {dimension}: write"
            f" `size ({binding.dimension}, ...)`"
        )
    if binding.kind == RAW_BUFFER:
        _warn_of_integers(record)
    if format is None or binding.kind not in (TEXTURE, TYPED_BUFFER):
        return
    format = reread_as(depth_twin(format) if binding.comparison else format, binding.component)
    if binding.component is not None and format.component != binding.component:
        name = name_read_as(format, binding.component)
        remedy = f": write `format {name.replace('_', '-')}`" if name is not None else ""
        text = misread_text(binding, label, format.name, format.component)
        raise FormatError(f"{text}{remedy}")


def _warn_of_integers(record: Resource) -> None:
    """Warn of the first integer beside floats in a raw buffer, where the spelling decides."""
    values = record.values if isinstance(record.values, tuple) else ()
    numbers = [number for number in values if number is not None]
    if record.type is not None or not any(number.is_float for number in numbers):
        return
    for number in numbers:
        if not (number.is_float or number.is_hex or number.value == 0):
            text = number.token.text
            message = (
                f"{number.token.where}: warning: {text} is an integer beside floats: write {text}.0"
                f" for a float, or say the `type`, such as `type float a, uint b`"
            )
            warnings.warn(message, RuntimeWarning, stacklevel=2)
            return


def _check_bytes(size: int, most: int, token: Token) -> None:
    if size > most:
        limit = f"more than {MOST_BYTES >> 20} MiB for all resources of the test"
        raise token.error(f"a resource of {size} bytes would need {limit}")


def _texture(
    device: Device, record: Resource, binding: Binding | None, label: str, most_bytes: int
) -> DeviceResource:
    extents, format, element = record.size, record.format, record.element
    if extents is None or format is None or element is None:
        raise record.token.error(f"{label} is a texture: say its size and format")
    dimension = dimension_of_name(extents.dimension)
    try:
        size = size_of_shape(dimension, extents.shape, record.levels)
    except ArgumentError as error:
        raise extents.token.error(str(error)) from None
    shapes = [
        element_axes(format, size, dimension, level, size.layers) for level in range(record.levels)
    ]
    if texel_axes(format, dimension, shapes[0]) != extents.shape:
        sides = " by ".join(map(str, format.block))
        raise extents.token.error(f"{format.name} has whole blocks of {sides} texels")
    counts = [math.prod(shape) for shape in shapes]
    _check_bytes(sum(counts) * element.itemsize, most_bytes, extents.token)
    shape = shapes[0] if record.levels == 1 else ()
    data = fill(record.values, element, sum(counts), record.token, tuple(shape))
    components = (format.components,) if format.components > 1 else ()
    levels = [
        part.reshape(-1).view(format.dtype).reshape(*shape, *components)
        for part, shape in zip(np.split(data, np.cumsum(counts)[:-1]), shapes, strict=True)
    ]
    chosen = depth_twin(format) if binding is not None and binding.comparison else format
    texture = device.texture(levels[0], chosen.name, dimension.name, levels[1:])
    return DeviceResource(record, label, element, shapes[0], texture=texture)


def _buffer(
    device: Device,
    interface: ShaderInterface | None,
    record: Resource,
    binding: Binding | None,
    label: str,
    most_bytes: int,
) -> DeviceResource:
    element = _element(record, binding, label) if binding is not None else _own_element(record)
    count = _count(record, element, label)
    size = (count + sum(record.guard)) * element.itemsize
    _check_bytes(size, most_bytes, record.size.token if record.size is not None else record.token)
    data = fill(record.values, _filled(record, element, count), count, record.token)
    before, after = (n * element.itemsize for n in record.guard)
    whole = np.concatenate([_canary(before), data.reshape(-1), _canary(after)])
    has_counter = binding is not None and f"{binding.register}{COUNTER_SUFFIX}" in (interface or ())
    start = record.counter if record.counter is not None else (0 if has_counter else None)
    buffer = device.buffer(whole, start)
    return DeviceResource(record, label, element, (count,), buffer, None, whole)


def _filled(record: Resource, element: ElementType, count: int) -> ElementType:
    """The type of element by which the contents are written.

    It is the resource's own, except that vkd3d writes buffers with a stride dword by dword.
    """
    dwords = element_of_dwords(element.itemsize // _DWORD)
    fits = isinstance(record.values, tuple) and len(record.values) == count * len(dwords.leaves)
    return dwords if record.stride is not None and record.type is None and fits else element


def _own_element(record: Resource) -> ElementType:
    """The type of element of a buffer that the shader does not describe."""
    if record.element is not None:
        return record.element
    return element_of_dwords(int(record.stride.value) // _DWORD if record.stride is not None else 1)


def _element(record: Resource, binding: Binding, label: str) -> ElementType:
    """The type of a buffer's elements: by its section, else by the shader, else dwords."""
    if binding.constants is not None and record.format is None:  # a tbuffer
        return record.type or element_of_dwords(_VECTOR)
    if binding.kind == TYPED_BUFFER:
        if record.format is None or record.element is None:
            raise record.token.error(f"{label} is a typed buffer: say its format")
        return record.element
    if record.format is not None:
        kind = binding.kind.replace("_", " ")
        raise record.token.error(f"{label} is a {kind}: it has no format; say its type instead")
    stride = binding.stride if binding.kind == STRUCTURED_BUFFER else None
    if record.stride is not None and record.stride.value != stride:
        wanted = f"has a stride of {stride} in the shader"
        wanted = wanted if stride is not None else "is a raw buffer: it has no stride"
        raise record.stride.token.error(f"{label} {wanted}")
    if record.type is not None:
        size = record.type.itemsize
        if stride not in (None, size):
            raise record.token.error(
                f"{label} has structures of {stride} bytes; the type has {size}"
            )
        return record.type
    if binding.dtype is not None and binding.dtype.itemsize == stride:
        return element_of_dtype(binding.dtype)
    return element_of_dwords((stride or _DWORD) // _DWORD)


def _count(record: Resource, element: ElementType, label: str) -> int:
    """The number of elements: by `size`, otherwise by the number of values."""
    if record.size is not None:
        (number,) = record.size.shape
        if record.size.dimension == "buffer":
            return number
        if number * _DWORD % element.itemsize:
            whole = f"whole elements of {element.itemsize} bytes"
            raise record.size.token.error(f"{number} dwords are not {whole}")
        return number * _DWORD // element.itemsize
    values = record.values
    if values == ():
        raise record.token.error(f"{label} has neither size nor contents")
    if isinstance(values, Pattern) and values.path is None:
        raise values.token.error(f"how many of them? Say the size of {label}")
    return count_of(values, element)


def count_of(values: Values, element: ElementType, size_bytes: int = 0) -> int:
    """The number of elements that values make; a pattern without a length fills `size_bytes`."""
    if not isinstance(values, Pattern):
        return -(-len(values) // len(element.leaves))
    if values.path is None:
        return size_bytes // element.itemsize
    return len(read_elements(values, element)[0])


def _canary(size: int) -> Array:
    """The contents of a guard region: bytes that are never 0, and differ from their neighbours."""
    return (0xC5 ^ (np.arange(size) & 0x3F)).astype(np.uint8)
