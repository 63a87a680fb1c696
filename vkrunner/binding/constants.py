"""Constant buffers: bytes from a dict by HLSL names, an array, bytes or a single number.

RDEF's layout (`Binding.constants`) contains the results of HLSL's packing rules. A matrix is
`[rows, columns]`, like HLSL's `m[row][column]`, for either order in memory. Source: Direct3D,
"Packing Rules for Constant Variables".

A conversion that would change a number is refused, such as a fraction to an integer, or a number
that exceeds the type. Rounding a fraction to the nearest float is allowed.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from translate import Constant
from translate.errors import did_you_mean, escaped, listed
from translate.interface import Binding, column_major
from vkrunner.errors import (
    ArgumentError,
    MissingError,
    ShapeError,
    UnknownNameError,
    WrongTypeError,
    warn,
)
from vkrunner.values.numbers import (
    BYTES_LIKE,
    Array,
    Bytes,
    as_array,
    bytes_of,
    check_kind,
    check_unmasked,
    is_same_kind,
    kinds_of,
)

_BOOL = "bool"
# HLSL's scalar -> the dtype in memory, where minimum precision takes 32 bits
_DTYPES = {
    _BOOL: np.dtype("<u4"),
    "int": np.dtype("<i4"),
    "uint": np.dtype("<u4"),
    "float": np.dtype("<f4"),
    "double": np.dtype("<f8"),
    "min10float": np.dtype("<f4"),
    "min16float": np.dtype("<f4"),
    "min12int": np.dtype("<i4"),
    "min16int": np.dtype("<i4"),
    "min16uint": np.dtype("<u4"),
}
_VECTOR_BYTES = 16
_EXACT = 1 << 24  # floats represent all integers up to here
# struct's letters for types whose numbers need no conversion
_LETTERS = {"float": "f", "int": "i", "uint": "I"}
_SINGLE = Constant("", 0, "float"), Constant("", 0, "int"), Constant("", 0, "uint")


def numbers_of(constant: Constant, value: Any, label: str) -> Array:
    """A variable's value as an array `[elements, *shape]`, in the dtype of the constant buffer.

    Raises ArgumentError for another shape, and for numbers that the type cannot hold.
    """
    check_unmasked(value, label)
    try:
        given: Array = np.asarray(value)
    except ValueError as error:  # sequences of unequal length
        raise WrongTypeError(f"{label} takes {describe(constant)}: {error}") from None
    count, rank = max(1, constant.elements), len(constant.shape)
    leading = given.shape[: given.ndim - rank]
    fits = given.shape[given.ndim - rank :] == constant.shape if given.ndim >= rank else False
    # The axes of float x[2][3] are one in RDEF, and float x[1] is no array in a listing.
    if given.dtype.kind not in "biuf" or not fits or int(np.prod(leading, dtype=int)) != count:
        raise WrongTypeError(f"{label} takes {describe(constant)}, not {_shown(value, given)}")
    if constant.elements > 1 and not leading:
        raise WrongTypeError(f"{label} takes {describe(constant)}, not {_shown(value, given)}")
    return _converted(given, constant.type, label).reshape(count, *constant.shape)


def describe(constant: Constant) -> str:
    """The kind of value for a variable, in words: `a float`, `an array of float[3, 4]`."""
    shape = [*([constant.elements] if constant.elements else []), *constant.shape]
    return f"an array of {constant.type}{shape}" if shape else f"a {constant.type}"


def _shown(value: object, given: Array) -> str:
    if given.ndim and given.dtype.kind in "biuf":
        return f"an array of {given.dtype}{list(given.shape)}"
    return repr(value)


def _converted(given: Array, scalar: str, label: str) -> Array:
    dtype = _DTYPES[scalar]
    if scalar == _BOOL:
        return _truths(given, label).astype(dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        made = given.astype(dtype)
    wrong = changed(given, made)
    if wrong.any():
        first = given.reshape(-1)[int(np.argmax(wrong))].item()
        raise WrongTypeError(f"{label} is {scalar}, which cannot hold {first!r}")
    return made


def _truths(given: Array, label: str) -> Array:
    wrong = (given != 0) & (given != 1)
    if wrong.any():
        first = given.reshape(-1)[int(np.argmax(wrong))].item()
        raise WrongTypeError(f"{label} is bool: True or False, not {first!r}")
    return given != 0


def changed(given: Array, made: Array) -> Array:
    """For each number, whether conversion to `made` changed it; rounded fractions do not count."""
    given, made = given.reshape(-1), made.reshape(-1)
    if given.dtype.kind == "b":
        return np.zeros(given.shape, np.bool_)
    if made.dtype.kind == "f" and given.dtype.kind == "f":
        return np.isfinite(given) & ~np.isfinite(made)
    if made.dtype.kind == "f":
        return _as_integers(made) != given.astype(object)
    bounds = np.iinfo(made.dtype)
    if given.dtype.kind == "f":
        exact = given.astype(np.float64)  # where every bound is itself
        inside = (exact >= bounds.min) & (exact <= bounds.max)
        return ~(inside & (exact == np.trunc(exact)))
    return (given < bounds.min) | (given > bounds.max)


def _as_integers(made: Array) -> Array:
    """Finite floats as exact Python integers."""
    whole: Array = np.array([int(number) for number in made.tolist()], object)
    return whole


def constant_bytes(binding: Binding, value: Any, label: str) -> Array:
    """The contents of a constant buffer, u8[n], in whole vectors.

    Zeros fill them up to the declared size; bytes that the shader cannot read are cut off. Raises
    ArgumentError for names, shapes or numbers that do not fit.
    """
    data = bytes_of(_contents(binding, value, label))
    least = binding.size_bytes if binding.declared_bytes is None else binding.declared_bytes
    most = binding.most_bytes or binding.size_bytes or data.nbytes
    size = max(least or 0, min(data.nbytes, most), _VECTOR_BYTES)
    return padded(data, -(-size // _VECTOR_BYTES) * _VECTOR_BYTES)


def padded(data: Array, size_bytes: int) -> Array:
    """A copy of the bytes, cut or padded with zeros to u8[size_bytes]."""
    whole = np.zeros(size_bytes, np.uint8)
    whole[: data.nbytes] = data[:size_bytes]
    return whole


def has_any_size(binding: Binding) -> bool:
    """Whether results depend on the number of bytes that are bound for a constant buffer."""
    return binding.most_bytes is not None or binding.declared_bytes is not None


def _contents(binding: Binding, value: Any, label: str) -> Array:
    if value is None:
        return np.empty(0, np.uint8)
    constants = binding.constants
    if isinstance(value, Mapping):
        if constants is None:
            raise WrongTypeError(
                f"{label} takes an array, or bytes, such as a .raw file: the shader has no names of"
                " variables (RDEF) that fit it"
            )
        return _packed(constants, cast("Mapping[str, Any]", value), label)
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return _number(constants, cast("float", value), label)
    if constants is not None and not isinstance(value, (np.ndarray, np.generic, *BYTES_LIKE)):
        raise _no_names(constants, type(value).__name__, label)
    array = as_array(value, label)
    if array.dtype.names is not None and constants is not None:
        if array.dtype != binding.dtype:
            return _packed(constants, _fields(array, label), label)
        if array.dtype is not binding.dtype and (columns := listed(column_major(binding))):
            warn(
                f"{label} takes the structure as it is in memory, where these matrices have their"
                f" columns as rows: {columns}; a dict has [row, column]"
            )
    if isinstance(value, BYTES_LIKE):
        return array
    if constants is None:
        check_kind(binding, array.dtype, label)
    elif not _fits(binding, array):
        raise _no_names(constants, f"an array of {array.dtype}{list(array.shape)}", label)
    return array


def _fits(binding: Binding, array: Array) -> bool:
    """Whether an array has structures, or numbers of the variables' only kind, or flat bytes."""
    kinds = kinds_of(binding)
    if array.dtype.kind == "V" or len(kinds) == 1:
        return array.dtype.kind == "V" or is_same_kind(array.dtype, *kinds)
    return array.ndim <= 1 and array.dtype in (np.uint8, np.uint32)


