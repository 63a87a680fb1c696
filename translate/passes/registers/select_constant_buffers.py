"""`cb[slot][element]`: load the element from every buffer that `slot` may select, then choose one.

Loads in bounds are harmless, so the choice needs no branch, and equal loads of several instructions
are shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource, resources_of
from translate.ir.size import cost, too_large
from translate.ir.tables import Layout, Table
from translate.ir.values import Module, Value
from translate.passes.rewrite import Findings, rewrite

_Members = Mapping[Resource, tuple[Resource, ...]]


def select_constant_buffers(module: Module, most: int | None) -> Findings:
    """Rewrite loads from a resource that stands for several constant buffers.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    tables, members = module.tables, module.tables.members
    if not members:
        return Findings()
    _count(module, members, most)
    rewrite(module, dict.fromkeys(ops.LOADS, lambda b, value: _choose(b, value, members)))
    left = (entry for entry in tables.layouts.items() if entry[0] not in members)
    return Findings(replace(tables, layouts=Table(Layout(), left), members={}))


def _count(module: Module, members: _Members, most: int | None) -> None:
    total = 0
    for value in module.walk():
        count = sum(len(members.get(resource, ())) for resource in resources_of(value.data))
        count *= cost(value)
        total += count
        if most is not None and total > most:
            raise too_large(f"{total} operations", "max_instructions", most, count, value.where)


def _choose(b: Builder, value: Value, members: _Members) -> Value | None:
    access = row.ACCESS.of(value)
    if access.resource not in members:
        return None
    *address, slot = value.args
    result = b.constant(value.type, 0)
    for member in members[access.resource]:
        if slot.op is ops.CONST and row.BITS.of(slot) != member.number:
            continue
        loaded = b.emit(value.op, value.type, address, replace(access, resource=member))
        if slot.op is ops.CONST:
            return loaded
        result = b.select(b.ieq(slot, b.u32(member.number)), loaded, result)
    return result
