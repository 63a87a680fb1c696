"""A register of every file in the place of every operand: an error with a message, or SPIR-V.

Each instruction is taken from the shortest program that has it: of the compiler's output or, where
fxc does not emit it, a hand-written listing. Only the declarations are kept, the instruction, and
what leads from it to a store.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

import pytest

import translate
from checks.bytes.mutate_container import program_of
from checks.bytes.oracles import check_program
from checks.bytes.targets import TARGETS
from tests.coverage.builds import LISTINGS
from tests.slow import share
from translate.dxbc.contents import encode_program
from translate.dxbc.decode import DecodedProgram, decode_program
from translate.errors import TranslateError
from translate.isa import BY_NAME
from translate.isa.instruction import SM51, Kind, Role, Spec
from translate.isa.registers import Index, Operand, RegisterFile, Selection
from translate.program import Statement

_MASKED = (Role.DESTINATION, Role.TARGET)
_ROWS = [row.name for row in dict.fromkeys(BY_NAME.values()) if row.operands]


@cache
def _hosts() -> dict[str, DecodedProgram]:
    """Programs by the names of their instructions; a shorter program replaces a longer one."""
    hosts: dict[str, DecodedProgram] = {}
    listed = [program_of(translate.assemble(path.read_text("utf-8"))) for path in LISTINGS]
    for payload in sorted((*TARGETS["program"].seeds(), *listed), key=len, reverse=True):
        with suppress(TranslateError):  # shaders of other stages, and damaged ones
            program = decode_program(payload, 0, None)
            hosts.update((statement.row.name, program) for statement in program.statements)
    return hosts


def _registers(spec: Spec, ranges: bool) -> Iterator[Operand]:
    """The first register of each file, with the component selection of that operand's place."""
    selection = Selection.MASK if spec.role in _MASKED else Selection.SWIZZLE
    for file in RegisterFile:
        count = file.indices_in(ranges)
        values = (1, 2, 3, 4) if file.is_immediate else ()
        yield Operand(file, 4, selection, 15, indices=(Index(0),) * count, values=values)


def _touched(operand: Operand) -> set[tuple[RegisterFile, int]]:
    """The register of an operand, and the registers that index it."""
    found = {(operand.file, operand.number)}
    for index in operand.indices:
        found |= _touched(index.relative) if index.relative else set()
    return found


def _users(statements: Sequence[Statement], at: int) -> Iterator[Statement]:
    """The statement at `at`, and those that lead from it to the first store that depends on it."""
    results: set[tuple[RegisterFile, int]] = set()
    for number, statement in enumerate(statements[at:]):
        touched = {place for operand in statement.operands for place in _touched(operand)}
        if number and (statement.row.kind is Kind.FLOW or not touched & results):
            continue
        yield statement
        if statement.row.kind is Kind.STORE:
            return
        written = zip(statement.row.operands, statement.operands, strict=False)
        results |= {(o.file, o.number) for spec, o in written if spec.role is Role.DESTINATION}


def _shortened(host: DecodedProgram, name: str) -> list[Statement]:
    """The statements that the test needs; for control flow all of the program."""
    at, statement = next((i, s) for i, s in enumerate(host.statements) if s.row.name == name)
    if statement.row.kind in (Kind.FLOW, Kind.DECLARATION):
        return host.statements
    declarations = [s for s in host.statements if s.row.kind is Kind.DECLARATION]
    end = next(s for s in host.statements if s.row.name == "ret")
    return [*declarations, *_users(host.statements, at), end]


@pytest.mark.parametrize("name", share(_ROWS, str, 8, "every register in every place", 8))
def test_every_file_in_every_place(name: str) -> None:
    host = _hosts()[name]
    ranges = host.version >= SM51
    statements = _shortened(host, name)
    at, statement = next((i, s) for i, s in enumerate(statements) if s.row.name == name)
    for place, spec in enumerate(statement.row.operands):
        for register in _registers(spec, ranges):
            operands = (*statement.operands[:place], register, *statement.operands[place + 1 :])
            changed = [*statements]
            changed[at] = replace(statement, operands=operands)
            try:
                payload = encode_program(host.version, changed)
            except TranslateError:
                continue
            check_program(payload)
