"""Errors of a file have the line, the column and a caret below it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vkrunner.shadertest.cases import Dispatch
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.file_reader import read_file

from .cases import COPY, check_error, read


def error_of(text: str) -> ShaderTestError:
    with pytest.raises(ShaderTestError) as caught:
        read(text)
    return caught.value


def test_the_form_of_an_error() -> None:
    assert str(error_of(f"{COPY}[uav 0]\n  size (buffer 4)\n")).splitlines() == [
        "a.shader_test:13:16: error: expected , and elements, got '4'",
        "  13 |   size (buffer 4)",
        "     |                ^",
    ]


SECTIONS = {
    "[shadr]": ("unknown section [shadr]: expected one of require, uav", "shadr"),
    "[compute shader]": ("neither HLSL nor a file", "[compute shader]"),
    "[shader]\nvoid f();\n[numthreads(1, 1, 1)]": ("HLSL belongs in [compute", "numthreads"),
    "[shader]\nfile a.hlsl\n[numthreads(1, 1, 1)]": ("HLSL belongs in [compute", "numthreads"),
    "[compute]": ("unknown section [compute]: HLSL belongs in [compute shader]", "compute"),
    "[uav]": ("expected the number or the HLSL name of a uav, got the end", "]"),
    "[uav 0": ("a section's name ends with ]", "[uav"),
    "[uav 0 1]": ("expected the end of the line, got '1'", "1"),
    "[uav 0] 4": ("expected the end of the line after ]", "4"),
    "[srv 1 space x]": ("expected a register space, got 'x'", "x"),
    "[test]": ("no [shader] stands above this test", "[test]"),
    "[shader]": ("neither a listing nor a file", "[shader]"),
    "% nothing": ("the file has no [test]", ""),
}
SHADER_LINES = {
    "gaurds off\ncs_5_0": ("unknown 'gaurds' in [shader]; expected one of file, guards", "gaurds"),
    "guards some\ncs_5_0": (
        "unknown mode of guards 'some'; expected one of d3d, report, robustness2, off",
        "some",
    ),
    "guards off\nguards d3d\ncs_5_0": ("guards is given twice", "guards"),
    "optimize maybe\ncs_5_0": ("expected one of on, off", "maybe"),
    "file": ("expected a file name, got the end of the line", ""),
    "file= a.dxbc": ("write `file a.dxbc`, without =", "="),
    "guards = off": ("write `guards off`, without =", "="),
    "fxc_flags -Zi\ncs_5_0": ("fxc_flags is for HLSL: that belongs in [compute", "[shader]"),
    "entry main\ncs_5_0": ("entry is for HLSL: that belongs in [compute shader]", "[shader]"),
    "file a.dxbc\nprofile ps_5_0": ("unknown profile of a compute shader 'ps_5_0'", "ps_5_0"),
    "file a.dxbc b.dxbc": ("expected the end of the line, got 'b.dxbc'", "b.dxbc"),
    "file a.dxbc\nfile b.dxbc": ("file is given twice", "file"),
    "file a.dxbc\ncs_5_0": ("the shader is in a file already", "cs_5_0"),
    "class op gAdd": ("expected =, got 'gAdd'", "gAdd"),
    "class op = a,": ("expected the name of a class instance, got the end of the line", ""),
    "class op = a\nclass op = b": ("op is given twice", "op"),
}
RESOURCE_LINES = {
    "size (4)": ("unknown dimension '4'; expected one of buffer, raw_buffer, 1d", "4"),
    "size (2d, 4)": ("expected , and height, got ')'", ")"),
    "size (2d, 0, 4)": ("width is from 1 to", "0"),
    "size (buffer, -1)": ("elements is from 0 to", "-1"),
    "size (2d, 4, 4)": ("a texture needs a format", "(2d, 4, 4)"),
    "size (buffer, 4)\nsize (buffer, 4)": ("size is given twice", "size"),
    "stride 6": ("a stride is a multiple of 4", "6"),
    "size (2d, 4, 4)\nformat r8-unorm\ntype float4": ("1 bytes, the type 16", "(2d, 4, 4)"),
    "format r32-float\ntype float4\n0": ("4 bytes, the type 16", "[uav 0]"),
    "stride 4\nformat r32-float": ("a stride or a format, not both", "4"),
    "format r32-flaot": ("is not a format of typed resources; did you mean r32_float", "r32-flaot"),
    "type vec4": ("expected a type (float, uint", "vec4"),
    "type float2 a, uint a": ("the structure has a twice", "a"),
    "counter 1.5": ("expected a counter, got '1.5'", "1.5"),
    "guard (1 2)": ("expected ,, got '2'", "2"),
    "null\n1 2 3": ("neither size nor contents", "[uav 0]"),
    "levels 2": ("only textures have levels", "[uav 0]"),
    "first_level 1": ("the view begins at level 1 of 1", "[uav 0]"),
    "1 2 three": ("expected the end of the line, got 'three'", "three"),
    "1\niota": ("the contents are a pattern already", "1"),
    "iota\nzeros": ("the contents are given already", "zeros"),
    "iota 1 2 3": ("iota takes 0 to 2 numbers, not 3", "iota"),
    "random": ("random takes 1 to 3 numbers, not 0", "random"),
    "random 1.5": ("a seed is an integer from 0 on", "1.5"),
    "random 1 2": ("a seed and two bounds", "2"),
    "zeros 4": ("zeros takes no numbers, not 1", "zeros"),
    "npy": ("expected a file name", ""),
    "filter linear": ("unknown 'filter' in [uav]; expected one of numbers", "filter"),
    "size (2d, 4, 4)\nformat r8-uint\nguard 2": ("a guard region is for buffers", "(2d, 4, 4)"),
}
OTHER_LINES = {
    "[cb 0]\na = ": ("expected numbers", ""),
    "[cb 0]\na = 1\na = 2": ("a is given twice", "a"),
    "[cb 0]\na = 1\n2 3": ("by name, as numbers, or by a pattern: one of them", "[cb 0]"),
    "[cb 0]\niota\nzeros": ("the contents are given already", "zeros"),
    "[cb 0]\ntype float\ntype uint": ("type is given twice", "type"),
    "[sampler 0]\nfilter linear point": ("expected one filter or three, got 2", ""),
    "[sampler 0]\nfilter cubic": ("unknown filter 'cubic'; expected one of point, linear", "cubic"),
    "[sampler 0]\naddress wrap clamp around": ("unknown address 'around'", "around"),
    "[sampler 0]\ncomparison below": ("unknown comparison 'below'", "below"),
    "[sampler 0]\nborder 1 2": ("expected one number or four, got 2", ""),
    "[sampler 0]\nmin_lod 4\nmax_lod 2": ("min_lod 4.0 is above max_lod 2.0", "[sampler 0]"),
    "[require]\nfloat65": ("unknown 'float65' in [require]; expected one of", "float65"),
    "[require]\nmax_samplers": ("expected one of >=, <=", ""),
    "[require]\nmax_samplers >= many": ("expected a number, got 'many'", "many"),
    "[require]\nmax_samplers.x >= 4": ("max_samplers has no axes", "max_samplers"),
    "[require]\nmax_workgroup_size >= 4": ("has three axes: .x, .y or .z", "max_workgroup_size"),
    "[require]\nnot device": ("expected a part of a device's name", ""),
    "[uav 0]\n[uav 0]": ("line 12 has this resource already", "[uav 0]"),
    "[uav 0]\n[uav u0]": ("line 12 has this resource already", "[uav u0]"),
}
TEST_LINES = {
    "": ("the test does nothing", "[test]"),
    "dispach 1 1 1": ("unknown 'dispach' in [test]; expected one of dispatch, probe", "dispach"),
    "dispatch 1 1": ("expected the thread groups in z, got the end of the line", ""),
    "dispatch 1 1 -1": ("the thread groups in z is from 0 to", "-1"),
    "dispatch 1 1 1 1": ("expected the end of the line, got '1'", "1"),
    "probe u0 all 1": ("expected uav or srv, got 'u0'", "u0"),
    "probe uav 0 1": ("expected all, or coordinates in ( ), got '1'", "1"),
    "probe uav 0 (x) 1": ("expected a coordinate, or a range first:end", "x"),
    "probe uav 0 (1:2:3) 1": ("expected , or ), got ':3'", ":3"),
    "probe uav 0 all": ("expected numbers, _ or a pattern", ""),
    "probe uav 0 all rgba (1, 2, 3)": ("expected 4 numbers for each element, got 3", "1"),
    "probe uav 0 all (1, 2": ("expected a number or ), got the end of the line", ""),
    "probe uav 0 all 1 within 2": ("'within'; expected one of abs, rel, ulp, bits", "within"),
    "probe uav 0 all (1) abs": ("expected a number, got the end of the line", ""),
    "probe uav 0 all (1) abs -1": ("a tolerance is a number from 0 on", "-1"),
    "probe uav 0 (0) (1);": ("expected one of abs, rel, ulp, bits, got ';'", ";"),
    "probe uav 0 all (1) abs 1 abs 2": ("abs is given twice", "abs"),
    "probe uav 0 all (1) bits ulp 1": ("bits leaves no tolerance", ""),
    "probe uav 0 counter 1.5": ("a counter is an integer", "1.5"),
    "uniform 0 float4 1 2": ("expected 4 numbers, got 2", ""),
    "error": ("expected a part of the error's message", ""),
    "error a\nerror b": ("error is given twice", "error"),
    "timeout 0": ("longer than 0 seconds", "timeout 0"),
    "dispatch 1 1 1\nviolation u0": ("accesses are reported with: guards report", "violation u0"),
    "violation": ("expected a register, a cause", ""),
    "violation none": ("did you mean `violations none`?", "none"),
    "violation 3": ("did you mean `violations 3`?", "3"),
    "violation u0 sideways": ("unknown 'sideways'; expected a register, or one of", "sideways"),
    "violation u0 index 1 index 2": ("index is given twice", ""),
    "violation thread (1, 2)": ("expected (x, y, z)", ""),
    "violations none\nviolation u0": ("line 13 says how many there are", "violation u0"),
    "violation u0\nviolations 3": ("line 13 names violations", "violations 3"),
}
HLSL_LINES = {
    "file a.hlsl\nfloat a;": ("the shader is in a file already", "float"),
    "define 4": ("expected the name of a macro, got '4'", "4"),
    "define N=1\ndefine N=2": ("N is given twice", "N"),
    "fxc_flags": ("expected an option of fxc, for instance -Zi, got the end", ""),
    "fxc_flags Zi": ("expected an option of fxc, for instance -Zi, got 'Zi'", "Zi"),
    "fxc_flags -Fc a.asm": ("unknown option '-Fc'; expected one of -nologo, -Zi", "-Fc"),
    "fxc_flags -Od /setprivate /etc/passwd": ("unknown option '/setprivate'", "/setprivate"),
    "profile ps_5_0": ("expected one of cs_4_0, cs_4_1, cs_5_0, cs_5_1", "ps_5_0"),
}
TABLES = {  # the lines above those of a table -> the table
    "": SECTIONS,
    "[shader]\n": SHADER_LINES,
    "[compute shader]\n": HLSL_LINES,
    f"{COPY}[uav 0]\n": RESOURCE_LINES,
    COPY: OTHER_LINES,
    f"{COPY}[test]\n": TEST_LINES,
}


@pytest.mark.parametrize(
    ("front", "text"), [(front, text) for front, table in TABLES.items() for text in table]
)
def test_errors(front: str, text: str) -> None:
    check_error(f"{front}{text}\n", *TABLES[front][text])


@pytest.mark.parametrize(
    "first", ["dispatch 1 1 1", "root:x:0:0:root:/root", "[client]", "[1]", "\x7fELF", "[]"]
)
def test_a_line_of_another_file_is_not_shown(first: str) -> None:
    error = error_of(f"\n{first}\n[shader]\n")
    assert str(error) == "a.shader_test:2:1: error: expected a section, for instance [shader]"


def test_a_comment_of_another_file_is_not_shown() -> None:
    assert "key" not in str(error_of("# one\n# key = 1\n"))


LONG = "1" * 5000  # Python's int takes 4300 digits
LONG_NUMBERS = {
    "a register": f"[uav {LONG}]",
    "a register space": f"[uav 0 space {LONG}]",
    "a word": f"[uav 0]\n1 {LONG}",
    "a hexadecimal word": f"[uav 0]\n0x{LONG}",
    "thread groups": f"[test]\ndispatch {LONG} 1 1",
    "a tolerance": f"[test]\nprobe uav 0 all 1 abs {LONG}",
    "a coordinate": f"[test]\nprobe uav 0 ({LONG}) 1",
    "the end of a range": f"[test]\nprobe uav 0 (1:{LONG}) 1",
}


@pytest.mark.parametrize("what", LONG_NUMBERS)
def test_numbers_of_thousands_of_digits(what: str) -> None:
    error = error_of(f"{COPY}{LONG_NUMBERS[what]}\n")
    assert error.message.startswith("a number of 500")


def test_numbers_that_begin_with_zeros_are_decimal() -> None:
    (case,) = read(f"{COPY}[test]\ndispatch 011 1 1\n").cases
    assert [step.groups for step in case.steps if isinstance(step, Dispatch)] == [(11, 1, 1)]


def test_names_of_tests() -> None:
    body = "dispatch 1 1 1\n"
    cases = read(f"{COPY}[test]\n{body}[test b c]\n{body}").cases
    assert [case.name for case in cases] == ["1", "b c"]
    check_error(f"{COPY}[test b]\n{body}[test b]\n{body}", "line 12 has a test 'b'", "[test b]")


def test_resources_between_a_test_and_a_shader() -> None:
    text = f"{COPY}[test]\ndispatch 1 1 1\n[uav 0]\n1\n{COPY}"
    check_error(text, "a [shader] below a [test] starts without resources", "[uav 0]")


def test_options_of_a_shader() -> None:
    options = "guards off\noptimize off\nclass op = a\nclass ops = b, c[1]\n"
    (case,) = read(COPY.replace("cs_5_0", f"{options}cs_5_0") + "[test]\ndispatch 1 1 1\n").cases
    classes = {"op": "a", "ops": ["b", "c[1]"]}
    expected = {"guards": "off", "optimize": False, "class_instances": classes}
    assert dict(case.shader.options) == expected
    assert case.shader.lines[0].text == "cs_5_0"


def test_comments_and_line_ends() -> None:
    text = f"# one\n % two\n{COPY}[uav 0] % three\n1 2 # four\n[test]\n% five\ndispatch 1 1 1\n"
    (case,) = read("\ufeff" + text.replace("\n", "\r\n")).cases
    (uav,) = case.bound
    assert len(uav.values) == 2  # type: ignore[union-attr,arg-type]


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "a.shader_test"
    path.write_bytes(b"[test]\n\xff")
    with pytest.raises(ShaderTestError, match=r"a.shader_test:1:1: error: the file is not UTF-8"):
        read_file(path)


ROOT = Path(__file__).parents[4]
TEXTS = [
    path.read_text()
    for folder in ("shaders", "vkrunner/conformance")
    for path in sorted((ROOT / folder).rglob("*.shader_test"))
]
LINES = sorted({line for text in TEXTS for line in text.splitlines() if "," not in line[:4]})
WORDS = sorted({word for line in LINES for word in line.split()})


def check_contents(text: str) -> None:
    """It is read, or refused with a place; nothing else is raised."""
    refusal = ""
    try:
        read(text)
    except ShaderTestError as error:
        refusal = str(error)
    assert not refusal or re.match(r"a\.shader_test:\d+:.* error: ", refusal)


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_lines_in_any_order(lines: list[str]) -> None:
    check_contents("\n".join(lines))


@given(st.sampled_from(TEXTS), st.data())
def test_words_and_characters_in_the_wrong_place(text: str, data: st.DataObject) -> None:
    at, removed = data.draw(st.integers(0, len(text))), data.draw(st.integers(0, 3))
    characters = st.text('()[]:,.-_%#"0x9 \t\0é\n', max_size=3)
    put = data.draw(characters | st.sampled_from(WORDS).map(" {} ".format))
    check_contents(text[:at] + put + text[at + removed :])


@pytest.mark.parametrize("word", ["npy", "file"])
def test_a_name_with_a_null_character(word: str) -> None:
    section = "[shader]" if word == "file" else f"{COPY}[uav 0]"
    assert "is not below the test's folder" in str(error_of(f"{section}\n{word} a\0b\n"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\n" * 500_000, id="lines"),
        pytest.param(
            f"{COPY}[uav 0]\ntype {', '.join(f'float a{n}' for n in range(50_000))}\n", id="fields"
        ),
    ],
)
def test_a_large_file_in_linear_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.shader_test"
    path.write_text(text)
    start = time.process_time()
    with pytest.raises(ShaderTestError):
        read_file(path)
    assert time.process_time() - start < 30  # minutes if it were quadratic


@pytest.mark.parametrize(
    ("piece", "noun"), [("[uav {}]\n0\n", "resources"), ("[require]\nfloat64\n", "requirements")]
)
def test_more_sections_than_a_test_needs(piece: str, noun: str) -> None:
    """Each test keeps those above it."""
    sections = [piece.format(n) + f"[test a{n}]\ndispatch 1 1 1\n" for n in range(501)]
    read(COPY + "".join(sections[:500]))
    error = error_of(COPY + "".join(sections))
    assert f"500 {noun}" in error.message
    assert error.where.line == (COPY + "".join(sections[:500])).count("\n") + 1


def test_more_tests_of_vkd3d_than_run_before_one() -> None:
    """Each runs those above it first."""
    shader = "[compute shader]\n[numthreads(1, 1, 1)] void main() {}\n"
    error = error_of(shader + "[test]\ndispatch 1 1 1\n" * 502)
    assert "500 tests" in error.message
