"""Errors of lowering: each fault once, with its message and its line."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

import translate

from .listing import HEADER, listing

T4 = "(float,float,float,float) t4"
UINT_T4, SINT_T4 = T4.replace("float", "uint"), T4.replace("float", "sint")
# the lines, of which the marked one or the last is at fault; the message
CASES = [
    ("ld_raw r0.x, l(0), cb0[0].x", "cb is not a buffer"),
    ("else", "else without its if (outside of any)"),
    ("if_nz r0.x; loop; else", "else without its if (inside loop)"),
    ("if_nz r0.x; else; else", "a second else for one if"),
    ("endif", "endif without its if (outside of any)"),
    ("if_nz r0.x; endloop", "endloop without its loop (inside if)"),
    ("endswitch", "endswitch without its switch"),
    ("nop; > if_nz r0.x; ret", "if is never closed"),
    ("> loop; ret", "loop is never closed"),
    ("> switch r0.x; case l(1); ret", "switch is never closed"),
    ("case l(1)", "case without its switch (outside of any)"),
    ("switch r0.x; case l(0); if_nz r0.x; case l(1)", "case without its switch (inside if)"),
    ("default", "default without its switch"),
    ("switch r0.x; case l(1); break; case l(1)", "a second case 1 in one switch"),
    ("switch r0.x; default; break; default", "a second default in one switch"),
    ("switch r0.x; case r1.x", "the label of a case is an immediate"),
    ("break", "break outside of a loop or switch"),
    ("if_nz r0.x; breakc_z r0.x", "breakc outside of a loop or switch"),
    ("switch r0.x; default; continue", "continue outside of a loop"),
    ("continuec_nz r0.x", "continuec outside of a loop"),
    ("if_nz r0.x; " * 64 + "if_nz r0.x", "nested deeper than 64 levels"),
    ("> call label3; ret", "there is no label label3"),
    ("call label0; ret; label label0; > callc_nz r0.x, label0; ret", "label0 calls itself"),
    (
        "call label0; ret; label label0; call label1; ret; label label1; > call label0; ret",
        "label0 calls itself",
    ),
    ("dcl_uav_typed_texturecube (uint,uint,uint,uint) u3", "a UAV cannot be a texturecube"),
    ("ret; label label0; ret; > label label0; ret", "a second label label0"),
    ("> loop; label label0", "loop is never closed"),
    ("mov r4.x, r0.x", "r4 is not declared: dcl_temps 4"),
    ("mov r0.x, r9.x", "r9 is not declared: dcl_temps 4"),
    ("ld_raw r0.x, r0.x, t3.x", "t3 is not declared"),
    ("mov r0.x, x5[0].x", "x5 is not declared"),
    ("mov r0.x, cb2[0].x", "cb2 is not declared"),
    ("mov r0.x, icb[r0.x + 0].x", "icb is not declared"),
    ("dcl_resource_raw t3; iadd r0.x, r0.x, t3.x", "t cannot be read here"),
    ("iadd r0.x, r0.x, u0.x", "u cannot be read here"),
    ("iadd r0.x, g0.x, r0.x", "g cannot be read here"),
    ("sample_l r0.xyzw, r0.xyxx, t1.xyzw, s4, l(0)", "s4 is not declared"),
    ("mov x0[1].z, r0.x", "x0 has 2 components"),
    ("mov r0.x, x0[1].w", "x0 has 2 components"),
    (
        "store_raw u0.xz, r0.x, r0.xyzw",
        "store_raw takes the write masks .x .xy .xyz .xyzw, not .xz",
    ),
    (
        "store_structured u1.y, r0.x, l(0), r0.xyzw",
        "store_structured takes the write masks .x .xy .xyz .xyzw, not .y",
    ),
    ("store_uav_typed u2.x, r0.xxxx, r0.xyzw", "store_uav_typed writes .xyzw"),
    ("store_raw t0.x, r0.x, r0.x", "t0 is read-only"),
    ("ld_raw r0.x, r0.x, u1.x", "ld_raw on u1, which is structured"),
    ("ld_structured r0.x, r0.x, l(0), t0.x", "ld_structured on t0, which is raw"),
    ("ld r0.xyzw, r0.xyzw, t0.xyzw", "ld on t0, which is raw"),
    ("ldms r0.xyzw, r0.xyzw, t1.xyzw, l(0)", "ldms on t1, which is a texture2d"),
    ("atomic_iadd u2, r0.x, r0.x", "atomic_iadd needs uint or sint; u2 holds floats"),
    ("atomic_iadd t0, r0.x, r0.x", "t0 is read-only"),
    ("imm_atomic_alloc r0.x, u0", "u0 has no hidden counter"),
    ("sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)", "sample_l on t0, which is a raw"),
    ("bufinfo r0.x, g0.x", "bufinfo on g0, which is a shared raw"),
    (
        f"dcl_resource_texture3d {T4}; gather4 r0.xyzw, r0.xyzw, t4.xyzw, s0.x",
        "gather4 on t4, which is a texture3d",
    ),
    (
        f"dcl_resource_texture1darray {T4}; gather4_c r0.xyzw, r0.xyzw, t4.xxxx, s0.x, r0.x",
        "gather4_c on t4, which is a texture1darray",
    ),
    (
        f"dcl_resource_texturecube {T4}; gather4_po r0.xyzw, r0.xyzw, r0.xyxx, t4.xyzw, s0.x",
        "gather4_po on t4, which is a texturecube",
    ),
    (
        f"dcl_resource_texture3d {T4}; sample_c_lz r0.x, r0.xyzw, t4.xxxx, s0, r0.x",
        "sample_c_lz on t4, which is a texture3d",
    ),
    (
        f"dcl_resource_texture2d {UINT_T4}; sample_c_lz r0.x, r0.xyxx, t4.xxxx, s0, r0.x",
        "a comparison needs floats; t4 holds uint",
    ),
    (
        f"dcl_resource_texture2d {SINT_T4}; "
        "gather4_po_c r0.x, r0.xyxx, r0.xyxx, t4.xxxx, s0.x, r0.x",
        "a comparison needs floats; t4 holds sint",
    ),
    (
        f"dcl_resource_texturecubearray {T4}; "
        "sample_l_aoffimmi(0,1,0) r0.xyzw, r0.xyzw, t4.xyzw, s0, r0.x",
        "an offset on t4, which is a cube",
    ),
    ("dadd r0.x, r0.xyxy, r0.xyxy", "a double is written to .xy, .zw"),
]


@pytest.mark.parametrize(("text", "message"), CASES)
def test_fault_is_named_with_its_line(text: str, message: str) -> None:
    lines = text.split("; ")
    at = next((n for n, line in enumerate(lines) if line.startswith("> ")), len(lines) - 1)
    lines[at] = lines[at].removeprefix("> ")
    with pytest.raises(translate.ProgramError) as caught:
        translate.to_spirv(translate.load(listing(*lines)))
    assert message in caught.value.message
    assert caught.value.where.line == len(HEADER) + 1 + at
    assert lines[at] in str(caught.value)


@pytest.mark.parametrize("levels", [32, 33])
def test_calls_nest_to_32_levels(levels: int) -> None:
    bodies = (f"label label{n}\ncall label{n + 1}\nret" for n in range(levels - 1))
    last = f"label label{levels - 1}"
    program = translate.load(listing("call label0", "ret", *bodies, last, "ret"))
    with nullcontext() if levels == 32 else pytest.raises(translate.ProgramError, match="32"):
        translate.to_spirv(program, translate.Options(validate=False))


def test_missing_declaration() -> None:
    text = "\n".join(line for line in (*HEADER, "ret") if "dcl_thread_group" not in line)
    with pytest.raises(translate.ProgramError, match="the program has no dcl_thread_group"):
        translate.to_spirv(translate.load(text))


@pytest.mark.parametrize(
    ("ranges", "twice"),
    [
        (("T0[0:3]", "T1[4:5]"), None),
        (("T0[4:5]", "T1[0:3]", "T2[6:*]"), None),
        (("T0[0:3]", "T1[3:5]"), "t3"),
        (("T0[3:5]", "T1[0:3]"), "t0"),
        (("T0[0:9]", "T1[4:4]"), "t4"),
        (("T0[4:4]", "T1[0:9]"), "t0"),
        (("T0[4:*]", "T1[900:900]"), "t900"),
        (("T0[900:900]", "T1[4:*]"), "t4"),
    ],
)
def test_ranges_that_meet(ranges: tuple[str, ...], twice: str | None) -> None:
    lines = (f"dcl_resource_raw {place}, space=1" for place in ranges)
    program = translate.load("\n".join(("cs_5_1", *lines, "dcl_thread_group 1, 1, 1", "ret\n")))
    if twice is None:
        translate.to_spirv(program, translate.Options(validate=False))
        return
    with pytest.raises(translate.ProgramError, match=f"{twice}_space1 is declared twice"):
        translate.to_spirv(program)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dcl_uav_raw u0", "u0 is declared twice"),
        ("dcl_resource_structured t7, 6", "a stride must be a multiple of 4 from 4 to 2048, not 6"),
        ("dcl_resource_structured t7, 0", "a stride must be a multiple of 4 from 4 to 2048, not 0"),
        ("dcl_tgsm_raw g1, 30", "in steps of 4, not 30"),
        ("dcl_tgsm_structured g1, 8, 5000", "not 5000 of 8"),
        ("dcl_thread_group 2, 2, 2", "the thread group is declared twice"),
        ("dcl_thread_group 33, 32, 1", "a thread group of 33 x 32 x 1"),
        ("dcl_thread_group 41, 25, 1", "a thread group of 41 x 25 x 1"),
        ("dcl_thread_group 1, 1, 65", "a thread group of 1 x 1 x 65"),
        ("dcl_constantbuffer CB3[4097], immediateIndexed", "at most 4096 vectors, not 4097"),
        ("dcl_temps 4097", "at most 4096 temporaries, not 4097"),
        ("dcl_indexableTemp x3[0], 4", "is not an indexable temporary"),
        ("dcl_indexableTemp x1[4089], 1", "r# and x# take 4097 registers in all; D3D allows 4096"),
        ("dcl_tgsm_raw g1, 32768", "g# takes 32832 bytes in all"),
    ],
)
def test_wrong_declaration(line: str, message: str) -> None:
    with pytest.raises(translate.ProgramError, match=message.replace("(", r"\(")):
        translate.to_spirv(translate.load(listing(line, "ret")))


def test_all_temporaries_that_d3d_allows() -> None:
    program = translate.load(listing("dcl_indexableTemp x1[4088], 4", "ret"))
    assert len(translate.to_spirv(program).words)


def test_more_resources_than_a_shader_needs() -> None:
    """Each is looked up among all of them."""
    rows = [f"dcl_uav_raw U{n}[{n}:{n}], space=0\n" for n in range(1001)]
    head, end = "cs_5_1\n", "dcl_thread_group 1, 1, 1\nret\n"
    unchecked = translate.Options(validate=False)
    translate.to_spirv(translate.load(head + "".join(rows[:1000]) + end), unchecked)
    with pytest.raises(translate.ProgramError, match="1000") as caught:
        translate.to_spirv(translate.load(head + "".join(rows) + end), unchecked)
    assert caught.value.where.line == 1002
