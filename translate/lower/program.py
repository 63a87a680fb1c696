"""Lowering: walks a program's statements, and calls each row with its operands as values.

Messages to the host (`abort`, `printf`, `errorf`; source: isa.flow): fxc writes a 32-bit
argument as an operand with one component, and a double as an operand with a swizzle of four
components or a 64-bit immediate.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import cast

from translate.dataclass import replace
from translate.errors import NOWHERE, ProgramError, UnsupportedError, Where
from translate.ir.builder import SIGN, Builder, Merge
from translate.ir.memory import Message
from translate.ir.ops import READ_REGISTER, WRITE_REGISTER, Op
from translate.ir.size import COSTS, cost, too_large
from translate.ir.types import VOID, Type
from translate.ir.values import Block, Module, Value
from translate.isa.declarations import DCL_INTERFACE
from translate.isa.instruction import Flow, Kind, Scalar, Spec, breach
from translate.isa.registers import MASK_COMPONENTS, Modifier, Operand, RegisterFile, Selection
from translate.linkage import ClassInstance, ClassInstances
from translate.lower.flow import FlowDriver
from translate.lower.indexed_registers import Driver, IndexedRegisters
from translate.lower.interfaces import Instances
from translate.lower.memory import MemoryDriver, TextureDriver
from translate.lower.operands import Operands
from translate.lower.resources import Lengths, declare, declared_inputs
from translate.program import Program, Statement

_NULL, _LABEL = RegisterFile.NULL, Flow.LABEL
_STRUCTURING = (Kind.FLOW, Kind.MESSAGE)  # a message may end the thread
_NO_LENGTHS = Lengths()
_Results = Value | tuple[Value, ...]  # of a row with one destination, or with several
# Most instructions become 10 to 40 operations, the largest 130; `ir.size.cost` has exceptions
_OPERATIONS, _OPERATIONS_EACH = 200_000, 64
_MOST_INTERFACES = 253  # D3D11_SHADER_MAX_INTERFACES


class LimitedBuilder(Builder):
    """Emits at most `most` operations (None: any number), as `ir.size.cost` counts them.

    The error for more names the instruction that became the most operations. Unless subroutines
    share the registers (`shared`), a register that its block has written is not read again, and of
    writes without a construct between them only the last is emitted, by `write_registers`.
    """

    def __init__(self, block: Block, most: int | None):
        super().__init__(block)
        self.shared = False
        self._written: dict[int, Value] = {}  # registers that the block `_writing` has written
        self._unwritten: dict[int, Where] = {}  # those of them whose write is not emitted yet
        self._writing: Block = block
        self._most = sys.maxsize if most is None else most
        self._made = 0
        self._begun = 0  # the number of operations before the current instruction
        self._largest = (0, NOWHERE)

    def begin(self, where: Where) -> None:
        """Begin the next instruction of the shader, at `where`."""
        if self._made - self._begun > self._largest[0]:
            self._largest = self._largest_yet()
        self.where, self._begun = where, self._made

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        """Append one operation. Raises UnsupportedError if that is one too many."""
        self._made += COSTS[op] or cost(op, args[:1], data)
        if self._made > self._most:
            became = f"{self._made} operations or more"
            raise too_large(became, "max_instructions", self._most, *self._largest_yet())
        value = Value(op, type_, args, data, self.where)
        self.block.values.append(value)
        return value

    def read_register(self, number: int, type_: Type) -> Value:
        written = self._written.get(number) if self.block is self._writing else None
        # A value from another block may turn out to be a cast from `type_`
        if written is None or (written.op is READ_REGISTER and written.type is not type_):
            self.write_registers()
            return super().read_register(number, type_)
        return written if written.type is type_ else self.as_type(type_, written)

    def write_register(self, number: int, value: Value) -> None:
        if self.shared:
            super().write_register(number, value)
            return
        if self.block is not self._writing:
            self._writing, self._written = self.block, {}
        self._made += COSTS[WRITE_REGISTER]
        self._written[number], self._unwritten[number] = value, self.where

    def write_registers(self) -> None:
        """Emit the writes that are left; to be called before a block ends or has a construct."""
        for number, where in self._unwritten.items():
            write = Value(WRITE_REGISTER, VOID, [self._written[number]], number, where)
            self._writing.values.append(write)
        self._unwritten.clear()

    @contextmanager
    def selection(
        self, condition: Value, otherwise: Value | list[Value] | None = None
    ) -> Generator[Merge]:
        self.write_registers()
        with super().selection(condition, otherwise) as merge:
            yield merge
            self.write_registers()

    def _largest_yet(self) -> tuple[int, Where]:
        current = self._made - self._begun
        return (current, self.where) if current > self._largest[0] else self._largest


class MessageDriver:
    """Lowers messages; the host finds the types of arguments in the format string."""

    def __init__(self, builder: Builder, operands: Operands, flow: FlowDriver, module: Module):
        self.b = builder
        self.operands = operands
        self.flow = flow
        self.messages = module.messages
        self.numbers: dict[int, int] = {}  # by instruction, which may be lowered repeatedly

    def lower(self, statement: Statement) -> None:
        """Lower one message; an `abort` ends the thread."""
        number = self.numbers.setdefault(id(statement), len(self.messages))
        arguments = [self._dwords(operand) for operand in statement.operands]
        if number == len(self.messages):
            widths = tuple(len(dwords) for dwords in arguments)
            name, text = statement.row.name, text_of(statement.text)
            self.messages.append(Message(name, text, widths, statement.where))
        self.b.message(number, [dword for dwords in arguments for dword in dwords])
        if statement.row.flow is Flow.ABORT:
            self.flow.abort()

    def _dwords(self, operand: Operand) -> list[Value]:
        if not is_double(operand):
            return [self.operands.read(operand, 0, Scalar.BITS)]
        if operand.file is RegisterFile.IMMEDIATE64:
            return [self.b.u32(bits) for bits in operand.values[:2]]
        plain, b = replace(operand, modifier=Modifier.NONE), self.b
        low, high = (self.operands.read(plain, slot, Scalar.BITS) for slot in (0, 1))
        if operand.modifier & Modifier.ABS:
            high = b.iand(high, b.u32(~SIGN))
        if operand.modifier & Modifier.NEG:
            high = b.ixor(high, b.u32(SIGN))
        return [low, high]


def is_double(operand: Operand) -> bool:
    """Whether a message's argument is a double, by the form of its operand (see above)."""
    if operand.file.is_immediate:
        return operand.file is RegisterFile.IMMEDIATE64
    return operand.components == 4 and operand.selection is not Selection.SELECT


