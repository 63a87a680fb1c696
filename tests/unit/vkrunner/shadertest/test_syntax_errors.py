"""Errors of a file have the line, the column and a caret below it."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vkrunner.shadertest.cases import Dispatch
from vkrunner.shadertest.cursor import ShaderTestError
from vkrunner.shadertest.file_reader import read_file

from .cases import COPY, check_carets, check_error, error_of, faulty_texts, read

DATA = Path(__file__).parent / "data"


def test_the_form_of_an_error() -> None:
    assert str(error_of(f"{COPY}[uav 0]\n  size (buffer 4)\n")).splitlines() == [
        "a.shader_test:13:16: error: expected , and elements, got '4'",
        "  13 |   size (buffer 4)",
        "     |                ^",
    ]


# A file of faulty texts -> the lines above each
FRONTS = {
    "sections": "",
    "shader": "[shader]\n",
    "hlsl": "[compute shader]\n",
    "resource": f"{COPY}[uav 0]\n",
    "other": COPY,
    "test": f"{COPY}[test]\n",
}


@pytest.mark.parametrize(
    ("front", "text"),
    [
        (front, text)
        for name, front in FRONTS.items()
        for text in faulty_texts(DATA / f"wrong_{name}.txt")
    ],
)
def test_errors(front: str, text: str) -> None:
    check_carets(front, text)


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
