"""Messages as custom data: `printf` and `errorf`.

The dwords are the token, the length in dwords, the message's number, its kind, the length of its
text in bytes, the number of operands and the number of their dwords. Then come the operands, and
the text with a final 0, padded to whole dwords. Source: d3d12TokenizedProgramFormat.hpp, "Shader
Message"; containers of fxc 10.1.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from translate.dxbc import tokens
from translate.dxbc.operands import read_operand, write_operand
from translate.dxbc.tokens import TokenError
from translate.errors import NOWHERE
from translate.isa import BY_MESSAGE
from translate.isa.flow import CUSTOM_DATA_MESSAGE, PRINTF_FORMAT
from translate.isa.instruction import Instruction, misfit
from translate.isa.registers import Operand
from translate.program import Statement

_HEADER_DWORDS = 7


def _row_of(words: Sequence[int], position: int, end: int) -> Instruction:
    """The row of the message at `position`."""
    if end - position < _HEADER_DWORDS:
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
    length, count, dwords = words[position + 4 : position + _HEADER_DWORDS]
    start = position + _HEADER_DWORDS
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
