"""The end of the command: quick, but all output is written, and threads are waited for."""

from __future__ import annotations

import pytest

from tests.commands import python

START = """
import atexit, ctypes, sys, threading, time
atexit.register(print, "Python's end")
sys.argv = ["sm5vk", *{words!r}]
{before}
from vkrunner.__main__ import command
command()
"""
THREAD = """
def work():
    time.sleep(0.5)
    print("worked")
threading.Thread(target=work).start()
"""
LIBRARY = "ctypes.CDLL(None).puts(b'a text of a library')"


@pytest.mark.parametrize(
    ("before", "output"),
    [
        ("", []),
        (LIBRARY, ["a text of a library"]),
        (THREAD, ["worked", "Python's end"]),
        ("import multiprocessing", ["Python's end"]),
        ("import os; os.environ['VK_INSTANCE_LAYERS'] = 'layer'", ["Python's end"]),
        ("sys.settrace(lambda *_: None)", ["Python's end"]),
    ],
    ids=["alone", "library", "thread", "processes", "layer", "trace"],
)
@pytest.mark.parametrize(("words", "code"), [(["--version"], 0), (["devices", "--nothing"], 2)])
def test_the_end(words: list[str], code: int, before: str, output: list[str]) -> None:
    done = python("-c", START.format(words=words, before=before))
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("sm5vk")]
    assert lines == output
    assert ("sm5vk" in done.stdout) == (code == 0)


def test_a_standard_output_that_cannot_be_written() -> None:
    code = START.format(words=["--version"], before="sys.stdout = open('/dev/full', 'w')")
    assert python("-c", code).returncode != 0
