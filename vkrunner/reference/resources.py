"""Arguments in the form for the reference machine, and copying its outputs back.

The machine knows that two registers show the same memory by the identity of the array, so every
view of a buffer has the buffer's one array, and every view of a texture's slices the same slices.
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
from vkrunner.device_objects import object_of
from vkrunner.errors import ArgumentError
from vkrunner.reference.memory import HostBuffer, HostTexture, extents_of, level_shape
from vkrunner.resources.buffers import Buffer
from vkrunner.values.arrays import Array, Bytes
from vkrunner.values.dimensions import Part

_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_NOTHING: Bytes = np.zeros(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Shown:
    """Slices of one mip of a texture that stays on the device, and the register that shows them."""

    image: HostTexture
    mip: int
    part: Part
    data: Bytes
    register: str

    def overlaps(self, other: Shown) -> bool:
        """Whether the two have texels in common and are not the same slices."""
        if self.data is other.data or (self.image, self.mip) != (other.image, other.mip):
            return False
        ours, theirs = (self.image.span(self.mip, part) for part in (self.part, other.part))
        return ours[0] < theirs[1] and theirs[0] < ours[1]


@dataclass(slots=True)
class Bindings:
    """The inputs of a run of the machine: `resources`. Made by `bind`."""

    resources: dict[str, reference.Resource] = field(default_factory=dict[str, reference.Resource])
    shown: list[Shown] = field(default_factory=list[Shown])

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
    """The resources of a run. Raises ArgumentError for what the machine cannot be given."""
    counters = _counters(arguments)
    made = Bindings()
    for argument in arguments:
        register = register_at(argument)
        if isinstance(argument, SamplerArgument):
            made.resources[register] = _sampler(argument)
        elif argument.binding.kind == TEXTURE:
            made.resources[register] = _texture(argument, made.shown)
        elif argument.binding.kind != COUNTER:
            made.resources[register] = _buffer(argument, counters.get(register))
    _check_overlaps(made.shown)
    return made


def take_over(arguments: Sequence[Argument], bound: Bindings, written: reference.Written) -> None:
    """Copy a run's outputs to the buffers and textures that stay on the device."""
    for argument in arguments:
        register = register_at(argument)
        if isinstance(argument, ResidentCounter):
            bytes_at(argument.resident).view(np.uint32)[0] = written.counters[register]
        elif isinstance(argument, ResidentBuffer) and register in written.buffers:
            bytes_at(argument.resident)[:] = written.buffers[register]
    for shown in bound.shown:
        if shown.register in written.textures:
            shown.data[...] = written.textures[shown.register][0]


def _counters(arguments: Sequence[Argument]) -> dict[str, int]:
    """Where hidden counters start, by their UAV's register; null ones are left out."""
    counters: dict[str, int] = {}
    owners: dict[int, str] = {}
    for argument in arguments:
        if argument.binding.kind != COUNTER:
            continue
        register = register_at(argument)
        if isinstance(argument, ArrayArgument):
            counters[register] = int(argument.array[0])
        if isinstance(argument, ResidentCounter):
            other = owners.setdefault(id(argument.buffer), register)
            if other != register:
                raise ArgumentError(f"{other} and {register} share a hidden counter: bind one")
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


def _texture(argument: Argument, shown: list[Shown]) -> reference.Texture | None:
    if isinstance(argument, ResidentTexture):
        view, image, register = argument.view, object_of(argument.resident), register_at(argument)
        assert isinstance(image, HostTexture), "textures of other devices were refused"
        mips = [_show(image, mip, view.part, register, shown) for mip in view.part.mips]
        extents = extents_of(argument.format, image.size, view.part.mips)
        return reference.Texture(tuple(mips), argument.format.name, view.dimension.name, extents)
    if isinstance(argument, TextureArray) and argument.array.size:
        layout = argument.layout
        data = argument.contents.reshape(level_shape(layout.format, layout.size, 0))
        extents = extents_of(layout.format, layout.size, range(1))
        return reference.Texture((data,), layout.format.name, layout.dimension.name, extents)
    return None


def _show(image: HostTexture, mip: int, part: Part, register: str, shown: list[Shown]) -> Bytes:
    """The slices of a mip, the same array for all registers that show the same."""
    span, data = image.span(mip, part), image.slices(mip, part)
    for other in shown:
        if (other.image, other.mip) == (image, mip) and span == image.span(mip, other.part):
            data = other.data
    shown.append(Shown(image, mip, part, data, register))
    return data


def _check_overlaps(shown: Sequence[Shown]) -> None:
    """Raise ArgumentError where a UAV shows some, not all, of the slices that another shows."""
    for uav in shown:
        other = next((s for s in shown if uav.register[0] == "u" and uav.overlaps(s)), None)
        if other is not None:
            raise ArgumentError(
                f"{uav.register} and {other.register} show parts of the same mip that overlap:"
                " the reference machine takes views of the same slices only"
            )
