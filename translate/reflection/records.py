"""The records of RDEF, or of a listing's header comment: names, types and bindings.

Layouts: reference "RDEF" of the DXBC container; types have HLSL's packing as stored by fxc.
"""

from __future__ import annotations

from typing import NamedTuple

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
