"""Find accesses of a listing that are always out of bounds, or use one number as two.

D3D accepts them, so they are no errors, but fxc does not write them. Source: 900 programs by fxc
10.1, which have none.
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.asm.doubts import Doubts
from translate.asm.lexer import Fault
from translate.errors import ListingWarning
from translate.isa.declarations import (
    CUSTOM_DATA,
    DCL_CONSTANT_BUFFER,
    DCL_INDEXABLE_TEMP,
    DCL_RESOURCE_STRUCTURED,
    DCL_TGSM_STRUCTURED,
    DCL_UAV_STRUCTURED,
)
from translate.isa.instruction import SM51, Kind, Role
from translate.isa.registers import Operand, RegisterFile
from translate.program import Program, Statement

_STRUCTURED = (DCL_RESOURCE_STRUCTURED, DCL_TGSM_STRUCTURED, DCL_UAV_STRUCTURED)
_ACCESSES = (Kind.LOAD, Kind.STORE, Kind.ATOMIC)
_DWORD = 4  # bytes
_Sizes = dict[tuple[RegisterFile, int], int]


def doubtful_accesses(program: Program) -> Iterator[ListingWarning]:
    """Warnings of constant indices past the end, and of addresses in structured buffers."""
    lengths: _Sizes = {}
    strides: _Sizes = {}
    doubts = Doubts()
    for statement in program.statements:
        if statement.row.is_declaration:
            _note(statement, lengths, strides, program.version >= SM51)
            continue
        for reason, operand, message in _doubtful(statement, lengths, strides):
            at = statement.where
            column, length = operand.text_span or (at.column or 1, at.length)
            doubts.add(reason, Fault(message, column - 1, length), at.line or 1)
    yield from doubts.warnings(program.file, program.source_lines or [])


def _note(declared: Statement, lengths: _Sizes, strides: _Sizes, ranges: bool) -> None:
    """Enter the length of a cb, icb or x#, or the stride of a structured resource."""
    row, extra = declared.row, declared.extra
    if row is DCL_CONSTANT_BUFFER:
        buffer = declared.operands[0]
        length = extra[0] if ranges else buffer.indices[-1].base
        if length:  # 0 is an unknown length
            lengths[buffer.file, buffer.number] = length
    elif row is CUSTOM_DATA:
        lengths[RegisterFile.IMMEDIATE_CONSTANT_BUFFER, 0] = len(declared.data) // 4
    elif row is DCL_INDEXABLE_TEMP:
        lengths[RegisterFile.INDEXABLE_TEMP, extra[0]] = extra[1]
    elif row in _STRUCTURED:
        strides[declared.operands[0].file, declared.operands[0].number] = extra[0]


def _doubtful(
    statement: Statement, lengths: _Sizes, strides: _Sizes
) -> Iterator[tuple[str, Operand, str]]:
    address: list[Operand] = []
    memory: Operand | None = None
    for operand, spec in zip(statement.operands, statement.specs, strict=True):
        icb = operand.file is RegisterFile.IMMEDIATE_CONSTANT_BUFFER
        length = lengths.get((operand.file, 0 if icb else operand.number))
        if length is not None and operand.indices and operand.indices[-1].relative is None:
            index = operand.indices[-1].base
            if index >= length:
                yield "index", operand, f"past the end: it is declared with {length} vectors"
        if spec.role is Role.ADDRESS:
            address.append(operand)
        elif spec.role in (Role.RESOURCE, Role.TARGET):
            memory = operand
    if memory is None or statement.row.kind not in _ACCESSES:
        return
    stride = strides.get((memory.file, memory.number))
    if stride is None or not address:
        return
    if statement.row.kind is Kind.ATOMIC:
        one = address[0]
        if one.file is not RegisterFile.IMMEDIATE32 and one.component(0) == one.component(1):
            message = "the same number is the structure's index and the offset in it, in bytes"
            yield "address", one, message
        return
    offset = address[-1]
    if offset.file is not RegisterFile.IMMEDIATE32:
        return
    if statement.row.kind is Kind.STORE:
        components = memory.written()
    else:
        components = tuple(map(memory.component, statement.operands[0].written()))
    end = offset.values[0] + _DWORD * (max(components, default=-1) + 1)
    if end > stride:
        message = f"the access ends at byte {end}, the structure at byte {stride}"
        yield "structure", memory, message
