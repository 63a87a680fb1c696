"""Indices into ranges of cs_5_1 for which the device lacks the feature.

A switch has a case for each register of the range, with a constant index. The default has the
results of an index out of range: zeros, and no store.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from translate.ir.memory import Resource
from translate.ir.tables import Table, Tables, Usage
from translate.ir.values import Module
from translate.passes.findings import Findings
from translate.passes.registers.select_registers import Selector

_MOST_CASES = 256  # lavapipe and SwiftShader, which lack features, allow 200 of a kind


def select_ranges(module: Module, missing: Set[str], most: int | None) -> Findings:
    """Replace varying indices into bounded ranges for a device without the features `missing`.

    Raises UnsupportedError if this gives more than `most` operations.
    """
    tables = module.tables
    chosen = [one for one in module.resources if _lacks(one, tables, missing)]
    if not chosen:
        return Findings()
    selector = Selector({one: {n: n for n in range(one.count)} for one in chosen}, tables, most)
    for body in module.bodies():
        selector.block(body)
    usage = Table(Usage(), tables.usage.items())
    for one in chosen:
        usage[one] = replace(usage[one], dynamic=False, non_uniform=False)
    return Findings(replace(tables, usage=usage))


def _lacks(resource: Resource, tables: Tables, missing: Set[str]) -> bool:
    """Whether a range has a varying index for which the device lacks the feature."""
    usage = tables.usage[resource]
    if not usage.dynamic or not resource.is_array or not 0 < resource.count <= _MOST_CASES:
        return False
    how = "non_uniform" if usage.non_uniform else "dynamic"
    return f"{resource.descriptor}_{how}_indexing" in missing
