"""The command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def sm5vk(words: str, folder: Path, redirect: str = "") -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m vkrunner {words} {redirect}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SM5VK_DEVICE": "reference"}
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def assert_refused(done: subprocess.CompletedProcess[str], *mentions: str) -> None:
    assert done.returncode in (1, 2), done
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    assert all(word in done.stderr + done.stdout for word in mentions), done
