"""The first numbers of an array, as `sm5vk run` shows results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from translate.interface import dtype_text
from vkrunner.values.arrays import Array


def array_lines(label: str, array: Array, most: int) -> Iterator[str]:
    """A line with type, shape and the first numbers; for structures, a line for each structure.

    A structure's variables are written like those of a constant buffer: `a=2.0, s.b=3, v=1.0:0.0`.
    """
    head = f"{label}: {dtype_text(array.dtype)}{list(array.shape)}"
    first = array.reshape(-1)[:most]
    more = ["..."] if array.size > most else []
    if array.dtype.names is None:
        yield " ".join([head, *map(str, first), *more])
        return
    yield head
    for number, element in enumerate(first):
        place = ", ".join(map(str, np.unravel_index(number, array.shape)))
        variables = ", ".join(f"{name}={value}" for name, value in _variables(element))
        yield f"  [{place}] {variables}"
    yield from (f"  {mark}" for mark in more)


def _variables(structure: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """The name and numbers of each variable, the numbers separated by `:`."""
    for name in structure.dtype.names:
        value = structure[name]
        if value.dtype.names is None:
            yield f"{path}{name}", ":".join(map(str, cast("Array", np.ravel(value))))
        elif value.shape == ():
            yield from _variables(value, f"{path}{name}.")
        else:
            for place in np.ndindex(value.shape):
                at = "".join(f"[{n}]" for n in place)
                yield from _variables(value[place], f"{path}{name}{at}.")
