"""The instruction table: all rows, by name and by opcode.

A new instruction is a row of its family, and a golden file.
"""

from __future__ import annotations

import copyreg

from translate.isa.declarations import DECLARATIONS
from translate.isa.double import DOUBLES
from translate.isa.float_alu import FLOATS
from translate.isa.flow import FLOW, MESSAGES
from translate.isa.instruction import Instruction, Role
from translate.isa.integer import BITS, INTEGERS
from translate.isa.memory import ATOMICS, BUFFERS, SYNC
from translate.isa.move import CONVERSIONS, MOVES
from translate.isa.texture import TEXTURES

Index = dict[int, Instruction]


def index_rows(
    rows: tuple[Instruction, ...],
) -> tuple[dict[str, Instruction], Index, Index]:
    """The rows by name, by opcode and by message number.

    Raises ValueError for a duplicate.
    """
    by_name: dict[str, Instruction] = {}
    by_opcode: Index = {}
    by_message: Index = {}
    for row in rows:
        for name in (row.name, *row.aliases):
            if name in by_name:
                raise ValueError(f"{name} occurs twice in the instruction table")
            by_name[name] = row
        number, numbered = row.opcode, by_opcode
        if row.message is not None:
            number, numbered = row.message, by_message
        if number in numbered:
            raise ValueError(f"opcode {number:#x} occurs twice in the instruction table")
        if any(s.role is Role.DESTINATION for s in row.operands[row.destinations :]):
            raise ValueError(f"{row.name}: destinations come first")
        numbered[number] = row
    return by_name, by_opcode, by_message


FAMILIES: dict[str, tuple[Instruction, ...]] = {
    "Float arithmetic and comparison": FLOATS,
    "Integer arithmetic and comparison": INTEGERS,
    "Bits": BITS,
    "Conversion": CONVERSIONS,
    "Double precision": DOUBLES,
    "Movement": MOVES,
    "Control flow": FLOW,
    "Buffers and group-shared memory": BUFFERS,
    "Textures and queries": TEXTURES,
    "Atomics and counters": ATOMICS,
    "Synchronisation": SYNC,
    "Messages": MESSAGES,
    "Declarations": DECLARATIONS,
}
ROWS: tuple[Instruction, ...] = tuple(row for family in FAMILIES.values() for row in family)
BY_NAME, BY_OPCODE, BY_MESSAGE = index_rows(ROWS)


def row_named(name: str) -> Instruction:
    """The row of an instruction. Raises KeyError."""
    return BY_NAME[name]


# Copies and pickles have the name of a row: it has functions, and rows are compared by identity
copyreg.pickle(Instruction, lambda row: (row_named, (row.name,)))
