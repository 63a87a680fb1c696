"""From numbers and patterns to bytes: the contents of resources, and what probes expect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vkrunner import ArgumentError
from vkrunner.shadertest.cursor import Token
from vkrunner.shadertest.images import read_image
from vkrunner.shadertest.literals import check_dwords
from vkrunner.shadertest.records import Number, Pattern, Values
from vkrunner.values.arrays import Array, bytes_of, read_npy
from vkrunner.values.elements import ElementType, Leaf


@dataclass(frozen=True, slots=True)
class Column:
    """One number of each element, as bits: u32[n] or as wide as the number.

    `floats` tells which are floats, `known` which are given at all.
    """

    bits: Array
    floats: Array
    known: Array


def fill(values: Values, element: ElementType, count: int, token: Token) -> Array:
    """The contents of `count` elements, u8[count, itemsize]; `token` is where the section is.

    Raises ShaderTestError where there are more or fewer numbers than they take.
    """
    data: Array = np.zeros((count, element.itemsize), np.uint8)
    if values == ():
        return data
    for leaf, column in zip(element.leaves, columns(values, element, count, token), strict=True):
        place = slice(leaf.offset, leaf.offset + leaf.size)
        data[:, place] = column.bits.reshape(-1, 1).view(np.uint8)
    return data


def columns(
    values: Values, element: ElementType, count: int, token: Token, *, repeat: bool = False
) -> list[Column]:
    """The numbers of `count` elements, one column for each of an element's.

    With `repeat`, numbers for a single element stand for all of them.
    """
    if isinstance(values, Pattern):
        return _pattern_columns(values, element, count)
    width = len(element.leaves)
    if len(values) not in ({count * width, width} if repeat else {count * width}):
        elements = f"{count} elements of {width} numbers" if width > 1 else f"{count} numbers"
        once = f", or {width} for all" if repeat and count > 1 else ""
        first = next((value for value in values if value is not None), None)
        place = first.token if first is not None else token
        raise place.error(f"expected {elements}{once}, got {len(values)} numbers")
    return [_tile(_encode(values[n::width], leaf), count) for n, leaf in enumerate(element.leaves)]


def _tile(column: Column, count: int) -> Column:
    if len(column.bits) == count:
        return column
    return Column(*(np.resize(part, count) for part in (column.bits, column.floats, column.known)))


def _encode(numbers: Sequence[Number | None], leaf: Leaf) -> Column:
    """Numbers as they are written, in the bits that a place for them has."""
    bits = np.array([0 if n is None else encode(n, leaf) for n in numbers], f"u{leaf.size}")
    known = np.array([n is not None for n in numbers], bool)
    if leaf.dtype is None:
        floats = np.array([n is not None and n.is_float for n in numbers], bool)
    else:
        floats = np.full(len(numbers), leaf.dtype.kind == "f")
    return Column(bits, floats, known)


def encode(number: Number, leaf: Leaf) -> int:
    """The bits of one number. Raises ShaderTestError for one that does not fit."""
    value, dtype = number.value, leaf.dtype
    bits = 8 * leaf.size
    if number.is_hex and isinstance(value, int):
        if value >> bits or value < 0:
            raise number.token.error(f"{number.token.text} has more than {bits} bits")
        return value
    if dtype is None:
        check_dwords((number,))
        dtype = np.dtype("<f4") if number.is_float else np.dtype("<u4")
    if dtype.kind == "f":
        return int.from_bytes(_float_bytes(float(value), dtype), "little")
    if number.is_float:
        value = _normalised(number, leaf)
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise number.token.error(f"{number.token.text} does not fit into {bits} bits")
    return int(value) % 2**bits


def _float_bytes(value: float, dtype: np.dtype[Any]) -> bytes:
    with np.errstate(over="ignore"):
        return np.array(value, dtype).tobytes()


def _normalised(number: Number, leaf: Leaf) -> int:
    """A float in a place for integers: 0.0 to 1.0 in a normalised format (FS §3.2.3.5)."""
    if leaf.scale is None:
        raise number.token.error(f"{number.token.text} is no integer, as this place has")
    least = 0.0 if leaf.dtype is not None and leaf.dtype.kind == "u" else -1.0
    if not least <= number.value <= 1.0:
        raise number.token.error(f"a normalised number is from {least:g} to 1.0")
    return round(number.value * leaf.scale)


def _pattern_columns(pattern: Pattern, element: ElementType, count: int) -> list[Column]:
    if pattern.path is not None:
        return _file_columns(pattern, element, count)
    if pattern.name == "fill":
        numbers = pattern.numbers
        if len(numbers) not in (1, len(element.leaves)):
            wanted = f"1 or {len(element.leaves)}" if len(element.leaves) > 1 else "1"
            raise pattern.token.error(f"fill takes {wanted} numbers here, not {len(numbers)}")
        each = numbers * (len(element.leaves) // len(numbers))
        return [
            _tile(_encode([number], leaf), count)
            for number, leaf in zip(each, element.leaves, strict=True)
        ]
    width = len(element.leaves)
    series = _SERIES[pattern.name](pattern, count * width, element)
    return [_cast(series[n::width], leaf, pattern) for n, leaf in enumerate(element.leaves)]


def _cast(series: Array, leaf: Leaf, pattern: Pattern) -> Column:
    """A series of numbers in the place that they are for; integers wrap around."""
    dtype = leaf.dtype
    if dtype is None:
        dtype = np.dtype("<f4" if series.dtype.kind == "f" else "<u4")
    if dtype.kind != "f" and series.dtype.kind == "f":
        if not (series == np.trunc(series)).all():
            raise pattern.token.error("these numbers are no integers, as this place has")
        series = series.astype(np.int64)
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(series.astype(dtype))
    bits = values.view(f"u{dtype.itemsize}")
    return Column(bits, np.full(len(bits), dtype.kind == "f"), np.ones(len(bits), bool))


def _iota(pattern: Pattern, count: int, element: ElementType) -> Array:
    """start, start + step, ...; from 0 in steps of 1 without them."""
    start, step = ([n.value for n in pattern.numbers] + [0, 1][len(pattern.numbers) :])[:2]
    if isinstance(start, float) or isinstance(step, float):
        return start + np.arange(count, dtype=np.float64) * step
    return np.int64(start) + np.arange(count, dtype=np.int64) * np.int64(step)


def _random(pattern: Pattern, count: int, element: ElementType) -> Array:
    """The upper halves of what NumPy's PCG64 gives for the seed.

    Without bounds integers of 32 bits, and floats of [0, 1) where all numbers are floats.
    """
    seed, *bounds = (n.value for n in pattern.numbers)
    halves = np.random.PCG64(int(seed)).random_raw(count) >> np.uint64(32)
    if not bounds:
        only_floats = all(
            leaf.dtype is not None and leaf.dtype.kind == "f" for leaf in element.leaves
        )
        return (halves >> np.uint64(8)) / 2.0**24 if only_floats else halves
    low, high = bounds
    if isinstance(low, float) or isinstance(high, float):
        return low + halves / 2.0**32 * (high - low)
    if not 0 < high - low <= 2**31:
        raise pattern.token.error("the bounds of integers are 1 to 2147483648 apart")
    return (halves * np.uint64(high - low) >> np.uint64(32)).astype(np.int64) + np.int64(low)


def _zeros(pattern: Pattern, count: int, element: ElementType) -> Array:
    return np.zeros(count, np.int64)


def _ones(pattern: Pattern, count: int, element: ElementType) -> Array:
    return np.ones(count, np.int64)


_SERIES: dict[str, Callable[[Pattern, int, ElementType], Array]] = {
    "zeros": _zeros,
    "ones": _ones,
    "iota": _iota,
    "random": _random,
}


def _file_columns(pattern: Pattern, element: ElementType, count: int) -> list[Column]:
    array = read_array(pattern, element)
    data = whole_elements(array, element, pattern.token)
    found = len(data) // element.itemsize
    if found != count:
        raise pattern.token.error(f"the file has {found} elements, not {count}")
    rows = data.reshape(count, element.itemsize)
    made: list[Column] = []
    for leaf in element.leaves:
        place = slice(leaf.offset, leaf.offset + leaf.size)
        bits = np.ascontiguousarray(rows[:, place]).view(f"u{leaf.size}").reshape(-1)
        is_float = array.dtype.kind == "f" if leaf.dtype is None else leaf.dtype.kind == "f"
        made.append(Column(bits, np.full(count, is_float), np.ones(count, bool)))
    return made


def whole_elements(array: Array, element: ElementType, token: Token) -> Array:
    """The bytes of an array, u8[n], as whole elements. ShaderTestError where they do not fit."""
    if array.dtype.names is None:
        for kind in dict.fromkeys(leaf.dtype for leaf in element.leaves):
            _check_kind(array, kind, token)
    if array.nbytes % element.itemsize:
        size = element.itemsize
        raise token.error(f"{array.nbytes} bytes are not whole elements of {size} bytes")
    return bytes_of(array)


def _check_kind(array: Array, kind: np.dtype[Any] | None, token: Token) -> None:
    """Raise ShaderTestError where an array's numbers are not of the element's kind."""
    size = kind.itemsize if kind is not None else 4
    is_float = kind is not None and kind.kind == "f"
    if array.dtype.itemsize != size or (kind is not None and is_float != (array.dtype.kind == "f")):
        wanted = str(kind) if kind is not None else "numbers of 4 bytes"
        raise token.error(f"an array of {array.dtype} in a place for {wanted}")


def read_array(pattern: Pattern, element: ElementType) -> Array:
    """The array or the image in a file."""
    path = pattern.path
    assert path is not None
    try:
        if pattern.name == "image":
            return read_image(path, element)
        with path.open("rb") as file:
            return read_npy(file, str(path))
    except OSError as error:
        raise pattern.token.error(f"{path}: {error.strerror or error}") from None
    except ArgumentError as error:
        raise pattern.token.error(str(error)) from None
