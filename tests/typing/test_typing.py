"""A user's script passes strict checking, and its mistakes are found."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("user.py")
ROOT = Path(__file__).parents[2]
SETTINGS = {
    "include": ["*.py"],
    "extraPaths": [str(ROOT)],
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "reportUnnecessaryTypeIgnoreComment": "error",
    "reportMissingTypeStubs": "none",
}
IGNORED = re.compile(r"  # pyright: ignore\[.*")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The checker's report on the script, and on the script without its ignore comments."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "pyrightconfig.json").write_text(json.dumps(SETTINGS))
    shutil.copy(SCRIPT, folder / "user.py")
    (folder / "uncovered.py").write_text(IGNORED.sub("", SCRIPT.read_text()))
    words = ["-m", "pyright", "-p", str(folder), "--pythonpath", sys.executable, "--outputjson"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    return json.loads(done.stdout)


def errors(report: dict[str, Any], name: str) -> list[tuple[int, str]]:
    """Lines, from 1, and messages of the errors in a file."""
    found = report["generalDiagnostics"]
    assert report["summary"]["filesAnalyzed"] == 2
    return [
        (one["range"]["start"]["line"] + 1, one["message"])
        for one in found
        if Path(one["file"]).name == name
    ]


def test_a_users_script(report: dict[str, Any]) -> None:
    """An ignore comment is itself an error where there is no mistake."""
    assert errors(report, "user.py") == []


def test_every_mistake_is_found_and_nothing_else(report: dict[str, Any]) -> None:
    lines = SCRIPT.read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if IGNORED.search(line)}
    assert {line for line, _ in errors(report, "uncovered.py")} == wrong


def test_the_packages_say_that_they_are_typed() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for package in ("sm5vk", "translate", "vkrunner"):
        assert (ROOT / package / "py.typed").is_file()
        assert f'{package} = ["py.typed"' in text
