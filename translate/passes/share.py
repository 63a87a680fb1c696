"""Registers that subroutines touch become memory of the thread.

All bodies of a program share r# and x# (FS §7.19); a call may change any register that a subroutine
names. Those are rare, so they simply live in memory; all others become values as ever.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.types import U32, VOID
from translate.ir.values import Block, Module, Value, walk

_REGISTERS = (ops.READ_REGISTER, ops.WRITE_REGISTER)


def share_registers(module: Module) -> None:
    """Rewrite reads and writes of registers that any subroutine names."""
    touched: set[int] = {
        row.REGISTER.of(value)
        for body in module.functions.values()
        for value in walk(body)
        if value.op in _REGISTERS
    }
    if not touched:
        return
    accesses = {number: _place(number) for number in sorted(touched)}
    for body in module.bodies():
        _rewrite(body, accesses)


def _place(number: int) -> Access:
    register, component = divmod(number, 4)
    name = f"r{register}.{'xyzw'[component]}"
    return Access(Resource(name, MemoryKind.INDEXABLE_TEMP, number, length=1, components=1), 1)


def _rewrite(block: Block, accesses: dict[int, Access]) -> None:
    """Reads become loads in place, so that whoever uses them need not change."""
    b = Builder(block)
    values, block.values = block.values, []
    for value in values:
        for inner in value.blocks:
            _rewrite(inner, accesses)
        access = accesses.get(row.REGISTER.of(value)) if value.op in _REGISTERS else None
        if access is None:
            block.values.append(value)
        elif value.op is ops.READ_REGISTER:
            _read(b, value, access)
        else:
            b.where = value.where
            new = b.bitcast(U32, value.args[0])
            b.emit(ops.STORE_ELEMENT, VOID, [b.u32(0), new], access)


def _read(b: Builder, value: Value, access: Access) -> None:
    """The value itself becomes the load, or the load's bits as a float."""
    address = [b.u32(0)]
    if value.type is not U32:
        b.where = value.where
        address = [b.emit(ops.LOAD_ELEMENT, U32, address, access)]
        value.op, value.args, value.data = ops.BITCAST, address, None
    else:
        value.op, value.args, value.data = ops.LOAD_ELEMENT, address, access
    b.block.values.append(value)
