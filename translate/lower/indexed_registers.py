"""`t[r0.x + 1]`, `s[r0.x + 0]`, `cb[r0.x + 0][r0.y + 0]`: registers with an index at run time.

Vulkan binds each of these registers by itself. Instructions are lowered for a resource that stands
for all registers that fit, with the register's number as the descriptor's index. The passes
`select_registers` and `select_constant_buffers` resolve it.
Source: FS §7.19; fxc's code for classes that have textures.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from translate.dataclass import replace
from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind, Resource
from translate.ir.values import Module, Value
from translate.isa.instruction import SM51, Role, Scalar
from translate.isa.registers import Dimension, Operand, RegisterFile
from translate.lower.operands import Operands
from translate.program import Statement

_FILES = (RegisterFile.RESOURCE, RegisterFile.SAMPLER)
_KINDS = {
    Dimension.RAW_BUFFER: MemoryKind.RAW,
    Dimension.STRUCTURED_BUFFER: MemoryKind.STRUCTURED,
}
_Likeness = tuple[object, ...]
Driver = Callable[[Statement], None]


class IndexedRegisters:
    """Lowers an instruction for all registers that its run-time indices may select."""

    def __init__(
        self, builder: Builder, operands: Operands, module: Module, version: tuple[int, int]
    ):
        self.b = builder
        self.operands = operands
        self.tables = module.tables
        self.ranges = version >= SM51  # there the first index is a range, never a register
        self._made: dict[tuple[RegisterFile, _Likeness], Resource] = {}

    def lower(self, statement: Statement, driver: Driver) -> None:
        """Lower a statement by `driver`, once for each kind of registers that it may select."""
        named = [one for one in statement.operands if one.indices and one.indices[0].relative]
        if self.ranges or not named:
            driver(statement)
            return
        self._name_buffers(named)
        indexed = [operand for operand in named if operand.file in _FILES]
        if indexed:
            self._lower_indexed(statement, driver, indexed)
        else:
            driver(statement)
        self.operands.known_indices.clear()

    def _name_buffers(self, named: list[Operand]) -> None:
        """Compute the indices of `cb[r][r]` once, so that all its components share an address."""
        for operand in named:
            if operand.file is RegisterFile.CONSTANT_BUFFER:
                self.operands.any_buffer = self._buffers()
                for index in operand.indices:
                    self.operands.known_indices[index] = self.operands.index(index)

    def _lower_indexed(self, statement: Statement, driver: Driver, indexed: list[Operand]) -> None:
        """Lower once for each kind of registers; nearly all statements have one kind."""
        numbers = [self.operands.index(operand.indices[0]) for operand in indexed]
        choices = [[*self._alike(statement, operand).values()] for operand in indexed]
        cases = [*product(*choices)]
        conditions: list[Value] = []
        for case in cases:
            for operand, members in zip(indexed, case, strict=True):
                made = self._standing_for(operand.file, members)
                self.operands.stand_ins[operand] = made
            if len(cases) == 1:
                driver(statement)
                return
            conditions.append(self._all_named(numbers, case))
            with self.b.selection(conditions[-1]):
                driver(statement)
        self._clear_unless(statement, conditions)

    def _buffers(self) -> list[Resource]:
        """A placeholder for all constant buffers of the same length, for each length."""
        alike: dict[_Likeness, list[Resource]] = {}
        for resource in self.operands.resources.values():
            if resource.kind is MemoryKind.CONSTANTS:
                alike.setdefault(_likeness(resource), []).append(resource)
        file = RegisterFile.CONSTANT_BUFFER
        return [self._standing_for(file, members) for members in alike.values()]

    def _alike(self, statement: Statement, operand: Operand) -> dict[_Likeness, list[Resource]]:
        """The declared registers that `operand` may select in this instruction, by kind."""
        found: dict[_Likeness, list[Resource]] = {}
        for (file, _), resource in self.operands.resources.items():
            if file is operand.file and _fits(statement, resource):
                found.setdefault(_likeness(resource), []).append(resource)
        return found

    def _standing_for(self, file: RegisterFile, members: list[Resource]) -> Resource:
        """The resource that stands for some registers, of which an index selects at most one."""
        first = members[0]
        key = (file, _likeness(first))
        if key not in self._made:
            count = max(member.number for member in members) + 2  # past the last, and more than one
            if first.kind is MemoryKind.CONSTANTS:
                count = 0  # the guards leave the choice to `select_constant_buffers`
            made = replace(first, register=f"any_{first.register}", number=0, count=count)
            self._made[key] = made
            self.tables.members[made] = tuple(members)
        return self._made[key]

    def _all_named(self, numbers: list[Value], case: tuple[list[Resource], ...]) -> Value:
        """A BOOL: whether each number is that of one of its case's registers."""
        result = self.b.bool(True)
        for number, members in zip(numbers, case, strict=True):
            named = self.b.bool(False)
            for member in members:
                named = self.b.lor(named, self.b.ieq(number, self.b.u32(member.number)))
            result = self.b.land(result, named)
        return result

    def _clear_unless(self, statement: Statement, conditions: list[Value]) -> None:
        """Write 0 if no condition holds: the selected register is not declared, and so unbound."""
        any_of = self.b.bool(False)
        for condition in conditions:
            any_of = self.b.lor(any_of, condition)
        with self.b.selection(self.b.ieq(self.b.mask(any_of), self.b.u32(0))):
            for operand, spec in zip(statement.operands, statement.specs, strict=True):
                if spec.role is not Role.DESTINATION or operand.file is RegisterFile.NULL:
                    continue
                for component in operand.written():
                    self.operands.write(operand, component, self.b.u32(0))


def _likeness(resource: Resource) -> _Likeness:
    """The kind of a register: the properties of its resource on which instructions depend."""
    if resource.kind is MemoryKind.SAMPLER:
        return (resource.kind,)
    return (resource.kind, resource.length, resource.dimension, resource.component, resource.stride)


def _fits(statement: Statement, resource: Resource) -> bool:
    """Whether a resource has the dimension and type that the instruction was compiled for."""
    if resource.kind is MemoryKind.SAMPLER or statement.dimension is None:
        return True
    floats = any(s.role is Role.RESOURCE and s.scalar is Scalar.F32 for s in statement.specs)
    if floats and resource.component != "float":
        return False
    kind = _KINDS.get(statement.dimension, MemoryKind.TYPED)
    printed = statement.dimension.printed
    return resource.kind is kind and (kind is not MemoryKind.TYPED or resource.dimension == printed)
