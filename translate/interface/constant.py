"""Constant: a variable of a constant buffer or of a structure; NumPy's dtypes as plain data.

A translation makes the dtypes without importing NumPy.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from translate.dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np

VECTOR_BYTES = 16  # the size of a vector in a constant buffer
_SCALAR_BYTES, _DOUBLE_BYTES = 4, 8
# A string is a number's dtype, such as "<f4"
DtypeData: TypeAlias = "str | ArrayType | StructureType"


@dataclass(frozen=True, slots=True)
class Constant:
    """A variable of a constant buffer, the element of a structured buffer, or a structure's member.

    Attributes
    ----------
    name : str
        The name in the HLSL.
    offset : int
        The offset in bytes from the start of the buffer or structure.
    type : str
        The scalar type in HLSL (`bool`, `int`, `uint`, `float`, `double`, `min16float`, ...), or
        `struct`.
    shape : tuple of int
        () for a scalar, (n,) for a vector, (rows, columns) for a matrix.
    column_major : bool
        Whether a matrix is stored column by column.
    elements : int
        The length of an array; 0 if this is not an array.
    members : tuple of Constant
        The members of a structure.
    used : bool
        Whether the shader reads the variable.
    default : bytes or None
        The bytes of its initialiser.
    step_bytes : int
        The alignment of array elements and of matrix rows (or columns): 16 in constant buffers; in
        structured buffers, which have no padding, the size of the widest scalar.
    """

    name: str
    offset: int
    type: str
    shape: tuple[int, ...] = ()
    column_major: bool = False
    elements: int = 0
    members: tuple[Constant, ...] = ()
    used: bool = True
    default: bytes | None = None
    step_bytes: int = VECTOR_BYTES

    @property
    def order(self) -> str | None:
        """A matrix's order in memory, row_major or column_major; None for other variables."""
        if len(self.shape) != 2:
            return None
        return "column_major" if self.column_major else "row_major"

    @property
    def row_stride(self) -> int:
        """The distance in bytes between rows of a matrix (columns if `column_major`)."""
        return self._row_bytes + -self._row_bytes % self.step_bytes

    @property
    def stride(self) -> int:
        """The distance in bytes between elements of an array."""
        own = self.element_bytes
        return own + -own % self.step_bytes

    @property
    def element_bytes(self) -> int:
        """The size of an element in bytes, without the padding that `stride` includes."""
        if self.members:
            return max(member.offset + member.size_bytes for member in self.members)
        if len(self.shape) < 2:
            return self._row_bytes
        outer = self.shape[1] if self.column_major else self.shape[0]
        return self.row_stride * (outer - 1) + self._row_bytes

    @property
    def size_bytes(self) -> int:
        """The size in bytes, without padding at the end: another variable may begin there."""
        own = self.element_bytes  # once: structures may be nested deeply
        return (own + -own % self.step_bytes) * max(0, self.elements - 1) + own

    @property
    def _row_bytes(self) -> int:
        width = _DOUBLE_BYTES if self.type == "double" else _SCALAR_BYTES
        if not self.shape:
            return width
        return width * (self.shape[0] if self.column_major else self.shape[-1])


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
    if isinstance(data, ArrayType):  # NumPy's `base` sees one level of arrays
        element = dtype_of(data.element)
        return np.dtype((element.base, data.shape + element.shape))
    formats = [dtype_of(field) for field in data.formats]
    names, offsets = list(data.names), list(data.offsets)
    return np.dtype(
        {"names": names, "formats": formats, "offsets": offsets, "itemsize": data.itemsize}
    )
