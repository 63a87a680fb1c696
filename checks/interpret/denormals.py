"""The treatment of denormals and NaNs by 32-bit float arithmetic.

The meaning of a module depends on it. Before `flush_denormals`, D3D's rule is implicit: denormal
operands and results of an instruction are zeros (FS §3.1.3). After the pass, `flush` operations do
this, and the module has the same meaning on a device that keeps every denormal. The rule here is
that of instructions, not the pass's rule for operations, so that mistakes of the pass show.

Arithmetic gives one NaN, because neither D3D nor Vulkan defines the bits of its NaNs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from checks.interpret.lanes import Lanes
from translate.ir import ops
from translate.ir.builder import EXPONENT, SIGN
from translate.ir.ops import Effect
from translate.ir.types import F32
from translate.ir.values import Module, Value

# These pass bits on: denormals and NaNs stay
MOVES = frozenset(
    (
        *(ops.SELECT, ops.FNEG, ops.FABS, ops.FLUSH, ops.BITCAST),
        *(ops.PACK_F64, ops.F64_LOW, ops.F64_HIGH, ops.EXTRACT, ops.COMPOSE),
    )
)
_EXPONENT, _SIGN = np.uint32(EXPONENT), np.uint32(SIGN)
_NANS = {
    np.dtype(np.float32): np.array(0x7FC00000, np.uint32).view(np.float32),
    np.dtype(np.float64): np.array(0x7FF8000000000000, np.uint64).view(np.float64),
}


@dataclass(frozen=True, slots=True)
class Denormals:
    """The denormals that arithmetic replaces by zeros of their sign: of operands, of results.

    `within`: also those of results that are used only within their instruction.
    """

    operands: bool
    results: bool
    within: bool


KEPT = Denormals(operands=False, results=False, within=False)
D3D = Denormals(operands=True, results=True, within=False)
ALWAYS_ZERO = Denormals(operands=True, results=True, within=True)
RESULTS_ZERO = Denormals(operands=False, results=True, within=True)


def flushed(values: Lanes) -> Lanes:
    """Floats with zeros of their sign in place of denormals."""
    bits = values.view(np.uint32)
    small = bits & _EXPONENT == 0
    return np.where(small, bits & _SIGN, bits).view(np.float32) if small.any() else values


def with_one_nan(values: Lanes) -> Lanes:
    """Floats with one NaN in place of all NaNs."""
    nans = values != values
    return np.where(nans, _NANS[values.dtype], values) if nans.any() else values


def results_within(module: Module) -> frozenset[Value]:
    """F32 results that are used only by arithmetic of the same D3D instruction.

    D3D leaves open whether denormals among these intermediate results become zeros (FS §3.1.3).
    """
    values = module.walk()
    leaving = {arg for value in values for arg in value.args if not _is_within(value, arg)}
    return frozenset(v for v in values if v.type is F32 and v not in leaving and _computes(v))


def _is_within(user: Value, value: Value) -> bool:
    return user.where is value.where and _computes(user)


def _computes(value: Value) -> bool:
    return value.op.effect is Effect.PURE and value.op not in MOVES
