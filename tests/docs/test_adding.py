"""The pages about additions, followed block by block in a copy of the project.

Changes (`diff`) are applied, files are written, commands and Python run in the copy's folder, and
have to print the output that the page shows. pytest runs in place of `ci/test.sh`, which installs
packages.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checks.mutants.__main__ import copy_repository

from .blocks import ADDITIONS, ROOT, Block, Kind, blocks_of
from .test_pages import in_a_shell

PYTEST = "python -m pytest -q -n 0 -p no:cacheprovider"
CHANGE = "--- a/"


@pytest.mark.slow(reason="each page is followed in a copy of the project, whose tests run")
@pytest.mark.parametrize("page", ADDITIONS)
def test_page(page: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = copy_repository(ROOT, tmp_path / "copy")
    monkeypatch.chdir(copy)
    monkeypatch.setenv("PYTHONPATH", str(copy))
    printed = ""
    for block in blocks_of(page):
        printed = follow(block, copy, printed)


def follow(block: Block, copy: Path, printed: str) -> str:
    """Carry out a block; returns its output, or the last output if it has none."""
    if block.kind is Kind.FILE:
        (copy / block.title).parent.mkdir(parents=True, exist_ok=True)
        (copy / block.title).write_text(block.text, encoding="utf-8")
    elif block.kind is Kind.PYTHON:
        return in_a_shell(block, f"python -c {shlex.quote(block.text)}")
    elif block.kind is Kind.SHELL:
        return in_a_shell(block, block.text.replace("sh ci/test.sh", PYTEST))
    elif block.kind is Kind.OUTPUT:
        assert block.text in printed, f"{block.place} is not what is printed:\n{printed}"
    elif block.text.startswith(CHANGE):
        command = ["git", "apply", "-"]
        done = subprocess.run(command, input=block.text, text=True, capture_output=True)
        assert done.returncode == 0, f"{block.place}: {done.stderr}"
    return printed


@pytest.mark.parametrize("page", ADDITIONS)
def test_style(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page's changes are accepted by the checks of ci/lint.sh."""
    monkeypatch.chdir(tmp_path)
    for block in blocks_of(page):
        for path in re.findall(r"^--- a/(.+)", block.text, re.MULTILINE):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, path)
        if block.kind is Kind.FILE or block.text.startswith(CHANGE):
            follow(block, tmp_path, "")
    for path in tmp_path.rglob("*.py"):
        for words in (["check"], ["format", "--check"]):
            name = path.relative_to(tmp_path).as_posix()
            command = [sys.executable, "-m", "ruff", *words, "--stdin-filename", name, "-"]
            text = path.read_text()
            done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr


def test_the_pages_have_changes_and_commands() -> None:
    """If a page were read wrongly, nothing would be followed."""
    assert len(ADDITIONS) == 5
    for page in ADDITIONS:
        blocks = blocks_of(page)
        assert any(block.text.startswith(CHANGE) for block in blocks), page
        assert any("sh ci/test.sh" in block.text for block in blocks), page
