"""Outcomes as JUnit's XML and JSON, read back by other parsers, and as annotations of GitHub.

An annotation is for one failed test, at the line that helps most.
"""

import dataclasses
import json
import os
import re
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

from translate import Where
from vkrunner import Device
from vkrunner.__main__ import main
from vkrunner.shadertest import outcome as report
from vkrunner.shadertest.outcome import INPUT, Failure, Outcome, github_lines

from .cases import VIOLATES

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


OUTCOMES = [
    Outcome("a b.shader_test", "one", "lavapipe", 5, seconds=0.25, tolerated=("line 9: u0",)),
    dataclasses.replace(outcome("lavapipe", WRONG, OTHER), seconds=0.5),
    Outcome("b", "", "", 1, (Failure("no section", Where("b", 1), code=INPUT),)),
    Outcome("c", "1", "reference", 2, reason="lacks float64"),
]


def test_junit() -> None:
    root = xml.fromstring(report.to_junit(OUTCOMES, {"lavapipe": {"driver": "Mesa \x00"}}))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["lavapipe", "files", "reference"]
    lavapipe = suites["lavapipe"]
    counts = [lavapipe.get(name) for name in ("tests", "failures", "errors", "skipped", "time")]
    assert counts == ["2", "1", "0", "0", "0.750"]
    properties, one, two = lavapipe
    assert [part.attrib for part in properties] == [{"name": "driver", "value": "Mesa \ufffd"}]
    assert (one.get("classname"), one.get("name")) == ("a b.shader_test", "one on lavapipe")
    assert [(part.tag, part.text) for part in one] == [("system-out", "line 9: u0")]
    assert two[0].tag == "failure"
    assert two[0].get("message") == "u0: 1 of 2, 50%\ufffd"
    assert "     |   ^^^^^\n     at  1\n     é" in str(two[0].text)
    assert suites["files"][0][0].tag == "error"
    assert suites["reference"][0][0].get("message") == "lacks float64"


def test_junit_of_one_device() -> None:
    root = xml.fromstring(report.to_junit(OUTCOMES[:3]))
    assert [case.get("name") for case in root.iter("testcase")] == ["one", "two", "b"]


def test_violations_that_no_line_checks() -> None:
    rows = [dataclasses.replace(OUTCOMES[0], unchecked=count) for count in (1, 11)]
    assert rows[0].title == "PASSED a b.shader_test::one on lavapipe: 1 violation"
    text = "2 passed, 12 violations (add `violations none`) in 1.00 s"
    assert report.summary(rows, 1) == text


def test_json() -> None:
    data = json.loads(json.dumps(report.to_json(OUTCOMES, 1.5)))
    assert data["summary"] == {"passed": 1, "failed": 1, "error": 1, "skipped": 1, "seconds": 1.5}
    assert [test["status"] for test in data["tests"]] == ["passed", "failed", "error", "skipped"]
    assert [test["tolerated"] for test in data["tests"]] == [["line 9: u0"], [], [], []]
    failure = data["tests"][1]["failures"][0]
    assert (failure["line"], failure["column"], failure["details"]) == (7, 3, ["at  1", "é"])


def test_text() -> None:
    text = OUTCOMES[1].text().splitlines()
    assert text[0] == "FAILED a b.shader_test::two on lavapipe"
    assert text[1].startswith("a b.shader_test:7:3: error: u0")
    assert report.summary(OUTCOMES, 2) == "1 passed, 1 failed, 1 error, 1 skipped in 2.00 s"
    assert OUTCOMES[3].title == "SKIPPED c::1 on reference: lacks float64"


def test_one_for_each_failed_test() -> None:
    rows = [
        outcome("lavapipe", name="passed"),
        outcome("lavapipe", WRONG, OTHER),
        outcome("lavapipe", OTHER, name="x: y, z"),
    ]
    first, second = github_lines(rows)
    assert first == (
        "::error file=a b.shader_test,line=7,col=3,title=a b.shader_test%3A%3Atwo on lavapipe::"
        "u0: 1 of 2, 50%25\\x00%0Aat  1%0Aé"
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
        "another failure, on lavapipe: a b.shader_test:7:3: u0: 1 of 2, 50%25\\x00",
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


SHADER = (
    VIOLATES.replace("dcl_thread", "dcl_tgsm_raw g0, 4\ndcl_thread")
    .replace("ld_raw", '#line 7 "{name}"\nld_raw')
    .replace("store_raw", "#line 9\n{race}\nstore_raw")
    + "probe uav 0 all 1 3\n"
)
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
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    case: tuple[str, str, int, str],
) -> None:
    """The file is found below the folder of the test, also if it was compiled elsewhere."""
    lines, race, number, message = case
    (folder / "shaders").mkdir()
    (folder / "shaders" / "sums.hlsl").touch()
    text = SHADER.format(name=name, race=race) + lines
    (folder / "shaders" / "sums.shader_test").write_text(text)
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
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    text = SHADER.format(name=name, race="nop") + "violations none"
    (folder / "sums.shader_test").write_text(text)
    assert main(["test", ".", "--device", "reference", "--error-format", "github"]) == 1
    assert "::error file=sums.shader_test,line=24,col=1," in capsys.readouterr().out
