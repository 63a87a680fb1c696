"""Annotations of a GitHub workflow: one for each failed test, at the line that helps most."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from translate import Where
from vkrunner import Device
from vkrunner.__main__ import main
from vkrunner.shadertest.github import github_lines
from vkrunner.shadertest.outcome import Failure, Outcome

WHERE = Where("a b.shader_test", 7, 3, 5)
WRONG = Failure("u0: 1 of 2, 50%\x00", WHERE, "  probe <it>", ("at  1", "é"))
OTHER = Failure("u1: differs", Where("a b.shader_test", 9, 1))
CAUSE = dataclasses.replace(
    Failure("3 races", Where("a b.shader_test", 6, 1), details=("g0",)),
    explains=True,
    hlsl=Where("shaders/sums.hlsl", 12),
)


def outcome(device: str, *failures: Failure, name: str = "two") -> Outcome:
    return Outcome("a b.shader_test", name, device, 5, failures)


def test_one_for_each_failed_test() -> None:
    rows = [
        outcome("lavapipe", name="passed"),
        outcome("lavapipe", WRONG, OTHER),
        outcome("lavapipe", OTHER, name="x: y, z"),
    ]
    first, second = github_lines(rows)
    assert first == (
        "::error file=a b.shader_test,line=7,col=3,title=a b.shader_test%3A%3Atwo on lavapipe::"
        "u0: 1 of 2, 50%25\x00%0Aat  1%0Aé"
        "%0Aanother failure, on lavapipe: a b.shader_test:9:1: u1: differs"
    )
    assert "title=a b.shader_test%3A%3Ax%3A y%2C z on lavapipe::u1: differs" in second


def test_the_same_failure_on_several_devices() -> None:
    (line,) = github_lines([outcome("lavapipe", OTHER), outcome("reference machine", OTHER)])
    assert line.endswith("two on lavapipe and reference machine::u1: differs")


def test_the_cause_comes_first_at_its_line_of_the_hlsl() -> None:
    rows = [outcome("lavapipe", WRONG), outcome("reference machine", OTHER, CAUSE)]
    (line,) = github_lines(rows)
    head, text = line[2:].split("::")
    assert head == (
        "error file=shaders/sums.hlsl,line=12,title=a b.shader_test%3A%3Atwo on reference machine"
    )
    assert text.split("%0A") == [
        *("3 races", "g0", "test: a b.shader_test:6:1"),
        "another failure, on lavapipe: a b.shader_test:7:3: u0: 1 of 2, 50%25\x00",
        "another failure, on reference machine: a b.shader_test:9:1: u1: differs",
    ]


def test_a_file_that_could_not_be_read() -> None:
    (line,) = github_lines([Outcome("b", "", "", 1, (Failure("m: n, o", Where("b")),))])
    assert line == "::error file=b,line=1,title=shader test::m: n, o"


def test_a_failure_that_several_tests_have_in_common() -> None:
    """As an error of a shader's compilation: it is one annotation, which names the tests."""
    refused = Failure("X3004: undeclared identifier 'x'", Where("shaders/a.hlsl", 5, 9))
    names = [str(n) for n in range(1, 11)]
    rows = [outcome(on, refused, name=name) for on in ("lavapipe", "reference") for name in names]
    first, second = github_lines([*rows, outcome("lavapipe", OTHER)])
    assert first == (
        "::error file=shaders/a.hlsl,line=5,col=9,title=10 tests on lavapipe and reference::"
        "X3004: undeclared identifier 'x'%0Atests: "
        + ", ".join(f"a b.shader_test::{name}" for name in names[:8])
        + ", ..."
    )
    assert "title=a b.shader_test%3A%3Atwo on lavapipe::u1: differs" in second


