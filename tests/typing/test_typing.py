"""A user's script passes strict checking, and its mistakes are found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]


def test_a_users_script(tmp_path: Path) -> None:
    """A comment that ignores a mistake is itself an error where there is none."""
    settings = {
        "include": [str(FOLDER / "user.py")],
        "extraPaths": [str(ROOT)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "reportUnnecessaryTypeIgnoreComment": "error",
        "reportMissingTypeStubs": "none",
    }
    project = tmp_path / "pyrightconfig.json"
    project.write_text(json.dumps(settings))
    words = ["-m", "pyright", "-p", str(project), "--pythonpath", sys.executable]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 errors" in done.stdout


def test_the_packages_say_that_they_are_typed() -> None:
    for package in ("translate", "vkrunner"):
        assert (ROOT / package / "py.typed").is_file()
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'translate = ["py.typed"' in text
    assert 'vkrunner = ["py.typed"' in text
