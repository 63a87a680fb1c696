"""A register of every file in the place of every operand: refused in words, or translated.

The instructions stand in the compiler's output, in the shortest program that has each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest

from translate.dxbc.decode import DecodedProgram, decode_program
from translate.dxbc.encode import encode_program
from translate.errors import TranslateError
from translate.isa import BY_NAME
from translate.isa.instruction import SM51, Role, Spec
from translate.isa.registers import Index, Operand, RegisterFile, Selection

from .oracles import check_program
from .targets import TARGETS

_MASKED = (Role.DESTINATION, Role.TARGET)
_ROWS = [row.name for row in dict.fromkeys(BY_NAME.values()) if row.operands]


@cache
def _hosts() -> dict[str, DecodedProgram]:
    """By the names of their instructions, the shortest last."""
    hosts: dict[str, DecodedProgram] = {}
    for payload in sorted(TARGETS["program"].seeds(), key=len, reverse=True):
        with suppress(TranslateError):  # shaders of other stages, and damaged ones
            program = decode_program(payload, 0, None)
            hosts.update((statement.row.name, program) for statement in program.statements)
    return hosts


def _registers(spec: Spec, ranges: bool) -> Iterator[Operand]:
    """The first register of each file, as an operand in that place selects components."""
    selection = Selection.MASK if spec.role in _MASKED else Selection.SWIZZLE
    for file in RegisterFile:
        count = file.indices_in(ranges)
        values = (1, 2, 3, 4) if file.is_immediate else ()
        yield Operand(file, 4, selection, 15, indices=(Index(0),) * count, values=values)


@pytest.mark.parametrize("name", _ROWS)
def test_every_file_in_every_place(name: str) -> None:
    host = _hosts()[name]
    ranges = host.version >= SM51
    at, statement = next((i, s) for i, s in enumerate(host.statements) if s.row.name == name)
    for place, spec in enumerate(statement.row.operands):
        for register in _registers(spec, ranges):
            operands = (*statement.operands[:place], register, *statement.operands[place + 1 :])
            changed = [*host.statements]
            changed[at] = replace(statement, operands=operands)
            try:
                payload = encode_program(host.version, changed)
            except TranslateError:
                continue
            check_program(payload)
