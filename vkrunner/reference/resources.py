"""Arguments in the form for the reference machine, and copying its outputs back.

The machine knows that two registers show the same memory by the identity of the array, so every
view of a buffer has the buffer's one array. A UAV's texels are in no other view of a dispatch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from translate import reference
from translate.interface import CONSTANT_BUFFER, COUNTER, TEXTURE
from vkrunner.binding.arguments import (
    VECTOR_BYTES,
    Argument,
    ArrayArgument,
    ResidentBuffer,
    ResidentCounter,
    ResidentTexture,
    SamplerArgument,
    Texels,
    TextureArray,
)
from vkrunner.binding.registers import COUNTER_SUFFIX
from vkrunner.reference.memory import HostBuffer, HostTexture, extents_of, level_shape
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.device_objects import object_of
from vkrunner.values.arrays import Array, Bytes

_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_NOTHING: Bytes = np.zeros(0, np.uint8)


@dataclass(slots=True)
class Bindings:
    """The inputs of a run of the machine: `resources`. Made by `bind`.

    `texels`: the first mip that a register shows of a texture that stays on the device.
    """

    resources: dict[str, reference.Resource] = field(default_factory=dict[str, reference.Resource])
    texels: dict[str, Bytes] = field(default_factory=dict[str, Bytes])

    def read_back(self, argument: ArrayArgument, written: reference.Written) -> Array:
        """A new array like the one that was passed, with what the run left in its place."""
        array = argument.array
        register = register_at(argument)
        if argument.binding.kind == COUNTER:
            return np.array([written.counters[register]], np.uint32)
        if register in written.textures:
            data: Array = written.textures[register][0].reshape(-1)
        else:
            data = written.buffers.get(register, _NOTHING)[: array.nbytes]
        if data.nbytes != array.nbytes or not array.size:  # nothing is bound for an empty array
            return array.copy()
        return data.view(array.dtype).reshape(array.shape)


def bytes_at(buffer: Buffer) -> Bytes:
    """The memory of a buffer, for work that has its device's turn."""
    memory = object_of(buffer)
    assert isinstance(memory, HostBuffer), "buffers of other devices were refused"
    return memory.bytes


def register_at(argument: Argument) -> str:
    """The register of one descriptor, also within a range; a hidden counter's is its UAV's."""
    register = argument.binding.register.removesuffix(COUNTER_SUFFIX)
    match = _REGISTER.fullmatch(register)
    assert match is not None, register
    return f"{match[1]}{int(match[2]) + argument.element}{match[3]}"


def bind(arguments: Sequence[Argument]) -> Bindings:
    """The resources of a run. Raises ArgumentError for a view that does not fit its buffer."""
    counters = _counters(arguments)
    made = Bindings()
    for argument in arguments:
        register = register_at(argument)
        if isinstance(argument, SamplerArgument):
            made.resources[register] = _sampler(argument)
        elif argument.binding.kind == TEXTURE:
            made.resources[register] = _texture(argument, made.texels)
        elif argument.binding.kind != COUNTER:
            made.resources[register] = _buffer(argument, counters.get(register))
    return made


def take_over(arguments: Sequence[Argument], bound: Bindings, written: reference.Written) -> None:
    """Copy a run's outputs to the buffers and textures that stay on the device."""
    for argument in arguments:
        register = register_at(argument)
        if isinstance(argument, ResidentCounter):
            bytes_at(argument.resident).view(np.uint32)[0] = written.counters[register]
        elif isinstance(argument, ResidentBuffer) and register in written.buffers:
            bytes_at(argument.resident)[:] = written.buffers[register]
    for register, texels in bound.texels.items():
        if register in written.textures:
            texels[...] = written.textures[register][0]


def _counters(arguments: Sequence[Argument]) -> dict[str, int]:
    """Where hidden counters start, by their UAV's register; null ones are left out."""
    counters: dict[str, int] = {}
    for argument in arguments:
        if argument.binding.kind != COUNTER:
            continue
        register = register_at(argument)
        if isinstance(argument, ArrayArgument):
            counters[register] = int(argument.array[0])
        if isinstance(argument, ResidentCounter):
            counters[register] = int(bytes_at(argument.resident).view(np.uint32)[0])
    return counters


def _sampler(argument: SamplerArgument) -> reference.Sampler:
    state = argument.state
    return reference.Sampler(
        *state.filters,
        address=state.addresses,
        comparison=state.comparison or "never",
        border=state.border,
        lod_bias=state.lod_bias,
        min_lod=state.min_lod,
        max_lod=state.max_lod,
    )


def _buffer(argument: Argument, counter: int | None) -> reference.Buffer | None:
    """A view; without bytes it is null, but may still have a counter."""
    offset, size = argument.byte_range
    if size == 0 and counter is None:
        return None
    data = _NOTHING
    if isinstance(argument, ArrayArgument):
        data = argument.contents
    elif isinstance(argument, ResidentBuffer):
        data = bytes_at(argument.resident)
    if argument.binding.kind == CONSTANT_BUFFER and size % VECTOR_BYTES:
        offset, size, data = 0, *_whole_vectors(data[offset : offset + size])
    format = argument.format.name if isinstance(argument, Texels) else None
    return reference.Buffer(data, offset, size, format, counter)


def _whole_vectors(data: Bytes) -> tuple[int, Bytes]:
    """(bytes, contents) of a constant buffer, which counts in vectors: zeros after the end."""
    size = -(-data.nbytes // VECTOR_BYTES) * VECTOR_BYTES
    whole = np.zeros(size, np.uint8)
    whole[: data.nbytes] = data
    return size, whole


def _texture(argument: Argument, texels: dict[str, Bytes]) -> reference.Texture | None:
    if isinstance(argument, ResidentTexture):
        view, image = argument.view, object_of(argument.resident)
        assert isinstance(image, HostTexture), "textures of other devices were refused"
        mips = [image.slices(mip, view.part) for mip in view.part.mips]
        texels[register_at(argument)] = mips[0]
        extents = extents_of(argument.format, image.size, view.part.mips)
        return reference.Texture(tuple(mips), argument.format.name, view.dimension.name, extents)
    if isinstance(argument, TextureArray) and argument.array.size:
        layout = argument.layout
        data = argument.contents.reshape(level_shape(layout.format, layout.size, 0))
        extents = extents_of(layout.format, layout.size, range(1))
        return reference.Texture((data,), layout.format.name, layout.dimension.name, extents)
    return None
