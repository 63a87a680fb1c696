"""The instruction table: all rows, by name and by opcode.

Each family has a file. A new instruction is a row in its family's file, and a golden file.
"""

from __future__ import annotations

from translate.isa import (
    atomic,
    bitfield,
    convert,
    declarations,
    double,
    float_alu,
    flow,
    integer,
    memory,
    message,
    move,
    sync,
    texture,
)
from translate.isa.instruction import Instruction, Role

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
    "Float arithmetic and comparison": float_alu.ROWS,
    "Integer arithmetic and comparison": integer.ROWS,
    "Bits": bitfield.ROWS,
    "Conversion": convert.ROWS,
    "Double precision": double.ROWS,
    "Movement": move.ROWS,
    "Control flow": flow.ROWS,
    "Buffers and group-shared memory": memory.ROWS,
    "Textures and queries": texture.ROWS,
    "Atomics and counters": atomic.ROWS,
    "Synchronisation": sync.ROWS,
    "Messages": message.ROWS,
    "Declarations": declarations.ROWS,
}
ROWS: tuple[Instruction, ...] = tuple(row for family in FAMILIES.values() for row in family)
BY_NAME, BY_OPCODE, BY_MESSAGE = index_rows(ROWS)
