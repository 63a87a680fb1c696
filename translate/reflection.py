"""Reflection: names and types of resources, from RDEF or a listing's header comment.

Layouts: reference "RDEF" of the DXBC container; types have HLSL's packing as stored by fxc. The
variables of constant buffers and structures are converted for the interface, with NumPy types.
"""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from translate.dataclass import replace
from translate.interface import Constant
from translate.interface.binding import VECTOR_BYTES, ArrayType, DtypeData, StructureType, bytes_of

DOUBLE = 39

# D3D_SHADER_VARIABLE_TYPE -> (NumPy scalar type, printed name)
BASE_TYPES: dict[int, tuple[str, str]] = {
    1: ("<u4", "bool"),
    2: ("<i4", "int"),
    3: ("<f4", "float"),
    19: ("<u4", "uint"),
    DOUBLE: ("<f8", "double"),
    53: ("<f4", "min10float"),  # minimum precision still has 32 bits in memory
    54: ("<f4", "min16float"),
    55: ("<i4", "min12int"),
    56: ("<i4", "min16int"),
    57: ("<u4", "min16uint"),
}
NO_REGISTERS = (0xFFFFFFFF, 0)
_SCALAR, _VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _STRUCTURE = 0, 1, 2, 3, 5
_SCALAR_BYTES, _DOUBLE_BYTES = 4, 8
_USED = 2  # D3D_SVF_USED
_MOST = 4  # rows or columns of a matrix
_MAX_BYTES = 65536  # the largest constant buffer (FS §22.1); structures have at most 2048
_MOST_BYTES = 2**31 - 1  # of a type in NumPy
_DESCRIBED_BYTES = 64 * _MAX_BYTES  # the limit for the buffers of a shader


class Member(NamedTuple):
    """A member of a structure type; `offset` in bytes from the start of the structure."""

    name: str
    offset: int
    type: Type


class Type(NamedTuple):
    """D3D11_SHADER_TYPE_DESC; `klass` and `base` are its fields Class and Type.

    Classes: 0 scalar, 1 vector, 2 matrix (rows), 3 matrix (columns), 4 object, 5 structure.
    `elements` is the length of an array, 0 if this is not an array.
    """

    klass: int
    base: int
    rows: int
    columns: int
    elements: int = 0
    members: tuple[Member, ...] = ()
    name: str = ""


class Variable(NamedTuple):
    """A constant buffer's variable, or the `$Element` of a structured buffer; sizes in bytes.

    For a class instance, `textures` and `samplers` are its first register and the number of
    registers; otherwise NO_REGISTERS. An unused interface has offset 0xFFFFFFFF.
    """

    name: str
    offset: int
    size: int
    type: Type
    flags: int = 2
    default: bytes | None = None
    textures: tuple[int, int] = NO_REGISTERS
    samplers: tuple[int, int] = NO_REGISTERS


class BufferDefinition(NamedTuple):
    """A cbuffer or the "resource bind info" of a structured buffer; `size` in bytes.

    `kind`: 0 cbuffer, 1 tbuffer, 2 interface pointers, 3 resource bind info (D3D_CBUFFER_TYPE).
    """

    name: str
    kind: int
    size: int
    variables: tuple[Variable, ...]
    flags: int = 0

    @property
    def resource(self) -> str:
        """The name of its resource; fxc writes `$$` before that of a TextureBuffer<T>."""
        return self.name.removeprefix("$$")


class ResourceBinding(NamedTuple):
    """A row of the table of resource bindings; enums are D3D's numbers.

    `type` is D3D_SHADER_INPUT_TYPE, `return_type` D3D_RESOURCE_RETURN_TYPE, `dimension`
    D3D_SRV_DIMENSION, and `flags` D3D_SHADER_INPUT_FLAGS. For a structured buffer, `sample_count`
    is the stride.
    """

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
        """The register letters `cb`, `t`, `s` or `u`, from D3D_SHADER_INPUT_TYPE."""
        if self.type == 0:
            return "cb"
        if self.type == 3:
            return "s"
        return "t" if self.type in (1, 2, 5, 7) else "u"


class Reflection(NamedTuple):
    """The parts of RDEF that this project uses."""

    creator: str
    bindings: tuple[ResourceBinding, ...]
    buffers: tuple[BufferDefinition, ...]
    target: int = 0
    flags: int = 0

    def buffer(self, name: str) -> BufferDefinition | None:
        """Find a buffer definition by name."""
        return next((b for b in self.buffers if b.name == name), None)


