"""Violations by instruction, races by lines, divergent barriers: tables with the source's lines.

Without debug information races are by instructions, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, zip_longest
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import translate
from translate.dataclass import dataclass
from translate.errors import (
    SourcePlace,
    Where,
    hlsl_place,
    hlsl_place_text,
    located_text,
    render_caret,
)
from translate.interface import TEXTURE, html_table
from vkrunner.report.records import (
    Violation,
    ViolationGroup,
    memory_text,
    signed_text,
    texel_text,
    without_empty,
)
from vkrunner.values.comparison import short_table, text_table

if TYPE_CHECKING:
    from translate import Program, reference

_HEADING = (
    *("count", "threads", "HLSL", "line", "instruction", "register", "memory", "what", "in D3D"),
    *("result", "for example"),
)
_BELOW = ("instruction", "for example")  # columns whose texts stand below the source line
T = TypeVar("T")
_Row = tuple[tuple[str, ...], "tuple[reference.Participant, reference.Participant]"]
_RACE_HEADING = ("count", "register", "first", "then", "for example")
_BARRIER_HEADING = ("count", "threads wait at", "others left at", "for example")


def summary_lines(
    groups: Sequence[ViolationGroup], program: Program | None, threads: int | None
) -> Iterator[str]:
    """A heading, and for each group a row; with `program` also its source line and an example."""
    source = SourceLines(program) if program is not None else None
    heading, *lines = text_table(summary_rows(groups, threads, _BELOW if source else ()))
    yield heading
    for group, line in zip(groups, lines, strict=True):
        yield line
        if source is not None:
            yield from source.caret(group.first, group.first.register).splitlines()
            yield f"     = instruction {group.first.instruction}: {_example(group.first)}"
    recorded, total = (sum(getattr(g, name) for g in groups) for name in ("recorded", "count"))
    if recorded < total:
        yield f"threads and examples are those of {recorded:,} violations; all were counted"


def summary_rows(
    groups: Sequence[ViolationGroup], threads: int | None = None, left_out: Sequence[str] = ()
) -> list[tuple[str, ...]]:
    """A heading, and a row for each group, without the columns that are empty or `left_out`."""
    rows = [_HEADING, *(_row(group, threads) for group in groups)]
    kept = [name not in left_out for name in _HEADING]
    return without_empty([tuple(compress(row, kept)) for row in rows])


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
        """The line of an instruction, with carets below the register or its name, each time."""
        _, number, text = self._line(place)
        if text is None:
            return ""
        name = self._names.get(register, register)
        spans = [*_spans(name, text)] or [*_spans(register.lower(), text.lower())]
        marked = [
            render_caret(Where(line=number, column=start + 1, length=end - start), text)
            for start, end in spans or [_code_of(text)]
        ]
        shown, _, _ = marked[0].partition("\n")
        carets = [
            below for line, _, below in (one.partition("\n") for one in marked) if line == shown
        ]
        return f"{shown}\n{''.join(map(max, zip_longest(*carets, fillvalue='')))}"

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
    lines = translate.disassemble(program, exact=True).splitlines()
    return lines[len(lines) - program.instruction_count :]


def _spans(name: str, text: str) -> Iterator[tuple[int, int]]:
    """The places at which a line has a name as a whole word, and not as a member."""
    start = text.find(name) if name else -1
    while start >= 0:
        end = start + len(name)
        before, after = text[:start][-1:], text[end : end + 1]
        if not (before == "." or _is_of_word(before) or _is_of_word(after)):
            yield start, end
        start = text.find(name, end)


def _is_of_word(character: str) -> bool:
    return character == "_" or character.isalnum()


def _code_of(text: str) -> tuple[int, int]:
    """Start and end of the code in a line, without the spaces around it and the comment."""
    code = text.split("//")[0].strip()
    start = text.find(code)
    return start, start + len(code)


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """The races, or divergent barriers, of two instructions.

    `count` counts all; `records` has at least one of them.
    """

    records: list[T]
    count: int


class ByInstructions(tuple[T, ...], Generic[T]):
    """Records that print as a table; `total` also counts those without a record."""

    total: int
    _noun: str
    _table: tuple[tuple[str, ...], ...]  # a heading, and the rows

    def __new__(
        cls,
        records: Iterable[T],
        noun: str = "",
        total: int = 0,
        table: Iterable[tuple[str, ...]] = (),
    ) -> Self:
        made = super().__new__(cls, records)
        made.total, made._noun, made._table = total, noun, tuple(table)
        return made

    @property
    def _caption(self) -> str:
        return f"{self._noun}: {self.total:,}"

    def __repr__(self) -> str:
        heading, *rows = self._table
        return "\n".join([self._caption, *short_table(heading, rows, len(rows))])

    def _repr_html_(self) -> str:
        heading, *rows = self._table
        return html_table(self._caption, rows, heading if self else ())


def finding_counts(findings: reference.Findings) -> list[tuple[int, str]]:
    """The numbers of races and divergent barriers, each with a noun."""
    return [(findings.race_count, "race"), (findings.divergent_barrier_count, "divergent barrier")]


def races_of(findings: reference.Findings) -> ByInstructions[reference.Race]:
    """The recorded races, which print by pairs of lines."""
    rows = (cells for cells, _ in map(_race_row, _by_lines(races_by_instructions(findings))))
    table = [_RACE_HEADING, *rows]
    return ByInstructions(findings.races, "races", findings.race_count, table)


def barriers_of(findings: reference.Findings) -> ByInstructions[reference.DivergentBarrier]:
    """The recorded divergent barriers, which print by pairs of instructions."""
    rows = (cells for cells, _ in map(_barrier_row, barriers_by_instructions(findings)))
    table = [_BARRIER_HEADING, *rows]
    total = findings.divergent_barrier_count
    return ByInstructions(findings.divergent_barriers, "divergent barriers", total, table)


def races_by_instructions(findings: reference.Findings) -> list[Pair[reference.Race]]:
    """The races by register and pair of instructions, those with most races first."""

    def key(one: reference.Race) -> tuple[str, int, int]:
        return one.register, one.first.instruction, one.second.instruction

    return _pairs(((key(one), one) for one in findings.races), findings.races_of)


def barriers_by_instructions(
    findings: reference.Findings,
) -> list[Pair[reference.DivergentBarrier]]:
    """The divergent barriers by the barrier and the instruction where threads left."""

    def key(one: reference.DivergentBarrier) -> tuple[int, int]:
        return one.arrived.instruction, one.missing.instruction

    keyed = ((key(one), one) for one in findings.divergent_barriers)
    return _pairs(keyed, findings.barriers_of)


def _pairs(keyed: Iterable[tuple[Hashable, T]], counts: Mapping[Any, int]) -> list[Pair[T]]:
    groups: dict[Hashable, list[T]] = defaultdict(list)
    for key, one in keyed:
        groups[key].append(one)
    found = [Pair(records, counts[key]) for key, records in groups.items()]
    return sorted(found, key=lambda pair: -pair.count)


def race_lines(findings: reference.Findings, program: Program | None) -> Iterator[str]:
    """A table of the races, one of the divergent barriers, and advice; an empty table is left out.

    With `program`, the source lines of its two instructions follow each row.
    """
    source = SourceLines(program) if program is not None else None
    races = [*map(_race_row, _by_lines(races_by_instructions(findings)))]
    barriers = [*map(_barrier_row, barriers_by_instructions(findings))]
    if races:
        yield f"races: {findings.race_count:,}"
        yield from _table(_RACE_HEADING, races, source)
    if barriers:
        yield f"divergent barriers: {findings.divergent_barrier_count:,}"
        yield from _table(_BARRIER_HEADING, barriers, source)
    if races or barriers:
        yield _advice(findings)


def _advice(findings: reference.Findings) -> str:
    if not findings.races:
        return "move the barrier out of the branch or loop, so that all threads reach it"
    if all(race.first.instruction == race.second.instruction for race in findings.races):
        return "let one thread store, or use an atomic operation: no barrier orders these stores"
    files = {race.register[0] for race in findings.races}
    memory = {"g": "Group", "u": "Device"}[files.pop()] if len(files) == 1 else "All"
    return (
        f"put a {memory}MemoryBarrierWithGroupSync() between the two, where every thread of the"
        " group reaches it; or, if several threads change one element, use an atomic operation"
    )


def _by_lines(pairs: Iterable[Pair[reference.Race]]) -> list[Pair[reference.Race]]:
    """One pair for all instructions of two lines of the HLSL, such as those of an unrolled loop."""
    groups: dict[Hashable, list[Pair[reference.Race]]] = defaultdict(list)
    for pair in pairs:
        race = pair.records[0]
        ends = race.first, race.second
        by_line = all(end.hlsl_line is not None for end in ends)
        places = [(end.hlsl_file, end.hlsl_line if by_line else end.instruction) for end in ends]
        groups[race.register, race.accesses, *places].append(pair)
    found = [
        Pair([race for pair in group for race in pair.records], sum(pair.count for pair in group))
        for group in groups.values()
    ]
    return sorted(found, key=lambda pair: -pair.count)


def _race_row(pair: Pair[reference.Race]) -> _Row:
    race = pair.records[0]
    ends = race.first, race.second
    sides = [one.first for one in pair.records], [one.second for one in pair.records]
    accesses = (
        f"{access} at {_place(side)}" for access, side in zip(race.accesses, sides, strict=True)
    )
    example = f"{race.place}, threads {race.first.place} and {race.second.place}"
    return (f"{pair.count:,}", race.register, *accesses, example), ends


def _place(side: Sequence[reference.Participant]) -> str:
    """The place of an instruction; of several of one line, their number."""
    instructions = {one.instruction for one in side}
    if len(instructions) == 1:
        return located_text(side[0])
    return f"{hlsl_place_text(side[0])}, {len(instructions)} instructions"


def _barrier_row(pair: Pair[reference.DivergentBarrier]) -> _Row:
    ends = arrived, missing = pair.records[0].arrived, pair.records[0].missing
    example = f"thread {arrived.place} waits, thread {missing.place} does not come"
    return (f"{pair.count:,}", located_text(arrived), located_text(missing), example), ends


def _table(heading: tuple[str, ...], rows: list[_Row], source: SourceLines | None) -> Iterator[str]:
    head, *lines = text_table([heading, *(cells for cells, _ in rows)])
    yield head
    for line, (_, ends) in zip(lines, rows, strict=True):
        yield line
        if source is not None:
            yield from "\n".join(dict.fromkeys(map(source.caret, ends))).splitlines()
