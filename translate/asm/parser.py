"""Parse listings into programs, guided by the instruction rows."""

from __future__ import annotations

import re

from translate.asm.declaration_fields import Draft, read_declaration, read_vectors
from translate.asm.doubts import Doubts, doubtful_mask
from translate.asm.header import read_header, read_linkage
from translate.asm.instruction_text import Mnemonic, read_head, read_word, split_operands
from translate.asm.lines import Fault, Line, read_code, split_lines
from translate.asm.literals import read_string
from translate.asm.operand_text import COMPUTED_ROLES, declared_dimension
from translate.asm.operands import MASKED_ROLES, read_operand
from translate.asm.renderdoc import ConstantNames, RenderDoc, code_of, is_renderdoc
from translate.dataclass import dataclass, field, replace
from translate.errors import NOWHERE, AssemblyError, UnsupportedError, Where, shown
from translate.isa.declarations import CUSTOM_DATA, DCL_RESOURCE
from translate.isa.instruction import SM51, Flow, Instruction, Role, misfit
from translate.isa.registers import Operand, RegisterFile, Selection
from translate.program import Program, Statement

_PROFILE = re.compile(r"([a-z]+)_(\d+)_(\d+)(?:_level_\d+_\d+)?")
_STAGES = {
    "ps": "pixel",
    "vs": "vertex",
    "gs": "geometry",
    "hs": "hull",
    "ds": "domain",
    "lib": "library",
}
_COMPUTE = "cs"
_BYTES = re.compile(r"\bBYTE \w+\[\] *=")  # fxc /Fh writes a header of C
_COMMENT = re.compile(r"(?:^|\s)[;#]")  # as in other assemblers
_EXTRACT = "; `sm5vk extract` searches it for containers"
_OF_FUNCTIONS = frozenset("(){};")  # characters of every HLSL program
_VERSIONS = ((4, 0), (4, 1), (5, 0), (5, 1))

_LETTERED_ROLES = (Role.DESTINATION, *COMPUTED_ROLES)


def parse_listing(text: str, file: str | None) -> Program:
    """Parse a listing; `file` is its name in errors.

    Raises AssemblyError for a syntax error, and UnsupportedError for another stage or shader model.
    """
    lines = split_lines(text)
    foreign = is_renderdoc(lines)
    code = read_code(code_of(lines) if foreign else lines)
    reader = _Reader(file, lines)
    version = reader.read_profile(code)
    reader.ranges = version >= SM51
    header = lines[: code[0].number - 1]
    reflection = read_header(header, version, reader.doubts)
    if foreign:
        reader.renderdoc = RenderDoc(ConstantNames(reflection.buffers if reflection else ()))
        reader.doubts.guessed = True
    reader.read_all(code, 1)
    return Program(
        version,
        reader.statements,
        reflection,
        read_linkage(header, reader.doubts),
        source_lines=lines,
        file=file,
        listing_warnings=[*reader.doubts.warnings(file, lines)],
    )


