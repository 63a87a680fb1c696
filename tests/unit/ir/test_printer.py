"""The IR as text."""

from __future__ import annotations

import pytest

from translate.ir.builder import Builder
from translate.ir.constants import constant_text
from translate.ir.memory import Access, Report, Resource
from translate.ir.printer import print_module
from translate.ir.tables import Usage
from translate.ir.types import F32, F64
from translate.ir.values import Block

from .building import Small, code, module_of, text


def test_head_names_resources_and_their_use() -> None:
    small = Small()
    small.known(small.u1, Usage(counter=True, written=True))
    small.module.resources += [small.u1, small.g0]
    assert print_module(small.finish()) == (
        "module cs_5_0\n"
        "temps 8\n"
        "resource u1 structured 1 is_uav stride=12 counter written\n"
        "resource g0 shared_raw 0 length=64\n"
        "function main {\n"
        "  return\n"
        "}\n"
    )


def test_head_names_the_buffer_of_reports() -> None:
    small = Small()
    small.module.report = Report(small.u0, 5, {small.t0: 4})
    small.module.resources.append(small.t0)
    small.known(small.t0, Usage(dynamic=True), indexed=True)
    assert print_module(small.finish()) == (
        "module cs_5_0\n"
        "temps 8\n"
        "resource t0 raw 0 dynamic indexed\n"
        "internal u0 raw 0 is_uav\n"
        "report u0 5\n"
        "shortfall t0 4\n"
        "function main {\n"
        "  return\n"
        "}\n"
    )


def test_values_are_numbered_in_order() -> None:
    small = Small()
    total = small.b.iadd(small.thread(), small.b.u32(70000))
    small.b.write_register(5, small.b.fneg(small.b.bitcast(F32, total)))
    assert code(small.finish()) == text("""
        %0: u32 = input (vThreadID.x)
        %1: u32 = iadd %0, 0x11170
        %2: f32 = bitcast %1
        %3: f32 = fneg %2
        write_register %3 (r1.y)
        return
        """)


def test_precise_operations_say_so() -> None:
    small = Small()
    small.b.precise = True
    small.b.fadd(small.b.f32(0.5), small.b.f32(-1.0))
    assert "fadd 0.5f, -1.0f (precise)" in code(small.finish())


def test_accesses_name_register_component_and_operation() -> None:
    small = Small()
    access = Access(small.u1, 2, 0, "iadd")
    small.b.atomic(access, [small.b.u32(1), small.b.u32(4)], [small.b.u32(2)])
    small.b.load(Access(small.u0, 1, 3), [small.b.u32(0)])
    assert code(small.finish()) == text("""
        %0: u32 = atomic 1, 4, 2 (u1.0 iadd)
        %1: u32 = load 0 (u0.3)
        return
        """)


def test_switch_with_parameters_and_results() -> None:
    switch = """\
%0: u32 = input (vThreadID.x)
switch %0, 2.0f case 1, 4294967295 {
  fall_through 1.0f
} case default (%1: f32) {
  break %1
} -> %2: f32
return
"""
    assert code(module_of(switch)) == switch


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (lambda b: b.u32(65535), "65535"),
        (lambda b: b.u32(65536), "0x10000"),
        (lambda b: b.bool(True), "true"),
        (lambda b: b.f32(-0.0), "-0.0f"),
        (lambda b: b.constant(F32, 0x7F800000), "inff"),
        (lambda b: b.constant(F64, 0x3FF8000000000000), "1.5d"),
    ],
)
def test_constants(value: object, expected: str) -> None:
    assert callable(value)
    assert constant_text(value(Builder(Block()))) == expected


def test_resource_shows_as_its_register() -> None:
    small = Small()
    assert isinstance(small.u0, Resource)
    assert repr(small.u0) == "u0"
