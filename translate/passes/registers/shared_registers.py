"""Registers that subroutines access become memory of the thread.

All bodies of a program share r# and x# (FS §7.19), so a call may change any register that a
subroutine names. Such registers are rare and stay in memory; all others become values.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.types import U32, VOID
from translate.ir.values import Module, Value, walk
from translate.passes.rewrite import rewrite

_REGISTERS = (ops.READ_REGISTER, ops.WRITE_REGISTER)


def spill_shared_registers(module: Module) -> None:
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
    rewrite(module, dict.fromkeys(_REGISTERS, lambda b, value: _rewrite(b, value, accesses)))


def _place(number: int) -> Access:
    register, component = divmod(number, 4)
    name = f"r{register}.{'xyzw'[component]}"
    return Access(Resource(name, MemoryKind.INDEXABLE_TEMP, number, length=1, components=1), 1)


def _rewrite(b: Builder, value: Value, accesses: dict[int, Access]) -> Value | None:
    access = accesses.get(row.REGISTER.of(value))
    if access is None:
        return None
    if value.op is ops.READ_REGISTER:
        return b.bitcast(value.type, b.emit(ops.LOAD_ELEMENT, U32, [b.u32(0)], access))
    new = b.bitcast(U32, value.args[0])
    return b.emit(ops.STORE_ELEMENT, VOID, [b.u32(0), new], access)
