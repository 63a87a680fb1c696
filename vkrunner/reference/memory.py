"""Buffers, textures and samplers of the reference machine, as NumPy arrays of bytes; Turn.

A Turn lets one thread at a time run steps on a reference device or access its memory.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import TIMEOUT_MAX, RLock

import numpy as np

from vkrunner.errors import ArgumentError, DispatchTimeout
from vkrunner.resources.device_objects import next_token
from vkrunner.values.arrays import Array, Bytes, bytes_of, zeros
from vkrunner.values.formats import Format
from vkrunner.values.texture_layout import ImageSize, Part, TextureLayout

_TIMEOUT_NS = 60_000_000_000


class Turn:
    """A lock that orders the work on one device, like a Vulkan queue.

    A signal handler can interrupt a dispatch of its own thread; to wait for that dispatch would
    never end, so an attempt is an error.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._is_dispatching = False

    @contextmanager
    def taken(self, timeout_ns: int = _TIMEOUT_NS) -> Generator[None]:
        """Have the turn during a `with`.

        Raises DispatchTimeout if another thread keeps it, ArgumentError within a dispatch.
        """
        if not self._lock.acquire(timeout=min(timeout_ns / 1e9, TIMEOUT_MAX)):
            raise DispatchTimeout(
                f"another thread kept the reference machine busy for {timeout_ns / 1e9:g} s"
            )
        try:
            if self._is_dispatching:
                raise ArgumentError(
                    "the reference machine is within a dispatch of this thread: a signal handler"
                    " cannot use its device meanwhile"
                )
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
