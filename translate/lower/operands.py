"""Operands as values: swizzles, masks, modifiers, saturation, indices, register pairs.

Rows get plain scalars of their declared types; this module converts between these and registers.
Source: FS §7, §3.1; reference "Operand modifiers and saturate", "Double precision".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from translate.dataclass import replace
from translate.errors import ProgramError, TranslateError, Where
from translate.ir import ops, row
from translate.ir.builder import SIGN, Builder
from translate.ir.memory import MAX_VECTORS, Access, Check, MemoryKind, Resource
from translate.ir.tables import Table, Usage
from translate.ir.types import F32, F64, U32, Type
from translate.ir.values import Block, Module, Value
from translate.isa.instruction import Scalar
from translate.isa.registers import (
    COMPONENTS,
    MASK_COMPONENTS,
    Index,
    Modifier,
    Operand,
    RegisterFile,
)
from translate.lower.interfaces import Instances, choose_dynamically

THREAD_INPUTS = {
    RegisterFile.THREAD_ID: 3,
    RegisterFile.THREAD_GROUP_ID: 3,
    RegisterFile.THREAD_ID_IN_GROUP: 3,
    RegisterFile.THREAD_ID_IN_GROUP_FLATTENED: 1,
}
_TEMP, _F32, _U32, _I32 = RegisterFile.TEMP, Scalar.F32, Scalar.U32, Scalar.I32
_VECTORS = (  # memory that operands read directly, without a load instruction
    RegisterFile.CONSTANT_BUFFER,
    RegisterFile.IMMEDIATE_CONSTANT_BUFFER,
    RegisterFile.INDEXABLE_TEMP,
)
_RANGES = (
    RegisterFile.CONSTANT_BUFFER,
    RegisterFile.RESOURCE,
    RegisterFile.SAMPLER,
    RegisterFile.UAV,
)


class Uses:
    """The resources that are read, written, ...; a load to `null` counts as well."""

    def __init__(self) -> None:
        self.read: set[Resource] = set()
        self.written: set[Resource] = set()
        self.atomic: set[Resource] = set()
        self.counter: set[Resource] = set()
        self.dynamic: set[Resource] = set()
        self.non_uniform: set[Resource] = set()
        self.past_end: set[Resource] = set()
        self.samplers: dict[Resource, set[str]] = {}

    def spread(self, members: Mapping[Resource, tuple[Resource, ...]]) -> None:
        """Count the uses of a resource that stands for several as uses of each."""
        names = {one.register: {m.register for m in ones} for one, ones in members.items()}
        for registers in self.samplers.values():
            for name in registers & names.keys():
                registers |= names[name]
                registers.discard(name)
        for one, ones in members.items():
            for done in (self.read, self.past_end):
                if one in done:
                    done.update(ones)
            for member in ones if one in self.samplers else ():
                self.samplers.setdefault(member, set()).update(self.samplers[one])

    def table(self, resources: Iterable[Resource]) -> Table[Usage]:
        """The `Usage` of each of a module's resources."""
        return Table(Usage(), [(resource, self._usage(resource)) for resource in resources])

    def _usage(self, resource: Resource) -> Usage:
        return Usage(
            frozenset(self.samplers.get(resource, ())),
            resource in self.counter,
            resource in self.read,
            resource in self.written,
            resource in self.atomic,
            resource in self.dynamic,
            resource in self.non_uniform,
            resource in self.past_end,
        )


