"""The violations of a dispatch by instruction: a table with source lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import translate
from translate.errors import SourcePlace, Where, render_caret
from vkrunner.values.comparison import text_table
from vkrunner.work.report import (
    Violation,
    ViolationGroup,
    memory_text,
    signed_text,
    without_empty,
)

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
    if first.kind != "raw_buffer":
        place = f"index {signed_text(first.index)}" + (f", {place}" if first.byte_offset else "")
    return f"{place} in thread {','.join(map(str, first.thread))}"


class SourceLines:
    """The source lines of a shader's instructions: HLSL, the listing, or the disassembly."""

    def __init__(self, program: Program):
        self._program = program
        self._listing = translate.disassemble(program).splitlines()
        reflected = program.reflection.bindings if program.reflection else ()
        self._names = {f"{one.register_prefix}{one.bind_point}": one.name for one in reflected}

    def caret(self, place: SourcePlace, register: str = "") -> str:
        """The line of an instruction, with carets below the register or its name."""
        number, text = self._line(place)
        if text is None:
            return ""
        name = self._names.get(register, register)
        found = _span(name, text) or _span(register.lower(), text.lower()) if register else None
        start, end = found or _code_of(text)
        return render_caret(Where(line=number, column=start + 1, length=end - start), text)

    def _line(self, place: SourcePlace) -> tuple[int, str | None]:
        """A number and the source line: of the HLSL, else of the listing.

        For a container without debug information the instruction's number and its disassembly.
        """
        hlsl = self._program.hlsl_files.get(place.hlsl_file or "")
        lines = hlsl.splitlines() if hlsl is not None else []
        if place.hlsl_line is not None and place.hlsl_line <= len(lines):
            return place.hlsl_line, lines[place.hlsl_line - 1]
        if place.line is not None:
            return place.line, self._program.source_line(Where(line=place.line))
        if place.instruction is None:
            return 0, None
        declared = len(self._listing) - self._program.instruction_count
        return place.instruction, self._listing[declared + place.instruction]


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
