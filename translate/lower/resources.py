"""Lower declarations: they give a module its resources, thread group and flags.

`misfits` compares a listing's declarations with those of the container that it is assembled into:
the container's root signature and names stay, so another container's would be wrong in silence.
D3D12 refuses a pipeline whose root signature lacks a register of the shader.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterator, Mapping
from typing import cast

from translate.dataclass import dataclass, field, replace
from translate.errors import ListingWarning, OptionError, ProgramError, TranslateError, Where
from translate.interface.binding import register_name, register_place
from translate.interface.root_signature import RootSignature
from translate.ir.memory import BOUND, MAX_VECTORS, VIEWS, MemoryKind, Resource, shared_bytes
from translate.ir.values import Block, Module
from translate.isa.declarations import DCL_INPUT, GLOBAL_FLAGS
from translate.isa.declare import MAX_GROUP_SHARED, Fields
from translate.isa.instruction import SM51
from translate.isa.registers import COMPONENTS, Operand, RegisterFile
from translate.lower.operands import THREAD_INPUTS, Operands
from translate.program import Program, Statement
from translate.reflection import Reflection

_FILES = {
    MemoryKind.IMMEDIATE_CONSTANTS: RegisterFile.IMMEDIATE_CONSTANT_BUFFER,
    MemoryKind.INDEXABLE_TEMP: RegisterFile.INDEXABLE_TEMP,
}
# [first, end) of the declared ranges in order, by class of registers and space
Taken = dict[tuple[tuple[bool, MemoryKind | None], int], list[tuple[int, int]]]
# Each is looked up among all. D3D11 has 223 registers for resources; ranges of cs_5_1 need fewer
_MOST_RESOURCES = 1000
_LISTS = ("bodies", "tables")  # fields of any number of dwords, even none: all calls may be inlined
_VECTOR_BYTES = 16
_ALL = 1 << 32
_Found = tuple[Where, str]
_FORMS = {
    MemoryKind.RAW: "a raw buffer",
    MemoryKind.CONSTANTS: "a constant buffer",
}


@dataclass(frozen=True)
class Lengths:
    """Known lengths of the resources to be bound, by register.

    `arrays` has the number of resources in unbounded ranges, `constants` the number of vectors in
    constant buffers.
    """

    arrays: Mapping[str, int] = field(default_factory=dict[str, int])
    constants: Mapping[str, int] = field(default_factory=dict[str, int])


def declare(program: Program, module: Module, operands: Operands, lengths: Lengths) -> None:
    """Declare the module's resources, with known lengths of ranges and constant buffers.

    Raises TranslateError at a wrong declaration, or for a length that does not fit.
    """
    taken: Taken = {}
    first: Statement | None = None
    for statement in program.statements:
        if not statement.row.is_declaration:
            first = first or statement
        elif first is None:
            _declare(program, module, operands, statement, taken)
        else:
            message = f"{statement.row.name} after the instruction {first.row.name}"
            raise ProgramError(f"{message}: declarations come first", statement.where)
    _give_lengths(operands, lengths.arrays)
    _give_constant_lengths(operands, lengths.constants)
    module.resources = list(operands.resources.values())
    if program.version >= SM51:
        module.tables.indexed = _indexed(program, operands)
    if module.thread_group == (0, 0, 0):
        raise ProgramError("the program has no dcl_thread_group")
    shared = sum(shared_bytes(resource) for resource in module.resources)
    if shared > MAX_GROUP_SHARED:
        raise ProgramError(f"g# takes {shared} bytes in all; D3D allows {MAX_GROUP_SHARED}")
    _check_temps(module)
    operands.temp_count = module.temp_count


def declared_inputs(program: Program) -> Mapping[RegisterFile, int]:
    """The masks of the thread inputs that the program declares.

    Raises ProgramError for an input that is declared twice, or that has no such component.
    """
    masks: dict[RegisterFile, int] = {}
    for statement in program.statements:
        if statement.row is not DCL_INPUT:
            continue
        operand = statement.operands[0]
        name = operand.file.prefix
        mask = operand.mask if operand.components == 4 else 1
        count = THREAD_INPUTS.get(operand.file)
        if count is not None and mask >> count:
            message = f"{name} has no component {COMPONENTS[count]}"
            raise ProgramError(f"{statement.row.name}: {message}", statement.where)
        if operand.file in masks:
            raise ProgramError(f"{name} is declared twice", statement.where)
        masks[operand.file] = mask
    return masks


def declared_resources(program: Program) -> Iterator[tuple[Statement, Resource]]:
    """The declarations of resources that are bound, but for those that D3D refuses."""
    scratch = Module(program.profile, Block(), (0, 0, 0))
    for statement in program.statements:
        row = statement.row
        if row.is_declaration and row.lower is not None and statement.operands:
            try:
                register = statement.operands[0]
                resource = row.lower(scratch, register, _fields(program, statement))
            except TranslateError:
                continue
            if isinstance(resource, Resource) and resource.kind in BOUND:
                yield statement, resource


def _check_temps(module: Module) -> None:
    """Raise if r# and x# exceed D3D11_COMMONSHADER_TEMP_REGISTER_COUNT (FS §22.1)."""
    arrays = [r.length for r in module.resources if r.kind is MemoryKind.INDEXABLE_TEMP]
    total = module.temp_count + sum(arrays)
    if total > MAX_VECTORS:
        raise ProgramError(f"r# and x# take {total} registers in all; D3D allows {MAX_VECTORS}")