class Operands:
    """Emits reads and writes of the operands of a program's instructions."""

    instances: Instances

    def __init__(self, builder: Builder, module: Module):
        self.b = builder
        self.module = module
        self.resources: dict[tuple[RegisterFile, int], Resource] = {}
        self.stand_ins: dict[Operand, Resource] = {}  # for all registers that an index may select
        self.known_indices: dict[Index, Value] = {}  # computed before, in this instruction
        self.any_buffer: list[Resource] = []  # stand-ins for all cb#, one for each length
        self.uses = Uses()
        self.temp_count = 0
        self.inputs: dict[tuple[RegisterFile, int], Value] = {}
        self.declared_inputs: Mapping[RegisterFile, int] | None = None  # masks; None: not checked
        self.body = module.body
        self.checked_at = builder.where
        self.checked: set[int] = set()

    # --- reading ---------------------------------------------------------------------------

    def read(self, operand: Operand, slot: int, scalar: Scalar) -> Value:
        """A 32-bit source for destination component `slot`, modifiers applied."""
        type_ = F32 if scalar is _F32 else U32
        value = self._component(operand, operand.component(slot), type_)
        return self._modified(value, operand.modifier, scalar) if operand.modifier else value

    def read_double(self, operand: Operand, pair: int) -> Value:
        """The double in the components that swizzle letters 2*pair and 2*pair + 1 name."""
        low = self._component(operand, operand.component(2 * pair), U32)
        high = self._component(operand, operand.component(2 * pair + 1), U32)
        value = self.b.pack_f64(low, high)
        if operand.modifier & Modifier.ABS:
            value = self.b.fabs(value)
        return self.b.fneg(value) if operand.modifier & Modifier.NEG else value

    def _component(self, operand: Operand, component: int, type_: Type) -> Value:
        file = operand.file
        if file is _TEMP:
            number = operand.number
            if number >= self.temp_count:
                raise self._undeclared(operand)
            return self.b.read_register(4 * number + component, type_)
        if file.is_immediate:
            position = component if operand.components == 4 else 0
            if position >= len(operand.values):
                raise self.fault("an immediate lacks a component that is read", operand)
            return self.b.constant(type_, operand.values[position])
        if file is RegisterFile.THIS_POINTER:
            return self.b.bitcast(type_, self._this(operand, component))
        if file in THREAD_INPUTS:
            return self.b.bitcast(type_, self._input(operand, component))
        return self.b.bitcast(type_, self._vector(operand, component))

    def _modified(self, value: Value, modifier: Modifier, scalar: Scalar) -> Value:
        """Apply abs, then neg. Untyped bits change only in the sign, so NaNs and denormals stay."""
        b = self.b
        if scalar is _U32 or scalar is _I32:
            return b.isub(b.u32(0), value)  # two's complement; `breach` refuses abs
        if scalar is _F32:
            value = b.fabs(value) if modifier & Modifier.ABS else value
            return b.fneg(value) if modifier & Modifier.NEG else value
        value = b.iand(value, b.u32(~SIGN)) if modifier & Modifier.ABS else value
        return b.ixor(value, b.u32(SIGN)) if modifier & Modifier.NEG else value

    def _undeclared(self, operand: Operand) -> TranslateError:
        message = f"r{operand.number} is not declared: dcl_temps {self.temp_count}"
        return self.fault(message, operand)

    def _input(self, operand: Operand, component: int) -> Value:
        """A component of a thread input, which is read once, at the start of the body."""
        file = operand.file
        if self.declared_inputs is not None:
            self._check_input(operand, component, self.declared_inputs.get(file, 0))
        component = min(component, THREAD_INPUTS[file] - 1)
        key = (file, component)
        if key not in self.inputs:
            self.inputs[key] = Value(ops.INPUT, U32, [], (file.prefix, component), Where())
        return self.inputs[key]

    def _check_input(self, operand: Operand, component: int, declared: int) -> None:
        """Refuse a component that is not in the mask `declared` of the input's `dcl_input`."""
        if declared >> component & 1:
            return
        name, letter = operand.file.prefix, COMPONENTS[component]
        if component >= THREAD_INPUTS[operand.file]:
            raise self.fault(f"{name} has no component {letter}", operand)
        only = "".join(COMPONENTS[c] for c in MASK_COMPONENTS[declared])
        found = f": dcl_input {name}.{only}" if only else " by dcl_input"
        raise self.fault(f"{name}{f'.{letter}' if only else ''} is not declared{found}", operand)

    def _this(self, operand: Operand, component: int) -> Value:
        """A component of `this[slot]`: where an instance's data are (reference "Interfaces")."""
        slot = operand.indices[0]
        if slot.relative is None:
            return self.b.u32(self.instances.this(slot.base, component))
        count = sum(interface.count for interface in self.module.interfaces.values())
        choices = [self.instances.this(number, component) for number in range(count)]
        return choose_dynamically(self.b, self.index(slot), choices)

    def begin_body(self, block: Block) -> None:
        """Begin the body of a function; each body reads the thread inputs itself."""
        self.body = block
        self.inputs = {}

    def end_body(self) -> None:
        """Put the thread inputs that the body uses at its start."""
        self.body.values[:0] = self.inputs.values()

    def _vector(self, operand: Operand, component: int) -> Value:
        """A component of cb#[], icb[] or x#[]."""
        if operand.file is RegisterFile.CONSTANT_BUFFER and operand.indices[0].relative:
            return self._any_constant_buffer(operand, component)
        if operand.file not in _VECTORS:
            raise self.fault(f"{operand.file.prefix} cannot be read here", operand)
        resource = self.resource(operand)
        if component >= resource.components:
            raise self.fault(f"{resource} has {resource.components} components", operand)
        access = Access(resource, 1, component)
        index = self.index(operand.indices[-1])
        self._use(resource, index)
        with self.b.of_array(self.descriptor(resource, operand)):
            self._check_once(operand, Check(access), index)
            return self.b.load(access, [index])

    def _use(self, resource: Resource, index: Value) -> None:
        """Record a read of a vector; the bound cb may be longer than the declared (FS §7.5)."""
        self.uses.read.add(resource)
        if resource.kind is not MemoryKind.CONSTANTS or resource.length == MAX_VECTORS:
            return
        if index.op is not ops.CONST or row.BITS.of(index) >= resource.length:
            self.uses.past_end.add(resource)

    def _check_once(self, operand: Operand, check: Check, index: Value) -> None:
        """Emit the check of an operand only once in an instruction, for all its components."""
        if self._is_first(operand):
            self.b.check(check, [index])

    def _check_any(self, operand: Operand, slot: Value, element: Value) -> None:
        """Emit a check of cb[slot][element], for the buffer in the slot if one is declared."""
        if not self.b.reporting or not self._is_first(operand):
            return
        for one in self.any_buffer:
            for buffer in self.module.tables.members[one]:
                with self.b.selection(self.b.ieq(slot, self.b.u32(buffer.number))):
                    self.b.check(Check(Access(buffer, 1)), [element])

    def _is_first(self, operand: Operand) -> bool:
        """Whether this is the instruction's first read of the operand."""
        if self.b.where is not self.checked_at:
            self.checked_at = self.b.where
            self.checked.clear()
        if id(operand) in self.checked:
            return False
        self.checked.add(id(operand))
        return True

    def _any_constant_buffer(self, operand: Operand, component: int) -> Value:
        """A component of cb[slot][element] with a computed slot, by which classes find their data.

        A slot without a declared buffer is unbound and reads 0 (FS §7.11.2). Each of `any_buffer`
        stands for the buffers of one length, and reads 0 for all other slots.
        """
        slot, element = (self.index(index) for index in operand.indices)
        self._check_any(operand, slot, element)
        result = self.b.u32(0)
        for number, resource in enumerate(self.any_buffer):
            self._use(resource, element)
            with self.b.of_array([slot]):
                loaded = self.b.load(Access(resource, 1, component), [element])
            result = self.b.ior(result, loaded) if number else loaded
        return result

    def descriptor(self, resource: Resource, operand: Operand) -> list[Value]:
        """A list of the descriptor's index in its range, or an empty list if none is needed.

        cs_5_1 operands carry (range id, register, ...). No index is needed in the common case that
        all operands select the range's only register by a constant.
        """
        if operand.file not in _RANGES:
            return []
        if operand in self.stand_ins:
            return [self.index(operand.indices[0])]
        if len(operand.indices) <= operand.file.index_count:
            if resource.is_array:
                raise self.fault(f"{resource} is an array, of which one has to be named", operand)
            return []
        index = operand.indices[1]
        if not resource.is_array and index.relative is None and index.base != resource.number:
            raise self.fault(f"register {index.base} is not in the range {resource}", operand)
        if not self.module.tables.takes_index(resource):
            return []
        if operand.non_uniform and resource.is_array:
            self.uses.non_uniform.add(resource)
        if index.relative is None:
            return [self.b.u32(index.base - resource.number)]
        self.uses.dynamic.add(resource)
        return [self.b.isub(self.index(index), self.b.u32(resource.number))]

    def index(self, index: Index) -> Value:
        """An index as a value: register + constant, wrapping as all D3D addresses do (FS §7.3)."""
        if index.relative is None:
            return self.b.u32(index.base)
        if index in self.known_indices:
            return self.known_indices[index]
        register = self.read(index.relative, 0, Scalar.U32)
        return self.b.iadd(register, self.b.u32(index.base)) if index.base else register

    def resource(self, operand: Operand) -> Resource:
        """The declared resource that an operand names. Raises TranslateError if not declared."""
        if operand in self.stand_ins:
            return self.stand_ins[operand]
        number = -1
        if operand.file is not RegisterFile.IMMEDIATE_CONSTANT_BUFFER:
            number = operand.number
        resource = self.resources.get((operand.file, number))
        if resource is None:
            name = operand.file.prefix + ("" if number < 0 else str(number))
            raise self.fault(f"{name} is not declared, or cannot stand here", operand)
        return resource

    # --- writing ---------------------------------------------------------------------------

    def write(self, operand: Operand, component: int, value: Value) -> None:
        """Set one component of a destination; `null` discards it."""
        if operand.file is _TEMP:
            number = operand.number
            if number >= self.temp_count:
                raise self._undeclared(operand)
            self.b.write_register(4 * number + component, value)
            return
        if operand.file is RegisterFile.NULL:
            return
        if operand.file is not RegisterFile.INDEXABLE_TEMP:
            raise self.fault(f"{operand.file.prefix} cannot be written here", operand)
        resource = self.resource(operand)
        if component >= resource.components:
            raise self.fault(f"{resource} has {resource.components} components", operand)
        self.uses.written.add(resource)
        access = Access(resource, 1, component)
        index = self.index(operand.indices[-1])
        self._check_once(operand, Check(access, writes=True), index)
        self.b.store(access, [index], [self.b.bitcast(U32, value)])

    def write_double(self, operand: Operand, pair: int, value: Value) -> None:
        """Set components 2*pair (low dword) and 2*pair + 1 (high dword)."""
        self.write(operand, 2 * pair, self.b.f64_low(value))
        self.write(operand, 2 * pair + 1, self.b.f64_high(value))

    def saturate(self, value: Value) -> Value:
        """Clamp to [0, 1]; a NaN becomes 0 (FS §3.1.3), as minNum and maxNum have it."""
        b = self.b
        if value.type is F64:
            return b.fmin(b.fmax(value, b.f64(0.0)), b.f64(1.0))
        number = b.bitcast(F32, value)
        return b.fmin(b.fmax(number, b.f32(0.0)), b.f32(1.0))

    def fault(self, message: str, operand: Operand | None = None) -> TranslateError:
        """An error at the current instruction, or at an operand with a known place."""
        return ProgramError(message, _pointed(self.b.where, operand))


def _pointed(where: Where, operand: Operand | None) -> Where:
    if operand is None or operand.text_span is None:
        return where
    column, length = operand.text_span
    return replace(where, column=column, length=length)
