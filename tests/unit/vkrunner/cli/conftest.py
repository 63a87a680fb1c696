"""The command line: within this process, in another one, and on a terminal."""

import os
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Done, python
from vkrunner.__main__ import main

from ..shadertest.conftest import folder as folder  # a fixture

ROOT = Path(__file__).parents[4]
SHADERS = ROOT / "shaders"
SAXPY = SHADERS / "saxpy.dxbc"
# Loads from a typed UAV of a format that the shader does not say.
TYPED = (Path(__file__).parent / "data/typed.asm").read_text("utf-8")
Outcome = tuple[int, str, str]
Call = Callable[..., Outcome]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Runs a command within this process: its exit code, standard output and standard error."""

    def run(*words: object) -> Outcome:
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


def sm5vk(*words: object, **variables: str) -> Done:
    """The outcome of a command in a process of its own."""
    return python("-m", "vkrunner", *words, **variables)


def without_a_reader(stream: str, folder: Path, *words: object) -> int:
    """The exit code of a command that writes to a pipe that is closed at its other end."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-P", "-m", "vkrunner", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open(writer, "wb") as pipe:
        streams: Any = {"stdout": subprocess.DEVNULL, stream: pipe}
        return subprocess.run(command, cwd=folder, env=environment, **streams).returncode


def on_a_terminal(
    *words: object,
    source: bytes | None = b"",
    wait_for: bytes = b"",
    program: str = "",
    both: bool = False,
) -> tuple[int, bytes]:
    """The exit code of `sm5vk WORDS`, and the text on a terminal of standard error, or of both.

    Once that text has `wait_for`, standard input has `source`; None stands for Ctrl-C. `program`
    calls `main` in its own way.
    """
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    start = ("-c", program) if program else ("-m", "vkrunner")
    out = theirs if both else subprocess.DEVNULL
    with open(ours, "rb", buffering=0) as shown:
        process = subprocess.Popen(
            [sys.executable, *start, *map(str, words)],
            **{"stdin": subprocess.PIPE, "stdout": out, "stderr": theirs, "cwd": ROOT},
        )
        assert process.stdin is not None
        text = b""
        while wait_for not in text and process.poll() is None:
            if select.select([shown], [], [], 0.1)[0]:
                text += shown.read(4096)
        if source is None:
            process.send_signal(signal.SIGINT)
        with process.stdin:
            process.stdin.write(source or b"")
        process.wait()
        os.write(theirs, b"end")
        while not text.endswith(b"end"):
            text += shown.read(4096)
        os.close(theirs)
    return process.returncode, text.removesuffix(b"end")