def _no_names(constants: Sequence[Constant], found: str, label: str) -> WrongTypeError:
    takes = f"a dict of {listed(c.name for c in constants)} (or a NumPy structure, or bytes)"
    return WrongTypeError(f"{label} takes {takes}, not {found}")


def _number(constants: tuple[Constant, ...] | None, value: float, label: str) -> Array:
    """The contents from one number: the buffer's only variable.

    In a shader without RDEF it becomes a float, an int, or a uint from 2^31 on.
    """
    if constants is None:
        real, signed, unsigned = _SINGLE
        whole = signed if value < 2**31 else unsigned
        single = real if isinstance(value, (float, np.floating)) else whole
        into = bytearray(4)
        if _put_plain(into, 0, single, value):
            return np.frombuffer(into, np.uint8)
        return numbers_of(single, value, label)
    if len(constants) != 1:
        names = listed(constant.name for constant in constants)
        raise WrongTypeError(f"{label} takes a dict with {names}, not a single number")
    return _packed(constants, {constants[0].name: value}, label)


def _fields(array: Array, label: str) -> Mapping[str, Any]:
    """The fields by name of an array of one NumPy structure, which may have any offsets."""
    if array.size != 1:
        raise ShapeError(f"{label} takes one structure, not an array of {list(array.shape)}")
    row = array.reshape(-1)[0]
    return {name: row[name] for name in array.dtype.names or ()}


def _packed(constants: Sequence[Constant], values: Mapping[str, Any], label: str) -> Array:
    """The contents of a buffer or structure from the values of its variables by name."""
    into = bytearray(max(c.offset + c.size_bytes for c in constants))
    _put_all(into, 0, constants, values, label)
    return np.frombuffer(into, np.uint8)


