"""32-bit float arithmetic and comparisons. Source: FS §22.10, §3.1.3.

`evaluate` takes and returns float32 lanes, for comparisons u32 masks; the machine flushes denormals
before and after. Transcendental functions are computed in float64 and are right to half an ULP,
well within D3D's tolerance.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from operator import add, eq, ge, lt, mul, ne

from translate.ir.builder import Builder
from translate.ir.lanes import numpy
from translate.ir.values import Value
from translate.isa.instruction import (
    SATURATE,
    SM4,
    SM5,
    Control,
    Evaluate,
    Instruction,
    Kind,
    Lanes,
    Lower,
    Scalar,
    comparison,
    dst,
    src,
)

Vector = tuple[Value, ...]
F = Scalar.F32
_SATURABLE: tuple[Control, ...] = (SATURATE,)


def _float(
    name: str,
    opcode: int,
    arity: int,
    lower: Lower,
    evaluate: Evaluate,
    source: str,
    since: tuple[int, int] = SM4,
    literals: Scalar | None = None,
    *,
    folds_zeros: bool = False,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(F), *(src(F, "abc"[i]) for i in range(arity))),
        since=since,
        controls=_SATURABLE,
        lower=lower,
        evaluate=evaluate,
        source=source,
        literals=literals,
        folds_zeros=folds_zeros,
    )


def lower_mad(b: Builder, x: Value, y: Value, z: Value) -> Value:
    """x * y + z, rounded twice or, if not precise, maybe once: FS §22.10.10 allows both."""
    return b.fadd(b.fmul(x, y), z)


def evaluate_mad(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    return x * y + z


def lower_max(b: Builder, x: Value, y: Value) -> Value:
    """Swap the operands: of two zeros, the IR returns the second, D3D the first (FS §22.10.11)."""
    return b.fmax(y, x)


def evaluate_min(x: Lanes, y: Lanes) -> Lanes:
    """`x < y ? x : y`: for 0 and -0 `y`. If one operand is NaN, the other.

    NumPy's minimum depends on the lane's position: it gives either zero, and may give a signalling
    NaN.
    """

    import numpy as np

    return np.where((x < y) | np.isnan(y), x, y)


def evaluate_max(x: Lanes, y: Lanes) -> Lanes:
    """`x >= y ? x : y`: for 0 and -0 `x`, unlike `min`. If one operand is NaN, the other."""

    import numpy as np

    return np.where((x >= y) | np.isnan(y), x, y)


def lower_rcp(b: Builder, x: Value) -> Value:
    return b.fdiv(b.f32(1.0), x)


def lower_frc(b: Builder, x: Value) -> Value:
    """x - floor(x): NaN for an infinity (FS §22.10.6), unlike GLSL's Fract."""
    return b.fsub(x, b.floor(x))


def lower_sincos(b: Builder, x: Value) -> tuple[Value, Value]:
    return b.sin(x), b.cos(x)


def lower_exp(b: Builder, x: Value) -> Value:
    """2^x, with an explicit NaN for a NaN: on some drivers, Exp2 of NaN is an infinity."""
    return b.select(b.feq(x, x), b.exp2(x), b.f32(nan))


def lower_log(b: Builder, x: Value) -> Value:
    """log2(x). Results for 0, negative x and NaN are chosen: Log2 is defined only for x > 0."""
    zero = b.f32(0.0)
    special = b.select(b.feq(x, zero), b.f32(-inf), b.f32(nan))
    return b.select(b.flt(zero, x), b.log2(x), special)


def lower_dot(b: Builder, x: Vector, y: Vector) -> Value:
    """The dot product, with its terms added in order; D3D allows any order (FS §22.10.3-5)."""
    total = b.fmul(x[0], y[0])
    for left, right in zip(x[1:], y[1:], strict=True):
        total = b.fadd(total, b.fmul(left, right))
    return total


def evaluate_dot(x: tuple[Lanes, ...], y: tuple[Lanes, ...]) -> Lanes:
    products = [left * right for left, right in zip(x, y, strict=True)]
    return sum(products[1:], products[0])


