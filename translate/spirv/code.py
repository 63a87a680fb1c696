"""Code: the function body being written, and the ids of IR values."""

from __future__ import annotations

from collections.abc import Callable

from translate.errors import Where
from translate.ir import ops, row
from translate.ir.tables import Tables
from translate.ir.types import Type
from translate.ir.values import Block, Value
from translate.spirv.grammar import Op
from translate.spirv.sections import Sections, Words, put
from translate.target_device import TargetDevice

STD450 = "GLSL.std.450"


class _Ids(dict[Value, int]):
    """The ids of values; constants are written at their first use."""

    def __init__(self, sections: Sections):
        super().__init__()
        self._sections = sections

    def __missing__(self, value: Value) -> int:
        assert value.op is ops.CONST, f"{value!r} is used before it is written"
        self[value] = number = self._sections.ir_constant(value.type, row.BITS.of(value))
        return number


class _TypeIds(dict[Type, int]):
    """The ids of types, which are written at their first use."""

    def __init__(self, sections: Sections):
        super().__init__()
        self._sections = sections

    def __missing__(self, type_: Type) -> int:
        self[type_] = number = self._sections.ir_type(type_)
        return number


class Code:
    """Appends instructions to `body`; `label` is the id of the current block.

    `tables` are the IR module's; `device` is the device that the code is for.
    """

    def __init__(self, sections: Sections, tables: Tables, device: TargetDevice):
        self.sections = sections
        self.device = device
        self.flush = device.flush
        self.tables = tables
        self.body: Words = []
        self.variables: Words = []  # function-scope variables, which come first
        self.label = 0
        self.ids = _Ids(sections)
        # The id of a written value or of a constant
        self.use: Callable[[Value], int] = self.ids.__getitem__
        # The id of the SPIR-V type for an IR type
        self.type: Callable[[Type], int] = _TypeIds(sections).__getitem__

    def restart(self, label: int) -> None:
        """Begin another function; `label` is its first block."""
        self.body, self.variables = [], []
        self.label = label

    def instruct(self, op: int, type_id: int, *operands: int) -> int:
        """Append an instruction with a result, and return its id."""
        number = self.sections.id()
        self.body += (len(operands) + 3 << 16 | op, type_id, number, *operands)
        return number

    def effect(self, op: int, *operands: int) -> None:
        """Append an instruction without a result."""
        put(self.body, op, *operands)

    def extended(self, instruction: int, type_id: int, *operands: int) -> int:
        """Append an instruction of GLSL.std.450."""
        number = self.sections.extended(STD450)
        return self.instruct(Op.ExtInst, type_id, number, instruction, *operands)

    def begin(self, label: int) -> None:
        """Start a block."""
        self.effect(Op.Label, label)
        self.label = label

    # --- where instructions come from, which `LocatedCode` writes -------------------------------

    def enter(self, function: int, name: str, body: Block) -> None:
        """Begin the first block of a function."""

    def at(self, where: Where) -> None:
        """Set the source location of the following instructions."""

    def helper(self, function: int, name: str) -> Words:
        """The first instructions of a function that does not come from the source."""
        return []
