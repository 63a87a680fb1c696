"""Find the registers that an access to an array of resources refers to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from checks.interpret.lanes import Lanes
from checks.interpret.operation import Operation
from translate.interface import register_name
from translate.ir.memory import MemoryKind, Resource

Named = tuple[str | None, Lanes]

_CLASSES = {MemoryKind.CONSTANTS: "cb", MemoryKind.SAMPLER: "s"}


def register(resource: Resource, index: int = 0) -> str:
    """The name of register `index` of a resource, as in the bindings: `t3`, `u1_space2`."""
    letters = _CLASSES.get(resource.kind) or ("u" if resource.is_uav else "t")
    return register_name(letters, resource.number + index, resource.space)


def named(operation: Operation, resource: Resource, before_end: int = 1) -> Iterator[Named]:
    """The registers that the active lanes refer to (None out of range), each with its lanes.

    The index is the operand `before_end` positions from the end. In guarded modules it must be in
    range.
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
    """The resource that declares the register `name`, if `resource` stands for several.

    Otherwise `resource` itself.
    """
    members = operation.tables.members.get(resource, ())
    return next((one for one in members if register(one) == name), resource)
