"""Registers that are selected by an index at run time: a switch has a case for each register.

An operation on a resource that stands for several (`Tables.members`) becomes one operation for each
register. The operands are computed once, before the switch. Reads by the same index, without a
write between them, share a switch; a few operations for their operands are moved in front of it.
For a sample, the switches of texture and sampler are nested, or one switch serves both if their
indices differ by a constant.

Ranges of cs_5_1 are treated so where the device cannot index them: the default has the results of
an index out of range, zeros, and no store.

Constants with a computed place need no switch. `cb[slot][element]` loads the element from every
buffer that `slot` may select. In push constants Vulkan allows only indices that are equal in all
threads (VUID-RuntimeSpirv-None-04745), so an index chooses from all elements. Loads in bounds are
harmless, so the choice needs no branch, and equal loads of several instructions are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from math import prod
from typing import NamedTuple

from translate.dataclass import dataclass, field, replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.lanes import ONES
from translate.ir.memory import Access, Check, MemoryKind, Resource, Sample, resources_of
from translate.ir.ops import Effect
from translate.ir.size import cost, too_large
from translate.ir.tables import Layout, Table, Tables, Usage
from translate.ir.types import VOID
from translate.ir.values import Block, Module, Value
from translate.passes.rewrite import Findings, rewrite

_Choices = Mapping[Resource, Mapping[int, "Resource | int"]]
_Chosen = Mapping[Resource, "Resource | int"]
_COST = 8  # a copy in its own block, in operations of usual size, by time and words
_MOST_MOVED = 16  # operations for one that joins a switch
_MOST_CASES = 256  # lavapipe and SwiftShader, which lack features, allow 200 of a kind


def select_registers(module: Module, most: int | None) -> Findings:
    """Rewrite operations on a texture, buffer or sampler that stands for several.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    tables = module.tables
    members = {one: ones for one, ones in tables.members.items() if not _is_constants(one)}
    if not members:
        return Findings()
    choices = {one: {m.number: m for m in ones} for one, ones in members.items()}
    selector = Selector(choices, tables, most)
    for body in module.bodies():
        selector.block(body)
    left = {one: ones for one, ones in tables.members.items() if _is_constants(one)}
    return Findings(replace(tables, members=left))


def _is_constants(resource: Resource) -> bool:
    """Whether a resource is a constant buffer, for `select_constant_buffers`."""
    return resource.kind is MemoryKind.CONSTANTS


class _Named(NamedTuple):
    """A resource with several members; `root + offset` is the number of the selected one."""

    resource: Resource
    root: Value
    offset: int


@dataclass(eq=False, slots=True)
class _Group:
    """Operations that share a switch, at the place of the first one, `position`.

    `before` are the operations that are moved in front of the switch.
    """

    position: int
    values: list[Value]
    before: list[Value] = field(default_factory=list[Value])


