"""Accesses to dwords by D3D's rules, including out-of-bounds accesses.

This implements docs/out-of-bounds.md independently: out of bounds, a load gives 0 and a store does
nothing; an index is compared with the count before it is multiplied by the size of an element; the
low two bits of a byte offset are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from checks.interpret.lanes import Lanes, to_words
from checks.interpret.operation import Handler, Operation
from checks.interpret.parts import Part, parts
from checks.interpret.spaces import Space, Spaces, width_of
from translate.ir import ops, row
from translate.ir.memory import STRUCTURED, Access, MemoryKind, Resource

_BYTES = (MemoryKind.RAW, MemoryKind.SHARED_RAW)


class D3DDwords:
    """Executes `load`, `store` and `atomic`; `outside` collects kinds of memory with violations."""

    def __init__(self, spaces: Spaces, outside: set[MemoryKind]):
        self._spaces = spaces
        self._outside = outside
        self.handlers: Mapping[ops.Op, Handler] = {
            ops.LOAD: self._load,
            ops.STORE: self._store,
        }

    def _load(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        for part in parts(operation, access.resource, self._spaces):
            dword, inside = self._place(part, access, access.component)
            result[part.chosen] = part.read(dword, inside)
        return operation.given(result)

    def _store(self, operation: Operation) -> None:
        access = row.ACCESS.of(operation.value)
        count = operation.rest(access.address_count, access.resource)
        for part in parts(operation, access.resource, self._spaces):
            for number, given in enumerate(part.operands(access.address_count, count)):
                dword, inside = self._place(part, access, access.component + number)
                part.write(dword, to_words(given), inside)

    def atomic(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        count = operation.rest(access.address_count, access.resource)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        for part in parts(operation, access.resource, self._spaces):
            dword, inside = self._place(part, access, 0)
            given = part.operands(access.address_count, count)
            result[part.chosen] = part.change(access.operation, dword, given, inside)
        return operation.given(result)

    def _place(self, part: Part, access: Access, component: int) -> tuple[Lanes, Lanes]:
        address = part.operands(0, access.address_count)
        dword, inside = place(access.resource, part.space, address, component)
        if not inside.all():
            self._outside.add(access.resource.kind)
        return dword, inside


def place(
    resource: Resource, space: Space, address: list[Lanes], component: int
) -> tuple[Lanes, Lanes]:
    """The dword that an address and a component refer to, and whether it is in bounds."""
    if resource.kind in _BYTES:
        dword = (address[0] >> 2) + component
        return dword, dword < space.size
    width, index = width_of(resource), address[0]
    if resource.kind in STRUCTURED:
        within = (address[1] >> 2) + component
        return index * width + within, (index < space.size) & (within < width)
    return index * width + component, index < space.size
