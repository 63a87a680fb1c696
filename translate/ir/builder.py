"""The IR builder: one method per operation, and selections that cannot be miswritten."""

from __future__ import annotations

import struct
from collections.abc import Generator
from contextlib import contextmanager

from translate.errors import NOWHERE, Where
from translate.ir import ops
from translate.ir.memory import Access, Barrier, Check, Resource, Sample
from translate.ir.ops import Op
from translate.ir.types import BOOL, F32, F64, U32, VOID, Type
from translate.ir.values import Block, Value

Constants = dict[tuple[Type, int], Value]


class Merge:
    """Results of a `selection`: set `values` inside, read `results` after it."""

    __slots__ = ("results", "values")

    def __init__(self, otherwise: list[Value]):
        self.values = otherwise
        self.results: list[Value] = []

    @property
    def value(self) -> Value:
        """The only value."""
        (value,) = self.values
        return value

    @value.setter
    def value(self, value: Value) -> None:
        self.values = [value]

    @property
    def result(self) -> Value:
        """The only result."""
        (result,) = self.results
        return result


class Builder:
    """Appends values to `block`; `where` and `precise` are stamped on what it makes.

    `descriptor` is the index, or indices, that accesses to arrays of resources get.

    Equal constants are one value; `constants` may be shared by the builders of one module.
    """

    def __init__(self, block: Block, constants: Constants | None = None):
        self.block = block
        self.constants: Constants = {} if constants is None else constants
        self.where: Where = NOWHERE
        self.precise = False
        self.reporting = False
        self.descriptor: list[Value] = []

    def emit(self, op: Op, type_: Type, args: list[Value], data: object = None) -> Value:
        """Append one operation."""
        value = Value(op, type_, args, data, self.where)
        self.block.values.append(value)
        return value

    @contextmanager
    def of_array(self, descriptor: list[Value]) -> Generator[None]:
        """Accesses made inside get these descriptor indices."""
        outer, self.descriptor = self.descriptor, descriptor
        yield
        self.descriptor = outer

    def constant(self, type_: Type, bits: int) -> Value:
        """A constant by its bits; BOOL takes 0 or 1, F64 all 64 bits."""
        key = (type_, bits)
        value = self.constants.get(key)
        if value is None:
            value = self.constants[key] = Value(ops.CONST, type_, [], bits, NOWHERE)
        return value

    def u32(self, number: int) -> Value:
        """A U32 constant, modulo 2^32."""
        return self.constant(U32, number & 0xFFFFFFFF)

    def f32(self, number: float) -> Value:
        """An F32 constant, rounded to nearest."""
        return self.constant(F32, struct.unpack("<I", struct.pack("<f", number))[0])

    def f64(self, number: float) -> Value:
        """An F64 constant."""
        return self.constant(F64, struct.unpack("<Q", struct.pack("<d", number))[0])

    def bool(self, truth: bool) -> Value:
        """A BOOL constant."""
        return self.constant(BOOL, int(truth))

    def input(self, name: str, component: int) -> Value:
        """A thread input (`vThreadID` and its like); `component` 0 to 2."""
        return self.emit(ops.INPUT, U32, [], (name, component))

    def read_register(self, number: int, type_: Type) -> Value:
        """A component of r#, numbered 4 * register + component."""
        return self.emit(ops.READ_REGISTER, type_, [], number)

    def write_register(self, number: int, value: Value) -> None:
        """Set a component of r#."""
        self.emit(ops.WRITE_REGISTER, VOID, [value], number)

    def select(self, condition: Value, a: Value, b: Value) -> Value:
        """`a` where the condition holds, else `b`."""
        return self.emit(ops.SELECT, a.type, [condition, a, b])

    def bitcast(self, type_: Type, a: Value) -> Value:
        """The same 32 bits as another type."""
        return a if a.type is type_ else self.emit(ops.BITCAST, type_, [a])

    def s32_to_f(self, type_: Type, a: Value) -> Value:
        """A signed integer as F32 or F64."""
        return self.emit(ops.S32_TO_F, type_, [a])

    def u32_to_f(self, type_: Type, a: Value) -> Value:
        """An unsigned integer as F32 or F64."""
        return self.emit(ops.U32_TO_F, type_, [a])

    def check(self, check: Check, address: list[Value]) -> None:
        """Have an access reported if it goes wrong; nothing where nobody wants reports."""
        if self.reporting:
            self.emit(ops.CHECK, VOID, [*address, *self.descriptor], check)

    def load(self, access: Access, address: list[Value]) -> Value:
        """Dword `access.component` at an address, with D3D's result outside."""
        return self.emit(ops.LOAD, U32, [*address, *self.descriptor], access)

    def store(self, access: Access, address: list[Value], values: list[Value]) -> None:
        """Store dwords from an address on, with D3D's effect outside."""
        self.emit(ops.STORE, VOID, [*address, *values, *self.descriptor], access)

    def atomic(self, access: Access, address: list[Value], operands: list[Value]) -> Value:
        """The memory's old dword, after changing it by `access.operation`."""
        return self.emit(ops.ATOMIC, U32, [*address, *operands, *self.descriptor], access)

    def load_typed(self, type_: Type, access: Access, address: list[Value]) -> Value:
        """A texel, with D3D's result outside."""
        return self.emit(ops.LOAD_TYPED, type_, [*address, *self.descriptor], access)

    def store_typed(self, access: Access, address: list[Value], texel: Value) -> None:
        """Store a texel, with D3D's effect outside."""
        self.emit(ops.STORE_TYPED, VOID, [*address, texel, *self.descriptor], access)

    def counter_add(self, resource: Resource, addend: Value) -> Value:
        """Add to a hidden counter; gives its old value."""
        return self.emit(ops.COUNTER_ADD, U32, [addend, *self.descriptor], resource)

    def counter_size(self, resource: Resource) -> Value:
        """Dwords of a hidden counter: 1, or 0 where there is none."""
        return self.emit(ops.COUNTER_SIZE, U32, [*self.descriptor], resource)

    def element_count(self, resource: Resource) -> Value:
        """Bytes (raw), structures or elements of a resource's view."""
        return self.emit(ops.ELEMENT_COUNT, U32, [*self.descriptor], resource)

    def image_size(self, resource: Resource, mip: list[Value]) -> Value:
        """Extents and layers of an image as a texel; `mip` is empty where there are no mips."""
        return self.emit(ops.IMAGE_SIZE, Type.TEXEL_U32, [*mip, *self.descriptor], resource)

    def mip_extent(self, extent: Value, mip: Value) -> Value:
        """An extent of a mip, from that of the first: halved, rounded down, at least 1.

        Sizes are not asked for by a mip that threads may choose: drivers have taken the first
        thread's for all (llvmpipe in Mesa 22.3).
        """
        return self.umax(self.ushr(extent, self.iand(mip, self.u32(31))), self.u32(1))

    def image_levels(self, resource: Resource) -> Value:
        """How many mips a view has."""
        return self.emit(ops.IMAGE_LEVELS, U32, [*self.descriptor], resource)

    def image_samples(self, resource: Resource) -> Value:
        """How many samples a texel has."""
        return self.emit(ops.IMAGE_SAMPLES, U32, [*self.descriptor], resource)

    def sample(self, type_: Type, sample: Sample, arguments: list[Value]) -> Value:
        """A filtered texel, or the four that a gather meets."""
        return self.emit(ops.SAMPLE, type_, [*arguments, *self.descriptor], sample)

    def sample_compare(self, sample: Sample, arguments: list[Value]) -> Value:
        """How much of the footprint passes the sampler's comparison."""
        return self.emit(ops.SAMPLE_COMPARE, F32, [*arguments, *self.descriptor], sample)

    def extract(self, type_: Type, texel: Value, component: int) -> Value:
        """One component of a texel."""
        return self.emit(ops.EXTRACT, type_, [texel], component)

    def compose(self, type_: Type, components: list[Value]) -> Value:
        """A texel of four components."""
        return self.emit(ops.COMPOSE, type_, components)

    def call(self, name: str) -> None:
        """Run a subroutine of the module."""
        self.emit(ops.CALL, VOID, [], name)

    def barrier(self, barrier: Barrier) -> None:
        """Order memory accesses, and let the group's threads meet if so asked."""
        self.emit(ops.BARRIER, VOID, [], barrier)

    @contextmanager
    def selection(
        self, condition: Value, otherwise: Value | list[Value] | None = None
    ) -> Generator[Merge]:
        """Run what is built inside only where the condition holds.

        With `otherwise`, the construct gives as many values: those set inside, or `otherwise`.
        """
        others = otherwise if isinstance(otherwise, list) else [otherwise] if otherwise else []
        merge = Merge(others)
        outer, then, other = self.block, Block(), Block()
        self.block = then
        yield merge
        self.emit(ops.YIELD, VOID, list(merge.values))
        self.block = other
        self.emit(ops.YIELD, VOID, list(others))
        self.block = outer
        construct = self.emit(ops.IF, VOID, [condition])
        construct.blocks = (then, other)
        merge.results = [Value(ops.RESULT, v.type, [], construct, self.where) for v in others]
        construct.results += merge.results

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
        """Unsigned quotient; `b` is never 0."""
        return self.emit(ops.UDIV, U32, [a, b])

    def umod(self, a: Value, b: Value) -> Value:
        """Unsigned remainder; `b` is never 0."""
        return self.emit(ops.UMOD, U32, [a, b])

    def umin(self, a: Value, b: Value) -> Value:
        """Unsigned minimum."""
        return self.emit(ops.UMIN, U32, [a, b])

    def umax(self, a: Value, b: Value) -> Value:
        """Unsigned maximum."""
        return self.emit(ops.UMAX, U32, [a, b])

    def smin(self, a: Value, b: Value) -> Value:
        """Signed minimum."""
        return self.emit(ops.SMIN, U32, [a, b])

    def smax(self, a: Value, b: Value) -> Value:
        """Signed maximum."""
        return self.emit(ops.SMAX, U32, [a, b])

    def iand(self, a: Value, b: Value) -> Value:
        """Bitwise and."""
        return self.emit(ops.IAND, U32, [a, b])

    def ior(self, a: Value, b: Value) -> Value:
        """Bitwise or."""
        return self.emit(ops.IOR, U32, [a, b])

    def ixor(self, a: Value, b: Value) -> Value:
        """Bitwise exclusive or."""
        return self.emit(ops.IXOR, U32, [a, b])

    def ishl(self, a: Value, b: Value) -> Value:
        """Shift left; `b` is below 32."""
        return self.emit(ops.ISHL, U32, [a, b])

    def ushr(self, a: Value, b: Value) -> Value:
        """Logical shift right; `b` is below 32."""
        return self.emit(ops.USHR, U32, [a, b])

    def sshr(self, a: Value, b: Value) -> Value:
        """Arithmetic shift right; `b` is below 32."""
        return self.emit(ops.SSHR, U32, [a, b])

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
        """Both."""
        return self.emit(ops.LAND, BOOL, [a, b])

    def lor(self, a: Value, b: Value) -> Value:
        """Either."""
        return self.emit(ops.LOR, BOOL, [a, b])

    def lxor(self, a: Value, b: Value) -> Value:
        """Exactly one."""
        return self.emit(ops.LXOR, BOOL, [a, b])

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

    def inot(self, a: Value) -> Value:
        """Bitwise not."""
        return self.emit(ops.INOT, U32, [a])

    def bit_count(self, a: Value) -> Value:
        """How many bits are set."""
        return self.emit(ops.BIT_COUNT, U32, [a])

    def bit_reverse(self, a: Value) -> Value:
        """The bits in reverse."""
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

    def lnot(self, a: Value) -> Value:
        """Not."""
        return self.emit(ops.LNOT, BOOL, [a])

    def mask(self, a: Value) -> Value:
        """~0 where true, 0 where false."""
        return self.emit(ops.MASK, U32, [a])

    def f_to_s32(self, a: Value) -> Value:
        """Truncate to a signed integer; `a` is in range."""
        return self.emit(ops.F_TO_S32, U32, [a])

    def f_to_u32(self, a: Value) -> Value:
        """Truncate to an unsigned integer; `a` is in range."""
        return self.emit(ops.F_TO_U32, U32, [a])

    def f32_to_f64(self, a: Value) -> Value:
        """Widen."""
        return self.emit(ops.F32_TO_F64, F64, [a])

    def f64_to_f32(self, a: Value) -> Value:
        """Round to nearest even."""
        return self.emit(ops.F64_TO_F32, F32, [a])

    def f64_low(self, a: Value) -> Value:
        """The low dword."""
        return self.emit(ops.F64_LOW, U32, [a])

    def f64_high(self, a: Value) -> Value:
        """The high dword."""
        return self.emit(ops.F64_HIGH, U32, [a])

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

    def fmin(self, a: Value, b: Value) -> Value:
        """Minimum; the other operand for a NaN."""
        return self.emit(ops.FMIN, a.type, [a, b])

    def fmax(self, a: Value, b: Value) -> Value:
        """Maximum; the other operand for a NaN."""
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
        return self.emit(ops.RSQRT, a.type, [a])

    def exp2(self, a: Value) -> Value:
        """2^a."""
        return self.emit(ops.EXP2, a.type, [a])

    def log2(self, a: Value) -> Value:
        """Base-2 logarithm."""
        return self.emit(ops.LOG2, a.type, [a])

    def sin(self, a: Value) -> Value:
        """Sine of radians."""
        return self.emit(ops.SIN, a.type, [a])

    def cos(self, a: Value) -> Value:
        """Cosine of radians."""
        return self.emit(ops.COS, a.type, [a])

    def pack_f64(self, low: Value, high: Value) -> Value:
        """A double from its dwords."""
        return self.emit(ops.PACK_F64, F64, [low, high])

    def bitfield_insert(self, base: Value, insert: Value, offset: Value, count: Value) -> Value:
        """Bits of `insert` into `base`; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_INSERT, U32, [base, insert, offset, count])

    def bitfield_uextract(self, a: Value, offset: Value, count: Value) -> Value:
        """A bit field, zero-extended; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_UEXTRACT, U32, [a, offset, count])

    def bitfield_sextract(self, a: Value, offset: Value, count: Value) -> Value:
        """A bit field, sign-extended; offset + count is at most 32."""
        return self.emit(ops.BITFIELD_SEXTRACT, U32, [a, offset, count])

    def nonzero(self, a: Value) -> Value:
        """Whether any bit is set: D3D's test of a condition."""
        return self.ine(a, self.u32(0))
