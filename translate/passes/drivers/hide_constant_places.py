"""A workaround for `fourth_constant_buffer`: elements of constant buffers are no constants.

To compile constants into the code, lavapipe of Mesa 22.3 records the constant elements on which
branches depend, and overruns its records at the fourth buffer. It records no computed element.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind
from translate.ir.values import Block, Module, Value, walk

_MOST = 3  # constant buffers for which the records have room
_LOADS = (ops.LOAD_ELEMENT, ops.LOAD_VECTOR)
_GROUP = ("vThreadGroupID", 0)
_NO_GROUP = 0xFFFFFFFF  # fewer than 2^32 groups are dispatched, which no compiler knows


def hide_constant_places(module: Module) -> None:
    """Add a 0 that no compiler knows to constant elements, where there are many buffers."""
    counts = [r.count for r in module.resources if r.kind is MemoryKind.CONSTANTS]
    if sum(counts) > _MOST or 0 in counts:
        for body in module.bodies():
            _hide(body)


def _hide(body: Block) -> None:
    """The elements are computed at the start, after the thread inputs."""
    loads = [value for value in walk(body) if _is_constant(value)]
    if not loads:
        return
    start = Block()
    b = Builder(start)
    b.where = loads[0].where
    zero = b.select(b.ieq(b.input(*_GROUP), b.u32(_NO_GROUP)), b.u32(1), b.u32(0))
    places: dict[int, Value] = {}
    for load in loads:
        place, *descriptor = load.args
        number = row.BITS.of(place)
        if number not in places:
            places[number] = b.iadd(place, zero)
        load.replace_operands([places[number], *descriptor])
    first = next(n for n, value in enumerate(body.values) if value.op is not ops.INPUT)
    body.values[first:first] = start.values


def _is_constant(value: Value) -> bool:
    if value.op not in _LOADS or value.args[0].op is not ops.CONST:
        return False
    return row.ACCESS.of(value).resource.kind is MemoryKind.CONSTANTS
