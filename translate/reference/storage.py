"""The resources of a run: copies of writable data, and views by register.

A view's bounds are its own, not the buffer's (reference "Out-of-bounds" §1).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from translate.errors import OptionError
from translate.isa.instruction import Lanes
from translate.reference.formats import Block, Format, read_format
from translate.reference.resources import (
    Array,
    Buffer,
    Resource,
    Resources,
    Sampler,
    Texture,
    Written,
)

_VECTOR_BYTES = 16
_MAX_VECTORS = 4096  # the largest constant buffer (FS §22.1)
_NOTHING: Array = np.zeros(0, np.uint8)


class Storage:
    """Buffers, textures, counters and samplers by register."""

    def __init__(self, resources: Resources):
        """Raises TranslateError for data of a wrong type or shape."""
        self._given: dict[str, Resource] = dict(resources)
        self._data = _copies(self._given)
        self._mips = {
            id(mip): mip.copy()
            for name, texture in self._given.items()
            if isinstance(texture, Texture) and name.startswith("u")
            for mip in texture.mips
        }
        self._counters = {
            name: np.uint32(buffer.counter)
            for name, buffer in self._given.items()
            if isinstance(buffer, Buffer) and buffer.counter is not None
        }
        self._constants: dict[str, Lanes] = {}

    def bound(self, name: str) -> bool:
        """Whether a register has a resource."""
        return self._given.get(name) is not None

    def names(self, name: str) -> bool:
        """Whether a register has an entry in Resources, even if the entry is None."""
        return name in self._given

    def constants(self, name: str) -> Lanes:
        """A constant buffer as u32[vectors, 4], the last one filled with zeros.

        Empty for a null one.
        """
        if name not in self._constants:
            data = self._bytes(name)[: _MAX_VECTORS * _VECTOR_BYTES]
            missing = -len(data) % _VECTOR_BYTES
            whole = np.pad(data, (0, missing)) if missing else data
            self._constants[name] = whole.view(np.uint32).reshape(-1, 4)
        return self._constants[name]

    def words(self, name: str) -> Lanes:
        """The view of a register as u32[dwords]; empty for a null one."""
        data = self._bytes(name)
        return data[: len(data) // 4 * 4].view(np.uint32)

    def _bytes(self, name: str) -> Array:
        buffer = self._given.get(name)
        if buffer is None:
            return _NOTHING
        if not isinstance(buffer, Buffer):
            raise OptionError(f"{name} takes a buffer")
        if buffer.offset % 4:
            raise OptionError(f"{name}: a view begins at a multiple of 4, not {buffer.offset}")
        return self._view(name, buffer)

    def _view(self, name: str, buffer: Buffer) -> Array:
        data = self._data[id(buffer.data)]
        size = len(data) - buffer.offset if buffer.size is None else buffer.size
        if buffer.offset < 0 or size < 0 or buffer.offset + size > len(data):
            raise OptionError(f"{name}: the view leaves the buffer of {len(data)} bytes")
        return data[buffer.offset : buffer.offset + size]

    def typed(self, name: str) -> tuple[Format, tuple[Array, ...], str] | None:
        """The format of a typed resource, its mips as in Texture, and its dimension or "buffer".

        None for a null resource.
        """
        resource = self._given.get(name)
        if resource is None:
            return None
        if isinstance(resource, Texture):
            texel_format = read_format(resource.format)
            mips = self._mips_of(name, resource)
            if texel_format.block is not None:
                mips = _decoded(name, resource, texel_format.block, mips)
            return texel_format, mips, resource.dimension
        if not isinstance(resource, Buffer) or resource.format is None:
            raise OptionError(f"{name} takes a texture, or a buffer with a format")
        texel_format = read_format(resource.format)
        if texel_format.block is not None:
            raise OptionError(f"{name}: no buffer has {resource.format}")
        data = self._view(name, resource)
        count = len(data) // texel_format.texel_bytes
        texels = data[: count * texel_format.texel_bytes]
        return texel_format, (texels.reshape(1, 1, count, 1, -1),), "buffer"

    def _mips_of(self, name: str, texture: Texture) -> tuple[Array, ...]:
        nbytes = read_format(texture.format).stored_bytes
        for mip in texture.mips:
            if mip.dtype != np.uint8 or mip.ndim != 5 or mip.shape[-1] != nbytes:
                shape = f"u8[slices, height, width, samples, {nbytes}]"
                raise OptionError(f"{name}: a mip of {texture.format} is {shape}")
        return tuple(self._mips.get(id(mip), mip) for mip in texture.mips)

    def sampler(self, name: str) -> Sampler:
        """The state of an s#; the default state if it has no entry."""
        sampler = self._given.get(name)
        if sampler is not None and not isinstance(sampler, Sampler):
            raise OptionError(f"{name} takes a sampler")
        return sampler or Sampler()

    def counter(self, name: str) -> np.uint32 | None:
        """The value of a UAV's hidden counter; None if the UAV has no counter."""
        return self._counters.get(name)

    def set_counter(self, name: str, value: np.uint32) -> None:
        """Set an existing hidden counter."""
        self._counters[name] = value

    def written(self) -> Written:
        """The current contents of the UAVs."""
        buffers = {
            name: self._data[id(resource.data)]
            for name, resource in self._given.items()
            if isinstance(resource, Buffer) and name.startswith("u")
        }
        textures = {
            name: self._mips_of(name, resource)
            for name, resource in self._given.items()
            if isinstance(resource, Texture) and name.startswith("u")
        }
        counters = {name: int(value) for name, value in self._counters.items()}
        return Written(buffers, textures, counters)


def _decoded(
    name: str, texture: Texture, block: Block, mips: tuple[Array, ...]
) -> tuple[Array, ...]:
    """The mips of a texture with blocks, decoded to texels."""
    if name.startswith("u"):
        raise OptionError(f"{name}: nothing can be stored in {texture.format}")
    if len(texture.extents) != len(mips):
        raise OptionError(f"{name}: {texture.format} needs the extents of each mip")
    made: list[Array] = []
    for mip, (width, height) in zip(mips, texture.extents, strict=True):
        across, down = block.count(width, height)
        if mip.shape[1:4] != (down, across, 1):
            found = f"{mip.shape[1]} by {mip.shape[2]}"
            message = f"a mip of {width} by {height} texels has {down} by {across} blocks"
            raise OptionError(f"{name}: {message}, not {found}")
        made.append(block.texels(mip, width, height))
    return tuple(made)


def _copies(given: Mapping[str, Resource]) -> dict[int, Array]:
    """The bytes of each buffer, by the `id` of its array; a copy if a u# uses the array."""
    data: dict[int, Array] = {}
    for name, resource in given.items():
        if not isinstance(resource, Buffer):
            continue
        array = resource.data
        if array.dtype != np.uint8 or array.ndim != 1 or not array.flags.c_contiguous:
            raise OptionError(f"{name}: the data of a buffer are u8[n] without gaps")
        key = id(array)
        if name.startswith("u") and data.get(key) is None:
            data[key] = array.copy()
    for resource in given.values():
        if isinstance(resource, Buffer):
            data.setdefault(id(resource.data), resource.data)
    return data
