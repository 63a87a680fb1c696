"""Constant: a variable of a constant buffer, or of the structures in a structured buffer."""

from __future__ import annotations

from dataclasses import dataclass

VECTOR_BYTES = 16  # of a constant buffer's vectors
_SCALAR_BYTES, _DOUBLE_BYTES = 4, 8


@dataclass(frozen=True, slots=True)
class Constant:
    """A variable of a constant buffer or a structured buffer's element, or a member of a structure.

    Attributes
    ----------
    name : str
        The name in the HLSL.
    offset : int
        Bytes from the buffer's or the structure's begin.
    type : str
        HLSL's scalar (`bool`, `int`, `uint`, `float`, `double`, `min16float`, ...) or `struct`.
    shape : tuple of int
        () of a scalar, (n,) of a vector, (rows, columns) of a matrix.
    column_major : bool
        Whether a matrix lies in memory by columns.
    elements : int
        An array's length, 0 for what is no array.
    members : tuple of Constant
        Of a structure.
    used : bool
        Whether the shader reads it.
    default : bytes or None
        The bytes of an initialiser.
    step_bytes : int
        Elements of arrays, and rows (or columns) of matrices, start on multiples of it: 16 in
        constant buffers; in structured buffers, where nothing is filled up, the size of the widest
        scalar.
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
        """How a matrix lies in memory, row_major or column_major; None for what is none."""
        if len(self.shape) != 2:
            return None
        return "column_major" if self.column_major else "row_major"

    @property
    def row_stride(self) -> int:
        """Bytes from a matrix's row (column, if `column_major`) to the next."""
        return self._row_bytes + -self._row_bytes % self.step_bytes

    @property
    def stride(self) -> int:
        """Bytes from an array's element to the next."""
        return self.element_bytes + -self.element_bytes % self.step_bytes

    @property
    def element_bytes(self) -> int:
        """Bytes of one element, without what fills it up to `stride`."""
        if self.members:
            return max(member.offset + member.size_bytes for member in self.members)
        if len(self.shape) < 2:
            return self._row_bytes
        outer = self.shape[1] if self.column_major else self.shape[0]
        return self.row_stride * (outer - 1) + self._row_bytes

    @property
    def size_bytes(self) -> int:
        """Bytes of all elements; what follows may begin right after the last."""
        return self.stride * max(0, self.elements - 1) + self.element_bytes

    @property
    def _row_bytes(self) -> int:
        width = _DOUBLE_BYTES if self.type == "double" else _SCALAR_BYTES
        if not self.shape:
            return width
        return width * (self.shape[0] if self.column_major else self.shape[-1])
