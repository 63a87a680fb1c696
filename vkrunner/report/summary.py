"""The violations of a dispatch by instruction: a table with source lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import translate
from translate.errors import SourcePlace, Where, hlsl_place, render_caret
from translate.interface import TEXTURE
from vkrunner.report.records import (
    Violation,
    ViolationGroup,
    memory_text,
    signed_text,
    texel_text,
    without_empty,
)
from vkrunner.values.comparison import text_table

if TYPE_CHECKING:
    from translate import Program

_HEADING = (
    *("count", "threads", "HLSL", "line", "instruction", "register", "memory", "what", "in D3D"),
    *("result", "for example"),
)


def summary_lines(
    groups: Sequence[ViolationGroup], program: Program | None, threads: int | None
) -> Iterator[str]:
    """A heading, and for each group a row and its source line."""
    heading, *lines = text_table(summary_rows(groups, threads))
    yield heading
    source = SourceLines(program) if program is not None else None
    for group, line in zip(groups, lines, strict=True):
        yield line
        if source is not None:
            yield from source.caret(group.first, group.first.register).splitlines()
    recorded, total = (sum(getattr(g, name) for g in groups) for name in ("recorded", "count"))
    if recorded < total:
        yield f"threads and examples are those of {recorded:,} violations; all were counted"


def summary_rows(
    groups: Sequence[ViolationGroup], threads: int | None = None
) -> list[tuple[str, ...]]:
    """A heading, and a row for each group, without empty columns."""
    return without_empty([_HEADING, *(_row(group, threads) for group in groups)])


def _row(group: ViolationGroup, threads: int | None) -> tuple[str, ...]:
    first = group.first
    return (
        f"{group.count:,}",
        _threads_text(group, threads),
        first.hlsl_place,
        "" if first.line is None else str(first.line),
        str(first.instruction),
        first.register,
        memory_text(first),
        ", ".join(group.causes),
        "defined" if first.defined else "undefined",
        "unused" if first.is_harmless else "",
        _example(first),
    )


def _threads_text(group: ViolationGroup, threads: int | None) -> str:
    """The number and share of threads; `>=` before them if some violations were not recorded."""
    least = ">=" if group.recorded < group.count else ""
    text = f"{least}{group.threads:,}"
    return f"{text} ({least}{100 * group.threads / threads:.3g} %)" if threads else text


def _example(first: Violation) -> str:
    place = f"offset {first.byte_offset:#x}"
    if first.kind == TEXTURE:
        place = texel_text(first)
    elif first.kind != "raw_buffer":
        place = f"index {signed_text(first.index)}" + (f", {place}" if first.byte_offset else "")
    return f"{place} in thread {','.join(map(str, first.thread))}"


class SourceLines:
    """The source lines of a shader's instructions: HLSL, the listing, or the disassembly."""

    def __init__(self, program: Program):
        self._program = program
        self._places = {
            s.where.instruction: s.where for s in program.statements if not s.row.is_declaration
        }
        self._hlsl = {name: text.splitlines() for name, text in program.hlsl_files.items()}
        self._disassembly = instruction_lines(program)
        reflected = program.reflection.bindings if program.reflection else ()
        self._names = {f"{one.register_prefix}{one.bind_point}": one.name for one in reflected}

    def caret(self, place: SourcePlace, register: str = "") -> str:
        """The line of an instruction, with carets below the register or its name."""
        _, number, text = self._line(place)
        if text is None:
            return ""
        name = self._names.get(register, register)
        found = _span(name, text) or _span(register.lower(), text.lower()) if register else None
        start, end = found or _code_of(text)
        return render_caret(Where(line=number, column=start + 1, length=end - start), text)

    def text(self, instruction: int) -> str:
        """The line of an instruction after its place: `blur.hlsl:12: sum += picture[at];`."""
        place, _, text = self._line(self._places[instruction])
        return f"{place}: {(text or '').strip()}"

    def _line(self, place: SourcePlace) -> tuple[str, int, str | None]:
        """A place, its number and the source line: of the HLSL, else of the listing.

        For a container without debug information the instruction's number and its disassembly.
        """
        line, lines = place.hlsl_line, self._hlsl.get(place.hlsl_file or "", [])
        if line is not None and line <= len(lines):
            return hlsl_place(place.hlsl_file, line), line, lines[line - 1]
        name, number = f"instruction {place.instruction}", place.instruction
        if place.line is not None:
            return name, place.line, self._program.source_line(Where(line=place.line))
        return name, number or 0, None if number is None else self._disassembly[number]


def instruction_lines(program: Program) -> list[str]:
    """The disassembly of each instruction, without the declarations before them."""
    lines = translate.disassemble(program).splitlines()
    return lines[len(lines) - program.instruction_count :]


def _span(name: str, text: str) -> tuple[int, int] | None:
    """The first place at which a line has a name as a whole word, and not as a member."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, after = text[:start][-1:], text[end : end + 1]
        if not (before == "." or _is_of_word(before) or _is_of_word(after)):
            return start, end
        start = text.find(name, end)
    return None


def _is_of_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def _code_of(text: str) -> tuple[int, int]:
    """Start and end of the code in a line, without the spaces around it and the comment."""
    code = text.split("//")[0].strip()
    start = text.find(code)
    return start, start + len(code)
