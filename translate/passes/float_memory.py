"""Group-shared memory that is read only by arithmetic, so that stored values can be flushed.

Only the shader sees its bits, and it takes denormals for zeros whenever it reads them.
A tile that is filled once and read many times is so flushed once.
"""

from __future__ import annotations

from collections.abc import Container

from translate.ir import ops, row
from translate.ir.memory import SHARED, Resource
from translate.ir.ops import Op
from translate.ir.types import F32
from translate.ir.values import Module, Value

_SIGN_CHANGES = (ops.FNEG, ops.FABS)


def float_memory(module: Module, arithmetic: Container[Op]) -> frozenset[Resource]:
    """The shared memories of which every dword read becomes an argument of arithmetic alone."""
    shared = [(r, module.tables.usage[r]) for r in module.resources if r.kind in SHARED]
    candidates = {r for r, usage in shared if usage.read and not usage.atomic}
    if not candidates:
        return frozenset()
    bits: set[Value] = set()  # loads from candidates
    numbers: dict[Value, Resource] = {}  # and what they are as floats
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
            elif arg in numbers and value.op in _SIGN_CHANGES:
                numbers[value] = numbers[arg]
            elif arg in numbers and value.op not in arithmetic:
                candidates.discard(numbers[arg])
    return frozenset(candidates)


def loaded_from(value: Value, memories: Container[Resource]) -> bool:
    """Whether a float is a dword of one of these memories."""
    source = value.args[0] if value.op is ops.BITCAST else None
    if source is None or source.op is not ops.LOAD:
        return False
    access = row.ACCESS.of(source)
    return access.resource in memories
