"""Progress of slow steps is shown on a terminal, and nowhere else."""

import re
import sys
from io import BytesIO
from pathlib import Path
from subprocess import PIPE, Popen

import numpy as np
import pytest

import vkrunner
from checks.running.shaders import ONE, ONE_TEST
from tests.running.slow_pipelines import slow_to_compile

from .conftest import on_a_terminal, sm5vk

ERASED = b"\r\x1b[K"

HELD = """
import os, sys
from checks.driver import replaced
from vkrunner.__main__ import main

process = os.getpid()  # not that of probes, which may be a copy of this one

def create(function, *arguments):
    if os.getpid() == process:
        sys.stdin.read()  # until the terminal has shown the line
    return function(*arguments)

with replaced() as driver:
    driver.replace("vkCreateComputePipelines", create)
    sys.exit(main(sys.argv[1:]))
"""

STOPPED = """
import sys, threading, time
from vkrunner.__main__ import main

looks, have_looked, given = [], threading.Event(), sys.stdin

def clock():
    if threading.current_thread() is not threading.main_thread():
        looks.append(None)
        if len(looks) == 3:
            have_looked.set()
    return 0.0

class Held:
    @property
    def buffer(self):
        have_looked.wait()
        return given.buffer

time.monotonic, sys.stdin = clock, Held()
sys.exit(main(sys.argv[1:]))
"""

COMPILING = """
import itertools, sys, time
from vkrunner.cli.output import show_work

class Compiling:
    is_compiling = True

halves = itertools.count(0, 30)
time.monotonic = lambda: float(next(halves))
with show_work(Compiling()):
    sys.stdin.read()
"""


def words_for(listing: str, folder: Path, device: str, array: str) -> tuple[str, ...]:
    """The words of a run of one group; `array` is for u0."""
    path = folder / "shader.asm"
    path.write_text(listing)
    return ("run", str(path), "--groups", "1", "--u0", array, "--device", device)


@pytest.mark.slow(reason="the driver compiles for a second")
def test_a_pipeline_that_takes_long(device: vkrunner.Device, tmp_path: Path) -> None:
    """It is created after the terminal has shown that the driver compiles."""
    words = words_for(ONE, tmp_path, str(device.info.index), "ones:4:u4")
    wait_for = b"the driver compiles a pipeline: "
    code, shown = on_a_terminal(*words, wait_for=wait_for, program=HELD)
    assert code == 0, shown
    assert re.search(rb"a pipeline: [1-9]\d* s", shown)
    assert shown.endswith(ERASED), "the line is erased at the end"


def test_nothing_is_shown_within_a_second(tmp_path: Path) -> None:
    """The clock stands still while the command looks three times."""
    words, array = words_for(ONE, tmp_path, "reference", "-"), BytesIO()
    np.save(array, np.zeros(4, np.uint32))
    assert on_a_terminal(*words, source=array.getvalue(), program=STOPPED) == (0, b"")


@pytest.mark.slow(reason="a process that waits")
def test_nothing_is_shown_without_a_terminal(device: vkrunner.Device, tmp_path: Path) -> None:
    words = words_for(slow_to_compile(250), tmp_path, str(device.info.index), "ones:32:u4")
    done = sm5vk(*words)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_driver_that_compiles_for_a_minute_without_a_terminal() -> None:
    """It is told once; by the clock, half a minute passes between two looks."""
    words = [sys.executable, "-c", COMPILING]
    with Popen(words, stdin=PIPE, stderr=PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        told = process.stderr.readline()
        process.stdin.close()
        assert process.stderr.read() == ""
    assert told.startswith("sm5vk: the driver has compiled for 60 s so far: ")


ENDLESS = ONE.replace("store_raw", "loop\nstore_raw").replace("ret", "endloop\nret")


@pytest.mark.slow(reason="a process that waits")
def test_arrays_that_are_read(tmp_path: Path) -> None:
    """Standard input is sent after the terminal has shown that the command waits for it."""
    words, array = words_for(ONE, tmp_path, "reference", "-"), BytesIO()
    np.save(array, np.zeros(4, np.uint32))
    code, shown = on_a_terminal(*words, source=array.getvalue(), wait_for=b"reading arrays: ")
    assert code == 0, shown
    assert shown.endswith(ERASED), "the line is erased at the end"


@pytest.mark.slow(reason="a process that waits")
def test_an_error_while_a_line_is_shown(tmp_path: Path) -> None:
    words = words_for(ONE, tmp_path, "reference", "-")
    code, shown = on_a_terminal(*words, source=b"no array", wait_for=b"reading arrays: ")
    assert code == 2
    assert ERASED + b"sm5vk: error: " in shown, "the line makes room for the error"


@pytest.mark.slow(reason="a process that waits")
def test_a_dispatch_that_takes_long(tmp_path: Path) -> None:
    words = words_for(ENDLESS, tmp_path, "reference", "zeros:250000:u4")
    line = b"running on reference machine with 1.0 MB of arrays: "
    code, shown = on_a_terminal(*words, source=None, wait_for=line)
    assert code == 130, shown
    assert line in shown
    assert shown.endswith(ERASED)


@pytest.mark.parametrize("verb", ["test", "selftest"])
def test_shader_tests(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "one.shader_test"
    path.write_text(ONE_TEST)
    words = (verb, str(path), "--device", "reference")
    code, shown = on_a_terminal(*words)
    assert code == 0, shown
    assert b"[1/1] " in shown
    assert shown.endswith(ERASED)
    done = sm5vk(*words)
    assert (done.returncode, done.stderr) == (0, "")
