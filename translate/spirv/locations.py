"""Source locations, and the instructions that state them.

Source: SPIR-V specification §2.4 "Logical Layout of a Module", §3.49.3 "Debug Instructions".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from translate.errors import Where
from translate.ir.tables import Tables
from translate.ir.values import Block, walk
from translate.spirv.code import Code
from translate.spirv.grammar import Op, SourceLanguage
from translate.spirv.sections import NO_NAMES, Names, Sections, Words, put
from translate.target_device import TargetDevice

_WITHOUT = (Op.Label, Op.Phi)  # must not be preceded by location instructions


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
