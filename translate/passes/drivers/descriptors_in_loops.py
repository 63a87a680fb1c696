"""Workaround for `descriptors_in_loops`: a body asks for its buffers' sizes before its loops.

lavapipe of Mesa 26.1 reads the address of a descriptor set where a body first needs it. In a loop
it keeps the address for the threads that are in the loop; if none is, an access in the loop reads
the descriptor at address 0. After an earlier use of the set all threads have the address. From the
sizes a number is computed that is always 0, which the driver does not know. It is part of an
operand in a loop, so that the driver cannot remove the queries.

Probe: none, since the driver ends the process.
Documented in docs/drivers.md, "accesses in loops that no thread is in".
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import BOUND, MemoryKind, Resource, resources_of
from translate.ir.types import F32, U32
from translate.ir.values import Block, Module, Value, walk
from translate.passes.drivers.hidden import HiddenOperands

_MEASURED = (MemoryKind.RAW, MemoryKind.STRUCTURED, MemoryKind.TYPED)
_HIDDEN = (U32, F32)


def use_descriptors_first(module: Module) -> None:
    """Make a body use each buffer and image before its loops, if these have accesses."""
    views = module.tables.views
    measured = [r for r in module.resources if r.kind in _MEASURED and not views[r].size_table]
    hidden = HiddenOperands(lambda b: _sizes(b, module, measured))
    for body in module.bodies():
        for value in _in_loops(body):
            position = _scalar(value)
            if measured and position is not None:
                hidden.add(value, position)
                break
    hidden.apply(module)


def _in_loops(body: Block) -> Iterator[Value]:
    """The accesses to bound resources in loops."""
    for loop in walk(body):
        if loop.op is ops.LOOP:
            for value in walk(loop.blocks[0]):
                if any(resource.kind in BOUND for resource in resources_of(value.data)):
                    yield value


def _scalar(value: Value) -> int | None:
    """The position of the first operand that can be hidden.

    Not a descriptor's index, which stands last: if constant, it must stay constant.
    """
    ranges = sum(resource.is_array for resource in resources_of(value.data))
    operands = value.args[: len(value.args) - ranges]
    return next((n for n, arg in enumerate(operands) if arg.type in _HIDDEN), None)


def _sizes(b: Builder, module: Module, measured: list[Resource]) -> Value:
    """A number that is made of all sizes."""
    found = b.input("vThreadGroupID", 0)
    for resource in measured:
        with b.of_array([b.u32(0)] if resource.is_array else []):
            found = b.ixor(found, _size(b, module, resource))
    return found


def _size(b: Builder, module: Module, resource: Resource) -> Value:
    size = b.view_size(resource, nested=module.tables.layouts[resource].nested)
    return size if size.type is U32 else b.extract(U32, size, 0)