@dataclass(slots=True)
class _Reader:
    """Parses the lines of code in order."""

    file: str | None
    lines: list[str]
    ranges: bool = False  # cs_5_1: a resource operand has a range and an index
    statements: list[Statement] = field(default_factory=list[Statement])
    cubes: dict[int, bool] = field(default_factory=dict[int, bool])  # by the texture's number
    instruction: int = 0
    doubts: Doubts = field(default_factory=Doubts)
    renderdoc: RenderDoc | None = None  # set for RenderDoc's listings

    def error(self, fault: Fault, line: int, row: Instruction | None = None) -> AssemblyError:
        """Turn a fault into an AssemblyError with its place; `row` if the instruction is known."""
        instruction = None if row is None or row.is_declaration else self.instruction
        mnemonic = row.name if row else None
        where = Where(self.file, line, fault.start + 1, fault.length, None, instruction, mnemonic)
        return AssemblyError(fault.message, where, self.lines[line - 1])

    def read_profile(self, code: list[Line]) -> tuple[int, int]:
        """The shader model in the first line of code."""
        if not code:
            raise self._no_profile("no code at all", Where(self.file, 1, 1))
        line = code[0]
        word = line.text[line.start :]
        match = _PROFILE.fullmatch(word)
        if match is None or (match[1] != _COMPUTE and match[1] not in _STAGES):
            where = Where(self.file, line.number, line.start + 1, len(word))
            if self._is_statement(line):
                raise self._no_profile(shown(word), where, self.lines[line.number - 1])
            raise self._no_profile(self._other_text(), where)
        if match[1] != _COMPUTE:
            message = f"{word} is a {_STAGES[match[1]]} shader; only compute shaders are translated"
            raise self._unsupported(message, line, word)
        version = (int(match[2][:4]), int(match[3][:4]))
        if version not in _VERSIONS:
            message = f"{shown(word)}: only Shader Model 4.0, 4.1, 5.0 and 5.1 are supported"
            raise self._unsupported(message, line, word)
        return version

    def _is_statement(self, line: Line) -> bool:
        """Whether a line is a declaration or an instruction."""
        try:
            mnemonic, end = read_word(line)
            if mnemonic.row.is_declaration:
                _declaration(mnemonic, line, end, True)
            else:
                self._instruction(mnemonic, line, end)
        except Fault:
            return False
        return True

    def _other_text(self) -> str:
        """A text that is no listing, in words; of a program with functions, why it is no HLSL."""
        found = "text that is not a listing"
        if any(_BYTES.search(line) for line in self.lines):
            found += _EXTRACT
        elif {*"".join(self.lines)} >= _OF_FUNCTIONS:
            found += "; nor is it HLSL of a compute shader: no function has [numthreads(X, Y, Z)]"
        return found

    def _no_profile(self, found: str, where: Where, text: str | None = None) -> AssemblyError:
        """The error for a text that is not a listing.

        The text may be any file, so the error must not show its contents.
        """
        expected = "the first line of a listing should be a profile such as cs_5_0"
        return AssemblyError(f"{expected}, found {found}", where, text)

    def _unsupported(self, message: str, line: Line, word: str) -> UnsupportedError:
        where = Where(self.file, line.number, line.start + 1, len(word))
        return UnsupportedError(message, where, self.lines[line.number - 1])

    def read_all(self, code: list[Line], first: int) -> None:
        """Append the statements of all lines from `first` on."""
        index = first
        while index < len(code):
            line = code[index]
            index += 1
            row: Instruction | None = None
            try:
                if self.renderdoc is not None:
                    index = self._read_renderdoc(self.renderdoc, code, index - 1)
                    continue
                mnemonic, end = read_word(line)
                row = mnemonic.row
                if row.is_declaration:
                    index = self._read_declaration(mnemonic, end, line, code, index - 1)
                else:
                    self._append(line, mnemonic, self._instruction(mnemonic, line, end))
            except Fault as fault:
                if not _BYTES.search(line.text):
                    if _COMMENT.search(line.text):
                        message = f"{fault.message}; a comment begins with //"
                        fault = Fault(message, fault.start, fault.length)
                    raise self.error(fault, line.number, row) from None
                header = Fault(f"a header of C, not a listing{_EXTRACT}", line.start)
                raise self.error(header, line.number) from None

    def _append(self, line: Line, mnemonic: Mnemonic, statement: Statement) -> None:
        row = mnemonic.row
        number = None if row.is_declaration else self.instruction
        length = len(line.text) - line.start
        statement.where = Where(
            self.file, line.number, line.start + 1, length, None, number, row.name, *line.source
        )
        self.statements.append(statement)
        self.instruction += not row.is_declaration
        if row is DCL_RESOURCE:
            self.cubes[statement.operands[0].number] = declared_dimension(statement).shape.cube
        elif row.feedback and row.padding and self._lacks_offset(statement):
            statement.extra = ()

    def _lacks_offset(self, statement: Statement) -> bool:
        """Whether a sample with a status has no dword for an offset of 0.

        fxc leaves it out if the offset is in the opcode, and for cubes, which have none.
        """
        texture = next(o for o in statement.operands if o.file is RegisterFile.RESOURCE)
        return statement.offsets is not None or self.cubes.get(texture.number, False)

    def _read_declaration(
        self, mnemonic: Mnemonic, end: int, written: Line, code: list[Line], index: int
    ) -> int:
        """Append the declaration in line `written`; returns the index of the line after it."""
        row, line = mnemonic.row, code[index]
        if row is CUSTOM_DATA:
            position = end + line.start - written.start
            data, index = read_vectors(code, index, position, self.error, self.doubts)
            self._append(line, mnemonic, Statement(CUSTOM_DATA, (), NOWHERE, data=data))
            return index
        self._append(line, mnemonic, _declaration(mnemonic, written, end, self.ranges))
        return index + 1

    def _instruction(self, mnemonic: Mnemonic, line: Line, end: int) -> Statement:
        statement, end = read_head(mnemonic, line.text, end)
        return self._with_operands(statement, line, end)

    def _read_renderdoc(self, renderdoc: RenderDoc, code: list[Line], index: int) -> int:
        """Append one statement of a RenderDoc listing; returns the index of the line after it.

        An error in rewritten text points at the whole line or operand.
        """
        line = code[index]
        text, start = line.text, line.start
        try:
            if text.startswith("dcl_", start):
                written = Line(line.number, renderdoc.declaration(text[start:]), 0)
                mnemonic, end = read_word(written)
                return self._read_declaration(mnemonic, end, written, code, index)
            head, at = renderdoc.head(text, start)
            mnemonic, end = read_word(Line(line.number, head, 0))
            statement, _ = read_head(mnemonic, head, end)
        except Fault as fault:
            raise Fault(fault.message, start, len(text) - start) from None
        self._append(line, mnemonic, self._with_operands(statement, line, at))
        return index + 1

    def _with_operands(self, statement: Statement, line: Line, position: int) -> Statement:
        row, text = statement.row, line.text
        if row.message is not None:
            statement.text, position = read_string(text, position)
            position = _after_string(text, position)
        parts = split_operands(text, position)
        specs = row.specs(len(parts))
        if len(parts) != len(specs):
            plural = "operand" if len(specs) == 1 else "operands"
            start = parts[0][1] if parts else position
            message = f"{row.name} takes {len(specs)} {plural}, found {len(parts)}"
            raise Fault(message, start, max(1, len(text) - start))
        operands: list[Operand] = []
        for (part, start), spec in zip(parts, specs, strict=True):
            masked = spec.role in MASKED_ROLES
            if self.renderdoc is None:
                operand = read_operand(part, start, masked, self.ranges)
            else:
                operand = self._read_foreign(self.renderdoc, part, start, masked)
            if operand.components == 0 and spec.role in _LETTERED_ROLES:
                _check_letters(operand, spec.role, part, start)
            fault = misfit(row, spec, operand, self.ranges)
            if fault is not None:
                raise Fault(fault, start, len(part))
            operands.append(operand)
            if operand.values:
                self.doubts.check_literal(row, part, start, line.number)
            elif operand.selection is Selection.MASK and operand.components and not masked:
                self._check_mask(statement, operands, part, start, line)
        statement.operands = tuple(operands)
        if row.flow is Flow.INTERFACE_CALL:
            _take_call_site(statement)
        return statement

    def _read_foreign(self, renderdoc: RenderDoc, part: str, start: int, masked: bool) -> Operand:
        try:
            operand = read_operand(renderdoc.operand(part), 0, masked, self.ranges)
        except Fault as fault:
            raise Fault(fault.message, start, len(part)) from None
        return replace(operand, text_span=(start + 1, len(part)))

    def _check_mask(
        self, statement: Statement, operands: list[Operand], part: str, start: int, line: Line
    ) -> None:
        row, shape = statement.row, statement.dimension and statement.dimension.shape
        coordinates = shape.coordinates if shape else None
        spec = row.specs(len(operands))[len(operands) - 1]
        doubt = doubtful_mask(row, spec, operands, coordinates, part)
        if doubt is not None:
            reason, message = doubt
            self.doubts.add(reason, Fault(message, start, len(part)), line.number)


