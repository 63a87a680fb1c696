"""Arrays that callers pass, and whether one fits a structured buffer."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from tokenize import TokenError
from typing import Any, cast

import numpy as np
from numpy.lib.format import MAGIC_PREFIX, read_array

from translate.interface import Binding
from vkrunner.errors import ArgumentError

Array = np.ndarray[Any, Any]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
BYTES_LIKE = (bytes, bytearray, memoryview)
_DWORD_BYTES = 4
_NUMBERS = {"float": "float32", "uint": "uint32", "sint": "int32"}
# The errors of NumPy for headers that are none
_MALFORMED = (ValueError, EOFError, TypeError, OverflowError, SyntaxError, TokenError)


def as_array(value: Any, what: str) -> Array:
    """A NumPy array from an array, a NumPy scalar or bytes, in C order and native byte order.

    `what` names it in the error. Raises ArgumentError for anything else, objects included.
    """
    if isinstance(value, BYTES_LIKE):
        array: Array = np.frombuffer(cast("bytes", value), np.uint8)
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(cast("Any", value))
    else:
        kind = type(value).__name__
        raise ArgumentError(f"{what} takes a NumPy array or bytes, not {kind}")
    if array.dtype.hasobject or not array.dtype.itemsize:
        raise ArgumentError(f"{what} takes numbers, not an array of {array.dtype}")
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return np.ascontiguousarray(native).reshape(array.shape)


def read_npy(file: BufferedReader, name: str) -> Array:
    """The array in a file (.npy), as `as_array` gives it. Raises ArgumentError for any other."""
    size = len(MAGIC_PREFIX)
    if file.peek(size)[:size] != MAGIC_PREFIX:  # NumPy's error would show what the file has
        raise ArgumentError(f"{name} is no array (.npy)")
    try:
        return as_array(read_array(file, allow_pickle=False), name)
    except _MALFORMED as error:
        raise ArgumentError(f"{name} is no array (.npy): {error}") from None
    except MemoryError:
        raise ArgumentError(f"{name}: the host lacks the memory for what its header says") from None


def bytes_of(array: Array) -> Array:
    """The bytes of an array that `as_array` gave, u8[nbytes], not copied."""
    return array.reshape(-1).view(np.uint8) if array.size else np.empty(0, np.uint8)


def check_structured(binding: Binding, array: Array, label: str) -> None:
    """Raise ArgumentError unless the array is one of structures of the binding's stride.

    A structure is an item, or the last axes together, or a run of a flat array of 4-byte numbers.
    Where RDEF has one kind of number, the array must have it; int32 and uint32 are the same kind.
    """
    stride = binding.stride or _DWORD_BYTES
    check_kind(binding, array, label)
    if not _strides(array, stride):
        expected, shape = _expected(binding, stride), list(array.shape)
        raise ArgumentError(f"{label} takes {expected}, not an array of {array.dtype}{shape}")


def check_kind(binding: Binding, array: Array, label: str) -> None:
    """Raise ArgumentError when RDEF has one kind of number, and the array another."""
    kinds = set(_scalars(binding.dtype)) if binding.dtype is not None else set[np.dtype[Any]]()
    if array.dtype.names is None and len(kinds) == 1 and not _same_kind(array.dtype, *kinds):
        raise ArgumentError(f"{label} takes {kinds.pop()}, not an array of {array.dtype}")


def check_untyped(binding: Binding, array: Array, label: str) -> None:
    """Raise ArgumentError for float64 where a binding has no dtype.

    It is what NumPy makes of that None, and lies in memory as no 32-bit register reads it.
    """
    if binding.dtype is None and array.dtype == np.float64:
        number = _NUMBERS.get(binding.component or "", "uint32")
        dwords = (binding.stride or _DWORD_BYTES) // _DWORD_BYTES
        shape = f"(n, {dwords})" if dwords > 1 else "n"
        raise ArgumentError(
            f"{label} takes no float64, which NumPy makes of the dtype None: the shader has no"
            f" dtype for it; pass an array such as np.zeros({shape}, np.{number})"
        )


def check_whole(array: Array, stride: int, label: str) -> None:
    """Raise ArgumentError unless the array's bytes are whole structures."""
    if array.nbytes % stride:
        raise ArgumentError(
            f"{label} has structures of {stride} bytes; the array's {array.nbytes} bytes"
            " are not a multiple of it"
        )


def _strides(array: Array, stride: int) -> bool:
    size = array.dtype.itemsize
    if size == stride:
        return True
    for length in reversed(array.shape[1:]):
        size *= length
        if size == stride:
            return True
    return array.ndim == 1 and array.dtype.itemsize == 4 and array.nbytes % stride == 0


def _expected(binding: Binding, stride: int) -> str:
    if binding.dtype is None:
        return f"structures of {stride} bytes"
    base, shape = binding.dtype.base, list(binding.dtype.shape)
    fields = ", ".join(f"{name}: {base[name]}" for name in base.names or ())
    kind = fields or f"{base}{shape if shape else ''}"
    return f"structures of {stride} bytes ({kind})"


def _same_kind(found: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    if found.kind == "V":  # plain bytes are of any kind
        return True
    integers = found.kind in "iu" and wanted.kind in "iu"
    return found.itemsize == wanted.itemsize and (found.kind == wanted.kind or integers)


def _scalars(dtype: np.dtype[Any]) -> Iterator[np.dtype[Any]]:
    """The types of the numbers that a dtype consists of."""
    if dtype.base.names is None:
        yield dtype.base
        return
    for name in dtype.base.names:
        yield from _scalars(dtype.base[name])
