"""verify: operations that break their rows, one fault each; mostly memory operations."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from translate.errors import NOWHERE, VerifyError, Where
from translate.ir import ops
from translate.ir.memory import (
    Access,
    Barrier,
    Check,
    ImageShape,
    MemoryKind,
    Resource,
    Sample,
    SampleMode,
    Site,
)
from translate.ir.tables import Layout, Usage, View
from translate.ir.types import BOOL, F32, F64, U32, VOID, Type
from translate.ir.values import Module, Value
from translate.ir.verify import verify

from .building import Small

NAN = 0x7FC00000
X4, I4, F4 = Type.TEXEL_U32, Type.TEXEL_I32, Type.TEXEL_F32


class Bench(Small):
    """One resource of each kind, and constants for wrong operands."""

    def __init__(self) -> None:
        super().__init__()
        kinds, image = MemoryKind, ImageShape(2)
        self.one, self.half, self.wide = self.b.u32(1), self.b.f32(0.5), self.b.f64(1.0)
        self.true = self.b.bool(True)
        self.s0 = Resource("s0", kinds.SAMPLER, 0)
        self.cb0 = Resource("cb0", kinds.CONSTANTS, 0, length=4)
        self.x1 = Resource("x1", kinds.INDEXABLE_TEMP, 1, length=4, components=2)
        self.u2 = Resource("u2", kinds.STRUCTURED, 2, is_uav=True, stride=32)
        self.known(self.u2, Layout(nested=True, vectors=True))
        self.u3 = Resource("u3", kinds.RAW, 3, is_uav=True)
        self.known(self.u3, Layout(floats=True))
        self.u4 = Resource("u4", kinds.TYPED, 4, is_uav=True)
        self.u5 = Resource("u5", kinds.TYPED, 5, is_uav=True, shape=image, component="float")
        self.u6 = Resource("u6", kinds.STRUCTURED, 6, is_uav=True, stride=4, count=3)
        self.u7 = Resource("u7", kinds.STRUCTURED, 7, is_uav=True, stride=4)
        self.known(self.u7, Usage(counter=True))
        self.u8 = Resource("u8", kinds.RAW, 8, is_uav=True)
        self.known(self.u8, View(windowed=True))
        self.u9 = Resource("u9", kinds.RAW, 9, is_uav=True, count=3)
        self.known(self.u9, View(size_table=True))
        self.u10 = Resource("u10", kinds.RAW, 10, is_uav=True)
        self.known(self.u10, indexed=True)
        self.t1 = Resource("t1", kinds.TYPED, 1, shape=image, component="float")
        self.t2 = Resource("t2", kinds.TYPED, 2, shape=ImageShape(2, multisampled=True))
        self.t3 = Resource("t3", kinds.TYPED, 3, shape=ImageShape(2, cube=True))
        self.t4 = Resource("t4", kinds.TYPED, 4)

    def do(self, op: ops.Op, data: object = None, *args: Value, gives: Type | None = None) -> Value:
        """Emit an operation; by default its result has the row's type."""
        result = op.result if isinstance(op.result, Type) else U32
        return self.b.emit(op, gives or result, list(args), data)

    def report_texel(self, *args: Value) -> Value:
        """Report an access to t1, at a site with one coordinate after x."""
        defined = (True, True, False, False)
        site = Site(NOWHERE, "t1", self.t1.kind, self.t1.shape, defined, coordinates=("y",))
        self.module.sites.append(site)
        return self.do(ops.REPORT, 0, *args)

    def sample(self, mode: SampleMode, *args: Value, **more: object) -> Value:
        """Sample t1 with s0 at (0.5, 0.5)."""
        data = Sample(self.t1, self.s0, mode, **more)  # type: ignore[arg-type]
        return self.do(ops.SAMPLE, data, self.half, self.half, *args, gives=F4)


Fault = Callable[[Bench], object]

