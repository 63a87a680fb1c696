"""The meaning of every pure operation of the IR, as terms of z3.

Written from the SPIR-V and D3D11 specifications alone: nothing here comes from `evaluate`, folding
or the interpreter. `test_meaning.py` compares it with `evaluate`.

A truth value is a Bool, a number its bits (32, of F64 64), a texel a tuple of four numbers. NaNs
that arithmetic gives have one pattern. Sines, cosines, powers, logarithms and reciprocal roots are
functions of which nothing is known but that equal operands give equal results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import z3

from translate.errors import row_of
from translate.ir.ops import Op
from translate.ir.types import BOOL, Type

Term = Any  # a z3 term, or a tuple of them
Meaning = Callable[..., Term]

NEAREST, TO_ZERO = z3.RNE(), z3.RTZ()
_SORTS = {16: z3.Float16(), 32: z3.Float32(), 64: z3.Float64()}
_NANS = {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8000000000000}
_ONE = 0x3F800000
_LEAST_NORMAL, _LEAST_ROOT = 0x00800000, 0x20000000  # 2^-126 and 2^-63
_ONES = 0xFFFFFFFF


def word(number: int) -> Term:
    """A U32 or F32 by its bits."""
    return z3.BitVecVal(number, 32)


def constant(type_: Type, bits: int) -> Term:
    if type_.bits == 128:
        return tuple(word(bits >> 32 * place & _ONES) for place in range(4))
    return z3.BoolVal(bool(bits)) if type_ is BOOL else z3.BitVecVal(bits, type_.bits)


def variable(type_: Type, name: str) -> Term:
    """Any value of a type."""
    if type_ is BOOL:
        return z3.Bool(name)
    if type_.bits == 128:
        return tuple(z3.BitVec(f"{name}.{place}", 32) for place in range(4))
    return z3.BitVec(name, type_.bits)


def meaning(op: Op, type_: Type, operands: Sequence[Term], attribute: object = None) -> Term:
    """The result of an operation, of type `type_`, where its promise is kept."""
    if op.name == "extract":
        return operands[0][attribute]
    found = row_of(MEANINGS, op.name, "MEANINGS of checks/proofs/meaning.py")
    return found(*operands, *([type_.bits] if op.name in ("s32_to_f", "u32_to_f") else []))


def promise(op: Op, operands: Sequence[Term]) -> Term:
    """The condition under which an operation has a defined result."""
    rule = PROMISES.get(op.name)
    return z3.BoolVal(True) if rule is None else rule(*operands)


# --- integers ---------------------------------------------------------------------------------


def _wide(a: Term, signed: bool) -> Term:
    return z3.SignExt(32, a) if signed else z3.ZeroExt(32, a)


def _high(a: Term, b: Term, signed: bool) -> Term:
    return z3.Extract(63, 32, _wide(a, signed) * _wide(b, signed))


def _bits(a: Term) -> list[Term]:
    """The bits, the lowest first."""
    return [z3.Extract(place, place, a) == 1 for place in range(a.size())]


def _last_of(found: Sequence[tuple[Term, int]]) -> Term:
    """The number beside the last condition that holds, ~0 for none."""
    result = word(_ONES)
    for condition, number in found:
        result = z3.If(condition, word(number), result)
    return result


def _lowest(a: Term) -> Term:
    numbered = [(bit, number) for number, bit in enumerate(_bits(a))]
    return _last_of(numbered[::-1])


def _highest(a: Term) -> Term:
    return _last_of([(bit, number) for number, bit in enumerate(_bits(a))])


def _field(count: Term) -> Term:
    """As many ones as the field has bits, at the lower end."""
    return z3.LShR(word(_ONES), word(32) - count)


def _insert(base: Term, new: Term, first: Term, count: Term) -> Term:
    kept = ~(_field(count) << first)
    return (base & kept) | ((new & _field(count)) << first)


def _extract_signed(a: Term, first: Term, count: Term) -> Term:
    """The field moved to the upper end, and back with copies of its sign."""
    above = word(32) - first - count
    return z3.If(count == 0, word(0), (a << above) >> (word(32) - count))


_INTEGERS: dict[str, Meaning] = {
    "iadd": lambda a, b: a + b,
    "isub": lambda a, b: a - b,
    "imul": lambda a, b: a * b,
    "umul_high": lambda a, b: _high(a, b, False),
    "smul_high": lambda a, b: _high(a, b, True),
    "udiv": z3.UDiv,
    "umod": z3.URem,
    "umin": lambda a, b: z3.If(z3.ULE(a, b), a, b),
    "limit_index": lambda a, b: z3.If(z3.ULE(a, b), a, b),
    "umax": lambda a, b: z3.If(z3.UGE(a, b), a, b),
    "smin": lambda a, b: z3.If(a <= b, a, b),
    "smax": lambda a, b: z3.If(a >= b, a, b),
    "ieq": lambda a, b: a == b,
    "ine": lambda a, b: a != b,
    "ult": z3.ULT,
    "uge": z3.UGE,
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "iand": lambda a, b: a & b,
    "ior": lambda a, b: a | b,
    "ixor": lambda a, b: a ^ b,
    "agreed": lambda a: a,
    "inot": lambda a: ~a,
    "ishl": lambda a, b: a << b,
    "ushr": z3.LShR,
    "sshr": lambda a, b: a >> b,
    "bit_count": lambda a: sum((z3.If(bit, word(1), word(0)) for bit in _bits(a)), word(0)),
    "bit_reverse": lambda a: z3.Concat(*(z3.Extract(n, n, a) for n in range(32))),
    "find_lsb": _lowest,
    "find_umsb": _highest,
    "find_smsb": lambda a: _highest(z3.If(a < 0, ~a, a)),
    "bitfield_insert": _insert,
    "bitfield_uextract": lambda a, first, count: z3.LShR(a, first) & _field(count),
    "bitfield_sextract": _extract_signed,
}

# --- truth values, and values of any type -----------------------------------------------------


def choose(condition: Term, a: Term, b: Term) -> Term:
    if isinstance(a, tuple):
        return tuple(z3.If(condition, x, y) for x, y in zip(a, b, strict=True))
    return z3.If(condition, a, b)


_TRUTHS: dict[str, Meaning] = {
    "land": lambda a, b: z3.And(a, b),
    "lor": lambda a, b: z3.Or(a, b),
    "lxor": lambda a, b: z3.Xor(a, b),
    "lnot": lambda a: z3.Not(a),
    "mask": lambda a: z3.If(a, word(_ONES), word(0)),
    "select": choose,
    "compose": lambda *parts: parts,
}

# --- floats -----------------------------------------------------------------------------------


def number_of(bits: Term) -> Term:
    """The float that bits stand for."""
    return z3.fpBVToFP(bits, _SORTS[bits.size()])


def bits_of(number: Term) -> Term:
    """The bits of a float that arithmetic gave."""
    sort = number.sort()
    size = sort.ebits() + sort.sbits()
    return z3.If(z3.fpIsNaN(number), z3.BitVecVal(_NANS[size], size), z3.fpToIEEEBV(number))


def _of_numbers(function: Callable[..., Term]) -> Meaning:
    """Arithmetic: numbers in, a number out."""
    return lambda *operands: bits_of(function(*map(number_of, operands)))


def _rounded(mode: Term) -> Meaning:
    return _of_numbers(lambda a: z3.fpRoundToIntegral(mode, a))


def _compared(function: Callable[[Term, Term], Term]) -> Meaning:
    return lambda a, b: function(number_of(a), number_of(b))


def _better(function: Callable[[Term, Term], Term]) -> Meaning:
    """`a` where it is better or `b` is a NaN, else `b`."""

    def choice(a: Term, b: Term) -> Term:
        x, y = number_of(a), number_of(b)
        found = z3.If(z3.Or(function(x, y), z3.fpIsNaN(y)), a, b)
        nan = z3.BitVecVal(_NANS[a.size()], a.size())
        return z3.If(z3.And(z3.fpIsNaN(x), z3.fpIsNaN(y)), nan, found)

    return choice


def _unknown(name: str) -> Meaning:
    return z3.Function(name, z3.BitVecSort(32), z3.BitVecSort(32))


def _known_at_zeros(function: Meaning, at_zeros: int) -> Meaning:
    """`at_zeros` for +0 and -0 (FS 22.10)."""
    return lambda a: z3.If(magnitude_of(a) == 0, word(at_zeros), function(a))


def _power(a: Term) -> Term:
    """Any number without a sign, or a NaN: proofs know nothing else of 2^a."""
    found = _unknown("exp2")(a)
    return z3.If(z3.fpIsNaN(number_of(found)), found, magnitude_of(found))


def sign_of(bits: Term) -> Term:
    return bits & z3.BitVecVal(1 << bits.size() - 1, bits.size())


def magnitude_of(bits: Term) -> Term:
    return bits & z3.BitVecVal((1 << bits.size() - 1) - 1, bits.size())


def flushed(a: Term) -> Term:
    """A denormal F32 becomes a zero of its sign (FS 3.1.3)."""
    return z3.If(z3.ULT(magnitude_of(a), word(_LEAST_NORMAL)), sign_of(a), a)


def _flushed_square(a: Term) -> Term:
    square = _of_numbers(lambda x: z3.fpMul(NEAREST, x, x))(a)
    return z3.If(z3.ULT(magnitude_of(a), word(_LEAST_ROOT)), word(0), square)


def _resized(mode: Term, bits: Term, size: int) -> Term:
    return bits_of(z3.fpToFP(mode, number_of(bits), _SORTS[size]))


def half_of(mode: Term, bits: Term) -> Term:
    """The half next to an F32, in a mode of rounding, as a U32."""
    return z3.ZeroExt(16, _resized(mode, bits, 16))


_FLOATS: dict[str, Meaning] = {
    "fadd": _of_numbers(lambda a, b: z3.fpAdd(NEAREST, a, b)),
    "fsub": _of_numbers(lambda a, b: z3.fpSub(NEAREST, a, b)),
    "fmul": _of_numbers(lambda a, b: z3.fpMul(NEAREST, a, b)),
    "fdiv": _of_numbers(lambda a, b: z3.fpDiv(NEAREST, a, b)),
    "fma": _of_numbers(lambda a, b, c: z3.fpFMA(NEAREST, a, b, c)),
    "fmin": _better(z3.fpLT),
    "fmax": _better(z3.fpGT),
    "fneg": lambda a: a ^ z3.BitVecVal(1 << a.size() - 1, a.size()),
    "fabs": magnitude_of,
    "floor": _rounded(z3.RTN()),
    "ceil": _rounded(z3.RTP()),
    "trunc": _rounded(TO_ZERO),
    "round_even": _rounded(NEAREST),
    "sqrt": _of_numbers(lambda a: z3.fpSqrt(NEAREST, a)),
    "rsqrt": _unknown("rsqrt"),
    "sin": lambda a: _unknown("sin")(flushed(a)),
    "log2": _known_at_zeros(_unknown("log2"), 0xFF800000),
    "cos": lambda a: _known_at_zeros(_unknown("cos"), _ONE)(flushed(a)),
    "exp2": _known_at_zeros(_power, _ONE),
    "flush": flushed,
    "flushed_square": _flushed_square,
    "feq": _compared(z3.fpEQ),
    "fne": _compared(z3.fpNEQ),
    "flt": _compared(z3.fpLT),
    "fge": _compared(z3.fpGEQ),
    "bitcast": lambda a: a,
    "f_to_s32": lambda a: z3.fpToSBV(TO_ZERO, number_of(a), z3.BitVecSort(32)),
    "f_to_u32": lambda a: z3.fpToUBV(TO_ZERO, number_of(a), z3.BitVecSort(32)),
    "s32_to_f": lambda a, size: bits_of(z3.fpSignedToFP(NEAREST, a, _SORTS[size])),
    "u32_to_f": lambda a, size: bits_of(z3.fpUnsignedToFP(NEAREST, a, _SORTS[size])),
    "f32_to_f64": lambda a: _resized(NEAREST, a, 64),
    "f64_to_f32": lambda a: _resized(NEAREST, a, 32),
    "half_to_f32": lambda a: _resized(NEAREST, z3.Extract(15, 0, a), 32),
    "f32_to_half": lambda a: half_of(NEAREST, a),
    "f32_near_half": lambda a: half_of(NEAREST, a),
    "f32_to_half_rtz": lambda a: half_of(TO_ZERO, a),
    "pack_f64": lambda low, high: z3.Concat(high, low),
    "f64_low": lambda a: z3.Extract(31, 0, a),
    "f64_high": lambda a: z3.Extract(63, 32, a),
}

MEANINGS: dict[str, Meaning] = {**_INTEGERS, **_TRUTHS, **_FLOATS}

# --- operands for which SPIR-V defines a result -----------------------------------------------


def _fits(low: int, high: int) -> Meaning:
    """Whether a number, cut to an integer, is one from `low` to `high`."""

    def fits(a: Term) -> Term:
        whole = z3.fpRoundToIntegral(TO_ZERO, z3.fpToFP(NEAREST, number_of(a), _SORTS[64]))
        least, most = (z3.FPVal(float(limit), _SORTS[64]) for limit in (low, high))
        return z3.And(z3.fpLEQ(least, whole), z3.fpLEQ(whole, most))

    return fits


def _is_half(a: Term) -> Term:
    """Whether a number is a half that is no denormal, nor infinite, nor a NaN."""
    size = magnitude_of(a)
    return z3.And(
        z3.Extract(12, 0, a) == 0, z3.UGE(size, word(0x38800000)), z3.ULE(size, word(0x477FE000))
    )


def _field_fits(first: Term, count: Term) -> Term:
    return z3.And(z3.ULE(first, word(32)), z3.ULE(count, word(32) - first))


PROMISES: dict[str, Meaning] = {
    **dict.fromkeys(("udiv", "umod"), lambda a, b: b != 0),
    **dict.fromkeys(("ishl", "ushr", "sshr"), lambda a, b: z3.ULT(b, word(32))),
    "bitfield_insert": lambda base, new, first, count: _field_fits(first, count),
    "bitfield_uextract": lambda a, first, count: _field_fits(first, count),
    "bitfield_sextract": lambda a, first, count: _field_fits(first, count),
    "f_to_s32": _fits(-(1 << 31), (1 << 31) - 1),
    "f_to_u32": _fits(0, _ONES),
    "f32_to_half": _is_half,
}
