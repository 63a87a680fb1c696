"""The IR builder: a method for each operation, and well-formed selections; tests of floats' bits.

The methods of pure operations are in `ir.pure`, which is generated from their rows. Tests of bits
are right for NaNs on every device. Masks are for F32; those of a double are for its high dword.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from contextlib import contextmanager

from translate.errors import NOWHERE, Where
from translate.ir import ops, row
from translate.ir.memory import Access, Barrier, Check, MemoryKind, Resource, Sample
from translate.ir.ops import Op
from translate.ir.pure import PureBuilder
from translate.ir.types import BOOL, F32, F64, U32, VOID, Type
from translate.ir.values import Block, Value

Constants = dict[tuple[Type, int], Value]
Truth = bool  # which `Builder.bool` hides in its class
SIGN = 0x80000000  # of a double too
MAGNITUDE = 0x7FFFFFFF
EXPONENT = 0x7F800000  # all of these bits, and no others of the magnitude, are an infinity
WIDE_EXPONENT = 0x7FF00000  # of a double
LEAST_NORMAL = 0x00800000
LEAST = 2.0**-126  # the least normal number


class Merge:
    """Results of a `selection`: set `values` inside, read `results` after it."""

    __slots__ = ("results", "values")

    def __init__(self, otherwise: list[Value]):
        self.values = otherwise
        self.results: list[Value] = []

    @property
    def result(self) -> Value:
        """The result of a selection with a single result."""
        (result,) = self.results
        return result


class _OfArray:
    """A context manager: sets `b.descriptor`, and restores it at the end of the `with`."""

    __slots__ = ("b", "other")

    def __init__(self, b: Builder, descriptor: list[Value]):
        self.b = b
        self.other = descriptor

    def __enter__(self) -> None:
        self.b.descriptor, self.other = self.other, self.b.descriptor

    def __exit__(self, *raised: object) -> None:
        self.b.descriptor, self.other = self.other, self.b.descriptor


class Builder(PureBuilder):
    """Appends values to `block`, each with the place `where`, and float operations with `precise`.

    `descriptor` has the descriptor indices that accesses to arrays get as their last operands.

    Equal constants are one value; several builders of a module may share `constants`.
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

    def of_array(self, descriptor: list[Value]) -> _OfArray:
        """A context manager: accesses inside of the `with` use these descriptor indices."""
        return _OfArray(self, descriptor)

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
        """A component (0 to 2) of a thread input, such as `vThreadID`."""
        return self.emit(ops.INPUT, U32, [], (name, component))

    def specialized(self, name: str) -> Value:
        """Whether the host has set the specialization constant with this name; by default, no."""
        return self.emit(ops.SPECIALIZED, BOOL, [], name)

    def read_register(self, number: int, type_: Type) -> Value:
        """A component of an r# register; `number` is 4 * register + component."""
        return self.emit(ops.READ_REGISTER, type_, [], number)

    def write_register(self, number: int, value: Value) -> None:
        """Set a component of an r# register; `number` is 4 * register + component."""
        self.emit(ops.WRITE_REGISTER, VOID, [value], number)

    def bitcast(self, type_: Type, a: Value) -> Value:
        """The same 32 bits as another type; the value itself if it has the type."""
        return a if a.type is type_ else super().bitcast(type_, a)

    def as_type(self, type_: Type, a: Value) -> Value:
        """Like `bitcast`, but gives a constant for a constant, and undoes a cast from `type_`."""
        if a.type is type_:
            return a
        if a.op is ops.CONST:
            return self.constant(type_, row.BITS.of(a))
        if a.op is ops.BITCAST and a.args[0].type is type_:
            return a.args[0]
        return self.bitcast(type_, a)

    def check(self, check: Check, address: list[Value]) -> None:
        """Report an access if it is a violation; emits nothing unless `reporting`."""
        if self.reporting:
            self.emit(ops.CHECK, VOID, [*address, *self.descriptor], check)

    def message(self, number: int, dwords: list[Value]) -> None:
        """Send message `number` of `Module.messages` to the host; `dwords` are its arguments."""
        self.emit(ops.MESSAGE, VOID, [*dwords], number)

    def load(self, access: Access, address: list[Value]) -> Value:
        """Dword `access.component` at an address; D3D's result if it is out of bounds."""
        return self.emit(ops.LOAD, U32, [*address, *self.descriptor], access)

    def store(self, access: Access, address: list[Value], values: list[Value]) -> None:
        """Store dwords from an address on; D3D's effect if it is out of bounds."""
        self.emit(ops.STORE, VOID, [*address, *values, *self.descriptor], access)

    def atomic(self, access: Access, address: list[Value], operands: list[Value]) -> Value:
        """Apply the atomic `access.operation` to a dword, and give its old value."""
        return self.emit(ops.ATOMIC, U32, [*address, *operands, *self.descriptor], access)

    def load_typed(self, type_: Type, access: Access, address: list[Value]) -> Value:
        """Load a texel; D3D's result if it is out of bounds."""
        return self.emit(ops.LOAD_TYPED, type_, [*address, *self.descriptor], access)

    def store_typed(self, access: Access, address: list[Value], texel: Value) -> None:
        """Store a texel; D3D's effect if it is out of bounds."""
        self.emit(ops.STORE_TYPED, VOID, [*address, texel, *self.descriptor], access)

    def counter_add(self, resource: Resource, addend: Value) -> Value:
        """Add to a hidden counter; gives its old value."""
        return self.emit(ops.COUNTER_ADD, U32, [addend, *self.descriptor], resource)

    def counter_size(self, resource: Resource) -> Value:
        """Dwords of a hidden counter: 1, or 0 if none is bound."""
        return self.emit(ops.COUNTER_SIZE, U32, [*self.descriptor], resource)

    def element_count(self, resource: Resource) -> Value:
        """The size of a buffer's view: in bytes if raw, else in structures or elements."""
        return self.emit(ops.ELEMENT_COUNT, U32, [*self.descriptor], resource)

    def image_size(self, resource: Resource, mip: list[Value]) -> Value:
        """Extents and layers of an image as a texel; `mip` is empty for images without mips."""
        return self.emit(ops.IMAGE_SIZE, Type.TEXEL_U32, [*mip, *self.descriptor], resource)

    def view_size(self, resource: Resource, *, nested: Truth) -> Value:
        """Query a view's size: dwords, or structures if `nested`; texels of a typed buffer.

        Of an image it gives the extents of the first mip, as a texel.
        """
        if resource.kind is not MemoryKind.TYPED:
            count = ops.STRUCTURE_COUNT if nested else ops.DWORD_COUNT
            return self.emit(count, U32, [*self.descriptor], resource)
        if resource.shape.is_buffer:
            return self.emit(ops.TEXEL_COUNT, U32, [*self.descriptor], resource)
        return self.image_size(resource, [self.u32(0)] if resource.has_mips else [])

    def mip_extent(self, extent: Value, mip: Value) -> Value:
        """An extent of a mip from the extent of mip 0: shifted right by `mip`, at least 1.

        Sizes are not queried with a mip that differs between threads, because llvmpipe of Mesa 22.3
        gives all threads the size for the first thread's mip.
        """
        return self.umax(self.ushr(extent, self.iand(mip, self.u32(31))), self.u32(1))

    def image_levels(self, resource: Resource) -> Value:
        """The number of mips in a view."""
        return self.emit(ops.IMAGE_LEVELS, U32, [*self.descriptor], resource)

    def image_samples(self, resource: Resource) -> Value:
        """The number of samples in a texel."""
        return self.emit(ops.IMAGE_SAMPLES, U32, [*self.descriptor], resource)

    def sample(self, type_: Type, sample: Sample, arguments: list[Value]) -> Value:
        """A filtered texel, or one component of four texels for a gather."""
        return self.emit(ops.SAMPLE, type_, [*arguments, *self.descriptor], sample)

    def sample_compare(self, sample: Sample, arguments: list[Value]) -> Value:
        """The weighted fraction of the filtered texels that pass the sampler's comparison."""
        return self.emit(ops.SAMPLE_COMPARE, F32, [*arguments, *self.descriptor], sample)

    def call(self, name: str) -> None:
        """Call the subroutine of the module with this name."""
        self.emit(ops.CALL, VOID, [], name)

    def barrier(self, barrier: Barrier) -> None:
        """Order memory accesses, and let the group's threads meet if `barrier.threads` is set."""
        self.emit(ops.BARRIER, VOID, [], barrier)

    @contextmanager
    def selection(
        self, condition: Value, otherwise: Value | list[Value] | None = None
    ) -> Generator[Merge]:
        """Run the code that is built inside of a `with` only if the condition holds.

        The construct has a result for each value of `otherwise`: the one set in `Merge.values`
        inside if the condition holds, else that of `otherwise`.
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
        construct.results = tuple(merge.results)

    def nonzero(self, a: Value) -> Value:
        """Whether any bit of `a` is set: the test of D3D's `_nz` conditions."""
        return self.ine(a, self.u32(0))


