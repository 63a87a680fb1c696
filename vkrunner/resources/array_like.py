"""ArrayLike: lets NumPy and other libraries use buffers, textures and views as arrays.

Source: NumPy, "The array interface protocol", `__array__`; Python array API standard, "Data
interchange mechanisms" (DLPack).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from vkrunner.values.numbers import Array

_CPU = (1, 0)  # kDLCPU, and the number of the device
_HAS_VERSIONS = np.lib.NumpyVersion(np.__version__) >= "2.1.0"  # NumPy knows `max_version`
_NOT_SHARED = (
    "the host does not share this memory with the device, so that an array of it is a copy, which"
    " copy=False forbids"
)


class ArrayLike(ABC):
    """An object that `np.asarray`, `np.from_dlpack` and `len` accept as an array of its contents.

    If host and device share the memory, the array is that memory: nothing is copied, writes to the
    array change the buffer, and the memory lives as long as the array. Otherwise the array is a
    copy.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the array that NumPy gets."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """The shape of the array that NumPy gets."""

    @abstractmethod
    def read(self) -> Array:
        """A new array with the device's contents."""

    def _shared_array(self) -> Array | None:
        """The memory itself as an array, which keeps it alive; None if the host cannot share it."""
        return None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """The array for NumPy.

        It is the memory that host and device share. Otherwise it is a copy, which is read-only
        unless `copy` is True, because writes to it would be lost. Waits for work in flight that
        uses the memory. Raises ValueError for `copy=False` if the memory is not shared.
        """
        array = None if copy else self._shared_array()
        if array is None:
            if copy is False:
                raise ValueError(_NOT_SHARED)
            array = self.read()
            array.flags.writeable = bool(copy)
        if copy is False and dtype is not None and array.dtype != dtype:
            raise ValueError(f"an array of {np.dtype(dtype)} is a copy, which copy=False forbids")
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A DLPack capsule of memory on the host, shared or copied as by `__array__`.

        Raises BufferError for another device, for structures, and for `copy=False` if the memory
        is not shared.
        """
        if dl_device is not None and tuple(dl_device) != _CPU:
            raise BufferError(f"this memory is exported to the CPU {_CPU}, not to {dl_device}")
        array = None if copy else self._shared_array()
        if array is None:
            if copy is False:
                raise BufferError(_NOT_SHARED)
            array = self.read()
        if _HAS_VERSIONS:
            return array.__dlpack__(stream=stream, max_version=max_version)
        return array.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's device: the CPU, (kDLCPU, 0)."""
        return _CPU

    def __len__(self) -> int:
        """The length of the first axis, as for a NumPy array."""
        if not self.shape:
            raise TypeError("there are no axes to take a length of")
        return self.shape[0]

    def __bool__(self) -> bool:
        """True, even if the length is 0."""
        return True
