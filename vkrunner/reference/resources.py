"""Resources of the reference machine as NumPy arrays of bytes: made from arguments, and copied out.

A Turn lets one thread at a time run steps on a reference device or access its memory. The machine
recognises that two registers share memory by the identity of the array, so all views
of a buffer use the buffer's one array. The texels of a UAV are in no other view of a dispatch.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, RLock

import numpy as np

from translate import reference
from translate.dataclass import dataclass, field
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
from vkrunner.errors import REENTRY, DispatchTimeout, ReentryError
from vkrunner.resources.device_objects import next_token
from vkrunner.values.formats import Format
from vkrunner.values.numbers import Array, Bytes, bytes_of, zeros
from vkrunner.values.texture_layout import ImageSize, Part, TextureLayout

_TIMEOUT_NS = 60_000_000_000
_REGISTER = re.compile(r"([a-z]+)(\d+)(.*)")
_NOTHING: Bytes = np.zeros(0, np.uint8)


class Turn:
    """A lock that orders the work on one device, like a Vulkan queue.

    A signal handler or finalizer can interrupt a dispatch of its own thread; to wait for that
    dispatch would never end, so an attempt is an error.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._is_dispatching = False

    @contextmanager
    def taken(self, timeout_ns: int = _TIMEOUT_NS) -> Generator[None]:
        """Have the turn during a `with`.

        Raises DispatchTimeout if another thread keeps it, ReentryError within a dispatch.
        """
        if not self._lock.acquire(timeout=min(timeout_ns / 1e9, TIMEOUT_MAX)):
            raise DispatchTimeout(
                f"another thread kept the reference machine busy for {timeout_ns / 1e9:g} s"
            )
        try:
            if self._is_dispatching:
                raise ReentryError(REENTRY)
            yield
        finally:
            self._lock.release()

    @contextmanager
    def dispatching(self) -> Generator[None]:
        """Mark a dispatch of the thread that has the turn, during a `with`."""
        self._is_dispatching = True
        try:
            yield
        finally:
            self._is_dispatching = False


class HostObject:
    """A resource, sampler or pipeline of the reference machine; `token` identifies it."""

    def __init__(self) -> None:
        self.token = next_token()


class HostBuffer(HostObject):
    """A `DeviceBuffer`. Its array is never replaced: the machine identifies memory by the array."""

    def __init__(self, nbytes: int, turn: Turn):
        super().__init__()
        self.bytes: Bytes = zeros((nbytes,), np.dtype(np.uint8), "a buffer")
        self._turn = turn

    def read(self, first: int, out: Bytes) -> None:
        with self._turn.taken():
            out[:] = self.bytes[first : first + out.nbytes]

    def write(self, first: int, data: Bytes) -> None:
        with self._turn.taken():
            self.bytes[first : first + data.nbytes] = data

    def map(self, mode: str) -> Bytes:
        view = self.bytes.view()
        view.flags.writeable = "w" in mode
        return view


class HostTexture(HostObject):
    """A `DeviceTexture`; samples, stores and comparisons work with every format.

    `levels` has an array u8[slices, height, width, samples, texel bytes] for each mip; height and
    width count blocks if the format is block-compressed. Slices are layers or, in a 3D texture,
    depth.
    """

    def __init__(self, layout: TextureLayout, levels: Sequence[Array], turn: Turn):
        super().__init__()
        self._turn = turn
        self.size, format = layout.size, layout.format
        shapes = [level_shape(format, self.size, mip) for mip in range(self.size.mips)]
        byte = np.dtype(np.uint8)
        self.levels: list[Bytes] = [zeros(shape, byte, "a texture's mip") for shape in shapes]
        for mip, level in enumerate(levels):
            self.levels[mip][...] = bytes_of(level).reshape(shapes[mip])

    def slices(self, mip: int, part: Part) -> Bytes:
        """The part's slices of a mip, a writable view."""
        first, end = self.span(mip, part)
        return self.levels[mip][first:end]

    def span(self, mip: int, part: Part) -> tuple[int, int]:
        """The part's slices in the array of a mip, as start and end (exclusive)."""
        depth, count = self.size.extent(mip)[2], self.size.part_extent(part, mip)[2]
        first = part.first_layer * depth + part.first_w_slice
        return first, first + (part.num_layers - 1) * depth + count

    def read(self, part: Part) -> Bytes:
        with self._turn.taken():
            return self.slices(part.first_mip, part).reshape(-1).copy()

    def write(self, part: Part, data: Bytes) -> None:
        with self._turn.taken():
            slices = self.slices(part.first_mip, part)
            slices[...] = data.reshape(slices.shape)


def level_shape(format: Format, size: ImageSize, mip: int) -> tuple[int, ...]:
    """The shape of a mip in `HostTexture.levels`."""
    width, height, depth = size.extent(mip)
    across, down = format.elements(width, height)
    return (size.layers * depth, down, across, size.samples, format.texel_bytes)


def extents_of(format: Format, size: ImageSize, mips: range) -> tuple[tuple[int, int], ...]:
    """The width and height of mips in texels; empty unless the format is block-compressed.

    In other formats, the shapes of the arrays have them.
    """
    return tuple(size.extent(mip)[:2] for mip in mips) if format.has_blocks else ()


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
