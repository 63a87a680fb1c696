"""The pure operations on floats, one row each.

`ir.row` explains the fields, `ir.lanes` the operands of `evaluate`.
"""

from __future__ import annotations

from typing import Final

from translate.ir import row
from translate.ir.lanes import choose, numpy, of_bits, signed
from translate.ir.row import Generic, Lanes, Precondition, pure
from translate.ir.types import BOOL, F32, F64, U32

_FLOAT = Generic.FLOAT
_F1 = (_FLOAT,)
_F2 = (_FLOAT, _FLOAT)


def _fits_signed(number: Lanes) -> Lanes:
    """Whether `number`, truncated, fits 32 bits: -2^31 - 1 < number < 2^31.

    F32 cannot represent -2^31 - 1, which rounds to -2^31; hence the first comparison.
    """
    return ((number >= -(2.0**31)) | (number > -(2.0**31) - 1)) & (number < 2.0**31)


def _flushed(number: Lanes) -> Lanes:
    zero = numpy("copysign")(number.dtype.type(0), number)
    return choose(abs(number) < 2.0**-126, zero, number)


def _is_normal_half(number: Lanes) -> Lanes:
    """Whether `number` is exactly a normal half: all devices convert these alike."""
    size = numpy("minimum")(abs(number), 65504.0)
    half = numpy("float64")(numpy("float16")(size))
    return (half == abs(number)) & (size >= 2.0**-14)


def _cut_to_half(number: Lanes) -> Lanes:
    """The bits of `number` rounded toward zero to a half; 0x7E00 for a NaN."""
    half = number.astype("float16")
    beyond = abs(numpy("float64")(half)) > abs(number)
    return choose(number == number, half.view("uint16").astype("int64") - beyond, 0x7E00)


def _near_half(number: Lanes) -> Lanes:
    """The bits of the nearest half; 0x7E00 for a NaN."""
    half = number.astype("float16").view("uint16").astype("int64")
    return choose(number == number, half, 0x7E00)


