"""Buffer and BufferView: data that stays on the device between dispatches."""

# Views and the functions of this module read private attributes of buffers.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from translate import FormatName
from translate.dataclass import dataclass
from translate.interface import dtype_text, line_of
from vkrunner.errors import ArgumentError, FormatError, InvalidValueError, MissingError, ShapeError
from vkrunner.resources.array_like import ArrayLike
from vkrunner.resources.device_objects import (
    Closing,
    DeviceBuffer,
    DeviceChild,
    ObjectMaker,
    counter_array,
    initial_array,
    object_of,
    state_of,
)
from vkrunner.values.formats import Format, format_of_array, format_of_name
from vkrunner.values.numbers import Array, Bytes, as_array, as_integer, bytes_of, check_numbers

MapMode: TypeAlias = Literal["r", "w", "rw"]
"""How a buffer is mapped."""


class Buffer(DeviceChild[DeviceBuffer], Closing, ArrayLike):
    """A buffer on the device, made by `Device.buffer`.

    It has the dtype and shape of the array that it was made from; made from a size, it is
    `uint8[nbytes]` and zero. `np.asarray(buffer)` is its memory if host and device share it,
    otherwise a copy; `np.from_dlpack` and `len` take it as well. It is freed by `close`, at the end
    of a `with`, when it is collected, or with its device.

    Attributes
    ----------
    nbytes : int
        Its size in bytes.
    """

    _noun = "buffer"

    def __init__(self, maker: ObjectMaker, source: Array | bytes | int, counter: int | None = None):
        initial = initial_array(maker, source)
        self._dtype: np.dtype[Any] = initial.dtype
        self._shape = initial.shape
        self.nbytes = initial.nbytes
        self._is_from_array = not isinstance(source, int)
        self._maps: list[str] = []  # the modes of open mappings
        super().__init__(maker, maker.make_buffer(initial.nbytes))
        start = None if counter is None else counter_array(counter)
        self._counter = Buffer(maker, start) if start is not None else None
        self.write(initial)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the array that the buffer was made from."""
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array that the buffer was made from."""
        return self._shape

    @property
    def counter(self) -> int | None:
        """The hidden counter's value, read from the device; None for a buffer without one."""
        counter = counter_of(self)
        return int(counter.read()[0]) if counter is not None else None

    @counter.setter
    def counter(self, value: int) -> None:
        counter = counter_of(self)
        if counter is None:
            raise MissingError(
                "the buffer has no counter: make it by device.buffer(..., counter=0)"
            )
        counter.write(counter_array(value))

    def read(self, out: Array | None = None) -> Array:
        """The contents. Waits for work in flight that uses the buffer.

        Parameters
        ----------
        out : numpy.ndarray, optional
            The array to fill: in C order, with as many bytes as the buffer.

        Returns
        -------
        numpy.ndarray
            `out`, or a new array of the buffer's dtype and shape.

        Raises
        ------
        ArgumentError
            `out` does not fit.
        """
        if out is None:
            return self.read_bytes(0, self.nbytes).view(self.dtype).reshape(self.shape)
        fits = out.nbytes == self.nbytes and out.dtype.isnative
        if not fits or not out.flags.c_contiguous or not out.flags.writeable:
            raise ShapeError(
                f"out is a writable array in C order of {self.nbytes} bytes, in native byte order,"
                f" not one of {out.dtype}{list(out.shape)}"
            )
        with self._in_use() as memory:
            memory.read(0, bytes_of(out))
        return out

    def read_bytes(self, first: int, size: int) -> Bytes:
        """A copy of some bytes.

        Parameters
        ----------
        first : int
            The first byte.
        size : int
            The number of bytes.

        Returns
        -------
        numpy.ndarray
            The bytes, uint8[size].

        Raises
        ------
        ArgumentError
            The buffer does not have all of these bytes.
        """
        first, size = as_integer(first, "first"), as_integer(size, "size")
        if first < 0 or size < 0 or first + size > self.nbytes:
            raise InvalidValueError(f"{size} bytes from {first} on: the buffer has {self.nbytes}")
        data: Bytes = np.empty(size, np.uint8)
        with self._in_use() as memory:
            memory.read(first, data)
        return data

    def write(self, array: Array | bytes) -> None:
        """Replace the contents. Waits for work in flight that uses the buffer.

        Parameters
        ----------
        array : array_like or bytes
            As many bytes as the buffer has: numbers of its dtype, structures, or bytes.

        Raises
        ------
        ArgumentError
            The array has another size, or numbers of another kind.
        """
        data = as_array(array, "the buffer")
        if data.nbytes != self.nbytes:
            sizes = f"the buffer has {self.nbytes} bytes, the array {data.nbytes} ({data.dtype})"
            raise ShapeError(f"{sizes}: they must be equal")
        check_numbers(self.dtype, data, "the buffer")
        with self._in_use() as memory:
            memory.write(0, bytes_of(data))

    @contextmanager
    def map(self, mode: MapMode = "rw") -> Generator[Array]:
        """The contents as an array, for the length of a `with`.

        If host and device share the memory, the array is that memory, and nothing is copied; with
        mode "w" also if the host can map a discrete GPU's memory. Otherwise the array is a copy,
        which is read from the device at the beginning unless `mode` is "w", and written back at the
        end unless `mode` is "r".

        Waits for work in flight that uses the buffer. Work that is submitted meanwhile may see some
        of the writes. The buffer cannot be closed until the end.

        Parameters
        ----------
        mode : {"rw", "r", "w"}, optional
            How the array is used. With "w" it has to be filled, and should not be read.

        Yields
        ------
        numpy.ndarray
            The contents in the buffer's dtype and shape.

        Raises
        ------
        ArgumentError
            The mode is not one of these.
        """
        if mode not in get_args(MapMode):
            raise InvalidValueError(f"a buffer is mapped as 'r', 'w' or 'rw', not {mode!r}")
        self._maps.append(mode)
        try:
            view = self._mapped(mode)
            if view is None:
                yield from self._map_copy(mode)
            else:
                yield view.view(self.dtype).reshape(self.shape)
        finally:
            self._maps.pop()

    def _mapped(self, mode: MapMode) -> Bytes | None:
        with self._in_use() as memory:
            return memory.map(mode)

    def _shared_array(self) -> Array | None:
        shared = self._mapped("rw")
        return None if shared is None else shared.view(self.dtype).reshape(self.shape)

    def _map_copy(self, mode: MapMode) -> Generator[Array]:
        array = self.read() if "r" in mode else np.empty(self.shape, self.dtype)
        array.flags.writeable = "w" in mode
        try:
            yield array
        finally:
            if "w" in mode:
                self.write(array)

    def view(
        self,
        first_element: int = 0,
        num_elements: int | None = None,
        stride: int | None = None,
        format: FormatName | None = None,
    ) -> BufferView:
        """A part of the buffer.

        Parameters
        ----------
        first_element : int, optional
            The buffer's element with which the view begins.
        num_elements : int, optional
            The number of elements; by default all up to the end.
        stride : int, optional
            Bytes of an element, a multiple of 4.
        format : str, optional
            The DXGI format of an element, `r32_uint`, for a typed buffer.

        Returns
        -------
        BufferView
            The view. Without `stride` and `format` its elements are those of the register that it
            is bound to: structures, dwords of a raw buffer, texels, vectors of a constant buffer.

        Raises
        ------
        ArgumentError
            The view leaves the buffer, or has a stride and a format.
        """
        if stride is not None and format is not None:
            raise FormatError("a view has a stride or a format, not both")
        if stride is not None:
            stride = as_integer(stride, "stride")
            if stride <= 0 or stride % 4:
                raise InvalidValueError(f"a stride is a positive multiple of 4, not {stride}")
        first_element = as_integer(first_element, "first_element")
        if num_elements is not None:
            num_elements = as_integer(num_elements, "num_elements")
        if first_element < 0 or (num_elements or 0) < 0:
            raise InvalidValueError("first_element and num_elements cannot be negative")
        chosen = format_of_name(format) if format is not None else None
        view = BufferView(self, first_element, num_elements, stride, chosen)
        if element_bytes_of(view) is not None:
            range_of(view, 1)
        return view

    def _brief(self) -> tuple[str, ...]:
        counted = ("with a counter",) if self._counter is not None else ()
        return (f"{dtype_text(self.dtype)}{list(self.shape)}", *counted)

    def _facts(self) -> list[tuple[str, object]]:
        has_counter = "yes" if self._counter is not None else "no"
        rows = [("dtype", dtype_text(self.dtype)), ("shape", self.shape)]
        return [*rows, ("bytes", self.nbytes), ("counter", has_counter)]

    def close(self) -> None:
        """Free the memory when work in flight has ended. A second call does nothing.

        Raises ArgumentError while the buffer is mapped. In a forked process it does nothing.
        """
        if self._maps and self._maker.context.is_here:
            raise ArgumentError("the buffer is mapped: close it after the with")
        self._close()
        if self._counter is not None:
            self._counter.close()