def evaluate_sincos(x: Lanes) -> tuple[Lanes, Lanes]:
    import numpy as np

    wide = x.astype(np.float64)
    return np.sin(wide).astype(np.float32), np.cos(wide).astype(np.float32)


def _wide(function: Callable[[Lanes], Lanes]) -> Callable[[Lanes], Lanes]:
    """Make a function on float32 lanes of one on float64 lanes."""
    return lambda x: function(x.astype("float64")).astype("float32")


def evaluate_log(x: Lanes) -> Lanes:
    """log2(x): -INF for 0, NaN for a negative number (FS §22.10.8)."""

    import numpy as np

    return np.log2(np.abs(np.where(x < 0, np.float32(np.nan), x)).astype(np.float64)).astype(
        np.float32
    )


def evaluate_frc(x: Lanes) -> Lanes:
    import numpy as np

    return np.where(np.isinf(x), np.float32(np.nan), x - np.floor(x)).astype(np.float32)


def _dot(name: str, opcode: int, terms: int) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.DOT,
        operands=(dst(F), src(F, "a", terms), src(F, "b", terms)),
        controls=_SATURABLE,
        lower=lower_dot,
        evaluate=evaluate_dot,
        source="FS §22.10.3-5",
    )


SINCOS = Instruction(
    name="sincos",
    opcode=0x4D,
    kind=Kind.ALU,
    operands=(dst(F, "sin"), dst(F, "cos"), src(F, "a")),
    controls=_SATURABLE,
    lower=lower_sincos,
    evaluate=evaluate_sincos,
    source="FS §22.10.20",
)

FLOATS = (
    _float("add", 0x00, 2, Builder.fadd, add, "FS §22.10.1", folds_zeros=True),
    _float("mul", 0x38, 2, Builder.fmul, mul, "FS §22.10.13", folds_zeros=True),
    _float("mad", 0x32, 3, lower_mad, evaluate_mad, "FS §22.10.10", folds_zeros=True),
    _float("div", 0x0E, 2, Builder.fdiv, lambda x, y: x / y, "FS §22.10.2"),
    _dot("dp2", 0x0F, 2),
    _dot("dp3", 0x10, 3),
    _dot("dp4", 0x11, 4),
    _float("min", 0x33, 2, Builder.fmin, evaluate_min, "FS §22.10.12"),
    _float("max", 0x34, 2, lower_max, evaluate_max, "FS §22.10.11"),
    _float("frc", 0x1A, 1, lower_frc, evaluate_frc, "FS §22.10.6"),
    _float("round_ne", 0x40, 1, Builder.round_even, numpy("rint"), "FS §22.10.15"),
    _float("round_ni", 0x41, 1, Builder.floor, numpy("floor"), "FS §22.10.16"),
    _float("round_pi", 0x42, 1, Builder.ceil, numpy("ceil"), "FS §22.10.17"),
    _float("round_z", 0x43, 1, Builder.trunc, numpy("trunc"), "FS §22.10.18"),
    _float("exp", 0x19, 1, lower_exp, _wide(numpy("exp2")), "FS §22.10.7"),
    _float("log", 0x2F, 1, lower_log, evaluate_log, "FS §22.10.8"),
    _float("sqrt", 0x4B, 1, Builder.sqrt, numpy("sqrt"), "FS §22.10.21"),
    _float("rsq", 0x44, 1, Builder.rsqrt, _wide(lambda x: 1 / numpy("sqrt")(x)), "FS §22.10.19"),
    _float(
        "rcp", 0x81, 1, lower_rcp, _wide(lambda x: 1 / x), "FS §22.10.14", SM5, literals=Scalar.U32
    ),
    SINCOS,
    comparison("eq", 0x18, F, Builder.feq, eq),
    comparison("ne", 0x39, F, Builder.fne, ne),
    comparison("ge", 0x1D, F, Builder.fge, ge),
    comparison("lt", 0x31, F, Builder.flt, lt),
)
