"""verify: operations that break their rows, one fault each; mostly memory operations."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from translate.errors import NOWHERE, VerifyError
from translate.ir import ops
from translate.ir.memory import Access, ImageShape, MemoryKind, Resource, Site
from translate.ir.types import U32
from translate.ir.values import Module, Value
from translate.ir.verify import verify

from .building import faults, module_of

HEAD = """\
module cs_5_0
temps 8
resource cb0 constants 0 length=4
resource g0 shared_raw 0 length=64
resource s0 sampler 0
resource t0 raw 0
resource t1 typed 1 shape=(2) component=float
resource t2 typed 2 shape=(2 multisampled)
resource t3 typed 3 shape=(2 cube)
resource t4 typed 4
resource u0 raw 0 is_uav
resource u1 structured 1 is_uav stride=12
resource u2 structured 2 is_uav stride=32 nested vectors
resource u3 raw 3 is_uav floats
resource u4 typed 4 is_uav
resource u5 typed 5 is_uav shape=(2) component=float
resource u6 structured 6 is_uav stride=4 count=3
resource u7 structured 7 is_uav stride=4 counter
resource u8 raw 8 is_uav windowed
resource u9 raw 9 is_uav count=3 size_table
resource u10 raw 10 is_uav indexed
resource x0 indexable_temp 0 length=5
resource x1 indexable_temp 1 length=4 components=2
"""

MEMORY = faults("""
store_element true, 1.0d, 1, 1 (u0.0)  ; store_element takes 2 operands, found 4
store_element true, 1 (u0.0)  ; store_element has as operand 0 a bool, where u32 belongs
store_element 1, 1.0d (u0.0)  ; store_element has as operand 1 a f64, where u32 belongs
store_element 1, 1 (u3.0)  ; store_element has as operand 1 a u32, where f32 belongs
%1: u32 = load_element 1 (u3.0)  ; load_element gives a u32, where f32 belongs
%1: u32 = load_element (u0.0)  ; load_element takes 1 operand, found 0
store_element 1, 1 (t0.0)  ; store_element takes writable memory of dwords; t0 is none
store 1, 1 (cb0.0)  ; store takes writable memory of dwords; cb0 is none
%1: u32 = load_element 1 (u5.0)  ; load_element takes memory of dwords; u5 is none
%1: u32 = load 1 (s0.0)  ; load takes memory of dwords; s0 is none
%1: u32 = load 1 (u1.0)  ; load takes 2 operands, found 1
%1: u32 = load 1 (u0.4)  ; load names component 4 of u0, which has 4
%1: u32 = load 1 (x1.2)  ; load names component 2 of x1, which has 2
store 1, 1, 1, 1, 1, 1 (u0.0)  ; store takes 2 to 5 operands, found 6
store 1 (u0.0)  ; store takes 2 to 5 operands, found 1
store 1, 1, 1 (x0.0)  ; store takes 2 operands, found 3
store 1, 0.5f (u0.0)  ; store has as operand 1 a f32, where u32 belongs
%1: u32 = load 1 (u0.0 iadd)  ; load has the operation iadd, but is no atomic
%1: u32 = atomic 1, 1 (u0.0)  ; atomic has the operation '', which no atomic has
%1: u32 = atomic_element 1, 1 (u0.0 nand)  ; atomic_element has the operation 'nand'
%1: u32 = atomic 1, 1 (u0.0 cmp_exch)  ; atomic takes 3 operands, found 2
%1: u32 = atomic_element 1, 1, 1 (u0.0 iadd)  ; atomic_element takes 2 operands, found 3
; atomic_element takes writable dwords of integers that threads share; u3 is none
%1: u32 = atomic_element 1, 1 (u3.0 iadd)
; atomic takes writable memory of integers, or of texels, that threads share; x0 is none
%1: u32 = atomic 1, 1 (x0.0 iadd)
; atomic_texel has the operation 'iadd' of float texels, which have only exch
%1: u32 = atomic_texel 1, 1, 1 (u5.0 iadd)
; atomic_texel takes a UAV of texels of 32 bits; t1 is none
%1: u32 = atomic_texel 1, 1, 1 (t1.0 exch)
%1: f32 = atomic 1, 1 (u0.0 iadd)  ; atomic gives a f32, where u32 belongs
%1: texel.u32 = load_typed 1, 1 (u5.0)  ; load_typed gives a texel.u32, where texel.f32 belongs
%1: texel.f32 = load_texel 1 (u5.0)  ; load_texel takes 2 operands, found 1
%1: texel.f32 = load_texel 1, 1 (t1.0)  ; load_texel takes 3 operands, found 2
%1: texel.u32 = load_typed 1, 1 (t2.0)  ; load_typed takes 3 operands, found 2
; load_typed takes texels that are not of a cube; t3 is none
%1: texel.u32 = load_typed 1, 1, 1 (t3.0)
%1: texel.u32 = load_typed 1 (u0.0)  ; load_typed takes texels that are not of a cube; u0 is none
store_typed 1, 1 (u4.0)  ; store_typed has as operand 1 a u32, where texel.u32 belongs
store_texel 1, texel.u32:0x0 (t4.0)  ; store_texel takes a UAV of texels; t4 is none
%1: u32 = counter_add 1 (u0)  ; counter_add takes a structured UAV with a counter; u0 is none
%1: u32 = counter_add 1 (u1)  ; counter_add takes a structured UAV with a counter; u1 is none
%1: u32 = counter_add (u7)  ; counter_add takes 1 operand, found 0
%1: u32 = counter_size (u1)  ; counter_size takes a structured UAV with a counter; u1 is none
%1: u32 = counter_size 1 (u7)  ; counter_size takes 0 operands, found 1
%1: u32 = table_count 1 (u6)  ; table_count takes an array with a table of sizes; u6 is none
%1: u32 = table_count (u9)  ; table_count takes 1 operand, found 0
%1: u32 = load 1 (u10.0)  ; load takes 2 operands, found 1
check (u1.0 counter)  ; check checks the counter of u1, which has none
%1: u32 = load_element 1 (u6.0)  ; load_element takes 2 operands, found 1
%1: u32 = dword_count 1 (u0)  ; dword_count takes 0 operands, found 1
%1: u32 = dword_count 0.5f (u6)  ; dword_count has as operand 0 a f32, where u32 belongs
%1: u32 = load_element 1 (u2.0)  ; load_element takes 2 operands, found 1
; load_element has as operand 1 a u32, where a constant below 8 belongs
%1: u32 = load_element 1, 8 (u2.0)
; store_element has as operand 1 a u32, where a constant below 8 belongs
store_element 1, %0, 1 (u2.0)
; load_vector has as operand 1 a u32, where a constant below 2 belongs
%1: texel.u32 = load_vector 1, 2 (u2.0)
; load_vector takes vectors, or structures of them; u1 is none
%1: texel.u32 = load_vector 1, 1 (u1.0)
%1: texel.u32 = load_vector 1, 1 (u2.1)  ; load_vector names no vector
store_vector 1, 1, 1 (u2.0)  ; store_vector has as operand 2 a u32, where texel.u32 belongs
%1: u32 = dword_count (u2)  ; dword_count takes a view of dwords; u2 is none
%1: u32 = structure_count (u1)  ; structure_count takes a view of structures; u1 is none
%1: u32 = texel_count (u0)  ; texel_count takes a typed buffer; u0 is none
%1: u32 = element_count (g0)  ; element_count takes a buffer's view; g0 is none
%1: u32 = window_first (u0)  ; window_first takes a resource with a window; u0 is none
%1: u32 = window_count 1 (u8)  ; window_count takes 0 operands, found 1
%1: texel.u32 = image_size (u4)  ; image_size takes an image; u4 is none
%1: texel.u32 = image_size (t1)  ; image_size takes 1 operand, found 0
%1: texel.u32 = image_size 1 (u5)  ; image_size takes 0 operands, found 1
%1: u32 = image_levels (u5)  ; image_levels takes a sampled image of one sample; u5 is none
%1: u32 = image_samples (t1)  ; image_samples takes a multisampled image; t1 is none
%1: texel.f32 = sample 0.5f, 0.5f (t1 s0 lod)  ; sample takes 3 operands, found 2
; sample takes 6 operands, found 5
%1: texel.f32 = sample 0.5f, 0.5f, 0.5f, 0.5f, 0.5f (t1 s0 gradients)
%1: texel.f32 = sample 0.5f, 0.5f, 1 (t1 s0 lod)  ; sample has as operand 2 a u32, where f32 belongs
; sample cannot sample with the mode compare
%1: texel.f32 = sample 0.5f, 0.5f, 0.5f (t1 s0 compare)
%1: texel.f32 = sample 0.5f, 0.5f (t1 s0 gather component=4)  ; sample names component 4 of 4
; sample has the offset (1,) in an image of 2 axes
%1: texel.f32 = sample 0.5f, 0.5f, 0.5f (t1 s0 lod offset=[1])
; sample has the offset (0, 8); offsets are -8 to 7
%1: texel.f32 = sample 0.5f, 0.5f, 0.5f (t1 s0 lod offset=[0, 8])
; sample has offsets as operands, which only a gather has
%1: texel.f32 = sample 0.5f, 0.5f, 0.5f, 1, 1 (t1 s0 lod dynamic_offset)
%1: texel.f32 = sample 0.5f, 0.5f (t1 t1 gather)  ; sample samples with t1, which is no sampler
; sample takes a sampled image of one sample; u5 is none
%1: texel.f32 = sample 0.5f, 0.5f (u5 s0 gather)
; sample_compare cannot sample with the mode lod
%1: f32 = sample_compare 0.5f, 0.5f, 0.5f (t1 s0 lod)
check 1 (s0.0)  ; check takes memory; s0 is none
check 1 (u0.0 components=[1, 0])  ; check has the components (1, 0)
check (u0.0)  ; check takes 1 operand, found 0
report 1, 1, 1 (0)  ; report names site 0 of 0
barrier 1 (shared_memory uav_memory device_scope threads)  ; barrier takes 0 operands, found 1
""")
VALUES = faults("""
%1: u32 = udiv %0, 0  ; udiv is undefined here: the divisor is not 0
%1: u32 = umod %0, 0  ; umod is undefined here
%1: u32 = sshr %0, 32  ; sshr is undefined here: the count is below 32
; bitfield_uextract is undefined here: offset + count is at most 32
%1: u32 = bitfield_uextract %0, 30, 3
%1: u32 = f_to_s32 f32:0x7fc00000  ; f_to_s32 is undefined here: the number fits a signed integer
%1: u32 = f_to_u32 4294967296.0d  ; f_to_u32 is undefined here
%1: u32 = select true, 1, 0.5f  ; select has as operand 2 a f32, where u32 belongs
%1: f32 = bitcast true  ; bitcast has as operand 0 a bool, where u32 or f32 belongs
%1: u32 = extract 1 (0)  ; extract has as operand 0 a u32, where texel
%1: u32 = extract texel.f32:0x0 (0)  ; extract gives a u32, where f32 belongs
%1: u32 = extract texel.u32:0x0 (4)  ; extract names component 4 of 4
%1: texel.i32 = compose 1, 1, 0.5f, 1  ; compose has as operand 2 a f32, where u32 belongs
%1: texel.f32 = compose 0.5f, 0.5f, 0.5f  ; compose takes 4 operands, found 3
%1: u32 = read_register (r8.x)  ; read_register names register 8 of 8
%1: f64 = read_register (r0.x)  ; read_register gives a f64, where u32 or f32 belongs
write_register true (r0.x)  ; write_register has as operand 0 a bool
%1: u32 = input (vCoverage.x)  ; input reads component 0 of vCoverage, which there is not
; input reads component 1 of vThreadIDInGroupFlattened
%1: u32 = input (vThreadIDInGroupFlattened.y)
iadd 1, 1  ; iadd gives a void, where u32 belongs
""")


def with_thread(line: str) -> Module:
    return module_of(f"%0: u32 = input (vThreadID.x)\n{line}\nreturn", HEAD)


def check(module: Module, message: str) -> None:
    with pytest.raises(VerifyError, match=f"^{re.escape(message)}"):
        verify(module)


@pytest.mark.parametrize(("message", "line"), [*MEMORY, *VALUES])
def test_a_wrong_operation_is_refused(message: str, line: str) -> None:
    check(with_thread(line), message)


def test_there_are_many_kinds_of_faults() -> None:
    """Each memory operation is wrong at least once."""
    named = {message.split()[0] for message, _ in MEMORY}
    touching = {op.name for op in ops.OPS.values() if op.memory is not None}
    assert touching - named == set()


# An operation, a change of its attribute that no text can name, and the message
ATTRIBUTES: list[tuple[str, Callable[[Any], object], str]] = [
    ("load 1 (u0.0)", lambda access: None, "load has the attribute None, where access belongs"),
    ("load 1 (u0.0)", lambda access: access.resource, "load has the attribute u0, where access"),
    ("load 1, 1 (u1.0)", lambda access: replace(access, address_count=1),
     "load addresses u1 by 1 operands, where 2 do"),
    ("load_typed 1, 1, 1 (t1.0)", lambda access: replace(access, address_count=3),
     "load_typed addresses t1 by 3 operands, where 2 do"),
    ("check 1, 1 (u7.0 counter)",
     lambda check: replace(check, access=replace(check.access, address_count=2)),
     "check addresses a counter by 2 operands"),
    ("element_count (u0)", lambda resource: Access(resource, 1),
     "element_count has the attribute Access(resource=u0, "),
    ("barrier (threads)", lambda kind: None,
     "barrier has the attribute None, where barrier belongs"),
    ("iadd 1, 1", lambda none: True, "iadd has the attribute True, where none belongs"),
    ("fadd 0.5f, 0.5f", lambda precise: None,
     "fadd has the attribute None, where precise belongs"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "change", "message"), ATTRIBUTES, ids=[a[2] for a in ATTRIBUTES])
def test_a_wrong_attribute_is_refused(
    line: str, change: Callable[[Any], object], message: str
) -> None:
    module = with_thread(line)
    operation = module.body.values[1]
    operation.data = change(operation.data)
    check(module, message)


def test_a_report_without_a_coordinate_is_refused() -> None:
    module = with_thread("report 1, 1, 1 (0)")
    defined = (True, True, False, False)
    site = Site(NOWHERE, "t1", MemoryKind.TYPED, ImageShape(2), defined, coordinates=("y",))
    module.sites.append(site)
    check(module, "report has 3 operands for a site of 4")


@pytest.mark.parametrize(("line", "bits"), [("inot 1", 1 << 32), ("lnot true", 2)])
def test_a_constant_of_too_many_bits_is_refused(line: str, bits: int) -> None:
    module = with_thread(line)
    (constant,) = module.body.values[1].args
    constant.data = bits
    type_ = constant.type.text
    check(module, f"{line[:4]} has operand 0, which cannot be a constant of type {type_}")


@pytest.mark.parametrize("op", [ops.CONST, ops.PARAM], ids=str)
def test_a_block_has_only_operations(op: ops.Op) -> None:
    module = with_thread("inot 1")
    module.body.values.insert(0, Value(op, U32, [], 1, NOWHERE))
    check(module, f"{op.name} stands in a block")


def test_the_message_shows_the_operation() -> None:
    place = '@0 file="a.asm" line=7 column=1\n'
    line = "store_element true, 1.0d, 1 (u0.0) @0"
    head = "module cs_5_0\nresource u0 raw 0 is_uav\n"
    with pytest.raises(VerifyError) as caught:
        verify(module_of(f"{line}\nreturn", head, place))
    assert str(caught.value) == (
        "a.asm:7:1: error: store_element takes 2 operands, found 3\n"
        "   4 |   store_element true, 1.0d, 1 (u0.0)\n"
        "     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    )


RESOURCES = faults("""
resource t9 structured 9  ; resource t9 has structures of no size
resource t9 structured 9 stride=6  ; resource t9 has a stride that is no number of dwords
resource t9 raw 9 length=4  ; resource t9 has a length that the view decides
resource g9 shared_raw 9  ; resource g9 has a length that the view decides, or none
; resource icb has not as many contents as components
resource icb immediate_constants -1 length=1 contents=[1]
resource t9 raw 9 nested  ; resource t9 is nested without structures
resource t9 structured 9 stride=12 nested vectors  ; resource t9 has vectors of no nested structures
; resource u9 has a window, but is neither a buffer nor a 3D UAV
resource u9 typed 9 shape=(2) windowed
; resource t9 has a single sample, but is not multisampled
resource t9 typed 9 shape=(2) single_sample
resource g9 shared_raw 9 length=4 count=2  ; resource g9 is an array, but no descriptor
resource t9 raw 9 shape=(2)  ; resource t9 has a shape, but no texels
; resource t9 has formats, but not one for each of its registers
resource t9 typed 9 formats=[r32_uint, r16_uint]
; resource t9 has formats, but not one for each of its registers
resource t9 raw 9 formats=[r32_uint]
; resource g9 has indices of its only register, but is an array or no descriptor
resource g9 shared_raw 9 length=4 indexed
; resource t9 has indices of its only register, but is an array or no descriptor
resource t9 raw 9 count=2 indexed
; resource x9 has indices computed at run time, but is no descriptor
resource x9 indexable_temp 9 length=4 dynamic
; resource t9 has indices that differ between threads, but is no array
resource t9 raw 9 non_uniform
; resource t9 has a table of sizes, but is no array of buffers
resource t9 typed 9 count=2 size_table
resource t9 raw 9 size_table  ; resource t9 has a table of sizes, but is no array of buffers
; resource t9 holds texels of floats or signed integers, but is not typed
resource t9 raw 9 component=float
; resource t9 has components left out, but no elements of its own
resource t9 structured 9 stride=16 trimmed=1
resource x9 indexable_temp 9 length=1 components=2 trimmed=2  ; resource x9 has no 1 to 4 components
resource u9 raw 9 is_uav atomic floats  ; resource u9 is an atomic of floats
""")


RESOURCES.append(
    ("resource report has structures of no size", "internal report structured 9\nreport report 4")
)


@pytest.mark.parametrize(("message", "lines"), RESOURCES)
def test_a_wrong_resource_is_refused(message: str, lines: str) -> None:
    check(module_of("return", f"module cs_5_0\n{lines}\n"), message)


def test_two_resources_of_a_name_are_refused() -> None:
    module = module_of("return", HEAD)
    module.resources.append(Resource("u0", MemoryKind.RAW, 0))
    check(module, "two resources are u0")


def test_valid_operations_pass() -> None:
    """The same operations and resources as above, without faults."""
    verify(
        with_thread("""
            %1: u32 = udiv %0, 1
            %2: u32 = load_element 1, 1 (u6.0)
            store_element 1, 7, 1 (u2.0)
            store 1, 1, 1, 1, 1 (u0.0)
            %3: texel.f32 = sample 0.5f, 0.5f, 1, 1 (t1 s0 gather dynamic_offset)
            %4: texel.f32 = sample 0.5f, 0.5f, 0.5f, 0.5f (t1 s0 lod offset=[-8, 7] clamped)
            %5: texel.u32 = image_size 1 (t1)
            %6: u32 = window_count (u8)
            %7: u32 = counter_size (u7)
            %8: u32 = table_count 1 (u9)
            %9: u32 = load 1, 1 (u10.0)
            check (u7.0 counter)
            %10: u32 = f_to_s32 -2147483648.0f""")
    )
