"""Unsigned integers to 32-bit floats, rounded to the nearest (FS §22.13.6) by every device.

Vulkan lets a device that does not offer RoundingModeRTE round either way, and some do that.
Here both halves of the integer are converted, which is exact, and the sum rounds once.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import F32
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_EXACT_BITS = 24  # integers below 2^24 are floats


def round_conversions(module: Module) -> None:
    """Rewrite each `u32_to_f` to F32 of what may be too large to be exact."""
    rewrite(module, {ops.U32_TO_F: _round})


def _round(b: Builder, value: Value) -> Value | None:
    number = value.args[0]
    if value.type is not F32 or _is_small(number):
        return None
    high = b.u32_to_f(F32, b.ushr(number, b.u32(16)))
    low = b.u32_to_f(F32, b.iand(number, b.u32(0xFFFF)))
    return b.fadd(b.fmul(high, b.f32(65536.0)), low)  # contracted or not, the product is exact


def _is_small(number: Value) -> bool:
    """Whether an integer is seen to have few enough bits."""
    constants = [row.BITS.of(arg) for arg in number.args if arg.op is ops.CONST]
    if number.op is ops.CONST:
        return row.BITS.of(number) >> _EXACT_BITS == 0
    if number.op is ops.IAND:
        return any(mask >> _EXACT_BITS == 0 for mask in constants)
    return number.op is ops.USHR and any(shift >= 32 - _EXACT_BITS for shift in constants)