def text_of(text: bytes) -> str:
    """The characters of a format string: UTF-8, else one character for each byte."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def lower_program(
    program: Program,
    class_instances: ClassInstances | None = None,
    report: bool = False,
    lengths: Lengths = _NO_LENGTHS,
    most: int | None = None,
) -> Module:
    """Lower a program to IR, before registers are promoted and accesses guarded.

    `class_instances` implement its interfaces (see Options); with `report` every access has a
    `check`; `lengths` are known lengths of the resources to be bound; `most` limits the number of
    operations.

    Raises UnsupportedError for instructions without a translation and for too many operations,
    TranslateError for a program that breaks its model's rules.
    """
    driver = _ProgramDriver(program, class_instances or {}, lengths, most)
    driver.b.reporting = report
    return driver.run()


def most_operations(program: Program) -> int:
    """The default limit of a program's operations."""
    return _OPERATIONS + _OPERATIONS_EACH * len(program.statements)


def check_program(program: Program) -> None:
    """Lower a program only for its errors, with those of undeclared thread inputs.

    D3D's programs declare their inputs (`dcl_input`, FS §22.3.41); a translation does not need it.

    Raises ProgramError if it breaks a rule of D3D; UnsupportedError or OptionError at the first
    instruction that cannot be lowered for another reason.
    """
    driver = _ProgramDriver(program, _first_classes(program), _NO_LENGTHS, most_operations(program))
    driver.operands.declared_inputs = declared_inputs(program)
    driver.run()


