"""Statements to program tokens: the exact words, nothing lost, and values that do not fit."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from translate import ProgramError
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container
from translate.dxbc.encode import encode_program
from translate.errors import NOWHERE, Where
from translate.isa import BY_NAME
from translate.isa.registers import Index, Operand, RegisterFile
from translate.program import Program, Statement

from .build import CONTAINERS, CS_5_1, EVERY_ROW, facts, name
from .operands import literal, register, swizzled, written

TEMP = RegisterFile.TEMP


def statement(mnemonic: str, *operands: Operand, **keywords: object) -> Statement:
    return Statement(BY_NAME[mnemonic], operands, NOWHERE, **keywords)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", CONTAINERS, ids=name)
def test_compilers_containers_come_back_whole(path: Path) -> None:
    data = path.read_bytes()
    assert encode_container(decode_container(data)) == data


@pytest.mark.parametrize("path", sorted({*CONTAINERS, *EVERY_ROW}), ids=name)
def test_a_new_container_has_the_same_program(path: Path) -> None:
    """Encoded like a listing's program, without the original chunks."""
    read = decode_container(path.read_bytes())
    again = decode_container(
        encode_container(Program(read.version, read.statements, read.reflection))
    )
    assert again.warnings == []
    assert (again.version, again.reflection) == (read.version, read.reflection)
    assert [*map(facts, again.statements)] == [*map(facts, read.statements)]
    payload = next(c.payload for c in read.chunks if c.fourcc in (b"SHEX", b"SHDR"))
    assert payload in [chunk.payload for chunk in again.chunks]


REFUSED = [
    (statement("ld", written(0, "x"), swizzled(TEMP, 0), swizzled(RegisterFile.RESOURCE, 0),
               offsets=(8, 0, 0)),
     "ld: 8 is outside [-8, 7]"),
    (statement("mov", Operand(TEMP, components=3), literal(0)), "mov: an operand of 3 components"),
    (statement("mov", register(TEMP, 0, mask=16), literal(0)), "mov: 16 does not fit into 4 bits"),
    (statement("mov", written(0, "x"), literal(1 << 32)),
     "mov has a value that does not fit into 32 bits"),
    (statement("mov", written(0, "x"), literal(-1)),
     "mov has a value that does not fit into 32 bits"),
    (statement("dcl_temps", extra=tuple(range(127))),
     "dcl_temps: an instruction has at most 127 dwords, found 128"),
    (statement("dcl_interface", extra=(0, 1)),
     "dcl_interface: 2 dwords after the name, expected 3"),
    (statement("mov", Operand(TEMP, indices=(Index(0),) * 4), literal(0)),
     "mov: 4 does not fit into 2 bits"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "message"), REFUSED, ids=[m for _, m in REFUSED])
def test_values_that_no_token_holds(made: Statement, message: str) -> None:
    made.where = Where(line=7, column=1)
    with pytest.raises(ProgramError) as caught:
        encode_program((5, 0), [made])
    assert caught.value.message == message
    assert caught.value.where.line == 7


def test_the_version_token() -> None:
    assert encode_program((5, 1), [])[:8] == struct.pack("<II", CS_5_1, 2)
