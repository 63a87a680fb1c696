"""Accesses to dwords in bounds. An out-of-bounds access is an error of the module, with exceptions:

- The first element of an empty view may be read, because guarded code does not use the result, and
  so may any element on a device with robust accesses.
- x# has an additional last element, which absorbs out-of-bounds stores.
- On a device that checks bounds itself, addresses wrap like the device's. Out-of-bounds loads give
  0, or any value after the thread has stored out of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from checks.interpret.lanes import Lanes, to_words
from checks.interpret.operation import Handler, Operation
from checks.interpret.parts import Part, parts
from checks.interpret.spaces import POISON, Spaces, width_of
from checks.interpret.windows import WINDOW_FIRST
from translate.ir import ops, row
from translate.ir.memory import SHARED, VIEWS, Access, MemoryKind, Resource

_VECTOR = 4
_ADDRESSED = 1 << 30  # dwords


class Elements:
    """Executes `load_element`, `store_vector` and the like, whose addresses must be in bounds."""

    def __init__(self, spaces: Spaces):
        self._spaces = spaces
        self.handlers: Mapping[ops.Op, Handler] = {
            ops.LOAD_ELEMENT: self._load,
            ops.STORE_ELEMENT: self._store,
            ops.ATOMIC_ELEMENT: self._atomic,
            ops.LOAD_VECTOR: self._load_vector,
            ops.STORE_VECTOR: self._store_vector,
        }

    def _load(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        for part in parts(operation, access.resource, self._spaces):
            result[part.chosen] = _loaded(part, access, *_element(part, access))
        return operation.given(result)

    def _store(self, operation: Operation) -> None:
        access = row.ACCESS.of(operation.value)
        for part in parts(operation, access.resource, self._spaces):
            private = access.resource.kind is MemoryKind.INDEXABLE_TEMP
            spare = private and not operation.tables.layouts[access.resource].bounded
            index, dword = _element(part, access)
            words = to_words(part.operand(_indices(operation, access.resource)))
            if _is_bounded(part, access.resource):
                _store_bounded(part, dword, words)
                continue
            _check(part, index, part.space.size + spare)
            part.write(dword, words)

    def _atomic(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        result = np.zeros(len(operation.active.lanes), np.uint32)
        first = _indices(operation, access.resource)
        count = operation.rest(first, access.resource)
        for part in parts(operation, access.resource, self._spaces):
            index, dword = _element(part, access)
            given = part.operands(first, count)
            if _is_bounded(part, access.resource):
                at, inside = _bounded(part, dword)
                old = part.change(access.operation, at, given, inside)
                result[part.chosen] = np.where(inside, old, POISON)
                continue
            _check(part, index, part.space.size)
            result[part.chosen] = part.change(access.operation, dword, given)
        return operation.given(result)

    def _load_vector(self, operation: Operation) -> Lanes:
        access = row.ACCESS.of(operation.value)
        result = np.zeros((_VECTOR, len(operation.active.lanes)), np.uint32)
        for part in parts(operation, access.resource, self._spaces):
            index, first, width = _vector(part, access.resource)
            for number in range(_VECTOR):
                dword = first + number % width
                result[number, part.chosen] = _loaded(part, access, index, dword)
        return operation.given(result)

    def _store_vector(self, operation: Operation) -> None:
        access = row.ACCESS.of(operation.value)
        for part in parts(operation, access.resource, self._spaces):
            index, first, width = _vector(part, access.resource)
            bounded = _is_bounded(part, access.resource)
            if not bounded:
                _check(part, index, part.space.size)
            words, write = to_words(part.operand(2)), _store_bounded if bounded else Part.write
            for number in range(width):
                write(part, first + number, words[number])


def _indices(operation: Operation, resource: Resource) -> int:
    """The number of address operands: an element, and for nested layouts a dword in it."""
    return 2 if operation.tables.layouts[resource].nested else 1


def _element(part: Part, access: Access) -> tuple[Lanes, Lanes]:
    """The accessed element, and the dword's index in the whole memory."""
    resource, index = access.resource, _index(part, access.resource)
    width = width_of(resource)
    if part.operation.tables.layouts[resource].nested:
        return index, index * width + part.operand(1)
    if resource.kind in VIEWS or resource.kind in SHARED:  # the index counts dwords
        return index // width, index
    return index, index * width + access.component


def _vector(part: Part, resource: Resource) -> tuple[Lanes, Lanes, int]:
    """The accessed structure, the index of its vector's first dword in the whole memory, and the
    vector's number of dwords."""
    index, width = _index(part, resource), part.operation.tables.layouts[resource].width
    return index, index * width_of(resource) + part.operand(1) * width, width


def _index(part: Part, resource: Resource) -> Lanes:
    """The first operand, relative to the start of the view."""
    return part.operand(0) - WINDOW_FIRST * part.operation.is_moved(resource)


def _loaded(part: Part, access: Access, index: Lanes, dword: Lanes) -> Lanes:
    if _is_bounded(part, access.resource):
        at, inside = _bounded(part, dword)
        outside = np.where(part.dropped, POISON, 0)
        return np.where(inside, part.read(at, inside), outside).astype(np.uint32)
    if not part.space.size and not index.any():
        return np.full(len(index), POISON)
    if part.operation.context.robustness.reads(access.resource):
        inside = (index >= 0) & (index < part.space.size)
        return np.where(inside, part.read(dword, inside), POISON)
    _check(part, index, part.space.size)
    return part.read(dword)


def _is_bounded(part: Part, resource: Resource) -> bool:
    view = part.operation.tables.views[resource]
    return part.operation.context.robustness.bounds(resource, view) is True


def _bounded(part: Part, dword: Lanes) -> tuple[Lanes, Lanes]:
    """The dwords' addresses as the device computes them, and which are in bounds."""
    at = dword % _ADDRESSED
    return at, at < part.space.reach


def _store_bounded(part: Part, dword: Lanes, words: Lanes) -> None:
    at, inside = _bounded(part, dword)
    part.write(at, words, inside)
    part.drop(~inside)


def _check(part: Part, index: Lanes, size: int) -> None:
    """Raise if an element is out of bounds."""
    wrong = (index < 0) | (index >= size)
    if wrong.any():
        everywhere = np.zeros(len(part.operation.active.lanes), np.bool_)
        everywhere[part.chosen] = wrong
        problem = f"accesses element {index[wrong][0]} of {size}"
        raise part.operation.fault(problem, everywhere)
