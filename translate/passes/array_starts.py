"""How x# arrays begin and end. D3D leaves their first contents open, we make them zeros.

An array of which every element is written before it is read may begin with anything. Others begin
as zeros by an initialiser while they are small: drivers store it element by element, and lavapipe's
compiler takes time by the square of their number. Beyond that a loop stores the zeros.

The guards send stores outside to a spare element after the end; where folding has found that none
goes there, the array ends without.
"""

from __future__ import annotations

from dataclasses import replace

from translate.ir import ops, row
from translate.ir.memory import Access, MemoryKind, Resource
from translate.ir.tables import Start
from translate.ir.values import Block, Module, Value, walk

_MOST_INITIALISED = 64  # dwords of a module; above it the loop is compiled sooner
_NOWHERE = -1  # assigned where nothing gets to: everything


def choose_array_starts(module: Module) -> None:
    """Say of every x# that an index at run time names how it begins, and whether it is bounded."""
    arrays = _indexed_arrays(module) if module.may_have_arrays else []
    if not arrays:
        return
    shared = {_array(value) for body in module.functions.values() for value in walk(body)}
    finder = _Reads(arrays)
    finder.block(module.body, 0)
    layouts, seen = module.tables.layouts, finder.seen.union(shared)
    overrun = _overrun(module)
    for array in arrays:
        layouts[array] = replace(layouts[array], bounded=array not in overrun)
    zeros = [array for array in arrays if array in seen]
    dwords = sum(_elements(module, a) * module.tables.components(a) for a in zeros)
    of_zeros = Start.INITIALISER if dwords <= _MOST_INITIALISED else Start.STORES
    for array in arrays:
        start = of_zeros if array in seen else Start.ANYTHING
        layouts[array] = replace(layouts[array], start=start)


def _elements(module: Module, array: Resource) -> int:
    return array.length + (not module.tables.layouts[array].bounded)


def _overrun(module: Module) -> set[Resource]:
    """The arrays with a store that may go to the spare element, or to any."""
    stores = [value for value in module.walk() if value.op is ops.STORE_ELEMENT]
    found = ((_array(value), value.args[0]) for value in stores)
    return {array for array, index in found if array and _may_be_spare(index, array.length)}


def _may_be_spare(index: Value, length: int) -> bool:
    """By the form that the guards give an index, the spare element's where it is outside."""
    named = index.args[1:] if index.op is ops.SELECT else [index]
    return any(one.op is ops.CONST and row.BITS.of(one) >= length for one in named)


def _array(value: Value) -> Resource | None:
    """The x# that an operation touches."""
    if not isinstance(value.data, Access):
        return None
    resource = row.ACCESS.of(value).resource
    return resource if resource.kind is MemoryKind.INDEXABLE_TEMP else None


def _indexed_arrays(module: Module) -> list[Resource]:
    """Those with an index that is no constant, in order; of all others drivers make registers."""
    found: dict[Resource, None] = {}
    accesses = [value for value in module.walk() if isinstance(value.data, Access)]
    for value in accesses:
        array = _array(value)
        if array is not None and value.args[0].op is not ops.CONST:
            found[array] = None
    return [*found]


class _Reads:
    """Walks a body with the set of dwords that are written on every way to a place.

    A set is the bits of an integer. A loop adds nothing to what is known at its head: what is
    written before it stays so. `seen` are the arrays that show their first contents somewhere.
    """

    def __init__(self, arrays: list[Resource]):
        self.first: dict[Resource, int] = {}  # an array's first bit; those of a component in a row
        self.seen: set[Resource] = set()
        self._left: list[int] = []  # for each open loop or switch, what is assigned at its breaks
        count = 0
        for array in arrays:
            self.first[array] = count
            count += array.length * array.components

    def block(self, block: Block, assigned: int) -> int:
        """What is assigned at a block's end, given that at its start."""
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
            elif (array := _array(value)) in self.first:
                assigned = self._access(value, array, assigned)
        return assigned

    def _construct(self, value: Value, assigned: int) -> int:
        """After a construct; a case that another falls into knows no more than the switch."""
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
        """The dwords that an access may touch; one outside touches none."""
        first = self.first[array] + row.ACCESS.of(value).component * array.length
        index = value.args[0]
        if index.op is not ops.CONST:
            return (1 << array.length) - 1 << first
        number: int = row.BITS.of(index)
        return 1 << first + number if number < array.length else 0
