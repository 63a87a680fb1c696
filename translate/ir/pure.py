"""A builder's methods for pure operations, one for each of their rows.

Generated: edit the rows, then run `pytest tests/golden --update`.
"""

from __future__ import annotations

from translate.ir import ops
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, F64, U32, Type
from translate.ir.values import Value


class PureBuilder:
    """The base of `ir.builder.Builder`; float arithmetic that it emits gets its `precise`."""

    precise = False

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        """Append one operation."""
        raise NotImplementedError

    def iand(self, a: Value, b: Value) -> Value:
        """Bitwise and."""
        return self.emit(ops.IAND, U32, [a, b])

    def ior(self, a: Value, b: Value) -> Value:
        """Bitwise or."""
        return self.emit(ops.IOR, U32, [a, b])

    def ixor(self, a: Value, b: Value) -> Value:
        """Bitwise exclusive or."""
        return self.emit(ops.IXOR, U32, [a, b])

    def agreed(self, a: Value) -> Value:
        """`a`, which must be the same in all threads that execute this."""
        return self.emit(ops.AGREED, U32, [a])

    def inot(self, a: Value) -> Value:
        """Bitwise not."""
        return self.emit(ops.INOT, U32, [a])

    def ishl(self, a: Value, b: Value) -> Value:
        """Shift left; the count is below 32."""
        return self.emit(ops.ISHL, U32, [a, b])

    def ushr(self, a: Value, b: Value) -> Value:
        """Logical shift right; the count is below 32."""
        return self.emit(ops.USHR, U32, [a, b])

    def sshr(self, a: Value, b: Value) -> Value:
        """Arithmetic shift right; the count is below 32."""
        return self.emit(ops.SSHR, U32, [a, b])

    def bit_count(self, a: Value) -> Value:
        """How many bits are set."""
        return self.emit(ops.BIT_COUNT, U32, [a])

    def bit_reverse(self, a: Value) -> Value:
        """The bits in reverse order."""
        return self.emit(ops.BIT_REVERSE, U32, [a])

    def find_lsb(self, a: Value) -> Value:
        """Lowest set bit's number, ~0 for none."""
        return self.emit(ops.FIND_LSB, U32, [a])

    def find_umsb(self, a: Value) -> Value:
        """Highest set bit's number, ~0 for none."""
        return self.emit(ops.FIND_UMSB, U32, [a])

    def find_smsb(self, a: Value) -> Value:
        """Highest bit that differs from the sign, ~0 for none."""
        return self.emit(ops.FIND_SMSB, U32, [a])

    def bitfield_insert(self, base: Value, insert: Value, offset: Value, count: Value) -> Value:
        """`base` with `count` bits of `insert` at `offset`; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_INSERT, U32, [base, insert, offset, count])

    def bitfield_uextract(self, a: Value, offset: Value, count: Value) -> Value:
        """A bit field, zero-extended; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_UEXTRACT, U32, [a, offset, count])

    def bitfield_sextract(self, a: Value, offset: Value, count: Value) -> Value:
        """A bit field, sign-extended; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_SEXTRACT, U32, [a, offset, count])

    def fadd(self, a: Value, b: Value) -> Value:
        """a + b, not to be contracted where `precise`."""
        return self.emit(ops.FADD, a.type, [a, b], self.precise)

    def fsub(self, a: Value, b: Value) -> Value:
        """a - b, not to be contracted where `precise`."""
        return self.emit(ops.FSUB, a.type, [a, b], self.precise)

    def fmul(self, a: Value, b: Value) -> Value:
        """a * b, not to be contracted where `precise`."""
        return self.emit(ops.FMUL, a.type, [a, b], self.precise)

    def fdiv(self, a: Value, b: Value) -> Value:
        """a / b, not to be contracted where `precise`."""
        return self.emit(ops.FDIV, a.type, [a, b], self.precise)

    def fma(self, a: Value, b: Value, c: Value) -> Value:
        """a * b + c with one rounding."""
        return self.emit(ops.FMA, F64, [a, b, c])

    def fmin(self, a: Value, b: Value) -> Value:
        """Minimum; if one operand is NaN, the other; of 0 and -0 the second (on devices any)."""
        return self.emit(ops.FMIN, a.type, [a, b])

    def fmax(self, a: Value, b: Value) -> Value:
        """Maximum; if one operand is NaN, the other; of 0 and -0 the second (on devices any)."""
        return self.emit(ops.FMAX, a.type, [a, b])

    def fneg(self, a: Value) -> Value:
        """Flip the sign."""
        return self.emit(ops.FNEG, a.type, [a])

    def fabs(self, a: Value) -> Value:
        """Clear the sign."""
        return self.emit(ops.FABS, a.type, [a])

    def floor(self, a: Value) -> Value:
        """Round down."""
        return self.emit(ops.FLOOR, a.type, [a])

    def ceil(self, a: Value) -> Value:
        """Round up."""
        return self.emit(ops.CEIL, a.type, [a])

    def trunc(self, a: Value) -> Value:
        """Round toward zero."""
        return self.emit(ops.TRUNC, a.type, [a])

    def round_even(self, a: Value) -> Value:
        """Round to nearest, ties to even."""
        return self.emit(ops.ROUND_EVEN, a.type, [a])

    def sqrt(self, a: Value) -> Value:
        """Square root."""
        return self.emit(ops.SQRT, a.type, [a])

    def rsqrt(self, a: Value) -> Value:
        """Reciprocal square root."""
        return self.emit(ops.RSQRT, F32, [a])

    def exp2(self, a: Value) -> Value:
        """2^a."""
        return self.emit(ops.EXP2, F32, [a])

    def log2(self, a: Value) -> Value:
        """Base-2 logarithm."""
        return self.emit(ops.LOG2, F32, [a])

    def sin(self, a: Value) -> Value:
        """Sine of radians, of any size; of a denormal a zero of its sign."""
        return self.emit(ops.SIN, F32, [a])

    def cos(self, a: Value) -> Value:
        """Cosine of radians, of any size; a denormal counts as a zero."""
        return self.emit(ops.COS, F32, [a])

    def flush(self, a: Value) -> Value:
        """`a`, but a zero of the same sign if `a` is denormal."""
        return self.emit(ops.FLUSH, F32, [a])

    def flushed_square(self, a: Value) -> Value:
        """a * a, but 0 if that is denormal."""
        return self.emit(ops.FLUSHED_SQUARE, F32, [a])

    def feq(self, a: Value, b: Value) -> Value:
        """a == b, false for a NaN."""
        return self.emit(ops.FEQ, BOOL, [a, b])

    def fne(self, a: Value, b: Value) -> Value:
        """a != b, true for a NaN."""
        return self.emit(ops.FNE, BOOL, [a, b])

    def flt(self, a: Value, b: Value) -> Value:
        """a < b, false for a NaN."""
        return self.emit(ops.FLT, BOOL, [a, b])

    def fge(self, a: Value, b: Value) -> Value:
        """a >= b, false for a NaN."""
        return self.emit(ops.FGE, BOOL, [a, b])

    def bitcast(self, type_: Type, a: Value) -> Value:
        """The same 32 bits as another type."""
        return self.emit(ops.BITCAST, type_, [a])

    def f_to_s32(self, a: Value) -> Value:
        """Truncate to a signed integer; the number fits a signed integer."""
        return self.emit(ops.F_TO_S32, U32, [a])

    def f_to_u32(self, a: Value) -> Value:
        """Truncate to an unsigned integer; the number fits an unsigned integer."""
        return self.emit(ops.F_TO_U32, U32, [a])

    def s32_to_f(self, type_: Type, a: Value) -> Value:
        """A signed integer as F32 or F64."""
        return self.emit(ops.S32_TO_F, type_, [a])

    def u32_to_f(self, type_: Type, a: Value) -> Value:
        """An unsigned integer as F32 or F64."""
        return self.emit(ops.U32_TO_F, type_, [a])

    def f32_to_f64(self, a: Value) -> Value:
        """Widen to F64."""
        return self.emit(ops.F32_TO_F64, F64, [a])

    def f64_to_f32(self, a: Value) -> Value:
        """Round to nearest F32, ties to even."""
        return self.emit(ops.F64_TO_F32, F32, [a])

    def half_to_f32(self, a: Value) -> Value:
        """The half in the low 16 bits as F32; the high 16 bits are ignored."""
        return self.emit(ops.HALF_TO_F32, F32, [a])

    def f32_to_half(self, a: Value) -> Value:
        """The bits of `a` as a half; the number is a normal half."""
        return self.emit(ops.F32_TO_HALF, U32, [a])

    def f32_near_half(self, a: Value) -> Value:
        """The bits of `a` as a half, or else of one of the two next to it."""
        return self.emit(ops.F32_NEAR_HALF, U32, [a])

    def f32_to_half_rtz(self, a: Value) -> Value:
        """The bits of `a` rounded toward zero to a half, which is finite if `a` is."""
        return self.emit(ops.F32_TO_HALF_RTZ, U32, [a])

    def pack_f64(self, low: Value, high: Value) -> Value:
        """A double from its dwords."""
        return self.emit(ops.PACK_F64, F64, [low, high])

    def f64_low(self, a: Value) -> Value:
        """The low dword."""
        return self.emit(ops.F64_LOW, U32, [a])

    def f64_high(self, a: Value) -> Value:
        """The high dword."""
        return self.emit(ops.F64_HIGH, U32, [a])

    def iadd(self, a: Value, b: Value) -> Value:
        """a + b."""
        return self.emit(ops.IADD, U32, [a, b])

    def isub(self, a: Value, b: Value) -> Value:
        """a - b."""
        return self.emit(ops.ISUB, U32, [a, b])

    def imul(self, a: Value, b: Value) -> Value:
        """The low 32 bits of a product."""
        return self.emit(ops.IMUL, U32, [a, b])

    def umul_high(self, a: Value, b: Value) -> Value:
        """The high 32 bits of an unsigned product."""
        return self.emit(ops.UMUL_HIGH, U32, [a, b])

    def smul_high(self, a: Value, b: Value) -> Value:
        """The high 32 bits of a signed product."""
        return self.emit(ops.SMUL_HIGH, U32, [a, b])

    def udiv(self, a: Value, b: Value) -> Value:
        """Unsigned quotient; the divisor is not 0."""
        return self.emit(ops.UDIV, U32, [a, b])

    def umod(self, a: Value, b: Value) -> Value:
        """Unsigned remainder; the divisor is not 0."""
        return self.emit(ops.UMOD, U32, [a, b])

    def umin(self, a: Value, b: Value) -> Value:
        """Unsigned minimum."""
        return self.emit(ops.UMIN, U32, [a, b])

    def limit_index(self, index: Value, limit: Value) -> Value:
        """`index` if it is below `limit`, else `limit` or a little more."""
        return self.emit(ops.LIMIT_INDEX, U32, [index, limit])

    def umax(self, a: Value, b: Value) -> Value:
        """Unsigned maximum."""
        return self.emit(ops.UMAX, U32, [a, b])

    def smin(self, a: Value, b: Value) -> Value:
        """Signed minimum."""
        return self.emit(ops.SMIN, U32, [a, b])

    def smax(self, a: Value, b: Value) -> Value:
        """Signed maximum."""
        return self.emit(ops.SMAX, U32, [a, b])

    def ieq(self, a: Value, b: Value) -> Value:
        """a == b."""
        return self.emit(ops.IEQ, BOOL, [a, b])

    def ine(self, a: Value, b: Value) -> Value:
        """a != b."""
        return self.emit(ops.INE, BOOL, [a, b])

    def ult(self, a: Value, b: Value) -> Value:
        """Unsigned a < b."""
        return self.emit(ops.ULT, BOOL, [a, b])

    def uge(self, a: Value, b: Value) -> Value:
        """Unsigned a >= b."""
        return self.emit(ops.UGE, BOOL, [a, b])

    def slt(self, a: Value, b: Value) -> Value:
        """Signed a < b."""
        return self.emit(ops.SLT, BOOL, [a, b])

    def sge(self, a: Value, b: Value) -> Value:
        """Signed a >= b."""
        return self.emit(ops.SGE, BOOL, [a, b])

    def land(self, a: Value, b: Value) -> Value:
        """a and b."""
        return self.emit(ops.LAND, BOOL, [a, b])

    def lor(self, a: Value, b: Value) -> Value:
        """a or b."""
        return self.emit(ops.LOR, BOOL, [a, b])

    def lxor(self, a: Value, b: Value) -> Value:
        """Exactly one of a and b."""
        return self.emit(ops.LXOR, BOOL, [a, b])

    def lnot(self, a: Value) -> Value:
        """Not a."""
        return self.emit(ops.LNOT, BOOL, [a])

    def mask(self, a: Value) -> Value:
        """~0 where true, 0 where false."""
        return self.emit(ops.MASK, U32, [a])

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """`a` where the condition holds, else `b`."""
        return self.emit(ops.SELECT, a.type, [condition, a, b])

    def extract(self, type_: Type, texel: Value, component: int) -> Value:
        """One component of a texel."""
        return self.emit(ops.EXTRACT, type_, [texel], component)

    def compose(self, type_: Type, x: Value, y: Value, z: Value, w: Value) -> Value:
        """A texel of four components."""
        return self.emit(ops.COMPOSE, type_, [x, y, z, w])