class Selector:
    """Rewrites operations on the resources of `choices`, body by body.

    `choices` has the members of each resource by number: the registers for which it stands, or for
    a range of cs_5_1 the constant indices of its registers. Raises UnsupportedError if it builds
    more than `most` operations for all bodies together.
    """

    def __init__(self, choices: _Choices, tables: Tables, most: int | None):
        self.choices = choices
        self.tables = tables
        self.forward: dict[Value, Value] = {}
        self.most = most
        self.made = 0

    def block(self, block: Block) -> None:
        groups = self._groups(block)
        elsewhere = {v for group in groups.values() for v in (*group.values, *group.before)}
        values, block.values = block.values, []
        b = Builder(block)
        for value in values:
            for inner in value.blocks:
                self.block(inner)
            if value in groups:
                for moved in groups[value].before:
                    self._take_operands(moved)
                block.values += groups[value].before
                self._rewrite(b, groups[value])
            elif value not in elsewhere:
                self._take_operands(value)
                block.values.append(value)

    def _take_operands(self, value: Value) -> None:
        value.args = [self.forward.get(arg, arg) for arg in value.args]

    def _groups(self, block: Block) -> dict[Value, _Group]:
        """The groups of a block, by their first operation.

        Later operations join a group if their operands can be computed before its switch.
        """
        places: dict[Value, int] = {}  # in this block
        moved: set[Value] = set()
        open_groups: dict[tuple[_Named, ...], _Group] = {}
        found: dict[Value, _Group] = {}
        for position, value in enumerate(block.values):
            places[value] = position
            if value.op.effect not in (Effect.PURE, Effect.READS):
                open_groups.clear()
                places.update(dict.fromkeys(value.results, position))
            selected = self._selected(value)
            if not selected:
                continue
            key = tuple(selected)
            group = open_groups.get(key)
            needed = _needed(value, group.position, places, moved) if group else None
            if group and needed is not None:
                group.values.append(value)
                group.before += needed
                places.update(dict.fromkeys(needed, group.position - 1))
                moved.update(needed)
                continue
            found[value] = open_groups[key] = _Group(position, [value])
        return found

    def _selected(self, value: Value) -> list[_Named]:
        """The resources of an operation to select, with their indices."""
        return [
            _named(resource, index)
            for resource, index in self._indices(value)
            if resource in self.choices
            and (index.op is not ops.CONST or resource in self.tables.members)
        ]

    def _indices(self, value: Value) -> list[tuple[Resource, Value]]:
        """The resources of an operation that have an index, with it."""
        named = [*filter(self.tables.takes_index, resources_of(value.data))]
        return [*zip(named, value.args[len(value.args) - len(named) :], strict=True)]

    def _rewrite(self, b: Builder, group: _Group) -> None:
        for value in group.values:
            self._take_operands(value)
        first = group.values[0]
        b.where = first.where
        named = self._selected(first)
        self._count(group, named)
        results = self._select(b, group.values, named, {})
        for value, result in zip(_giving(group.values), results, strict=True):
            self.forward[value] = result

    def _count(self, group: _Group, named: Sequence[_Named]) -> None:
        """Count the operations to build, and raise an error before they become too many.

        The registers for textures and for samplers multiply.
        """
        choices = {one.root: len(self.choices[one.resource]) for one in named}
        count = len(group.values) * prod(choices.values()) * _COST
        self.made += count
        if self.most is not None and self.made > self.most:
            became, where = f"{self.made} operations", group.values[0].where
            raise too_large(became, "max_instructions", self.most, count, where)

    def _select(
        self, b: Builder, values: Sequence[Value], named: Sequence[_Named], chosen: _Chosen
    ) -> list[Value]:
        """Build the operations in a switch for each root of `named`; returns their results.

        `chosen` has the registers that outer switches have selected.
        """
        if not named:
            return [*_giving([self._of_chosen(b, value, chosen) for value in values])]
        first = named[0]
        alike = [one for one in named if one.root is first.root]
        rest = [one for one in named if one.root is not first.root]
        cases = self._cases(alike, chosen)
        if first.root.op is ops.CONST:
            return self._case(b, values, rest, cases.get(row.BITS.of(first.root)))
        return self._switch(b, values, first.root, cases, rest)

    def _cases(self, alike: Sequence[_Named], chosen: _Chosen) -> dict[int, _Chosen]:
        """For each value of the common root, the registers that it selects in all of `alike`.

        A value that selects no register for one of them is left out.
        """
        cases: dict[int, _Chosen] | None = None
        for one in alike:
            found = {(n - one.offset) & ONES: m for n, m in self.choices[one.resource].items()}
            before = dict.fromkeys(found, chosen) if cases is None else cases
            cases = {
                number: {**before[number], one.resource: member}
                for number, member in found.items()
                if number in before
            }
        return cases or {}

    def _of_chosen(self, b: Builder, value: Value, chosen: _Chosen) -> Value:
        """The same operation on the chosen registers."""
        indices = self._indices(value)
        args = value.args[: len(value.args) - len(indices)]
        for resource, index in indices:
            known = chosen.get(resource)
            if not isinstance(known, Resource):
                args.append(index if known is None else b.u32(known))
        b.where = value.where
        registers = {one: known for one, known in chosen.items() if isinstance(known, Resource)}
        return b.emit(value.op, value.type, args, _attribute(value.data, registers))

    def _case(
        self,
        b: Builder,
        values: Sequence[Value],
        rest: Sequence[_Named],
        chosen: _Chosen | None,
    ) -> list[Value]:
        """The results for the chosen registers; zeros for an index that selects none (None).

        A check of a range reports such an index.
        """
        if chosen is not None:
            return self._select(b, values, rest, chosen)
        for value in values:
            resource = resources_of(value.data)[0]
            if value.op is ops.CHECK and resource not in self.tables.members:
                b.where = value.where
                b.emit(value.op, VOID, [*value.args[:-1], b.u32(resource.count)], value.data)
        return [b.constant(value.type, 0) for value in _giving(values)]

    def _switch(
        self,
        b: Builder,
        values: Sequence[Value],
        root: Value,
        cases: Mapping[int, _Chosen],
        rest: Sequence[_Named],
    ) -> list[Value]:
        labels = (*((number,) for number in cases), (None,))
        switch = Value(ops.SWITCH, VOID, [root], labels, b.where)
        outer, blocks = b.block, [Block() for _ in labels]
        for b.block, known in zip(blocks, (*cases.values(), None), strict=True):
            b.emit(ops.BREAK, VOID, self._case(b, values, rest, known))
        b.block = outer
        switch.blocks = tuple(blocks)
        results = [Value(ops.RESULT, value.type, [], switch, b.where) for value in _giving(values)]
        switch.results = tuple(results)
        b.block.values.append(switch)
        return results


