"""A listing in the forms that fxc prints by its options /Lx, /Ni, /No and /Zi."""

from __future__ import annotations

import re

from translate.asm import parse_listing
from translate.asm.literals import literal_style
from translate.dxbc.contents import encode_program
from translate.isa.declarations import CUSTOM_DATA
from translate.isa.instruction import Spec
from translate.isa.registers import Operand, RegisterFile
from translate.program import Program, Statement

from .edit import code_of, rewrite

_VALUES = re.compile(r"(?<=[ld]\()[^()]*(?=\))")


def hexadecimal(listing: str) -> str:
    """The form of /Lx: every immediate as its bits. The listing given has to be exact."""

    def change(statement: Statement, spec: Spec, operand: Operand, text: str) -> str | None:
        if operand.file not in (RegisterFile.IMMEDIATE32, RegisterFile.IMMEDIATE64):
            return None
        between = literal_style(statement.row)[1]
        return _VALUES.sub(lambda match: bits_of(operand.values, between), text)

    changed = rewrite(listing, change).split("\n")
    for statement in parse_listing(listing, None).statements:
        if statement.row is CUSTOM_DATA and statement.where.line is not None:
            for vector in range(len(statement.data) // 4):
                at = statement.where.line - 1 + vector
                words = bits_of(statement.data[vector * 4 : vector * 4 + 4])
                before, mark, numbers = changed[at].rpartition("{ ")
                changed[at] = before + mark + re.sub(r"^[^}]*", words, numbers)
    return "\n".join(changed)


def bits_of(values: tuple[int, ...], between: str = ", ") -> str:
    return between.join(f"0x{value:08x}" for value in values)


def numbered(listing: str, *, numbers: bool, offsets: bool) -> str:
    """The form of /Ni (`numbers`) and /No (`offsets`, in bytes of the program's chunk)."""
    program = parse_listing(listing, None)
    lines = listing.split("\n")
    first = len(lines) - len(code_of(listing).split("\n"))
    places = {first: (None, 0)} | places_of(program)
    for at, (number, offset) in places.items():
        count = "" if not numbers else "      " if number is None else f"{number:4}"
        place = f"0x{offset:08X}: " if offsets else "" if number is None else ": "
        gap = "  " if numbers and offsets and number is not None else ""
        lines[at] = count + gap + place + lines[at]
    return "\n".join(lines)


def places_of(program: Program) -> dict[int, tuple[int | None, int]]:
    """The number and the offset of the statement in each line; declarations have no number."""
    found: dict[int, tuple[int | None, int]] = {}
    for index, statement in enumerate(program.statements):
        assert statement.where.line is not None
        before = encode_program(program.version, program.statements[:index])
        found[statement.where.line - 1] = (statement.where.instruction, len(before))
    return found


def with_source_lines(listing: str) -> str:
    """The form of /Zi: the locations of variables, and HLSL lines between the instructions."""
    program = parse_listing(listing, None)
    lines = listing.split("\n")
    for statement in program.statements:
        number = statement.where.instruction
        if number is None or statement.where.line is None:
            continue
        at = statement.where.line - 1
        if number == 0:
            start = ["//", "// Initial variable locations:", "//   vThreadID.x <- id.x", "//"]
            lines[at] = "\n".join([*start, '#line 6 "C:\\shaders\\a.hlsl"', lines[at]])
        elif number % 2:
            lines[at] = f"{lines[at]}  // r0.x <- <f return value>\n\n#line {number + 7}"
    return "\n".join(lines)
