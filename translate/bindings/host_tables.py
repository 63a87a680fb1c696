"""The parts of the binding `tables`: the sizes and view ranges of buffers in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from translate.interface import Table
from translate.ir.memory import Resource
from translate.ir.tables import Tables
from translate.ir.values import Module
from translate.spirv.host_tables import COUNTERS, SIZES, WINDOWS, Entries

_WORDS: Mapping[str, int] = {SIZES: 1, COUNTERS: 1, WINDOWS: 2}  # for each buffer


def entries_of(module: Module) -> Entries:
    """The places of the tables, by the register of the array and the kind."""
    return {(t.register, t.kind): (t.first, t.stride) for t in tables_of(module)}


def tables_of(module: Module) -> tuple[Table, ...]:
    """The tables that a module reads.

    The tables of arrays with a length come first, one after another. The tables of unbounded arrays
    follow, interleaved, so that the arrays may have any number of buffers.
    """
    wanted = [(r, kind) for r in module.resources for kind in _kinds(r, module.tables)]
    found: list[Table] = []
    position = 0
    for resource, kind in wanted:
        if resource.count:
            found.append(Table(resource.register, kind, position, _WORDS[kind]))
            position += _WORDS[kind] * resource.count
    unbounded = [one for one in wanted if not one[0].count]
    stride = sum(_WORDS[kind] for _, kind in unbounded)
    for resource, kind in unbounded:
        found.append(Table(resource.register, kind, position, stride))
        position += _WORDS[kind]
    return tuple(found)


def table_bytes(tables: Sequence[Table], module: Module) -> int | None:
    """The bytes of a module's tables; None if one of them is of an unbounded array."""
    counts = {resource.register: resource.count for resource in module.resources}
    if not all(counts[table.register] for table in tables):
        return None
    return 4 * sum(_WORDS[table.kind] * counts[table.register] for table in tables)


def _kinds(resource: Resource, tables: Tables) -> Iterator[str]:
    """The kinds of tables that a resource has."""
    view = tables.views[resource]
    if view.size_table:
        yield SIZES
        if tables.usage[resource].counter:
            yield COUNTERS
    if view.windowed and resource.is_array:
        yield WINDOWS
