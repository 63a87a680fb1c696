"""Statements to program tokens: the exact words, nothing lost, and values that do not fit."""

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from checks.bytes.oracles import facts
from translate import ProgramError
from translate.asm import parse_listing
from translate.dxbc import decode_container
from translate.dxbc.contents import encode_container, encode_program
from translate.isa.registers import Index
from translate.program import Program, Statement

from .build import CONTAINERS, CS_5_1, EVERY_ROW, name


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


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        ("ld r0.x, r0.xyzw, t0.xyzw", {"offsets": (8, 0, 0)}, "ld: 8 is outside [-8, 7]"),
        (
            "dcl_temps 1",
            {"extra": (0,) * 127},
            "dcl_temps: an instruction has at most 127 dwords, found 128",
        ),
        (
            "dcl_interface fp0[1][1] = {ft0}",
            {"extra": (0, 1)},
            "dcl_interface: 2 dwords after the name, expected 3",
        ),
    ],
)
def test_statements_that_no_token_holds(line: str, change: dict[str, Any], message: str) -> None:
    check_refused(replace(statement(line), **change), message)


@pytest.mark.parametrize(
    ("place", "change", "message"),
    [
        (0, {"components": 3}, "mov: an operand of 3 components"),
        (0, {"mask": 16}, "mov: 16 does not fit into 4 bits"),
        (0, {"indices": (Index(0),) * 4}, "mov: 4 does not fit into 2 bits"),
        (1, {"values": (1 << 32,)}, "mov has a value that does not fit into 32 bits"),
        (1, {"values": (-1,)}, "mov has a value that does not fit into 32 bits"),
    ],
)
def test_operands_that_no_token_holds(place: int, change: dict[str, Any], message: str) -> None:
    made = statement("mov r0.x, l(0)")
    operands = [*made.operands]
    operands[place] = replace(operands[place], **change)
    check_refused(replace(made, operands=tuple(operands)), message)


def statement(line: str) -> Statement:
    return parse_listing(f"cs_5_0\n{line}\n", None).statements[0]


def check_refused(made: Statement, message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        encode_program((5, 0), [made])
    assert caught.value.message == message
    assert caught.value.where.line == 2


def test_the_version_token() -> None:
    assert encode_program((5, 1), [])[:8] == struct.pack("<II", CS_5_1, 2)
