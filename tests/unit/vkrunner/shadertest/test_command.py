"""`sm5vk test`: streams, exit codes, bad files, several devices and processes."""

import json
import xml.etree.ElementTree as xml
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vkrunner import Device
from vkrunner.__main__ import main
from vkrunner.shadertest import session
from vkrunner.shadertest.outcome import DEVICE, ERROR

from ..cli.conftest import ROOT, python, sm5vk, without_a_reader
from .cases import COPY, VIOLATES

GOOD = COPY + "[srv 0]\n1 2\n[uav 0]\n0 0\n[test]\ndispatch 2 1 1\nprobe uav 0 all 1 2\n"
WRONG = GOOD.replace("all 1 2", "all 1 3")
BAD = GOOD.replace("[uav 0]", "[uva 0]")
SKIPPED = f"[require]\ntimestamps\n{GOOD}"
Call = Callable[..., tuple[int, str, str]]
ON = ("--device", "reference")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], folder: Path) -> Call:
    """Runs the command in a folder with the given files, texts by their names."""

    def run(*words: str, **files: str) -> tuple[int, str, str]:
        for name, text in files.items():
            Path(f"{name}.shader_test").write_text(text)
        code = main(["test", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_all_is_well(call: Call) -> None:
    code, out, err = call(".", *ON, a=GOOD, b=GOOD)
    assert (code, err) == (0, "")
    assert out.startswith("2 passed in ")
    code, out, _ = call(".", "-v", *ON)
    assert out.splitlines()[0] == "PASSED a.shader_test::1 on reference machine"


def test_a_bad_file_stops_no_other(call: Call) -> None:
    code, out, err = call(".", *ON, a=BAD, b=WRONG, c=GOOD)
    assert code == 2
    assert err.startswith("ERROR a.shader_test\na.shader_test:14:2: error: unknown section [uva]")
    assert "1 passed, 1 failed, 1 error in" in out


@pytest.mark.parametrize("processes", ["1", "2"])
def test_files_in_other_folders(call: Call, tmp_path: Path, processes: str) -> None:
    (tmp_path / "copy.asm").write_text(COPY.removeprefix("[shader]\n"))
    (tmp_path / "tests").mkdir()
    text = f"[shader]\nfile ../copy.asm\n{GOOD.removeprefix(COPY)}"
    words = ("tests", *ON, "-j", processes)
    files = {"tests/a": text, "tests/b": text}
    code, _, err = call(*words, **files)
    assert code == 2
    assert "tests/a.shader_test:2:6: error: ../copy.asm is not below the test's folder;" in err
    assert "--allow-path FOLDER" in err
    code, out, err = call(*words, "--allow-path", "tests", "--allow-path", ".")
    assert (code, err) == (0, "")
    assert out.startswith("2 passed in ")


@pytest.mark.parametrize(
    ("words", "name", "message"),
    [
        ((".", "--device", "voodoo2"), "open the device", "no device 'voodoo2'; there are "),
        (("shaders", *ON), "command line", "shaders: no such file or folder"),
        ((".", *ON, "-k", "c"), "command line", "-k 'c' chooses no test"),
    ],
    ids=lambda value: str(value),
)
def test_errors_that_no_test_has_are_reported(
    call: Call, words: tuple[str, ...], name: str, message: str
) -> None:
    """As an annotation without a place, and in JUnit's XML."""
    reports = ("--error-format", "github", "--junit", "out/a.xml")
    code, out, err = call(*words, *reports, a=GOOD)
    assert code == (3 if name == "open the device" else 2)
    assert err.startswith(f"sm5vk: error: {message}")
    assert name == "command line" or out.splitlines()[-1].startswith("1 error in ")
    (line,) = [line for line in out.splitlines() if line.startswith("::")]
    assert line.startswith(f"::error title={name}")
    assert message in line
    (case,) = xml.parse("out/a.xml").iter("testcase")
    assert (case.get("name"), case.get("file")) == (name, None)
    assert message in str(case[0].get("message"))
    assert str(case[0].text).startswith("error: ")


def test_one_device_of_two(call: Call) -> None:
    code, out, err = call(".", "--device", "voodoo2", *ON, a=GOOD)
    assert code == 3
    assert "voodoo2" in err
    assert "1 passed, 1 error in" in out


@pytest.mark.parametrize(
    ("ci", "device", "exit_code"), [("1", "", 3), ("1", "reference", 0), ("", "", 0)]
)
def test_no_driver(
    call: Call, monkeypatch: pytest.MonkeyPatch, ci: str, device: str, exit_code: int
) -> None:
    """In CI the reference machine takes no missing driver's place, unless it is named."""
    monkeypatch.setenv("VK_DRIVER_FILES", "nowhere")
    monkeypatch.setenv("VK_ICD_FILENAMES", "nowhere")
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("SM5VK_DEVICE", device)
    code, out, err = call("a.shader_test", a=GOOD)
    assert code == exit_code
    assert ("no Vulkan device" in err) == (code == 3)
    assert ("1 passed" in out) == (code == 0)


def test_violations_without_a_line_about_them(call: Call) -> None:
    """Threads 2 and 3 load and store outside; the test passes, and their number is shown."""
    code, out, _ = call(".", *ON, "-v", a=VIOLATES)
    title, summary = out.splitlines()
    assert (code, title) == (0, "PASSED a.shader_test::1 on reference machine: 4 violations")
    assert summary.startswith("1 passed, 4 violations (add `violations none`) in ")
    assert "violations (add" not in call(".", *ON, a=f"{VIOLATES}violations 4\n")[1]


@pytest.mark.parametrize("processes", ["1", "2"])
def test_no_validation_layer(device: Device, tmp_path: Path, processes: str) -> None:
    """One line says that nothing is validated, and the tests run."""
    for name in ("a", "b"):
        (tmp_path / f"{name}.shader_test").write_text(GOOD)
    words = ("test", tmp_path, "--device", device.info.index, "-j", processes)
    done = sm5vk(*words, VK_LAYER_PATH="no such folder", SM5VK_VALIDATION="1")
    assert (done.returncode, done.stdout.startswith("2 passed in ")) == (0, True)
    (line,) = done.stderr.splitlines()
    assert line.startswith("sm5vk: warning: validation was asked for")


@pytest.mark.parametrize("processes", ["1", "2"])
def test_warnings_about_listings(tmp_path: Path, processes: str) -> None:
    """Each is at its line of the test, and is lost where nobody reads standard error."""
    text = GOOD.replace("ishl", "mov r0.y, l(0.333333)\nishl", 1)
    for name in ("a", "b"):
        (tmp_path / f"{name}.shader_test").write_text(text)
    words = ("test", tmp_path, *ON, "-j", processes)
    done = sm5vk(*words)
    assert (done.returncode, done.stdout.startswith("2 passed in ")) == (0, True)
    places = [line.partition(" '")[0] for line in done.stderr.splitlines()[::3]]
    assert sorted(places) == [f"{tmp_path}/{name}.shader_test:8:13: warning:" for name in "ab"]
    assert without_a_reader("stderr", ROOT, *words) == 0


def test_nothing_ran(call: Call) -> None:
    code, out, err = call(".", *ON, a=SKIPPED)
    assert code == 1
    assert "SKIPPED a.shader_test::1 on reference machine: reference machine lacks" in out
    assert "nothing ran: every test was skipped" in err
    assert call(".", *ON, b=GOOD)[0] == 0


def test_chosen_tests(call: Call) -> None:
    text = GOOD.replace("[test]", "[test first]") + "[test second]\nprobe uav 0 all 9\n"
    assert call(".", *ON, "-k", "first", a=text)[0] == 0
    assert call(".", *ON, "-k", "not first")[0] == 1


def test_two_devices(call: Call, device: Any) -> None:
    code, out, err = call("a.shader_test", *ON, "--device", device.name, "-v", a=GOOD)
    assert (code, err) == (0, "")
    assert f"PASSED a.shader_test::1 on {device.name}" in out
    assert "PASSED a.shader_test::1 on reference machine" in out


def test_two_names_of_one_device(call: Call) -> None:
    _, out, _ = call("a.shader_test", *ON, "--device", "reference machine", "-v", a=GOOD)
    assert out.count("PASSED") == 1


def test_processes_give_the_outcomes_of_one(call: Call) -> None:
    files = {f"f{n}": (GOOD, WRONG, BAD, SKIPPED)[n % 4] for n in range(8)}
    code, out, _ = call(".", *ON, "--json", **files)
    again, parallel, err = call(".", *ON, "--json", "-j", "2")
    assert (code, again, err) == (2, 2, "")

    def rows(text: str) -> list[Any]:
        rows = json.loads(text)["tests"]
        return sorted((r["file"], r["status"], r["reason"], str(r["failures"])) for r in rows)

    assert rows(out) == rows(parallel)
    assert [row[1] for row in rows(out)] == ["passed", "failed", "error", "skipped"] * 2


def test_files_for_programs(call: Call, tmp_path: Path) -> None:
    code, out, err = call(".", *ON, "--junit", "out.xml", "--json", a=GOOD, b=WRONG)
    assert (code, err) == (1, "")
    assert json.loads(out)["summary"]["failed"] == 1
    (suite,) = xml.parse(tmp_path / "out.xml").getroot()
    assert [len(case) for case in suite] == [0, 1]


def test_junit_goes_to_a_file(call: Call) -> None:
    """Standard output has the outcomes."""
    code, out, err = call(".", *ON, "--junit", "-", "--json", a=GOOD)
    assert (code, out) == (2, "")
    assert "--junit takes a file" in err


def test_junit_replaces_only_xml(call: Call, tmp_path: Path) -> None:
    """Not the test, a shader or an array that it reads."""
    code, out, err = call(".", *ON, "--junit", "a.shader_test", a=GOOD)
    assert (code, out) == (2, "")
    assert "--junit would replace a.shader_test" in err
    (tmp_path / "out.xml").touch()
    for _ in range(2):
        assert call("a.shader_test", *ON, "--junit", "out.xml")[0] == 0
    assert (tmp_path / "a.shader_test").read_text("utf-8") == GOOD


def test_annotations(call: Call) -> None:
    """They come after the texts of the failures, in the order of the tests."""
    code, out, err = call(".", *ON, "--error-format=github", a=BAD, b=WRONG)
    assert code == 2
    assert "a.shader_test:14:2: error: unknown" in err
    assert "b.shader_test:18:1: error: u0: 1 of" in out
    *_, first, second, last = out.splitlines()
    assert first.startswith("::error file=a.shader_test,line=14,col=2,title=shader test::unknown")
    place = "file=b.shader_test,line=18,col=1,title=b.shader_test%3A%3A1 on reference machine"
    assert second.startswith(f"::error {place}::u0: 1 of")
    assert last.startswith("1 failed, 1 error in ")


# Worker processes import the main module. Their driver ends its process when 5 groups are
# dispatched.
DEADLY_DRIVER = """
import os, sys
from checks.driver import replaced
from vkrunner.__main__ import main

def dispatch(function, commands, x, y, z):
    if x == 5:
        os._exit(11)
    return function(commands, x, y, z)

played = replaced()
played.__enter__().replace("vkCmdDispatch", dispatch)
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow(reason="processes that are killed")
def test_a_process_that_dies_is_reported(tmp_path: Path, device: Device) -> None:
    """A driver may end its process: the other tests of the file, and other files, still run."""
    deadly = GOOD.replace("[test]", "[test deadly]").replace("dispatch 2", "dispatch 5")
    for name in ("a", "b", "c"):
        text = f"{GOOD}{deadly[deadly.index('[test') :]}{GOOD[GOOD.index('[test') :]}"
        (tmp_path / f"{name}.shader_test").write_text(text if name == "b" else GOOD)
    script = tmp_path / "script.py"
    script.write_text(DEADLY_DRIVER)
    words = ("test", tmp_path, "--device", device.info.index, "-j", "2", "--json")
    done = python(script, *words, PYTHONPATH=str(ROOT))
    assert done.returncode == 3, done.stderr
    rows = sorted(json.loads(done.stdout)["tests"], key=lambda row: (row["file"], row["line"]))
    assert [row["status"] for row in rows] == ["passed", "passed", "error", "passed", "passed"]
    assert rows[2]["name"] == "deadly"
    assert "the driver ended the process" in str(rows[2]["failures"])


def test_an_unusable_device_is_reopened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """After a dispatch that timed out the next test has another device."""
    endless = (
        "[shader]\ncs_5_0\ndcl_uav_raw u0\ndcl_thread_group 1, 1, 1\nloop\n"
        "store_raw u0.x, l(0), l(1)\nendloop\nret\n[uav 0]\n0\n"
        "[test]\ntimeout 0.05\ndispatch 1 1 1\n[test again]\nprobe uav 0 all 0\n"
    )
    path = tmp_path / "a.shader_test"
    path.write_text(endless)
    ((test,), _) = session.read_tests([path])
    (found,) = session.run_jobs([session.Job(test, "reference")], 1)
    assert [(one.status, one.code) for one in found] == [(ERROR, DEVICE), ("passed", 0)]
    assert "did not end its work in 0.05 s" in found[0].failures[0].message