MEMORY: dict[str, tuple[Fault, str]] = {
    "the issue's store": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.u0, 1), b.true, b.wide, b.one, b.one),
        "store_element takes 2 operands, found 4",
    ),
    "index is no number": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.u0, 1), b.true, b.one),
        "store_element has as operand 0 a bool, where u32 belongs",
    ),
    "value is a double": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.u0, 1), b.one, b.wide),
        "store_element has as operand 1 a f64, where u32 belongs",
    ),
    "integer into floats": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.u3, 1), b.one, b.one),
        "store_element has as operand 1 a u32, where f32 belongs",
    ),
    "load of floats as integers": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u3, 1), b.one),
        "load_element gives a u32, where f32 belongs",
    ),
    "no index": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u0, 1)),
        "load_element takes 1 operand, found 0",
    ),
    "store to a read-only view": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.t0, 1), b.one, b.one),
        "store_element takes writable memory of dwords; t0 is none",
    ),
    "store to constants": (
        lambda b: b.do(ops.STORE, Access(b.cb0, 1), b.one, b.one),
        "store takes writable memory of dwords; cb0 is none",
    ),
    "dwords of an image": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u5, 2), b.one),
        "load_element takes memory of dwords; u5 is none",
    ),
    "dwords of a sampler": (
        lambda b: b.do(ops.LOAD, Access(b.s0, 1), b.one),
        "load takes memory of dwords; s0 is none",
    ),
    "no resource": (
        lambda b: b.do(ops.LOAD, None, b.one),
        "load has the attribute None, where access belongs",
    ),
    "a resource that is no access": (
        lambda b: b.do(ops.LOAD, b.u0, b.one),
        "load has the attribute u0, where access belongs",
    ),
    "structure without offset": (
        lambda b: b.do(ops.LOAD, Access(b.u1, 2), b.one),
        "load takes 2 operands, found 1",
    ),
    "structure as raw": (
        lambda b: b.do(ops.LOAD, Access(b.u1, 1), b.one, b.one),
        "load addresses u1 by 1 operands, where 2 do",
    ),
    "fifth component": (
        lambda b: b.do(ops.LOAD, Access(b.u0, 1, 4), b.one),
        "load names component 4 of u0, which has 4",
    ),
    "component that x# has not": (
        lambda b: b.do(ops.LOAD, Access(b.x1, 1, 2), b.one),
        "load names component 2 of x1, which has 2",
    ),
    "five dwords": (
        lambda b: b.do(ops.STORE, Access(b.u0, 1), b.one, *[b.one] * 5),
        "store takes 2 to 5 operands, found 6",
    ),
    "no dword": (
        lambda b: b.do(ops.STORE, Access(b.u0, 1), b.one),
        "store takes 2 to 5 operands, found 1",
    ),
    "two dwords to x#": (
        lambda b: b.do(ops.STORE, Access(b.x0, 1), b.one, b.one, b.one),
        "store takes 2 operands, found 3",
    ),
    "float to D3D's store": (
        lambda b: b.do(ops.STORE, Access(b.u0, 1), b.one, b.half),
        "store has as operand 1 a f32, where u32 belongs",
    ),
    "load with an operation": (
        lambda b: b.do(ops.LOAD, Access(b.u0, 1, 0, "iadd"), b.one),
        "load has the operation iadd, but is no atomic",
    ),
    "atomic without operation": (
        lambda b: b.do(ops.ATOMIC, Access(b.u0, 1), b.one, b.one),
        "atomic has the operation '', which no atomic has",
    ),
    "unknown operation": (
        lambda b: b.do(ops.ATOMIC_ELEMENT, Access(b.u0, 1, 0, "nand"), b.one, b.one),
        "atomic_element has the operation 'nand'",
    ),
    "exchange without what to compare": (
        lambda b: b.do(ops.ATOMIC, Access(b.u0, 1, 0, "cmp_exch"), b.one, b.one),
        "atomic takes 3 operands, found 2",
    ),
    "addition of two numbers": (
        lambda b: b.do(ops.ATOMIC_ELEMENT, Access(b.u0, 1, 0, "iadd"), b.one, b.one, b.one),
        "atomic_element takes 2 operands, found 3",
    ),
    "atomic of floats": (
        lambda b: b.do(ops.ATOMIC_ELEMENT, Access(b.u3, 1, 0, "iadd"), b.one, b.one),
        "atomic_element takes writable dwords of integers that threads share; u3 is none",
    ),
    "atomic to x#": (
        lambda b: b.do(ops.ATOMIC, Access(b.x0, 1, 0, "iadd"), b.one, b.one),
        "atomic takes writable memory of integers that threads share; x0 is none",
    ),
    "atomic to float texels": (
        lambda b: b.do(ops.ATOMIC_TEXEL, Access(b.u5, 2, 0, "iadd"), b.one, b.one, b.one),
        "atomic_texel takes a UAV of integer texels; u5 is none",
    ),
    "atomic gives a float": (
        lambda b: b.do(ops.ATOMIC, Access(b.u0, 1, 0, "iadd"), b.one, b.one, gives=F32),
        "atomic gives a f32, where u32 belongs",
    ),
    "texel of another type": (
        lambda b: b.do(ops.LOAD_TYPED, Access(b.u5, 2), b.one, b.one, gives=X4),
        "load_typed gives a texel.u32, where texel.f32 belongs",
    ),
    "one coordinate of two": (
        lambda b: b.do(ops.LOAD_TEXEL, Access(b.u5, 2), b.one, gives=F4),
        "load_texel takes 2 operands, found 1",
    ),
    "no mip": (
        lambda b: b.do(ops.LOAD_TEXEL, Access(b.t1, 2), b.one, b.one, gives=F4),
        "load_texel takes 3 operands, found 2",
    ),
    "no sample": (
        lambda b: b.do(ops.LOAD_TYPED, Access(b.t2, 2), b.one, b.one, gives=X4),
        "load_typed takes 3 operands, found 2",
    ),
    "mip among the coordinates": (
        lambda b: b.do(ops.LOAD_TYPED, Access(b.t1, 3), b.one, b.one, b.one, gives=F4),
        "load_typed addresses t1 by 3 operands, where 2 do",
    ),
    "texel of a cube": (
        lambda b: b.do(ops.LOAD_TYPED, Access(b.t3, 2), b.one, b.one, b.one, gives=X4),
        "load_typed takes texels that are not of a cube; t3 is none",
    ),
    "texel of a raw buffer": (
        lambda b: b.do(ops.LOAD_TYPED, Access(b.u0, 1), b.one, gives=X4),
        "load_typed takes texels that are not of a cube; u0 is none",
    ),
    "dword as texel": (
        lambda b: b.do(ops.STORE_TYPED, Access(b.u4, 1), b.one, b.one),
        "store_typed has as operand 1 a u32, where texel.u32 belongs",
    ),
    "texel to a read-only image": (
        lambda b: b.do(ops.STORE_TEXEL, Access(b.t4, 1), b.one, b.b.constant(X4, 0)),
        "store_texel takes a UAV of texels; t4 is none",
    ),
    "counter of a raw view": (
        lambda b: b.do(ops.COUNTER_ADD, b.u0, b.one),
        "counter_add takes a structured UAV with a counter; u0 is none",
    ),
    "counter that is not there": (
        lambda b: b.do(ops.COUNTER_ADD, b.u1, b.one),
        "counter_add takes a structured UAV with a counter; u1 is none",
    ),
    "counter without addend": (
        lambda b: b.do(ops.COUNTER_ADD, b.u7),
        "counter_add takes 1 operand, found 0",
    ),
    "size of a counter that is not there": (
        lambda b: b.do(ops.COUNTER_SIZE, b.u1),
        "counter_size takes a structured UAV with a counter; u1 is none",
    ),
    "size of a counter at an index": (
        lambda b: b.do(ops.COUNTER_SIZE, b.u7, b.one),
        "counter_size takes 0 operands, found 1",
    ),
    "table that is not there": (
        lambda b: b.do(ops.TABLE_COUNT, b.u6, b.one),
        "table_count takes an array with a table of sizes; u6 is none",
    ),
    "table without descriptor": (
        lambda b: b.do(ops.TABLE_COUNT, b.u9),
        "table_count takes 1 operand, found 0",
    ),
    "no index of the only register": (
        lambda b: b.do(ops.LOAD, Access(b.u10, 1), b.one),
        "load takes 2 operands, found 1",
    ),
    "check of a counter that is not there": (
        lambda b: b.do(ops.CHECK, Check(Access(b.u1, 0), counter=True)),
        "check checks the counter of u1, which has none",
    ),
    "check of a counter's element": (
        lambda b: b.do(ops.CHECK, Check(Access(b.u7, 2), counter=True), b.one, b.one),
        "check addresses a counter by 2 operands",
    ),
    "no descriptor": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u6, 2), b.one),
        "load_element takes 2 operands, found 1",
    ),
    "descriptor of a single view": (
        lambda b: b.do(ops.DWORD_COUNT, b.u0, b.one),
        "dword_count takes 0 operands, found 1",
    ),
    "float as descriptor": (
        lambda b: b.do(ops.DWORD_COUNT, b.u6, b.half),
        "dword_count has as operand 0 a f32, where u32 belongs",
    ),
    "nested structure by one index": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u2, 2), b.one),
        "load_element takes 2 operands, found 1",
    ),
    "dword beyond its structure": (
        lambda b: b.do(ops.LOAD_ELEMENT, Access(b.u2, 2), b.one, b.b.u32(8)),
        "load_element has as operand 1 a u32, where a constant below 8 belongs",
    ),
    "dword of a structure that varies": (
        lambda b: b.do(ops.STORE_ELEMENT, Access(b.u2, 2), b.one, b.thread(), b.one),
        "store_element has as operand 1 a u32, where a constant below 8 belongs",
    ),
    "vector beyond its structure": (
        lambda b: b.do(ops.LOAD_VECTOR, Access(b.u2, 2), b.one, b.b.u32(2), gives=X4),
        "load_vector has as operand 1 a u32, where a constant below 2 belongs",
    ),
    "vector of a structure without": (
        lambda b: b.do(ops.LOAD_VECTOR, Access(b.u1, 2), b.one, b.one, gives=X4),
        "load_vector takes vectors, or structures of them; u1 is none",
    ),
    "vector from its second dword": (
        lambda b: b.do(ops.LOAD_VECTOR, Access(b.u2, 2, 1), b.one, b.one, gives=X4),
        "load_vector names no vector",
    ),
    "dword as vector": (
        lambda b: b.do(ops.STORE_VECTOR, Access(b.u2, 2), b.one, b.one, b.one),
        "store_vector has as operand 2 a u32, where texel.u32 belongs",
    ),
    "dwords of nested structures": (
        lambda b: b.do(ops.DWORD_COUNT, b.u2),
        "dword_count takes a view of dwords; u2 is none",
    ),
    "structures of a flat view": (
        lambda b: b.do(ops.STRUCTURE_COUNT, b.u1),
        "structure_count takes a view of structures; u1 is none",
    ),
    "texels of a raw view": (
        lambda b: b.do(ops.TEXEL_COUNT, b.u0),
        "texel_count takes a typed buffer; u0 is none",
    ),
    "elements of shared memory": (
        lambda b: b.do(ops.ELEMENT_COUNT, b.g0),
        "element_count takes a buffer's view; g0 is none",
    ),
    "count by an access": (
        lambda b: b.do(ops.ELEMENT_COUNT, Access(b.u0, 1)),
        "element_count has the attribute .* where resource belongs",
    ),
    "window of what has none": (
        lambda b: b.do(ops.WINDOW_FIRST, b.u0),
        "window_first takes a resource with a window; u0 is none",
    ),
    "window with an index": (
        lambda b: b.do(ops.WINDOW_COUNT, b.u8, b.one),
        "window_count takes 0 operands, found 1",
    ),
    "size of a buffer": (
        lambda b: b.do(ops.IMAGE_SIZE, b.u4),
        "image_size takes an image; u4 is none",
    ),
    "size without mip": (
        lambda b: b.do(ops.IMAGE_SIZE, b.t1),
        "image_size takes 1 operand, found 0",
    ),
    "mip of a UAV": (
        lambda b: b.do(ops.IMAGE_SIZE, b.u5, b.one),
        "image_size takes 0 operands, found 1",
    ),
    "mips of a UAV": (
        lambda b: b.do(ops.IMAGE_LEVELS, b.u5),
        "image_levels takes a sampled image of one sample; u5 is none",
    ),
    "samples of a plain image": (
        lambda b: b.do(ops.IMAGE_SAMPLES, b.t1),
        "image_samples takes a multisampled image; t1 is none",
    ),
    "sample without lod": (
        lambda b: b.sample(SampleMode.LOD),
        "sample takes 3 operands, found 2",
    ),
    "sample with three gradients": (
        lambda b: b.sample(SampleMode.GRADIENTS, b.half, b.half, b.half),
        "sample takes 6 operands, found 5",
    ),
    "sample at integers": (
        lambda b: b.sample(SampleMode.LOD, b.one),
        "sample has as operand 2 a u32, where f32 belongs",
    ),
    "sample that compares": (
        lambda b: b.sample(SampleMode.COMPARE, b.half),
        "sample cannot sample with the mode compare",
    ),
    "gather of a fifth component": (
        lambda b: b.sample(SampleMode.GATHER, component=4),
        "sample names component 4 of 4",
    ),
    "offset of one axis": (
        lambda b: b.sample(SampleMode.LOD, b.half, offset=(1,)),
        r"sample has the offset \(1,\) in an image of 2 axes",
    ),
    "offset too far": (
        lambda b: b.sample(SampleMode.LOD, b.half, offset=(0, 8)),
        r"sample has the offset \(0, 8\); offsets are -8 to 7",
    ),
    "offsets without gather": (
        lambda b: b.sample(SampleMode.LOD, b.half, b.one, b.one, dynamic_offset=True),
        "sample has offsets as operands, which only a gather has",
    ),
    "sample with a texture": (
        lambda b: b.do(ops.SAMPLE, Sample(b.t1, b.t1, SampleMode.GATHER), b.half, b.half, gives=F4),
        "sample samples with t1, which is no sampler",
    ),
    "sample of a UAV": (
        lambda b: b.do(ops.SAMPLE, Sample(b.u5, b.s0, SampleMode.GATHER), b.half, b.half, gives=F4),
        "sample takes a sampled image of one sample; u5 is none",
    ),
    "comparison that filters": (
        lambda b: b.do(
            ops.SAMPLE_COMPARE, Sample(b.t1, b.s0, SampleMode.LOD), *[b.half] * 3, gives=F32
        ),
        "sample_compare cannot sample with the mode lod",
    ),
    "check of a sampler": (
        lambda b: b.do(ops.CHECK, Check(Access(b.s0, 1)), b.one),
        "check takes memory; s0 is none",
    ),
    "check out of order": (
        lambda b: b.do(ops.CHECK, Check(Access(b.u0, 1), (1, 0)), b.one),
        r"check has the components \(1, 0\)",
    ),
    "check without address": (
        lambda b: b.do(ops.CHECK, Check(Access(b.u0, 1))),
        "check takes 1 operand, found 0",
    ),
    "report of no site": (
        lambda b: b.do(ops.REPORT, 0, b.one, b.one, b.one),
        "report names site 0 of 0",
    ),
    "report without a coordinate": (
        lambda b: b.report_texel(b.one, b.one, b.one),
        "report has 3 operands for a site of 4",
    ),
    "barrier of nothing": (
        lambda b: b.do(ops.BARRIER),
        "barrier has the attribute None, where barrier belongs",
    ),
    "barrier with an operand": (
        lambda b: b.do(ops.BARRIER, Barrier(True, True, True, True), b.one),
        "barrier takes 0 operands, found 1",
    ),
}