def size_of(kind: Type, packed: bool) -> int:
    """The size of a type in bytes, including arrays; in constant buffers, without final padding."""
    one = _element_size(kind, packed)
    if not kind.elements:
        return one
    step = -(-one // 16) * 16 if packed else one
    return step * (kind.elements - 1) + one


def _element_size(kind: Type, packed: bool) -> int:
    if kind.klass == 5:
        end = max((m.offset + size_of(m.type, packed) for m in kind.members), default=0)
        # Outside of constant buffers, a structure with a double is padded to a multiple of 8 bytes.
        return -(-end // 8) * 8 if not packed and _holds_double(kind) else end
    width = 8 if kind.base == DOUBLE else 4
    if kind.klass <= 1:
        return width * max(1, kind.columns)
    outer, inner = (kind.rows, kind.columns) if kind.klass == 2 else (kind.columns, kind.rows)
    step = -(-inner * width // 16) * 16 if packed else inner * width
    return step * (outer - 1) + inner * width


def _holds_double(kind: Type) -> bool:
    return kind.base == DOUBLE or any(_holds_double(m.type) for m in kind.members)


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


class BufferTypes:
    """The NumPy types of a reflection's buffers, by their resources' names.

    An array whose elements do not fill whole vectors becomes one field for each element, so types
    can be much larger than the input. After `_DESCRIBED_BYTES` bytes, further buffers have no type.
    """

    def __init__(self, reflection: Reflection | None):
        buffers = reflection.buffers if reflection is not None else ()
        self.by_name = {buffer.resource: buffer for buffer in reversed(buffers)}
        for buffer in buffers:  # cs_5_1 has one for an array `A[2][3]`: `A[0][0]`
            self.by_name.setdefault(buffer.resource.partition("[0]")[0], buffer)
        self.room = _DESCRIBED_BYTES

    def dtype(self, name: str) -> DtypeData | None:
        """The type; None for an unknown buffer, or if `dtype_of_buffer` gives None."""
        buffer = self.by_name.get(name)
        if buffer is None:
            return None
        self.room -= buffer.size
        return dtype_of_buffer(buffer) if self.room >= 0 else None


def dtype_of_buffer(buffer: BufferDefinition) -> DtypeData | None:
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


def _element_of(element: Variable) -> DtypeData | None:
    dtype = _dtype(element.type, packed=False, size=element.size)
    return dtype if dtype is not None and bytes_of(dtype) == element.size else None


def _structure(fields: list[tuple[str, DtypeData | None, int]], size: int) -> DtypeData | None:
    """A structure of `size` bytes.

    None if a field has no type, two have the same name, or the fields do not fit into the size.
    """
    names = tuple(name for name, _, _ in fields)
    formats = tuple(dtype for _, dtype, _ in fields if dtype is not None)
    offsets = tuple(offset for _, _, offset in fields)
    if not fields or len(formats) < len(fields) or len(set(names)) < len(names):
        return None
    sizes = [bytes_of(dtype) for dtype in formats]
    # NumPy accepts any number of overlapping fields
    if max(map(add, offsets, sizes)) > size or sum(sizes) > size:
        return None
    if min(offsets) < 0 or size > _MOST_BYTES:
        return None
    return StructureType(names, formats, offsets, size)


def _dtype(kind: Type, *, packed: bool, size: int) -> DtypeData | None:
    """A variable's type. `packed`: constant buffers align elements and matrix rows to 16 bytes."""
    element = _element_dtype(kind, packed, size)
    if element is None or not kind.elements:
        return element
    if bytes_of(element) * kind.elements > _MAX_BYTES:
        return None
    if not packed:
        return ArrayType(element, (kind.elements,))
    # The last element is not padded, so the size of the array is not a multiple of the step. A
    # NumPy array of padded elements would overlap the next variable. So each element becomes a
    # field.
    step = -(-bytes_of(element) // 16) * 16
    if step == bytes_of(element):
        return ArrayType(element, (kind.elements,))
    return _structure([(f"e{i}", element, i * step) for i in range(kind.elements)], size)


def _element_dtype(kind: Type, packed: bool, size: int) -> DtypeData | None:
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
    scalar = BASE_TYPES[kind.base][0]
    if kind.klass == 0:
        return scalar
    if kind.klass == 1:
        return ArrayType(scalar, (kind.columns,))
    outer, inner = (kind.rows, kind.columns) if kind.klass == 2 else (kind.columns, kind.rows)
    if packed and inner * bytes_of(scalar) % 16:
        row = ArrayType(scalar, (inner,))
        step = -(-bytes_of(row) // 16) * 16
        total = step * (outer - 1) + bytes_of(row)
        return _structure([(f"r{i}", row, i * step) for i in range(outer)], total)
    return ArrayType(scalar, (outer, inner))
