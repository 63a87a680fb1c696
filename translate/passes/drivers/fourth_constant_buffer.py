"""Workaround for `fourth_constant_buffer`: indices into constant buffers are hidden.

To compile constants into the code, lavapipe of Mesa 22.3 records the elements on which branches
depend, and overruns its records at the fourth buffer. It records elements with a constant index
only, which it may compute: in a branch on `n == 0` the index n is 0.

Probe: none, since the fault may end the process.
Documented in docs/drivers.md, "the fourth constant buffer crashes the process".
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.memory import MemoryKind
from translate.ir.values import Module, Value
from translate.passes.drivers.hidden import HiddenOperands

_MOST = 3  # constant buffers for which the records have room


def hide_constant_places(module: Module) -> None:
    """Hide indices from the driver, in modules with more buffers than it has room for."""
    counts = [r.count for r in module.resources if r.kind is MemoryKind.CONSTANTS]
    if sum(counts) <= _MOST and 0 not in counts:
        return
    hidden = HiddenOperands()
    for value in module.walk():
        if _is_of_constants(value):
            hidden.add(value, 0)
    hidden.apply(module)


def _is_of_constants(value: Value) -> bool:
    return value.op in ops.LOADS and row.ACCESS.of(value).resource.kind is MemoryKind.CONSTANTS
