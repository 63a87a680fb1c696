"""NonSemantic.Shader.DebugInfo.100: the source text, and the source line of each instruction.

Debuggers such as RenderDoc use it to step through the source; drivers ignore it. All operands are
ids, even constants. Source: the extended instruction set's specification;
SPV_KHR_non_semantic_info.
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.ir.values import Block
from translate.spirv.grammar import Debug, DebugFlags, Op
from translate.spirv.locations import NO_LOCATION, Lines, Location, SourceFile, Sources
from translate.spirv.sections import Sections, Words, put

_SET = "NonSemantic.Shader.DebugInfo.100"
EXTENSION = "SPV_KHR_non_semantic_info"  # part of SPIR-V 1.6
_VERSION, _DWARF = 1, 4
_CLASS = 0  # the tag of a composite type
_MOST_CHARACTERS = 16000  # in a string; SPIR-V allows 65,535 bytes (§2.17)


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
