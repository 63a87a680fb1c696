"""Decode a program chunk into statements, guided by the instruction rows; messages, both ways.

An instruction's dwords are the opcode token, extended opcode tokens, operands, then the dwords that
the row names in `extras`. `Statement.extra` holds these dwords unchanged, with two exceptions:

- In `fcall`, the call site precedes the operand, as do the `extras` of any instruction that is not
  a declaration.
- Lists have no count: `dcl_function_table` gives (number, body, body, ...), and `dcl_interface`
  gives (number, call sites, array length, table, table, ...).

Padding at the end of an instruction (`samplepos` has one dword) is kept at the end of `extra`.

Messages (`printf` and `errorf`) are custom data: the token, the length in dwords, the message's
number, its kind, the length of its text in bytes, the number of operands and the number of their
dwords. Then come the operands, and the text with a final 0, padded to whole dwords.

Source: reference "SM4/SM5 token format", §5 and §7; d3d12TokenizedProgramFormat.hpp, "Shader
Message"; containers of fxc 10.1.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from translate.dataclass import dataclass, field
from translate.dxbc import tokens
from translate.dxbc.tokens import TokenError, read_operand, write_operand
from translate.errors import NOWHERE, DecodeError, UnsupportedError, Where
from translate.isa import BY_MESSAGE, BY_OPCODE
from translate.isa.declarations import CUSTOM_DATA, CUSTOM_DATA_ICB
from translate.isa.flow import CUSTOM_DATA_MESSAGE, PRINTF_FORMAT
from translate.isa.instruction import CONTROLS_MASK, SM51, Instruction, Role, misfit
from translate.isa.registers import DIMENSIONS, RETURN_TYPES, Dimension, Operand, ReturnType
from translate.program import Statement

_MESSAGE_DWORDS = 7


def _row_of(words: Sequence[int], position: int, end: int) -> Instruction:
    """The row of the message at `position`."""
    if end - position < _MESSAGE_DWORDS:
        raise TokenError(f"a shader message of only {end - position} dwords")
    number, contents = words[position + 2 : position + 4]
    row = BY_MESSAGE.get(number)
    if row is None:
        raise TokenError(f"unknown shader message {number:#x}")
    if contents != PRINTF_FORMAT:
        raise TokenError(
            f"{row.name} has a message of kind {contents}, not {PRINTF_FORMAT}, a format string"
        )
    return row


def read_message(words: Sequence[int], position: int, end: int, ranges: bool) -> Statement:
    """Decode a message that ends before `end`; `ranges` for cs_5_1. The caller sets its `where`."""
    row = _row_of(words, position, end)
    length, count, dwords = words[position + 4 : position + _MESSAGE_DWORDS]
    start = position + _MESSAGE_DWORDS
    text_at = start + dwords
    if text_at > end or length > 4 * (end - text_at):
        raise TokenError(f"{row.name} ends within its operands or its text")
    if count > dwords:  # each has at least one token
        raise TokenError(f"{row.name} has {count} operands in {dwords} dwords")
    operands: list[Operand] = []
    for spec in row.specs(count):
        operand, start = read_operand(words, start, text_at)
        fault = misfit(row, spec, operand, ranges) or _count_misfit(operand, ranges)
        if fault is not None:
            raise TokenError(fault)
        operands.append(operand)
    if start != text_at:
        raise TokenError(f"{row.name} has {text_at - start} dwords too many for its operands")
    text = struct.pack(f"<{end - text_at}I", *words[text_at:end])[:length]
    return Statement(row, tuple(operands), NOWHERE, text=text)


def _count_misfit(operand: Operand, ranges: bool) -> str | None:
    expected, found = operand.file.indices_in(ranges), len(operand.indices)
    if found == expected:
        return None
    return f"{operand.file.prefix} takes {expected} indices, found {found}"


def write_message(statement: Statement) -> list[int]:
    """Encode a message."""
    row, text = statement.row, statement.text
    assert row.message is not None
    operands = [word for operand in statement.operands for word in write_operand(operand)]
    filled = text + bytes(4 - len(text) % 4)
    head = [row.message, PRINTF_FORMAT, len(text), len(statement.operands), len(operands)]
    body = [*head, *operands, *struct.unpack(f"<{len(filled) // 4}I", filled)]
    token = row.opcode | tokens.CUSTOM_DATA_CLASS.place(CUSTOM_DATA_MESSAGE)
    return [token, 2 + len(body), *body]


_HEADER_DWORDS = 2  # version token and length
_DECLARED_RANGE_INDICES = 3  # cs_5_1: id, lower, upper
_FEEDBACK_REST = 2  # fxc may leave up to two arbitrary dwords after tiled-resource forms


def decode_program(payload: bytes, offset: int, file: str | None) -> DecodedProgram:
    """Decode the payload of a SHEX or SHDR chunk at byte `offset` of the file.

    Raises DecodeError for malformed bytes, and UnsupportedError for another shader stage.
    """
    words = struct.unpack(f"<{len(payload) // 4}I", payload[: len(payload) // 4 * 4])
    if len(words) < _HEADER_DWORDS:
        raise DecodeError("the program chunk ends within its header", Where(file, offset=offset))
    version = _version(words[0], Where(file, offset=offset))
    end = words[1]
    if not _HEADER_DWORDS <= end <= len(words):
        message = f"the program has {end} dwords, its chunk {len(words)}"
        raise DecodeError(message, Where(file, offset=offset + 4))
    reader = _Reader(words, end, offset, file, version >= SM51)
    reader.read_all()
    return DecodedProgram(version, reader.statements)


@dataclass(eq=False, slots=True)
class DecodedProgram:
    """The contents of a program chunk."""

    version: tuple[int, int]
    statements: list[Statement]


def _version(token: int, where: Where) -> tuple[int, int]:
    stage = tokens.PROGRAM_TYPE.read(token)
    version = (tokens.MAJOR.read(token), tokens.MINOR.read(token))
    if stage not in tokens.PROGRAM_TYPES:
        raise DecodeError(f"unknown program type {stage}", where)
    if stage != tokens.COMPUTE:
        name = tokens.PROGRAM_TYPES[stage]
        raise UnsupportedError(f"a {name} shader; only compute shaders are translated", where)
    if version not in tokens.VERSIONS:
        text = f"Shader Model {version[0]}.{version[1]}; only 4.0, 4.1, 5.0 and 5.1 are supported"
        raise UnsupportedError(text, where)
    return version


@dataclass(eq=False, slots=True)
class _Reader:
    """Decodes the dwords of a program, which begin at byte `offset` of the file."""

    words: tuple[int, ...]
    end: int
    offset: int
    file: str | None
    ranges: bool  # cs_5_1: a resource operand has a range and an index
    statements: list[Statement] = field(default_factory=list[Statement])
    instruction: int = 0

    def read_all(self) -> None:
        position = _HEADER_DWORDS
        while position < self.end:
            try:
                position = self._read_one(position)
            except TokenError as error:
                raise DecodeError(str(error), self._where(position)) from None

    def _where(self, position: int) -> Where:
        row = BY_OPCODE.get(tokens.OPCODE.read(self.words[position]))
        offset = self.offset + 4 * position
        return Where(self.file, offset=offset) if row is None else self._where_of(row, offset)

    def _where_of(self, row: Instruction, offset: int) -> Where:
        instruction = None if row.is_declaration else self.instruction
        return Where(self.file, offset=offset, instruction=instruction, mnemonic=row.name)

    def _read_one(self, position: int) -> int:
        """Append the statement at `position`; returns the position after it."""
        row, length, extended, controls = _opcode(self.words[position])
        if row is CUSTOM_DATA:
            return self._read_custom_data(position)
        start = position + 1
        if row.long_form and extended:
            length, start = self._word(position + 1), position + 2
        end = position + length
        if end < start:
            raise TokenError(f"{row.name} has a length of {length} dwords")
        if end > self.end:
            left = self.end - position
            raise TokenError(f"{row.name} has {length} dwords, the program only {left} more")
        where = self._where_of(row, self.offset + 4 * position)
        statement = Statement(row, (), where, controls)
        if extended and not row.long_form:
            start = self._read_extensions(statement, start, end)
        self._read_body(statement, start, end)
        self.statements.append(statement)
        self.instruction += not row.is_declaration
        return end

    def _read_custom_data(self, position: int) -> int:
        """Decode an immediate constant buffer or a message; skip other custom data."""
        length = self._word(position + 1)
        end = position + length
        if length < 2 or end > self.end:
            raise TokenError(f"custom data with an invalid length of {length} dwords")
        contents = tokens.CUSTOM_DATA_CLASS.read(self.words[position])
        if contents == CUSTOM_DATA_MESSAGE:
            self._read_message(position, end)
        if contents != CUSTOM_DATA_ICB:
            return end
        data = self.words[position + 2 : end]
        if len(data) % 4:
            raise TokenError(f"an immediate constant buffer of {len(data)} dwords, not whole vec4s")
        self.statements.append(Statement(CUSTOM_DATA, (), self._where(position), data=data))
        return end

    def _read_message(self, position: int, end: int) -> None:
        statement = read_message(self.words, position, end, self.ranges)
        statement.where = self._where_of(statement.row, self.offset + 4 * position)
        self.statements.append(statement)
        self.instruction += 1

    def _word(self, position: int) -> int:
        if position >= self.end:
            raise TokenError("the program ends within an instruction")
        return self.words[position]

    def _read_extensions(self, statement: Statement, position: int, end: int) -> int:
        """Decode the chain of extended opcode tokens."""
        while position < end:
            token = self.words[position]
            position += 1
            _extend(statement, token)
            if not tokens.EXTENDED.read(token):
                return position
        raise TokenError(f"{statement.row.name} ends within its extended opcode tokens")

    def _read_body(self, statement: Statement, position: int, end: int) -> None:
        """Decode the operands and the dwords around them."""
        row, words = statement.row, self.words
        lead: tuple[int, ...] = ()
        if row.extras and not row.is_declaration:
            lead = words[position : min(end, position + len(row.extras))]
            position += len(lead)
        if row.operands:
            position = self._read_operands(statement, position, end)
        if position < end or row.is_declaration:
            statement.extra = lead + _extra(row, words[position:end], self.ranges)
        else:
            statement.extra = lead

    def _read_operands(self, statement: Statement, position: int, end: int) -> int:
        operands: list[Operand] = []
        row, words, ranges = statement.row, self.words, self.ranges
        for spec in row.operands:
            if position >= end:
                expected, found = len(row.operands), len(operands)
                raise TokenError(f"{row.name} takes {expected} operands, found {found}")
            operand, position = read_operand(words, position, end)
            expected = operand.file.indices_in(ranges)
            if len(operand.indices) != expected or spec.files:
                self._check_index_count(operand, expected, spec.role is Role.DECLARED)
            fault = misfit(row, spec, operand, ranges)
            if fault is not None:
                raise TokenError(fault)
            operands.append(operand)
        statement.operands = tuple(operands)
        return position

    def _check_index_count(self, operand: Operand, expected: int, declared: bool) -> None:
        if declared and expected != operand.file.index_count:
            expected = _DECLARED_RANGE_INDICES
        if len(operand.indices) != expected:
            found = len(operand.indices)
            raise TokenError(f"{operand.file.prefix} takes {expected} indices, found {found}")


class _Opcode(NamedTuple):
    """The fields of an opcode token; `extended`: an extended token, or the length, follows."""

    row: Instruction
    length: int
    extended: bool
    controls: int


@lru_cache(1 << 10)  # tokens repeat
def _opcode(token: int) -> _Opcode:
    opcode = tokens.OPCODE.read(token)
    row = BY_OPCODE.get(opcode)
    if row is None:
        raise TokenError(f"unknown opcode {opcode:#x}")
    extended = bool(tokens.EXTENDED.read(token))
    return _Opcode(row, tokens.LENGTH.read(token), extended, token & CONTROLS_MASK)


def _extra(row: Instruction, words: tuple[int, ...], ranges: bool) -> tuple[int, ...]:
    """The dwords after the operands, checked against the row's `extras`."""
    names: tuple[str, ...] = ()
    if row.is_declaration:
        names = row.extras_51 if ranges and row.extras_51 is not None else row.extras
    if len(words) < len(names):
        missing = names[len(words)]
        raise TokenError(f"{row.name} ends before its {missing}")
    if names and names[-1] in tokens.LISTS:
        return _list_extra(row, words, len(names) - 1)
    padding = max(row.padding, _FEEDBACK_REST * row.feedback)
    if any(words[len(names) + padding :]):
        raise TokenError(f"{row.name} has {len(words) - len(names)} dwords too many")
    return words


