"""The pure operations, one row each: what they take, what they give, and what they compute.

`ir.row` says what the fields mean, `ir.lanes` what `evaluate` sees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from translate.ir import row
from translate.ir.lanes import bit_length, bits, choose, numpy, signed
from translate.ir.row import Attribute, Generic, Lanes, Op, Place, Precondition
from translate.ir.types import BOOL, F32, F64, U32

_FLOAT = Generic.FLOAT
_ANY = Generic.ANY
_BITS32 = Generic.BITS32
_TEXEL = Generic.TEXEL
_COMPONENT = Generic.COMPONENT
_Unary = Callable[[Lanes], Lanes]
_Binary = Callable[[Lanes, Lanes], Lanes]


def _unary(name: str, place: Place, text: str, evaluate: _Unary) -> Op:
    return Op(name, (place,), place, text=text, evaluate=evaluate)


def _binary(
    name: str,
    place: Place,
    text: str,
    evaluate: _Binary,
    commutes: bool = False,
    attribute: Attribute[object] = row.NONE,
    precondition: Precondition | None = None,
) -> Op:
    return Op(
        name, (place, place), place, text=text, evaluate=evaluate, commutes=commutes,
        attribute=attribute, precondition=precondition,
    )  # fmt: skip


def _compare(name: str, place: Place, text: str, evaluate: _Binary, commutes: bool = False) -> Op:
    return Op(name, (place, place), BOOL, text=text, evaluate=evaluate, commutes=commutes)


def _convert(
    name: str,
    place: Place,
    result: Place,
    text: str,
    evaluate: _Unary,
    precondition: Precondition | None = None,
) -> Op:
    return Op(name, (place,), result, text=text, evaluate=evaluate, precondition=precondition)


def _fits_signed(number: Lanes) -> Lanes:
    """Float32 has no number between -2^31 - 1 and -2^31, nor the first of them."""
    return ((number >= -(2.0**31)) | (number > -(2.0**31) - 1)) & (number < 2.0**31)


# What lowering and the passes see to, since SPIR-V leaves the rest undefined
_DIVISOR = Precondition("the divisor is not 0", (1,), lambda n: n[0] != 0)
_COUNT = Precondition("the count is below 32", (1,), lambda n: n[0] < 32)
_INSERTED = Precondition("offset + count is at most 32", (2, 3), lambda n: n[0] + n[1] <= 32)
_EXTRACTED = Precondition("offset + count is at most 32", (1, 2), lambda n: n[0] + n[1] <= 32)
_SIGNED = Precondition("the number fits a signed integer", (0,), lambda n: _fits_signed(n[0]))
_UNSIGNED = Precondition(
    "the number fits an unsigned integer", (0,), lambda n: (n[0] > -1.0) & (n[0] < 2.0**32)
)

# 32-bit integers
IADD: Final = _binary("iadd", U32, "a + b.", lambda a, b: a + b, commutes=True)
ISUB: Final = _binary("isub", U32, "a - b.", lambda a, b: a - b)
IMUL: Final = _binary(
    "imul", U32, "The low 32 bits of a product.", lambda a, b: a * b, commutes=True
)
UMUL_HIGH: Final = _binary(
    "umul_high",
    U32,
    "The high 32 bits of an unsigned product.",
    lambda a, b: a * b >> 32,  # of int64 that wrapped, these bits are right
    commutes=True,
)
SMUL_HIGH: Final = _binary(
    "smul_high",
    U32,
    "The high 32 bits of a signed product.",
    lambda a, b: signed(a) * signed(b) >> 32,
    commutes=True,
)
UDIV: Final = _binary("udiv", U32, "Unsigned quotient.", lambda a, b: a // b, precondition=_DIVISOR)
UMOD: Final = _binary("umod", U32, "Unsigned remainder.", lambda a, b: a % b, precondition=_DIVISOR)
UMIN: Final = _binary(
    "umin", U32, "Unsigned minimum.", lambda a, b: choose(a < b, a, b), commutes=True
)
UMAX: Final = _binary(
    "umax", U32, "Unsigned maximum.", lambda a, b: choose(a > b, a, b), commutes=True
)
SMIN: Final = _binary(
    "smin",
    U32,
    "Signed minimum.",
    lambda a, b: choose(signed(a) < signed(b), a, b),
    commutes=True,
)
SMAX: Final = _binary(
    "smax",
    U32,
    "Signed maximum.",
    lambda a, b: choose(signed(a) > signed(b), a, b),
    commutes=True,
)
IAND: Final = _binary("iand", U32, "Bitwise and.", lambda a, b: a & b, commutes=True)
IOR: Final = _binary("ior", U32, "Bitwise or.", lambda a, b: a | b, commutes=True)
IXOR: Final = _binary("ixor", U32, "Bitwise exclusive or.", lambda a, b: a ^ b, commutes=True)
INOT: Final = _unary("inot", U32, "Bitwise not.", lambda a: ~a)
ISHL: Final = _binary("ishl", U32, "Shift left.", lambda a, b: a << b, precondition=_COUNT)
USHR: Final = _binary("ushr", U32, "Logical shift right.", lambda a, b: a >> b, precondition=_COUNT)
SSHR: Final = _binary(
    "sshr", U32, "Arithmetic shift right.", lambda a, b: signed(a) >> b, precondition=_COUNT
)
BIT_COUNT: Final = _unary("bit_count", U32, "How many bits are set.", lambda a: sum(bits(a)))
BIT_REVERSE: Final = _unary(
    "bit_reverse",
    U32,
    "The bits in reverse.",
    lambda a: sum(bit << 31 - n for n, bit in enumerate(bits(a))),
)
FIND_LSB: Final = _unary(
    "find_lsb", U32, "Lowest set bit's number, ~0 for none.", lambda a: bit_length(a & -a) - 1
)
FIND_UMSB: Final = _unary(
    "find_umsb", U32, "Highest set bit's number, ~0 for none.", lambda a: bit_length(a) - 1
)
FIND_SMSB: Final = _unary(
    "find_smsb",
    U32,
    "Highest bit that differs from the sign, ~0 for none.",
    lambda a: bit_length(choose(signed(a) < 0, a ^ 0xFFFFFFFF, a)) - 1,
)
BITFIELD_INSERT: Final = Op(
    "bitfield_insert",
    (U32, U32, U32, U32),
    U32,
    precondition=_INSERTED,
    text="Bits of `insert` into `base`.",
    evaluate=lambda base, insert, offset, count: (
        base ^ ((base ^ insert << offset) & ((1 << count) - 1) << offset)
    ),
)
BITFIELD_UEXTRACT: Final = Op(
    "bitfield_uextract",
    (U32, U32, U32),
    U32,
    precondition=_EXTRACTED,
    text="A bit field, zero-extended.",
    evaluate=lambda a, offset, count: a >> offset & (1 << count) - 1,
)
BITFIELD_SEXTRACT: Final = Op(
    "bitfield_sextract",
    (U32, U32, U32),
    U32,
    precondition=_EXTRACTED,
    text="A bit field, sign-extended.",
    evaluate=lambda a, offset, count: (
        (a >> offset & (1 << count) - 1) - ((a >> offset & 1 << count >> 1) << 1)
    ),
)
IEQ: Final = _compare("ieq", U32, "a == b.", lambda a, b: a == b, commutes=True)
INE: Final = _compare("ine", U32, "a != b.", lambda a, b: a != b, commutes=True)
ULT: Final = _compare("ult", U32, "Unsigned a < b.", lambda a, b: a < b)
UGE: Final = _compare("uge", U32, "Unsigned a >= b.", lambda a, b: a >= b)
SLT: Final = _compare("slt", U32, "Signed a < b.", lambda a, b: signed(a) < signed(b))
SGE: Final = _compare("sge", U32, "Signed a >= b.", lambda a, b: signed(a) >= signed(b))

# Truth values
LAND: Final = _binary("land", BOOL, "Both.", lambda a, b: a & b, commutes=True)
LOR: Final = _binary("lor", BOOL, "Either.", lambda a, b: a | b, commutes=True)
LXOR: Final = _binary("lxor", BOOL, "Exactly one.", lambda a, b: a ^ b, commutes=True)
LNOT: Final = _unary("lnot", BOOL, "Not.", lambda a: a ^ True)
MASK: Final = _convert("mask", BOOL, U32, "~0 where true, 0 where false.", lambda a: a * 0xFFFFFFFF)
SELECT: Final = Op(
    "select",
    (BOOL, _ANY, _ANY),
    _ANY,
    text="`a` where the condition holds, else `b`.",
    evaluate=choose,
)

# Floats
FADD: Final = _binary(
    "fadd", _FLOAT, "a + b.", lambda a, b: a + b, attribute=row.PRECISE, commutes=True
)
FSUB: Final = _binary("fsub", _FLOAT, "a - b.", lambda a, b: a - b, attribute=row.PRECISE)
FMUL: Final = _binary(
    "fmul", _FLOAT, "a * b.", lambda a, b: a * b, attribute=row.PRECISE, commutes=True
)
FDIV: Final = _binary("fdiv", _FLOAT, "a / b.", lambda a, b: a / b, attribute=row.PRECISE)
FMIN: Final = _binary(
    "fmin",
    _FLOAT,
    "Minimum; the other operand for a NaN; any of two zeros.",
    lambda a, b: choose((a < b) | (b != b), a, b),
)
FMAX: Final = _binary(
    "fmax",
    _FLOAT,
    "Maximum; the other operand for a NaN; any of two zeros.",
    lambda a, b: choose((a > b) | (b != b), a, b),
)
FNEG: Final = _unary("fneg", _FLOAT, "Flip the sign.", lambda a: -a)
FABS: Final = _unary("fabs", _FLOAT, "Clear the sign.", abs)
FLOOR: Final = _unary("floor", _FLOAT, "Round down.", numpy("floor"))
CEIL: Final = _unary("ceil", _FLOAT, "Round up.", numpy("ceil"))
TRUNC: Final = _unary("trunc", _FLOAT, "Round toward zero.", numpy("trunc"))
ROUND_EVEN: Final = _unary("round_even", _FLOAT, "Round to nearest, ties to even.", numpy("rint"))
SQRT: Final = _unary("sqrt", _FLOAT, "Square root.", numpy("sqrt"))
RSQRT: Final = _unary(
    "rsqrt", F32, "Reciprocal square root.", lambda a: 1 / numpy("sqrt", wide=True)(a)
)
EXP2: Final = _unary("exp2", F32, "2^a.", numpy("exp2", wide=True))
LOG2: Final = _unary("log2", F32, "Base-2 logarithm.", numpy("log2", wide=True))
SIN: Final = _unary("sin", F32, "Sine of radians.", numpy("sin", wide=True))
COS: Final = _unary("cos", F32, "Cosine of radians.", numpy("cos", wide=True))
FLUSH: Final = _unary(
    "flush",
    F32,
    "The number, but a denormal becomes a zero of its sign.",
    lambda a: choose(abs(a) < 2.0**-126, numpy("copysign")(a.dtype.type(0), a), a),
)
FEQ: Final = _compare("feq", _FLOAT, "a == b, false for a NaN.", lambda a, b: a == b, commutes=True)
FNE: Final = _compare("fne", _FLOAT, "a != b, true for a NaN.", lambda a, b: a != b, commutes=True)
FLT: Final = _compare("flt", _FLOAT, "a < b, false for a NaN.", lambda a, b: a < b)
FGE: Final = _compare("fge", _FLOAT, "a >= b, false for a NaN.", lambda a, b: a >= b)

# Conversions
BITCAST: Final = _convert(
    "bitcast", _BITS32, _BITS32, "The same 32 bits as another type.", lambda a: a
)
F_TO_S32: Final = _convert(
    "f_to_s32", _FLOAT, U32, "Truncate to a signed integer.", lambda a: a.astype("int64"), _SIGNED
)
F_TO_U32: Final = _convert(
    "f_to_u32",
    _FLOAT,
    U32,
    "Truncate to an unsigned integer.",
    lambda a: a.astype("int64"),
    _UNSIGNED,
)
# These two are exact in F64, so that the result is rounded once
S32_TO_F: Final = _convert(
    "s32_to_f", U32, _FLOAT, "A signed integer as a float.", lambda a: signed(a).astype("float64")
)
U32_TO_F: Final = _convert(
    "u32_to_f", U32, _FLOAT, "An unsigned integer as a float.", lambda a: a.astype("float64")
)
F32_TO_F64: Final = _convert("f32_to_f64", F32, F64, "Widen.", lambda a: a)
F64_TO_F32: Final = _convert("f64_to_f32", F64, F32, "Round to nearest even.", lambda a: a)
PACK_F64: Final = Op(
    "pack_f64",
    (U32, U32),
    F64,
    text="A double from its dwords.",
    evaluate=lambda low, high: (high << 32 | low).view("float64"),
)
F64_LOW: Final = _convert("f64_low", F64, U32, "The low dword.", lambda a: a.view("int64"))
F64_HIGH: Final = _convert("f64_high", F64, U32, "The high dword.", lambda a: a.view("int64") >> 32)

# Texels
EXTRACT: Final = Op(
    "extract",
    (_TEXEL,),
    _COMPONENT,
    attribute=row.COMPONENT,
    text="One component of a texel.",
    evaluate=lambda texel, component: texel[component],
)
COMPOSE: Final = Op(
    "compose",
    (_COMPONENT,) * 4,
    _TEXEL,
    text="A texel of four components.",
    evaluate=lambda x, y, z, w: numpy("stack")((x, y, z, w)),
)
