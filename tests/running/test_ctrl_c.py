"""Ctrl-C at any moment, in programs of their own: one that hangs does not end the tests."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from vkrunner import Device

ROOT = Path(__file__).parents[2]
MINUTES = 10  # of a program that hangs

COUNTING = """
import sys
import numpy as np
import vkrunner
from tests.running.shaders import ADD
with vkrunner.open_device(int(sys.argv[1]), validation="sync") as device:
    kernel, total = device.kernel(ADD), device.buffer(np.zeros(1, "u4"))
    kernel.dispatch(1, u0=total, cb0=1)
    print("begun", flush=True)
    while True:
        kernel.dispatch_async(1, u0=np.zeros(1 << 16, "u4"), cb0=1)
        kernel.dispatch(1, u0=total, cb0=1)
        total.read()
"""


def interrupted(program: subprocess.Popen[str]) -> str:
    """What it says at its end; Python drops an interrupt that comes within a finalizer."""
    for _ in range(3 * MINUTES):
        program.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return program.communicate(timeout=20)[1]
    program.kill()
    return "it did not end"


@pytest.mark.parametrize("kind", ["shared", "staged"])
def test_the_device_stays_usable(device: Device, kind: str) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.running.interrupted"]
    command += [str(device.info.index), kind, "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60 * MINUTES)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("seed", range(4))
def test_the_program_ends(device: Device, seed: int) -> None:
    """By the signal, after its one error."""
    command = [sys.executable, "-c", COUNTING, str(device.info.index)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begun\n"
        time.sleep(random.Random(seed).random() / 5)
        errors = interrupted(program)
    assert program.returncode == -signal.SIGINT, errors
    assert errors.splitlines()[-1] == "KeyboardInterrupt", errors
