"""Objects of a backend: buffers, textures, samplers, pipelines; and a caller's handles of them.

A caller's `Buffer` or `Texture` knows dtypes and shapes; the objects on the device know bytes.
"""

# `object_of` and `check_owner` are for the runner, and no methods that callers see.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import itertools
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Generic, Protocol, TypeVar

from translate import ShaderInterface
from translate.interface import html_table, line_of
from vkrunner.errors import ArgumentError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.values.arrays import Array, Bytes
from vkrunner.values.dimensions import Part
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout

_tokens = itertools.count(1)


def next_token() -> int:
    """A number that names one object, and never another."""
    return next(_tokens)


class DeviceObject(Protocol):
    """`token` names it among all objects of the process."""

    token: int


class DeviceBuffer(DeviceObject, Protocol):
    """Bytes, which are zero or undefined until they are written."""

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


class DeviceTexture(DeviceObject, Protocol):
    """The texels of a texture."""

    def read(self, part: Part) -> Bytes:
        """A copy of one mip of some layers, when no work in flight uses the texture."""
        ...

    def write(self, part: Part, data: Bytes) -> None:
        """Replace one mip of some layers, when no work in flight uses the texture."""
        ...


class DevicePipeline(DeviceObject, Protocol):
    """A shader made ready; `interface` is that of its module."""

    interface: ShaderInterface


class DeviceState(Protocol):
    """The part of a device's context that its objects use."""

    info: DeviceInfo
    closed: bool

    def in_use(self) -> AbstractContextManager[object]:
        """For the length of a `with`, the device is not destroyed when another thread closes it.

        Raises ArgumentError when it is closed and may be destroyed already. Whether it is closed
        has to be asked within the `with`.
        """
        ...

    def check_open(self) -> None:
        """Raises ArgumentError when closed, DispatchTimeout while overdue work runs,
        DeviceLostError ever after a loss.
        """
        ...

    def forget(self, token: int) -> None:
        """Drop idle executables that use a closed object, which had this token."""
        ...

    def forget_with(self, child: object, token: int) -> None:
        """Forget a token when `child` is collected."""
        ...


class ObjectMaker(Protocol):
    """The part of a backend that makes these objects. Raises LimitError and FeatureError."""

    @property
    def context(self) -> DeviceState: ...

    def make_buffer(self, nbytes: int) -> DeviceBuffer: ...

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> DeviceTexture:
        """A texture with these mips; those that `levels` lacks are zero."""
        ...

    def make_sampler(self, state: SamplerState) -> DeviceObject: ...

    def collect(self) -> None:
        """Free objects that nothing refers to and no work in flight needs. Not for finalizers."""
        ...


M = TypeVar("M", bound=DeviceObject)


class DeviceChild(Generic[M]):
    """A caller's handle of an object on a device, until it is closed or collected.

    Work in flight, and calls of other threads, may have the object longer.
    """

    _noun = "object"

    def __init__(self, maker: ObjectMaker, made: M):
        maker.context.check_open()
        self._maker = maker
        self._made: M | None = made
        self._token = made.token  # 0 when it is closed
        maker.context.forget_with(self, made.token)

    @contextmanager
    def _in_use(self) -> Generator[M]:
        """The object, which is not destroyed within the `with`. Raises as `object_of`."""
        with self._maker.context.in_use():
            yield object_of(self)

    def _facts(self) -> list[tuple[str, object]]:
        """Its table in notebooks, by name; the first few words are in `_brief`."""
        return []

    def _brief(self) -> tuple[str, ...]:
        return ()

    def __repr__(self) -> str:
        return line_of(self, *self._brief(), state_of(self))

    def _repr_html_(self) -> str:
        own = [("device", self._maker.context.info.name), ("state", state_of(self) or "open")]
        return html_table(type(self).__name__, [*self._facts(), *own])

    def _close(self) -> None:
        token, self._token, self._made = self._token, 0, None
        if token:
            self._maker.context.forget(token)
            self._maker.collect()


def state_of(child: DeviceChild[Any]) -> str | None:
    """That it, or its device, is closed, in words; None while it is open."""
    if child._made is None:
        return "closed"
    return "its device is closed" if child._maker.context.closed else None


def object_of(child: DeviceChild[M]) -> M:
    """The object on the device. Raises ArgumentError when it is closed, and as `check_open`."""
    made = child._made
    if made is None:
        raise ArgumentError(f"the {child._noun} is closed")
    child._maker.context.check_open()
    return made


def check_owner(child: DeviceChild[M], maker: ObjectMaker, where: str = "") -> None:
    """Raises ArgumentError when it is closed, or belongs to another device."""
    object_of(child)
    if child._maker is not maker:
        raise ArgumentError(f"{where}the {child._noun} belongs to another device")
