"""Objects of a backend (buffers, textures, samplers, pipelines), and the callers' handles of them.

A caller's `Buffer` or `Texture` knows dtypes and shapes; the objects on the device know bytes. An
object ends with a `with`, or when Python's garbage collector has it, which `Collected` notes:
the callbacks of `weakref.finalize`, WeakSet and WeakKeyDictionary are Python code. A Ctrl-C that
arrives in such a callback is printed as ignored, and does not stop the program.
"""

# `object_of` and `check_owner` are for the runner: no methods, so that callers do not see them.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import repeat
from types import TracebackType
from typing import Any, Generic, NoReturn, Protocol, Self, TypeVar
from weakref import ref

import numpy as np

from translate import Options, ShaderInterface
from translate.interface import html_table, line_of
from vkrunner.errors import ClosedError, InvalidValueError, LimitError, WrongDeviceError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.values.numbers import Array, Bytes, as_array, as_integer, is_integer, zeros
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import Part, TextureLayout

T = TypeVar("T")
K = TypeVar("K")
_tokens = itertools.count(1)
_MAX_DWORD = 2**32 - 1


class Closing(ABC):
    """A context manager that closes itself; `close` may be called again. It is not copied."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        kind = type(self).__name__.removeprefix("Reference")
        raise TypeError(f"a {kind} stays in its process: make one in each that needs it")


class Reference(ref[Any]):
    """A weak reference that is equal to itself only."""

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Collected(Generic[T]):
    """Items with an owner each; when owners were garbage-collected, `move` moves their items."""

    def __init__(self) -> None:
        self._items: dict[Reference, T] = {}
        self.gone: deque[Reference] = deque()  # of owners that were collected

    def watch(self, owner: object, item: T) -> None:
        """Keep an item until its owner is garbage-collected and `move` or `drop` is called."""
        self._items[Reference(owner, self.gone.append)] = item

    def move(self, queue: deque[tuple[K, T]], mark: K) -> None:
        """Append (mark, item) to the queue for each owner that was collected."""
        items = map(self._items.pop, iter(self.gone.popleft, None))
        with suppress(IndexError):  # when none is left
            queue.extend(zip(repeat(mark), items, strict=False))

    def drop(self) -> None:
        """Drop the items of owners that were collected."""
        if self.gone:
            self.move(deque(maxlen=0), None)


class Alive(Generic[T]):
    """A list of objects that does not keep them alive: it forgets those that are collected."""

    def __init__(self) -> None:
        self._references: dict[Reference, None] = {}
        self._gone: deque[Reference] = deque()

    def add(self, item: T) -> None:
        """Add an object."""
        with suppress(IndexError):  # when none is left
            deque(map(self._references.pop, iter(self._gone.popleft, None)), maxlen=0)
        self._references[Reference(item, self._gone.append)] = None

    def items(self) -> list[T]:
        """The objects that are alive, oldest first."""
        found = [reference() for reference in list(self._references)]
        return [item for item in found if item is not None]


def next_token() -> int:
    """A new number that identifies one object; it is never used again."""
    return next(_tokens)


class DeviceObject(Protocol):
    """An object on a device; `token` identifies it among all objects of the process."""

    token: int


class DeviceBuffer(DeviceObject, Protocol):
    """Bytes, which are zero or undefined until they are written."""

    def read(self, first: int, out: Bytes) -> None:
        """Copy from byte `first` on to `out`. Waits for work in flight that uses the buffer."""
        ...

    def write(self, first: int, data: Bytes) -> None:
        """Replace bytes from byte `first` on. Waits for work in flight that uses the buffer."""
        ...

    def map(self, mode: str) -> Bytes | None:
        """The buffer's memory itself, for mode "r", "w" or "rw"; None if the host cannot map it.

        The array keeps the memory alive. Waits for work in flight that uses the buffer.
        """
        ...


class DeviceTexture(DeviceObject, Protocol):
    """The texels of a texture."""

    def read(self, part: Part) -> Bytes:
        """A copy of the texels of a part with one mip. Waits for work that uses the texture."""
        ...

    def write(self, part: Part, data: Bytes) -> None:
        """Replace the texels of a part with one mip. Waits for work that uses the texture."""
        ...


class DevicePipeline(DeviceObject, Protocol):
    """A translated shader, ready for dispatches; `interface` has its bindings."""

    interface: ShaderInterface
    options: Options


class DeviceState(Protocol):
    """The part of a device's context that its objects use."""

    info: DeviceInfo
    closed: bool

    @property
    def is_here(self) -> bool:
        """Whether this is the process that opened the device."""
        ...

    def in_use(self, owner: str = "") -> AbstractContextManager[object]:
        """For the length of a `with`, the device is not destroyed, even if a thread closes it.

        Raises ArgumentError, which names the `owner`, if the device is closed and may be destroyed
        already, and ReentryError if this thread is working on a device. Check inside the `with`
        whether it is closed.
        """
        ...

    def check_open(self, owner: str = "") -> None:
        """Raise ArgumentError if the device is closed, DeviceLostError if it was lost,
        DispatchTimeout while work that timed out still runs. `owner` is as for `in_use`.
        """
        ...

    def forget(self, token: int) -> None:
        """Drop idle executables that use the closed object with this token."""
        ...

    def forget_with(self, child: object, token: int) -> None:
        """When `child` is garbage-collected, `forget` its token."""
        ...


