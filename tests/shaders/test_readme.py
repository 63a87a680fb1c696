"""The README's examples run as they stand, and give what it says they give."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vkrunner.__main__ import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^    sm5vk (.+)$", README, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A working folder that has the shaders, and the arrays that the command lines name."""
    (tmp_path / "shaders").symlink_to(ROOT / "shaders")
    np.save(tmp_path / "x.npy", np.arange(1000, dtype=np.float32))
    np.save(tmp_path / "y.npy", np.ones(1000, np.float32))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (0, "[1. 3. 5. 7.]\n"),
        (1, "2 kept, 1 dropped\n"),
        (2, "t0 x 0 3 storage_buffer\n"),
    ],
)
def test_python(device: Any, capsys: pytest.CaptureFixture[str], number: int, printed: str) -> None:
    assert len(EXAMPLES) == 3
    exec(compile(EXAMPLES[number], "README.md", "exec"), {})
    assert printed in capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_command(device: Any, capsys: pytest.CaptureFixture[str], command: str) -> None:
    reported = "--report" in command
    assert main(shlex.split(command)) == reported
    printed = capsys.readouterr()
    assert printed.err == ""
    assert not reported or f"\n{printed.out}```" in README


def test_commands_leave_what_they_say(
    device: Any, capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    assert len(COMMANDS) >= 7
    for command in COMMANDS:
        main(shlex.split(command))
    np.testing.assert_array_equal(np.load(folder / "out.npy"), np.arange(1000) * 2 + 1)
    assert (folder / "saxpy.spv").read_bytes()[:4] == b"\x03\x02\x23\x07"
    assert (folder / "saxpy.dxbc").read_bytes()[:4] == b"DXBC"
    assert '"thread_group"' in (folder / "saxpy.json").read_text()
    out = capsys.readouterr().out
    assert "OpEntryPoint GLCompute" in out
    assert "store_structured u0.x, vThreadID.x" in out
