"""View ranges: first element and count, in push constants, or for arrays of buffers in a table.

Push constants have room for only a few ranges, and must not be indexed differently by different
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.values import Value
from translate.spirv.code import Code
from translate.spirv.grammar import Decoration, Op, StorageClass
from translate.spirv.host_tables import WINDOWS, HostTables

_WORDS = 2  # per view range: first element, count


class Windows:
    """Reads view ranges; declares the push constants at their first use.

    `registers` have a range in the push constants, in this order.
    """

    def __init__(self, code: Code, tables: HostTables, registers: tuple[str, ...]):
        self.code = code
        self.tables = tables
        self.sections = code.sections
        self.registers = registers
        self.variable = 0
        self.emitters: Mapping[ops.Op, Callable[[Value], int | None]] = {
            ops.WINDOW_FIRST: lambda value: self._read(value, 0),
            ops.WINDOW_COUNT: lambda value: self._read(value, 1),
        }

    def module_variables(self) -> list[int]:
        return [self.variable] if self.variable else []

    def _read(self, value: Value, word: int) -> int:
        resource = row.RESOURCE.of(value)
        if resource.is_array:
            return self.tables.read(value, WINDOWS, word)
        return self._read_push_constant(resource, word)

    def _read_push_constant(self, resource: Resource, word: int) -> int:
        sections = self.sections
        if not self.variable:
            self.variable = self._declare()
        index = sections.u32(_WORDS * self.registers.index(resource.register) + word)
        pointer_type = sections.pointer(StorageClass.PushConstant, sections.uint)
        pointer = self.code.instruct(
            Op.AccessChain, pointer_type, self.variable, sections.u32(0), index
        )
        return self.code.instruct(Op.Load, sections.uint, pointer)

    def _declare(self) -> int:
        sections = self.sections
        length = sections.u32(_WORDS * len(self.registers))
        array = sections.unique_type(Op.TypeArray, sections.uint, length)
        block = sections.unique_type(Op.TypeStruct, array)
        sections.decorate(array, Decoration.ArrayStride, 4)
        sections.decorate(block, Decoration.Block)
        sections.decorate_member(block, 0, Decoration.Offset, 0)
        variable = sections.variable(StorageClass.PushConstant, block)
        sections.name(variable, "windows")
        return variable
