"""Results of trees of pure operations, by `translate.ir.lanes`, which knows no folding rules.

`tests/unit/ir/test_evaluate.py` compares it with Python's numbers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from translate.ir import lanes, ops
from translate.ir.types import BOOL
from translate.ir.values import Value

Lanes = np.ndarray[Any, Any]


def constant(value: Value, count: int) -> Lanes:
    """A constant in every lane."""
    if value.type is BOOL:
        return np.full(count, bool(value.data))
    return np.full(count, lanes.of_bits(value.type, value.data))


def evaluate(value: Value, leaves: Mapping[Value, Lanes], memo: dict[Value, Lanes]) -> Lanes:
    """A value's lanes, computed from those of the leaves."""
    if value in leaves:
        return leaves[value]
    if value not in memo:
        memo[value] = _computed(value, leaves, memo)
    return memo[value]


def _computed(value: Value, leaves: Mapping[Value, Lanes], memo: dict[Value, Lanes]) -> Lanes:
    if value.op is ops.CONST:
        return constant(value, len(next(iter(leaves.values()))))
    args = [evaluate(arg, leaves, memo) for arg in value.args]
    with np.errstate(all="ignore"):
        return lanes.evaluate(value.op, value.type, args, value.data)


def same_bits(a: Lanes, b: Lanes) -> bool:
    """Equal to the last bit, the signs of zeros and the payloads of NaNs included."""
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()
