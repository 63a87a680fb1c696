"""Workaround for `uav_range_size`: a query of a typed UAV's size has an index that threads share.

The driver cannot compile a query by an index that may differ between threads. The pass for
`range_index_in_branch` broadcasts the index here, too.

Probe: none, since the driver ends the process.
Documented in docs/drivers.md, "sizes of indexed typed UAVs crash the process".
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.memory import resources_of
from translate.ir.values import Value

UAV_RANGE_SIZE = "uav_range_size"
_SIZES = (ops.IMAGE_SIZE, ops.TEXEL_COUNT)


def queries_uav(value: Value) -> bool:
    """Whether an operation queries the size of a typed UAV."""
    return value.op in _SIZES and any(one.is_uav for one in resources_of(value.data))
