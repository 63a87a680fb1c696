"""Ctrl-C at any moment: the device stays usable, and work in flight continues."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.processes import LONGEST_S
from checks.running.shaders import ADD, SPIN, spun
from vkrunner import Device, Future

ROOT = Path(__file__).parents[2]
WAITS = ("vkGetFenceStatus", "vkWaitForFences")

# --- within a call of the driver ----------------------------------------------------------------


def interrupt(driver: Driver, *names: str, before: bool = False) -> None:
    """Raise Ctrl-C within the next call of one of these driver functions."""

    def interrupted(function: Callable[..., int], *arguments: Any) -> int:
        driver.restore(*names)
        result = 0 if before else function(*arguments)
        signal.raise_signal(signal.SIGINT)
        return result

    for name in names:
        driver.replace(name, interrupted)


@pytest.mark.parametrize("function", WAITS)
def test_while_waiting(driven: Device, driver: Driver, function: str) -> None:
    """Several times, in each way to wait."""
    kernel, spin = driven.kernel(ADD), driven.kernel(SPIN)
    for _ in range(2):
        interrupt(driver, function, before=True)
        with pytest.raises(KeyboardInterrupt) as caught:
            spin.dispatch(50, u0=np.zeros(1, "u4"), cb0=60000)
        assert any("still working" in note for note in caught.value.__notes__)
        assert kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1).u0[0] == 1


@pytest.mark.parametrize("call", ["dispatch", "wait", "read", "write"])
def test_work_continues(driven: Device, driver: Driver, call: str) -> None:
    """A call that waits for the device is interrupted; the next one waits for the same work."""
    spin, state = driven.kernel(SPIN), driven.buffer(np.zeros(1, np.uint32))
    spin.dispatch(1, u0=state, cb0=0)  # the driver compiles
    future = spin.dispatch_async(60, u0=state, cb0=60000) if call != "dispatch" else None
    calls: dict[str, Callable[[], object]] = {
        "dispatch": lambda: spin.dispatch(60, u0=state, cb0=60000),
        "wait": lambda: future and future.wait(),
        "read": state.read,
        "write": lambda: state.write(np.ones(1, np.uint32)),
    }
    interrupt(driver, *WAITS, before=True)
    with pytest.raises(KeyboardInterrupt):
        calls[call]()
    other = driven.kernel(ADD).dispatch(1, u0=np.zeros(1, np.uint32), cb0=7, timeout=600)
    assert other.u0[0] == 7
    assert state.read()[0] == spun(60000)
    assert future is None or future.done()
    assert spin.dispatch(1, u0=state, cb0=2).u0[0] == spun(2)


@pytest.mark.parametrize("recorded", [False, True])
def test_while_submitting(driven: Device, driver: Driver, recorded: bool) -> None:
    """The work is already in flight."""
    kernel, zero = driven.kernel(SPIN), np.zeros(1, "u4")
    with driven.record() as recording:
        step = recording.dispatch(kernel, 1, u0=zero, cb0=0)

    def start(count: int) -> Future:
        if recorded:
            return recording.submit({step: {"cb0": count}})
        return kernel.dispatch_async(1, u0=zero, cb0=count)

    for turn in range(2):  # the first of its kind, and a repetition
        interrupt(driver, "vkQueueSubmit")
        with pytest.raises(KeyboardInterrupt):
            start(60000)
        assert start(turn + 3).result().u0[0] == spun(turn + 3)


def test_a_device_closed_during_its_work_is_destroyed(device: Device, driver: Driver) -> None:
    """It is destroyed when a device is opened after the end of the work."""
    own, before = vkrunner.open_device(device.info.index), driver.objects["Device"] - 1
    spin = own.kernel(SPIN)
    spin.dispatch(1, u0=np.zeros(1, "u4"), cb0=0)
    interrupt(driver, *WAITS, before=True)
    with pytest.raises(KeyboardInterrupt):
        spin.dispatch(50, u0=np.zeros(1, "u4"), cb0=60000)
    own.close()
    end = time.monotonic() + LONGEST_S
    while driver.objects["Device"] > before and time.monotonic() < end:
        vkrunner.open_device(device.info.index).close()
    assert driver.objects["Device"] == before


# --- at any moment, in separate processes: one that hangs does not block the tests ---------------


# A pipe holds 64 lines of the program.
COUNTING = """
import sys
import numpy as np
import vkrunner
from checks.running.shaders import ADD
with vkrunner.open_device(int(sys.argv[1]), validation="sync") as device:
    kernel, total = device.kernel(ADD), device.buffer(np.zeros(1, "u4"))
    kernel.dispatch(1, u0=total, cb0=1)
    while True:
        kernel.dispatch_async(1, u0=np.zeros(1 << 16, "u4"), cb0=1)
        kernel.dispatch(1, u0=total, cb0=1)
        total.read()
        print("." * 1023, flush=True)
"""
PATIENCE = 500  # turns, after which an interrupt was lost: Python drops one that comes
# within a finalizer


MORE = pytest.mark.thorough(reason="more moments")


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=MORE), pytest.param(3, marks=MORE)])
def test_the_program_ends(device: Device, seed: int) -> None:
    """It ends by the signal, after one error."""
    chance = random.Random(seed)
    command = [sys.executable, "-c", COUNTING, str(device.info.index)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        hanging = Timer(LONGEST_S, program.kill)
        hanging.start()
        assert program.stdout is not None
        left = chance.randrange(1, 50)
        for _ in program.stdout:
            left -= 1
            if left == 0:
                sum(range(chance.randrange(100_000)))  # so that the signal comes at another place
                program.send_signal(signal.SIGINT)
                left = PATIENCE
        errors = program.communicate()[1]
        hanging.cancel()
    assert program.returncode == -signal.SIGINT, errors
    assert errors.count("Traceback") == errors.count("\nKeyboardInterrupt\n") == 1, errors