def _give_lengths(operands: Operands, lengths: Mapping[str, int]) -> None:
    """Give unbounded ranges their known lengths."""
    unbounded = {r.register: key for key, r in operands.resources.items() if r.count == 0}
    for register, length in lengths.items():
        if register not in unbounded or length < 1:
            needs = "needs an unbounded range and a length of 1 or more"
            raise OptionError(f"array_lengths {needs}, not {register} and {length}")
        key = unbounded[register]
        operands.resources[key] = replace(operands.resources[key], count=length, unbounded=True)


def _give_constant_lengths(operands: Operands, lengths: Mapping[str, int]) -> None:
    """Give constant buffers the lengths of the buffers to be bound."""
    buffers = {
        r.register: (key, r)
        for key, r in operands.resources.items()
        if r.kind is MemoryKind.CONSTANTS
    }
    for register, length in lengths.items():
        if register not in buffers:
            raise OptionError(f"constant_lengths: {register} is not a constant buffer")
        key, resource = buffers[register]
        declared = resource.length if resource.declared is None else resource.declared
        if not max(declared, 1) <= length <= MAX_VECTORS:
            message = f"{register} has {max(declared, 1)} to {MAX_VECTORS} vectors, not {length}"
            raise OptionError(message)
        if length != resource.length:
            operands.resources[key] = replace(resource, length=length, declared=declared)


def _indexed(program: Program, operands: Operands) -> frozenset[Resource]:
    """The cs_5_1 ranges of only one register that an operand indexes by a computed index."""
    found: set[Resource] = set()
    named = [operand for statement in program.statements for operand in statement.operands]
    while named:
        operand = named.pop()
        named += [index.relative for index in operand.indices if index.relative is not None]
        ranged = len(operand.indices) > operand.file.index_count
        resource = operands.resources.get((operand.file, operand.number))
        if ranged and resource is not None and operand.indices[1].relative is not None:
            found |= set() if resource.is_array else {resource}
    return frozenset(found)


def _declare(
    program: Program, module: Module, operands: Operands, statement: Statement, taken: Taken
) -> None:
    assert statement.row.lower is not None
    fields = _fields(program, statement)
    module.flags |= _flags(statement)
    register = statement.operands[0] if statement.operands else None
    try:
        resource = cast("Resource | None", statement.row.lower(module, register, fields))
    except TranslateError as error:
        message = f"{statement.row.name}: {error.message}"
        raise type(error)(message, statement.where) from None
    if resource is None:
        return
    key = _key(resource, register)
    if key in operands.resources or not _take(resource, taken):
        raise ProgramError(f"{resource} is declared twice", statement.where)
    operands.resources[key] = resource
    if len(operands.resources) > _MOST_RESOURCES:
        raise ProgramError(
            f"more than {_MOST_RESOURCES} resources and arrays are declared", statement.where
        )


def _take(resource: Resource, taken: Taken) -> bool:
    """Reserve a resource's registers; False if another range in the space has some of them."""
    ranges = taken.setdefault((_class(resource), resource.space), [])
    first, end = resource.number, _end(resource)
    at = bisect(ranges, (first, end))
    if (at and ranges[at - 1][1] > first) or (at < len(ranges) and ranges[at][0] < end):
        return False
    insort(ranges, (first, end))
    return True


def _class(resource: Resource) -> tuple[bool, MemoryKind | None]:
    """A key that is equal for ranges that must not overlap: for all t#, all u#, all cb#, ..."""
    shared = resource.kind in VIEWS or resource.kind is MemoryKind.TYPED
    return resource.is_uav, None if shared else resource.kind


def _end(resource: Resource) -> int:
    """The first register after a range."""
    return resource.number + resource.count if resource.count else 1 << 32


def _key(resource: Resource, register: Operand | None) -> tuple[RegisterFile, int]:
    if register is not None:
        return register.file, register.number
    return _FILES[resource.kind], resource.number


def _fields(program: Program, statement: Statement) -> Fields:
    row = statement.row
    names = row.extras
    if program.version >= SM51 and row.extras_51 is not None:
        names = row.extras_51
    fields = Fields(
        dict(zip(names, statement.extra, strict=False)), statement.data, statement.extra
    )
    missing = [name for name in names if name not in fields and name not in _LISTS]
    if missing:
        raise ProgramError(f"{row.name} lacks its {missing[0]}", statement.where)
    fields.update((c.name, c.read(statement.controls)) for c in row.controls)
    fields["controls"] = statement.controls
    return fields


