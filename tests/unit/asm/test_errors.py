"""The errors of wrong listings, and the position of the caret."""

from __future__ import annotations

import pytest

import translate
from translate.asm import parse_listing
from translate.errors import AssemblyError, UnsupportedError

# a line after the profile, the message, and the text above the caret
LINES = [
    ("mvo r0.x, r1.x", "unknown instruction 'mvo'; did you mean mov?", "mvo"),
    ("ld_structred r0.x, r1.x, l(0), t0.xxxx",
     "unknown instruction 'ld_structred'; did you mean ld_structured?", "ld_structred"),
    ("qqq r0.x", "unknown instruction 'qqq'", "qqq"),
    ("iadd_sat r0.x, r1.x, r2.x", "iadd has no suffix '_sat'", "iadd_sat"),
    ("if r0.x", "if needs a test: if_z or if_nz", "if"),
    ("  iadd r0.xyz, r1.xyq, l(1)", "a swizzle has one or four letters of xyzw, got 'xyq'", "xyq"),
    ("mov r0.x, r1.xyzwx", "a swizzle has one or four letters of xyzw, got 'xyzwx'", "xyzwx"),
    ("mov r0.x, cb0[r1.xy].x", "a swizzle has one or four letters of xyzw, got 'xy'", "xy"),
    ("mov r0.x, r1.xyzq", "a swizzle has one or four letters of xyzw, got 'xyzq'", "xyzq"),
    ("mov r0.yx, r1.x", "a write mask has letters of xyzw in this order, got 'yx'", "yx"),
    ("mov r0, r1.x", "r0 needs a write mask such as .xyzw", "r0"),
    ("mov r0.x, r1", "r1 needs a swizzle such as .xyzw", "r1"),
    ("imul r0.x, r1.x, r2.x", "imul takes 4 operands, found 3", "r0.x, r1.x, r2.x"),
    ("ret r0.x", "ret takes 0 operands, found 1", "r0.x"),
    ("mov r0.x, , r1.x", "expected an operand", ","),
    ("mov r0.x, q1.x", "unknown register 'q'", "q"),
    ("mov r0.x, |r1.x", "the second '|' of the absolute value is missing", "|r1.x"),
    ("mov r0.x, cb0.x", "cb takes 2 indices, found 1", "cb0.x"),
    ("mov r0.x, x0[r1].x", "the index r1 needs a component such as .x", "r1"),
    ("mov r0.x, x0[2.x", "the index is not closed by ']'", "[2.x"),
    ("mov r0.x, x0[x0[x0[x0[x0[r0.x].x].x].x].x].x", "indices nest deeper than 4", "r0.x"),
    ("mov r0.x, r1.x {min8f}",
     "unknown precision 'min8f'; there are def32, min16f, min2_8f, min16i, min16u", "min8f"),
    ("mov r0.x, l(4294967296)", "'4294967296' does not fit into 32 bits", "4294967296"),
    ("mov r0.x, l(1e39)", "'1e39' is out of a float's range", "1e39"),
    ("mov r0.x, l(one)", "'one' is not a number", "one"),
    ("mov r0.xy, l(1, 2)", "an immediate has one or four components, found 2", "1, 2"),
    ("mul [precise(q)] r0.x, r1.x, r2.x", "[precise] names components of xyzw, got 'q'", "q"),
    ("ld_indexable(texture9d)(float,float,float,float) r0.x, r1.x, t0.x",
     "unknown dimension 'texture9d'", "texture9d"),
    ("ld_indexable(texture2d)(float,float,half,float) r0.x, r1.x, t0.x",
     "unknown return type 'half'; there are unorm, snorm, sint, uint, float, mixed, double, "
     "<continued>, <unused>", "half"),
    ("ld_aoffimmi(8,0,0) r0.x, r1.x, t0.x",
     "_aoffimmi takes three offsets from -8 to 7, got '8,0,0'", "8,0,0"),
    ("ld_indexable r0.x, r1.x, t0.x",
     "expected a group in parentheses after the mnemonic", " "),
    ("{", "expected an instruction, found '{'", "{"),
    ("dcl_resource_texture4d (float,float,float,float) t0",
     "'dcl_resource_texture4d' has no known resource dimension; did you mean "
     "dcl_resource_texture3d?", "dcl_resource_texture4d"),
    ("dcl_resource_texture2d (float,float,float) t0",
     "expected four return types, found 3", "float,float,float"),
    ("dcl_constantbuffer CB0[1], immediate",
     "expected immediateIndexed or dynamicIndexed, found 'immediate'", "immediate"),
    ("mov r0.x, r1.x r2.x",
     "expected a swizzle or the operand's end, found '.x r2.x'", ".x r2.x"),
    ("mov(a) r0.x, r1.x", "only _aoffimmi and _indexable take parentheses", "("),
    ("dcl_uav_structured u0, 4, space=1", "register spaces need cs_5_1", ", space=1"),
    ("dcl_thread_group 1, 2", "expected ',', found the line's end", ""),
    ("mov r0.x, +|r1.x|", "expected an operand, found '+|r1.x|'", "+|r1.x|"),
    ("dcl_temps many", "'many' is not a number", "many"),
    ("dcl_temps nan", "'nan' is not an integer", "nan"),
    ("dcl_indexableTemp x0[1e1], 4", "'1e1' is not an integer", "1e1"),
    ("dcl_temps 1 2", "unexpected '2' after dcl_temps", "2"),
    ("dcl_globalFlags refactoringAllowed | fast", "unknown global flag 'fast'", "fast"),
    ("dcl_sampler s0, mode_x",
     "unknown sampler mode 'mode_x'; there are mode_default, mode_comparison, mode_mono",
     "mode_x"),
    ("dcl_immediateConstantBuffer { { 1, 2, 3} }", "a vector has 4 components, found 3", "}"),
    ("fcall fp0[0][r0.x]", "the call site must be a number", "fp0[0][r0.x]"),
    ("fcall fp[r0.x][0][0]", "fp takes a number as its first index", "fp[r0.x][0][0]"),
    ("fcall r0.x", "fcall takes fp, found r", "r0.x"),
    ("fcall null", "fcall takes fp, found null", "null"),
    ("call r0.x", "call takes label or fb, found r", "r0.x"),
    ("label l(0)", "label takes label or fb, found l", "l(0)"),
    ("dcl_resource_raw x0[0]", "dcl_resource_raw takes t, found x", "x0[0]"),
    ("dcl_resource_raw t[r0.x]", "dcl_resource_raw takes numbers as indices", "t[r0.x]"),
    ("dcl_uav_structured g0, 4", "dcl_uav_structured takes u, found g", "g0"),
    ("dcl_tgsm_raw u0, 4", "dcl_tgsm_raw takes g, found u", "u0"),
    ("dcl_sampler t0, mode_default", "dcl_sampler takes s, found t", "t0"),
    ("mov r[r1.x].x, r0.x", "r takes a number as its first index", "r[r1.x].x"),
    ("mov r0.x, x[r1.x][0].x", "x takes a number as its first index", "x[r1.x][0].x"),
    ("mov r0.x, x0[r[r1.x].x].x", "r takes a number as its first index", "x0[r[r1.x].x].x"),
    ("store_raw u[r0.x].x, r0.x, r0.x", "u takes a number as its first index", "u[r0.x].x"),
    ("mov r0.x, cb0[4294967296].x", "an index has 32 bits, found 4294967296",
     "cb0[4294967296].x"),
    ("mov r0.x, cb0[r0.x + 8589934592].x", "an index has 32 bits, found 8589934592",
     "cb0[r0.x + 8589934592].x"),
    ("dcl_resource_raw t4294967296", "an index has 32 bits, found 4294967296", "t4294967296"),
    ("mov r0.x, this[0][1].x", "this takes 1 index, found 2", "this[0][1].x"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "message", "marked"), LINES)
