"""Verify that every memory access of a module is bounds-checked, as `guard_bounds` does it.

An index is safe if it is a constant within its resource, if an `if` around the access compares it
with a limit, or if a `select` replaces it by a constant when such a comparison fails. The words of
a report that tell the sizes of constant buffers need no check, because the caller must provide
them. This holds right after the guards; later, folding removes checks that it proves unnecessary.
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.errors import VerifyError
from translate.ir import ops, row
from translate.ir.memory import Addressing, Home, Resource, resources_of
from translate.ir.printer import excerpt
from translate.ir.tables import Tables
from translate.ir.values import Block, Module, Value
from translate.target_device import LARGEST_VIEW, NONE, Robustness

_WRITES = (ops.STORE_ELEMENT, ops.STORE_VECTOR, ops.STORE_TEXEL)
_ATOMICS = (ops.ATOMIC_ELEMENT, ops.ATOMIC_TEXEL)
_LOADS = (ops.LOAD_ELEMENT, ops.LOAD_VECTOR, ops.LOAD_TEXEL)
_ACCESSES = (*_WRITES, *_ATOMICS, *_LOADS)


def verify_guards(module: Module, robustness: Robustness = NONE) -> None:
    """Raise VerifyError at the first access that is not checked.

    `robustness` tells which checks the device makes itself.
    """
    for body in module.bodies():
        for value, conditions in _accesses(body, ()):
            known = {bounded for condition in conditions for bounded in _bounded(condition)}
            for number, index, size in _indices(value, module.tables, robustness):
                safe = _is_safe(index, size, known) or _is_shortfall(value, module, known)
                if not safe:
                    problem = f"has the index {number}, which no condition bounds"
                    shown = excerpt(module, value)
                    raise VerifyError(f"{value.op.name} {problem}\n{shown}", value.where)


def _accesses(
    block: Block, holding: tuple[Value, ...]
) -> Iterator[tuple[Value, tuple[Value, ...]]]:
    """The accesses in a block and its inner blocks, each with the `if` conditions true there."""
    for value in block.values:
        if value.op in _ACCESSES:
            yield value, holding
        for number, inner in enumerate(value.blocks):
            taken = value.op is ops.IF and number == 0
            yield from _accesses(inner, (*holding, value.args[0]) if taken else holding)


def _bounded(condition: Value) -> Iterator[Value]:
    """The values that are below a limit whenever `condition` is true."""
    if condition.op is ops.LAND:
        for part in condition.args:
            yield from _bounded(part)
    elif condition.op is ops.ULT:
        yield condition.args[0]


def _indices(value: Value, tables: Tables, robustness: Robustness) -> list[tuple[int, Value, int]]:
    """The operands that need a check, as (position, operand, size); constants below size are safe.

    The size is 0 if it depends on the bound view; it is 1 for a mip, because every view has mip 0.
    The index of a dword in a structure needs no check: it is a constant that its row limits.
    """
    resource = resources_of(value.data)[0]
    count = len(value.args) - resource.is_array - _value_count(value)
    sizes = [1 if resource.has_mips and n == count - 1 else _size(resource) for n in range(count)]
    indices = [*zip(range(count), value.args, sizes, strict=False)]
    if tables.layouts[resource].nested:
        del indices[1:]
    if value.op in _LOADS and robustness.reads(resource):
        indices = []
    elif robustness.bounds(resource, tables.views[resource]):
        indices = indices[-1:] if resource.has_mips else _uncut(resource, indices)
    if resource.is_array and resource.count:
        indices.append((len(value.args) - 1, value.args[-1], resource.count))
    return indices


def _uncut(
    resource: Resource, indices: list[tuple[int, Value, int]]
) -> list[tuple[int, Value, int]]:
    """The indices that need a check although the device checks the buffer's end.

    Their byte addresses could wrap at 2^32. In typed buffers the device counts texels instead.
    """
    return [one for one in indices if not resource.is_texels and not _is_cut(one[1])]


def _is_cut(index: Value) -> bool:
    """Whether a `limit_index` limits `index`, or the structure in `structure * stride + dword`."""
    if index.op is ops.LIMIT_INDEX:
        limit = index.args[1]
        return limit.op is ops.CONST and row.BITS.of(limit) <= LARGEST_VIEW
    return index.op in (ops.IADD, ops.IMUL, ops.USHR) and _is_cut(index.args[0])


def _value_count(value: Value) -> int:
    """The number of data operands: 0 for a load, 1 for a store, 1 or 2 for an atomic."""
    if value.op in _ATOMICS:
        return 2 if row.ATOMIC.of(value).operation == "cmp_exch" else 1
    return int(value.op in _WRITES)


def _size(resource: Resource) -> int:
    """The declared number of elements (cb, icb, x#) or dwords; 0 if the bound view decides it."""
    if resource.kind.addressing is not Addressing.ELEMENTS:
        return resource.declared_bytes // 4
    return resource.length + (resource.kind.home is Home.THREAD)  # with its spare element


def _is_shortfall(value: Value, module: Module, known: set[Value]) -> bool:
    """Whether a load reads a word of the report that tells how much a constant buffer lacks."""
    report = module.report
    if report is None or value.op is not ops.LOAD_ELEMENT:
        return False
    if row.ACCESS.of(value).resource is not report.buffer:
        return False
    place = value.args[0]
    word, *numbers = place.args if place.op is ops.IADD else [place]
    counts = {first: resource.count for resource, first in report.shortfalls.items()}
    if word.op is not ops.CONST or row.BITS.of(word) not in counts:
        return False
    return all(_is_safe(number, counts[row.BITS.of(word)], known) for number in numbers)


def _is_safe(index: Value, size: int, known: set[Value]) -> bool:
    if index in known:
        return True
    if index.op is ops.CONST:
        return row.BITS.of(index) < size
    if index.op is ops.SELECT:
        condition, chosen, other = index.args
        falls_back = other.op is ops.CONST and row.BITS.of(other) < max(size, 1)
        return falls_back and _is_safe(chosen, size, known | {*_bounded(condition)})
    if index.op is ops.IADD:  # structure * stride + dword
        return all(_is_safe(part, 0, known) for part in index.args)
    if index.op in (ops.IMUL, ops.USHR):  # by a constant; marks have a bit for each dword
        return _is_safe(index.args[0], 0, known)
    return False
