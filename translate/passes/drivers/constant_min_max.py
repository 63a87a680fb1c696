"""Workaround for `constant_min_max`: comparisons and choices in place of integer minima and maxima.

SwiftShader loses the minimum or maximum of two constants after a branch or a call, also where only
the driver finds the constants.

Probe: none, since it is known by the driver's name.
Documented in docs/drivers.md, "a minimum or maximum of two constants is lost after a branch".
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_MINIMA = (ops.SMIN, ops.UMIN)
_MAXIMA = (ops.SMAX, ops.UMAX)
_SIGNED = (ops.SMIN, ops.SMAX)


def choose_by_comparison(module: Module) -> None:
    """Replace integer minima and maxima, except `limit_index`, by which guards are recognised."""
    rewrite(module, dict.fromkeys((*_MINIMA, *_MAXIMA), _chosen))


def _chosen(b: Builder, value: Value) -> Value:
    first, second = value.args
    compare = b.slt if value.op in _SIGNED else b.ult
    is_first_less = compare(first, second)
    if value.op in _MAXIMA:
        return b.select(is_first_less, second, first)
    return b.select(is_first_less, first, second)
