"""Workaround for `constant_min_max`: minima and maxima of two integer constants are folded.

SwiftShader gives such a value as it was before a branch or a call. By default `simplify` leaves
none.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.values import Module
from translate.passes.fold import RULES
from translate.passes.rewrite import rewrite

_RULES = {op: RULES[op] for op in (ops.SMIN, ops.SMAX, ops.UMIN, ops.UMAX)}


def fold_constant_choices(module: Module) -> None:
    """Fold integer minima and maxima."""
    rewrite(module, _RULES)