def _fused(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """a * b + c, rounded once, by Python's `decimal`.

    2800 digits are exact: products of doubles have bits from 2^-2148 to 2^2048.
    """
    from decimal import Context, Decimal

    context = Context(prec=2800, traps=[])

    def one(a: float, b: float, c: float) -> float:
        return float(context.fma(Decimal(a), Decimal(b), Decimal(c)))

    return numpy("asarray")(numpy("frompyfunc")(one, 3, 1)(a, b, c), "float64")


_SIGNED = Precondition("the number fits a signed integer", (0,), lambda n: _fits_signed(n[0]))
_UNSIGNED = Precondition(
    "the number fits an unsigned integer", (0,), lambda n: (n[0] > -1.0) & (n[0] < 2.0**32)
)
_NORMAL_HALF = Precondition("the number is a normal half", (0,), lambda n: _is_normal_half(n[0]))

# Arithmetic
FADD: Final = pure(
    "fadd",
    _F2,
    _FLOAT,
    "a + b.",
    lambda a, b: a + b,
    "OpFAdd",
    commutes=True,
    attribute=row.PRECISE,
)
FSUB: Final = pure(
    "fsub", _F2, _FLOAT, "a - b.", lambda a, b: a - b, "OpFSub", attribute=row.PRECISE
)
FMUL: Final = pure(
    "fmul",
    _F2,
    _FLOAT,
    "a * b.",
    lambda a, b: a * b,
    "OpFMul",
    commutes=True,
    attribute=row.PRECISE,
)
FDIV: Final = pure(
    "fdiv", _F2, _FLOAT, "a / b.", lambda a, b: a / b, "OpFDiv", attribute=row.PRECISE
)
FMA: Final = pure("fma", (F64, F64, F64), F64, "a * b + c with one rounding.", _fused, size=198)
FMIN: Final = pure(
    "fmin",
    _F2,
    _FLOAT,
    "Minimum; if one operand is NaN, the other; of 0 and -0 the second (on devices any).",
    lambda a, b: choose((a < b) | (b != b), a, b),
    "NMin",
)
FMAX: Final = pure(
    "fmax",
    _F2,
    _FLOAT,
    "Maximum; if one operand is NaN, the other; of 0 and -0 the second (on devices any).",
    lambda a, b: choose((a > b) | (b != b), a, b),
    "NMax",
)
FNEG: Final = pure("fneg", _F1, _FLOAT, "Flip the sign.", lambda a: -a, "OpFNegate", exact=True)
FABS: Final = pure("fabs", _F1, _FLOAT, "Clear the sign.", abs, "FAbs", exact=True)
FLOOR: Final = pure("floor", _F1, _FLOAT, "Round down.", numpy("floor"), "Floor")
CEIL: Final = pure("ceil", _F1, _FLOAT, "Round up.", numpy("ceil"), "Ceil")
TRUNC: Final = pure("trunc", _F1, _FLOAT, "Round toward zero.", numpy("trunc"), "Trunc")
ROUND_EVEN: Final = pure(
    "round_even", _F1, _FLOAT, "Round to nearest, ties to even.", numpy("rint"), "RoundEven"
)
SQRT: Final = pure("sqrt", _F1, _FLOAT, "Square root.", numpy("sqrt"), "Sqrt")
RSQRT: Final = pure(
    "rsqrt",
    (F32,),
    F32,
    "Reciprocal square root.",
    lambda a: 1 / numpy("sqrt", wide=True)(a),
    "InverseSqrt",
)
EXP2: Final = pure("exp2", (F32,), F32, "2^a.", numpy("exp2", wide=True), "Exp2")
LOG2: Final = pure("log2", (F32,), F32, "Base-2 logarithm.", numpy("log2", wide=True), "Log2")
SIN: Final = pure(
    "sin",
    (F32,),
    F32,
    "Sine of radians, of any size; of a denormal a zero of its sign.",
    lambda a: numpy("sin", wide=True)(_flushed(a)),
    "Sin",
    size=11,
)
COS: Final = pure(
    "cos",
    (F32,),
    F32,
    "Cosine of radians, of any size; a denormal counts as a zero.",
    lambda a: numpy("cos", wide=True)(_flushed(a)),
    "Cos",
    size=7,
)
FLUSH: Final = pure(
    "flush",
    (F32,),
    F32,
    "`a`, but a zero of the same sign if `a` is denormal.",
    _flushed,
)
FLUSHED_SQUARE: Final = pure(
    "flushed_square",
    (F32,),
    F32,
    "a * a, but 0 if that is denormal.",
    lambda a: choose(abs(a) < 2.0**-63, a.dtype.type(0), a * a),
)

# Comparisons
FEQ: Final = pure(
    "feq", _F2, BOOL, "a == b, false for a NaN.", lambda a, b: a == b, "OpFOrdEqual", commutes=True
)
FNE: Final = pure(
    "fne",
    _F2,
    BOOL,
    "a != b, true for a NaN.",
    lambda a, b: a != b,
    "OpFUnordNotEqual",
    commutes=True,
)
FLT: Final = pure("flt", _F2, BOOL, "a < b, false for a NaN.", lambda a, b: a < b, "OpFOrdLessThan")
FGE: Final = pure(
    "fge", _F2, BOOL, "a >= b, false for a NaN.", lambda a, b: a >= b, "OpFOrdGreaterThanEqual"
)
COMPARISONS: Final = frozenset((FEQ, FNE, FLT, FGE))
SIGN_CHANGES: Final = frozenset((FNEG, FABS))

# Conversions
BITCAST: Final = pure(
    "bitcast",
    (Generic.BITS32,),
    Generic.BITS32,
    "The same 32 bits as another type.",
    lambda a: a,
    "OpBitcast",
    exact=True,
)
F_TO_S32: Final = pure(
    "f_to_s32",
    _F1,
    U32,
    "Truncate to a signed integer.",
    lambda a: a.astype("int64"),
    "OpConvertFToS",
    precondition=_SIGNED,
    exact=True,
)
F_TO_U32: Final = pure(
    "f_to_u32",
    _F1,
    U32,
    "Truncate to an unsigned integer.",
    lambda a: a.astype("int64"),
    "OpConvertFToU",
    precondition=_UNSIGNED,
    exact=True,
)
S32_TO_F: Final = pure(
    "s32_to_f",
    (U32,),
    _FLOAT,
    "A signed integer as F32 or F64.",
    lambda a: signed(a).astype("float64"),  # exact, and rounded once after
    "OpConvertSToF",
)
U32_TO_F: Final = pure(
    "u32_to_f",
    (U32,),
    _FLOAT,
    "An unsigned integer as F32 or F64.",
    lambda a: a.astype("float64"),
    "OpConvertUToF",
)
F32_TO_F64: Final = pure("f32_to_f64", (F32,), F64, "Widen to F64.", lambda a: a, "OpFConvert")
F64_TO_F32: Final = pure(
    "f64_to_f32", (F64,), F32, "Round to nearest F32, ties to even.", lambda a: a, "OpFConvert"
)
HALF_TO_F32: Final = pure(
    "half_to_f32",
    (U32,),
    F32,
    "The half in the low 16 bits as F32; the high 16 bits are ignored.",
    lambda a: numpy("asarray")(a & 0xFFFF, "uint16").view("float16"),
    exact=True,
)
F32_TO_HALF: Final = pure(
    "f32_to_half",
    (F32,),
    U32,
    "The bits of `a` as a half.",
    lambda a: a.astype("float16").view("uint16").astype("int64"),
    precondition=_NORMAL_HALF,
    exact=True,
)
F32_NEAR_HALF: Final = pure(
    "f32_near_half",
    (F32,),
    U32,
    "The bits of `a` as a half, or else of one of the two next to it.",
    _near_half,
    exact=True,
)
F32_TO_HALF_RTZ: Final = pure(
    "f32_to_half_rtz",
    (F32,),
    U32,
    "The bits of `a` rounded toward zero to a half, which is finite if `a` is.",
    _cut_to_half,
    exact=True,
)
PACK_F64: Final = pure(
    "pack_f64",
    (U32, U32),
    F64,
    "A double from its dwords.",
    lambda low, high: of_bits(F64, high << 32 | low),
    names=("low", "high"),
    exact=True,
)
F64_LOW: Final = pure(
    "f64_low", (F64,), U32, "The low dword.", lambda a: a.view("int64"), exact=True
)
F64_HIGH: Final = pure(
    "f64_high", (F64,), U32, "The high dword.", lambda a: a.view("int64") >> 32, exact=True
)
