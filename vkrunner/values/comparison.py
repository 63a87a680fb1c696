"""Comparison of two arrays, exact or with a tolerance, and a report of the differences.

A report has the count of differing numbers, and the place and values of the first few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from translate.dataclass import dataclass
from vkrunner.values.elements import element_of_dtype, rows_of
from vkrunner.values.numbers import Array

SHOWN = 8  # the most rows of a report
_HEADING = ("at", "expected", "actual", "")
MOST_ROWS = 20  # of a short table
_NEAR_ULPS = 10_000
_PLAIN_INTEGER = 0xFFFF  # larger integers are also shown in hexadecimal
_MOST_ULPS = 2**64 - 1  # more than there are floats


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The allowed difference between an actual number and the expected one.

    A number passes if it is within `absolute + relative * |expected|` (as in NumPy's `allclose`) or
    within `ulps` representable floats. NaN equals NaN, and 0 equals -0; with `bits` all bits have
    to be equal. `relative` and `ulps` apply to floats only.
    """

    absolute: float = 0.0
    relative: float = 0.0
    ulps: int = 0
    bits: bool = False


EXACT = Tolerance()
BITS = Tolerance(bits=True)


def differs(actual: Array, expected: Array, tolerance: Tolerance = EXACT) -> Array:
    """bool[...]: True for each differing number of two arrays of the same dtype and shape."""
    if tolerance.bits:
        bits = np.dtype(f"u{actual.dtype.itemsize}")
        return np.not_equal(_contiguous(actual).view(bits), _contiguous(expected).view(bits))
    if actual.dtype.kind != "f":
        different = actual != expected
        if tolerance.absolute:
            different &= _integer_distance(actual, expected) > tolerance.absolute
        return different
    with np.errstate(invalid="ignore", over="ignore"):
        same = (actual == expected) | (np.isnan(actual) & np.isnan(expected))
        if tolerance.absolute or tolerance.relative:
            same |= _is_close(actual, expected, tolerance)
        if tolerance.ulps:
            near = ulp_distance(actual, expected) <= np.uint64(min(tolerance.ulps, _MOST_ULPS))
            same |= near & np.isfinite(actual) & np.isfinite(expected)
    return ~same


def _integer_distance(actual: Array, expected: Array) -> Array:
    """u64[...]: the exact distance of integers, also of signed ones."""
    larger, smaller = np.maximum(actual, expected), np.minimum(actual, expected)
    return larger.astype(np.uint64) - smaller.astype(np.uint64)


def ulp_distance(actual: Array, expected: Array) -> Array:
    """u64[...]: the distance in representable floats of the dtype; 0 and -0 are the same."""
    first, second = _ordered(actual), _ordered(expected)
    return np.where(first > second, first - second, second - first)


def _ordered(values: Array) -> Array:
    """Map floats to u64 numbers in the same order; neighbouring floats differ by 1."""
    bits = values.dtype.itemsize * 8
    unsigned = _contiguous(values).view(f"u{values.dtype.itemsize}").astype(np.uint64)
    sign = np.uint64(1 << (bits - 1))
    magnitude = unsigned & ~sign
    return np.where(unsigned & sign, sign - magnitude, sign + magnitude)


def _is_close(actual: Array, expected: Array, tolerance: Tolerance) -> Array:
    wide_actual, wide = actual.astype(np.float64), expected.astype(np.float64)
    allowed = tolerance.absolute + tolerance.relative * np.abs(wide)
    finite = np.isfinite(actual) & np.isfinite(expected)
    return finite & (np.abs(wide_actual - wide) <= allowed)


def _contiguous(values: Array) -> Array:
    return np.ascontiguousarray(values).reshape(values.shape)


# -- reports ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of one number of each of n elements, such as the field `name` of structures.

    `actual` and `expected` are [n] of a dtype; `different`, bool[n], is True where they differ.
    """

    name: str
    actual: Array
    expected: Array
    different: Array


def compare(actual: Array, expected: Array, tolerance: Tolerance) -> list[Compared]:
    """A comparison for each number of an element, such as each field of a structure.

    The arrays have the same dtype and shape.
    """
    made: list[Compared] = []
    for leaf in element_of_dtype(actual.dtype).leaves:
        assert leaf.dtype is not None
        mine, other = (leaf.numbers(rows_of(array), leaf.dtype) for array in (actual, expected))
        made.append(Compared(leaf.name, mine, other, differs(mine, other, tolerance)))
    return made


def place_in(array: Array, register: str) -> Callable[[int], str]:
    """A function from an element's flat index to its place, such as `u0[2, 1]`."""

    def place(index: int) -> str:
        numbers = ", ".join(str(int(number)) for number in np.unravel_index(index, array.shape))
        return f"{register}[{numbers}]" if numbers else register

    return place


class Far(NamedTuple):
    """The greatest distance, and the pair of arrays and the flat index where it was found first."""

    distance: float = 0
    pair: int = 0
    at: int = 0


@dataclass(frozen=True, slots=True)
class Extent:
    """How far compared numbers differ, by whatever tolerance they were compared.

    `absolute` is the greatest difference, exact for integers, and `ulps` the greatest distance of
    finite floats in representable floats, None without floats. `nans` counts the pairs of which one
    is NaN, and `bits_only` those that are equal, but have different bits: NaNs, and 0 and -0.
    """

    absolute: Far
    ulps: Far | None
    nans: int
    bits_only: int


