"""Moves, and conversions between float, integer and half. Source: FS §22.9; §22.13, §3.2.2.

Moved bits stay unchanged unless a modifier or `_sat` makes them floats.
"""

from __future__ import annotations

from translate.ir.builder import Builder
from translate.ir.lanes import choose
from translate.ir.types import F32
from translate.ir.values import Value
from translate.isa.instruction import (
    SATURATE,
    SM4,
    SM5,
    Evaluate,
    Instruction,
    Kind,
    Lanes,
    Lower,
    Scalar,
    dst,
    src,
)

B, F, I, U = Scalar.BITS, Scalar.F32, Scalar.I32, Scalar.U32  # noqa: E741


def lower_mov(b: Builder, x: Value) -> Value:
    return x


def lower_movc(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    """`x` if any bit of the condition is set, as for -0.0 and denormals (FS §22.9.2); else `y`."""
    return b.select(b.nonzero(condition), x, y)


def lower_swapc(b: Builder, condition: Value, x: Value, y: Value) -> tuple[Value, Value]:
    swap = b.nonzero(condition)
    return b.select(swap, y, x), b.select(swap, x, y)


MOVES = (
    Instruction(
        name="mov",
        opcode=0x36,
        kind=Kind.MOVE,
        operands=(dst(B), src(B, "a")),
        controls=(SATURATE,),
        lower=lower_mov,
        evaluate=lambda x: x,
        source="FS §22.9.1",
    ),
    Instruction(
        name="movc",
        opcode=0x37,
        kind=Kind.MOVE,
        operands=(dst(B), src(U, "condition"), src(B, "a"), src(B, "b")),
        controls=(SATURATE,),
        lower=lower_movc,
        evaluate=lambda c, x, y: choose(c != 0, x, y),
        source="FS §22.9.2",
    ),
    Instruction(
        name="swapc",
        opcode=0x8E,
        kind=Kind.MOVE,
        operands=(dst(B, "dst0"), dst(B, "dst1"), src(U, "condition"), src(B, "a"), src(B, "b")),
        since=SM5,
        controls=(SATURATE,),
        lower=lower_swapc,
        evaluate=lambda c, x, y: (choose(c != 0, y, x), choose(c != 0, x, y)),
        source="FS §22.9.3",
        converted=0,
    ),
)


_TWO_31, _TWO_32 = 2147483648.0, 4294967296.0


def _convert(
    name: str,
    opcode: int,
    to: Scalar,
    origin: Scalar,
    lower: Lower,
    evaluate: Evaluate,
    source: str,
    since: tuple[int, int] = SM4,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(to), src(origin, "a")),
        since=since,
        lower=lower,
        evaluate=evaluate,
        source=source,
    )


def lower_to_signed(b: Builder, x: Value, zero: Value, limit: Value, low: Value) -> Value:
    """Truncate to a signed integer and clamp; a NaN gives 0.

    `zero`, `limit` (2^31) and `low` (-2^31) are constants of the type of `x`, F32 or F64. SPIR-V
    leaves OpConvertFToS of a NaN or an out-of-range number undefined: it gets 0 or `low`.
    """
    raised = b.select(b.flt(x, low), low, x)
    inside = b.f_to_s32(b.select(b.flt(raised, limit), raised, zero))
    return b.select(b.fge(x, limit), b.u32(0x7FFFFFFF), inside)


def lower_to_unsigned(b: Builder, x: Value, zero: Value, limit: Value) -> Value:
    """Truncate to an unsigned integer and clamp; a NaN gives 0.

    `zero` and `limit` (2^32) are constants of the type of `x`, F32 or F64.
    """
    positive = b.fmax(x, zero)
    fits = b.flt(positive, limit)
    return b.select(fits, b.f_to_u32(b.select(fits, positive, zero)), b.u32(0xFFFFFFFF))


def lower_ftoi(b: Builder, x: Value) -> Value:
    return lower_to_signed(b, x, b.f32(0.0), b.f32(_TWO_31), b.f32(-_TWO_31))


def lower_ftou(b: Builder, x: Value) -> Value:
    return lower_to_unsigned(b, x, b.f32(0.0), b.f32(_TWO_32))


def lower_itof(b: Builder, x: Value) -> Value:
    return b.s32_to_f(F32, x)


def lower_utof(b: Builder, x: Value) -> Value:
    return b.u32_to_f(F32, x)


def lower_f32tof16(b: Builder, x: Value) -> Value:
    """Convert to a half toward zero; finite numbers that are too large give 65504 (FS §3.2.2)."""
    return b.f32_to_half_rtz(x)


def lower_f16tof32(b: Builder, x: Value) -> Value:
    return b.half_to_f32(x)


def evaluate_to_signed(x: Lanes) -> Lanes:
    """Truncate and clamp float32 or float64 lanes; NaN gives 0."""

    import numpy as np

    wide = np.where(np.isnan(x), 0.0, x.astype(np.float64))
    return np.clip(np.trunc(wide), -_TWO_31, _TWO_31 - 1).astype(np.int32)


def evaluate_to_unsigned(x: Lanes) -> Lanes:
    """Truncate and clamp float32 or float64 lanes; NaN gives 0."""

    import numpy as np

    wide = np.where(np.isnan(x), 0.0, x.astype(np.float64))
    return np.clip(np.trunc(wide), 0.0, _TWO_32 - 1).astype(np.uint32)


def evaluate_f32tof16(x: Lanes) -> Lanes:
    """Round to nearest by NumPy, then step back toward zero if that rounded away from it."""

    import numpy as np

    half = x.astype(np.float16)
    too_large = np.abs(half.astype(np.float64)) > np.abs(x.astype(np.float64))
    stepped = np.where(too_large, np.nextafter(half, np.float16(0)), half)
    return stepped.astype(np.float16).view(np.uint16).astype(np.uint32)


def evaluate_f16tof32(x: Lanes) -> Lanes:
    import numpy as np

    return (x & 0xFFFF).astype(np.uint16).view(np.float16).astype(np.float32)


def _to_float(x: Lanes) -> Lanes:
    return x.astype("float32")


CONVERSIONS = (
    _convert("ftoi", 0x1B, I, F, lower_ftoi, evaluate_to_signed, "FS §22.13.3"),
    _convert("ftou", 0x1C, U, F, lower_ftou, evaluate_to_unsigned, "FS §22.13.4"),
    _convert("itof", 0x2B, F, I, lower_itof, _to_float, "FS §22.13.5"),
    _convert("utof", 0x56, F, U, lower_utof, _to_float, "FS §22.13.6"),
    _convert("f32tof16", 0x82, U, F, lower_f32tof16, evaluate_f32tof16, "FS §22.13.2", SM5),
    _convert("f16tof32", 0x83, F, U, lower_f16tof32, evaluate_f16tof32, "FS §22.13.1", SM5),
)  # fmt: skip
