"""Group-shared memory that only arithmetic reads, so that stored values can be flushed.

Only the shader reads its bits, and the shader's arithmetic takes denormals for zeros. So a tile
that is filled once and read many times is flushed only once.
"""

from __future__ import annotations

from collections.abc import Container

from translate.ir import ops, row
from translate.ir.memory import SHARED, Resource
from translate.ir.ops import Op
from translate.ir.types import F32
from translate.ir.values import Module, Value


def float_memory(module: Module, arithmetic: Container[Op]) -> frozenset[Resource]:
    """The group-shared memories whose loaded dwords are operands of arithmetic only."""
    shared = [(r, module.tables.usage[r]) for r in module.resources if r.kind in SHARED]
    candidates = {r for r, usage in shared if usage.read and not usage.atomic}
    if not candidates:
        return frozenset()
    bits: set[Value] = set()  # loads from candidates
    numbers: dict[Value, Resource] = {}  # the same loads as floats
    for value in module.walk():
        if value.op is ops.LOAD:
            if row.ACCESS.of(value).resource in candidates:
                bits.add(value)
            continue
        for arg in value.args:
            if arg in bits and (value.op is not ops.BITCAST or value.type is not F32):
                candidates.discard(row.ACCESS.of(arg).resource)
            elif arg in bits:
                numbers[value] = row.ACCESS.of(arg).resource
            elif arg in numbers and value.op in ops.SIGN_CHANGES:
                numbers[value] = numbers[arg]
            elif arg in numbers and value.op not in arithmetic:
                candidates.discard(numbers[arg])
    return frozenset(candidates)


def loaded_from(value: Value, memories: Container[Resource]) -> bool:
    """Whether a float is a dword from one of these memories."""
    source = value.args[0] if value.op is ops.BITCAST else None
    if source is None or source.op is not ops.LOAD:
        return False
    access = row.ACCESS.of(source)
    return access.resource in memories
