"""What RDEF (or a listing's header comment) tells of names, types and bindings.

Layouts: reference "RDEF" of the DXBC container; types follow HLSL's packing as fxc stored it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

_DOUBLE = 39
_MAX_BYTES = 65536  # of a constant buffer (FS §22.1); a structure has 2048
_DESCRIBED_BYTES = 64 * _MAX_BYTES  # of one shader's buffers, as NumPy types

# D3D_SHADER_VARIABLE_TYPE -> (NumPy scalar type, printed name)
BASE_TYPES: dict[int, tuple[str, str]] = {
    1: ("<u4", "bool"),
    2: ("<i4", "int"),
    3: ("<f4", "float"),
    19: ("<u4", "uint"),
    _DOUBLE: ("<f8", "double"),
    53: ("<f4", "min10float"),  # minimum precision: 32 bits in memory all the same
    54: ("<f4", "min16float"),
    55: ("<i4", "min12int"),
    56: ("<i4", "min16int"),
    57: ("<u4", "min16uint"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a structure type; `offset` in bytes from the structure's start."""

    name: str
    offset: int
    type: Type


@dataclass(frozen=True, slots=True)
class Type:
    """D3D11_SHADER_TYPE_DESC: `klass` is D3D_SHADER_VARIABLE_CLASS, `base` the variable type.

    Classes: 0 scalar, 1 vector, 2 matrix (rows), 3 matrix (columns), 4 object, 5 structure.
    `elements` is the array length, 0 for no array.
    """

    klass: int
    base: int
    rows: int
    columns: int
    elements: int = 0
    members: tuple[Member, ...] = ()
    name: str = ""


NO_REGISTERS = (0xFFFFFFFF, 0)


@dataclass(frozen=True, slots=True)
class Variable:
    """A constant buffer's variable, or the `$Element` of a structured buffer; sizes in bytes.

    `textures` and `samplers` of a class instance: its first register, and how many; without any
    they are NO_REGISTERS. The offset of an unused interface is 0xFFFFFFFF.
    """

    name: str
    offset: int
    size: int
    type: Type
    flags: int = 2
    default: bytes | None = None
    textures: tuple[int, int] = NO_REGISTERS
    samplers: tuple[int, int] = NO_REGISTERS


@dataclass(frozen=True, slots=True)
class BufferDefinition:
    """A cbuffer or the "resource bind info" of a structured buffer; `size` in bytes.

    `kind`: 0 cbuffer, 1 tbuffer, 2 interface pointers, 3 resource bind info (D3D_CBUFFER_TYPE).
    """

    name: str
    kind: int
    size: int
    variables: tuple[Variable, ...]
    flags: int = 0


@dataclass(frozen=True, slots=True)
class ResourceBinding:
    """One row of the resource binding table; numbers as D3D_SHADER_INPUT_TYPE and friends."""

    name: str
    type: int
    return_type: int
    dimension: int
    sample_count: int
    bind_point: int
    bind_count: int
    flags: int = 0
    space: int = 0
    range_id: int = 0

    @property
    def register_prefix(self) -> str:
        """`cb`, `t`, `s` or `u`, from D3D_SHADER_INPUT_TYPE."""
        if self.type == 0:
            return "cb"
        if self.type == 3:
            return "s"
        return "t" if self.type in (1, 2, 5, 7) else "u"


@dataclass(frozen=True, slots=True)
class Reflection:
    """All of RDEF that this project reads."""

    creator: str
    bindings: tuple[ResourceBinding, ...]
    buffers: tuple[BufferDefinition, ...]
    target: int = 0
    flags: int = 0

    def buffer(self, name: str) -> BufferDefinition | None:
        """The buffer definition of that name."""
        return next((b for b in self.buffers if b.name == name), None)