def _flags(statement: Statement) -> frozenset[str]:
    """The names of `dcl_globalFlags`, by the bits in its token."""
    if "{flags}" not in statement.row.syntax:
        return frozenset()
    return frozenset(name for bit, name in GLOBAL_FLAGS if statement.controls >> bit & 1)


@dataclass(frozen=True)
class _Registers:
    """The registers of a declared resource, [first, end) of a class and space, and the resource."""

    letters: str
    first: int
    end: int
    resource: Resource

    @property
    def shown(self) -> str:
        name, count, space = self.resource.register, self.resource.count, self.resource.space
        last = register_name(self.letters, self.end - 1, space) if count else ""
        return name if count == 1 else f"{name}-{last}"

    def is_within(self, other: _Registers) -> bool:
        same = (self.letters, self.resource.space) == (other.letters, other.resource.space)
        return same and other.first <= self.first and self.end <= other.end


def misfits(program: Program, original: Program) -> Iterator[ListingWarning]:
    """Warnings of a listing's resources that a container has in another form, or not at all."""
    held = [registers for _, registers in _declared(original)]
    lacking: list[_Found] = []
    unbound: list[_Found] = []
    changed: list[_Found] = []
    for where, registers in _declared(program):
        signature = original.root_signature
        if signature is not None and not _covers(signature, registers):
            unbound.append((where, registers.shown))
        there = next((other for other in held if registers.is_within(other)), None)
        if there is None:
            lacking.append((where, registers.shown))
        elif change := _change(registers, there, program.reflection, original.reflection):
            changed.append((where, f"{registers.shown} is {change}"))
    other = "the listing was printed from another container"
    for found, start, end in (
        (changed, "", f": an edit, or {other}"),
        (lacking, "the container declares no ", f": an addition, or {other}"),
        (
            unbound,
            "the container's root signature (RTS0) lacks ",
            ": D3D12 refuses such a pipeline",
        ),
    ):
        if found:
            where = found[0][0]
            message = start + ", ".join(text for _, text in found) + end
            lines = tuple(at.line for at, _ in found if at.line is not None)
            yield ListingWarning(message, where, program.source_line(where), lines)


def _declared(program: Program) -> Iterator[tuple[Where, _Registers]]:
    for statement, resource in declared_resources(program):
        end = resource.number + resource.count if resource.count else _ALL
        letters = statement.operands[0].file.prefix
        yield statement.where, _Registers(letters, resource.number, end, resource)


def _change(
    here: _Registers, there: _Registers, header: Reflection | None, names: Reflection | None
) -> str:
    """How a resource differs from the container's; empty if it does not.

    A constant buffer may be longer than the one declared, up to the length by its names: fxc
    declares only what is read.
    """
    form, other = _form(here.resource), _form(there.resource)
    if form == other and header is None and here.letters == "cb":
        most = max(there.resource.length, _vectors(there, names))
        if here.resource.length > most:
            form, other = f"{form} of {here.resource.length} vectors", f"one of {most}"
    return "" if form == other else f"{form} here and {other} in the container"


def _form(resource: Resource) -> str:
    if resource.kind is MemoryKind.TYPED:
        return f"a {resource.dimension} of {resource.component}"
    if resource.kind is MemoryKind.STRUCTURED:
        return f"a structured buffer with stride {resource.stride}"
    if resource.kind is MemoryKind.SAMPLER:
        return "a comparison sampler" if resource.comparison else "a sampler that does not compare"
    return _FORMS[resource.kind]


def _vectors(buffer: _Registers, reflection: Reflection | None) -> int:
    """The length of a constant buffer by its names, in vectors; 0 without names."""
    place = buffer.first, buffer.resource.space
    for binding in reflection.bindings if reflection else ():
        if binding.register_prefix == "cb" and (binding.bind_point, binding.space) == place:
            named = reflection and reflection.buffer(binding.name)
            return -(-named.size // _VECTOR_BYTES) if named else 0
    return 0


def _covers(signature: RootSignature, registers: _Registers) -> bool:
    """Whether the parameters and static samplers have all these registers."""
    texts = [text for parameter in signature.parameters for text in parameter.registers]
    spans = [_span(text) for text in texts]
    spans += [("s", one.space, one.number, one.number + 1) for one in signature.samplers]
    at = registers.first
    for letters, space, first, end in sorted(spans):
        if (letters, space) == (registers.letters, registers.resource.space) and first <= at:
            at = max(at, end)
    return at >= registers.end


def _span(text: str) -> tuple[str, int, int, int]:
    """(letters, space, first, end) of the registers `t0`, `t0-t3` or `t0-`."""
    first, dash, last = text.partition("-")
    start, final = register_place(first), register_place(last)
    assert start is not None
    letters, space, number = start
    if final is not None:
        return letters, space, number, final[2] + 1
    return letters, space, number, _ALL if dash else number + 1
