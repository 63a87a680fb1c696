"""Whether every access of a module is checked, by the form that `guard_bounds` gives it.

An index is safe if it is a constant within its resource, if a condition that holds at its use
compares it with a limit, or if a choice replaces it when such a condition does not hold. A report's
words for constant buffers exist by contract. Guards have these forms; later, folding may prove more
and remove checks.
"""

from __future__ import annotations

from collections.abc import Iterator

from translate.errors import VerifyError
from translate.ir import ops, row
from translate.ir.memory import Addressing, Home, Resource, resources_of
from translate.ir.printer import excerpt
from translate.ir.robustness import LARGEST_VIEW, NONE, Robustness
from translate.ir.tables import Tables
from translate.ir.values import Block, Module, Value

_WRITES = (ops.STORE_ELEMENT, ops.STORE_VECTOR, ops.STORE_TEXEL)
_ATOMICS = (ops.ATOMIC_ELEMENT, ops.ATOMIC_TEXEL)
_LOADS = (ops.LOAD_ELEMENT, ops.LOAD_VECTOR, ops.LOAD_TEXEL)
_ACCESSES = (*_WRITES, *_ATOMICS, *_LOADS)


def verify_guards(module: Module, robustness: Robustness = NONE) -> None:
    """Raise VerifyError at the first access that is not checked.

    `robustness` has the checks that are left to the device.
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
    """The accesses below a block, each with the conditions that hold there."""
    for value in block.values:
        if value.op in _ACCESSES:
            yield value, holding
        for number, inner in enumerate(value.blocks):
            taken = value.op is ops.IF and number == 0
            yield from _accesses(inner, (*holding, value.args[0]) if taken else holding)


def _bounded(condition: Value) -> Iterator[Value]:
    """The values below a limit if a condition holds."""
    if condition.op is ops.LAND:
        for part in condition.args:
            yield from _bounded(part)
    elif condition.op is ops.ULT:
        yield condition.args[0]


def _indices(value: Value, tables: Tables, robustness: Robustness) -> list[tuple[int, Value, int]]:
    """The operands that need a check: position, operand, and the number of indices that exist.

    A structure's dword is a constant within its row's limit. The elements of views depend on the
    bound resources; only their first mip exists in any case.
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
    """Indices of a buffer with addresses that may wrap; the device counts texels."""
    return [one for one in indices if not resource.is_texels and not _is_cut(one[1])]


def _is_cut(index: Value) -> bool:
    """Whether an index, or the structure's of `structure * stride + dword`, is at most a limit."""
    if index.op is ops.LIMIT_INDEX:
        limit = index.args[1]
        return limit.op is ops.CONST and row.BITS.of(limit) <= LARGEST_VIEW
    return index.op in (ops.IADD, ops.IMUL, ops.USHR) and _is_cut(index.args[0])


def _value_count(value: Value) -> int:
    """The number of operands that an access writes, or changes memory by."""
    if value.op in _ATOMICS:
        return 2 if row.ATOMIC.of(value).operation == "cmp_exch" else 1
    return int(value.op in _WRITES)


def _size(resource: Resource) -> int:
    """The number of elements in memory, by its declaration."""
    if resource.kind.addressing is not Addressing.ELEMENTS:
        return resource.declared_bytes // 4
    return resource.length + (resource.kind.home is Home.THREAD)  # with its spare element


def _is_shortfall(value: Value, module: Module, known: set[Value]) -> bool:
    """Whether a load reads a word of the report that the caller sets for a constant buffer."""
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