def _first_classes(program: Program) -> ClassInstances:
    """Classes by which calls can be lowered: each interface's first, if D3D allows so many."""
    chosen: dict[str, tuple[ClassInstance, ...]] = {}
    slots = 0
    declared = (s.extra for s in program.statements if s.row is DCL_INTERFACE)
    for number, _, count, *tables in declared:
        slots += count
        if tables and slots <= _MOST_INTERFACES:
            chosen[f"fp{number}"] = (ClassInstance(table=tables[0]),) * count
    return chosen


class _ProgramDriver:
    def __init__(
        self,
        program: Program,
        class_instances: ClassInstances,
        lengths: Lengths,
        most: int | None,
    ):
        self.program = program
        self.lengths = lengths
        self.class_instances = class_instances
        self.module = Module(program.profile, Block(), (0, 0, 0))
        self.b = LimitedBuilder(self.module.body, most)
        self.operands = Operands(self.b, self.module)
        self.flow = FlowDriver(self.b, self.operands)
        self.memory = MemoryDriver(self.b, self.operands)
        self.texture = TextureDriver(self.b, self.operands, self.memory)
        self.indexed = IndexedRegisters(self.b, self.operands, self.module, program.version)

    def run(self) -> Module:
        declare(self.program, self.module, self.operands, self.lengths)
        self.operands.instances = Instances(self.program, self.module, self.class_instances)
        self.flow.prepare(self.program)
        self.b.shared = any(one.row.flow is _LABEL for one in self.program.statements)
        all_precise = "refactoringAllowed" not in self.module.flags
        drivers = self._drivers()  # this object does not refer to them: no cycle
        for statement in self.program.statements:
            if statement.row.is_declaration:
                continue
            self.b.begin(statement.where)
            self.b.precise = all_precise
            self._statement(statement, drivers)
        self.b.where = NOWHERE
        self.b.write_registers()
        self.flow.finish()
        self.operands.uses.spread(self.module.tables.members)
        self.module.tables.usage = self.operands.uses.table(self.module.resources)
        return self.module

    def _drivers(self) -> Mapping[Kind, Driver]:
        return {
            Kind.ALU: self._alu,
            Kind.MOVE: self._alu,
            Kind.DOT: self._dot,
            Kind.LOAD: self.memory.load,
            Kind.STORE: self.memory.store,
            Kind.ATOMIC: self.memory.atomic,
            Kind.COUNTER: self.memory.counter,
            Kind.QUERY: self.memory.query,
            Kind.TEXTURE: self.texture.sample,
            Kind.SYNC: self.memory.sync,
            Kind.MESSAGE: MessageDriver(self.b, self.operands, self.flow, self.module).lower,
            Kind.FLOW: self.flow.lower,
            Kind.NOTHING: lambda statement: None,
        }

    def _statement(self, statement: Statement, drivers: Mapping[Kind, Driver]) -> None:
        row = statement.row
        driver = drivers.get(row.kind)
        if driver is None or not row.translated:
            raise UnsupportedError(f"{row.name} is not translated yet", statement.where)
        operands, specs = statement.operands, row.specs(len(statement.operands))
        if len(operands) != len(specs):
            message = f"{row.name} takes {len(specs)} operands, not {len(operands)}"
            raise ProgramError(message, statement.where)
        if row.kind in _STRUCTURING:
            self.b.write_registers()
        for operand, spec in zip(operands, specs, strict=True):
            fault = breach(row, spec, operand)
            if fault is not None:
                raise self.operands.fault(fault, operand)
        self.indexed.lower(statement, driver)

    def _alu(self, statement: Statement) -> None:
        row, read = statement.row, self.operands.read
        if row.has_doubles:
            self._double_alu(statement)
            return
        count, b, lower = row.destinations, self.b, cast("Callable[..., _Results]", row.lower)
        targets = statement.operands[:count]
        scalars = [spec.scalar for spec in row.operands[count:]]
        sources = [*zip(statement.operands[count:], scalars, strict=True)]
        all_precise, precise, saturates = b.precise, statement.precise, statement.saturate
        results: dict[int, _Results] = {}
        for component in _written(*targets):
            b.precise = all_precise or bool(precise >> component & 1)
            arguments = [read(operand, component, scalar) for operand, scalar in sources]
            found = lower(b, *arguments)
            results[component] = self._saturated(found) if saturates else found
        self._write(targets, results)

    def _saturated(self, results: _Results) -> _Results:
        if isinstance(results, tuple):
            return tuple(map(self.operands.saturate, results))
        return self.operands.saturate(results)

    def _write(self, targets: tuple[Operand, ...], results: Mapping[int, _Results]) -> None:
        """Write destinations after all sources are read, as D3D does (reference "Model")."""
        for position, operand in enumerate(targets):
            for component in _written(operand):
                given = results[component]
                value = given[position] if isinstance(given, tuple) else given
                self.operands.write(operand, component, value)

    def _dot(self, statement: Statement) -> None:
        target, *sources = statement.operands
        self.b.precise = self.b.precise or bool(statement.precise)
        vectors = [
            tuple(self.operands.read(operand, slot, Scalar.F32) for slot in range(spec.slots or 0))
            for operand, spec in zip(sources, statement.row.operands[1:], strict=True)
        ]
        assert statement.row.lower is not None
        value = cast("Value", statement.row.lower(self.b, *vectors))
        value = self.operands.saturate(value) if statement.saturate else value
        for component in _written(target):
            self.operands.write(target, component, value)

    def _double_alu(self, statement: Statement) -> None:
        """Lower arithmetic on doubles, in pairs of components (reference "Double precision").

        A double destination's pair k takes swizzle letters 2k and 2k+1 of double sources and letter
        k of 32-bit ones; of a 32-bit destination, the n-th written component takes the n-th double.
        """
        target = statement.operands[0]
        specs = statement.row.operands
        wide = specs[0].scalar is Scalar.F64
        components = _pairs(self.operands, target) if wide else _written(target)
        lower, results = cast("Callable[..., Value]", statement.row.lower), list[Value]()
        for position, place in enumerate(components):
            element = place if wide else position
            precise = statement.precise >> (2 * place if wide else place) & 1
            self.b.precise = self.b.precise or bool(precise)
            arguments = [
                self._element(operand, spec, element)
                for operand, spec in zip(statement.operands[1:], specs[1:], strict=True)
            ]
            value = lower(self.b, *arguments)
            results.append(self.operands.saturate(value) if statement.saturate else value)
        for place, value in zip(components, results, strict=True):
            write = self.operands.write_double if wide else self.operands.write
            write(target, place, value)

    def _element(self, operand: Operand, spec: Spec, element: int) -> Value:
        if spec.scalar is Scalar.F64:
            return self.operands.read_double(operand, min(element, 1))
        return self.operands.read(operand, element, spec.scalar)


def _written(*targets: Operand) -> tuple[int, ...]:
    """The components that at least one of the destinations writes."""
    mask = 0
    for target in targets:
        mask |= 0 if target.file is _NULL else target.mask
    return MASK_COMPONENTS[mask]


def _pairs(operands: Operands, target: Operand) -> tuple[int, ...]:
    """The pairs in a double's write mask: .xy is 0, .zw is 1."""
    pairs = {0b0011: (0,), 0b1100: (1,), 0b1111: (0, 1)}.get(target.mask)
    if target.file is RegisterFile.NULL:
        return ()
    if pairs is None:
        raise operands.fault("a double is written to .xy, .zw or .xyzw", target)
    return pairs
