"""What a backend makes: buffers, textures, samplers, pipelines, as protocols.

A caller's `Buffer` or `Texture` knows dtypes and shapes; these know bytes.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Protocol

from translate import ShaderInterface
from vkrunner.device_info import DeviceInfo
from vkrunner.values.arrays import Array, Bytes
from vkrunner.values.dimensions import Part
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout

_tokens = itertools.count(1)


def next_token() -> int:
    """A number that names one object, and never another."""
    return next(_tokens)


class DeviceObject(Protocol):
    """`token` names it among all objects of the process; it is 0 when the object is closed."""

    token: int

    @property
    def owner(self) -> object:
        """The backend that made it."""
        ...


class DeviceBuffer(DeviceObject, Protocol):
    """`nbytes` bytes, which are zero or undefined until they are written."""

    nbytes: int

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        ...

    def read(self, first: int, out: Bytes) -> None:
        """Copy from byte `first` on to `out`, when no work in flight uses the buffer."""
        ...

    def write(self, first: int, data: Bytes) -> None:
        """Replace bytes from byte `first` on, when no work in flight uses the buffer."""
        ...

    def map(self, mode: str) -> Bytes | None:
        """The bytes themselves for "r", "w" or "rw", where the host has them; None elsewhere.

        They are not freed before the array is. Waits for the work in flight that uses the buffer.
        """
        ...

    def close(self) -> None:
        """Free the memory, when no work in flight needs it."""
        ...


class DeviceTexture(DeviceObject, Protocol):
    """The texels of a texture."""

    def check_open(self) -> None:
        """Raises ArgumentError when it or its device is closed."""
        ...

    def read(self, part: Part) -> Bytes:
        """A copy of one mip of some layers, when no work in flight uses the texture."""
        ...

    def write(self, part: Part, data: Bytes) -> None:
        """Replace one mip of some layers, when no work in flight uses the texture."""
        ...

    def close(self) -> None:
        """Free the memory, when no work in flight needs it."""
        ...


class DevicePipeline(DeviceObject, Protocol):
    """A shader made ready; `interface` is that of its module."""

    interface: ShaderInterface

    def check_open(self) -> None:
        """Raises ArgumentError when the kernel or its device is closed."""
        ...

    def close(self) -> None:
        """Free it, when no work in flight needs it."""
        ...


class ObjectMaker(Protocol):
    """The part of a backend that makes these objects. Raises LimitError and FeatureError."""

    info: DeviceInfo

    def make_buffer(self, nbytes: int) -> DeviceBuffer: ...

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> DeviceTexture:
        """A texture with these mips; those that `levels` lacks are zero."""
        ...

    def make_sampler(self, state: SamplerState) -> DeviceObject: ...
