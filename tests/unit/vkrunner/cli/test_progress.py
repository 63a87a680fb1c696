"""Progress of slow steps is shown on a terminal, and nowhere else."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

import vkrunner
from tests.running.slow_pipelines import blocks_for, slow_to_compile

RUN = (sys.executable, "-m", "vkrunner", "run", "-", "--groups", "1,1,1", "--u0", "ones:32:u4")

QUICK = """cs_5_0
dcl_globalFlags refactoringAllowed
dcl_uav_raw u0
dcl_temps 1
dcl_thread_group 1, 1, 1
store_raw u0.x, l(0), l(3)
ret
"""


def ran(source: bytes, device: vkrunner.Device, terminal: bool) -> tuple[int, bytes]:
    """The exit code, and the text on standard error."""
    words = [*RUN, "--device", str(device.info.index)]
    if terminal:
        return shown_by(*words, source=source)
    done = subprocess.run(words, input=source, capture_output=True, check=False)
    return done.returncode, done.stderr


def shown_by(*words: str, source: bytes, wait_for: bytes = b"") -> tuple[int, bytes]:
    """The exit code, and a terminal's text; standard input waits until it has `wait_for`."""
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as shown:
        process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=theirs
        )
        assert process.stdin is not None
        text = b""
        while wait_for not in text and process.poll() is None:
            if select.select([shown], [], [], 0.1)[0]:
                text += shown.read(4096)
        with process.stdin:
            process.stdin.write(source)
        process.wait()
        os.write(theirs, b"end")
        while not text.endswith(b"end"):
            text += shown.read(4096)
        os.close(theirs)
    return process.returncode, text.removesuffix(b"end")


def test_on_a_terminal(device: vkrunner.Device) -> None:
    if device.info.type != "cpu":
        pytest.skip(f"{device.name} may be fast")
    code, shown = ran(slow_to_compile(blocks_for(device, 2.0)).encode(), device, terminal=True)
    assert code == 0, shown
    assert b"the driver compiles a pipeline: 1 s" in shown
    assert shown.endswith(b"\r\x1b[K"), "the line is erased at the end"


@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_to_show(device: vkrunner.Device, terminal: bool) -> None:
    listing = slow_to_compile(250) if not terminal else QUICK
    assert ran(listing.encode(), device, terminal) == (0, b"")


ENDLESS = """cs_5_0
dcl_uav_raw u0
dcl_thread_group 1, 1, 1
loop
store_raw u0.x, l(0), l(1)
endloop
ret
"""


def test_arrays_that_are_read(tmp_path: Path) -> None:
    """Standard input is sent after the terminal has shown that the command waits for it."""
    listing = tmp_path / "quick.asm"
    listing.write_text(QUICK)
    words = ("run", str(listing), "--groups", "1", "--u0", "-", "--device", "reference")
    array = BytesIO()
    np.save(array, np.zeros(4, np.uint32))
    code, shown = shown_by(
        *(sys.executable, "-m", "vkrunner", *words),
        source=array.getvalue(),
        wait_for=b"reading arrays: 1 s",
    )
    assert code == 0, shown
    assert shown.endswith(b"\r\x1b[K"), "the line is erased at the end"


def test_a_dispatch_that_takes_long() -> None:
    words = ("run", "-", "--groups", "1", "--u0", "zeros:250000:u4", "--device", "reference")
    code, shown = shown_by(
        *(sys.executable, "-m", "vkrunner", *words, "--timeout", "4"), source=ENDLESS.encode()
    )
    assert code == 3
    assert b"running on reference machine with 1.0 MB of arrays: 1 s" in shown
    assert b"\r\x1b[Ksm5vk: error: " in shown, "the line makes room for the error"


@pytest.mark.parametrize("verb", ["test", "selftest"])
def test_shader_tests(verb: str, tmp_path: Path) -> None:
    path = tmp_path / "one.shader_test"
    path.write_text(f"[shader]\n{QUICK}[uav 0]\n0\n[test]\ndispatch 1 1 1\nprobe uav 0 all 3\n")
    words = (sys.executable, "-m", "vkrunner", verb, str(path), "--device", "reference")
    code, shown = shown_by(*words, source=b"")
    assert code == 0, shown
    assert b"[1/1] " in shown
    assert shown.endswith(b"\r\x1b[K")
    done = subprocess.run(words, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
