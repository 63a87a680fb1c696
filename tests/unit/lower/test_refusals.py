"""Errors of lowering: each fault once, with its message and its line."""

from __future__ import annotations

import pytest

import translate

from .listing import HEADER, listing

NESTED = tuple("if_nz r0.x" for _ in range(65))

# lines, the line at fault (from 0), the message
CASES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "load from a constant buffer": (("ld_raw r0.x, l(0), cb0[0].x",), 0, "cb is not a buffer"),
    "else without if": (("else",), 0, "else without its if (outside of any)"),
    "else in a loop": (
        ("if_nz r0.x", "loop", "else"), 2, "else without its if (inside loop)",
    ),
    "two elses": (("if_nz r0.x", "else", "else"), 2, "a second else for one if"),
    "endif without if": (("endif",), 0, "endif without its if (outside of any)"),
    "endloop closes an if": (("if_nz r0.x", "endloop"), 1, "endloop without its loop (inside if)"),
    "endswitch without switch": (("endswitch",), 0, "endswitch without its switch"),
    "open if": (("nop", "if_nz r0.x", "ret"), 1, "if is never closed"),
    "open loop": (("loop", "ret"), 0, "loop is never closed"),
    "open switch": (("switch r0.x", "case l(1)", "ret"), 0, "switch is never closed"),
    "case outside": (("case l(1)",), 0, "case without its switch (outside of any)"),
    "case in an if": (
        ("switch r0.x", "case l(0)", "if_nz r0.x", "case l(1)"), 3,
        "case without its switch (inside if)",
    ),
    "default outside": (("default",), 0, "default without its switch"),
    "two equal cases": (
        ("switch r0.x", "case l(1)", "break", "case l(1)"), 3, "a second case 1 in one switch",
    ),
    "two defaults": (
        ("switch r0.x", "default", "break", "default"), 3, "a second default in one switch",
    ),
    "case of a register": (("switch r0.x", "case r1.x"), 1, "the label of a case is an immediate"),
    "break outside": (("break",), 0, "break outside of a loop or switch"),
    "breakc in an if": (("if_nz r0.x", "breakc_z r0.x"), 1, "breakc outside of a loop or switch"),
    "continue in a switch": (
        ("switch r0.x", "default", "continue"), 2, "continue outside of a loop",
    ),
    "continuec outside": (("continuec_nz r0.x",), 0, "continuec outside of a loop"),
    "too deep": (NESTED, 64, "nested deeper than 64 levels"),
    "call to nothing": (("call label3", "ret"), 0, "there is no label label3"),
    "recursion": (
        ("call label0", "ret", "label label0", "callc_nz r0.x, label0", "ret"), 3,
        "label0 calls itself",
    ),
    "recursion by two": (
        ("call label0", "ret", "label label0", "call label1", "ret", "label label1", "call label0",
         "ret"), 6,
        "label0 calls itself",
    ),
    "a UAV of a cube": (
        ("dcl_uav_typed_texturecube (uint,uint,uint,uint) u3",), 0, "a UAV cannot be a texturecube",
    ),
    "two equal labels": (
        ("ret", "label label0", "ret", "label label0", "ret"), 3, "a second label label0",
    ),
    "label within a loop": (("loop", "label label0"), 0, "loop is never closed"),
    "undeclared temporary": (("mov r4.x, r0.x",), 0, "r4 is not declared: dcl_temps 4"),
    "undeclared source": (("mov r0.x, r9.x",), 0, "r9 is not declared: dcl_temps 4"),
    "undeclared buffer": (("ld_raw r0.x, r0.x, t3.x",), 0, "t3 is not declared"),
    "undeclared x#": (("mov r0.x, x5[0].x",), 0, "x5 is not declared"),
    "undeclared cb#": (("mov r0.x, cb2[0].x",), 0, "cb2 is not declared"),
    "undeclared icb": (("mov r0.x, icb[r0.x + 0].x",), 0, "icb is not declared"),
    "a buffer as a number": (
        ("dcl_resource_raw t3", "iadd r0.x, r0.x, t3.x"), 1, "t cannot be read here",
    ),
    "a UAV as a number": (("iadd r0.x, r0.x, u0.x",), 0, "u cannot be read here"),
    "group-shared memory as a number": (
        ("iadd r0.x, g0.x, r0.x",), 0, "g cannot be read here",
    ),
    "undeclared sampler": (
        ("sample_l r0.xyzw, r0.xyxx, t1.xyzw, s4, l(0)",), 0, "s4 is not declared",
    ),
    "third component of an x# of two": (("mov x0[1].z, r0.x",), 0, "x0 has 2 components"),
    "fourth read of an x# of two": (("mov r0.x, x0[1].w",), 0, "x0 has 2 components"),
    "store with a gap": (
        ("store_raw u0.xz, r0.x, r0.xyzw",), 0,
        "store_raw takes the write masks .x .xy .xyz .xyzw, not .xz",
    ),
    "structured store of .y": (
        ("store_structured u1.y, r0.x, l(0), r0.xyzw",), 0,
        "store_structured takes the write masks .x .xy .xyz .xyzw, not .y",
    ),
    "typed store of .x": (
        ("store_uav_typed u2.x, r0.xxxx, r0.xyzw",), 0, "store_uav_typed writes .xyzw",
    ),
    "store to t#": (("store_raw t0.x, r0.x, r0.x",), 0, "t0 is read-only"),
    "raw load of a structured buffer": (
        ("ld_raw r0.x, r0.x, u1.x",), 0, "ld_raw on u1, which is structured",
    ),
    "structured load of a raw buffer": (
        ("ld_structured r0.x, r0.x, l(0), t0.x",), 0, "ld_structured on t0, which is raw",
    ),
    "typed load of a raw buffer": (("ld r0.xyzw, r0.xyzw, t0.xyzw",), 0, "ld on t0, which is raw"),
    "multisampled load of one sample": (
        ("ldms r0.xyzw, r0.xyzw, t1.xyzw, l(0)",), 0, "ldms on t1, which is a texture2d",
    ),
    "atomic on floats": (
        ("atomic_iadd u2, r0.x, r0.x",), 0, "an atomic needs uint or sint; u2 holds floats",
    ),
    "atomic on t#": (("atomic_iadd t0, r0.x, r0.x",), 0, "t0 is read-only"),
    "counter of a raw buffer": (("imm_atomic_alloc r0.x, u0",), 0, "u0 has no hidden counter"),
    "sample of a buffer": (
        ("sample_l r0.xyzw, r0.xyxx, t0.xyzw, s0, l(0)",), 0, "sample_l on t0, which is a raw",
    ),
    "size of group-shared memory": (
        ("bufinfo r0.x, g0.x",), 0, "bufinfo on g0, which is a shared raw",
    ),
    "gather from a volume": (
        ("dcl_resource_texture3d (float,float,float,float) t4",
         "gather4 r0.xyzw, r0.xyzw, t4.xyzw, s0.x"), 1,
        "gather4 on t4, which is a texture3d",
    ),
    "gather in one dimension": (
        ("dcl_resource_texture1darray (float,float,float,float) t4",
         "gather4_c r0.xyzw, r0.xyzw, t4.xxxx, s0.x, r0.x"), 1,
        "gather4_c on t4, which is a texture1darray",
    ),
    "gather with offsets of a cube": (
        ("dcl_resource_texturecube (float,float,float,float) t4",
         "gather4_po r0.xyzw, r0.xyzw, r0.xyxx, t4.xyzw, s0.x"), 1,
        "gather4_po on t4, which is a texturecube",
    ),
    "comparison in a volume": (
        ("dcl_resource_texture3d (float,float,float,float) t4",
         "sample_c_lz r0.x, r0.xyzw, t4.xxxx, s0, r0.x"), 1,
        "sample_c_lz on t4, which is a texture3d",
    ),
    "comparison of integers": (
        ("dcl_resource_texture2d (uint,uint,uint,uint) t4",
         "sample_c_lz r0.x, r0.xyxx, t4.xxxx, s0, r0.x"), 1,
        "a comparison needs floats; t4 holds uint",
    ),
    "gathered comparison of integers": (
        ("dcl_resource_texture2d (sint,sint,sint,sint) t4",
         "gather4_po_c r0.x, r0.xyxx, r0.xyxx, t4.xxxx, s0.x, r0.x"), 1,
        "a comparison needs floats; t4 holds sint",
    ),
    "an offset on a cube": (
        ("dcl_resource_texturecubearray (float,float,float,float) t4",
         "sample_l_aoffimmi(0,1,0) r0.xyzw, r0.xyzw, t4.xyzw, s0, r0.x"), 1,
        "an offset on t4, which is a cube",
    ),
    "double to .x": (("dadd r0.x, r0.xyxy, r0.xyxy",), 0, "a double is written to .xy, .zw"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_fault_is_named_with_its_line(name: str) -> None:
    lines, at, message = CASES[name]
    with pytest.raises(translate.ProgramError) as caught:
        translate.to_spirv(translate.load(listing(*lines)))
    assert message in caught.value.message
    assert caught.value.where.line == len(HEADER) + 1 + at
    assert lines[at] in str(caught.value)


def test_calls_deeper_than_32_levels_are_refused() -> None:
    """33 subroutines, each calling the next; 32 are allowed."""
    for count, good in ((32, True), (33, False)):
        lines = ["call label0", "ret"]
        for number in range(count):
            call = [f"call label{number + 1}"] if number < count - 1 else []
            lines += [f"label label{number}", *call, "ret"]
        program = translate.load(listing(*lines))
        if good:
            translate.to_spirv(program, translate.Options(validate=False))
            continue
        with pytest.raises(translate.ProgramError, match="32"):
            translate.to_spirv(program)


@pytest.mark.parametrize(
    ("without", "message"),
    [("dcl_thread_group 8, 1, 1", "the program has no dcl_thread_group")],
)
def test_missing_declaration(without: str, message: str) -> None:
    text = "\n".join(line for line in (*HEADER, "ret") if line != without) + "\n"
    with pytest.raises(translate.ProgramError, match=message):
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
    text = "\n".join((*HEADER, line, "ret")) + "\n"
    with pytest.raises(translate.ProgramError, match=message.replace("(", r"\(")):
        translate.to_spirv(translate.load(text))


def test_all_temporaries_that_d3d_allows() -> None:
    text = "\n".join((*HEADER, "dcl_indexableTemp x1[4088], 4", "ret")) + "\n"
    assert len(translate.to_spirv(translate.load(text)).words)