def extent(pairs: Iterable[tuple[Array, Array]]) -> Extent:
    """How far arrays [n] differ from others of the same dtypes and shapes."""
    absolute = Far()
    ulps: Far | None = None
    nans = bits_only = 0
    for number, (actual, expected) in enumerate(pairs):
        apart = differs(actual, expected)
        bits_only += int(np.count_nonzero(differs(actual, expected, BITS) & ~apart))
        if actual.dtype.kind != "f":
            distance = _integer_distance(actual, expected)
            absolute = _farther(absolute, distance, apart, number)
            continue
        unknown = np.isnan(actual) | np.isnan(expected)
        nans += int(np.count_nonzero(unknown & apart))
        with np.errstate(over="ignore", invalid="ignore"):
            distance = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
        absolute = _farther(absolute, distance, apart & ~unknown, number)
        finite = np.isfinite(actual) & np.isfinite(expected)
        distance = ulp_distance(actual, expected)
        ulps = _farther(ulps or Far(), distance, apart & finite, number)
    return Extent(absolute, ulps, nans, bits_only)


def _farther(far: Far, distance: Array, chosen: Array, pair: int) -> Far:
    """The greatest of the distances [n] that a mask chooses, if it exceeds that of other pairs."""
    where = np.flatnonzero(chosen)
    if not where.size:
        return far
    index = int(where[distance[where].argmax()])
    return max(far, Far(distance[index].item(), pair, index), key=lambda one: one.distance)


@dataclass(frozen=True, slots=True)
class Differences:
    """`count` of `total` numbers differ.

    `rows` has the first few: place, expected value, actual value, and the distance in ULPs.
    """

    count: int
    total: int
    rows: tuple[tuple[str, str, str, str], ...]

    def summary(self) -> str:
        if self.total == 1:
            return "differs"
        return f"{self.count} of {self.total} numbers differ"

    def table(self, heading: Sequence[str] = _HEADING) -> list[str]:
        """The rows as aligned columns, under a heading."""
        lines = text_table([heading, *self.rows])
        more = self.count - len(self.rows)
        return [*lines, f"and {more} more"] if more else lines


def text_table(
    rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.ljust
) -> list[str]:
    """Lines with aligned columns; `align(cell, width)` pads the cells after the first column."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    lines = ["  ".join((row[0].ljust(first), *map(align, row[1:], widths))) for row in rows]
    return [line.rstrip() for line in lines]


def short_table(heading: Sequence[str], rows: Sequence[Sequence[str]], total: int) -> list[str]:
    """The lines of a table with its first rows, and of how many of `total` there are more."""
    first = rows[:MOST_ROWS]
    lines = text_table([heading, *first]) if first else []
    more = total - len(first)
    return [*lines, f"and {more:,} more"] if more > 0 else lines


def deviation(compared: Sequence[Compared], total: int) -> str | None:
    """The count of differing numbers and the largest difference; None if all are equal.

    The difference is in ULPs if it is small, otherwise absolute.
    """
    parts = [(one.actual[one.different], one.expected[one.different]) for one in compared]
    parts = [(actual, expected) for actual, expected in parts if actual.size]
    if not parts:
        return None
    count = sum(actual.size for actual, _ in parts)
    found = extent(parts)
    are_floats = all(actual.dtype.kind == "f" for actual, _ in parts)
    most = f"{found.absolute.distance:.3g}"
    if are_floats and found.ulps is not None and found.ulps.distance <= _NEAR_ULPS:
        most = f"{found.ulps.distance} ulp"
    return f"{count} of {total} numbers differ, by {most} at most"


def find_differences(
    compared: Sequence[Compared], total: int, label: Callable[[int], str]
) -> Differences:
    """The first differing numbers in the order of elements; `label` names an element by its index.

    `total` is the count of compared numbers.
    """
    found: list[tuple[int, int]] = []
    for column, one in enumerate(compared):
        first = np.flatnonzero(one.different)[:SHOWN]
        found.extend((int(index), column) for index in first)
    rows = [_row(compared[column], index, label) for index, column in sorted(found)[:SHOWN]]
    count = sum(int(np.count_nonzero(one.different)) for one in compared)
    return Differences(count, total, tuple(rows))


def _row(one: Compared, index: int, label: Callable[[int], str]) -> tuple[str, str, str, str]:
    actual, expected = one.actual[index : index + 1], one.expected[index : index + 1]
    place = f"{label(index)}{one.name}"
    return place, shown(expected), shown(actual), _distance(actual, expected)


def shown(value: Array) -> str:
    """The number in an array of one, as text: floats exactly, large integers also in hex."""
    number = value.reshape(-1)[0]
    if value.dtype.kind == "f":
        return _float_text(number)
    if value.dtype.kind not in "iu":
        return str(number)
    bits = int(number) & (2 ** (8 * value.dtype.itemsize) - 1)
    return f"{int(number)} ({bits:#x})" if abs(int(number)) > _PLAIN_INTEGER else str(int(number))


def _float_text(number: np.floating) -> str:
    """The shortest text that parses to the same float; a NaN with its bits."""
    if np.isnan(number):
        bits = int.from_bytes(number.tobytes(), "little")
        return f"nan ({bits:#x})"
    return repr(number.item()) if number.dtype == np.float64 else str(number)


def _distance(actual: Array, expected: Array) -> str:
    if actual.dtype.kind != "f" or not (np.isfinite(actual).all() and np.isfinite(expected).all()):
        return ""
    ulps = int(ulp_distance(actual, expected)[0])
    return f"{ulps} ulp" if 0 < ulps <= _NEAR_ULPS else ""
