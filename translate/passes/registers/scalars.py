"""Accesses at constant indices: an x# becomes registers, and a load from an icb a constant.

An x# stays in memory if any of its indices is computed at run time. Compilers put small arrays into
x# even if they unroll every loop over them. A read past the end is 0, and a write is dropped.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import OWN_ARRAYS, Access, Check, MemoryKind, Resource
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_ACCESSES = (ops.LOAD, ops.STORE)


def scalarise_arrays(module: Module) -> None:
    """Rewrite accesses, before `promote_registers`; the registers follow the shader's own.

    Arrays with reported accesses stay in memory.
    """
    if not any(resource.kind in OWN_ARRAYS for resource in module.resources):
        return
    accesses: dict[Resource, list[Value]] = {}
    kept: set[Resource] = set()
    for value in module.walk():
        if isinstance(value.data, Access):
            accesses.setdefault(row.ACCESS.of(value).resource, []).append(value)
        elif isinstance(value.data, Check):
            kept.add(row.CHECK.of(value).access.resource)
    first: dict[Resource, int] = {}
    for resource, found in accesses.items():
        if resource.kind is MemoryKind.IMMEDIATE_CONSTANTS and resource not in kept:
            first[resource] = 0
        elif resource.kind is not MemoryKind.INDEXABLE_TEMP or resource in kept:
            continue
        elif all(value.args[0].op is ops.CONST for value in found):
            first[resource] = 4 * module.temp_count
            module.temp_count += resource.length
    if first:
        rewrite(module, dict.fromkeys(_ACCESSES, lambda b, value: _rewrite(b, value, first)))


def _rewrite(b: Builder, value: Value, first: dict[Resource, int]) -> Value | None:
    access, index = row.ACCESS.of(value), value.args[0]
    if access.resource not in first or index.op is not ops.CONST:
        return None
    number: int = row.BITS.of(index)
    if number >= access.resource.length:
        return b.u32(0)
    place = 4 * number + access.component
    if access.resource.kind is MemoryKind.IMMEDIATE_CONSTANTS:
        return b.u32(access.resource.contents[place])
    op = ops.READ_REGISTER if value.op is ops.LOAD else ops.WRITE_REGISTER
    return b.emit(op, value.type, value.args[1:], first[access.resource] + place)
