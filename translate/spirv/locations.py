"""Locations: where in the source instructions come from, and what says so in front of them.

Source: SPIR-V specification §2.4 "Logical Layout of a Module", §3.49.3 "Debug Instructions".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from translate.errors import Where
from translate.ir.tables import Tables
from translate.ir.values import Block, walk
from translate.spirv.code import Code
from translate.spirv.grammar import Op
from translate.spirv.sections import NO_NAMES, Names, Sections, Words, put

_WITHOUT = (Op.Label, Op.Phi)  # nothing may stand in front of them


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file of `Sources`, by its number there; lines and columns from 1, 0 for none.

    `end` is the last column.
    """

    file: int
    line: int
    column: int = 0
    end: int = 0


NO_LOCATION = Location(0, 0)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that instructions come from; `text` is None where it is not known."""

    name: str
    text: str | None = None


@dataclass(frozen=True)
class Sources:
    """The source of a module.

    `files` are the source, the one with the entry point first, in the language of that number
    (SourceLanguage). `locate` gives an instruction's place, None for what the source does not have.
    `entry` is its entry point, `producer` what translates it, `names` what it calls registers.
    """

    files: tuple[SourceFile, ...]
    locate: Callable[[Where], Location | None]
    language: int = 0
    entry: str = "main"
    producer: str = ""
    names: Names = NO_NAMES


class Lines(ABC):
    """Writes the locations of instructions in one form.

    A location is in force up to the next one, and up to the end of the block.
    """

    def __init__(self, sections: Sections, sources: Sources):
        self.sections = sections
        self.sources = sources
        self._place = Location(0, 1)
        self._written: Location | None = None

    def enter(self, function: int, name: str, body: Block) -> Words:
        """Begin a function; gives what stands first in it."""
        self._place, self._written = _first_location(self.sources, body), None
        return []

    def begin(self) -> None:
        """Begin a block."""
        self._written = None

    def at(self, where: Where) -> None:
        """What follows comes from there, or from where it did before if that is no such place."""
        self._place = self.sources.locate(where) or self._place

    def due(self) -> Words:
        """The location instructions before the next instruction."""
        if self._place == self._written:
            return []
        opens = self._written is None
        self._written = self._place
        return self.line(self._place, opens=opens)

    @abstractmethod
    def line(self, place: Location, *, opens: bool) -> Words:
        """A location, with what a block begins with where it `opens` one."""

    @abstractmethod
    def helper(self, function: int, name: str) -> Words:
        """The first instructions of a function without a place in the source."""


class OpLines(Lines):
    """OpLine, which names the file."""

    def line(self, place: Location, *, opens: bool) -> Words:
        words: Words = []
        file = self.sections.string(self.sources.files[place.file].name)
        put(words, Op.Line, file, place.line, place.column)
        return words

    def helper(self, function: int, name: str) -> Words:
        return self.line(NO_LOCATION, opens=True)


def _first_location(sources: Sources, body: Block) -> Location:
    """The place of a body's first instruction that has one; the first line where none has."""
    places = [value.where for value in walk(body) if value.where.instruction is not None]
    ordered = sorted(places, key=lambda where: where.instruction or 0)
    found = (sources.locate(where) for where in ordered)
    return next((place for place in found if place is not None), Location(0, 1))


class LocatedCode(Code):
    """Code with location instructions before its instructions."""

    def __init__(
        self,
        sections: Sections,
        tables: Tables,
        float_controls: frozenset[str],
        lines: list[Lines],
    ):
        super().__init__(sections, tables, float_controls)
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
