"""Numbers and arrays that callers pass: never rounded, and checked against a shader's resource."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from io import BufferedReader
from operator import index
from tokenize import TokenError
from typing import Any, cast

import numpy as np
from numpy.lib.format import MAGIC_PREFIX, read_array

from translate.errors import escaped
from translate.interface import Binding, dtype_text
from vkrunner.errors import FileError, LimitError, ShapeError, WrongTypeError

_TRUTHS = {"true": True, "false": False}
Array = np.ndarray[Any, Any]
Bytes = np.ndarray[Any, np.dtype[np.uint8]]
BYTES_LIKE = (bytes, bytearray, memoryview)
_DWORD_BYTES = 4
_DWORD = np.dtype(np.uint32)
# True in a structured buffer: compilers take its bits with `and`, `not` and `movc`, and store these
ALL_BITS = 0xFFFFFFFF
ALPHA_OF_PICTURE = 'numpy.asarray(image.convert("RGBA"))'
_NUMBERS_ALONE = "biufc"  # kinds of dtypes
_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST_HEADER_BYTES = 10_000  # of a .npy file; NumPy refuses longer ones too
_NUMBERS = {"float": "float32", "uint": "uint32", "sint": "int32"}
_DEFAULTS = {
    np.dtype(np.float64): "NumPy's default dtype",
    np.dtype(np.int64): "NumPy's dtype for Python's integers",
    np.dtype(np.bool_): "whose values are single bytes",
}
# The errors that NumPy raises for malformed headers
_MALFORMED = (
    *(ValueError, EOFError, TypeError, OverflowError, SyntaxError, TokenError),
    RecursionError,
)


def parse_number(text: str) -> float:
    """An integer, decimal or with one of Python's prefixes (0x), or a float. Raises ValueError."""
    for base in (10, 0):
        with suppress(ValueError):
            return int(text, base)
    return float(text)


def read_number(text: str, label: str) -> float:
    """A number of the command line, or true or false. Raises ArgumentError for other text."""
    if text in _TRUTHS:
        return _TRUTHS[text]
    try:
        number = parse_number(text)
    except ValueError:
        raise WrongTypeError(f"{label}: {text!r} is not a number") from None
    if abs(number) == math.inf and "n" not in text.lower():
        raise WrongTypeError(f"{label}: {text!r} exceeds all floats; write inf for infinity")
    return number


def is_integer(value: Any) -> bool:
    """Whether a value is an integer; True, False and arrays of several numbers are not."""
    try:
        index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


