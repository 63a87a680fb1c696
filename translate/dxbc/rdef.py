"""RDEF, the reflection chunk: resource bindings, buffers, variables and types.

All records are reached by offsets, which in a damaged chunk may point anywhere. The work to read
the chunk, and the size of the result, are limited to a multiple of the chunk's size. Source:
reference "DXBC container", §4; D3D11_SHADER_TYPE_DESC and friends in d3d11shader.h.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from translate.dataclass import dataclass, field
from translate.errors import DecodeError, ProgramError, Where
from translate.reflection import (
    BufferDefinition,
    Member,
    Reflection,
    ResourceBinding,
    Type,
    Variable,
)

_EFFORT = 64  # limits the bytes read, and the variables' types and names, per byte of the payload
_MAX_TYPE_DEPTH = 32
_MIN_STRING = 4

_HEADER = struct.Struct("<7I")  # buffers, at, bindings, at, target, flags, creator
_BUFFER = struct.Struct("<6I")  # name, variables, at, size, flags, kind
_MEMBER = struct.Struct("<3I")  # name, type, offset
_BINDING = struct.Struct("<8I")  # name, then ResourceBinding's fields to flags
_VARIABLE = struct.Struct("<6I")  # name, offset, size, flags, type, default
_TYPE = struct.Struct("<6HI")  # class, base, rows, columns, elements, members, at


class _Layout(NamedTuple):
    """The records' sizes: Shader Model 5 extends most of them, 5.1 extends bindings again.

    `extension` is the block of structure sizes after the header; its last field is the number of
    interface slots, which this project does not use. Since Shader Model 5 a variable has textures
    and samplers (for class instances), and a type has its base class, interfaces and name.
    """

    extension: bytes
    binding: struct.Struct
    variable: struct.Struct
    type: struct.Struct


def _extension(magic: bytes, binding_size: int) -> bytes:
    return magic + struct.pack("<7I", 60, 24, binding_size, 40, 36, 12, 0)


_VARIABLE_FIELDS = 6
_VARIABLE_5 = struct.Struct("<10I")
_TYPE_5 = struct.Struct("<6H6I")
_BINDING_51 = struct.Struct("<10I")
_SM4 = _Layout(b"", _BINDING, _VARIABLE, _TYPE)
_SM5 = _Layout(_extension(b"RD11", 32), _BINDING, _VARIABLE_5, _TYPE_5)
_SM51 = _Layout(_extension(b"\x13\x13\x44\x25", 40), _BINDING_51, _VARIABLE_5, _TYPE_5)
_NO_BASE_OR_INTERFACES = (0, 0, 0, 0)
_COMPUTE_TARGET = 0x4353 << 16


def parse_rdef(payload: bytes) -> Reflection:
    """Parse RDEF. Raises DecodeError with an offset from the start of the payload."""
    return _Reader(payload).reflection()


def build_rdef(reflection: Reflection, version: tuple[int, int]) -> bytes:
    """Build RDEF; `version` decides the layout if the reflection has no target.

    Raises TranslateError for a number that its field cannot hold.
    """
    target = reflection.target or _COMPUTE_TARGET | version[0] << 8 | version[1]
    try:
        return _Writer(_layout_of_target(target)).payload(reflection, target)
    except struct.error as error:
        raise ProgramError(f"the reflection cannot be encoded: {error}") from None


def _layout_of_target(target: int) -> _Layout:
    model = target & 0xFFFF
    if model < 0x0500:
        return _SM4
    return _SM5 if model == 0x0500 else _SM51


@dataclass(eq=False, slots=True)
class _Reader:
    """Reads records by offset; `effort` is the amount of work that is still allowed."""

    data: bytes
    effort: int = 0
    layout: _Layout = _SM4
    strings: dict[int, str] = field(default_factory=dict[int, str])
    types: dict[int, tuple[Type, int]] = field(default_factory=dict[int, tuple[Type, int]])

    def reflection(self) -> Reflection:
        self.effort = _EFFORT * len(self.data)
        buffers, buffers_at, bindings, bindings_at, target, flags, creator = self._entry(_HEADER, 0)
        self.layout = self._find_layout()
        return Reflection(
            creator=self._string(creator) if creator else "",
            bindings=tuple(
                map(self._binding, self._table(self.layout.binding, bindings_at, bindings))
            ),
            buffers=tuple(map(self._buffer, self._table(_BUFFER, buffers_at, buffers))),
            target=target,
            flags=flags,
        )

    def _find_layout(self) -> _Layout:
        """Detect the layout by the extension's magic and size.

        The magic alone is not enough, because a name in its place may equal it.
        """
        start = self.data[_HEADER.size : _HEADER.size + 8]
        for layout in (_SM5, _SM51):
            if start == layout.extension[:8]:
                return layout
        return _SM4

    def _spend(self, amount: int, offset: int) -> None:
        self.effort -= amount
        if self.effort < 0:
            raise _error("entries share the same bytes too often", offset)

    def _entry(self, entry: struct.Struct, offset: int) -> tuple[int, ...]:
        if offset + entry.size > len(self.data):
            raise _error(f"an entry of {entry.size} bytes extends past its end", offset)
        self._spend(entry.size, offset)
        return entry.unpack_from(self.data, offset)

    def _table(self, entry: struct.Struct, offset: int, count: int) -> list[tuple[int, ...]]:
        """Read `count` consecutive entries."""
        if offset + count * entry.size > len(self.data):
            raise _error(f"{count} entries of {entry.size} bytes extend past its end", offset)
        return [self._entry(entry, offset + i * entry.size) for i in range(count)]

    def _string(self, offset: int) -> str:
        known = self.strings.get(offset)
        if known is not None:
            self._spend(len(known), offset)
            return known
        end = self.data.find(b"\0", offset)
        if end < 0:
            raise _error("a name does not end", offset)
        self._spend(end - offset + _MIN_STRING, offset)
        text = self.strings[offset] = self.data[offset:end].decode("latin-1")
        return text

    def _binding(self, entry: tuple[int, ...]) -> ResourceBinding:
        return ResourceBinding(self._string(entry[0]), *entry[1:])

    def _buffer(self, entry: tuple[int, ...]) -> BufferDefinition:
        name, count, offset, size, flags, kind = entry
        variables = tuple(map(self._variable, self._table(self.layout.variable, offset, count)))
        return BufferDefinition(self._string(name), kind, size, variables, flags)

    def _variable(self, entry: tuple[int, ...]) -> Variable:
        name, offset, size, flags, type_offset, default_offset = entry[:6]
        default = self._default(default_offset, size) if default_offset else None
        kind, nodes = self._type(type_offset, 0)
        self._spend(nodes, type_offset)
        variable = Variable(self._string(name), offset, size, kind, flags, default)
        if len(entry) == _VARIABLE_FIELDS:
            return variable
        textures, samplers = (entry[6], entry[7]), (entry[8], entry[9])
        return variable._replace(textures=textures, samplers=samplers)

    def _default(self, offset: int, size: int) -> bytes:
        if offset + size > len(self.data):
            raise _error(f"a default value of {size} bytes extends past its end", offset)
        self._spend(size, offset)
        return self.data[offset : offset + size]

    def _type(self, offset: int, depth: int) -> tuple[Type, int]:
        """The type, and the number of types in it and of letters of their names.

        Members of members count, each time.
        """
        known = self.types.get(offset)
        if known is not None:
            return known
        if depth > _MAX_TYPE_DEPTH:
            raise _error(f"types nest deeper than {_MAX_TYPE_DEPTH}", offset)
        entry = self._entry(self.layout.type, offset)
        klass, base, rows, columns, elements, count, members_at = entry[:7]
        name = self._string(entry[-1]) if len(entry) > 7 and entry[-1] else ""
        nodes = 1 + len(name)
        members: list[Member] = []
        for name_at, member_type, member_offset in self._table(_MEMBER, members_at, count):
            kind, inner = self._type(member_type, depth + 1)
            members.append(Member(self._string(name_at), member_offset, kind))
            nodes += inner + len(members[-1].name)
        result = Type(klass, base, rows, columns, elements, tuple(members), name)
        self.types[offset] = (result, nodes)
        return result, nodes


def _error(message: str, offset: int) -> DecodeError:
    return DecodeError(message, Where(offset=offset))


@dataclass(eq=False, slots=True)
class _Writer:
    """Appends to `data`; equal strings and types are written once."""

    layout: _Layout
    data: bytearray = field(default_factory=bytearray)
    strings: dict[str, int] = field(default_factory=dict[str, int])
    types: dict[Type, int] = field(default_factory=dict[Type, int])

    def payload(self, reflection: Reflection, target: int) -> bytes:
        self._append(bytes(_HEADER.size))
        self._append(self.layout.extension)
        bindings = self._table(self.layout.binding, [self._binding(b) for b in reflection.bindings])
        buffers = self._table(_BUFFER, [self._buffer(b) for b in reflection.buffers])
        creator = self._string(reflection.creator)
        counts = (len(reflection.buffers), buffers, len(reflection.bindings), bindings)
        _HEADER.pack_into(self.data, 0, *counts, target, reflection.flags, creator)
        return bytes(self.data)

    def _append(self, data: bytes) -> int:
        """Append data, padded to whole dwords, and return their offset."""
        offset = len(self.data)
        self.data += data + b"\xab" * (-len(data) % 4)
        return offset

    def _table(self, entry: struct.Struct, rows: list[tuple[int, ...]]) -> int:
        return self._append(b"".join(entry.pack(*row) for row in rows)) if rows else 0

    def _string(self, text: str) -> int:
        if text not in self.strings:
            self.strings[text] = self._append(text.encode("latin-1", "replace") + b"\0")
        return self.strings[text]

    def _binding(self, binding: ResourceBinding) -> tuple[int, ...]:
        entry = (
            self._string(binding.name),
            binding.type,
            binding.return_type,
            binding.dimension,
            binding.sample_count,
            binding.bind_point,
            binding.bind_count,
            binding.flags,
        )
        more = (binding.space, binding.range_id)
        return entry + more if self.layout.binding is _BINDING_51 else entry

    def _buffer(self, buffer: BufferDefinition) -> tuple[int, ...]:
        rows = [self._variable(v) for v in buffer.variables]
        variables = self._table(self.layout.variable, rows)
        name = self._string(buffer.name)
        return (name, len(rows), variables, buffer.size, buffer.flags, buffer.kind)

    def _variable(self, variable: Variable) -> tuple[int, ...]:
        default = self._append(variable.default) if variable.default else 0
        kind = self._type(variable.type)
        name = self._string(variable.name)
        entry = (name, variable.offset, variable.size, variable.flags, kind, default)
        registers = (*variable.textures, *variable.samplers)
        return entry if self.layout is _SM4 else entry + registers

    def _type(self, kind: Type) -> int:
        if kind in self.types:
            return self.types[kind]
        rows = [(self._string(m.name), self._type(m.type), m.offset) for m in kind.members]
        shape = (kind.klass, kind.base, kind.rows, kind.columns, kind.elements, len(rows))
        entry = (*shape, self._table(_MEMBER, rows))
        if self.layout is not _SM4:
            entry += (*_NO_BASE_OR_INTERFACES, self._string(kind.name) if kind.name else 0)
        self.types[kind] = self._append(self.layout.type.pack(*entry))
        return self.types[kind]