@pytest.mark.parametrize(
    ("workspace", "shown"),
    [("", "a.shader_test"), (".", "a.shader_test"), ("..", "sub/a.shader_test")],
)
def test_paths_are_relative_to_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workspace: str, shown: str
) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    monkeypatch.chdir(folder)
    top = os.path.normpath(folder / workspace) if workspace else ""
    monkeypatch.setenv("GITHUB_WORKSPACE", top)
    for path in ("a.shader_test", str(folder / "a.shader_test"), "../sub/a.shader_test"):
        (line,) = github_lines([Outcome(path, "1", "", 1, (Failure("m", Where(path, 3)),))])
        assert line.startswith(f"::error file={shown},line=3,title=")


def test_each_warning_once_at_its_place() -> None:
    caret = "   3 | values[x];\n     | ^"
    placed = f"shaders/w.hlsl:3:5: warning: X3206: 100% wrong\n{caret}"
    rows = [
        Outcome("a", "1", device, 4, warnings=(placed, "of the whole test"))
        for device in ("lavapipe", "reference machine")
    ]
    assert github_lines(rows) == [
        "::warning file=shaders/w.hlsl,line=3,col=5::X3206: 100%25 wrong%0A"
        + caret.replace("\n", "%0A"),
        "::warning file=a,line=4::of the whole test",
    ]


# Threads 2 and 3 load and store outside of two dwords.
SHADER = """[shader]
guards report
cs_5_0
dcl_resource_raw t0
dcl_uav_raw u0
dcl_input vThreadID.x
dcl_temps 1
dcl_tgsm_raw g0, 4
dcl_thread_group 4, 1, 1
ishl r0.x, vThreadID.x, l(2)
#line 7 "{name}"
ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r0.y, r0.x, t0.xxxx
#line 9
{race}
store_raw u0.x, r0.x, r0.y
ret
[srv 0]
1 2
[uav 0]
0 0
[test]
dispatch 1 1 1
probe uav 0 all 1 3
"""
RACE = "store_raw g0.x, l(0), vThreadID.x"


@pytest.mark.parametrize(
    "name", ["sums.hlsl", r"D:\a\project\shaders\sums.hlsl", "/build/shaders/sums.hlsl"]
)
@pytest.mark.parametrize(
    "case",
    [
        ("violations none", "nop", 7, "expected no violations, 4 reported"),
        ("violation t0 count 2", "nop", 9, "2 more violations than expected"),
        ("violations 3", "nop", 7, "expected 3 violations, 4 reported"),
        ("violations 4", RACE, 9, "3 races on g0 with no"),
        ("violations none", RACE, 9, "3 races on g0 with no"),
    ],
    ids=lambda case: "".join(case[:2]),
)
def test_the_line_of_the_hlsl(
    device: Device,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    case: tuple[str, str, int, str],
) -> None:
    """The file is found below the folder of the test, also if it was compiled elsewhere."""
    lines, race, number, message = case
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shaders").mkdir()
    (tmp_path / "shaders" / "sums.hlsl").touch()
    text = SHADER.format(name=name, race=race) + lines
    (tmp_path / "shaders" / "sums.shader_test").write_text(text)
    words = ["test", "shaders", "--device", "reference", "--device", str(device.info.index)]
    assert main([*words, "--error-format", "github"]) == 1
    (line,) = re.findall("::error.*", capsys.readouterr().out)
    assert line.startswith(f"::error file=shaders/sums.hlsl,line={number},title=")
    assert f"::{message}" in line
    assert "%0Atest: shaders/sums.shader_test:" in line
    assert re.search(
        r"%0Aanother failure, on [^%]*: shaders/sums.shader_test:23:1: u0: 1 of 2", line
    )


@pytest.mark.parametrize("name", ["missing.hlsl", "../sums"])
def test_hlsl_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = SHADER.format(name=name, race="nop") + "violations none"
    Path("sums.shader_test").write_text(text)
    assert main(["test", ".", "--device", "reference", "--error-format", "github"]) == 1
    assert "::error file=sums.shader_test,line=24,col=1," in capsys.readouterr().out