VALUES: dict[str, tuple[Fault, str]] = {
    "division by 0": (
        lambda b: b.b.udiv(b.thread(), b.b.u32(0)),
        "udiv is undefined here: the divisor is not 0",
    ),
    "remainder by 0": (
        lambda b: b.b.umod(b.thread(), b.b.u32(0)),
        "umod is undefined here",
    ),
    "shift by 32": (
        lambda b: b.b.sshr(b.thread(), b.b.u32(32)),
        "sshr is undefined here: the count is below 32",
    ),
    "field past the end": (
        lambda b: b.b.bitfield_uextract(b.thread(), b.b.u32(30), b.b.u32(3)),
        r"bitfield_uextract is undefined here: offset \+ count is at most 32",
    ),
    "NaN to an integer": (
        lambda b: b.b.f_to_s32(b.b.constant(F32, NAN)),
        "f_to_s32 is undefined here: the number fits a signed integer",
    ),
    "2^32 to an integer": (
        lambda b: b.b.f_to_u32(b.b.f64(2.0**32)),
        "f_to_u32 is undefined here",
    ),
    "precise integers": (
        lambda b: b.do(ops.IADD, True, b.one, b.one),
        "iadd has the attribute True, where none belongs",
    ),
    "neither precise nor not": (
        lambda b: b.do(ops.FADD, None, b.half, b.half, gives=F32),
        "fadd has the attribute None, where precise belongs",
    ),
    "choice between unlike types": (
        lambda b: b.do(ops.SELECT, None, b.true, b.one, b.half),
        "select has as operand 2 a f32, where u32 belongs",
    ),
    "truth value as float": (
        lambda b: b.do(ops.BITCAST, None, b.true, gives=F32),
        "bitcast has as operand 0 a bool, where u32 or f32 belongs",
    ),
    "component of an integer": (
        lambda b: b.do(ops.EXTRACT, 0, b.one),
        "extract has as operand 0 a u32, where texel",
    ),
    "component of another type": (
        lambda b: b.do(ops.EXTRACT, 0, b.b.constant(F4, 0)),
        "extract gives a u32, where f32 belongs",
    ),
    "fifth component of a texel": (
        lambda b: b.do(ops.EXTRACT, 4, b.b.constant(X4, 0)),
        "extract names component 4 of 4",
    ),
    "float in a texel of integers": (
        lambda b: b.do(ops.COMPOSE, None, b.one, b.one, b.half, b.one, gives=I4),
        "compose has as operand 2 a f32, where u32 belongs",
    ),
    "texel of three": (
        lambda b: b.do(ops.COMPOSE, None, b.half, b.half, b.half, gives=F4),
        "compose takes 4 operands, found 3",
    ),
    "register that is not declared": (
        lambda b: b.b.read_register(4 * 8, U32),
        "read_register names register 8 of 8",
    ),
    "register of a double": (
        lambda b: b.b.read_register(0, F64),
        "read_register gives a f64, where u32 or f32 belongs",
    ),
    "truth value in a register": (
        lambda b: b.b.write_register(0, b.true),
        "write_register has as operand 0 a bool",
    ),
    "input that is none": (
        lambda b: b.b.input("vCoverage", 0),
        "input reads component 0 of vCoverage, which there is not",
    ),
    "second component of a number": (
        lambda b: b.b.input("vThreadIDInGroupFlattened", 1),
        "input reads component 1 of vThreadIDInGroupFlattened",
    ),
    "result without value": (
        lambda b: b.do(ops.IADD, None, b.one, b.one, gives=VOID),
        "iadd gives a void, where u32 belongs",
    ),
    "constant of 33 bits": (
        lambda b: b.b.inot(b.b.constant(U32, 1 << 32)),
        "inot has operand 0, which cannot be a constant of type u32",
    ),
    "truth value 2": (
        lambda b: b.b.lnot(b.b.constant(BOOL, 2)),
        "lnot has operand 0, which cannot be a constant of type bool",
    ),
    "constant in a block": (
        lambda b: b.b.block.values.append(b.one),
        "const stands in a block",
    ),
    "parameter in a block": (
        lambda b: b.do(ops.PARAM),
        "param stands in a block",
    ),
}


