"""Which register an access to an array of resources names, and that it is one of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from translate.interpret.lanes import Lanes
from translate.interpret.operation import Operation
from translate.ir.memory import MemoryKind, Resource

Named = tuple[str | None, Lanes]

_CLASSES = {MemoryKind.CONSTANTS: "cb", MemoryKind.SAMPLER: "s"}


def register(resource: Resource, index: int = 0) -> str:
    """The key of one of a resource's registers among what is bound."""
    letters = _CLASSES.get(resource.kind) or ("u" if resource.is_uav else "t")
    space = f"_space{resource.space}" if resource.space else ""
    return f"{letters}{resource.number + index}{space}"


def named(operation: Operation, resource: Resource, before_end: int = 1) -> Iterator[Named]:
    """The registers that active lanes name, None for one outside, and which of the lanes do.

    The index is operand `before_end` from the last on. In guarded modules it is inside.
    """
    if not operation.tables.takes_index(resource):
        yield register(resource), np.arange(len(operation.active.lanes))
        return
    index = operation.one(len(operation.operands) - before_end)
    members = operation.tables.members.get(resource)
    if members is not None:
        for number in np.unique(index).tolist():
            one = _member(members, number)
            yield one and register(one), np.flatnonzero(index == number)
        return
    count = resource.count
    if operation.context.is_guarded and count and (index >= count).any():
        problem = f"names descriptor {index.max()} of {resource}, which has {count}"
        raise operation.fault(problem, index >= count)
    for number in np.unique(index).tolist():
        inside = number < count or not count
        yield register(resource, number) if inside else None, np.flatnonzero(index == number)


def _member(members: tuple[Resource, ...], number: int) -> Resource | None:
    return next((one for one in members if one.number == number), None)


def bound(operation: Operation, resource: Resource, name: str | None) -> Resource:
    """The resource that a register is, of those that one stands for."""
    members = operation.tables.members.get(resource, ())
    return next((one for one in members if register(one) == name), resource)
