"""Commands in processes of their own."""

import contextlib
import io
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parents[1]
Done = subprocess.CompletedProcess[str]


def python(
    *words: object, folder: Path = ROOT, environment: Mapping[str, str] = os.environ, **more: str
) -> Done:
    """Run Python with these words in a folder; `more` are variables of its environment."""
    command = [sys.executable, *map(str, words)]
    variables = {**environment, **more}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)


def output(*words: object) -> str:
    """What Python prints with these words; it has to end without an error."""
    done = python(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def sm5vk(words: str, folder: Path, redirect: str = "") -> Done:
    """Run `sm5vk WORDS` on the reference machine in a folder, by a shell that redirects files."""
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


def sm5vk_here(words: str, folder: Path) -> Done:
    """The same without a process, which takes longer to start than most commands to run."""
    from vkrunner.__main__ import main

    printed, complained = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, SM5VK_DEVICE="reference"),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(complained),
    ):
        try:
            code = main(shlex.split(words))
        except SystemExit as stop:  # argparse ends so
            code = stop.code if isinstance(stop.code, int) else 1
    return Done(words, code, printed.getvalue(), complained.getvalue())


def assert_refused(done: Done, *mentions: str) -> None:
    """Check that a command ended with an error that mentions these words, and no traceback."""
    assert done.returncode in (1, 2), done
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr + done.stdout
    assert all(word in done.stderr + done.stdout for word in mentions), done
