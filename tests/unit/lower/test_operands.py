"""Operands as values: swizzles, masks, modifiers, saturation, indices, doubles."""

from __future__ import annotations

from translate.ir.verify import verify

from ..ir.building import code, text
from .listing import lowered


def ir(*lines: str) -> str:
    module = lowered(*lines)
    verify(module)
    return code(module)


def test_all_sources_are_read_before_anything_is_written() -> None:
    assert ir("iadd r0.xy, r0.yxxx, l(1, 2, 3, 4)") == text("""
        %0: u32 = read_register (r0.y)
        %1: u32 = iadd %0, 1
        %2: u32 = read_register (r0.x)
        %3: u32 = iadd %2, 2
        write_register %1 (r0.x)
        write_register %3 (r0.y)
        return
        """)


def test_swizzle_is_indexed_by_the_written_component() -> None:
    """r1.z takes the third letter."""
    assert ir("mov r1.z, r2.xyzw") == text("""
        %0: u32 = read_register (r2.z)
        write_register %0 (r1.z)
        return
        """)


def test_float_modifiers_take_the_magnitude_first() -> None:
    assert ir("mul r0.x, -|r1.y|, l(2.0)") == text("""
        %0: f32 = read_register (r1.y)
        %1: f32 = fabs %0
        %2: f32 = fneg %1
        %3: f32 = fmul %2, 2.0f
        write_register %3 (r0.x)
        return
        """)


def test_integer_negation_is_twos_complement() -> None:
    assert ir("iadd r0.x, -r1.x, r1.y") == text("""
        %0: u32 = read_register (r1.x)
        %1: u32 = isub 0, %0
        %2: u32 = read_register (r1.y)
        %3: u32 = iadd %1, %2
        write_register %3 (r0.x)
        return
        """)


def test_moves_negate_bits() -> None:
    """This keeps NaNs and denormals."""
    assert ir("mov r0.x, -r1.x") == text("""
        %0: u32 = read_register (r1.x)
        %1: u32 = ixor %0, 0x80000000
        write_register %1 (r0.x)
        return
        """)


def test_saturate_sends_nan_to_zero() -> None:
    """The maximum with 0 comes first: it gives 0 for a NaN."""
    assert ir("add_sat r0.x, r1.x, r1.y") == text("""
        %0: f32 = read_register (r1.x)
        %1: f32 = read_register (r1.y)
        %2: f32 = fadd %0, %1
        %3: f32 = fmax %2, 0.0f
        %4: f32 = fmin %3, 1.0f
        write_register %4 (r0.x)
        return
        """)


def test_dynamic_index_wraps_with_its_offset() -> None:
    assert ir("mov r0.x, x0[r1.x + 3].y") == text("""
        %0: u32 = read_register (r1.x)
        %1: u32 = iadd %0, 3
        %2: u32 = load %1 (x0.1)
        write_register %2 (r0.x)
        return
        """)


def test_thread_inputs_are_read_once_at_the_start() -> None:
    assert ir("mov r0.x, vThreadID.y", "mov r0.y, vThreadID.y") == text("""
        %0: u32 = input (vThreadID.y)
        write_register %0 (r0.x)
        write_register %0 (r0.y)
        return
        """)


def test_null_destination_takes_nothing() -> None:
    printed = ir("imul null, r0.x, r1.x, r2.x")
    assert printed.count("write_register") == 1
    assert "write_register %3 (r0.x)" in printed


def test_double_lives_in_a_pair() -> None:
    assert ir("dadd r0.zw, r1.zwxy, r2.xyxy") == text("""
        %0: u32 = read_register (r1.x)
        %1: u32 = read_register (r1.y)
        %2: f64 = pack_f64 %0, %1
        %3: u32 = read_register (r2.x)
        %4: u32 = read_register (r2.y)
        %5: f64 = pack_f64 %3, %4
        %6: f64 = fadd %2, %5
        %7: u32 = f64_low %6
        write_register %7 (r0.z)
        %8: u32 = f64_high %6
        write_register %8 (r0.w)
        return
        """)


def test_precise_component() -> None:
    printed = ir("add [precise(x)] r0.xy, r1.xyxx, r1.yxyy")
    assert printed.count("(precise)") == 1


def test_condition_tests_all_bits() -> None:
    printed = ir("if_z r0.x", "nop", "endif")
    assert "ieq %0, 0" in printed
    assert "ine %0, 0" in ir("if_nz r0.x", "nop", "endif")


def test_stores_name_dwords_in_order() -> None:
    assert ir("store_raw u0.xy, l(8), r1.zwzw") == text("""
        %0: u32 = read_register (r1.z)
        %1: u32 = read_register (r1.w)
        store 8, %0, %1 (u0.0)
        return
        """)


def test_load_fetches_each_component_once() -> None:
    """The resource's swizzle selects among the fetched components."""
    assert ir("ld_raw r0.xyz, l(8), t0.ywyx") == text("""
        %0: u32 = load 8 (t0.1)
        %1: u32 = load 8 (t0.3)
        write_register %0 (r0.x)
        write_register %1 (r0.y)
        write_register %0 (r0.z)
        return
        """)
