"""Source locations, and instructions that state them: OpLine, NonSemantic.Shader.DebugInfo.100.

Debuggers such as RenderDoc use the latter to step through the source; drivers ignore it. All its
operands are ids, even constants. Source: SPIR-V specification §2.4 "Logical Layout of a Module",
§3.49.3 "Debug Instructions"; the extended instruction set's specification;
SPV_KHR_non_semantic_info.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import NamedTuple

from translate.dataclass import dataclass
from translate.errors import Where
from translate.ir.tables import Tables
from translate.ir.values import Block, walk
from translate.spirv.code import Code
from translate.spirv.grammar import Debug, DebugFlags, Op, SourceLanguage
from translate.spirv.sections import NO_NAMES, Names, Sections, Words, put
from translate.target_device import TargetDevice

_WITHOUT = (Op.Label, Op.Phi)  # must not be preceded by location instructions
_SET = "NonSemantic.Shader.DebugInfo.100"
EXTENSION = "SPV_KHR_non_semantic_info"  # part of SPIR-V 1.6
_VERSION, _DWARF = 1, 4
_CLASS = 0  # the tag of a composite type
_MOST_CHARACTERS = 16000  # in a string; SPIR-V allows 65,535 bytes (§2.17)


class Location(NamedTuple):
    """A place in the source; lines and columns count from 1, and are 0 if unknown.

    `file` is an index of `Sources.files`, `end` the last column.
    """

    file: int
    line: int
    column: int = 0
    end: int = 0


NO_LOCATION = Location(0, 0)


class SourceFile(NamedTuple):
    """A source file; `text` is None if unknown."""

    name: str
    text: str | None = None


@dataclass(frozen=True)
class Sources:
    """The source of a module.

    `files` are the source files, the entry point's first; `language` is a SourceLanguage. `locate`
    returns an instruction's place, or None if the source lacks it. `entry` is the entry point,
    `producer` the translator, `names` the source's names of registers.
    """

    files: tuple[SourceFile, ...]
    locate: Callable[[Where], Location | None]
    language: int = SourceLanguage.Unknown
    entry: str = "main"
    producer: str = ""
    names: Names = NO_NAMES


class Lines(ABC):
    """Emits the source locations of instructions, as OpLine or as NonSemantic debug info.

    A location applies until the next one or the end of the block.
    """

    def __init__(self, sections: Sections, sources: Sources):
        self.sections = sections
        self.sources = sources
        self._place = Location(0, 1)
        self._written: Location | None = None

    def enter(self, function: int, name: str, body: Block) -> Words:
        """Begin a function; returns its first instructions."""
        self._place, self._written = _first_location(self.sources, body), None
        return []

    def begin(self) -> None:
        """Begin a block."""
        self._written = None

    def at(self, where: Where) -> None:
        """Set the location of the following instructions; unchanged if the source lacks it."""
        self._place = self.sources.locate(where) or self._place

    def due(self) -> Words:
        """The location instructions that are needed before the next instruction."""
        if self._place == self._written:
            return []
        opens = self._written is None
        self._written = self._place
        return self.line(self._place, opens=opens)

    @abstractmethod
    def line(self, place: Location, *, opens: bool) -> Words:
        """The instructions for a location; `opens` means the first one in a block."""

    @abstractmethod
    def helper(self, function: int, name: str) -> Words:
        """The first instructions of a function without a place in the source."""


class OpLines(Lines):
    """Emits locations as OpLine."""

    def line(self, place: Location, *, opens: bool) -> Words:
        words: Words = []
        file = self.sections.string(self.sources.files[place.file].name)
        put(words, Op.Line, file, place.line, place.column)
        return words

    def helper(self, function: int, name: str) -> Words:
        return self.line(NO_LOCATION, opens=True)


def _first_location(sources: Sources, body: Block) -> Location:
    """The place of a body's first instruction with a place; the first line if none has one."""
    places = [value.where for value in walk(body) if value.where.instruction is not None]
    ordered = sorted(places, key=lambda where: where.instruction or 0)
    found = (sources.locate(where) for where in ordered)
    return next((place for place in found if place is not None), Location(0, 1))


class LocatedCode(Code):
    """`Code` that inserts location instructions, in each form of `lines`."""

    def __init__(
        self,
        sections: Sections,
        tables: Tables,
        device: TargetDevice,
        lines: list[Lines],
    ):
        super().__init__(sections, tables, device)
        self._lines = lines

    def enter(self, function: int, name: str, body: Block) -> None:
        for lines in self._lines:
            self.body += lines.enter(function, name, body)

    def begin(self, label: int) -> None:
        super().begin(label)
        for lines in self._lines:
            lines.begin()

    def at(self, where: Where) -> None:
        for lines in self._lines:
            lines.at(where)

    def instruct(self, op: int, type_id: int, *operands: int) -> int:
        self._locate(op)
        return super().instruct(op, type_id, *operands)

    def effect(self, op: int, *operands: int) -> None:
        self._locate(op)
        super().effect(op, *operands)

    def helper(self, function: int, name: str) -> Words:
        return [word for lines in self._lines for word in lines.helper(function, name)]

    def _locate(self, op: int) -> None:
        if op not in _WITHOUT:
            for lines in self._lines:
                self.body += lines.due()


