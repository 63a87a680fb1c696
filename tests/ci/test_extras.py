"""Tests that need more packages: left out without these, and an error with `--extras`."""

import re
import tomllib
from pathlib import Path

from tests.commands import Done, python
from tests.extras import MODULES, NEEDS

ROOT = Path(__file__).parents[2]
WITHOUT_Z3 = "import sys, pytest; sys.modules['z3'] = None; sys.exit(pytest.main(sys.argv[1:]))"


def collect(*options: str) -> Done:
    """Collect tests/ in a process that cannot import z3."""
    words = ["-q", "--co", "-p", "no:cacheprovider", "-k", "proofs or extras", *options, "tests"]
    return python("-c", WITHOUT_Z3, *words)


def test_a_folder_is_left_out() -> None:
    others = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir()]
    done = collect(*(f"--ignore=tests/{name}" for name in others if name not in ("ci", "proofs")))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests/ci/test_extras.py::test_a_folder_is_left_out" in done.stdout
    assert "tests/proofs" not in done.stdout


def test_that_is_an_error_on_request() -> None:
    done = collect("--extras")
    assert done.returncode == 4
    assert re.search(r"packages of these extras are missing: .*proofs \(z3\)", done.stderr)


def test_the_table_names_tests_and_extras() -> None:
    for path in NEEDS:
        assert (ROOT / "tests" / path.partition("::")[0]).exists(), path
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (installed,) = project["optional-dependencies"]["extras"]
    assert set(NEEDS.values()) <= MODULES.keys() <= set(re.findall(r"\w+", installed))
