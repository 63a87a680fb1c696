"""Denormal halves to floats, where the device may take them for zeros.

Vulkan lets devices flush them in UnpackHalf2x16 unless DenormPreserve is declared; D3D's `f16tof32`
is exact (FS §22.13.1). A denormal half is an integer times 2^-24, which is an ordinary float.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.types import F32, U32
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_LEAST_NORMAL, _STEP = 2.0**-14, 2.0**-24


def convert_half_denormals(module: Module) -> None:
    """Choose between each `half_to_f32` and the number of steps where that is a denormal or 0."""
    rewrite(module, {ops.HALF_TO_F32: _choose})


def _choose(b: Builder, value: Value) -> Value:
    half = value.args[0]
    wide = b.half_to_f32(half)
    steps = b.fmul(b.u32_to_f(F32, b.iand(half, b.u32(0x3FF))), b.f32(_STEP))
    sign = b.iand(b.ishl(half, b.u32(16)), b.u32(0x80000000))
    small = b.bitcast(F32, b.ior(b.bitcast(U32, steps), sign))
    return b.select(b.flt(b.fabs(wide), b.f32(_LEAST_NORMAL)), small, wide)
