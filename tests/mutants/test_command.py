"""`python -m checks.mutants`, over a small repository of its own, and the tests of each module."""

from pathlib import Path

import pytest

from checks.mutants.__main__ import ROOT, main
from checks.mutants.suites import FOLDERS, suite_of

MODULE = "def less(a, b):\n    return a < b\n"
GOOD = "assert less(1, 2) is True\n    assert less(2, 1) is False\n    assert less(1, 1) is False"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    root = tmp_path / "repository"
    (root / "translate").mkdir(parents=True)
    (root / "tests/unit").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (root / "translate/__init__.py").touch()
    (root / "translate/order.py").write_text(MODULE)
    return root


def check(root: Path, body: str) -> None:
    text = f"from translate.order import less\n\n\ndef test_less():\n    {body}\n"
    (root / "tests/unit/test_order.py").write_text(text)


def test_all_are_caught(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(repository, GOOD)
    assert main(["translate", "--jobs", "2"], repository) == 0
    output = capsys.readouterr().out
    assert "caught     translate/order.py:2: comparison: a < b -> (a <= b)" in output
    assert output.splitlines()[-1].endswith(" mutants, 0 survived")
    assert (repository / "translate/order.py").read_text() == MODULE


def test_the_tests_to_run(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(repository, GOOD)
    (repository / "tests/test_none.py").write_text("def test_none(): pass\n")
    assert main(["translate", "--sample", "1", "--tests", "tests/test_none.py"], repository) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "first without a mutant: tests/test_none.py" in lines
    assert lines[-1].startswith("translate/order.py:2: ")


def test_survivors_are_reported(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(repository, GOOD.partition("\n")[0])
    assert main(["translate/order.py", "--jobs", "1"], repository) == 1
    *_, survived = capsys.readouterr().out.partition(" survived\n")
    assert "translate/order.py:2: comparison: a < b -> (a <= b)" in survived.splitlines()


def test_tests_that_fail_anyway(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(repository, "assert less(2, 1)")
    assert main(["translate", "--sample", "1", "--jobs", "1"], repository) == 2
    assert "without a mutant the tests end with: caught: FAILED" in capsys.readouterr().out


def test_list(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["translate", "--list", "--sample", "100"], repository) == 0
    assert "translate/order.py:2: statement: return a < b -> return None" in capsys.readouterr().out


def test_a_path_that_is_no_module(repository: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["translate/other.py"], repository)


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_and_their_tests_are_there(folder: str) -> None:
    assert (ROOT / folder).exists()
    assert [path for path in FOLDERS[folder] if not (ROOT / path).exists()] == []


def test_every_module_has_tests() -> None:
    paths = [*ROOT.glob("translate/**/*.py"), *ROOT.glob("vkrunner/**/*.py")]
    modules = [path.relative_to(ROOT) for path in paths]
    assert [str(module) for module in modules if not suite_of(ROOT, module.as_posix())] == []


def test_the_nearest_tests_come_first() -> None:
    found = suite_of(ROOT, "translate/passes/fold.py")
    assert found[:3] == ("tests/unit/passes/test_fold.py", "tests/unit/passes", "tests/passes")
    assert suite_of(ROOT, "vkrunner/values/formats.py")[:2] == (
        "tests/unit/vkrunner/values/test_formats.py",
        "tests/unit/vkrunner/values",
    )


@pytest.mark.parametrize(
    ("module", "proofs"),
    [
        ("translate/passes/fold.py", "tests/proofs"),
        ("translate/passes/guards/facts.py", "tests/proofs/test_ranges.py"),
        ("translate/passes/floats/flush.py", "tests/proofs/test_floats.py"),
        ("translate/spirv/code.py", "tests/proofs/test_decorations.py"),
    ],
)
def test_the_proofs_that_concern_a_module(module: str, proofs: str) -> None:
    assert proofs in suite_of(ROOT, module)