def _list_extra(row: Instruction, words: tuple[int, ...], lead: int) -> tuple[int, ...]:
    """The first `lead` dwords of a declaration and its list's items, without the count between."""
    count, others = tokens.LISTS[row.extras[-1]].split(words[lead])
    items = words[lead + 1 :]
    if len(items) != count:
        raise TokenError(f"{row.name} lists {count} {row.extras[-1]}, found {len(items)}")
    return words[:lead] + others + items


def _extend(statement: Statement, token: int) -> None:
    """Apply one extended opcode token."""
    kind = tokens.EXTENSION_KIND.read(token)
    if kind == tokens.SAMPLE_CONTROLS:
        u, v, w = (axis.read_signed(token) for axis in tokens.OFFSETS)
        statement.offsets = (u, v, w)
    elif kind == tokens.RESOURCE_DIMENSION:
        statement.dimension = _dimension(token)
        statement.stride = tokens.STRIDE.read(token)
    elif kind == tokens.RESOURCE_RETURN_TYPE:
        statement.returns = _returns(token)
    elif kind != tokens.EMPTY:
        raise TokenError(f"unknown kind {kind} of extended opcode token")


def _dimension(token: int) -> Dimension:
    number = tokens.DIMENSION.read(token)
    if number not in DIMENSIONS:
        raise TokenError(f"unknown resource dimension {number}")
    return DIMENSIONS[number]


@lru_cache(1 << 10)
def _returns(token: int) -> tuple[ReturnType, ...]:
    numbers = [component.read(token) for component in tokens.RETURNS]
    for number in numbers:
        if number not in RETURN_TYPES:
            raise TokenError(f"unknown return type {number}")
    return tuple(RETURN_TYPES[number] for number in numbers)
