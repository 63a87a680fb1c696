"""Size tables: the number of elements in each view of an array of buffers, as `uint data[]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops, row
from translate.ir.memory import MemoryKind, Resource
from translate.ir.values import Value
from translate.spirv.code import Code
from translate.spirv.grammar import Op, StorageClass
from translate.spirv.memory import Memory


class SizeTables:
    """Reads size tables, which `memory` declares."""

    def __init__(self, code: Code, memory: Memory):
        self.code = code
        self.memory = memory
        self.emitters: Mapping[ops.Op, Callable[[Value], int | None]] = {
            ops.TABLE_COUNT: self._count,
            ops.COUNTER_SIZE: self._counter_size,
        }

    def _count(self, value: Value) -> int:
        owner = row.RESOURCE.of(value)
        return self._size(value, owner.register)

    def _counter_size(self, value: Value) -> int:
        """The dwords of a hidden counter (1, or 0 if unbound), from its table or its descriptor."""
        owner = row.RESOURCE.of(value)
        if not self.code.tables.views[owner].size_table:
            return self.memory.counter_size(value)
        return self._size(value, f"{owner.register}.counter")

    def _size(self, value: Value, register: str) -> int:
        """Load the entry for the array element of `value` from a register's size table."""
        return read_table(self.code, self.memory, f"{register}.sizes", self.code.use(value.args[0]))


def read_table(code: Code, memory: Memory, register: str, index: int) -> int:
    """Load the u32 at `index` of the table that is bound to a register."""
    sections, table = code.sections, Resource(register, MemoryKind.RAW, 0)
    pointer_type = sections.pointer(StorageClass.StorageBuffer, sections.uint)
    path = (memory.variable(table), sections.u32(0), index)
    pointer = code.instruct(Op.AccessChain, pointer_type, *path)
    return code.instruct(Op.Load, sections.uint, pointer)
