"""`sh ci/gpu.sh` on this device: its report of tests that pass, fail, crash or hang."""

import json
import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

import vkrunner

ROOT = Path(__file__).parents[2]
# The order matters: each follows one that ends the process, or loses the device.
TESTS = (Path(__file__).parent / "data/gpu_tests.txt").read_text("utf-8")
OUTCOMES = {
    "test_before": "passed",
    "test_wrong": "failed",
    "test_ends": "crashed",
    "test_lost": "lost",
    "test_after[1]": "passed",
    "test_after[2]": "passed",
    "test_silent": "silent",
    "test_skipped": "skipped",
}


def gpu(*words: str) -> subprocess.CompletedProcess[str]:
    """Run ci/gpu.sh on the device of the tests."""
    name = os.environ.get("SM5VK_DEVICE", "lavapipe")
    command = ["sh", "ci/gpu.sh", "--device", name, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The report on TESTS, in one file, and on a test in another file that another process runs."""
    for name, text in (("one", TESTS), ("other", "def test_other():\n    pass\n")):
        text = text.format(saxpy=str(ROOT / "shaders/saxpy.dxbc")) if name == "one" else text
        (tmp_path / f"test_{name}.py").write_text(text)
    tests = [str(tmp_path / f"test_{name}.py") for name in ("one", "other")]
    words = ("--parts", "suite", "--silence", "12", "--processes", "2", "--tests", *tests)
    done = gpu("--into", str(tmp_path / "report"), *words)
    assert done.returncode == 1, done.stderr
    return tmp_path / "report"


@pytest.mark.slow(reason="sessions of tests that hang")
def test_each_fault_is_named(folder: Path, device: vkrunner.Device) -> None:
    data = json.loads((folder / "report.json").read_text())["parts"]["suite"]["data"]
    bad = {row["name"].partition("::")[2]: row["outcome"] for row in data["bad"]}
    assert bad == {n: how for n, how in OUTCOMES.items() if how not in ("passed", "skipped")}
    counts = {"crashed": 1, "failed": 1, "lost": 1, "passed": 4, "silent": 1, "skipped": 1}
    assert data["counts"] == counts
    cases = xml.parse(folder / "suite.xml").iter("testcase")
    kinds = {case.get("name"): next((child.tag for child in case), "") for case in cases}
    tags = {"passed": "", "failed": "failure", "skipped": "skipped"}
    expected = {name: tags.get(how, "error") for name, how in OUTCOMES.items()}
    assert kinds == {**expected, "test_other": ""}
    summary = (folder / "summary.md").read_text()
    words = (device.name, device.info.driver_version, "| suite |", "1 lost", "::test_ends")
    for text in (*words, "1 skipped: Skipped: not here"):
        assert text in summary, text


@pytest.mark.thorough("a minute of every part")
def test_all_parts(tmp_path: Path) -> None:
    words = ("--minutes", "0.01", "--seed", "5", "--scale", "0.002", "--tables", "transfer")
    words += ("--tests", "tests/running/test_durations.py")
    done = gpu("--into", str(tmp_path / "report"), *words)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report/report.json").read_text())
    assert list(report["parts"]) == ["selftest", "suite", "fuzz", "benchmarks"]
    tests = report["parts"]["selftest"]["data"]["tests"]
    assert not [test for test in tests if test["verdict"] == "wrong" and test["fault"] is None]
    assert {"transfer"} == set(report["parts"]["benchmarks"]["data"])
    assert " 0 failures" in report["parts"]["fuzz"]["data"]["last"]
    assert "from seed 5 on" in (tmp_path / "report/fuzz.log").read_text()


def test_refusals(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    for words, why in (
        (["--into", str(tmp_path / "full")], "is not empty"),
        (["--parts", "suit"], "no part 'suit'"),
        (["--into", str(tmp_path / "x"), "--device", "no such device"], "no such device"),
    ):
        done = gpu(*words)
        assert done.returncode, words
        assert why in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow(reason="sessions of tests that hang")
def test_tests_that_cannot_be_collected(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_that_name\n")
    words = ("--parts", "suite", "--tests", str(tmp_path / "test_broken.py"))
    done = gpu("--into", str(tmp_path / "report"), *words)
    assert done.returncode == 1
    report = json.loads((tmp_path / "report/report.json").read_text())
    assert "nothing_of_that_name" in report["parts"]["suite"]["faults"][0]
