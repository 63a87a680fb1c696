"""Lower declarations: they give a module its resources, thread group and flags."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Iterator, Mapping
from typing import cast

from translate.dataclass import dataclass, field, replace
from translate.errors import OptionError, ProgramError, TranslateError
from translate.ir.memory import BOUND, MAX_VECTORS, VIEWS, MemoryKind, Resource, shared_bytes
from translate.ir.values import Block, Module
from translate.isa.declarations import GLOBAL_FLAGS
from translate.isa.declare import MAX_GROUP_SHARED, Fields
from translate.isa.instruction import SM51
from translate.isa.registers import Operand, RegisterFile
from translate.lower.operands import Operands
from translate.program import Program, Statement

_FILES = {
    MemoryKind.IMMEDIATE_CONSTANTS: RegisterFile.IMMEDIATE_CONSTANT_BUFFER,
    MemoryKind.INDEXABLE_TEMP: RegisterFile.INDEXABLE_TEMP,
}
# [first, end) of the declared ranges in order, by class of registers and space
Taken = dict[tuple[tuple[bool, MemoryKind | None], int], list[tuple[int, int]]]
# Each is looked up among all. D3D11 has 223 registers for resources; ranges of cs_5_1 need fewer
_MOST_RESOURCES = 1000
_LISTS = ("bodies", "tables")  # fields of any number of dwords, even none: all calls may be inlined


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