class BufferTypes:
    """NumPy types of a reflection's buffers, by name.

    An array whose elements are not whole vectors takes a field for each of them, so that types can
    be larger than the input by any factor; behind `_DESCRIBED_BYTES` there are no more.
    """

    def __init__(self, reflection: Reflection | None):
        buffers = reflection.buffers if reflection is not None else ()
        self.by_name = {buffer.name: buffer for buffer in reversed(buffers)}
        self.room = _DESCRIBED_BYTES

    def dtype(self, name: str) -> np.dtype[Any] | None:
        """None where there is no such buffer, or `dtype_of_buffer` has none."""
        buffer = self.by_name.get(name)
        if buffer is None:
            return None
        self.room -= buffer.size
        return dtype_of_buffer(buffer) if self.room >= 0 else None


def dtype_of_buffer(buffer: BufferDefinition) -> np.dtype[Any] | None:
    """The NumPy type of a cbuffer, or of one element of a structured buffer.

    None where a type has no NumPy counterpart (objects, interfaces), or where its parts do not
    add up to the size that RDEF gives.
    """
    if buffer.kind == 3:
        return _element_of(buffer.variables[0]) if buffer.variables else None
    if buffer.size > _MAX_BYTES:
        return None
    fields = [
        (v.name, _dtype(v.type, packed=True, size=v.size), v.offset) for v in buffer.variables
    ]
    return _structure(fields, buffer.size)


def _element_of(element: Variable) -> np.dtype[Any] | None:
    dtype = _dtype(element.type, packed=False, size=element.size)
    return dtype if dtype is not None and dtype.itemsize == element.size else None


def _structure(
    fields: list[tuple[str, np.dtype[Any] | None, int]], size: int
) -> np.dtype[Any] | None:
    if not fields or any(dtype is None for _, dtype, _ in fields):
        return None
    # NumPy's own check of the end wraps at 2^31; overlapping fields could be any number.
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
    except (ValueError, TypeError):  # names or offsets that a damaged RDEF made up
        return None


def _dtype(kind: Type, *, packed: bool, size: int) -> np.dtype[Any] | None:
    """`packed`: constant buffer rules, where array elements and matrix rows start on 16 bytes."""
    element = _element_dtype(kind, packed, size)
    if element is None or not kind.elements:
        return element
    if element.itemsize * kind.elements > _MAX_BYTES:
        return None
    if not packed:
        return np.dtype((element, (kind.elements,)))
    # The last element is not padded, so the array's own size cannot be a multiple of the step:
    # a NumPy array of padded elements would overlap what follows. It is kept as rows instead.
    step = -(-element.itemsize // 16) * 16
    if step == element.itemsize:
        return np.dtype((element, (kind.elements,)))
    return _structure([(f"e{i}", element, i * step) for i in range(kind.elements)], size)


def _element_dtype(kind: Type, packed: bool, size: int) -> np.dtype[Any] | None:
    if kind.klass == 5:
        fields = [
            (m.name, _dtype(m.type, packed=packed, size=_size(m.type, packed)), m.offset)
            for m in kind.members
        ]
        return _structure(fields, _size(Type(5, 0, 0, 0, 0, kind.members), packed))
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


def _size(kind: Type, packed: bool) -> int:
    """Bytes of a type, arrays included, the last element unpadded in constant buffers."""
    one = _element_size(kind, packed)
    if not kind.elements:
        return one
    step = -(-one // 16) * 16 if packed else one
    return step * (kind.elements - 1) + one


def _element_size(kind: Type, packed: bool) -> int:
    if kind.klass == 5:
        end = max((m.offset + _size(m.type, packed) for m in kind.members), default=0)
        # Outside of constant buffers, a structure that holds a double is filled up to 8 bytes.
        return -(-end // 8) * 8 if not packed and _holds_double(kind) else end
    width = 8 if kind.base == _DOUBLE else 4
    if kind.klass <= 1:
        return width * max(1, kind.columns)
    outer, inner = (kind.rows, kind.columns) if kind.klass == 2 else (kind.columns, kind.rows)
    step = -(-inner * width // 16) * 16 if packed else inner * width
    return step * (outer - 1) + inner * width


def _holds_double(kind: Type) -> bool:
    return kind.base == _DOUBLE or any(_holds_double(m.type) for m in kind.members)
