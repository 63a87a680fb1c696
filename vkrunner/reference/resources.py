"""Arguments as the reference machine takes them, and what it wrote brought back.

The machine knows that two registers show the same memory by the identity of the array, so every
view of a buffer has the buffer's one array, and every view of a texture's slices the same slices.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from translate import reference
from translate.interface import CONSTANT_BUFFER, COUNTER, SAMPLER, TEXTURE
from vkrunner.arguments import COUNTER_SUFFIX, Argument
from vkrunner.descriptors import byte_range, check_owner
from vkrunner.errors import ArgumentError
from vkrunner.reference.memory import HostImage, level_shape
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.images import Part
from vkrunner.values.arrays import Array, bytes_of
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.pool import Bytes

_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_VECTOR_BYTES = 16
_NOTHING: Bytes = np.zeros(0, np.uint8)


@dataclass(frozen=True, slots=True)
class Shown:
    """Slices of one mip of a texture that stays on the device, and the register that shows them."""

    image: HostImage
    mip: int
    part: Part
    data: Bytes
    register: str

    def overlaps(self, other: Shown) -> bool:
        """Whether the two have texels in common and are not the same slices."""
        if self.data is other.data or (self.image, self.mip) != (other.image, other.mip):
            return False
        ours, theirs = (
            (p.first_layer, p.first_layer + p.num_layers) for p in (self.part, other.part)
        )
        return ours[0] < theirs[1] and theirs[0] < ours[1]


@dataclass(slots=True)
class Bindings:
    """What a run of the machine gets: `resources`. Made by `bind`."""

    resources: dict[str, reference.Resource] = field(default_factory=dict[str, reference.Resource])
    shown: list[Shown] = field(default_factory=list[Shown])

    def read_back(self, argument: Argument, written: reference.Written) -> Array:
        """A new array like the one that was passed, with what the run left in its place."""
        array = argument.array
        assert array is not None
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


def register_at(argument: Argument) -> str:
    """The register of one descriptor, also within a range; a hidden counter's is its UAV's."""
    register = argument.binding.register.removesuffix(COUNTER_SUFFIX)
    match = _REGISTER.fullmatch(register)
    assert match is not None, register
    return f"{match[1]}{int(match[2]) + argument.element}{match[3]}"


def bind(logical: LogicalDevice, arguments: Sequence[Argument]) -> Bindings:
    """The resources of a run. Raises ArgumentError for what the machine cannot be given."""
    counters = _counters(arguments)
    made = Bindings()
    for argument in arguments:
        kind, register = argument.binding.kind, register_at(argument)
        if kind == SAMPLER:
            made.resources[register] = _sampler(logical, argument)
        elif kind == TEXTURE:
            made.resources[register] = _texture(logical, argument, made.shown)
        elif kind != COUNTER:
            made.resources[register] = _buffer(logical, argument, counters.get(register))
    _check_overlaps(made.shown)
    return made


def take_over(arguments: Sequence[Argument], bound: Bindings, written: reference.Written) -> None:
    """Bring what a run wrote to the buffers and textures that stay on the device."""
    for argument in arguments:
        binding, register = argument.binding, register_at(argument)
        if binding.kind == COUNTER:
            if argument.counter_of is not None:
                argument.counter_of.counter = written.counters[register]
        elif argument.view is not None and register in written.buffers:
            argument.view.buffer.write(written.buffers[register])
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
        register, start = register_at(argument), _start(argument)
        if argument.counter_of is not None:
            other = owners.setdefault(id(argument.counter_of), register)
            if other != register:
                raise ArgumentError(f"{other} and {register} share a hidden counter: bind one")
        if start is not None:
            counters[register] = start
    return counters


def _start(argument: Argument) -> int | None:
    owner: Buffer | None = argument.counter_of
    if owner is not None:
        return owner.counter
    return None if argument.array is None else int(argument.array[0])


def _sampler(logical: LogicalDevice, argument: Argument) -> reference.Sampler:
    state = argument.state
    if argument.sampler is not None:
        check_owner(logical, argument.sampler.logical, argument.binding, "sampler")
        state = argument.sampler.state
    assert state is not None
    return reference.Sampler(
        *state.filters,
        address=state.addresses,
        comparison=state.comparison or "never",
        border=state.border,
        lod_bias=state.lod_bias,
        min_lod=state.min_lod,
        max_lod=state.max_lod,
    )


def _buffer(
    logical: LogicalDevice, argument: Argument, counter: int | None
) -> reference.Buffer | None:
    """A view; without bytes it is null, but for a counter that it has all the same."""
    offset, size = byte_range(argument)
    is_null = size == 0 or (argument.view is None and argument.array is None)
    if is_null and counter is None:
        return None
    data = argument.data
    if argument.view is not None:
        storage = argument.view.buffer.storage
        check_owner(logical, storage.logical, argument.binding, "buffer")
        data = storage.mapped
    if data is None:  # nothing is bound but a counter
        data = _NOTHING
    if argument.binding.kind == CONSTANT_BUFFER and size % _VECTOR_BYTES:
        offset, size, data = 0, *_whole_vectors(data[offset : offset + size])
    format = argument.format.name if argument.format is not None else None
    return reference.Buffer(data, offset, size, format, counter)


def _whole_vectors(data: Bytes) -> tuple[int, Bytes]:
    """(bytes, contents) of a constant buffer, which counts in vectors: zeros behind the end."""
    size = -(-data.nbytes // _VECTOR_BYTES) * _VECTOR_BYTES
    whole = np.zeros(size, np.uint8)
    whole[: data.nbytes] = data
    return size, whole


def _texture(
    logical: LogicalDevice, argument: Argument, shown: list[Shown]
) -> reference.Texture | None:
    view, layout, format = argument.texture, argument.layout, argument.format
    if view is not None and format is not None:
        image = view.texture.image
        check_owner(logical, image.logical, argument.binding, "texture")
        assert isinstance(image, HostImage)
        mips = [
            _show(image, mip, view.part, register_at(argument), shown) for mip in view.part.mips
        ]
        return reference.Texture(tuple(mips), format.name, view.dimension.name)
    if layout is None or argument.array is None:
        return None
    data = bytes_of(argument.array).reshape(level_shape(layout.format, layout.size, 0))
    return reference.Texture((data,), layout.format.name, layout.dimension.name)


def _show(image: HostImage, mip: int, part: Part, register: str, shown: list[Shown]) -> Bytes:
    """The slices of a mip, the same array for all registers that show the same."""
    layers = (part.first_layer, part.num_layers)
    data = image.slices(mip, part)
    for other in shown:
        if (other.image, other.mip) == (image, mip) and layers == (
            other.part.first_layer,
            other.part.num_layers,
        ):
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
