"""Resources of a test on a device: made from their sections, read back, their guards looked at."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.records import (
    Bound,
    Constants,
    Extents,
    Number,
    Pattern,
    Resource,
    SamplerSection,
)
from vkrunner.shadertest.values import encode, fill, read_array, whole_elements
from vkrunner.values.arrays import Array, bytes_of
from vkrunner.values.dimensions import dimension_of_name, size_of_shape
from vkrunner.values.elements import ElementType, Leaf, element_of_dtype, element_of_dwords
from vkrunner.values.formats import Format, depth_twin

_KINDS = {  # section -> kinds of bindings that it may describe
    Constants: (CONSTANT_BUFFER,),
    SamplerSection: (SAMPLER,),
    Resource: (STRUCTURED_BUFFER, RAW_BUFFER, TYPED_BUFFER, TEXTURE),
}
_BUFFERS = (STRUCTURED_BUFFER, RAW_BUFFER, TYPED_BUFFER)
_DWORD = 4


@dataclass(frozen=True, slots=True)
class Live:
    """A resource on the device. `shape` are the axes of its elements, of the first level."""

    record: Resource
    label: str
    element: ElementType
    shape: tuple[int, ...]
    buffer: Buffer | None = None
    texture: Texture | None = None
    bound: Any = None
    surrounding: Array | None = None  # what the whole buffer had at first, u8[n]

    def read(self, level: int = 0) -> Array:
        """u8[*shape, itemsize] of what the device has."""
        if self.texture is not None:
            data = self.texture.read(level)
            axes = self.texture.layout.dimension.array_axes
            return bytes_of(data).reshape(*data.shape[:axes], self.element.itemsize)
        assert self.buffer is not None
        first, size = self._view_bytes()
        return self.buffer.read_bytes(first, size).reshape(*self.shape, self.element.itemsize)

    def _view_bytes(self) -> tuple[int, int]:
        size = self.element.itemsize
        return self.record.guard[0] * size, math.prod(self.shape) * size

    def damage(self) -> list[str]:
        """A line for each of the first bytes around the view that are not as they were."""
        if self.buffer is None or self.surrounding is None or self.record.guard == (0, 0):
            return []
        now = self.buffer.read_bytes(0, self.buffer.nbytes)
        first, size = self._view_bytes()
        changed = now != self.surrounding
        changed[first : first + size] = False
        places = np.flatnonzero(changed)
        lines = [self._place(int(at), int(self.surrounding[at]), int(now[at])) for at in places[:4]]
        return [*lines, f"{len(places)} bytes in all"] if lines else []

    def _place(self, at: int, before: int, after: int) -> str:
        first, size = self._view_bytes()
        where = (
            f"{first - at} bytes in front of" if at < first else f"{at - first - size} bytes behind"
        )
        return f"{where} the view: was {before:#04x}, is {after:#04x}"


def make_resource(
    device: Device, interface: ShaderInterface, record: Resource, binding: Binding
) -> Live:
    """Make it. Raises ShaderTestError where the section does not fit the shader."""
    label = label_of(binding)
    if record.null:
        return Live(record, label, element_of_dwords(1), (0,))
    is_texture = binding.kind == TEXTURE
    if record.extents is not None and record.extents.is_buffer == is_texture:
        wanted = "a texture" if is_texture else "a buffer"
        raise record.extents.token.error(f"{label} is {wanted}, in the shader")
    if is_texture:
        return _texture(device, record, binding, label)
    return _buffer(device, interface, record, binding, label)


def _texture(device: Device, record: Resource, binding: Binding, label: str) -> Live:
    extents, format, element = record.extents, record.format, record.element
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
    parts = np.split(data, np.cumsum(counts)[:-1])
    levels = [_texels(part, format, shape) for part, shape in zip(parts, shapes, strict=True)]
    chosen = depth_twin(format) if binding.comparison else format
    texture = device.texture(levels[0], chosen.name, dimension.name, levels[1:])
    return Live(record, label, element, shapes[0], texture=texture, bound=texture)


def _texels(data: Array, format: Format, shape: tuple[int, ...]) -> Array:
    components = (format.components,) if format.components > 1 else ()
    return data.reshape(-1).view(format.dtype).reshape(*shape, *components)


def _buffer(
    device: Device, interface: ShaderInterface, record: Resource, binding: Binding, label: str
) -> Live:
    element = _element(record, binding, label)
    count = _count(record, element, label)
    data = fill(record.values, element, count, record.token)
    before, behind = (n * element.itemsize for n in record.guard)
    whole = np.concatenate([_canary(before), data.reshape(-1), _canary(behind)])
    has_counter = f"{binding.register}{COUNTER_SUFFIX}" in interface
    start = record.counter if record.counter is not None else (0 if has_counter else None)
    buffer = device.buffer(whole, start)
    view = _view(buffer, record, binding, element, count)
    return Live(record, label, element, (count,), buffer, None, view, whole)


def _view(
    buffer: Buffer, record: Resource, binding: Binding, element: ElementType, count: int
) -> Any:
    first, size = record.guard[0], element.itemsize
    if binding.kind == RAW_BUFFER:
        return buffer.view(first * size // _DWORD, count * size // _DWORD)
    if binding.kind == STRUCTURED_BUFFER:
        return buffer.view(first, count, stride=size)
    assert record.format is not None
    return buffer.view(first, count, format=record.format.name)


def _element(record: Resource, binding: Binding, label: str) -> ElementType:
    """What an element of a buffer is: as the section says, as the shader has it, or dwords."""
    if binding.kind == TYPED_BUFFER:
        if record.format is None or record.element is None:
            raise record.token.error(f"{label} is a typed buffer: say its format")
        return record.element
    if record.format is not None:
        kind = binding.kind.replace("_", " ")
        raise record.token.error(f"{label} is a {kind}: it has no format; say its type instead")
    stride = binding.stride if binding.kind == STRUCTURED_BUFFER else None
    if stride is not None and record.stride is not None and record.stride.value != stride:
        raise record.stride.token.error(f"{label} has a stride of {stride} in the shader")
    if stride is None and record.stride is not None:
        raise record.stride.token.error(f"{label} is a raw buffer: it has no stride")
    if record.element is not None:
        return _said(record.element, stride, record.token, label)
    if stride is None:
        return element_of_dwords(1)
    if binding.dtype is not None and binding.dtype.itemsize == stride:
        return element_of_dtype(binding.dtype)
    return element_of_dwords(stride // _DWORD)


def _said(element: ElementType, stride: int | None, token: Token, label: str) -> ElementType:
    if stride not in (None, element.itemsize):
        raise token.error(
            f"{label} has structures of {stride} bytes; the type has {element.itemsize}"
        )
    return element


def _count(record: Resource, element: ElementType, label: str) -> int:
    """How many elements: as `size` says, else as many as there are values for."""
    extents = record.extents
    if extents is not None:
        return _sized(extents, element)
    if isinstance(record.values, Pattern):
        if record.values.path is None:
            raise record.values.token.error(f"how many of them? Say the size of {label}")
        array = read_array(record.values, element)
        return len(whole_elements(array, element, record.values.token)) // element.itemsize
    if not record.values:
        raise record.token.error(f"{label} has neither size nor contents")
    return -(-len(record.values) // len(element.leaves))


def _sized(extents: Extents, element: ElementType) -> int:
    (number,) = extents.shape
    if extents.dimension == "buffer":
        return number
    if number * _DWORD % element.itemsize:
        raise extents.token.error(
            f"{number} dwords are not whole elements of {element.itemsize} bytes"
        )
    return number * _DWORD // element.itemsize


def _canary(size: int) -> Array:
    """Bytes around a view: none of them 0, neighbours different."""
    return (0xC5 ^ (np.arange(size) & 0x3F)).astype(np.uint8)


def constant_data(record: Constants, binding: Binding) -> Array:
    """The bytes of a constant buffer, u8[n]. Raises ShaderTestError."""
    if record.members:
        return _members(record, binding)
    element = record.element or element_of_dwords(1)
    count = _constant_count(record, element, binding)
    return fill(record.values, element, count, record.token).reshape(-1)


def _constant_count(record: Constants, element: ElementType, binding: Binding) -> int:
    """As many elements as there are values for; of a pattern, as the shader has."""
    values = record.values
    if not isinstance(values, Pattern):
        return -(-len(values) // len(element.leaves))
    if values.path is None:
        return (binding.size_bytes or 0) // element.itemsize
    return (
        len(whole_elements(read_array(values, element), element, values.token)) // element.itemsize
    )


def _members(record: Constants, binding: Binding) -> Array:
    label = label_of(binding)
    if binding.dtype is None or binding.dtype.names is None:
        first = record.members[0].token
        raise first.error(f"{label} has no names: the shader comes without RDEF; write numbers")
    element = element_of_dtype(binding.dtype)
    data: Array = np.zeros(element.itemsize, np.uint8)
    given: set[str] = set()
    for member in record.members:
        leaves = element.field(f".{member.name}")
        if not leaves:
            there = ", ".join(binding.dtype.names)
            raise member.token.error(f"{label} has no {member.name!r}; it has {there}")
        if len(leaves) != len(member.values):
            counts = f"{len(leaves)} numbers, not {len(member.values)}"
            raise member.token.error(f"{member.name} takes {counts}")
        for leaf, number in zip(leaves, member.values, strict=True):
            put(data, leaf, number)
            given.add(leaf.name)
    missing = [leaf.name[1:] for leaf in element.leaves if leaf.name not in given]
    if missing:
        raise record.token.error(f"{label} lacks {', '.join(missing[:8])}")
    return data


def put(data: Array, leaf: Leaf, number: Number) -> None:
    """Write one number into the bytes of an element. Raises ShaderTestError."""
    bits = encode(number, leaf).to_bytes(leaf.size, "little")
    data[leaf.offset : leaf.offset + leaf.size] = np.frombuffer(bits, np.uint8)


def find_binding(
    interface: ShaderInterface, key: str, token: Token, kind: type[Bound]
) -> tuple[Binding, int]:
    """The binding that a section's key names, and the element of a range. ShaderTestError."""
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
    """What a dispatch takes, by register: lists for arrays of resources."""
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
