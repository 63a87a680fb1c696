"""Names and texts of inputs in logs: no file name ends a command, and none is a command itself."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest

import translate
from translate import Where
from vkrunner.shadertest.outcome import Failure, Outcome, command

from ..unit.vkrunner.cli.conftest import SAXPY, Call
from ..unit.vkrunner.cli.conftest import call as call  # a fixture

NAME = os.fsdecode(b"a\xe9.dxbc")  # is not UTF-8
SHADER_TEST = (Path(__file__).parent / "data/file_names_shader_test.txt").read_text("utf-8")
COMMANDS = {
    "::error::x": r"\x3a:error::x",
    "\u00a0 ::error::x": "\u00a0 \\x3a:error::x",
    "x ::error::x": "x ::error::x",
    "x ##[error]x": r"x \x23#[error]x",
    "###[error]x": r"#\x23#[error]x",
    "x ##vso[task.setvariable]x": r"x \x23#vso[task.setvariable]x",
    "x ##teamcity[x": r"x \x23#teamcity[x",
    "a\u061cb": r"a\u061cb",
}


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A container's name that is not UTF-8, in the working folder."""
    monkeypatch.chdir(tmp_path)
    try:
        shutil.copy(SAXPY, NAME)
    except OSError:
        pytest.skip("file names of this system are characters")
    return NAME


def test_names_that_are_not_utf8(call: Call, named: str) -> None:
    code, out, err = call("inspect", named)
    assert (code, err) == (0, "")
    assert out.startswith("a\\udce9.dxbc\n")
    assert call("translate", named, "-o", "made.spv")[0] == 0
    assert call("explain", named, "-o", "page.html")[0] == 0
    assert "a\\udce9.dxbc" in Path("page.html").read_text("utf-8")
    code, out, err = call("extract", named, "--output-dir", "parts")
    assert (code, err) == (0, "")
    assert "a\\udce9.dxbc" in out
    shutil.move(named, f"{named}.no")
    code, _, err = call("inspect", named)
    assert (code, "a\\udce9.dxbc: No such file" in err) == (2, True)


def test_shader_tests_with_such_names(call: Call, named: str) -> None:
    """A lone surrogate, as Python has for the byte, is no character of JSON (RFC 8259, 8.2)."""
    path = named.replace(".dxbc", ".shader_test")
    Path(path).write_text(SHADER_TEST)
    words = ("test", path, "--device", "reference")
    code, out, _ = call(*words)
    assert (code, "FAILED a\\udce9.shader_test::" in out) == (1, True)
    code, out, _ = call(*words, "--json")
    text = str(json.loads(out))
    assert text.encode()  # no lone surrogate
    assert (code, "a\\\\udce9.shader_test" in text) == (1, True)
    _, out, _ = call(*words, "--error-format", "github")
    assert "::error file=a\\udce9.shader_test,line=12" in out


@pytest.mark.parametrize("text", COMMANDS)
def test_no_text_of_an_input_is_a_command_of_ci(text: str) -> None:
    """GitHub takes `::` after blanks, and `##[` anywhere; others have a word before the bracket."""
    where = Where("a.shader_test", 1, 1)
    failure = Failure(f"first\n{text}", where, details=("first", text))
    shown = Outcome("a.shader_test", "test", "", failures=(failure,)).text()
    assert shown.count(COMMANDS[text]) == 2
    for line in shown.splitlines():
        assert not line.strip().startswith("::")
        assert not re.search(r"##\w*\[", line)


def test_annotations_stay_commands() -> None:
    made = command("error", {"file": "a\x1b,b", "title": "::x"}, "one\n::two ##[x]")
    assert made == r"::error file=a\x1b%2Cb,title=\x3a%3Ax::one%0A\x3a:two \x23#[x]"


def test_words_of_the_command_line(call: Call) -> None:
    code, _, err = call("test", "a.shader_test", "-j", "##[error]\x1b")
    assert (code, r"invalid int value: '\x23#[error]\x1b'" in err) == (2, True)


def test_names_of_a_container_in_an_interface(call: Call, tmp_path: Path) -> None:
    """Names of the same length leave the container whole, but for its checksum."""
    path = tmp_path / "a.dxbc"
    path.write_bytes(SAXPY.read_bytes().replace(b"count\0", b"##[a]\0"))
    code, out, _ = call("translate", path, "-o", tmp_path / "a.spv", "--interface", "-")
    assert code == 0
    assert "##[" not in out
    assert "##[a]" in str(json.loads(out))


LINE = "\nPASS \0"  # as long as the names that it replaces, and as a line of `sm5vk test`
REFERENCE = ("--device", "reference", "--groups", "1")
TEST = (Path(__file__).parent / "data/file_names_test.txt").read_text("utf-8")


