"""Listings to programs: a walk over the lines of code, led by the rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from translate.asm.constants import read_vectors
from translate.asm.declaration_fields import Draft, read_declaration, returns_token
from translate.asm.declarations import UNKNOWN_DIMENSION
from translate.asm.doubts import Doubts, doubtful_literal, doubtful_mask
from translate.asm.faults import Fault
from translate.asm.header import read_header
from translate.asm.header_linkage import read_linkage
from translate.asm.lexer import Line, read_code, split_lines
from translate.asm.mnemonics import Mnemonic, read_mnemonic
from translate.asm.operand_text import COMPUTED_ROLES
from translate.asm.operands import MASKED_ROLES, read_operand
from translate.asm.strings import read_string
from translate.errors import NOWHERE, AssemblyError, UnsupportedError, Where, shown
from translate.isa.declarations import CUSTOM_DATA
from translate.isa.enums import DIMENSIONS_BY_NAME, RETURN_TYPES, Dimension, ReturnType
from translate.isa.fit import misfit
from translate.isa.instruction import PRECISE_SHIFT, SM51, Flow, Instruction, Role
from translate.isa.registers import COMPONENTS, Operand, RegisterFile, Selection
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
_VERSIONS = ((4, 0), (4, 1), (5, 0), (5, 1))

_WORD = re.compile(rf"[A-Za-z]\w*(?:{UNKNOWN_DIMENSION})?")
# between the mnemonic and the operands: `[precise(x)]`, `(1,0,0)(texture2d)(...)`, `_nz`
_MIDDLE = re.compile(
    r"(?:\s*\[\s*(precise)\s*(?:\(\s*(\w+)\s*\))?\s*\])?((?:\s*\([^()]*\))*)(_\w+)?(?=\s|$)"
)
_GROUP = re.compile(r"\(([^()]*)\)")
_OPERAND = re.compile(r"[^,()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^,()]*)*")
_STRIDE = re.compile(r"\s*(?:stride\s*=\s*)?(\d{1,4})\s*")
_MAX_STRIDE = 4095  # what the token holds
_OFFSET_RANGE = range(-8, 8)
_LETTERED_ROLES = (Role.DESTINATION, *COMPUTED_ROLES)


def parse_listing(text: str, file: str | None) -> Program:
    """Read a listing; `file` is its name in errors.

    Raises AssemblyError with the place of what is wrong, UnsupportedError for another stage or
    model.
    """
    lines = split_lines(text)
    code = read_code(lines)
    reader = _Reader(file, lines)
    version = reader.read_profile(code)
    reader.ranges = version >= SM51
    reader.read_all(code, 1)
    header = lines[: code[0].number - 1]
    return Program(
        version,
        reader.statements,
        read_header(header, version),
        read_linkage(header),
        source_lines=lines,
        file=file,
        listing_warnings=[*reader.doubts.warnings(file, lines)],
    )


@dataclass(slots=True)
class _Reader:
    """Goes through the lines of code."""

    file: str | None
    lines: list[str]
    ranges: bool = False  # cs_5_1: resources name a range and a register
    statements: list[Statement] = field(default_factory=list[Statement])
    instruction: int = 0
    doubts: Doubts = field(default_factory=Doubts)

    def error(self, fault: Fault, line: int, row: Instruction | None = None) -> AssemblyError:
        """The fault with its place; `row` where the instruction is known."""
        instruction = None if row is None or row.is_declaration else self.instruction
        mnemonic = row.name if row else None
        where = Where(self.file, line, fault.start + 1, fault.length, None, instruction, mnemonic)
        return AssemblyError(fault.message, where, self.lines[line - 1])

    def read_profile(self, code: list[Line]) -> tuple[int, int]:
        """The model that the first line of code names."""
        if not code:
            raise self._no_profile("no code at all", Where(self.file, 1, 1))
        line = code[0]
        word = line.text[line.start :]
        match = _PROFILE.fullmatch(word)
        if match is None or (match[1] != _COMPUTE and match[1] not in _STAGES):
            where = Where(self.file, line.number, line.start + 1, len(word))
            if self._is_statement(line):
                raise self._no_profile(shown(word), where, self.lines[line.number - 1])
            raise self._no_profile("something else", where)
        if match[1] != _COMPUTE:
            message = f"{word} is a {_STAGES[match[1]]} shader; only compute shaders are translated"
            raise self._unsupported(message, line, word)
        version = (int(match[2][:4]), int(match[3][:4]))
        if version not in _VERSIONS:
            message = f"{shown(word)}: Shader Model 4.0, 4.1, 5.0 and 5.1 are read"
            raise self._unsupported(message, line, word)
        return version

    def _is_statement(self, line: Line) -> bool:
        """Whether a line is a declaration or an instruction."""
        try:
            mnemonic, end = _read_word(line)
            if mnemonic.row.is_declaration:
                _declaration(mnemonic, line, end, True)
            else:
                self._instruction(mnemonic, line, end)
        except Fault:
            return False
        return True

    def _no_profile(self, found: str, where: Where, text: str | None = None) -> AssemblyError:
        """What is no listing may be any file, of which errors show nothing."""
        expected = "the first line of a listing should be a profile such as cs_5_0"
        return AssemblyError(f"{expected}, found {found}", where, text)

    def _unsupported(self, message: str, line: Line, word: str) -> UnsupportedError:
        where = Where(self.file, line.number, line.start + 1, len(word))
        return UnsupportedError(message, where, self.lines[line.number - 1])

    def read_all(self, code: list[Line], first: int) -> None:
        """Append the statements of the lines from `first` on."""
        index = first
        while index < len(code):
            line = code[index]
            index += 1
            row: Instruction | None = None
            try:
                mnemonic, end = _read_word(line)
                row = mnemonic.row
                if row is CUSTOM_DATA:
                    data, index = read_vectors(code, index - 1, end, self.error, self.doubts)
                    self._append(line, mnemonic, Statement(CUSTOM_DATA, (), NOWHERE, data=data))
                elif row.is_declaration:
                    self._append(line, mnemonic, _declaration(mnemonic, line, end, self.ranges))
                else:
                    self._append(line, mnemonic, self._instruction(mnemonic, line, end))
            except Fault as fault:
                raise self.error(fault, line.number, row) from None

    def _append(self, line: Line, mnemonic: Mnemonic, statement: Statement) -> None:
        row = mnemonic.row
        number = None if row.is_declaration else self.instruction
        length = len(line.text) - line.start
        statement.where = Where(
            self.file, line.number, line.start + 1, length, None, number, row.name, *line.source
        )
        self.statements.append(statement)
        self.instruction += not row.is_declaration

    def _instruction(self, mnemonic: Mnemonic, line: Line, end: int) -> Statement:
        row, text = mnemonic.row, line.text
        statement = Statement(row, (), NOWHERE, mnemonic.controls, extra=(0,) * row.padding)
        if end < len(text) and (text[end] == "(" or mnemonic.offsets or "[" in text[end : end + 2]):
            end = _read_middle(statement, mnemonic, text, end)
        elif mnemonic.offsets or mnemonic.indexable:
            raise Fault("expected a group in parentheses after the mnemonic", end)
        elif end < len(text) and not text[end].isspace():
            raise Fault(f"expected a blank after {row.name}, found {shown(text[end])}", end)
        if row.message is not None:
            statement.text, end = read_string(text, end)
            end = _after_string(text, end)
        self._read_operands(statement, line, end)
        if row.flow is Flow.INTERFACE_CALL:
            _take_call_site(statement)
        return statement

    def _read_operands(self, statement: Statement, line: Line, position: int) -> None:
        row, text = statement.row, line.text
        parts = _split_operands(text, position)
        specs = row.specs(len(parts))
        if len(parts) != len(specs):
            plural = "operand" if len(specs) == 1 else "operands"
            start = parts[0][1] if parts else position
            message = f"{row.name} takes {len(specs)} {plural}, found {len(parts)}"
            raise Fault(message, start, max(1, len(text) - start))
        operands: list[Operand] = []
        for (part, start), spec in zip(parts, specs, strict=True):
            masked = spec.role in MASKED_ROLES
            operand = read_operand(part, start, masked, self.ranges)
            if operand.components == 0 and spec.role in _LETTERED_ROLES:
                _check_letters(operand, spec.role, part, start)
            fault = misfit(row, spec, operand, self.ranges)
            if fault is not None:
                raise Fault(fault, start, len(part))
            operands.append(operand)
            if operand.values:
                self._check_literal(row, part, start, line)
            elif operand.selection is Selection.MASK and operand.components and not masked:
                self._check_mask(statement, operands, part, start, line)
        statement.operands = tuple(operands)

    def _check_literal(self, row: Instruction, part: str, start: int, line: Line) -> None:
        doubt = doubtful_literal(row, part)
        if doubt is not None:
            reason, message, at, length = doubt
            self.doubts.add(reason, Fault(message, start + at, length), line.number)

    def _check_mask(
        self, statement: Statement, operands: list[Operand], part: str, start: int, line: Line
    ) -> None:
        row, shape = statement.row, statement.dimension and statement.dimension.shape
        coordinates = shape.coordinates if shape else None
        spec = row.operands[len(operands) - 1]
        doubt = doubtful_mask(row, spec, operands, coordinates, part)
        if doubt is not None:
            reason, message = doubt
            self.doubts.add(reason, Fault(message, start, len(part)), line.number)


def _read_word(line: Line) -> tuple[Mnemonic, int]:
    """The mnemonic, and where its word ends."""
    match = _WORD.match(line.text, line.start)
    if match is None:
        found = line.text[line.start :]
        raise Fault(f"expected an instruction, found {shown(found)}", line.start, len(found))
    text, end = line.text, match.end()
    word = match[0]
    suffix = _trailing_suffix(text, end)
    return read_mnemonic(word + suffix, line.start), end


def _trailing_suffix(text: str, end: int) -> str:
    """`_uint` in `resinfo_indexable(texture2d)(float,...)_uint`."""
    if end == len(text) or (text[end] != "(" and text[end : end + 2] != " ["):
        return ""
    match = _MIDDLE.match(text, end)
    return match[4] or "" if match else ""


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
    """Where the operands begin that a comma divides from a string."""
    rest = text[position:].lstrip()
    if not rest:
        return len(text)
    if not rest.startswith(","):
        raise Fault(f"expected a comma, found {shown(rest)}", len(text) - len(rest), len(rest))
    if not rest[1:].strip():
        raise Fault("expected an operand after the comma", len(text) - len(rest))
    return len(text) - len(rest) + 1


def _read_middle(statement: Statement, mnemonic: Mnemonic, text: str, position: int) -> int:
    """`[precise]` and the groups in parentheses; gives the position after them."""
    match = _MIDDLE.match(text, position)
    if match is None:
        message = f"expected operands, found {shown(text[position:])}"
        raise Fault(message, position, len(text) - position)
    if match[1]:
        statement.controls |= _precise_mask(match) << PRECISE_SHIFT
    groups = [(g[1], g.start(1)) for g in _GROUP.finditer(text, match.start(3), match.end(3))]
    if mnemonic.offsets:
        if not groups:
            raise Fault("_aoffimmi needs offsets in parentheses", position)
        statement.offsets = _offsets(*groups.pop(0))
    if mnemonic.indexable and not 1 <= len(groups) <= 2:
        raise Fault("_indexable needs a dimension and return types in parentheses", position)
    if not mnemonic.indexable and groups:
        raise Fault("parentheses come only after _aoffimmi and _indexable", groups[0][1] - 1)
    for group, start in groups:
        _read_group(statement, group, start)
    return match.end()


def _precise_mask(match: re.Match[str]) -> int:
    """All components, or those in parentheses."""
    letters: str | None = match[2]
    if letters is None:
        return 15
    mask = 0
    for letter in letters:
        if letter not in COMPONENTS:
            message = f"[precise] names components of xyzw, got {shown(letters)}"
            raise Fault(message, match.start(2), len(letters))
        mask |= 1 << COMPONENTS.index(letter)
    return mask


def _offsets(text: str, start: int) -> tuple[int, int, int]:
    """Three texels from -8 to 7."""
    parts = [part.strip() for part in text.split(",")]
    valid = all(re.fullmatch(r"-?\d", part) and int(part) in _OFFSET_RANGE for part in parts)
    if len(parts) != 3 or not valid:
        message = f"_aoffimmi takes three offsets from -8 to 7, got {shown(text)}"
        raise Fault(message, start, max(1, len(text)))
    u, v, w = map(int, parts)
    return u, v, w


def _read_group(statement: Statement, text: str, start: int) -> None:
    """`texture2d`, `structured_buffer, stride=16` or four return types."""
    name, comma, rest = text.partition(",")
    dimension = DIMENSIONS_BY_NAME.get(name.strip())
    if name.strip() == UNKNOWN_DIMENSION:
        dimension = Dimension.UNKNOWN
    if dimension is None and text.count(",") == 3:
        statement.returns = _returns(text, start)
        return
    if dimension is None:
        raise Fault(f"unknown dimension {shown(name.strip())}", start, max(1, len(name)))
    statement.dimension = dimension
    if comma:
        match = _STRIDE.fullmatch(rest)
        if match is None or int(match[1]) > _MAX_STRIDE:
            message = f"expected a stride up to {_MAX_STRIDE}, found {shown(rest.strip())}"
            raise Fault(message, start + len(name) + 1, max(1, len(rest)))
        statement.stride = int(match[1])


def _returns(text: str, start: int) -> tuple[ReturnType, ...]:
    token = returns_token(text, start)
    numbers = [token >> 4 * c & 15 for c in range(4)]
    if any(number not in RETURN_TYPES for number in numbers):
        raise Fault(f"unknown return type in {shown(text)}", start, len(text))
    return tuple(RETURN_TYPES[number] for number in numbers)


def _check_letters(operand: Operand, role: Role, part: str, start: int) -> None:
    """A register that is computed with says which components."""
    if operand.file is RegisterFile.NULL:
        return
    what = "write mask" if role is Role.DESTINATION else "swizzle"
    raise Fault(f"{part} needs a {what} such as .xyzw", start, len(part))


def _split_operands(text: str, position: int) -> list[tuple[str, int]]:
    """The operands and where each begins; commas within parentheses divide nothing."""
    parts: list[tuple[str, int]] = []
    if not text[position:].strip():
        return parts
    while True:
        match = _OPERAND.match(text, position)
        end = match.end() if match else position
        part = text[position:end]
        stripped = part.strip()
        start = position + len(part) - len(part.lstrip())
        if not stripped:
            raise Fault("expected an operand", min(start, max(0, len(text) - 1)))
        parts.append((stripped, start))
        if end == len(text):
            return parts
        if text[end] != ",":
            raise Fault(f"a parenthesis without its other one: {shown(text[end:])}", end)
        position = end + 1


def _take_call_site(statement: Statement) -> None:
    """`fcall fp0[1][2]`: the last index is the call site, a dword of its own."""
    operand = statement.operands[0]
    site = operand.indices[-1]
    if site.relative is not None:
        start, length = operand.text_span or (1, 1)
        raise Fault("a call site is a number", start - 1, length)
    statement.extra = (site.base,)
    statement.operands = (
        Operand(
            operand.file,
            operand.components,
            indices=operand.indices[:-1],
            text_span=operand.text_span,
        ),
    )