def test_message_and_place(line: str, message: str, marked: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_listing(f"cs_5_0\ndcl_temps 2\n{line}\nret \n", "a.asm")
    error = caught.value
    assert error.message == message
    where = error.where
    assert (where.file, where.line) == ("a.asm", 3)
    assert error.source_line == line
    column = where.column
    assert column is not None
    assert line[column - 1 : column - 1 + where.length] == marked


def test_error_names_instruction_and_mnemonic() -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_listing("cs_5_0\ndcl_temps 1\nnop \nmov_sat r0.x\n", None)
    assert (caught.value.where.instruction, caught.value.where.mnemonic) == (1, "mov")


@pytest.mark.parametrize(
    ("end", "message", "place"),
    [
        (",\n    { 1, x, 3, 4} }", "'x' is not a number", (3, 10, 1)),
        (",", "the immediate constant buffer is not closed by '}'", (2, 1, 27)),
    ],
)
def test_place_in_lines_of_an_immediate_constant_buffer(
    end: str, message: str, place: tuple[int, ...]
) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_listing(f"cs_5_0\ndcl_immediateConstantBuffer {{ {{ 1, 2, 3, 4}}{end}\n", None)
    error, where = caught.value, caught.value.where
    assert (error.message, (where.line, where.column, where.length)) == (message, place)
    assert (error.source_line or "").endswith(end.rpartition("\n")[2])


EXPECTED = "the first line of a listing should be a profile such as cs_5_0, found "


@pytest.mark.parametrize(
    ("listing", "found", "line"),
    [
        ("", "no code at all", 1),
        ("// only a comment\n", "no code at all", 1),
        ("dcl_temps 1\nret \n", "'dcl_temps 1'", 1),
        ("mov r0.x, r1.x\nret \n", "'mov r0.x, r1.x'", 1),
        ("// HLSL\nRWBuffer<float> u;\n", "text that is not a listing", 2),
        ("\n\n  Lorem ipsum dolor sit amet, consectetur\n", "text that is not a listing", 3),
        ("\x00\x01\x02", "text that is not a listing", 1),
        ("// head\ndcl_temps 1\n", "'dcl_temps 1'", 2),
        ("root:x:0:0:root\n", "text that is not a listing", 1),
        ("and the password is r0\n", "text that is not a listing", 1),
        ("# key = 1\n", "no code at all", 1),
        ("ret: r0\n", "text that is not a listing", 1),
        ("// key\n", "no code at all", 1),
    ],
)  # fmt: skip
def test_not_a_listing(listing: str, found: str, line: int) -> None:
    """The line is shown if it is a statement, and otherwise not: the file may be secret."""
    with pytest.raises(AssemblyError) as caught:
        parse_listing(listing, None)
    assert caught.value.message == EXPECTED + found
    assert caught.value.where.line == line
    assert caught.value.source_line == (found.strip("'") if found.startswith("'") else None)


@pytest.mark.parametrize(
    "text",
    [
        "RWBuffer<float> u;\nvoid main(uint3 id : SV_DispatchThreadID)\n{\n    u[id.x] = 1;\n}\n",
        "#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }\n",
    ],
    ids=["hlsl", "glsl"],
)
def test_a_program_without_numthreads(text: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        translate.load(text)
    assert caught.value.message == (
        f"{EXPECTED}text that is not a listing; nor is it HLSL of a compute shader: no function has"
        " [numthreads(X, Y, Z)]"
    )


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ("ps_5_0", "ps_5_0 is a pixel shader; only compute shaders are translated"),
        ("vs_4_0_level_9_1",
         "vs_4_0_level_9_1 is a vertex shader; only compute shaders are translated"),
        ("gs_4_0", "gs_4_0 is a geometry shader; only compute shaders are translated"),
        ("hs_5_0", "hs_5_0 is a hull shader; only compute shaders are translated"),
        ("ds_5_1", "ds_5_1 is a domain shader; only compute shaders are translated"),
        ("cs_6_0", "'cs_6_0': only Shader Model 4.0, 4.1, 5.0 and 5.1 are supported"),
        ("cs_3_0", "'cs_3_0': only Shader Model 4.0, 4.1, 5.0 and 5.1 are supported"),
    ],
)  # fmt: skip
def test_another_stage_or_model(profile: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        parse_listing(f"// head\n{profile}\nret \n", "a.asm")
    assert caught.value.message == message
    assert (caught.value.where.line, caught.value.where.column) == (2, 1)
    assert caught.value.source_line == profile
