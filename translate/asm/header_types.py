"""Parse the definitions of constant buffers and structured buffers in fxc's header comment.

Source: listings of fxc 10.1, for reflections made to show every value; d3dcommon.h.

    // cbuffer Params
    // {
    //
    //   float3 gravity;                    // Offset:    0 Size:    12
    //      = 0x00000000 0xc11cf5c3 0x00000000
    //   struct Cell { ... } cells[4];      // Offset:   16 Size:    64
    //
    // }

The header gives members' offsets from the start of the buffer; RDEF gives them from the start of
their structure.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping

from translate.dataclass import dataclass, field
from translate.errors import shown
from translate.isa.instruction import SM5
from translate.reflection import (
    BASE_TYPES,
    NO_REGISTERS,
    BufferDefinition,
    Member,
    Type,
    Variable,
    size_of,
)

# D3D_CBUFFER_TYPE
BUFFER_KINDS = {0: "cbuffer", 1: "tbuffer", 2: "interfaces", 3: "Resource bind info for"}
# From D3D_SHADER_INPUT_TYPE to the columns type, format and dimension
UNFORMATTED: Mapping[int, tuple[str, str, str]] = {
    0: ("cbuffer", "NA", "NA"),
    1: ("tbuffer", "NA", "NA"),
    3: ("sampler", "NA", "NA"),
    5: ("texture", "struct", "r/o"),
    6: ("UAV", "struct", "r/w"),
    7: ("texture", "byte", "r/o"),
    8: ("UAV", "byte", "r/w"),
    9: ("UAV", "struct", "append"),
    10: ("UAV", "struct", "consume"),
    11: ("UAV", "struct", "r/w+cnt"),
}
TYPED = {2: "texture", 4: "UAV"}  # typed resources: the type column alone
SAMPLER = 3
COMPARISON_SAMPLER = "sampler_c"
STRUCTURED = "struct"
# D3D_RESOURCE_RETURN_TYPE and D3D_SRV_DIMENSION
RETURN_TYPES = {1: "unorm", 2: "snorm", 3: "sint", 4: "uint", 5: "float", 6: "mixed", 7: "double"}
MIXED = 6
DIMENSIONS = {
    1: "buf", 2: "1d", 3: "1darray", 4: "2d", 5: "2darray", 6: "2dMS", 7: "2darrayMS", 8: "3d",
    9: "cube", 10: "cubearray",
}  # fmt: skip
MULTISAMPLED = (6, 7)
COMPARISON = 2  # flag of a sampler
UNUSED = 16  # flag of a binding
COMPONENTS_SHIFT = 2  # flags: two bits, components - 1
NO_SAMPLES = 0xFFFFFFFF
UNBOUNDED = "unbounded"
NO_CREATOR = "Microsoft (R) D3D Shader Disassembler"  # printed if the container lacks RDEF
# By bit of SFI0
FEATURES = (
    "Double-precision floating point",
    "Early depth-stencil",
    "UAVs at every shader stage",
    "64 UAV slots",
    "Minimum-precision data types",
    "Double-precision extensions for 11.1",
    "Shader extensions for 11.1",
    "Comparison filtering for feature level 9",
    "Tiled resources",
    "PS Output Stencil Ref",
    "PS Inner Coverage",
    "Typed UAV Load Additional Formats",
    "Raster Ordered UAVs",
    "SV_RenderTargetArrayIndex or SV_ViewportArrayIndex from any shader feeding rasterizer",
)


_KINDS = {name: number for number, name in BUFFER_KINDS.items()}
_ELEMENTS = 3  # the definition of a structured buffer's element
INTERFACES = 2
_OPENING = re.compile(rf"//\s*({'|'.join(_KINDS)})\s+(\S+)")
_STRUCT = re.compile(r"//\s*struct(?:\s+(\S+))?")
_PLACE = re.compile(  # after a field's semicolon
    r"\s*+//\s*+Offset:\s*+(?P<offset>\d{1,10}|N/A)(?:\s++Size:\s*+(?P<size>\d{1,10}|N/A))?"
    r"\s*+(?P<unused>\[unused\])?"
)
_ELEMENTS_OF = re.compile(r"(.*)\[(\d{1,5})\]")
_NO_NAME = frozenset("[];{}")
_DEFAULT = re.compile(r"//\s*+(?:=\s*+)?((?:0x[0-9a-fA-F]{8}\s*+)++)")
_DWORD = re.compile("0x[0-9a-fA-F]{8}")  # spaces between dwords are optional
# The line below a class instance: its registers
_REGISTERS = re.compile(
    r"//\s*+(?:Textures?:\s*+t(?P<t>\d{1,4})(?:-t(?P<last_t>\d{1,4}))?)?,?\s*+"
    r"(?:Samplers?:\s*+s(?P<s>\d{1,4})(?:-s(?P<last_s>\d{1,4}))?)?"
)
_NUMERIC = re.compile(r"(row_major\s++)?([a-z]++(?:\d\d[a-z]++)?)([1-4])?(?:x([1-4]))?")
_BASES = {name: number for number, (_, name) in BASE_TYPES.items()}

_SCALAR, _VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _OBJECT, _STRUCTURE, _INTERFACE = 0, 1, 2, 3, 4, 5, 7
_INTERFACE_BASE = 37
_UNSIGNED = "uint"
_NOWHERE = "N/A"
_USED, _INTERFACE_POINTER = 2, 4
_LARGEST = 0xFFFFFFFF
_LARGEST_SHORT = 0xFFFF
_MAX_DEPTH = 16
_VECTOR_BYTES = 16
_LARGEST_DEFAULT = 1 << 16  # bytes of the largest constant buffer


@dataclass(slots=True)
class _Level:
    """A structure, or the buffer itself, while its fields are parsed.

    Offsets are from the start of the buffer.
    """

    name: str
    fields: list[tuple[str, int, Type]] = field(default_factory=list[tuple[str, int, Type]])


@dataclass(frozen=True, slots=True)
class _Field:
    """A line that declares a field; at the end of a structure, the type is `}`."""

    type: str
    name: str
    elements: int
    place: re.Match[str]


def _field(line: str) -> _Field | None:
    """Parse `//   float3 gravity[2];  // Offset: 0 Size: 28`; None for other lines."""
    declaration, _, rest = line.rpartition(";")
    place = _PLACE.fullmatch(rest)
    if place is None or not declaration.startswith("//"):
        return None
    declaration = declaration[2:].lstrip()
    array = _ELEMENTS_OF.fullmatch(declaration)
    declared = array[1] if array else declaration
    name = "".join(declared.replace("}", "} ").split()[-1:])
    kind = declared.removesuffix(name).rstrip()
    if not kind or not name or not declared.endswith(name) or not _NO_NAME.isdisjoint(name):
        return None
    return _Field(kind, name, int(array[2]) if array else 0, place)


def is_opening(comment: str) -> bool:
    """Whether a definition begins at this line."""
    return _OPENING.fullmatch(comment) is not None


def read_definition(
    comments: list[str], index: int, version: tuple[int, int]
) -> tuple[BufferDefinition | str, int]:
    """The definition that begins at this line, and the index of the next line to read.

    If none begins here, or if it is not in fxc's form, the line before the next to read is the
    first in another form; the definition is then the reason, which may be empty.
    """
    opening = _OPENING.fullmatch(comments[index])
    if opening is None:
        return "", index + 1
    reader = _Reader(_KINDS[opening[1]], version >= SM5)
    index += 1
    while index < len(comments):
        line = comments[index]
        if _OPENING.fullmatch(line) or not line.startswith("//"):
            return "", index
        index += 1
        if line.removeprefix("//").strip() == "}" and len(reader.levels) == 1:
            return reader.buffer(opening[2]), index
        if not reader.read(line):
            return reader.misfit, index
    return "", index


@dataclass(slots=True)
class _Reader:
    """Parses the lines of one definition. `named`: types have names (Shader Model 5 and later).

    `misfit` says what does not add up in the last line, if that is why it was refused.
    """

    kind: int
    named: bool
    misfit: str = ""
    levels: list[_Level] = field(default_factory=lambda: [_Level("")])
    variables: list[Variable] = field(default_factory=list[Variable])

    def read(self, line: str) -> bool:
        """Parse one line; False if it is not in a form known here."""
        if line.removeprefix("//").strip() in ("", "{"):
            return True
        if match := _STRUCT.fullmatch(line):
            self.levels.append(_Level(match[1] or ""))
            return len(self.levels) <= _MAX_DEPTH
        if found := _field(line):
            return self._read_field(found)
        if match := _DEFAULT.fullmatch(line):
            return self._read_default(match)
        if match := _REGISTERS.fullmatch(line):
            return self._read_registers(match)
        return False

    def _read_registers(self, match: re.Match[str]) -> bool:
        """Add textures and samplers to the last variable, and count them in its type."""
        if not self.variables or len(self.levels) > 1:
            return False
        variable = self.variables[-1]
        textures, samplers = (
            _registers(match["t"], match["last_t"]),
            _registers(match["s"], match["last_s"]),
        )
        if textures[1] < 0 or samplers[1] < 0:
            return False
        objects = (textures[1] + samplers[1]) // max(1, variable.type.elements)
        columns = variable.type.columns + objects & _LARGEST_SHORT
        kind = variable.type._replace(columns=columns)
        self.variables[-1] = variable._replace(type=kind, textures=textures, samplers=samplers)
        return True

    def _read_field(self, found: _Field) -> bool:
        place = found.place
        unused = place["offset"] == _NOWHERE  # an interface that is never called
        offset = _LARGEST if unused else int(place["offset"])
        size = 0 if unused or place["size"] == _NOWHERE else int(place["size"] or 0)
        if offset > _LARGEST or size > _LARGEST or found.elements > _LARGEST_SHORT:
            return False
        if found.type == "}":
            if len(self.levels) == 1:
                return False
            kind = self._structure(self.levels.pop(), offset)
        else:
            kind = self._type(found.type)
        if kind is None:
            return False
        kind = kind._replace(elements=found.elements)
        level = self.levels[-1]
        if self.kind != INTERFACES:
            self.misfit = self._misfit(found, level, offset, size, kind)
            if self.misfit:
                return False
        level.fields.append((found.name, offset, kind))
        if len(self.levels) == 1:
            flags = 0 if place["unused"] else _USED
            flags |= _INTERFACE_POINTER if self.kind == INTERFACES else 0
            self.variables.append(Variable(found.name, offset, size, kind, flags))
        return True

    def _misfit(self, found: _Field, level: _Level, offset: int, size: int, kind: Type) -> str:
        """Why a field does not fit its type or the field above it; empty if it does.

        fxc refuses fields that overlap, and prints sizes only of those of the buffer itself.
        """
        if kind.klass == _OBJECT:
            return f"{shown(found.type)} is not a numeric type"
        packed = self.kind != _ELEMENTS
        bytes_taken = size_of(kind, packed)
        if len(self.levels) == 1 and size != bytes_taken:
            return f"{shown(found.name)} takes {bytes_taken} bytes, not {size}"
        for name, at, above in level.fields[-1:]:
            if offset < at + size_of(above, packed) and at < offset + bytes_taken:
                return f"{shown(found.name)} overlaps {shown(name)}"
        return ""

    def _read_default(self, match: re.Match[str]) -> bool:
        """Append dwords to the last variable's default value, which may span several lines."""
        if not self.variables or len(self.levels) > 1:
            return False
        words = [int(word, 16) for word in _DWORD.findall(match[1])]
        variable = self.variables[-1]
        default = (variable.default or b"") + struct.pack(f"<{len(words)}I", *words)
        self.variables[-1] = variable._replace(default=default)
        return len(default) <= min(variable.size, _LARGEST_DEFAULT)

    def _structure(self, level: _Level, offset: int) -> Type | None:
        """The type of a structure that begins at `offset`."""
        if len(level.fields) > _LARGEST_SHORT or any(at < offset for _, at, _ in level.fields):
            return None
        members = tuple(Member(name, at - offset, kind) for name, at, kind in level.fields)
        components = sum(k.rows * k.columns * max(1, k.elements) for _, _, k in level.fields)
        name = level.name if self.named else ""
        return Type(_STRUCTURE, 0, 1, components & _LARGEST_SHORT, 0, members, name)

    def _type(self, text: str) -> Type | None:
        """Parse `float4x3`, `row_major float2x3`, `interface IOp`; other names are objects."""
        if text.startswith("interface "):
            return Type(_INTERFACE, _INTERFACE_BASE, 1, 4, 0, (), text.split()[1])
        match = _NUMERIC.fullmatch(text)
        if match is None or match[2] not in _BASES:
            return Type(_OBJECT, 0, 1, 1, 0, (), text if self.named else "")
        row_major, base, first, second = match.groups()
        name = text.removeprefix("row_major").strip() if self.named else ""
        if second is not None:
            klass = _ROW_MATRIX if row_major else _COLUMN_MATRIX
            return Type(klass, _BASES[base], int(first), int(second), 0, (), name)
        if first is not None:
            return Type(_VECTOR, _BASES[base], 1, int(first), 0, (), name)
        name = "dword" if name == _UNSIGNED else name  # RDEF's name for the scalar type
        return Type(_SCALAR, _BASES[base], 1, 1, 0, (), name)

    def buffer(self, name: str) -> BufferDefinition:
        """The finished definition; a constant buffer's size is rounded up to whole vectors.

        The size wraps at 2^32: fxc gives a buffer of interfaces the size 0 if one of them is
        unused.
        """
        end = max((v.offset + v.size for v in self.variables), default=0)
        if self.kind != _ELEMENTS:
            end = -(-end // _VECTOR_BYTES) * _VECTOR_BYTES
        variables = tuple(self.variables)
        return BufferDefinition(name, self.kind, end & _LARGEST, variables)


def _registers(first: str | None, last: str | None) -> tuple[int, int]:
    """The first register and the number of registers, which is -1 if `last` precedes `first`."""
    if first is None:
        return NO_REGISTERS
    count = int(last or first) - int(first) + 1
    return int(first), count if count > 0 else -1
