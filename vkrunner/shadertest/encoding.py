"""Numbers, patterns and files as bits: the contents of resources, and the values of probes.

`vkrunner.values.pictures` reads pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from translate.dataclass import dataclass
from vkrunner import ArgumentError, FormatError
from vkrunner.shadertest.arguments import check_dwords
from vkrunner.shadertest.cases import Number, Pattern, Values
from vkrunner.shadertest.cursor import Token
from vkrunner.values.elements import ElementType, Leaf
from vkrunner.values.numbers import Array, bytes_of, counted, read_npy
from vkrunner.values.pictures import EXR, blue_first, picture_in

MOST_BYTES = 64 << 20  # of all resources of a test


@dataclass(frozen=True, slots=True)
class Column:
    """The numbers at one place of all elements, such as y of each float4: arrays [n].

    `bits` has them as unsigned integers of their size. `floats` marks those that are floats,
    `known` those that are given: not `_`.
    """

    bits: Array
    floats: Array
    known: Array

    def repeated(self, count: int) -> Column:
        """The same numbers for `count` elements."""
        parts = (self.bits, self.floats, self.known)
        return Column(*(np.resize(part, count) for part in parts))


def fill(
    values: Values, element: ElementType, count: int, token: Token, shape: tuple[int, ...] = ()
) -> Array:
    """The contents of `count` elements, u8[count, itemsize]; `token` is the section's place.

    Raises ShaderTestError if the number of values does not fit, or the shape of a file's array that
    is not flat.
    """
    data: Array = np.zeros((count, element.itemsize), np.uint8)
    if values == ():
        return data
    filled = columns(values, element, count, token, shape)
    for leaf, column in zip(element.leaves, filled, strict=True):
        data[:, leaf.place] = column.bits.reshape(-1, 1).view(np.uint8)
    return data


def columns(
    values: Values,
    element: ElementType,
    count: int,
    token: Token,
    shape: tuple[int, ...] = (),
    *,
    repeat: bool = False,
) -> list[Column]:
    """The numbers of `count` elements: a column for each number of an element.

    With `repeat`, the numbers of a single element are used for all elements. A file's array with
    several axes has those of `shape`.
    """
    leaves, width = element.leaves, len(element.leaves)
    if isinstance(values, Pattern) and values.path is not None:
        return _file_columns(values, element, count, shape)
    if isinstance(values, Pattern) and values.name != "fill":
        series = _series(values, count * width, leaves)
        return [_cast(series[n::width], leaf, values) for n, leaf in enumerate(leaves)]
    if isinstance(values, Pattern):
        given = _each(values, width)
    else:
        _check_count(values, element, count, token, repeat=repeat)
        given = values
    return [_encode(given[n::width], leaf).repeated(count) for n, leaf in enumerate(leaves)]


def _each(pattern: Pattern, width: int) -> tuple[Number, ...]:
    """The numbers of one element for `fill`, which names one for all places, or one for each."""
    numbers = pattern.numbers
    if len(numbers) not in (1, width):
        wanted = f"1 or {width}" if width > 1 else "1"
        raise pattern.token.error(f"fill takes {wanted} numbers here, not {len(numbers)}")
    return numbers * (width // len(numbers))


def _check_count(
    values: Sequence[Number | None], element: ElementType, count: int, token: Token, *, repeat: bool
) -> None:
    width = len(element.leaves)
    if len(values) == count * width or (repeat and len(values) == width):
        return
    wanted = counted(count, "number")
    if width > 1:
        named = f" ({element.name})" if element.name else ""
        wanted = f"{counted(count, 'element')} of {width} numbers{named}"
    once = f", or {width} for all" if repeat and count > 1 else ""
    place = next((value.token for value in values if value is not None), token)
    raise place.error(f"expected {wanted}{once}, got {counted(len(values), 'number')}")


# -- numbers ---------------------------------------------------------------------------------------


def _encode(numbers: Sequence[Number | None], leaf: Leaf) -> Column:
    """A column of numbers as written, each encoded in the type of the leaf; None is unknown."""
    bits = np.array([0 if n is None else encode(n, leaf) for n in numbers], f"u{leaf.size}")
    known = np.array([n is not None for n in numbers], bool)
    if leaf.dtype is None:
        floats = np.array([n is not None and n.is_float for n in numbers], bool)
    else:
        floats = np.full(len(numbers), leaf.dtype.kind == "f")
    return Column(bits, floats, known)


def encode(number: Number, leaf: Leaf) -> int:
    """The bits of one number. Raises ShaderTestError if it does not fit."""
    value, dtype = number.value, leaf.dtype
    bits = 8 * leaf.size
    is_float = dtype is not None and dtype.kind == "f"
    if number.is_hex and isinstance(value, int) and (value >= 0 or is_float):
        if value < 0:
            raise number.token.error(f"{number.token.text}: the bits of a float have no sign")
        if value >> bits:
            raise number.token.error(f"{number.token.text} has more than {bits} bits")
        return value
    if dtype is None:
        check_dwords((number,))
        dtype = np.dtype("<f4") if number.is_float else np.dtype("<u4")
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return int.from_bytes(np.array(float(value), dtype).tobytes(), "little")
    if number.is_float:
        value = _normalised(number, leaf)
    if not -(2 ** (bits - 1)) <= value < 2**bits:
        raise number.token.error(f"{number.token.text} does not fit into {bits} bits")
    return int(value) % 2**bits


def _normalised(number: Number, leaf: Leaf) -> int:
    """The integer for a float in a normalised format (FS §3.2.3.5).

    Raises ShaderTestError if the format is not normalised, or the float is out of range.
    """
    if leaf.scale is None:
        raise number.token.error(f"{number.token.text} is not an integer, as needed here")
    least = 0.0 if leaf.dtype is not None and leaf.dtype.kind == "u" else -1.0
    if not least <= number.value <= 1.0:
        raise number.token.error(f"a normalised number is from {least:g} to 1.0")
    return round(number.value * leaf.scale)


# -- series ----------------------------------------------------------------------------------------


def _series(pattern: Pattern, count: int, leaves: Sequence[Leaf]) -> Array:
    numbers = [number.value for number in pattern.numbers]
    try:
        if pattern.name == "random":
            return _random(pattern, numbers, count, leaves)
        return _iota(count, *{"zeros": [0, 0], "ones": [1, 0]}.get(pattern.name, numbers))
    except OverflowError:
        raise pattern.token.error(f"{pattern.name} has numbers of 64 bits at most") from None


def _iota(count: int, start: float = 0, step: float = 1) -> Array:
    """start, start + step, ...; integers wrap around."""
    if isinstance(start, float) or isinstance(step, float):
        return start + np.arange(count, dtype=np.float64) * step
    return np.int64(start) + np.arange(count, dtype=np.int64) * np.int64(step)


def _random(pattern: Pattern, numbers: list[float], count: int, leaves: Sequence[Leaf]) -> Array:
    """`count` random numbers, made from the upper 32 bits of each number of NumPy's PCG64.

    `numbers` has the seed and perhaps two bounds. Floats if the elements have only floats, or if a
    bound is one, otherwise integers; without bounds floats in [0, 1), or integers of 32 bits.
    """
    seed, *bounds = numbers
    halves = np.random.PCG64(int(seed)).random_raw(count) >> np.uint64(32)
    only_floats = all(leaf.dtype is not None and leaf.dtype.kind == "f" for leaf in leaves)
    if not bounds:
        return (halves >> np.uint64(8)) / 2.0**24 if only_floats else halves
    low, high = bounds
    if not low < high:
        raise pattern.token.error("the second bound is larger than the first")
    if only_floats or isinstance(low, float) or isinstance(high, float):
        return low + halves / 2.0**32 * (high - low)
    if high - low > 2**31:
        raise pattern.token.error("the bounds of integers are 1 to 2147483648 apart")
    return (halves * np.uint64(high - low) >> np.uint64(32)).astype(np.int64) + np.int64(low)


def _cast(series: Array, leaf: Leaf, pattern: Pattern) -> Column:
    """A series of numbers in the type of their place; integers wrap around."""
    dtype = leaf.dtype
    if dtype is None:
        dtype = np.dtype("<f4" if series.dtype.kind == "f" else "<u4")
    if dtype.kind != "f" and series.dtype.kind == "f":
        if not (series == np.trunc(series)).all():
            raise pattern.token.error("these numbers are not integers, as needed here")
        series = series.astype(np.int64)
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(series.astype(dtype))
        if pattern.name == "random" and dtype.kind == "f":  # which may be rounded up to the bound
            bound = pattern.numbers[-1].value if len(pattern.numbers) > 1 else 1
            values = np.minimum(values, np.nextafter(dtype.type(bound), dtype.type(-np.inf)))
    return _known(values.view(f"u{dtype.itemsize}"), dtype)


def _known(bits: Array, dtype: np.dtype[Any]) -> Column:
    return Column(bits, np.full(len(bits), dtype.kind == "f"), np.ones(len(bits), bool))


# -- files -----------------------------------------------------------------------------------------


def _file_columns(
    pattern: Pattern, element: ElementType, count: int, shape: tuple[int, ...]
) -> list[Column]:
    rows, dtype, given = read_elements(pattern, element)
    if len(rows) != count:
        raise pattern.token.error(f"the file has {len(rows)} elements, not {count}")
    sides, wanted = (tuple(n for n in axes if n != 1) for axes in (given, shape))
    is_flat = len(sides) < 2 or sides[0] == count
    if len(wanted) > 1 and not is_flat and sides[: len(wanted)] != wanted:
        found, expected = (" x ".join(map(str, axes)) for axes in (given[: len(shape)], shape))
        raise pattern.token.error(f"the file has {found} elements, rows first, not {expected}")
    return [
        _known(leaf.numbers(rows, f"u{leaf.size}"), dtype if leaf.dtype is None else leaf.dtype)
        for leaf in element.leaves
    ]


def read_elements(
    pattern: Pattern, element: ElementType
) -> tuple[Array, np.dtype[Any], tuple[int, ...]]:
    """(the elements in a file, u8[n, itemsize]; the type of its numbers; its array's shape).

    Raises ShaderTestError for a file with other contents.
    """
    array = _read(pattern, element)
    if array.dtype.names is None:
        for kind in dict.fromkeys(leaf.dtype for leaf in element.leaves):
            _check_kind(array, kind, pattern.token)
    size = element.itemsize
    if array.nbytes % size:
        raise pattern.token.error(f"{array.nbytes} bytes are not whole elements of {size} bytes")
    return bytes_of(array).reshape(-1, size), array.dtype, array.shape


def check_regular(path: Path, token: Token) -> None:
    """Raise ShaderTestError for a pipe or a device, which may have no end."""
    if path.exists() and not path.is_file():
        raise token.error(f"{path}: not a regular file")


def _check_kind(array: Array, kind: np.dtype[Any] | None, token: Token) -> None:
    """Raise ShaderTestError if an array's numbers are not of the element's kind."""
    size = kind.itemsize if kind is not None else 4
    is_float = kind is not None and kind.kind == "f"
    if array.dtype.itemsize != size or (kind is not None and is_float != (array.dtype.kind == "f")):
        wanted = str(kind) if kind is not None else "numbers of 4 bytes"
        raise token.error(f"an array of {array.dtype} in a place for {wanted}")


def _read(pattern: Pattern, element: ElementType) -> Array:
    path = pattern.path
    assert path is not None
    check_regular(path, pattern.token)
    try:
        with pattern.token.line.folders.opened(path) as file:
            if pattern.name == "image":
                return _read_image(file, path, element)
            return read_npy(cast("BufferedReader", file), str(path))
    except OSError as error:
        raise pattern.token.error(f"{path}: {error.strerror or error}") from None
    except ArgumentError as error:
        raise pattern.token.error(str(error)) from None


def _read_image(file: BinaryIO, path: Path, element: ElementType) -> Array:
    """u8[height, width, components], with the number of components of an element; or OSError.

    A picture without alpha has an alpha of 255.
    """
    leaves, components = element.leaves, len(element.leaves)
    if components not in (1, 2, 4) or any(leaf.size != 1 or "[" in leaf.name for leaf in leaves):
        raise FormatError("images are for formats of 1, 2 or 4 components of 8 bits")
    if path.suffix.lower() == EXR:
        raise FormatError("images of shader tests have 8 bits; EXR has more")
    array = picture_in(file, path, components, MOST_BYTES)
    return blue_first(array) if leaves[0].name == ".b" else array
