"""Reports of numbers that differ: their count, and the first of them with place and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vkrunner.values.arrays import Array
from vkrunner.values.comparison import ulp_distance

SHOWN = 8  # differing numbers of a report
_HEADING = ("at", "expected", "actual", "")
_NEAR_ULPS = 10_000
_PLAIN_INTEGER = 0xFFFF  # larger ones are shown in hexadecimal as well


@dataclass(frozen=True, slots=True)
class Compared:
    """One number of each element: `actual` and `expected` as [n] of a dtype; where they differ."""

    name: str
    actual: Array
    expected: Array
    different: Array


@dataclass(frozen=True, slots=True)
class Differences:
    """`count` of `total` numbers differ; `rows` have the first: place, values, distance."""

    count: int
    total: int
    rows: tuple[tuple[str, str, str, str], ...]

    def summary(self) -> str:
        if self.total == 1:
            return "differs"
        return f"{self.count} of {self.total} numbers differ"

    def table(self) -> list[str]:
        """Lines with a column for each part of a row, under a heading."""
        rows = [_HEADING, *self.rows]
        widths = [max(len(row[n]) for row in rows) for n in range(len(_HEADING))]
        lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
        if self.count > len(self.rows):
            lines.append(f"and {self.count - len(self.rows)} more")
        return [line.rstrip() for line in lines]


def find_differences(
    compared: Sequence[Compared], total: int, label: Callable[[int], str]
) -> Differences:
    """The first differing numbers in the order of elements; `label` names an element by its index.

    `total` is how many numbers were compared.
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
    """The one number of an array: floats in full, large integers in hexadecimal too."""
    number = value.reshape(-1)[0]
    if value.dtype.kind == "f":
        return _float_text(number)
    if value.dtype.kind not in "iu":
        return str(number)
    bits = int(number) & (2 ** (8 * value.dtype.itemsize) - 1)
    return f"{int(number)} ({bits:#x})" if abs(int(number)) > _PLAIN_INTEGER else str(int(number))


def _float_text(number: np.floating) -> str:
    """The shortest text that reads back as the same float; a NaN with its bits."""
    if np.isnan(number):
        bits = int.from_bytes(number.tobytes(), "little")
        return f"nan ({bits:#x})"
    return repr(number.item()) if number.dtype == np.float64 else str(number)


def _distance(actual: Array, expected: Array) -> str:
    if actual.dtype.kind != "f" or not (np.isfinite(actual).all() and np.isfinite(expected).all()):
        return ""
    ulps = int(ulp_distance(actual, expected)[0])
    return f"{ulps} ulp" if 0 < ulps <= _NEAR_ULPS else ""
