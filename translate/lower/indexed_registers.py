"""`t[r0.x + 1]` and `s[r0.x + 0]`: registers that a class instance names at run time.

Vulkan binds these registers one by one, so that the instruction is lowered for each register that
fits, under the condition that it is the one. Source: FS §7.19; fxc's code for classes that have
textures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind, Resource
from translate.ir.values import Value
from translate.isa.enums import Dimension
from translate.isa.instruction import SM51, Role
from translate.isa.registers import Index, Operand, RegisterFile
from translate.lower.operands import Operands
from translate.program import Statement

_FILES = (RegisterFile.RESOURCE, RegisterFile.SAMPLER)
_KINDS = {
    Dimension.RAW_BUFFER: MemoryKind.RAW,
    Dimension.STRUCTURED_BUFFER: MemoryKind.STRUCTURED,
}
Driver = Callable[[Statement], None]


class IndexedRegisters:
    """Lowers an instruction once for every register that its indices may mean."""

    def __init__(self, builder: Builder, operands: Operands, version: tuple[int, int]):
        self.b = builder
        self.operands = operands
        self.ranges = version >= SM51  # there the first index names a range, never a register

    def lower(self, statement: Statement, driver: Driver) -> None:
        """`driver` as it is for what names its registers, else under conditions."""
        places = [i for i, operand in enumerate(statement.operands) if self._is_indexed(operand)]
        if not places:
            driver(statement)
            return
        indexed = [statement.operands[place] for place in places]
        registers = [[*self._candidates(statement, operand)] for operand in indexed]
        numbers = [self.operands.index(operand.indices[0]) for operand in indexed]
        # All conditions first: the instruction may overwrite a register that an index is in.
        cases = [(self._all_equal(numbers, chosen), chosen) for chosen in product(*registers)]
        for condition, chosen in cases:
            with self.b.selection(condition):
                driver(_with_registers(statement, places, chosen))
        self._clear_unless(statement, [condition for condition, _ in cases])

    def _is_indexed(self, operand: Operand) -> bool:
        return (
            not self.ranges
            and operand.file in _FILES
            and bool(operand.indices)
            and operand.indices[0].relative is not None
        )

    def _candidates(self, statement: Statement, operand: Operand) -> Iterator[int]:
        """Declared registers of that file; of textures and buffers those that look as expected."""
        for (file, number), resource in self.operands.resources.items():
            if file is operand.file and _fits(statement, resource):
                yield number

    def _all_equal(self, numbers: list[Value], chosen: tuple[int, ...]) -> Value:
        first, *rest = (
            self.b.ieq(number, self.b.u32(one)) for number, one in zip(numbers, chosen, strict=True)
        )
        for condition in rest:
            first = self.b.land(first, condition)
        return first

    def _clear_unless(self, statement: Statement, conditions: list[Value]) -> None:
        """A register that is not declared reads as nothing bound: 0."""
        any_of = self.b.ine(self.b.u32(0), self.b.u32(0))
        for condition in conditions:
            any_of = self.b.lor(any_of, condition)
        with self.b.selection(self.b.ieq(self.b.mask(any_of), self.b.u32(0))):
            for operand, spec in zip(statement.operands, statement.row.operands, strict=True):
                if spec.role is not Role.DESTINATION or operand.file is RegisterFile.NULL:
                    continue
                for component in operand.written():
                    self.operands.write(operand, component, self.b.u32(0))


def _fits(statement: Statement, resource: Resource) -> bool:
    """Whether a resource has the dimension that the instruction was compiled for."""
    if resource.kind is MemoryKind.SAMPLER or statement.dimension is None:
        return True
    kind = _KINDS.get(statement.dimension, MemoryKind.TYPED)
    printed = statement.dimension.printed
    return resource.kind is kind and (kind is not MemoryKind.TYPED or resource.dimension == printed)


def _with_registers(statement: Statement, places: list[int], chosen: tuple[int, ...]) -> Statement:
    operands = list(statement.operands)
    for place, number in zip(places, chosen, strict=True):
        indices = (Index(number), *operands[place].indices[1:])
        operands[place] = replace(operands[place], indices=indices)
    return replace(statement, operands=tuple(operands))
