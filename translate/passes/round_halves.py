"""Floats to halves, rounded toward zero (FS §3.2.2) by every device.

A device does this if the module declares the rounding mode, and that denormals, infinities and NaNs
are kept; otherwise Vulkan leaves all of these open. Mesa's compiler for AMD combines a sum or a
product with the conversion of its result, which then rounds once, even if the sum is `precise`.
"""

from __future__ import annotations

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.types import F32, F64, U32
from translate.ir.values import Module, Value
from translate.passes.merges import through_casts
from translate.passes.rewrite import rewrite

_MODES = frozenset(
    ("rounding_mode_rtz_16", "denorm_preserve_16", "signed_zero_inf_nan_preserve_16")
)
_STEP = 2.0**-24  # between denormal halves
_FORWARDING = frozenset((ops.FNEG, ops.FABS, ops.FMIN, ops.FMAX))  # modifiers and saturation


def round_halves(module: Module, float_controls: frozenset[str]) -> None:
    """Rewrite each `f32_to_half_rtz` that is not left to the device.

    Devices may have one rounding mode for halves and doubles, and the latter round to nearest.
    """
    by_device = float_controls >= _MODES and all(v.type is not F64 for v in module.walk())

    def convert(b: Builder, value: Value) -> Value | None:
        number = value.args[0]
        return None if by_device and not _is_precise(number) else _cut(b, number)

    rewrite(module, {ops.F32_TO_HALF_RTZ: convert})


def _is_precise(number: Value) -> bool:
    """Whether precise arithmetic gives it, but for its sign or a limit."""
    work, seen = [number], set[Value]()
    while work:
        value = through_casts(work.pop())
        if value in seen:
            continue
        seen.add(value)
        if value.op in _FORWARDING:
            work += value.args
        elif value.op.attribute is row.PRECISE and row.PRECISE.of(value):
            return True
    return False


def _cut(b: Builder, x: Value) -> Value:
    """Have the device convert normal halves only: the next one toward zero, or the least.

    Below that one the half's bits are the number of steps from 0, which at it are 0x400, its own
    bits.
    """
    bits = b.bitcast(U32, x)
    size = b.iand(bits, b.u32(0x7FFFFFFF))
    normal = b.umax(b.umin(size, b.u32(0x477FE000)), b.u32(0x38800000))
    normal = b.f32_to_half(b.bitcast(F32, b.iand(normal, b.u32(0x7FFFE000))))
    small = b.fmin(b.fmax(b.fabs(x), b.f32(_STEP / 2)), b.f32(2.0**-14))
    steps = b.f_to_u32(b.fmul(small, b.f32(1 / _STEP)))
    half = b.isub(b.iadd(normal, steps), b.u32(0x400))
    special = b.isub(size, b.u32(0x7F800000 - 0x7C00))  # 0x7C00 for infinity, less for a number
    half = b.smin(b.smax(half, special), b.u32(0x7FFF))
    return b.ior(half, b.iand(b.ushr(bits, b.u32(16)), b.u32(0x8000)))