class ObjectMaker(Protocol):
    """The part of a backend that makes objects on the device. Raises LimitError, FeatureError."""

    @property
    def context(self) -> DeviceState: ...

    def make_buffer(self, nbytes: int) -> DeviceBuffer: ...

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> DeviceTexture:
        """A texture; `levels` has the texels of the first mips, further mips are zero."""
        ...

    def make_sampler(self, state: SamplerState) -> DeviceObject: ...

    def collect(self) -> None:
        """Free objects that nothing refers to and no work in flight needs.

        It does nothing in a finalizer or handler whose thread is working on a device.
        """
        ...


M = TypeVar("M", bound=DeviceObject)


class DeviceChild(Generic[M]):
    """A caller's handle of an object on a device, valid until it is closed or collected.

    The object itself may live longer, in work in flight and calls of other threads.
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
        """The object on the device, not destroyed within the `with`. Raises as `object_of`."""
        with self._maker.context.in_use(self._noun):
            yield object_of(self)

    def _facts(self) -> list[tuple[str, object]]:
        """The rows (name, value) of the handle's table in notebooks; `_brief` is for its repr."""
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
    """Whether the handle is "closed" or "its device is closed"; None while both are open."""
    if child._made is None:
        return "closed"
    return "its device is closed" if child._maker.context.closed else None


def object_of(child: DeviceChild[M]) -> M:
    """The object on the device. Raises ArgumentError if it is closed, and as `check_open`."""
    made = child._made
    if made is None:
        raise ClosedError(f"the {child._noun} is closed")
    child._maker.context.check_open(child._noun)
    return made


def check_owner(child: DeviceChild[M], maker: ObjectMaker, where: str = "") -> None:
    """Raise ArgumentError if a handle is closed, or is of another device than `maker`.

    `where` is the beginning of the message.
    """
    object_of(child)
    if child._maker is not maker:
        raise WrongDeviceError(f"{where}the {child._noun} belongs to another device")


def initial_array(maker: ObjectMaker, source: Array | bytes | int) -> Array:
    """The array of a buffer's `source`: an array or bytes, or a number of zero bytes.

    Raises ArgumentError for other sources, LimitError for more bytes than device or host allow.
    """
    if not isinstance(source, int):
        return as_array(source, "the buffer")
    size = as_integer(source, "a buffer's size")
    if size < 0:
        raise InvalidValueError(f"a buffer has 0 or more bytes, not {size}")
    most = maker.context.info.limits.max_memory_allocation_bytes
    if size > most:
        raise LimitError(f"a buffer of {size} bytes: {maker.context.info.name} allows {most}")
    return zeros((size,), np.dtype(np.uint8), "a buffer")


def counter_value(value: Any) -> int:
    """A counter's value as an int. Raises ArgumentError unless it is an unsigned 32-bit number."""
    if is_integer(value) and 0 <= value.__index__() <= _MAX_DWORD:
        return int(value.__index__())
    raise InvalidValueError(f"a counter is a number from 0 to {_MAX_DWORD}, not {value!r}")


def counter_array(value: Any) -> Array:
    """A counter's value as uint32[1]. Raises as `counter_value`."""
    return np.array([counter_value(value)], np.uint32)


class Sampler(DeviceChild[DeviceObject]):
    """A sampler on the device, made by `Device.sampler`; it lives as long as its device.

    Attributes
    ----------
    state : SamplerState
        Filters, address modes, border, comparison and limits of the level of detail.

    References
    ----------
    D3D11_SAMPLER_DESC.
    """

    _noun = "sampler"

    def __init__(self, maker: ObjectMaker, state: SamplerState):
        self.state = state
        super().__init__(maker, maker.make_sampler(state))

    def _brief(self) -> tuple[str, ...]:
        return tuple(f"{name} {value}" for name, value in self.state.settings().items())

    def _facts(self) -> list[tuple[str, object]]:
        return list(self.state.settings().items())
