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
from translate.isa.enums import Dimension, ReturnType
from translate.isa.registers import Index, Operand, RegisterFile
from translate.program import Program, Statement

from .build import CONTAINERS, CS_5_0, CS_5_1, facts, name, program
from .cases import CB, DECLARATIONS, OPERANDS, SPECIAL, TEMP
from .operands import instruction, literal, register, selected, swizzled, written

WORDS = (
    [(token, text, CS_5_0) for token, text, *_ in OPERANDS]
    + [(case[0], case[1], case[5]) for case in DECLARATIONS]
    + [(token, text, CS_5_0) for token, text in SPECIAL]
)


@pytest.mark.parametrize(
    ("token", "text", "version"), WORDS, ids=[f"{case[0]:x}-{i}" for i, case in enumerate(WORDS)]
)
def test_the_words_come_back(token: int, text: str, version: int) -> None:
    words = instruction(token, text)
    read = decode_container(program(*words, version=version))
    expected = struct.pack(f"<{len(words) + 2}I", version, len(words) + 2, *words)
    assert encode_program(read.version, read.statements) == expected


def statement(mnemonic: str, *operands: Operand, **keywords: object) -> Statement:
    return Statement(BY_NAME[mnemonic], operands, NOWHERE, **keywords)  # type: ignore[arg-type]


def encoded(made: Statement) -> str:
    payload = encode_program((5, 0), [made])
    return " ".join(f"{word:08x}" for (word,) in struct.iter_unpack("<I", payload[8:]))


MADE = [
    (statement("ret"), "0100003e"),
    (statement("sync", controls=0x1800), "010018be"),
    (statement("if", selected(0, "x"), controls=0x40000), "0304001f 0010000a 00000000"),
    (statement("mov", written(0, "xyzw"), swizzled(CB, 0, 2, swizzle="xyzw")),
     "06000036 001000f2 00000000 00208e46 00000000 00000002"),
    (statement("mov", written(0, "x"), literal(0x3F800000)),
     "05000036 00100012 00000000 00004001 3f800000"),
    (statement("dcl_thread_group", extra=(64, 1, 1)), "0400009b 00000040 00000001 00000001"),
    (statement("dcl_immediateConstantBuffer", data=(1, 2, 3, 4)),
     "00001835 00000006 00000001 00000002 00000003 00000004"),
    (statement("ld", written(0, "xyzw"), swizzled(TEMP, 0), swizzled(RegisterFile.RESOURCE, 0),
               dimension=Dimension.TEXTURE2D, returns=(ReturnType.FLOAT,) * 4),
     "8900002d 800000c2 00155543 001000f2 00000000 00100e46 00000000 00107e46 00000000"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "expected"), MADE, ids=[m.row.name for m, _ in MADE])
def test_made_statements(made: Statement, expected: str) -> None:
    assert encoded(made) == expected


@pytest.mark.parametrize("path", CONTAINERS, ids=name)
def test_compilers_containers_come_back_whole(path: Path) -> None:
    data = path.read_bytes()
    assert encode_container(decode_container(data)) == data


@pytest.mark.parametrize("path", CONTAINERS, ids=name)
def test_a_new_container_has_the_same_program(path: Path) -> None:
    """Encoded like a listing's program, without the original chunks."""
    read = decode_container(path.read_bytes())
    made = encode_container(Program(read.version, read.statements, read.reflection))
    again = decode_container(made)
    assert again.warnings == []
    assert (again.version, again.reflection) == (read.version, read.reflection)
    assert [*map(facts, again.statements)] == [*map(facts, read.statements)]
    program_chunk = next(c for c in read.chunks if c.fourcc == b"SHEX")
    assert program_chunk in again.chunks


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