class DebugInfo(Lines):
    """Emits debug info: files and functions in the module's section, scopes and lines in code."""

    def __init__(self, sections: Sections, sources: Sources):
        super().__init__(sections, sources)
        self._set = sections.extended(_SET)
        self._files = [self._file(file) for file in sources.files]
        unit = (_VERSION, _DWARF, None, sources.language)
        numbers = [self._files[0] if n is None else sections.u32(n) for n in unit]
        self._unit = self._declare(Debug.CompilationUnit, *numbers)
        self._flags = sections.u32(DebugFlags.IsPublic | DebugFlags.IsDefinition)
        self._type = self._declare(Debug.TypeFunction, self._flags, sections.void)
        self._empty = sections.string("")
        self._kinds: dict[str, int] = {}
        self._entry = self._scope = 0

    def enter(self, function: int, name: str, body: Block) -> Words:
        super().enter(function, name, body)
        shown = name if self._entry else self.sources.entry
        self._scope = self._function(shown, self._place, self._flags)
        if not self._entry:
            self._entry = self._scope
            producer = self.sections.string(self.sources.producer)
            self._declare(Debug.EntryPoint, self._scope, self._unit, producer, self._empty)
        return self._instruction(Debug.FunctionDefinition, self._scope, function)

    def line(self, place: Location, *, opens: bool) -> Words:
        scope = self._instruction(Debug.Scope, self._scope) if opens else []
        return scope + self._line(place)

    def helper(self, function: int, name: str) -> Words:
        flags = self.sections.u32(DebugFlags.Artificial | DebugFlags.IsDefinition)
        scope = self._function(name, NO_LOCATION, flags)
        return [
            *self._instruction(Debug.FunctionDefinition, scope, function),
            *self._instruction(Debug.Scope, scope),
            *self._line(NO_LOCATION),
        ]

    def variable(self, number: int, name: str, kind: str) -> None:
        """Declare a resource's variable with an opaque type."""
        if kind not in self._kinds:
            self._kinds[kind] = self._opaque(kind)
        text = self.sections.string(name)
        operands = (text, self._kinds[kind], *self._nowhere(), text, number, self._flags)
        self._declare(Debug.GlobalVariable, *operands)

    def _opaque(self, kind: str) -> int:
        """A type of unknown size."""
        sections, nothing = self.sections, self._declare(Debug.InfoNone)
        name, linkage, tag = (
            sections.string(kind),
            sections.string(f"@{kind}"),
            sections.u32(_CLASS),
        )
        operands = (name, tag, *self._nowhere(), linkage, nothing, self._flags)
        return self._declare(Debug.TypeComposite, *operands)

    def _nowhere(self) -> tuple[int, int, int, int]:
        """File, line, column and scope for a declaration without a known place."""
        zero = self.sections.u32(0)
        return self._files[0], zero, zero, self._unit

    def _function(self, name: str, place: Location, flags: int) -> int:
        text, line = self.sections.string(name), self.sections.u32(place.line)
        column, file = self.sections.u32(place.column), self._files[place.file]
        return self._declare(
            Debug.Function, text, self._type, file, line, column, self._unit, text, flags, line
        )

    def _line(self, place: Location) -> Words:
        numbers = (place.line, place.line, place.column, place.end)
        operands = [self.sections.u32(number) for number in numbers]
        return self._instruction(Debug.Line, self._files[place.file], *operands)

    def _file(self, file: SourceFile) -> int:
        """Declare a file with its text, split as needed."""
        name = self.sections.string(file.name)
        if file.text is None:
            return self._declare(Debug.Source, name)
        first, *rest = _pieces(file.text)
        number = self._declare(Debug.Source, name, self.sections.string(first))
        for piece in rest:
            self._declare(Debug.SourceContinued, self.sections.string(piece))
        return number

    def _declare(self, instruction: int, *operands: int) -> int:
        """Append an instruction to the module's section and return its id."""
        words = self._instruction(instruction, *operands)
        self.sections.debug += words
        return words[2]

    def _instruction(self, instruction: int, *operands: int) -> Words:
        sections, words = self.sections, list[int]()
        put(words, Op.ExtInst, sections.void, sections.id(), self._set, instruction, *operands)
        return words


def _pieces(text: str) -> Iterator[str]:
    """Split a text into strings of valid length; replace NULs, which end strings."""
    shown = text.replace("\0", "\ufffd")
    for start in range(0, max(1, len(shown)), _MOST_CHARACTERS):
        yield shown[start : start + _MOST_CHARACTERS]
