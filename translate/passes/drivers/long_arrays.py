"""Long x# arrays, and x# that many instructions access, become an array for each component.

This saves compile time. Drivers that run threads in the lanes of a vector may access each lane of
an element separately. lavapipe of Mesa 22.3 compares every pair of accesses to an array: 64 stores
of vectors take its compiler 17 s, but half a second as arrays of scalars. lavapipe of Mesa 25.0
zeroes arrays, and compares every pair of an array's dwords: 2,000 vectors take 13 s, but 2 s as
arrays of scalars. Other arrays stay, because GPUs load and store their vectors whole.
"""

from __future__ import annotations

from collections import Counter

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Access, Resource, indexable_temp_of
from translate.ir.tables import Layout
from translate.ir.values import Module, Value
from translate.passes.findings import Findings
from translate.passes.rewrite import rewrite

_STORE = 4  # the cost of a store to a component, in loads
_MOST_PAIRS = 256 * 256  # of loads from the same array, in all arrays together
_MOST_PAIRS_OF_DWORDS = 2048 * 2048  # of the same array, in all arrays together
_ACCESSES = (ops.LOAD_ELEMENT, ops.STORE_ELEMENT)


def split_arrays(module: Module) -> Findings:
    """Split costly x# arrays with computed indices into an array for each component."""
    if not module.may_have_arrays:
        return Findings()
    costs, indexed = Counter[Resource](), dict[Resource, None]()
    accesses = [value for value in module.walk() if value.op in _ACCESSES]
    for value in accesses:
        resource = indexable_temp_of(value.data)
        if resource is None or module.tables.components(resource) == 1:
            continue
        costs[resource] += _STORE if value.op is ops.STORE_ELEMENT else 1
        if value.args[0].op is not ops.CONST:
            indexed[resource] = None
    pairs = sum(costs[resource] ** 2 for resource in indexed)
    pairs_of_dwords = sum(_dwords(module, resource) ** 2 for resource in indexed)
    if pairs <= _MOST_PAIRS and pairs_of_dwords <= _MOST_PAIRS_OF_DWORDS:
        return Findings()
    parts = {resource: _parts(module, resource) for resource in indexed}
    rewrite(module, dict.fromkeys(_ACCESSES, lambda b, value: _rewrite(b, value, parts)))
    whole = module.tables.layouts
    layouts = {
        one.resource: Layout(floats=whole[resource].floats)
        for resource, accesses in parts.items()
        for one in accesses
    }
    return Findings(module.tables.with_layouts(layouts))


def _dwords(module: Module, array: Resource) -> int:
    return array.length * module.tables.components(array)


def _parts(module: Module, array: Resource) -> tuple[Access, ...]:
    """For each component of an array, the access to a new array that has this component only."""
    found: list[Access] = []
    for component in range(module.tables.components(array)):
        name = f"{array.register}.{'xyzw'[component]}"
        part = Resource(name, array.kind, array.number, length=array.length, components=1)
        found.append(Access(part, 1))
    return tuple(found)


def _rewrite(b: Builder, value: Value, parts: dict[Resource, tuple[Access, ...]]) -> Value | None:
    array = indexable_temp_of(value.data)
    if array not in parts:
        return None
    part = parts[array][row.ACCESS.of(value).component]
    return b.emit(value.op, value.type, value.args, part)