@pytest.mark.parametrize("name", [*MEMORY, *VALUES])
def test_a_wrong_operation_is_refused(name: str) -> None:
    fault, message = {**MEMORY, **VALUES}[name]
    bench = Bench()
    fault(bench)
    with pytest.raises(VerifyError, match=f"^{message}"):
        verify(bench.finish())


def test_there_are_many_kinds_of_faults() -> None:
    """Each memory operation is wrong at least once."""
    named = {message.split()[0] for _, message in MEMORY.values()}
    touching = {op.name for op in ops.OPS.values() if op.memory is not None}
    assert touching - named == set()


def test_the_message_shows_the_operation() -> None:
    bench = Bench()
    bench.b.where = Where("a.asm", 7, 1)
    bench.do(ops.STORE_ELEMENT, Access(bench.u0, 1), bench.true, bench.wide, bench.one)
    with pytest.raises(VerifyError) as caught:
        verify(bench.finish())
    assert str(caught.value) == (
        "a.asm:7:1: error: store_element takes 2 operands, found 3\n"
        "   5 |   store_element true, 1.0d, 1 (u0.0)\n"
        "     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    )


RESOURCES: dict[str, tuple[Callable[[Bench], Resource], str]] = {
    "structures of no size": (
        lambda b: Resource("t9", MemoryKind.STRUCTURED, 9),
        "resource t9 has structures of no size",
    ),
    "half a dword": (
        lambda b: Resource("t9", MemoryKind.STRUCTURED, 9, stride=6),
        "resource t9 has a stride that is no number of dwords",
    ),
    "length of a view": (
        lambda b: Resource("t9", MemoryKind.RAW, 9, length=4),
        "resource t9 has a length that the view decides",
    ),
    "shared memory of no size": (
        lambda b: Resource("g9", MemoryKind.SHARED_RAW, 9),
        "resource g9 has a length that the view decides, or none",
    ),
    "too few contents": (
        lambda b: Resource("icb", MemoryKind.IMMEDIATE_CONSTANTS, -1, length=1, contents=(1,)),
        "resource icb has not as many contents as components",
    ),
    "nested raw view": (
        lambda b: b.known(Resource("t9", MemoryKind.RAW, 9), Layout(nested=True)),
        "resource t9 is nested without structures",
    ),
    "vectors of 12 bytes": (
        lambda b: b.known(
            Resource("t9", MemoryKind.STRUCTURED, 9, stride=12), Layout(nested=True, vectors=True)
        ),
        "resource t9 has vectors of no nested structures",
    ),
    "window of an image": (
        lambda b: b.known(
            Resource("u9", MemoryKind.TYPED, 9, shape=ImageShape(2)), View(windowed=True)
        ),
        "resource u9 has a window, but is neither a buffer nor a 3D UAV",
    ),
    "one sample of a texture that is not multisampled": (
        lambda b: b.known(
            Resource("t9", MemoryKind.TYPED, 9, shape=ImageShape(2)), View(single_sample=True)
        ),
        "resource t9 has a single sample, but is not multisampled",
    ),
    "array of shared memory": (
        lambda b: Resource("g9", MemoryKind.SHARED_RAW, 9, length=4, count=2),
        "resource g9 is an array, but no descriptor",
    ),
    "raw view with a shape": (
        lambda b: Resource("t9", MemoryKind.RAW, 9, shape=ImageShape(2)),
        "resource t9 has a shape, but no texels",
    ),
    "formats of one register": (
        lambda b: b.known(
            Resource("t9", MemoryKind.TYPED, 9), View(formats=("r32_uint", "r16_uint"))
        ),
        "resource t9 has formats, but not one for each of its registers",
    ),
    "formats of a raw view": (
        lambda b: b.known(Resource("t9", MemoryKind.RAW, 9), View(formats=("r32_uint",))),
        "resource t9 has formats, but not one for each of its registers",
    ),
    "indices of shared memory": (
        lambda b: b.known(Resource("g9", MemoryKind.SHARED_RAW, 9, length=4), indexed=True),
        "resource g9 has indices of its only register, but is an array or no descriptor",
    ),
    "indices of the only of two": (
        lambda b: b.known(Resource("t9", MemoryKind.RAW, 9, count=2), indexed=True),
        "resource t9 has indices of its only register, but is an array or no descriptor",
    ),
    "computed indices of x#": (
        lambda b: b.known(
            Resource("x9", MemoryKind.INDEXABLE_TEMP, 9, length=4), Usage(dynamic=True)
        ),
        "resource x9 has indices computed at run time, but is no descriptor",
    ),
    "differing indices of one register": (
        lambda b: b.known(Resource("t9", MemoryKind.RAW, 9), Usage(non_uniform=True)),
        "resource t9 has indices that differ between threads, but is no array",
    ),
    "table of a typed range": (
        lambda b: b.known(Resource("t9", MemoryKind.TYPED, 9, count=2), View(size_table=True)),
        "resource t9 has a table of sizes, but is no array of buffers",
    ),
    "table of one view": (
        lambda b: b.known(Resource("t9", MemoryKind.RAW, 9), View(size_table=True)),
        "resource t9 has a table of sizes, but is no array of buffers",
    ),
    "floats of a raw view": (
        lambda b: Resource("t9", MemoryKind.RAW, 9, component="float"),
        "resource t9 holds texels of floats or signed integers, but is not typed",
    ),
    "structures with components left out": (
        lambda b: b.known(Resource("t9", MemoryKind.STRUCTURED, 9, stride=16), Layout(trimmed=1)),
        "resource t9 has components left out, but no elements of its own",
    ),
    "no component left": (
        lambda b: b.known(
            Resource("x9", MemoryKind.INDEXABLE_TEMP, 9, length=1, components=2), Layout(trimmed=2)
        ),
        "resource x9 has no 1 to 4 components",
    ),
    "atomics on floats": (
        lambda b: b.known(
            Resource("u9", MemoryKind.RAW, 9, is_uav=True), Usage(atomic=True), Layout(floats=True)
        ),
        "resource u9 is an atomic of floats",
    ),
    "two of a name": (
        lambda b: Resource("u0", MemoryKind.RAW, 0),
        "two resources are u0",
    ),
}


@pytest.mark.parametrize("name", RESOURCES)
def test_a_wrong_resource_is_refused(name: str) -> None:
    make, message = RESOURCES[name]
    bench = Bench()
    bench.module.resources = [bench.u0, make(bench)]
    with pytest.raises(VerifyError, match=f"^{message}"):
        verify(bench.finish())


def _sound() -> Module:
    bench = Bench()
    bench.b.udiv(bench.thread(), bench.one)
    bench.do(ops.LOAD_ELEMENT, Access(bench.u6, 2), bench.one, bench.one)
    bench.do(ops.STORE_ELEMENT, Access(bench.u2, 2), bench.one, bench.b.u32(7), bench.one)
    bench.do(ops.STORE, Access(bench.u0, 1), bench.one, *[bench.one] * 4)
    bench.sample(SampleMode.GATHER, bench.one, bench.one, dynamic_offset=True)
    bench.sample(SampleMode.LOD, bench.half, bench.half, clamped=True, offset=(-8, 7))
    bench.do(ops.IMAGE_SIZE, bench.t1, bench.one, gives=X4)
    bench.do(ops.WINDOW_COUNT, bench.u8)
    bench.do(ops.COUNTER_SIZE, bench.u7)
    bench.do(ops.TABLE_COUNT, bench.u9, bench.one)
    bench.do(ops.LOAD, Access(bench.u10, 1), bench.one, bench.one)
    bench.do(ops.CHECK, Check(Access(bench.u7, 0), counter=True))
    bench.b.f_to_s32(bench.b.f32(-2147483648.0))
    return bench.finish()


def test_valid_operations_pass() -> None:
    """The same operations and resources as above, without faults."""
    verify(_sound())
