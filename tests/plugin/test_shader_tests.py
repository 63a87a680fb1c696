"""Collection of `.shader_test` files, and the report of a failing one."""

import re
from pathlib import Path

import pytest

from ..hlsl.conftest import SCALE
from ..unit.vkrunner.shadertest.cases import VIOLATES
from .conftest import PASSING, REFERENCE, SAXPY, Session

ROOT = Path(__file__).parents[2]
FAILING = PASSING.replace("1 3 5 7", "1 3 4 7")


def test_each_test_is_an_item_on_each_device(session: Session) -> None:
    twice = "[test twice]\ndispatch 1 1 1\ndispatch 1 1 1\nprobe uav 0 all 1 5 9 13\n"
    result = session(*REFERENCE, "--vulkan-device", "0", "-v", test=PASSING + twice)
    result.assert_outcomes(passed=4)
    for device in ("reference", "0"):
        for name in ("1", "twice"):
            result.stdout.fnmatch_lines([f"scale.shader_test::{name}[[]{device}] PASSED*"])


def test_a_failure_is_a_report_and_no_traceback(session: Session) -> None:
    result = session(*REFERENCE, test=FAILING)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "scale.shader_test:11:1: error: u0 (y): 1 of 4 numbers differ",
            "  11 | probe uav 0 all 1 3 4 7",
            "*(2)  4.0       5.0*",
            "on reference machine",
            "FAILED scale.shader_test::1 - u0 (y): 1 of 4 numbers differ*",
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert "vkrunner/" not in result.stdout.str()


