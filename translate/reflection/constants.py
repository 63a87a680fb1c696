"""Convert the variables of constant buffers and structures for the interface."""

from __future__ import annotations

from dataclasses import replace

from translate.interface import Constant
from translate.interface.constant import VECTOR_BYTES
from translate.reflection.records import BASE_TYPES, DOUBLE, BufferDefinition, Type, Variable

_SCALAR, _VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _STRUCTURE = 0, 1, 2, 3, 5
_SCALAR_BYTES, _DOUBLE_BYTES = 4, 8
_USED = 2  # D3D_SVF_USED
_MOST = 4  # rows or columns of a matrix
_MAX_BYTES = 65536  # the largest constant buffer (FS §22.1)


def constants_of_buffer(buffer: BufferDefinition) -> tuple[Constant, ...] | None:
    """The variables of a cbuffer, or the members of a ConstantBuffer<T>'s structure.

    None if a type is not numeric, or if the sizes in a damaged RDEF do not fit.
    """
    made = [_variable(v) for v in buffer.variables]
    variables = [constant for constant in made if constant is not None]
    if len(variables) != len(made) or buffer.size > _MAX_BYTES:
        return None
    if any(constant.offset + constant.size_bytes > buffer.size for constant in variables):
        return None
    if len(variables) == 1 and variables[0].name == buffer.resource and variables[0].members:
        return variables[0].members
    return tuple(variables)


def element_of_buffer(buffer: BufferDefinition) -> Constant | None:
    """The element of a structured buffer, which has no padding.

    None if its type is not numeric, or if the sizes in a damaged RDEF do not fit.
    """
    if len(buffer.variables) != 1:
        return None
    variable = buffer.variables[0]
    made = _constant(variable.name, 0, variable.type, packed=False)
    return made if made is not None and made.size_bytes <= variable.size else None


def _variable(variable: Variable) -> Constant | None:
    used = bool(variable.flags & _USED)
    default = None if _holds_matrix(variable.type) else variable.default
    return _constant(variable.name, variable.offset, variable.type, used, default)


def _constant(
    name: str,
    offset: int,
    kind: Type,
    used: bool = True,
    default: bytes | None = None,
    packed: bool = True,
) -> Constant | None:
    """Convert a variable; `packed` selects the layout rules of constant buffers."""
    step = VECTOR_BYTES if packed else _widest(kind)
    if kind.klass == _STRUCTURE:
        made = [_constant(m.name, m.offset, m.type, packed=packed) for m in kind.members]
        members = tuple(member for member in made if member is not None)
        if not members or len(members) != len(made):
            return None
        return Constant(
            name,
            offset,
            "struct",
            elements=kind.elements,
            members=members,
            used=used,
            step_bytes=step,
        )
    if kind.klass not in (_SCALAR, _VECTOR, _ROW_MATRIX, _COLUMN_MATRIX):
        return None
    rows, columns = max(1, kind.rows), max(1, kind.columns)
    if kind.base not in BASE_TYPES or rows > _MOST or columns > _MOST:
        return None
    made = Constant(
        name,
        offset,
        BASE_TYPES[kind.base][1],
        shape=_shape(kind.klass, rows, columns),
        column_major=kind.klass == _COLUMN_MATRIX,
        elements=kind.elements,
        used=used,
        step_bytes=step,
    )
    known = default is not None and len(default) == made.size_bytes
    return replace(made, default=default) if known else made


def _widest(kind: Type) -> int:
    """The size of the widest scalar in bytes."""
    own = _DOUBLE_BYTES if kind.base == DOUBLE else _SCALAR_BYTES
    return max([own, *(_widest(member.type) for member in kind.members)])


def _shape(klass: int, rows: int, columns: int) -> tuple[int, ...]:
    if klass == _SCALAR:
        return ()
    return (columns,) if klass == _VECTOR else (rows, columns)


def _holds_matrix(kind: Type) -> bool:
    """Whether the type contains a matrix; fxc stores its default value by columns in any layout."""
    if kind.klass in (_ROW_MATRIX, _COLUMN_MATRIX):
        return True
    return any(_holds_matrix(member.type) for member in kind.members)