def _needed(
    value: Value, position: int, places: Mapping[Value, int], moved: set[Value]
) -> list[Value] | None:
    """The operations to move before `position` so that the operands of `value` are known there.

    None if one of them cannot move, or if they are too many.
    """
    needed: dict[Value, int] = {}
    work = [*value.args]
    while work:
        one = work.pop()
        place = places.get(one, -1)
        if place < position or one in needed:
            continue
        if one.op.effect is not Effect.PURE or resources_of(one.data) or one in moved:
            return None
        needed[one] = place
        if len(needed) > _MOST_MOVED:
            return None
        work += one.args
    return sorted(needed, key=needed.__getitem__)


def _named(resource: Resource, index: Value) -> _Named:
    """A resource with its index, split into a root and a constant offset."""
    offset = 0
    while index.op is ops.IADD and index.args[1].op is ops.CONST:
        offset += row.BITS.of(index.args[1])
        index = index.args[0]
    return _Named(resource, index, offset & ONES)


def _giving(values: Sequence[Value]) -> list[Value]:
    """The operations with a result."""
    return [value for value in values if value.type is not VOID]


def _attribute(data: object, chosen: Mapping[Resource, Resource]) -> object:
    if isinstance(data, Access):
        return replace(data, resource=chosen.get(data.resource, data.resource))
    if isinstance(data, Check):
        return replace(data, access=_attribute(data.access, chosen))
    if isinstance(data, Sample):
        texture, sampler = (chosen.get(one, one) for one in (data.resource, data.sampler))
        return replace(data, resource=texture, sampler=sampler)
    return chosen.get(data, data) if isinstance(data, Resource) else data


def select_ranges(module: Module, missing: Set[str], most: int | None) -> Findings:
    """Replace varying indices into bounded ranges for a device without the features `missing`.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    tables = module.tables
    chosen = [one for one in module.resources if _lacks(one, tables, missing)]
    if not chosen:
        return Findings()
    selector = Selector({one: {n: n for n in range(one.count)} for one in chosen}, tables, most)
    for body in module.bodies():
        selector.block(body)
    usage = Table(Usage(), tables.usage.items())
    for one in chosen:
        usage[one] = replace(usage[one], dynamic=False, non_uniform=False)
    return Findings(replace(tables, usage=usage))


def _lacks(resource: Resource, tables: Tables, missing: Set[str]) -> bool:
    """Whether a range has a varying index for which the device lacks the feature."""
    usage = tables.usage[resource]
    if not usage.dynamic or not resource.is_array or not 0 < resource.count <= _MOST_CASES:
        return False
    how = "non_uniform" if usage.non_uniform else "dynamic"
    return f"{resource.descriptor}_{how}_indexing" in missing


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
