"""Constants with a computed place: load all that it may be, then choose one.

`cb[slot][element]` loads the element from every buffer that `slot` may select. In push constants
Vulkan allows only indices that are equal in all threads (VUID-RuntimeSpirv-None-04745), so an index
chooses from all elements. Loads in bounds are harmless, so the choice needs no branch, and equal
loads of several instructions are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from translate.dataclass import replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.size import cost, too_large
from translate.ir.tables import Layout, Table
from translate.ir.values import Module, Value
from translate.passes.rewrite import Findings, rewrite

_CHOICE = 3  # operations for an element: a load, a comparison, a select
_Members = Mapping[Resource, tuple[Resource, ...]]


def select_constant_buffers(module: Module, most: int | None) -> Findings:
    """Rewrite loads from a resource that stands for several constant buffers.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    tables, members = module.tables, module.tables.members
    if not members:
        return Findings()
    _check(
        module,
        most,
        lambda load: len(members.get(_resource(load), ())) * cost(load.op, load.args, load.data),
    )
    rewrite(module, dict.fromkeys(ops.LOADS, lambda b, value: _choose(b, value, members)))
    left = (entry for entry in tables.layouts.items() if entry[0] not in members)
    return Findings(replace(tables, layouts=Table(Layout(), left), members={}))


def select_push_constants(module: Module, most: int | None) -> None:
    """Give loads from push constants constant indices.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    views = module.tables.views
    pushed = {r for r in module.resources if views[r].pushed}
    if pushed:
        _check(module, most, lambda value: _CHOICE * len(_elements(value, pushed)))
        rewrite(
            module, dict.fromkeys(ops.LOADS, lambda b, value: _choose_element(b, value, pushed))
        )


def _check(module: Module, most: int | None, added: Callable[[Value], int]) -> None:
    total = 0
    for load in (value for value in module.walk() if value.op in ops.LOADS):
        count = added(load)
        total += count
        if most is not None and total > most:
            raise too_large(f"{total} operations", "max_instructions", most, count, load.where)


def _resource(load: Value) -> Resource:
    return row.ACCESS.of(load).resource


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


def _choose_element(b: Builder, value: Value, pushed: Set[Resource]) -> Value | None:
    """The choice; an index past the end gives 0, also without guards."""
    index, *rest = value.args
    if _resource(value) not in pushed or (
        index.op is ops.CONST and row.BITS.of(index) < _resource(value).length
    ):
        return None
    result = b.constant(value.type, 0)
    for number in _elements(value, pushed):
        loaded = b.emit(value.op, value.type, [b.u32(number), *rest], value.data)
        result = b.select(b.ieq(index, b.u32(number)), loaded, result)
    return result


def _elements(load: Value, pushed: Set[Resource]) -> range:
    """The elements of push constants that a load by a computed index chooses from."""
    is_chosen = _resource(load) in pushed and load.args[0].op is not ops.CONST
    return range(_resource(load).length if is_chosen else 0)