def is_normal(bits: int) -> bool:
    """Whether the F32 with these bits is not a denormal (it may be zero, infinite or NaN)."""
    return bits & EXPONENT != 0 or bits & MAGNITUDE == 0


def bits_of(number: float) -> int:
    """The bits of `number`, rounded to F32."""
    (bits,) = struct.unpack("<I", struct.pack("<f", number))
    return bits


def magnitude(b: Builder, x: Value) -> Value:
    """The bits of an F32 without its sign: as integers they order magnitudes, with NaNs last."""
    return b.iand(b.bitcast(U32, x), b.u32(MAGNITUDE))


def is_nan(b: Builder, x: Value) -> Value:
    """Whether a float is a NaN."""
    return b.ult(b.u32(EXPONENT), magnitude(b, x))


def sign_of(b: Builder, x: Value) -> Value:
    """The sign bit."""
    return b.iand(b.bitcast(U32, x), b.u32(SIGN))


def signed(b: Builder, number: float, sign: Value) -> Value:
    """`number`, which is positive, with the sign bit that `sign_of` gave."""
    return b.bitcast(F32, b.ior(sign, b.u32(bits_of(number))))


def limited(b: Builder, x: Value, limit: float, of_nan: float) -> Value:
    """`x` clamped to [-limit, limit]; `of_nan` if it is a NaN."""
    large = b.ult(b.u32(bits_of(limit)), magnitude(b, x))
    cut = b.select(large, signed(b, limit, sign_of(b, x)), x)
    return b.select(is_nan(b, x), b.f32(of_nan), cut)
