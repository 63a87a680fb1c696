"""Conversion of arguments to the reference machine's resources, and copying of its outputs.

The machine recognises that two registers share memory by the identity of the array, so all views
of a buffer use the buffer's one array. The texels of a UAV are in no other view of a dispatch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from translate import reference
from translate.interface import COUNTER
from vkrunner.binding.arguments import (
    Argument,
    ArrayArgument,
    ByteRange,
    Filled,
    ImagePart,
    ResidentArgument,
    SamplerSettings,
    Shown,
    TexelRange,
)
from vkrunner.binding.registers import COUNTER_SUFFIX
from vkrunner.reference.memory import HostTexture, extents_of, level_shape
from vkrunner.values.arrays import Array, Bytes

_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_NOTHING: Bytes = np.zeros(0, np.uint8)


@dataclass(slots=True)
class Bindings:
    """The machine's `resources` for a run, by register. Made by `bind`.

    `texels` has, for each register with a texture on the device, the array of the view's first mip.
    Results of UAVs are copied to it.
    """

    resources: dict[str, reference.Resource] = field(default_factory=dict[str, reference.Resource])
    texels: dict[str, Bytes] = field(default_factory=dict[str, Bytes])

    def read_back(self, argument: ArrayArgument, written: reference.Written) -> Array:
        """The contents after the run, as a new array with the passed one's dtype and shape."""
        array = argument.array
        register = register_at(argument.shown)
        if argument.shown.binding.kind == COUNTER:
            return np.array([written.counters[register]], np.uint32)
        if register in written.textures:
            data: Array = written.textures[register][0].reshape(-1)
        else:
            data = written.buffers.get(register, _NOTHING)[: array.nbytes]
        if data.nbytes != array.nbytes or not array.size:  # empty arrays are not bound
            return array.copy()
        return data.view(array.dtype).reshape(array.shape)


def register_at(shown: Shown) -> str:
    """The register of a descriptor within its range; for a hidden counter, its UAV's register."""
    register = shown.binding.register.removesuffix(COUNTER_SUFFIX)
    match = _REGISTER.fullmatch(register)
    assert match is not None, register
    return f"{match[1]}{int(match[2]) + shown.element}{match[3]}"


def bind(arguments: Sequence[Argument]) -> Bindings:
    """The machine's resources for the arguments of a dispatch."""
    counters = _counters(arguments)
    made = Bindings()
    for argument in arguments:
        shown = argument.shown
        register = register_at(shown)
        if isinstance(shown, SamplerSettings):
            made.resources[register] = _sampler(shown)
        elif isinstance(shown, ImagePart) and isinstance(argument, Filled):
            made.resources[register] = _texture(argument, shown, made.texels)
        elif isinstance(shown, ByteRange):
            if shown.binding.kind != COUNTER:
                made.resources[register] = _buffer(argument, shown, counters.get(register))
        else:
            made.resources[register] = None
    return made


def take_over(arguments: Sequence[Argument], bound: Bindings, written: reference.Written) -> None:
    """Copy a run's outputs to buffers and textures on the device."""
    for argument in arguments:
        if not isinstance(argument, ResidentArgument):
            continue
        register = register_at(argument.shown)
        if argument.shown.binding.kind == COUNTER:
            argument.on_device.bytes.view(np.uint32)[0] = written.counters[register]
        elif register in written.buffers:
            argument.on_device.bytes[:] = written.buffers[register]
    for register, texels in bound.texels.items():
        if register in written.textures:
            texels[...] = written.textures[register][0]


def _counters(arguments: Sequence[Argument]) -> dict[str, int]:
    """The initial values of hidden counters, by their UAV's register; null counters excluded."""
    counters: dict[str, int] = {}
    for argument in arguments:
        shown = argument.shown
        if shown.binding.kind == COUNTER and isinstance(argument, Filled):
            counters[register_at(shown)] = int(_memory(argument).view(np.uint32)[0])
    return counters


def _memory(argument: Filled) -> Bytes:
    """The bytes of an array, or of all of a buffer that stays on the device."""
    return argument.contents if isinstance(argument, ArrayArgument) else argument.on_device.bytes


def _sampler(shown: SamplerSettings) -> reference.Sampler:
    state = shown.state
    return reference.Sampler(
        *state.filters,
        address=state.addresses,
        comparison=state.comparison or "never",
        border=state.border,
        lod_bias=state.lod_bias,
        min_lod=state.min_lod,
        max_lod=state.max_lod,
        reduction=state.reduction or "",
        max_anisotropy=state.max_anisotropy,
    )


def _buffer(argument: Argument, shown: ByteRange, counter: int | None) -> reference.Buffer | None:
    """A view of a buffer; None if it is empty and has no counter."""
    offset, size = shown.offset, shown.size
    if size == 0 and counter is None:
        return None
    data = _memory(argument) if isinstance(argument, Filled) else _NOTHING
    format = shown.format.name if isinstance(shown, TexelRange) else None
    return reference.Buffer(data, offset, size, format, counter)


def _texture(argument: Filled, shown: ImagePart, texels: dict[str, Bytes]) -> reference.Texture:
    """A texture with the mips of a view; an array has one mip. `texels`: see `Bindings`."""
    size = shown.layout.size
    if isinstance(argument, ArrayArgument):
        mips = [argument.contents.reshape(level_shape(shown.format, size, 0))]
    else:
        image: HostTexture = argument.on_device
        mips = [image.slices(mip, shown.part) for mip in shown.part.mips]
        texels[register_at(shown)] = mips[0]
    extents = extents_of(shown.format, size, shown.part.mips)
    return reference.Texture(tuple(mips), shown.format.name, shown.dimension.name, extents)
