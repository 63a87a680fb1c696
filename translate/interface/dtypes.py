"""NumPy's dtypes as plain data, which a translation makes without importing NumPy."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np


class ArrayType(NamedTuple):
    """An array. Its elements may be arrays."""

    element: DtypeData
    shape: tuple[int, ...]


class StructureType(NamedTuple):
    """A structure: the names of its fields, their types and offsets, and its size in bytes."""

    names: tuple[str, ...]
    formats: tuple[DtypeData, ...]
    offsets: tuple[int, ...]
    itemsize: int


# A string is a number's dtype, such as "<f4"
DtypeData: TypeAlias = "str | ArrayType | StructureType"


def bytes_of(data: DtypeData) -> int:
    """The size of a dtype in bytes."""
    if isinstance(data, str):
        return int(data[2:])
    if isinstance(data, StructureType):
        return data.itemsize
    return bytes_of(data.element) * prod(data.shape)


@cache
def dtype_of(data: DtypeData) -> np.dtype[np.generic]:
    """The dtype that the data describes."""
    import numpy as np

    if isinstance(data, str):
        return np.dtype(data)
    if isinstance(data, ArrayType):
        return np.dtype((dtype_of(data.element), data.shape))
    formats = [dtype_of(field) for field in data.formats]
    names, offsets = list(data.names), list(data.offsets)
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": data.itemsize}
    )
