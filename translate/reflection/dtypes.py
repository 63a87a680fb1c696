"""The NumPy types of constant buffers and structures."""

from __future__ import annotations

import numpy as np

from translate.reflection.records import BASE_TYPES, BufferDefinition, Reflection, Type, Variable
from translate.reflection.sizes import size_of

_MAX_BYTES = 65536  # the largest constant buffer (FS §22.1); structures have at most 2048
_DESCRIBED_BYTES = 64 * _MAX_BYTES  # the limit for the buffers of a shader


class BufferTypes:
    """The NumPy types of a reflection's buffers, by name.

    An array with elements of partial vectors becomes one field for each element, so types can be
    much larger than the input. After `_DESCRIBED_BYTES` bytes, further buffers have no type.
    """

    def __init__(self, reflection: Reflection | None):
        buffers = reflection.buffers if reflection is not None else ()
        self.by_name = {buffer.name: buffer for buffer in reversed(buffers)}
        self.room = _DESCRIBED_BYTES

    def dtype(self, name: str) -> np.dtype[np.generic] | None:
        """The type; None for an unknown buffer, or if `dtype_of_buffer` gives None."""
        buffer = self.by_name.get(name)
        if buffer is None:
            return None
        self.room -= buffer.size
        return dtype_of_buffer(buffer) if self.room >= 0 else None


def dtype_of_buffer(buffer: BufferDefinition) -> np.dtype[np.generic] | None:
    """The NumPy type of a cbuffer, or of an element of a structured buffer.

    None if a type has no NumPy counterpart (objects, interfaces), or if its parts do not match the
    size in RDEF.
    """
    if buffer.kind == 3:
        return _element_of(buffer.variables[0]) if buffer.variables else None
    if buffer.size > _MAX_BYTES:
        return None
    fields = [
        (v.name, _dtype(v.type, packed=True, size=v.size), v.offset) for v in buffer.variables
    ]
    return _structure(fields, buffer.size)


def _element_of(element: Variable) -> np.dtype[np.generic] | None:
    dtype = _dtype(element.type, packed=False, size=element.size)
    return dtype if dtype is not None and dtype.itemsize == element.size else None


def _structure(
    fields: list[tuple[str, np.dtype[np.generic] | None, int]], size: int
) -> np.dtype[np.generic] | None:
    if not fields or any(dtype is None for _, dtype, _ in fields):
        return None
    # NumPy's own check of ends wraps at 2^31, and it accepts any number of overlapping fields.
    ends = [offset + dtype.itemsize for _, dtype, offset in fields if dtype is not None]
    sizes = sum(dtype.itemsize for _, dtype, _ in fields if dtype is not None)
    if max(ends) > size or sizes > size:
        return None
    try:
        return np.dtype(
            {
                "names": [name for name, _, _ in fields],
                "formats": [dtype for _, dtype, _ in fields],
                "offsets": [offset for _, _, offset in fields],
                "itemsize": size,
            }
        )
    except (ValueError, TypeError):  # invalid names or offsets in a damaged RDEF
        return None


def _dtype(kind: Type, *, packed: bool, size: int) -> np.dtype[np.generic] | None:
    """A variable's type. `packed`: constant buffers align elements and matrix rows to 16 bytes."""
    element = _element_dtype(kind, packed, size)
    if element is None or not kind.elements:
        return element
    if element.itemsize * kind.elements > _MAX_BYTES:
        return None
    if not packed:
        return np.dtype((element, (kind.elements,)))
    # The last element is not padded, so the size of the array is not a multiple of the step. A
    # NumPy array of padded elements would overlap the next variable. So each element becomes a
    # field.
    step = -(-element.itemsize // 16) * 16
    if step == element.itemsize:
        return np.dtype((element, (kind.elements,)))
    return _structure([(f"e{i}", element, i * step) for i in range(kind.elements)], size)


def _element_dtype(kind: Type, packed: bool, size: int) -> np.dtype[np.generic] | None:
    if kind.klass == 5:
        fields = [
            (m.name, _dtype(m.type, packed=packed, size=size_of(m.type, packed)), m.offset)
            for m in kind.members
        ]
        return _structure(fields, size_of(Type(5, 0, 0, 0, 0, kind.members), packed))
    if kind.base not in BASE_TYPES or kind.klass > 3:
        return None
    if not (1 <= kind.rows <= 4 and 1 <= kind.columns <= 4):
        return None
    scalar = np.dtype(BASE_TYPES[kind.base][0])
    if kind.klass == 0:
        return scalar
    if kind.klass == 1:
        return np.dtype((scalar, (kind.columns,)))
    outer, inner = (kind.rows, kind.columns) if kind.klass == 2 else (kind.columns, kind.rows)
    if packed and inner * scalar.itemsize % 16:
        row = np.dtype((scalar, (inner,)))
        step = -(-row.itemsize // 16) * 16
        total = step * (outer - 1) + row.itemsize
        return _structure([(f"r{i}", row, i * step) for i in range(outer)], total)
    return np.dtype((scalar, (outer, inner)))
