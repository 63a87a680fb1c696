"""Workaround for `range_index_in_branch`: a descriptor's index comes from an active thread.

Drivers that run threads together read the index of a descriptor from the first of these threads,
even if that thread is not in the branch of the access. A broadcast from a subgroup's first active
thread gives the right index to all threads in the branch. It also serves `uav_range_size`.

Probe: vkrunner/probes/control_flow.py.
Documented in docs/drivers.md, "other accesses to an indexed resource in a branch".
"""

from __future__ import annotations

from collections.abc import Set

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import MemoryKind, resources_of
from translate.ir.ops import Effect
from translate.ir.values import Block, Module, Value, walk
from translate.passes.rewrite import Findings

UAV_RANGE_SIZE = "uav_range_size"
_SIZES = (ops.IMAGE_SIZE, ops.TEXEL_COUNT)


def queries_uav(value: Value) -> bool:
    """Workaround for `uav_range_size`: a query of a typed UAV's size has an index threads share.

    The driver cannot compile a query by an index that may differ between threads; the index is
    broadcast here, too. Returns whether an operation queries the size of a typed UAV.

    Probe: none, since the driver ends the process.
    Documented in docs/drivers.md, "sizes of indexed typed UAVs crash the process".
    """
    return value.op in _SIZES and any(one.is_uav for one in resources_of(value.data))


RANGE_INDEX_IN_BRANCH = "range_index_in_branch"
_TABLES = (ops.TABLE_COUNT, ops.WINDOW_FIRST, ops.WINDOW_COUNT)  # each thread reads these itself
_LEAVES = (ops.RETURN, ops.CALL)


def agree_on_indices(module: Module, faults: Set[str]) -> Findings:
    """Broadcast descriptor indices from an active thread, for a device with one of the faults.

    Later passes may not move the accesses or share their indices.
    """
    if not any(resource.is_array for resource in module.resources):
        return Findings()
    same, exposed = _same_in_group(module), {*module.exposed}
    for body in module.bodies():
        for block in _blocks(body):
            values, block.values = block.values, []
            b = Builder(block)
            for value in values:
                doubtful = _doubtful(module, value, same)
                met = _faults_met(value) if doubtful else set[str]()
                if not met.isdisjoint(faults):
                    b.where = value.where
                    args = enumerate(value.args)
                    value.args = [b.agreed(v) if n in doubtful else v for n, v in args]
                else:
                    exposed |= met
                block.values.append(value)
    return Findings(exposed=exposed)


def _blocks(body: Block) -> list[Block]:
    return [body, *(block for value in walk(body) for block in value.blocks)]


def _faults_met(value: Value) -> set[str]:
    """The faults that an access with a doubtful index meets on drivers that have them."""
    more = {UAV_RANGE_SIZE} if queries_uav(value) else set[str]()
    return {RANGE_INDEX_IN_BRANCH} | more


def _doubtful(module: Module, value: Value, same: set[Value]) -> list[int]:
    """Positions of descriptor indices that may differ between threads of a group.

    A range with indices that are marked non-uniform gives each thread its resource already.
    """
    ranges = [r for r in resources_of(value.data) if r.is_array]
    if value.op in _TABLES or not ranges:
        return []
    indices = range(len(value.args) - len(ranges), len(value.args))
    return [
        position
        for resource, position in zip(ranges, indices, strict=True)
        if not module.tables.usage[resource].non_uniform
        and not _is_same(value.args[position], same)
    ]


def _same_in_group(module: Module) -> set[Value]:
    """Values that are equal in all threads of a group, also in threads that do not compute them."""
    same: set[Value] = set()
    leading = _leading(module.body)
    for value in module.walk():
        if value.op is ops.INPUT:
            known = row.INPUT.of(value)[0] == "vThreadGroupID"
        elif value.op in ops.LOADS:
            kind = row.ACCESS.of(value).resource.kind
            known = kind is MemoryKind.CONSTANTS and value in leading
        else:
            known = value.op.effect is Effect.PURE
        if known and all(_is_same(arg, same) for arg in value.args):
            same.add(value)
    return same


def _is_same(value: Value, same: set[Value]) -> bool:
    return value.op is ops.CONST or value in same


def _leading(body: Block) -> set[Value]:
    """Values that all threads of a group compute: outside of branches, before any thread leaves."""
    found: set[Value] = set()
    for value in body:
        found.add(value)
        if any(inner.op in _LEAVES for block in value.blocks for inner in walk(block)):
            break
    return found
