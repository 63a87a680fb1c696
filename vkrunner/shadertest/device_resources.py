"""Resources of a test on a device: made from their sections, read back, their guards checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from translate import Binding, ShaderInterface
from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    SAMPLER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
)
from vkrunner import ArgumentError, Buffer, Device, Texture
from vkrunner.binding.registers import COUNTER_SUFFIX, Key, find, label_of
from vkrunner.shadertest.cases import (
    Bound,
    Constants,
    Number,
    Pattern,
    Resource,
    SamplerSection,
    Values,
)
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.encoding import encode, fill, read_elements
from vkrunner.values.arrays import Array, bytes_of
from vkrunner.values.dimensions import dimension_of_name, size_of_shape
from vkrunner.values.elements import ElementType, Leaf, element_of_dtype, element_of_dwords
from vkrunner.values.formats import depth_twin

_KINDS = {  # section -> the kinds of bindings that it may describe
    Constants: (CONSTANT_BUFFER,),
    SamplerSection: (SAMPLER,),
    Resource: (STRUCTURED_BUFFER, RAW_BUFFER, TYPED_BUFFER, TEXTURE),
}
_DWORD = 4


@dataclass(frozen=True, slots=True)
class DeviceResource:
    """A resource on the device. `shape` has the axes of its elements, of the first level.

    `bound` is the argument of a dispatch; `whole` has the first bytes of the whole buffer, u8[n].
    """

    record: Resource
    label: str
    element: ElementType
    shape: tuple[int, ...]
    buffer: Buffer | None = None
    texture: Texture | None = None
    bound: Any = None
    whole: Array | None = None

    def read(self, level: int = 0) -> Array:
        """u8[*shape, itemsize]: the elements on the device."""
        if self.texture is not None:
            data = self.texture.read(level)
            axes = dimension_of_name(self.texture.dimension).array_axes
            return bytes_of(data).reshape(*data.shape[:axes], self.element.itemsize)
        assert self.buffer is not None
        first, end = self._view_bytes()
        data = self.buffer.read_bytes(first, end - first)
        return data.reshape(*self.shape, self.element.itemsize)

    def close(self) -> None:
        """Free its memory on the device."""
        for handle in (self.buffer, self.texture):
            if handle is not None:
                handle.close()

    def _view_bytes(self) -> tuple[int, int]:
        """First and end of the view within the buffer."""
        first = self.record.guard[0] * self.element.itemsize
        return first, first + math.prod(self.shape) * self.element.itemsize

    def damage(self) -> list[str]:
        """A line for each of the first bytes around the view that have changed."""
        if self.buffer is None or self.whole is None or self.record.guard == (0, 0):
            return []
        now = self.buffer.read_bytes(0, self.buffer.nbytes)
        first, end = self._view_bytes()
        changed = now != self.whole
        changed[first:end] = False
        places = np.flatnonzero(changed).tolist()
        lines = [f"{len(places)} bytes in all"] if places else []
        for at in reversed(places[:4]):
            where = f"{first - at} bytes in front of" if at < first else f"{at - end} bytes behind"
            lines.insert(0, f"{where} the view: was {self.whole[at]:#04x}, is {now[at]:#04x}")
        return lines


def make_resource(
    device: Device, interface: ShaderInterface, record: Resource, binding: Binding
) -> DeviceResource:
    """Make it. Raises ShaderTestError where the section does not fit the shader."""
    label = label_of(binding)
    if record.null:
        return DeviceResource(record, label, element_of_dwords(1), (0,))
    is_texture = binding.kind == TEXTURE
    if record.size is not None and record.size.is_buffer == is_texture:
        wanted = "a texture" if is_texture else "a buffer"
        raise record.size.token.error(f"{label} is {wanted}, in the shader")
    if is_texture:
        return _texture(device, record, binding, label)
    return _buffer(device, interface, record, binding, label)


def _texture(device: Device, record: Resource, binding: Binding, label: str) -> DeviceResource:
    extents, format, element = record.size, record.format, record.element
    if extents is None or format is None or element is None:
        raise record.token.error(f"{label} is a texture: say its size and format")
    dimension = dimension_of_name(extents.dimension)
    try:
        size = size_of_shape(dimension, extents.shape, record.levels)
    except ArgumentError as error:
        raise extents.token.error(str(error)) from None
    shapes = [size.shape(dimension, level, size.layers) for level in range(record.levels)]
    counts = [math.prod(shape) for shape in shapes]
    data = fill(record.values, element, sum(counts), record.token)
    components = (format.components,) if format.components > 1 else ()
    levels = [
        part.reshape(-1).view(format.dtype).reshape(*shape, *components)
        for part, shape in zip(np.split(data, np.cumsum(counts)[:-1]), shapes, strict=True)
    ]
    chosen = depth_twin(format) if binding.comparison else format
    texture = device.texture(levels[0], chosen.name, dimension.name, levels[1:])
    return DeviceResource(record, label, element, shapes[0], texture=texture, bound=texture)


def _buffer(
    device: Device, interface: ShaderInterface, record: Resource, binding: Binding, label: str
) -> DeviceResource:
    element = _element(record, binding, label)
    count = _count(record, element, label)
    data = fill(record.values, element, count, record.token)
    before, after = (n * element.itemsize for n in record.guard)
    whole = np.concatenate([_canary(before), data.reshape(-1), _canary(after)])
    has_counter = f"{binding.register}{COUNTER_SUFFIX}" in interface
    start = record.counter if record.counter is not None else (0 if has_counter else None)
    buffer = device.buffer(whole, start)
    view = _view(buffer, record, binding, element.itemsize, count)
    return DeviceResource(record, label, element, (count,), buffer, None, view, whole)


def _view(buffer: Buffer, record: Resource, binding: Binding, size: int, count: int) -> Any:
    """The view of `count` elements of `size` bytes after the guard."""
    first = record.guard[0]
    if binding.kind == RAW_BUFFER:
        return buffer.view(first * size // _DWORD, count * size // _DWORD)
    if record.format is not None:
        return buffer.view(first, count, format=record.format.name)
    return buffer.view(first, count, stride=size)


def _element(record: Resource, binding: Binding, label: str) -> ElementType:
    """An element of a buffer: by its section, else by the shader, else dwords."""
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
    """The number of elements: by `size`, else as many as there are values for."""
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
    return _count_of(values, element)


def _count_of(values: Values, element: ElementType, size_bytes: int = 0) -> int:
    """The number of elements of values; a pattern of any length has as many as `size_bytes`."""
    if not isinstance(values, Pattern):
        return -(-len(values) // len(element.leaves))
    if values.path is None:
        return size_bytes // element.itemsize
    return len(read_elements(values, element)[0])


def _canary(size: int) -> Array:
    """Bytes around a view: none of them 0, neighbours different."""
    return (0xC5 ^ (np.arange(size) & 0x3F)).astype(np.uint8)


def constant_data(record: Constants, binding: Binding) -> Array:
    """The bytes of a constant buffer, u8[n]. Raises ShaderTestError."""
    if record.members:
        return _members(record, binding)
    element = record.type or element_of_dwords(1)
    count = _count_of(record.values, element, binding.size_bytes or 0)
    return fill(record.values, element, count, record.token).reshape(-1)


def _members(record: Constants, binding: Binding) -> Array:
    label = label_of(binding)
    if binding.dtype is None or binding.dtype.names is None:
        first = next(iter(record.members))
        raise first.error(f"{label} has no names: the shader comes without RDEF; write numbers")
    element = element_of_dtype(binding.dtype)
    data: Array = np.zeros(element.itemsize, np.uint8)
    given: set[str] = set()
    for token, numbers in record.members.items():
        leaves = element.field(f".{token.text}")
        if not leaves:
            there = ", ".join(binding.dtype.names)
            raise token.error(f"{label} has no {token.text!r}; it has {there}")
        if len(leaves) != len(numbers):
            raise token.error(f"{token.text} takes {len(leaves)} numbers, not {len(numbers)}")
        put(data, leaves, numbers)
        given.update(leaf.name for leaf in leaves)
    missing = [leaf.name[1:] for leaf in element.leaves if leaf.name not in given]
    if missing:
        raise record.token.error(f"{label} lacks {', '.join(missing[:8])}")
    return data


def put(data: Array, leaves: Sequence[Leaf], numbers: Sequence[Number]) -> None:
    """Write numbers into the bytes of an element. Raises ShaderTestError."""
    for leaf, number in zip(leaves, numbers, strict=True):
        bits = encode(number, leaf).to_bytes(leaf.size, "little")
        data[leaf.place] = np.frombuffer(bits, np.uint8)


def find_binding(
    interface: ShaderInterface, key: str, token: Token, kind: type[Bound]
) -> tuple[Binding, int]:
    """The binding of a section's key, and the element of a range. ShaderTestError."""
    try:
        binding, element = find(interface, key)
    except ArgumentError as error:
        raise token.error(str(error)) from None
    if binding.kind not in _KINDS[kind]:
        raise token.error(f"{label_of(binding)} is a {binding.kind.replace('_', ' ')}")
    return binding, element or 0


def with_elements(
    interface: ShaderInterface, values: Mapping[tuple[str, int], Any]
) -> dict[Key, Any]:
    """The bindings of a dispatch by register: lists for arrays of resources."""
    made: dict[Key, Any] = {}
    for (register, element), value in values.items():
        count = interface[register].count
        if count == 1:
            made[register] = value
            continue
        row: list[Any] = made.setdefault(register, [None] * count)
        row.extend([None] * (element + 1 - len(row)))
        row[element] = value
    return made
