"""The treatment of denormals and NaNs by 32-bit float arithmetic.

What a module means depends on it. Until `flush_denormals` D3D's rule is silently part of all
arithmetic (FS §3.1.3); after it the `flush` operations say the same, so that the module means the
same to a device that keeps every denormal. NaNs are one NaN to arithmetic, for neither D3D nor
Vulkan says which one it gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from translate.interpret.lanes import Lanes
from translate.ir import ops
from translate.ir.types import F32
from translate.ir.values import Module, Value

_SUMS = (ops.FADD, ops.FSUB)
_STEPS = (ops.FMUL, *_SUMS)
_EXPONENT = np.uint32(0x7F800000)
_SIGN = np.uint32(0x80000000)
_NANS = {
    np.dtype(np.float32): np.array(0x7FC00000, np.uint32).view(np.float32),
    np.dtype(np.float64): np.array(0x7FF8000000000000, np.uint64).view(np.float64),
}


@dataclass(frozen=True, slots=True)
class Denormals:
    """Which denormals are zeros of their sign: those of operands, and of results.

    `steps`: also those between the steps of one instruction, as of `mad`, which D3D lets be either
    (FS §3.1.3).
    """

    operands: bool
    results: bool
    steps: bool


KEPT = Denormals(operands=False, results=False, steps=False)
D3D = Denormals(operands=True, results=True, steps=False)
ALWAYS_ZERO = Denormals(operands=True, results=True, steps=True)
RESULTS_ZERO = Denormals(operands=False, results=True, steps=True)


def flushed(values: Lanes) -> Lanes:
    """Floats whose denormals are zeros of their sign."""
    bits = values.view(np.uint32)
    small = bits & _EXPONENT == 0
    return np.where(small, bits & _SIGN, bits).view(np.float32) if small.any() else values


def with_one_nan(values: Lanes) -> Lanes:
    """Floats whose NaNs are all the same."""
    nans = values != values
    return np.where(nans, _NANS[values.dtype], values) if nans.any() else values


def steps_of(module: Module) -> frozenset[Value]:
    """Products and sums that only a sum of the same instruction takes."""
    uses: dict[Value, list[Value]] = {}
    for value in module.walk():
        for arg in value.args:
            if arg.op in _STEPS and arg.type is F32:
                uses.setdefault(arg, []).append(value)
    return frozenset(step for step, users in uses.items() if _is_step(step, users))


def _is_step(step: Value, users: list[Value]) -> bool:
    return len(users) == 1 and users[0].op in _SUMS and users[0].where is step.where
