"""Print buffer definitions of fxc's header; `asm.header_types` shows the form and parses it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from translate.asm.header_words import BUFFER_KINDS
from translate.isa.instruction import SM5
from translate.reflection import BASE_TYPES, NO_REGISTERS, BufferDefinition, Type, Variable

_VECTOR, _ROW_MATRIX, _COLUMN_MATRIX, _STRUCTURE, _INTERFACE = 1, 2, 3, 5, 7
_USED = 2
_NOWHERE = 0xFFFFFFFF
_COMMENT_COLUMN = 40
_INDENT = "    "
_DWORDS_OF_A_LINE = 4
_DEEPEST = 32


def print_definition(buffer: BufferDefinition, version: tuple[int, int]) -> Iterator[str]:
    """The lines of a constant buffer, or of a structured buffer's element."""
    kind = BUFFER_KINDS.get(buffer.kind, "<unknown buffer type>")
    yield from (f"// {kind} {buffer.name}", "// {", "//")
    for number, variable in enumerate(buffer.variables):
        yield from _variable_lines(variable, number == 0, version >= SM5)
    yield from ("//", "// }")


def _variable_lines(variable: Variable, first: bool, named: bool) -> Iterator[str]:
    unused = "" if variable.flags & _USED else " [unused]"
    place = f"Offset: {variable.offset:>4} Size: {variable.size:>5}{unused}"
    if variable.offset == _NOWHERE:
        place = "Offset:  N/A Size:   N/A [unused]"
    yield from _field_lines(variable.name, variable.type, variable.offset, place, first, named, 0)
    yield from _register_lines(variable)
    yield from _default_lines(variable.default or b"")


def _field_lines(
    name: str, kind: Type, offset: int, place: str, first: bool, named: bool, depth: int
) -> Iterator[str]:
    """A field at an offset from the start of the buffer; a structure with all its members."""
    pad = f"//   {_INDENT * depth}"
    array = f"[{kind.elements}]" if kind.elements > 1 else ""
    if kind.klass != _STRUCTURE or depth > _DEEPEST:
        yield _placed(f"{pad}{_type_text(kind)} {name}{array};", place)
        return
    if not first:
        yield pad
    title = f" {kind.name}" if named and kind.name else ""
    yield from (f"{pad}struct{title}", f"{pad}{{", f"{pad}{_INDENT}")
    for number, member in enumerate(kind.members):
        at = offset + member.offset & _NOWHERE
        there = f"Offset: {at:>4}"
        yield from _field_lines(member.name, member.type, at, there, number == 0, named, depth + 1)
    yield from ("//", _placed(f"{pad}}} {name}{array};", place))


def _placed(text: str, place: str) -> str:
    return f"{text:<{_COMMENT_COLUMN}}// {place}"


def _type_text(kind: Type) -> str:
    """`float4x3`, `row_major float2x3`, `interface IOp`; for other objects their name."""
    if kind.klass == _INTERFACE:
        return f"interface {kind.name}"
    if kind.base not in BASE_TYPES:
        return kind.name
    base = BASE_TYPES[kind.base][1]
    if kind.klass in (_ROW_MATRIX, _COLUMN_MATRIX):
        order = "row_major " if kind.klass == _ROW_MATRIX else ""
        return f"{order}{base}{kind.rows}x{kind.columns}"
    return f"{base}{kind.columns}" if kind.klass == _VECTOR else base


def _register_lines(variable: Variable) -> Iterator[str]:
    """The texture and sampler registers of a class instance."""
    parts = [
        _registers(title, letter, registers)
        for title, letter, registers in (
            (("Texture:   ", "Textures:  "), "t", variable.textures),
            (("Sampler: ", "Samplers: "), "s", variable.samplers),
        )
        if registers != NO_REGISTERS and registers[1]
    ]
    if parts:
        yield " " * _COMMENT_COLUMN + f"// {', '.join(parts)}"


def _registers(titles: tuple[str, str], letter: str, registers: tuple[int, int]) -> str:
    first, count = registers
    if count == 1:
        return f"{titles[0]}{letter}{first}"
    return f"{titles[1]}{letter}{first}-{letter}{first + count - 1}"


def _default_lines(default: bytes) -> Iterator[str]:
    dwords = struct.unpack(f"<{len(default) // 4}I", default[: len(default) // 4 * 4])
    for start in range(0, len(dwords), _DWORDS_OF_A_LINE):
        sign = "=" if start == 0 else " "
        shown = "".join(f"0x{dword:08x} " for dword in dwords[start : start + _DWORDS_OF_A_LINE])
        yield f"//      {sign} {shown}"