def counter_of(buffer: Buffer) -> Buffer | None:
    """A buffer's hidden counter, uint32[1], or None. Raises ArgumentError if it is closed."""
    object_of(buffer)
    return buffer._counter


@dataclass(frozen=True, slots=True, repr=False)
class BufferView(ArrayLike):
    """A part of a buffer; see `Buffer.view`. NumPy accepts it as an array, like a buffer.

    Attributes
    ----------
    buffer : Buffer
        The buffer.
    first_element : int
        The buffer's element with which the view begins.
    num_elements : int or None
        The number of elements; None for all up to the end.
    stride : int or None
        Bytes of an element; None if `Buffer.view` got no stride.
    format : Format or None
        The format of an element; None if `Buffer.view` got no format.
    """

    buffer: Buffer
    first_element: int = 0
    num_elements: int | None = None
    stride: int | None = None
    format: Format | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The format's dtype; without a format the buffer's, or `uint8` if its items do not fit."""
        if self.format is not None:
            return self.format.dtype
        own = self.buffer.dtype
        return own if self._range[1] % own.itemsize == 0 else np.dtype(np.uint8)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values; the last axis has the components of a format."""
        values = self._range[1] // self.dtype.itemsize
        components = self.format.components if self.format is not None else 1
        return (values // components, components) if components > 1 else (values,)

    @property
    def _range(self) -> tuple[int, int]:
        return range_of(self, self.buffer.dtype.itemsize)

    def read(self) -> Array:
        """The contents of the view.

        Returns
        -------
        numpy.ndarray
            A new array of the view's dtype and shape.
        """
        return self.buffer.read_bytes(*self._range).view(self.dtype).reshape(self.shape)

    def __repr__(self) -> str:
        count = "elements" if self.num_elements is None else f"{self.num_elements} elements"
        stride = f"stride {self.stride}" if self.stride is not None else None
        kind = self.format.name if self.format is not None else stride
        owner = f"of a buffer of {', '.join(self.buffer._brief())}"
        part = f"{count} from {self.first_element} on"
        return line_of(self, part, kind, owner, state_of(self.buffer))

    def _shared_array(self) -> Array | None:
        shared = self.buffer._mapped("rw")
        if shared is None:
            return None
        first, size = self._range
        return shared[first : first + size].view(self.dtype).reshape(self.shape)


def element_bytes_of(view: BufferView) -> int | None:
    """Bytes of a view's element; None if the register that it is bound to decides."""
    return view.format.texel_bytes if view.format else view.stride


def range_of(view: BufferView, default_bytes: int) -> tuple[int, int]:
    """(first byte, number of bytes) of a view.

    Elements have `default_bytes` if the view has no stride and no format. Raises ArgumentError if
    the view leaves the buffer.
    """
    element_bytes = element_bytes_of(view) or default_bytes
    total = view.buffer.nbytes // element_bytes
    count = view.num_elements
    if count is None:
        count = max(0, total - view.first_element)
    if view.first_element + count > total:
        raise InvalidValueError(
            f"a view of {count} elements from {view.first_element} on leaves the buffer, which"
            f" has {total} elements of {element_bytes} bytes"
        )
    return view.first_element * element_bytes, count * element_bytes


def format_of_view(view: BufferView) -> Format:
    """The format of a view for a typed register; by default the one for the buffer's array."""
    if view.format is not None:
        return view.format
    if not view.buffer._is_from_array:
        raise MissingError("a typed buffer needs a format: pass buffer.view(format=...)")
    return format_of_array(view.buffer.dtype, view.buffer.shape)
