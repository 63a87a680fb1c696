"""Double precision. Source: FS §22.14-22.17; operand pairs as reference "Double precision".

Rows see one double (or one 32-bit component) at a time; the lowering driver combines components.
`evaluate` gets float64 lanes; denormals are kept.
"""

from __future__ import annotations

from operator import add, eq, ge, lt, mul, ne

from translate.ir.builder import Builder
from translate.ir.lanes import choose
from translate.ir.types import F64
from translate.ir.values import Value
from translate.isa.float_alu import evaluate_max, evaluate_min, lower_max
from translate.isa.instruction import (
    SATURATE,
    SM5,
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
from translate.isa.move import (
    evaluate_to_signed,
    evaluate_to_unsigned,
    lower_to_signed,
    lower_to_unsigned,
)

D, F, I, U = Scalar.F64, Scalar.F32, Scalar.I32, Scalar.U32  # noqa: E741
_TWO_31, _TWO_32 = 2147483648.0, 4294967296.0


def _double(
    name: str,
    opcode: int,
    arity: int,
    lower: Lower,
    evaluate: Evaluate,
    source: str = "FS §22.14",
    kind: Kind = Kind.ALU,
    literals: Scalar | None = None,
    *,
    folds_zeros: bool = False,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=kind,
        operands=(dst(D), *(src(D, "abc"[i]) for i in range(arity))),
        since=SM5,
        controls=(SATURATE,),
        lower=lower,
        evaluate=evaluate,
        source=source,
        literals=literals,
        folds_zeros=folds_zeros,
    )


def _convert(
    name: str,
    opcode: int,
    to: Scalar,
    origin: Scalar,
    lower: Lower,
    evaluate: Evaluate,
) -> Instruction:
    return Instruction(
        name=name,
        opcode=opcode,
        kind=Kind.ALU,
        operands=(dst(to), src(origin, "a")),
        since=SM5,
        controls=(SATURATE,) if to in (D, F) else (),
        lower=lower,
        evaluate=evaluate,
        source="FS §22.16",
        literals=U if to in (I, U) else None,
        converted=1 if to is F else None,
    )


def lower_mov(b: Builder, x: Value) -> Value:
    return x


def lower_movc(b: Builder, condition: Value, x: Value, y: Value) -> Value:
    return b.select(b.nonzero(condition), x, y)


def lower_rcp(b: Builder, x: Value) -> Value:
    return b.fdiv(b.f64(1.0), x)


def lower_dtoi(b: Builder, x: Value) -> Value:
    return lower_to_signed(b, x, b.f64(0.0), b.f64(_TWO_31), b.f64(-_TWO_31))


def lower_dtou(b: Builder, x: Value) -> Value:
    return lower_to_unsigned(b, x, b.f64(0.0), b.f64(_TWO_32))


def lower_itod(b: Builder, x: Value) -> Value:
    return b.s32_to_f(F64, x)


def lower_utod(b: Builder, x: Value) -> Value:
    return b.u32_to_f(F64, x)


def evaluate_fma(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """x * y + z, rounded once, by exact rational arithmetic; NumPy has no fused operation."""

    import numpy as np

    return np.vectorize(_fma, otypes=[np.float64])(x, y, z)


def _fma(x: float, y: float, z: float) -> float:
    from fractions import Fraction

    import numpy as np

    if not all(map(np.isfinite, (x, y, z))):
        with np.errstate(all="ignore"):
            # A product of finite factors is finite here; do not let it overflow.
            finite = np.isfinite(x) and np.isfinite(y)
            return float(z) if finite else float(np.float64(x) * np.float64(y) + np.float64(z))
    exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
    if exact == 0:
        return float(np.float64(x) * np.float64(y) + np.float64(z))
    try:
        return float(exact)
    except OverflowError:
        return float(np.inf if exact > 0 else -np.inf)


DMOVC = Instruction(
    name="dmovc",
    opcode=0xC8,
    kind=Kind.MOVE,
    operands=(dst(D), src(U, "condition"), src(D, "a"), src(D, "b")),
    since=SM5,
    controls=(SATURATE,),
    lower=lower_movc,
    evaluate=lambda c, x, y: choose(c != 0, x, y),
    source="FS §22.14",
)

DOUBLES = (
    _double("dadd", 0xBF, 2, Builder.fadd, add, folds_zeros=True),
    _double("dmax", 0xC0, 2, lower_max, evaluate_max),
    _double("dmin", 0xC1, 2, Builder.fmin, evaluate_min),
    _double("dmul", 0xC2, 2, Builder.fmul, mul, folds_zeros=True),
    comparison("deq", 0xC3, D, Builder.feq, eq, "FS §22.15", SM5),
    comparison("dge", 0xC4, D, Builder.fge, ge, "FS §22.15", SM5),
    comparison("dlt", 0xC5, D, Builder.flt, lt, "FS §22.15", SM5),
    comparison("dne", 0xC6, D, Builder.fne, ne, "FS §22.15", SM5),
    _double("dmov", 0xC7, 1, lower_mov, lambda x: x, kind=Kind.MOVE),
    DMOVC,
    _convert("dtof", 0xC9, F, D, Builder.f64_to_f32, lambda x: x.astype("float32")),
    _convert("ftod", 0xCA, D, F, Builder.f32_to_f64, lambda x: x.astype("float64")),
    _double("ddiv", 0xD2, 2, Builder.fdiv, lambda x, y: x / y, "FS §22.17"),
    _double("dfma", 0xD3, 3, Builder.fma, evaluate_fma, "FS §22.17", literals=U, folds_zeros=True),
    _double("drcp", 0xD4, 1, lower_rcp, lambda x: 1 / x, "FS §22.17", literals=U),
    _convert("dtoi", 0xD6, I, D, lower_dtoi, evaluate_to_signed),
    _convert("dtou", 0xD7, U, D, lower_dtou, evaluate_to_unsigned),
    _convert("itod", 0xD8, D, I, lower_itod, lambda x: x.astype("float64")),
    _convert("utod", 0xD9, D, U, lower_utod, lambda x: x.astype("float64")),
)