def _declaration(mnemonic: Mnemonic, line: Line, end: int, ranges: bool) -> Statement:
    draft = Draft(mnemonic.row, ranges, mnemonic.controls)
    read_declaration(draft, line.text, end)
    return Statement(
        mnemonic.row,
        draft.operands,
        NOWHERE,
        draft.controls,
        extra=draft.extra(),
    )


def _after_string(text: str, position: int) -> int:
    """Where the operands begin, after the comma that follows a string."""
    rest = text[position:].lstrip()
    if not rest:
        return len(text)
    if not rest.startswith(","):
        raise Fault(f"expected a comma, found {shown(rest)}", len(text) - len(rest), len(rest))
    if not rest[1:].strip():
        raise Fault("expected an operand after the comma", len(text) - len(rest))
    return len(text) - len(rest) + 1


def _check_letters(operand: Operand, role: Role, part: str, start: int) -> None:
    """Raise Fault: a register without letters is not valid here, unless it is `null`."""
    if operand.file is RegisterFile.NULL:
        return
    what = "write mask" if role is Role.DESTINATION else "swizzle"
    raise Fault(f"{part} needs a {what} such as .xyzw", start, len(part))


def _take_call_site(statement: Statement) -> None:
    """`fcall fp0[1][2]`: move the last index, the call site, to an immediate dword."""
    operand = statement.operands[0]
    site = operand.indices[-1]
    if site.relative is not None:
        start, length = operand.text_span or (1, 1)
        raise Fault("the call site must be a number", start - 1, length)
    statement.extra = (site.base,)
    statement.operands = (
        Operand(
            operand.file,
            operand.components,
            indices=operand.indices[:-1],
            text_span=operand.text_span,
        ),
    )