def _put_all(
    into: bytearray,
    start: int,
    constants: Sequence[Constant],
    values: Mapping[str, Any],
    label: str,
) -> None:
    """Write variables by name.

    A variable may be omitted if it has an initialiser, or if the shader does not read it.
    """
    missing: list[str] = []
    found = 0
    for constant in constants:
        name, at = constant.name, start + constant.offset
        if name in values:
            found += 1
            if not _put_plain(into, at, constant, values[name]):
                _put(into, at, constant, values[name], f"{label}: {escaped(name)}")
        elif constant.default is not None:
            into[at : at + len(constant.default)] = constant.default
        elif constant.used:
            missing.append(name)
    if found < len(values):
        raise _unknown(constants, values, label)
    if missing:
        raise MissingError(f"{label} lacks {listed(missing)}")


def _unknown(constants: Sequence[Constant], values: Mapping[str, Any], label: str) -> ArgumentError:
    names = [constant.name for constant in constants]
    unknown = next(name for name in values if name not in names)
    hint = did_you_mean(str(unknown), names, repr)
    there = f"{' It' if hint else '; it'} has {listed(names)}"
    return UnknownNameError(f"{label} has no variable {unknown!r}{hint}{there}")


def _put_plain(into: bytearray, at: int, constant: Constant, value: Any) -> bool:
    """Write a Python number to a 32-bit scalar, without NumPy, which takes longer.

    Returns False, and writes nothing, for other values and variables.
    """
    letter = _LETTERS.get(constant.type)
    if letter is None or constant.shape or constant.elements or not _is_plain(value, letter):
        return False
    try:
        struct.pack_into(f"<{letter}", into, at, value)
    except (struct.error, OverflowError):
        return False
    return True


def _is_plain(number: Any, letter: str) -> bool:
    """Whether a value is a Python number that the type of struct's letter holds, unless too large.

    A float also holds the integers up to 2^24.
    """
    if type(number) is int:
        return letter != "f" or -_EXACT <= number <= _EXACT
    return letter == "f" and type(number) is float


def _put(into: bytearray, at: int, constant: Constant, value: Any, label: str) -> None:
    """Write the value of a variable."""
    if constant.members:
        _put_structures(into, at, constant, value, label)
        return
    numbers = numbers_of(constant, value, label)
    if constant.column_major:
        numbers = numbers.swapaxes(1, 2)
    rows = numbers.reshape(len(numbers), -1, numbers.shape[-1] if constant.shape else 1)
    width = rows.shape[2] * rows.itemsize
    for index, element in enumerate(rows):
        for number, row in enumerate(element):
            place = at + index * constant.stride + number * constant.row_stride
            into[place : place + width] = row.tobytes()


def _put_structures(into: bytearray, at: int, constant: Constant, value: Any, label: str) -> None:
    if not constant.elements:
        _put_structure(into, at, constant, value, label)
        return
    for index, part in enumerate(_parts(value, constant.elements, "elements", label)):
        _put_structure(into, at + index * constant.stride, constant, part, f"{label}[{index}]")


def _put_structure(into: bytearray, at: int, constant: Constant, value: Any, label: str) -> None:
    """Write a structure from a dict, from a NumPy structure, or from its members in order.

    No member may be missing.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        array: Array = np.asarray(cast("Any", value))
        value = _fields(array, label) if array.dtype.names is not None else array
    if not isinstance(value, Mapping):
        parts = _parts(value, len(constant.members), "members", label)
        names = [member.name for member in constant.members]
        value = dict(zip(names, parts, strict=True))
    _put_all(into, at, constant.members, cast("Mapping[str, Any]", value), label)


def _parts(value: Any, count: int, what: str, label: str) -> Sequence[Any]:
    listed = isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim)
    if not listed:
        raise ShapeError(f"{label} takes {count} {what}, not {value!r}")
    parts = cast("Sequence[Any]", value)
    if len(parts) != count:
        raise ShapeError(f"{label} takes {count} {what}, not {len(parts)}")
    return parts


class Packer:
    """Writes dicts of numbers into a constant buffer of 32-bit scalars; made by `packer_of`."""

    def __init__(self, layout: str, letters: dict[str, str]):
        self._layout = struct.Struct(layout)
        self._letters = letters

    def pack(self, value: dict[str, Any], target: memoryview) -> bool:
        """Write a dict of numbers by variable.

        Returns False, and writes nothing, if a number needs a conversion or a name is wrong.
        """
        letters = self._letters
        if len(value) != len(letters):
            return False
        try:
            numbers = [*map(value.__getitem__, letters)]
            if not all(map(_is_plain, numbers, letters.values())):
                return False
            self._layout.pack_into(target, 0, *numbers)
        except (KeyError, OverflowError, struct.error):
            return False
        return True


def packer_of(constants: Sequence[Constant] | None, target: Bytes) -> Packer | None:
    """The packer of a constant buffer whose variables are all 32-bit scalars; None for others."""
    if not constants:
        return None
    layout, end = "<", 0
    letters: dict[str, str] = {}
    for constant in constants:
        letter = _LETTERS.get(constant.type)
        if letter is None or constant.shape or constant.elements or constant.offset < end:
            return None
        layout += f"{constant.offset - end}x{letter}"
        letters[constant.name] = letter
        end = constant.offset + 4
    layout += f"{max(target.nbytes - end, 0)}x"  # zeros
    return Packer(layout, letters) if end <= target.nbytes else None
