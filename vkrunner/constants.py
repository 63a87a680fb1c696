"""Constant buffers: bytes from a dict by HLSL names, an array, bytes or a single number.

The layout is the dtype that RDEF gave, HLSL's packing rules included. A matrix or an array that is
padded in memory is a structure of its rows or elements there, and takes a sequence of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from translate.interface import Binding
from vkrunner.arrays import BYTES_LIKE, Array, as_array, bytes_of, check_kind
from vkrunner.errors import ArgumentError

_VECTOR_BYTES = 16


def constant_bytes(binding: Binding, value: Any, label: str) -> Array:
    """The contents of a constant buffer: u8[size_bytes], or all that is given without one.

    What `value` does not reach is 0, and what lies behind is not seen, as in D3D. Raises
    ArgumentError for names, shapes or numbers that do not fit.
    """
    data = bytes_of(_contents(binding, value, label))
    size = max(binding.size_bytes or data.nbytes, _VECTOR_BYTES)
    padded = np.zeros(-(-size // _VECTOR_BYTES) * _VECTOR_BYTES, np.uint8)
    padded[: data.nbytes] = data[: padded.nbytes]
    return padded


def _contents(binding: Binding, value: Any, label: str) -> Array:
    if value is None:
        return np.empty(0, np.uint8)
    if isinstance(value, Mapping):
        if binding.dtype is None or binding.dtype.names is None:
            raise ArgumentError(f"{label} takes an array or bytes: the shader has no names (RDEF)")
        return _structure(cast("Mapping[str, Any]", value), binding.dtype, label)
    if isinstance(value, (bool, int, float)):
        return _number(binding, value, label)
    array = as_array(value, label)
    if not isinstance(value, BYTES_LIKE):
        check_kind(binding, array, label)
    return array


def _number(binding: Binding, value: float, label: str) -> Array:
    """The buffer's one variable; without names, the number as HLSL would read it."""
    if binding.dtype is None or binding.dtype.names is None:
        return _leaf(value, np.dtype("<f4" if isinstance(value, float) else "<i4"), label)
    names = binding.dtype.names
    if len(names) != 1:
        raise ArgumentError(f"{label} takes a dict with {', '.join(names)}, not a single number")
    return _structure({names[0]: value}, binding.dtype, label)


def _structure(value: Mapping[str, Any], dtype: np.dtype[Any], label: str) -> Array:
    """An array of one `dtype`, every field of it given."""
    names = dtype.names or ()
    unknown = [name for name in value if name not in names]
    if unknown:
        there = ", ".join(names)
        raise ArgumentError(f"{label} has no {unknown[0]!r}; it has {there}")
    missing = [name for name in names if name not in value]
    if missing:
        raise ArgumentError(f"{label} lacks {', '.join(missing)}")
    made = np.zeros((), dtype)
    for name in names:
        made[name] = _value(value[name], dtype[name], f"{label}: {name}")
    return made


def _value(value: Any, dtype: np.dtype[Any], label: str) -> Array:
    if dtype.subdtype is None:
        return _record(value, dtype, label) if dtype.names else _leaf(value, dtype, label)
    base, shape = dtype.subdtype
    if base.subdtype is not None:  # an array of vectors: NumPy keeps the two shapes apart
        base, inner_shape = base.subdtype
        shape += inner_shape
    if base.names is None:
        return _leaf(value, base, label, shape)
    rows = _rows(value, shape[0], label)
    inner = np.dtype((base, shape[1:])) if len(shape) > 1 else base
    made = np.zeros(shape, base)
    for index, row in enumerate(rows):
        made[index] = _value(row, inner, f"{label}[{index}]")
    return made


def _record(value: Any, dtype: np.dtype[Any], label: str) -> Array:
    """A structure from a dict, from an array of its dtype, or from its parts in order."""
    if isinstance(value, Mapping):
        return _structure(cast("Mapping[str, Any]", value), dtype, label)
    if isinstance(value, (np.ndarray, np.generic)):
        array: Array = np.asarray(cast("Any", value))
        if array.dtype == dtype:
            return array
    names = dtype.names or ()
    parts = _rows(value, len(names), label)
    return _structure(dict(zip(names, parts, strict=True)), dtype, label)


def _rows(value: Any, count: int, label: str) -> Sequence[Any]:
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise ArgumentError(f"{label} takes {count} elements, not {value!r}")
    rows = cast("Sequence[Any]", value)
    if len(rows) != count:
        raise ArgumentError(f"{label} takes {count} elements, not {len(rows)}")
    return rows


def _leaf(value: Any, dtype: np.dtype[Any], label: str, shape: tuple[int, ...] = ()) -> Array:
    """Numbers of one type and shape, converted where nothing but precision is lost."""
    try:
        given: Array = np.asarray(value)
    except ValueError as error:  # sequences of unequal length
        raise ArgumentError(f"{label} takes {_described(dtype, shape)}: {error}") from None
    if given.dtype.kind not in "biuf" or given.shape != shape:
        raise ArgumentError(f"{label} takes {_described(dtype, shape)}, not {value!r}")
    if dtype.kind in "iu":
        _check_integers(given, dtype, label)
    with np.errstate(over="ignore"):  # a double beyond float's range becomes infinity
        return given.astype(dtype)


def _check_integers(given: Array, dtype: np.dtype[Any], label: str) -> None:
    if given.dtype.kind == "f" and not _whole(given):
        raise ArgumentError(f"{label} takes whole numbers ({dtype}), not {given.tolist()!r}")
    bounds = np.iinfo(dtype)
    if given.size and not (int(given.min()) >= bounds.min and int(given.max()) <= bounds.max):
        raise ArgumentError(f"{label}: {given.tolist()!r} does not fit {dtype}")


def _whole(given: Array) -> bool:
    return bool(np.isfinite(given).all()) and np.array_equal(given, np.trunc(given))


def _described(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    return f"an array of {dtype}{list(shape)}" if shape else f"a {dtype}"