@pytest.mark.slow(reason="several sessions of pytest")
def test_annotations_of_github(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of `sm5vk test`: one for a failed test on both devices."""
    given = (*REFERENCE, "--vulkan-device", "0")
    result = session(*given, test=f"{FAILING}[test two]\ndispatch 1 1 1\n")
    result.stdout.no_fnmatch_line("::*")
    result.stdout.fnmatch_lines(["*___ scale.shader_test: 1[[]reference] ___*"])
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    result = session(*given)
    result.assert_outcomes(passed=2, failed=2)
    (line,) = [line for line in result.outlines if line.startswith("::")]
    assert re.match(
        r"::error file=scale.shader_test,line=11,col=1,title=scale.shader_test%3A%3A1 on"
        r" .* and .*::u0 \(y\): 1 of 4 numbers differ",
        line,
    )


@pytest.mark.slow(reason="several sessions of pytest")
def test_violations_without_a_line_about_them(session: Session, pytester: pytest.Pytester) -> None:
    result = session(*REFERENCE, test=VIOLATES)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*RuntimeWarning: 4 violations: add `violations none`"])
    result = session(*REFERENCE, test=VIOLATES.replace("[test]", "[test \x1b[31m]"))
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.no_fnmatch_line("*\x1b*")  # where a warning would print its line
    (pytester.path / "\x1b[31m.shader_test").write_text(VIOLATES)
    result = session(*REFERENCE, test=VIOLATES)
    result.assert_outcomes(passed=2, warnings=2)
    result.stdout.no_fnmatch_line("*\x1b*")  # where it would print its file
    (pytester.path / "\x1b[31m.shader_test").unlink()
    session(*REFERENCE, test=f"{VIOLATES}violations 4\n").assert_outcomes(passed=1)


def test_a_file_that_cannot_be_read(session: Session) -> None:
    other = "def test_other():\n    pass\n"
    words = (*REFERENCE, "--continue-on-collection-errors")
    result = session(*words, python=other, test=PASSING.replace("[uav y]", "[ubv y]"))
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["scale.shader_test:5:2: error: unknown section [[]ubv]*", "   5 | [[]ubv y]"]
    )


@pytest.mark.slow(reason="several sessions of pytest")
def test_files_in_other_folders(session: Session, pytester: pytest.Pytester) -> None:
    """The option, relative to the working folder, and the configuration allow them."""
    (pytester.mkdir("shaders") / "saxpy.dxbc").write_bytes(SAXPY.read_bytes())
    text = PASSING.replace(str(SAXPY), "../shaders/saxpy.dxbc")
    (pytester.mkdir("tests") / "scale.shader_test").write_text(text)
    result = session(*REFERENCE)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["tests/scale.shader_test:3:6: error: ../shaders/saxpy.dxbc is not below *--vulkan-allow-*"]
    )
    session(*REFERENCE, "--vulkan-allow-path=shaders").assert_outcomes(passed=1)
    session(*REFERENCE, ini="vulkan_allow_paths = shaders").assert_outcomes(passed=1)


def test_todo(session: Session) -> None:
    """A check that is known to fail passes; it fails once it does not fail any more."""
    todo = "todo probe uav 0 all 1 3 4 7\n[test fixed]\ntodo dispatch 1 1 1\n"
    result = session(*REFERENCE, test=PASSING + todo)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["scale.shader_test:14:1: error: todo succeeded"])


def test_fail(session: Session, stand_in: str) -> None:
    """A shader that the compiler should refuse is a test by itself."""
    refused = "[compute shader fail]\nvoid main() {}\n"
    kept = f"[compute shader fail]\n{SCALE}"
    result = session(*REFERENCE, "-v", test=f"{refused}{kept}[require]\nwave-ops\n{refused}")
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    result.stdout.fnmatch_lines(["scale.shader_test::shader 1 PASSED*"])
    result.stdout.fnmatch_lines(["scale.shader_test:3:1: error: the compiler takes it as cs_5_0*"])


KERNEL = """
def test_scale(vulkan_device):
    vulkan_device.kernel("scale.hlsl", guards="report")
"""


def test_an_error_of_the_compiler_is_shown_at_the_line_of_the_test(
    session: Session, pytester: pytest.Pytester, stand_in: str
) -> None:
    pytester.makefile(".hlsl", scale=SCALE.replace("* 3", "* x"))
    result = session(*REFERENCE, python=KERNEL)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">*kernel(*",
            "E *scale.hlsl:5:35: error: X3004: undeclared identifier 'x'",
            "*.py:2: CompileError",
        ]
    )
    result.stdout.no_fnmatch_line("*compiling.py*")


@pytest.mark.slow(reason="several sessions of pytest")
def test_a_filter_silences_a_warning_of_the_compiler(
    session: Session, pytester: pytest.Pytester, stand_in: str
) -> None:
    """The line of docs/pytest.md, with a warning that the stand-in has."""
    text = SCALE.replace("{", "{\n    values[id.x] = uint2(1, 2);")
    pytester.makefile(".hlsl", scale=text)
    session(*REFERENCE, python=KERNEL).assert_outcomes(passed=1, warnings=1)
    (line,) = re.findall(r"ignore:.*X3571.*", (ROOT / "docs/pytest.md").read_text())
    silenced = session(*REFERENCE, ini=f"filterwarnings = {line.replace('X3571', 'X3206')}")
    silenced.assert_outcomes(passed=1, warnings=0)


@pytest.mark.slow(reason="several sessions of pytest")
def test_a_warning_in_a_shader_test_is_at_its_line(
    session: Session, pytester: pytest.Pytester, stand_in: str
) -> None:
    text = SCALE.replace("{", "{\n    values[id.x] = uint2(1, 2);")
    pytester.makefile(".hlsl", scale=text)
    test = "[shader]\nfile scale.hlsl\n[uav 0]\nsize (buffer, 8)\n[test]\ndispatch 1 1 1\n"
    result = session(*REFERENCE, test=test)
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        ["*scale.shader_test:5: RuntimeWarning: scale.hlsl:5:*: warning: X3206*", "*[[]test]"]
    )
    result.stdout.no_fnmatch_line("*vkrunner*.py*")
    silenced = session(*REFERENCE, ini="filterwarnings = ignore:.*warning. X3206:RuntimeWarning")
    silenced.assert_outcomes(passed=1, warnings=0)
    session(*REFERENCE, ini="filterwarnings = error").assert_outcomes(failed=1)


def test_a_requirement_skips_with_its_reason(session: Session) -> None:
    result = session(*REFERENCE, test=f"[require]\ntimestamps\n{PASSING}")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*reference machine lacks timestamps"])


def test_chosen_by_k(session: Session) -> None:
    result = session(
        *REFERENCE, "-k", "of and four", test=PASSING.replace("[test]", "[test of four]")
    )
    assert result.parseoutcomes() == {"passed": 1}
    assert session(*REFERENCE, "-k", "five").parseoutcomes() == {"deselected": 1}


RACE = (Path(__file__).parent / "data/race.shader_test.txt").read_text("utf-8")


def test_the_summary_has_the_cause(session: Session) -> None:
    """A race comes before the numbers that it may have made wrong."""
    result = session(*REFERENCE, test=RACE)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "3 races on g0 with no barrier between*",
            "scale.shader_test:13:1: error: u0: differs",
            "scale.shader_test:14:1: error: 3 races on g0 with no barrier between*",
            "FAILED scale.shader_test::1 - 3 races on g0 with no barrier between*",
        ]
    )


def test_the_summary_has_one_line_in_ci(
    session: Session, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest does not cut off lines there; JUnit's XML has all."""
    monkeypatch.setenv("CI", "1")
    result = session(*REFERENCE, "--junitxml", "results.xml", test=RACE)
    text = result.stdout.str()
    assert text.count("no barrier orders these stores") == 1
    summary = text[text.index("short test summary info") :].splitlines()[1:-1]
    assert summary == ["FAILED scale.shader_test::1 - 3 races on g0 with no barrier between"]
    xml = (pytester.path / "results.xml").read_text()
    assert 'failure message="3 races on g0 with no barrier between"' in xml
    assert "no barrier orders these stores" in xml


def test_no_text_of_a_test_reaches_the_terminal_raw(session: Session) -> None:
    name, shown = "a\x1b[31mb ##[error]c", r"a\\x1b[[]31mb \\x23#[[]error]c"
    result = session(*REFERENCE, "-v", test=FAILING.replace("[test]", f"[test {name}]"))
    result.stdout.fnmatch_lines([f"*::{shown} FAILED*".replace("\\\\", "\\")])
    wrong = session(*REFERENCE, test=FAILING.replace("dispatch 1", f"{name} 1"))
    for text in (result.stdout.str(), wrong.stdout.str()):
        assert "\x1b[31m" not in text
        assert "##[" not in text


def test_a_file_that_is_too_large(session: Session, pytester: pytest.Pytester) -> None:
    """The error has no lines of this package."""
    with (pytester.path / "large.shader_test").open("wb") as file:
        file.truncate(65 << 20)
    result = session(*REFERENCE)
    result.stdout.fnmatch_lines(["large.shader_test:1:1: error: *large.shader_test: File too*"])
    result.stdout.no_fnmatch_line("*file_reader.py*")


@pytest.mark.parametrize("option", ["-vv", "--collect-only"])
def test_no_name_of_a_file_reaches_the_terminal_raw(
    session: Session, pytester: pytest.Pytester, option: str
) -> None:
    folder = pytester.mkdir("b")
    (folder / "a\x1b[31m##[error].shader_test").write_text(FAILING)
    result = session(*REFERENCE, option)
    assert "\x1b[31m" not in result.stdout.str()
    assert "##[" not in result.stdout.str()
    if option == "-vv":
        result.stdout.fnmatch_lines([r"_* a\x1b[[]31m\x23#[[]error].shader_test: 1 *_"])
