"""The choice of how memory is declared: as floats or integers, in structures, in vectors.

If all byte offsets into a structure are constant and in bounds, addresses need no arithmetic. If it
also consists of whole vectors of four dwords, or of two, dwords that are loaded together become one
load. Most GPUs' compilers join loads of neighbouring dwords by themselves, but not NVK.
"""

from __future__ import annotations

from collections.abc import Sequence

from translate.dataclass import dataclass
from translate.ir import ops, row
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.tables import Layout, Table, Tables
from translate.ir.types import F32
from translate.ir.values import Block, Module, Value

_ACCESSES = (ops.LOAD, ops.STORE, ops.ATOMIC)
_NOT_DWORDS = (MemoryKind.TYPED, MemoryKind.SAMPLER)
_OWN = (MemoryKind.INDEXABLE_TEMP, MemoryKind.IMMEDIATE_CONSTANTS)
_VECTOR_BYTES, _PAIR_BYTES = 16, 8


@dataclass(eq=False, slots=True)
class Vector:
    """A vector of dwords that several loads share, without a write between them.

    `number` is its index in the structure. `loaded` is its value, once the guards have loaded it.
    """

    number: int
    loaded: Value | None = None


def choose_layout(module: Module, *, reported: bool) -> Table[Layout]:
    """The layout of each accessed resource other than a typed one, by its accesses.

    With reports (`reported`), and in windowed views, addresses count dwords from the start of
    memory, so these layouts have no structures.
    """
    accesses: dict[Resource, list[Value]] = {}
    votes: dict[Resource, int] = {}
    for value in module.walk():
        if value.op in _ACCESSES:
            assert isinstance(value.data, Access)
            accesses.setdefault(value.data.resource, []).append(value)
        if value.op is ops.STORE:
            _vote_for_stored(value, module.tables, votes)
            continue
        for arg in value.args:
            if arg.op is ops.LOAD:
                _vote_for_loaded(arg, value, votes)
    layouts = Table(Layout())
    for resource, found in accesses.items():
        if resource.kind not in _NOT_DWORDS:
            layouts[resource] = _layout(resource, found, votes.get(resource, 0), module, reported)
    for resource, members in module.tables.members.items():
        alike = (resource, *members)
        floats = sum(votes.get(one, 0) for one in alike) > 0
        for one in alike:
            layouts[one] = Layout(floats=floats, vectors=True)
    return layouts


def _layout(
    resource: Resource, found: Sequence[Value], votes: int, module: Module, reported: bool
) -> Layout:
    tables = module.tables
    atomic, windowed = tables.usage[resource].atomic, tables.views[resource].windowed
    nested = vectors = False
    if not reported and not windowed:
        nested = resource.stride > 4 and all(_is_constant_place(value, tables) for value in found)
        vectors = nested and resource.stride % _PAIR_BYTES == 0 and not atomic
    return Layout(
        floats=resource.kind is not MemoryKind.IMMEDIATE_CONSTANTS and votes > 0 and not atomic,
        trimmed=_trimmed(resource, found) if resource.kind in _OWN else 0,
        nested=nested,
        vectors=vectors,
        pairs=vectors and resource.stride % _VECTOR_BYTES != 0,
    )


def _trimmed(resource: Resource, found: Sequence[Value]) -> int:
    """The number of an array's last components that no instruction reads, as in `uint a[64]`."""
    return resource.components - 1 - max(row.ACCESS.of(value).component for value in found)


def group_loads(module: Module, layouts: Table[Layout]) -> dict[Value, Vector]:
    """For each load that can be combined with others into one load of a vector: that vector."""
    vectors = dict[Value, Vector]()
    if any(layout.vectors for layout in layouts.values()):
        for body in module.bodies():
            _group(body, layouts, vectors)
    return vectors


def _vote_for_stored(store: Value, tables: Tables, votes: dict[Resource, int]) -> None:
    """Add the votes of stored values: 1 for a float, -1 for an integer, 0 for a constant."""
    access = row.ACCESS.of(store)
    last = len(store.args) - tables.takes_index(access.resource)
    for stored in store.args[access.address_count : last]:
        if stored.op is ops.BITCAST:
            votes[access.resource] = votes.get(access.resource, 0) + 1
        elif stored.op is not ops.CONST:
            votes[access.resource] = votes.get(access.resource, 0) - 1


def _vote_for_loaded(load: Value, user: Value, votes: dict[Resource, int]) -> None:
    """Add the vote of a load's use: 1 for floats, -1 for dwords."""
    resource = row.ACCESS.of(load).resource
    is_float = user.op is ops.BITCAST and user.type is F32
    votes[resource] = votes.get(resource, 0) + (1 if is_float else -1)


def _is_constant_place(value: Value, tables: Tables) -> bool:
    """Whether a structured access has a constant offset inside of its structure."""
    access = row.ACCESS.of(value)
    offset, resource = value.args[1], access.resource
    if offset.op is not ops.CONST:
        return False
    touched = len(value.args) - access.address_count - tables.takes_index(resource)
    last = access.component + (touched - 1 if value.op is ops.STORE else 0)
    return row.BITS.of(offset) // 4 + last < resource.stride // 4


def _group(block: Block, layouts: Table[Layout], vectors: dict[Value, Vector]) -> None:
    """Find loads of several dwords of one vector, without a write or construct between them."""
    groups: dict[tuple[Resource, tuple[Value, ...], int], dict[Value, int]] = {}
    for value in block.values:
        if value.op is ops.LOAD and layouts[row.ACCESS.of(value).resource].vectors:
            access, dword = row.ACCESS.of(value), dword_of(value)
            number = dword // layouts[access.resource].width
            given = (value.args[0], *value.args[access.address_count :])
            members = groups.setdefault((access.resource, given, number), {})
            members[value] = dword
        elif value.op not in ops.COMPUTING:
            _close(groups, vectors)
            for inner in value.blocks:
                _group(inner, layouts, vectors)
    _close(groups, vectors)


def dword_of(load: Value) -> int:
    """The dword that a load reads, counted from the start of its structure or vector."""
    access = row.ACCESS.of(load)
    offset = row.BITS.of(load.args[1]) // 4 if access.address_count == 2 else 0
    return offset + access.component


def _close(
    groups: dict[tuple[Resource, tuple[Value, ...], int], dict[Value, int]],
    vectors: dict[Value, Vector],
) -> None:
    for (_, _, number), members in groups.items():
        if len(set(members.values())) > 1:
            vector = Vector(number)
            vectors.update(dict.fromkeys(members, vector))
    groups.clear()
