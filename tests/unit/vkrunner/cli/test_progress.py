"""A terminal shows that the driver compiles; where there is none, nothing is shown."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import vkrunner
from tests.running.slow_pipelines import slow_to_compile

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
    """The exit code, and what was written to standard error."""
    words = [*RUN, "--device", str(device.info.index)]
    if not terminal:
        done = subprocess.run(words, input=source, capture_output=True, check=False)
        return done.returncode, done.stderr
    ours, theirs = os.openpty()
    with open(ours, "rb", buffering=0) as shown:
        done = subprocess.run(
            words, input=source, stdout=subprocess.DEVNULL, stderr=theirs, check=False
        )
        os.write(theirs, b"end")
        text = b""
        while not text.endswith(b"end"):
            text += shown.read(4096)
        os.close(theirs)
    return done.returncode, text.removesuffix(b"end")


def test_on_a_terminal(device: vkrunner.Device) -> None:
    if device.info.type != "cpu":
        pytest.skip(f"{device.name} may be fast")
    code, shown = ran(slow_to_compile(250).encode(), device, terminal=True)
    assert code == 0, shown
    assert b"the driver compiles a pipeline: 1 s" in shown
    assert shown.endswith(b"\r\x1b[K"), "the line is erased at the end"


@pytest.mark.parametrize("terminal", [True, False])
def test_nothing_to_show(device: vkrunner.Device, terminal: bool) -> None:
    listing = slow_to_compile(250) if not terminal else QUICK
    assert ran(listing.encode(), device, terminal) == (0, b"")
