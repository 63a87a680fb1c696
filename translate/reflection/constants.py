"""A constant buffer's variables, as the interface has them."""

from __future__ import annotations

from dataclasses import replace

from translate.interface import Constant
from translate.reflection.records import BASE_TYPES, BufferDefinition, Type, Variable

_SCALAR, _VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _STRUCTURE = 0, 1, 2, 3, 5
_USED = 2  # D3D_SVF_USED
_MOST = 4  # rows or columns
_MAX_BYTES = 65536  # of a constant buffer (FS §22.1)


def constants_of_buffer(buffer: BufferDefinition) -> tuple[Constant, ...] | None:
    """The variables of a cbuffer, or the members of the structure that a ConstantBuffer<T> is.

    None where one has a type that is no number, or that a damaged RDEF made up.
    """
    made = [_variable(v) for v in buffer.variables]
    variables = [constant for constant in made if constant is not None]
    if len(variables) != len(made) or buffer.size > _MAX_BYTES:
        return None
    if any(constant.offset + constant.size_bytes > buffer.size for constant in variables):
        return None
    if len(variables) == 1 and variables[0].name == buffer.name and variables[0].members:
        return variables[0].members
    return tuple(variables)


def _variable(variable: Variable) -> Constant | None:
    used = bool(variable.flags & _USED)
    default = None if _holds_matrix(variable.type) else variable.default
    return _constant(variable.name, variable.offset, variable.type, used, default)


def _constant(
    name: str, offset: int, kind: Type, used: bool = True, default: bytes | None = None
) -> Constant | None:
    if kind.klass == _STRUCTURE:
        made = [_constant(m.name, m.offset, m.type) for m in kind.members]
        members = tuple(member for member in made if member is not None)
        if not members or len(members) != len(made):
            return None
        return Constant(name, offset, "struct", elements=kind.elements, members=members, used=used)
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
    )
    known = default is not None and len(default) == made.size_bytes
    return replace(made, default=default) if known else made


def _shape(klass: int, rows: int, columns: int) -> tuple[int, ...]:
    if klass == _SCALAR:
        return ()
    return (columns,) if klass == _VECTOR else (rows, columns)


def _holds_matrix(kind: Type) -> bool:
    """fxc writes a matrix's default column by column, whatever its layout: it is of no use."""
    if kind.klass in (_ROW_MATRIX, _COLUMN_MATRIX):
        return True
    return any(_holds_matrix(member.type) for member in kind.members)
