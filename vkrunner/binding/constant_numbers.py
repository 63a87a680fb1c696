"""Numbers of constant buffers: values as NumPy arrays of HLSL's scalar types.

A conversion that would change a number is refused, such as a fraction to an integer, or a number
that exceeds the type. Rounding a fraction to the nearest float is allowed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from translate import Constant
from vkrunner.errors import WrongTypeError
from vkrunner.values.arrays import Array, check_unmasked

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
