"""The end of the command: quick, but all output is written, and threads are waited for."""

import signal
import sys

import pytest

from tests.commands import python

START = """
import atexit, ctypes, sys, threading
atexit.register(print, "Python's end")
sys.argv = ["sm5vk", *{words!r}]
{before}
from vkrunner.__main__ import command
command()
"""
THREAD = """
def work():
    threading.main_thread().join()
    print("worked")
threading.Thread(target=work).start()
"""
LIBRARY = "ctypes.CDLL(None).puts(b'a text of a library')"


@pytest.mark.parametrize(
    ("before", "output", "code"),
    [
        ("", [], 0),
        ("", [], 2),
        (LIBRARY, ["a text of a library"], 0),
        (THREAD, ["worked", "Python's end"], 2),
        ("import multiprocessing", ["Python's end"], 0),
        ("import os; os.environ['VK_INSTANCE_LAYERS'] = 'layer'", ["Python's end"], 2),
        ("sys.settrace(lambda *_: None)", ["Python's end"], 0),
    ],
    ids=["alone", "an error", "library", "thread", "processes", "layer", "trace"],
)
def test_the_end(before: str, output: list[str], code: int) -> None:
    words = ["devices", "--nothing"] if code else ["--version"]
    done = python("-c", START.format(words=words, before=before))
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("sm5vk")]
    assert lines == output
    assert ("sm5vk" in done.stdout) == (code == 0)


def test_a_standard_output_that_cannot_be_written() -> None:
    code = START.format(words=["--version"], before="sys.stdout = open('/dev/full', 'w')")
    assert python("-c", code).returncode != 0


INTERRUPTED = """
import inspect, io, signal
class Stream(io.TextIOWrapper):
    def flush(self):
        super().flush()
        if inspect.currentframe().f_back.f_globals.get("__name__") == "vkrunner.__main__":
            signal.raise_signal(signal.SIGINT)
"""
STDOUT = f"{INTERRUPTED}sys.stdout = Stream(sys.stdout.detach(), line_buffering=True)"
AT_EXIT = "import multiprocessing, signal; atexit.register(signal.raise_signal, signal.SIGINT)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize("before", [STDOUT, AT_EXIT], ids=["quick end", "Python's end"])
@pytest.mark.parametrize("words", [["--version"], ["inspect", "none"]], ids=str)
def test_an_interrupt_at_the_end_is_no_traceback(words: list[str], before: str) -> None:
    done = python("-c", START.format(words=words, before=before))
    assert done.returncode in (130, -signal.SIGINT), done
    assert "Traceback" not in done.stderr


EARLY = """
import runpy, signal, sys
class Slow:
    def find_spec(name, *_):
        if name == "argparse":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Slow)
sys.argv = ["sm5vk", "--version"]
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
@pytest.mark.parametrize(
    "start",
    [
        "from vkrunner.__main__ import command; command()",  # the installed command
        "runpy.run_module('vkrunner', run_name='__main__')",
        "runpy.run_module('sm5vk', run_name='__main__')",
    ],
)
def test_an_interrupt_during_imports_is_no_traceback(start: str) -> None:
    done = python("-c", EARLY + start)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals")
def test_an_interrupt_that_is_ignored() -> None:
    """As that of a command in the background."""
    ignored = f"{AT_EXIT}; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = python("-c", START.format(words=["--version"], before=ignored))
    assert (done.returncode, done.stderr) == (0, "")
