"""x# arrays as registers where indices are constant, else in forms that drivers compile quickly.

An x# stays in memory if any of its indices is computed at run time. Compilers put small arrays into
x# even if they unroll every loop over them. A read past the end is 0, and a write is dropped. A
load from an icb at a constant index is a constant.

D3D leaves the initial contents undefined; here they are zeros. An array whose elements are all
written before they are read needs no zeros. Small arrays get an initialiser. Drivers store that
element by element, and the time of lavapipe's compiler grows with the square of their number; so a
loop stores the zeros of larger arrays.

The guards send stores outside of an array to a spare element after its end. The array has no spare
element if folding has found that no store goes there.

Long arrays, and arrays that many instructions access, become an array for each component. Drivers
that run threads in the lanes of a vector may access each lane of an element separately. lavapipe of
Mesa 22.3 compares every pair of accesses to an array: 64 stores of vectors take its compiler 17 s,
but half a second as arrays of scalars. lavapipe of Mesa 25.0 zeroes arrays, and compares every pair
of an array's dwords: 2,000 vectors take 13 s, but 2 s as arrays of scalars. Other arrays stay,
because GPUs load and store their vectors whole.
"""

from __future__ import annotations

from collections import Counter

from translate.dataclass import replace
from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import OWN_ARRAYS, Access, Check, MemoryKind, Resource, indexable_temp_of
from translate.ir.tables import Layout, Start
from translate.ir.values import Block, Module, Value, walk
from translate.passes.rewrite import Findings, rewrite

_BEFORE_GUARDS = (ops.LOAD, ops.STORE)


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
        rewrite(module, dict.fromkeys(_BEFORE_GUARDS, lambda b, value: _replaced(b, value, first)))


def _replaced(b: Builder, value: Value, first: dict[Resource, int]) -> Value | None:
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


_MOST_INITIALISED = 64  # dwords of a module; a loop for more is compiled sooner
_NOWHERE = -1  # at a place that no thread reaches, all dwords count as assigned
_STORE = 4  # the cost of a store to a component, in loads
_MOST_PAIRS = 256 * 256  # of loads from the same array, in all arrays together
_MOST_PAIRS_OF_DWORDS = 2048 * 2048  # of the same array, in all arrays together
_ACCESSES = (ops.LOAD_ELEMENT, ops.STORE_ELEMENT)


def choose_array_starts(module: Module) -> Findings:
    """Choose, for each x# with an index at run time, its initial contents and its length.

    `Layout.start` has the initial contents; an array that is `Layout.bounded` has no spare element.
    """
    arrays = _indexed_arrays(module) if module.may_have_arrays else []
    if not arrays:
        return Findings()
    called = (value for body in module.functions.values() for value in walk(body))
    shared = {indexable_temp_of(value.data) for value in called}
    finder = _Reads(arrays)
    finder.block(module.body, 0)
    seen, overrun = finder.seen.union(shared), _overrun(module)
    zeros = [array for array in arrays if array in seen]
    dwords = sum((a.length + (a in overrun)) * module.tables.components(a) for a in zeros)
    of_zeros = Start.INITIALISER if dwords <= _MOST_INITIALISED else Start.STORES
    layouts = {array: module.tables.layouts[array] for array in arrays}
    for array, layout in layouts.items():
        start = of_zeros if array in seen else Start.ANYTHING
        layouts[array] = replace(layout, bounded=array not in overrun, start=start)
    return Findings(module.tables.with_layouts(layouts))


def _overrun(module: Module) -> set[Resource]:
    """The arrays with a store that may go to the spare element."""
    stores = [value for value in module.walk() if value.op is ops.STORE_ELEMENT]
    found = ((indexable_temp_of(value.data), value.args[0]) for value in stores)
    return {array for array, index in found if array and _may_be_spare(index, array.length)}


def _may_be_spare(index: Value, length: int) -> bool:
    """Whether a guarded store may go past the array: its index is, or selects, such a constant."""
    named = index.args[1:] if index.op is ops.SELECT else [index]
    return any(one.op is ops.CONST and row.BITS.of(one) >= length for one in named)


def _indexed_arrays(module: Module) -> list[Resource]:
    """Arrays with an index that is no constant, in order; drivers keep all others in registers."""
    found: dict[Resource, None] = {}
    accesses = [value for value in module.walk() if isinstance(value.data, Access)]
    for value in accesses:
        array = indexable_temp_of(value.data)
        if array is not None and value.args[0].op is not ops.CONST:
            found[array] = None
    return [*found]


class _Reads:
    """Walks a body with the set of dwords that are written on every path to a place.

    A set is the bits of an integer. The set at a loop's head is that before the loop, since dwords
    stay written. `seen` are the arrays whose initial contents some load may read.
    """

    def __init__(self, arrays: list[Resource]):
        self.first: dict[Resource, int] = {}  # an array's first bit; its components follow in turn
        self.seen: set[Resource] = set()
        self._left: list[int] = []  # for each open loop or switch, the set at its breaks
        count = 0
        for array in arrays:
            self.first[array] = count
            count += array.length * array.components

    def block(self, block: Block, assigned: int) -> int:
        """The dwords written before a block's end, from those written before its start."""
        for value in block.values:
            op = value.op
            if op is ops.YIELD:
                return assigned
            if op is ops.BREAK:
                self._left[-1] &= assigned
            if op.effect is ops.Effect.TERMINATES:
                return _NOWHERE
            if value.blocks:
                assigned = self._construct(value, assigned)
            elif (array := indexable_temp_of(value.data)) in self.first:
                assigned = self._access(value, array, assigned)
        return assigned

    def _construct(self, value: Value, assigned: int) -> int:
        """The dwords written after a construct.

        Stores of a case that falls through are not counted in the next case.
        """
        if value.op is ops.IF:
            first, second = (self.block(inner, assigned) for inner in value.blocks)
            return first & second
        self._left.append(_NOWHERE)
        for inner in value.blocks:
            self.block(inner, assigned)
        return self._left.pop()

    def _access(self, value: Value, array: Resource, assigned: int) -> int:
        touched = self._touched(value, array)
        if value.op is ops.STORE_ELEMENT:
            return assigned | touched if value.args[0].op is ops.CONST else assigned
        if touched & ~assigned:
            self.seen.add(array)
        return assigned

    def _touched(self, value: Value, array: Resource) -> int:
        """The dwords that an access may touch; an access outside touches no dword."""
        first = self.first[array] + row.ACCESS.of(value).component * array.length
        index = value.args[0]
        if index.op is not ops.CONST:
            return (1 << array.length) - 1 << first
        number: int = row.BITS.of(index)
        return 1 << first + number if number < array.length else 0


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
