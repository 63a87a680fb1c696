"""The source for a module's debug information: the HLSL files or a listing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from translate.errors import Where
from translate.interface import Binding, Constant
from translate.interface.binding import COUNTER
from translate.ir.values import Module
from translate.program import Program
from translate.spirv.grammar import SourceLanguage
from translate.spirv.locations import Location, SourceFile, Sources
from translate.spirv.sections import Names
from translate.version import VERSION

_LISTING = "listing"  # the name of a listing without a file
_DWORD_BYTES = 4


def lines_of(module: Module, file: str | None) -> Sources | None:
    """The source lines for OpLine: HLSL lines if the instructions have them, else listing lines.

    None for a container without debug information, which has neither.
    """
    places = [value.where for value in module.walk()]
    names = dict.fromkeys(p.hlsl_file for p in places if p.hlsl_file and p.hlsl_line)
    if names:
        return _hlsl([SourceFile(name) for name in names])
    if any(place.line is not None for place in places):
        return Sources((SourceFile(file or _LISTING),), _in_listing)
    return None


def source_of(module: Module, program: Program | None, bindings: Sequence[Binding]) -> Sources:
    """The source text and names for debug information: the program's HLSL, else its listing.

    If `program` is None, only the files' names are known.
    """
    if program is None:
        known = lines_of(module, None) or Sources((SourceFile(_LISTING),), _in_listing)
    else:
        known = _hlsl_of(program) or _listing_of(program)
    return Sources(
        known.files,
        known.locate,
        known.language,
        known.entry,
        f"sm5vk {VERSION}",
        _names(bindings),
    )


def _hlsl_of(program: Program) -> Sources | None:
    """The program's HLSL files and lines; None without debug information.

    Files with text come first; `#line` may name further ones.
    """
    places = [s.where for s in program.statements if s.where.hlsl_line is not None]
    if not program.hlsl_files or not places:
        return None
    named = {place.hlsl_file: None for place in places if place.hlsl_file is not None}
    texts = {**named, **program.hlsl_files}
    files = [SourceFile(name, texts[name]) for name in {**program.hlsl_files, **named}]
    return _hlsl(files, program.hlsl_entry)


def _hlsl(files: Sequence[SourceFile], entry: str | None = None) -> Sources:
    numbers = {file.name: number for number, file in enumerate(files)}

    def locate(where: Where) -> Location | None:
        number = numbers.get(where.hlsl_file or "")
        if number is None or where.hlsl_line is None:
            return None
        return Location(number, where.hlsl_line)

    return Sources(tuple(files), locate, SourceLanguage.HLSL, entry or "main")


def _listing_of(program: Program) -> Sources:
    """The program's own listing, or the disassembly of a container as the file `NAME.asm`."""
    if program.source_lines is not None:
        text = "\n".join(program.source_lines)
        return Sources((SourceFile(program.file or _LISTING, text),), _in_listing)
    from translate.asm import print_listing  # only debug information needs it

    text = print_listing(program)
    name = _LISTING if program.file is None else f"{program.file}.asm"
    first = (
        text.count("\n") - program.instruction_count + 1
    )  # declarations, then an instruction a line

    def locate(where: Where) -> Location | None:
        return None if where.instruction is None else Location(0, first + where.instruction)

    return Sources((SourceFile(name, text),), locate)


def _in_listing(where: Where) -> Location | None:
    if where.line is None:
        return None
    column = where.column or 0
    return Location(0, where.line, column, column and column + where.length)


def _names(bindings: Sequence[Binding]) -> Names:
    """The HLSL names of registers and of the variables in constant buffers."""
    shown = [b for b in bindings if b.name is not None and b.kind != COUNTER]
    constants = {b.register: b.constants or () for b in shown}

    def constant(register: str, dword: int) -> str | None:
        return _path(constants.get(register, ()), _DWORD_BYTES * dword)

    return Names({b.register: b.name or b.register for b in shown}, constant)


def _path(constants: Iterable[Constant], offset: int) -> str | None:
    """The variable at an offset, spelled as in HLSL: `lights[1].colour.x`, `world[0][3]`."""
    for constant in constants:
        rest = offset - constant.offset
        if 0 <= rest < constant.size_bytes:
            return _within(constant, rest)
    return None


def _within(constant: Constant, offset: int) -> str | None:
    """The part of a variable at an offset from its start, spelled as in HLSL."""
    name = constant.name
    if constant.elements:
        index, offset = divmod(offset, constant.stride)
        name += f"[{index}]"
    if offset >= constant.element_bytes:
        return None
    if constant.members:
        inner = _path(constant.members, offset)
        return None if inner is None else f"{name}.{inner}"
    if not constant.shape:
        return name
    scalar_bytes = 8 if constant.type == "double" else _DWORD_BYTES
    if len(constant.shape) == 1:
        return f"{name}.{'xyzw'[offset // scalar_bytes]}"
    major, offset = divmod(offset, constant.row_stride)
    minor = offset // scalar_bytes
    row, column = (minor, major) if constant.column_major else (major, minor)
    return f"{name}[{row}][{column}]"
