"""Encode statements into a program chunk; the docstring of `decode` describes the layout.

Source: reference "SM4/SM5 token format", §5 and §7.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from translate.dxbc import tokens
from translate.dxbc.messages import write_message
from translate.dxbc.operands import write_operand
from translate.dxbc.tokens import TokenError
from translate.errors import ProgramError
from translate.isa.declarations import CUSTOM_DATA, CUSTOM_DATA_ICB
from translate.isa.instruction import CONTROLS_MASK
from translate.program import Statement

_MORE = tokens.EXTENDED.place(1)


def encode_program(version: tuple[int, int], statements: Sequence[Statement]) -> bytes:
    """The payload of a SHEX chunk. Raises TranslateError for a value that does not fit."""
    head = tokens.PROGRAM_TYPE.place(tokens.COMPUTE)
    head |= tokens.MAJOR.place(version[0]) | tokens.MINOR.place(version[1])
    body = b"".join(_statement_bytes(statement) for statement in statements)
    return struct.pack("<II", head, 2 + len(body) // 4) + body


def _statement_bytes(statement: Statement) -> bytes:
    try:
        words = _words_of(statement)
    except TokenError as error:
        raise ProgramError(f"{statement.row.name}: {error}", statement.where) from None
    try:
        return struct.pack(f"<{len(words)}I", *words)
    except struct.error:
        message = f"{statement.row.name} has a value that does not fit into 32 bits"
        raise ProgramError(message, statement.where) from None


def _words_of(statement: Statement) -> list[int]:
    if statement.row is CUSTOM_DATA:
        return _custom_data(statement)
    return _words(statement) if statement.row.message is None else write_message(statement)


def _custom_data(statement: Statement) -> list[int]:
    token = CUSTOM_DATA.opcode | tokens.CUSTOM_DATA_CLASS.place(CUSTOM_DATA_ICB)
    return [token, 2 + len(statement.data), *statement.data]


def _words(statement: Statement) -> list[int]:
    row = statement.row
    token = tokens.OPCODE.place(row.opcode) | statement.controls & CONTROLS_MASK
    lead = 0 if row.is_declaration else len(row.extras)
    body = _extensions(statement)
    token |= _MORE if body else 0
    body += statement.extra[:lead]
    for operand in statement.operands:
        body += write_operand(operand)
    body += _trailing(statement, lead)
    length = 1 + len(body)
    if length <= tokens.MAX_SHORT_LENGTH:
        return [token | tokens.LENGTH.place(length), *body]
    if not row.long_form:
        raise TokenError(f"an instruction has at most 127 dwords, found {length}")
    return [token | _MORE, length + 1, *body]


def _trailing(statement: Statement, lead: int) -> list[int]:
    """The dwords after the operands; lists get their count."""
    row, extra = statement.row, statement.extra
    if not row.extras or row.extras[-1] not in tokens.LISTS:
        return list(extra[lead:])
    count = tokens.LISTS[row.extras[-1]]
    first = len(row.extras) - 1
    listed = first + len(count.others)
    if len(extra) < listed:
        raise TokenError(f"{len(extra)} dwords after the name, expected {listed}")
    items = extra[listed:]
    return [*extra[:first], count.join(len(items), extra[first:listed]), *items]


def _extensions(statement: Statement) -> list[int]:
    """The extended opcode tokens in order of their kinds.

    All except the last have the bit for "another extended token follows".
    """
    words: list[int] = []
    if statement.offsets is not None:
        words.append(_offsets(statement.offsets))
    if statement.dimension is not None:
        token = tokens.EXTENSION_KIND.place(tokens.RESOURCE_DIMENSION)
        token |= tokens.DIMENSION.place(statement.dimension.number)
        words.append(token | tokens.STRIDE.place(statement.stride))
    if statement.returns is not None:
        token = tokens.EXTENSION_KIND.place(tokens.RESOURCE_RETURN_TYPE)
        for field, component in zip(tokens.RETURNS, statement.returns, strict=True):
            token |= field.place(component.number)
        words.append(token)
    return [word | _MORE for word in words[:-1]] + words[-1:]


def _offsets(offsets: tuple[int, int, int]) -> int:
    token = tokens.EXTENSION_KIND.place(tokens.SAMPLE_CONTROLS)
    for field, offset in zip(tokens.OFFSETS, offsets, strict=True):
        token |= field.place_signed(offset)
    return token