def as_integer(value: Any, name: str) -> int:
    """An integer of any type as `int`. Raises ArgumentError, with `name`, for other values."""
    if not is_integer(value):
        raise WrongTypeError(f"{name} is a whole number, not {value!r}")
    return int(value.__index__())


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 race`, `1,024 races`."""
    return f"{count:,} {noun}{'s' if count > 1 else ''}"


def as_array(value: Any, label: str) -> Array:
    """A NumPy array from an array, a NumPy scalar or bytes, in C order and native byte order.

    `label` names the value in the error. Raises ArgumentError for values of other types, arrays of
    objects and masked arrays.
    """
    if type(value) is not np.ndarray:
        check_unmasked(value, label)
    if isinstance(value, BYTES_LIKE):
        array: Array = np.frombuffer(cast("bytes", value), np.uint8)
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(cast("Any", value))
    else:
        raise WrongTypeError(
            f"{label} takes a NumPy array or bytes, not {type(value).__name__}: pass"
            f" {_as_array_text(value)}"
        )
    if array.dtype.kind not in _NUMBERS_ALONE:
        _check_structure(array.dtype, label)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return np.ascontiguousarray(native).reshape(array.shape)


@lru_cache(256)
def _check_structure(dtype: np.dtype[Any], label: str) -> None:
    """Raise ArgumentError unless a type consists of numbers, bools and plain bytes.

    Text, times and objects have no place in a buffer, and NumPy cannot convert or show all of them.
    Names of fields are Unicode, since files hold them.
    """
    parts = [dtype]
    while parts:
        part = parts.pop().base
        fields = part.fields or {}
        parts += [inner for inner, *_ in fields.values()]
        is_known = fields or part.kind in (*_NUMBERS_ALONE, "V")
        if not (is_known and part.itemsize) or any(map(_SURROGATE.search, fields)):
            raise WrongTypeError(f"{label} takes numbers, not an array of {dtype}")


def _as_array_text(value: Any) -> str:
    """The call that makes an array of another object, for an error."""
    if hasattr(value, "convert") and hasattr(value, "mode"):  # a picture of Pillow
        return "numpy.asarray(image), for a picture in colours " + ALPHA_OF_PICTURE
    if isinstance(value, tuple) and all(map(is_integer, cast("tuple[Any, ...]", value))):
        return f"numpy.zeros({value!r}, numpy.float32), or numpy.asarray(value, dtype)"
    return "numpy.asarray(value, dtype)"


def zeros(shape: Sequence[int], dtype: np.dtype[Any], label: str) -> Array:
    """An array of zeros. Raises LimitError, which begins with `label`, if the host cannot hold it.

    Systems that overcommit memory allocate more than they have, so NumPy need not raise an error.
    """
    nbytes = math.prod(shape) * dtype.itemsize
    try:
        if nbytes <= (host_memory_bytes() or nbytes):
            return np.zeros(shape, dtype)
    except (MemoryError, ValueError):  # ValueError: more than NumPy can count
        pass
    raise LimitError(f"{label} of {nbytes} bytes: the host lacks the memory")


def host_memory_bytes() -> int:
    """The physical memory of the host; 0 if the system does not tell."""
    if not hasattr(os, "sysconf"):
        return 0
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def check_unmasked(value: Any, label: str) -> None:
    """Raise ArgumentError for an array with masked values, since its mask would be ignored.

    This does not import `np.ma`: a signal handler that dispatches during the import would fail.
    """
    masked = getattr(sys.modules.get("numpy.ma.core"), "MaskedArray", None)
    if masked is not None and isinstance(value, masked) and np.ma.is_masked(cast("Array", value)):
        raise WrongTypeError(f"{label} has masked values: pass array.filled(number)")


def read_npy(file: BufferedReader, name: str) -> Array:
    """The array in a .npy file, as `as_array` returns it. Raises ArgumentError for other files."""
    name, size = escaped(name), len(MAGIC_PREFIX)
    start = file.peek(size)
    if start[:size] != MAGIC_PREFIX:  # NumPy's error would quote the file's content
        raise FileError(f"{name} is not a .npy file, which np.save writes")
    end = size + (4 if start[size : size + 1] == b"\1" else 6)  # of the version and the length
    header = int.from_bytes(start[size + 2 : end], "little")
    if header > _MOST_HEADER_BYTES:
        raise FileError(f"{name} has a header of {header} bytes, more than {_MOST_HEADER_BYTES}")
    try:
        return as_array(read_array(file, allow_pickle=False), name)
    except _MALFORMED as error:
        raise FileError(f"{name} is not a valid .npy file: {escaped(str(error))}") from None
    except MemoryError:
        raise FileError(f"{name}: the host has too little memory for the array") from None


def bytes_of(array: Array) -> Array:
    """The bytes of an array from `as_array`, u8[nbytes], not copied."""
    return array.reshape(-1).view(np.uint8) if array.size else np.empty(0, np.uint8)


def check_structured(
    binding: Binding, dtype: np.dtype[Any], shape: tuple[int, ...], label: str
) -> None:
    """Raise ArgumentError unless an array consists of structures of the binding's stride.

    A structure is one item, or the items of the last axes, or consecutive items of a flat array of
    4-byte numbers. If all numbers of the structure are of one kind in RDEF, those of the array must
    be too; int32 and uint32 are the same kind.
    """
    stride = binding.stride or _DWORD_BYTES
    fits = _strides(dtype, shape, stride)
    # Advice to convert the numbers of an array would lead to the error below.
    if fits or dtype.kind not in "biuf" or _strides(_DWORD, shape, stride):
        check_kind(binding, dtype, label)
        check_fields(binding, dtype, label)
    if not fits:
        raise WrongTypeError(
            f"{label} takes {_expected(binding, stride)}, not an array of {dtype}{list(shape)}:"
            f" pass an array such as {_structures(binding, stride)}"
        )


def _structures(binding: Binding, stride: int) -> str:
    """The call that makes an array of structures, for an error."""
    kinds = kinds_of(binding)
    if len(kinds) > 1:
        return f"np.zeros(n, kernel.interface[{binding.register!r}].dtype)"
    kind = kinds.pop() if kinds else np.dtype(np.float32)
    return f"np.zeros((n, {stride // kind.itemsize}), np.{kind})"


def check_kind(
    binding: Binding, dtype: np.dtype[Any], label: str, what: str = "an array", more: str = ""
) -> None:
    """Raise ArgumentError if RDEF has numbers of only one kind, and an array those of another.

    Structures pass: `check_fields` checks them. In the error, `what` names the array, and `more`
    follows the advice.
    """
    kinds = kinds_of(binding)
    if dtype.names is None and len(kinds) == 1 and not is_same_kind(dtype, *kinds):
        wanted = kinds.pop()
        advice = f"pass {_converted(binding, dtype, str(wanted))}{more}"
        raise WrongTypeError(f"{label} takes {wanted}, not {what} of {dtype}: {advice}")


def _converted(binding: Binding, dtype: np.dtype[Any], number: str) -> str:
    """The expression that converts an array for a register, for an error."""
    if dtype.kind == "c" and number == "float32":  # each becomes two numbers
        single = "" if dtype == np.complex64 else ".astype(np.complex64)"
        return f"array{single}.view(np.float32)"
    if dtype == np.bool_ and has_bools(binding):
        return f"np.where(array, 0x{ALL_BITS:X}, 0).astype(np.uint32)"
    return f"array.astype(np.{number})"


def has_bools(binding: Binding) -> bool:
    """Whether the elements of a structured buffer are bools in HLSL, or vectors of them."""
    return binding.element is not None and binding.element.type == "bool"


def as_numbers(binding: Binding, array: Array) -> Array:
    """An array of bool as the numbers that a shader reads, if it reads bools; else as it is."""
    if has_bools(binding) and not binding.written:
        return np.where(array, np.uint32(ALL_BITS), np.uint32(0))
    return array


def check_fields(binding: Binding, dtype: np.dtype[Any], label: str) -> None:
    """Raise ArgumentError for a field whose offset or type differs from RDEF's."""
    ours = dict(_fields(binding.dtype)) if binding.dtype is not None else {}
    for name, (offset, found) in _fields(dtype):
        own_offset, own = ours.get(name, (offset, found))
        if (
            offset != own_offset
            or found.shape != own.shape
            or not is_same_kind(found.base, own.base)
        ):
            raise ShapeError(
                f"{label} has {escaped(name)}, {own}, at byte {own_offset} of a structure, the"
                f" array {found} at byte {offset}: use the dtype"
                f" kernel.interface[{binding.register!r}].dtype"
            )


def check_width(
    binding: Binding, dtype: np.dtype[Any], label: str, *, has_doubles: bool, more: str = ""
) -> None:
    """Raise ArgumentError for float64, int64 and bool where the shader reads 32-bit numbers.

    NumPy chooses float64 and int64 by default. `more` follows the advice in the error.
    """
    dtype = dtype.newbyteorder("=")
    made = None if has_doubles and dtype == np.float64 else _DEFAULTS.get(dtype)
    kinds = kinds_of(binding)
    if made is None or dtype.itemsize in {kind.itemsize for kind in kinds}:
        return
    only = str(*kinds) if len(kinds) == 1 else None
    likely = "float32" if dtype.kind == "f" and binding.dtype is None else "uint32"
    number = only or _NUMBERS.get(binding.component or "", likely)
    dwords = (binding.stride or _DWORD_BYTES) // _DWORD_BYTES
    shape = f"(n, {dwords})" if dwords > 1 else "n"
    lacking = "" if binding.dtype is not None else "the shader has no dtype for it; "
    advice = f"{lacking}pass an array such as np.zeros({shape}, np.{number})"
    if only or binding.component is not None:
        advice = f"pass {_converted(binding, dtype, number)}"
    raise WrongTypeError(f"{label} takes no {dtype}, {made}: {advice}{more}")


def check_numbers(own: np.dtype[Any], array: Array, label: str) -> None:
    """Raise ArgumentError if an array of another kind would replace numbers of dtype `own`.

    Bytes and structures can replace any numbers; int32 and uint32 are the same kind.
    """
    free = (own, array.dtype)
    if any(d.names is not None or d.kind == "V" or d == np.uint8 for d in free):
        return
    if not is_same_kind(array.dtype, own):
        raise WrongTypeError(
            f"{label} has numbers of {own}, the array of {array.dtype}: convert them,"
            f" array.astype(np.{own}), or pass their bytes, array.tobytes()"
        )


def check_whole(nbytes: int, stride: int, label: str) -> None:
    """Raise ArgumentError if an array's size is not a multiple of the stride."""
    if nbytes % stride:
        raise ShapeError(
            f"{label} has structures of {stride} bytes; the array's {nbytes} bytes"
            " are not a multiple of that"
        )


def _strides(dtype: np.dtype[Any], shape: tuple[int, ...], stride: int) -> bool:
    size = dtype.itemsize
    if size == stride:
        return True
    for length in reversed(shape[1:]):
        size *= length
        if size == stride:
            return True
    return len(shape) == 1 and dtype.itemsize == 4 and shape[0] * dtype.itemsize % stride == 0


def _expected(binding: Binding, stride: int) -> str:
    if binding.dtype is None:
        return f"structures of {stride} bytes"
    base, shape = binding.dtype.base, list(binding.dtype.shape)
    fields = ", ".join(f"{name}: {dtype_text(base[name])}" for name in base.names or ())
    kind = fields or f"{base}{shape if shape else ''}"
    return f"structures of {stride} bytes ({escaped(kind)})"


def kinds_of(binding: Binding) -> set[np.dtype[Any]]:
    """The types of all numbers of a resource; none if RDEF does not name them."""
    return set(_scalars(binding.dtype)) if binding.dtype is not None else set()


def is_same_kind(found: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Whether numbers of both types can replace each other: `found` may also be plain bytes."""
    if found.kind == "V":  # plain bytes are of any kind
        return True
    integers = found.kind in "iu" and wanted.kind in "iu"
    return found.itemsize == wanted.itemsize and (found.kind == wanted.kind or integers)


def _fields(dtype: np.dtype[Any]) -> Iterator[tuple[str, tuple[int, np.dtype[Any]]]]:
    """The offset and type of each field by name, fields of nested structures included."""
    for name, (inner, offset, *_) in (dtype.base.fields or {}).items():
        parts = list(_fields(inner))
        if not parts:
            yield name, (offset, inner)
        for part, (start, scalar) in parts:
            yield f"{name}.{part}", (offset + start, scalar)


def _scalars(dtype: np.dtype[Any]) -> Iterator[np.dtype[Any]]:
    """The types of the numbers in a dtype."""
    if dtype.base.names is None:
        yield dtype.base
        return
    for name in dtype.base.names:
        yield from _scalars(dtype.base[name])