def named_container(folder: Path, old: bytes) -> Path:
    """A container in which a line stands for a name."""
    path = folder / "named.dxbc"
    path.write_bytes(SAXPY.read_bytes().replace(old, LINE[: len(old) - 1].encode() + b"\0"))
    return path


def test_lines_in_names_of_a_container(call: Call, tmp_path: Path) -> None:
    """Of a constant buffer; each of these errors lists what there is."""
    path = named_container(tmp_path, b"Params\0")
    made = tmp_path / "a.spv"
    translate, explain = ("translate", path, "-o", made), ("explain", path, "-o", made)
    options = ("--bind", "Q=0:0"), ("--format", "Q=r32_float"), ("--window", "Q")
    commands = [(*translate, *words) for words in (*options, ("--single-sample", "Q"))]
    commands += [(*explain, "--bind", "Q=0:0")]
    run = ("run", path, *REFERENCE, "--x", "arange:8:f4", "--y", "zeros:8:f4")
    commands += [(*run, "--format", "Q=r32_float"), (*run, "--cb9", "a=2"), run]
    for words in commands:
        code, out, err = call(*words)
        assert (code, out) == (2, ""), words
        assert r"\nPASS" in err, words
        assert "\nPASS" not in err, words


def test_lines_in_names_of_variables(call: Call, tmp_path: Path) -> None:
    path = named_container(tmp_path, b"count\0")
    given = ("--x", "arange:8:f4", "--y", "zeros:8:f4", *REFERENCE)
    for verb in (("run", path), ("diff", path, path)):
        for value in ("a=2", "zz=3", "7"):
            code, out, err = call(*verb, *given, "--cb0", value)
            assert (code, r"\nPASS" in err) == (2, True), (verb, value)
            assert "\nPASS" not in out + err, (verb, value)
    for row in ("a = 2", "zz = 3"):
        test = tmp_path / "a.shader_test"
        test.write_text(TEST.format(bound=f"[cb 0]\n{row}\n"))
        code, out, err = call("test", test, "--device", "reference")
        assert (code, r"\nPASS" in out + err) == (2, True), row
        assert "\nPASS" not in out + err, row


def test_lines_in_profiles(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("\nPASS.json")
    for profile in ({}, {"api-version": "x"}, {"profiles": 3}, {"profiles": ["\nPASS"]}):
        profiles = {"\nPASS": profile, "b": 3}
        path.write_text(json.dumps({"capabilities": {}, "profiles": profiles}))
        for name in ("", "#Q", "#\nPASS", "#b"):
            code, out, err = call("translate", SAXPY, "-S", "--for-profile", f"{path}{name}")
            assert "\nPASS" not in out + err
            assert (code, r"\nPASS" in err) == (2, True) or (profile, name) == ({}, "#\nPASS")


def test_lines_in_file_names(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in").mkdir()
    data = SAXPY.read_bytes()
    for name, contents in {
        "damaged": data[:-8],
        "warned": data[:4] + b"\1" + data[5:],
        "around": b"\0" + data[:-8],
        "array.h": f"{{ {', '.join(map(str, data[:-8]))} }}".encode(),
        "text.shader_test": b"\xff",
    }.items():
        Path(f"in/a\nPASS {name}").write_bytes(contents)
    for words in (
        ("translate", "in", *Path("in").iterdir(), "--output-dir", "out", "-j", 1),
        ("translate", *Path("in").iterdir(), "--output-dir", "out", "-j", 1, "--force"),
        ("extract", "in", "--output-dir", "parts"),
        ("translate", "\nPASS", "--output-dir", "out"),
        ("test", "\nPASS"),
        ("test", *Path("in").glob("*.shader_test")),
        *(("run", SAXPY, *REFERENCE, "--x", path) for path in Path("in").iterdir()),
    ):
        code, out, err = call(*words)
        assert code, words
        assert r"\nPASS" in out + err, words
        assert "\nPASS" not in out + err, words


@pytest.mark.parametrize(
    "words",
    [
        ("translate", SAXPY, "-o", ""),
        ("translate", SAXPY, "-o", "a.spv", "--interface", ""),
        ("disasm", SAXPY, "-o", ""),
    ],
)
def test_an_output_without_a_name(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    code, _, err = call(*words)
    assert (code, "No such file" in err) == (2, True)
    assert not [*folder.iterdir()]
    assert [*tmp_path.iterdir()] == [folder]


def test_commands_in_texts_of_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program, and the error for a file that is not there."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "##[x].dxbc"
    shutil.copy(SAXPY, path)
    assert repr(translate.load(path)).startswith(r"<Program '\x23#[x].dxbc', ")
    with pytest.raises(FileNotFoundError) as caught:
        translate.load("##[x]\x1b.dxbc")
    assert str(caught.value).startswith(r"\x23#[x]\x1b.dxbc: ")
