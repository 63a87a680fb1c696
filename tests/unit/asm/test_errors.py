"""The errors of wrong listings, and the position of the caret."""

from pathlib import Path

import pytest

import translate
from translate.asm import parse_listing
from translate.errors import AssemblyError, UnsupportedError

# Three rows each: a line after the profile, carets below the fault, and the message
ROWS = (Path(__file__).parent / "data/wrong_lines.txt").read_text("utf-8").splitlines()
LINES = [*zip(ROWS[::4], ROWS[1::4], ROWS[2::4], strict=True)]


@pytest.mark.parametrize(("line", "carets", "message"), LINES)
def test_message_and_place(line: str, carets: str, message: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_listing(f"cs_5_0\ndcl_temps 2\n{line}\nret \n", "a.asm")
    error = caught.value
    assert error.message == message
    where = error.where
    assert (where.file, where.line) == ("a.asm", 3)
    assert error.source_line == line
    assert where.column is not None
    assert " " * (where.column - 1) + "^" * where.length == carets


@pytest.mark.parametrize(
    ("operand", "form"),
    [
        ("cb0[2].xyzx", "'CB#[0][2].xyzx'"),
        ("-|cb1[r0.x + 3].x|", "'CB#[1][r0.x + 3].x|'"),
        ("t12.x", "'T#[12].x'"),
        ("x0[u3.x].x", "'U#[3].x'"),
    ],
)
def test_a_register_in_the_notation_before_cs_5_1(operand: str, form: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        parse_listing(f"cs_5_1\ndcl_temps 2\nmov r0.x, {operand}\nret \n", None)
    assert f"cs_5_1 has {form}, with the number # of its declaration" in caught.value.message


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
def test_places_in_constants(end: str, message: str, place: tuple[int, ...]) -> None:
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
    ("before", "found"),
    [
        ("#if 0\n//\ncs_5_0\nret \n#endif\n\n", "a header of C, not a listing"),
        ("", f"{EXPECTED}text that is not a listing"),
    ],
)
def test_a_header_of_bytes(before: str, found: str) -> None:
    """What fxc /Fh writes: the listing, then the container."""
    with pytest.raises(AssemblyError) as caught:
        translate.load(f"{before}const BYTE g_main[] =\n{{\n  68, 88, 66, 67\n}};\n")
    assert caught.value.message == f"{found}; `sm5vk extract` searches it for containers"


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
