"""Forked processes: they get an error, or a device of their own. Each test is a process of its own.

A child that hangs is ended by its alarm (`end_of_fork`).
"""

import copy
import os
import pickle

import numpy as np
import pytest

from checks.running.processes import end_of_fork, run_python
from checks.running.shaders import ADD
from vkrunner import Device

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")

_USE = """
import os, signal, sys
import numpy as np
import vkrunner
from checks.running.processes import end_of_fork
from checks.running.shaders import ADD

signal.alarm(300)
os.environ.pop("SM5VK_DEVICE", None)
index = int(sys.argv[1])

def use(device):
    kernel, x = device.kernel(ADD), np.arange(4, dtype="u4")
    assert kernel.dispatch(4, u0=x, cb0=3).u0.tolist() == [3, 4, 5, 6]
    return device
"""

# The child of a process with an open device; the child's own children are no better off
OPEN = """
def refused(call):
    try:
        call()
    except vkrunner.ForkError as error:
        assert f"process {os.getppid() if level == 1 else parent}" in str(error), error
        assert 'multiprocessing.get_context("spawn")' in str(error)
        return
    raise AssertionError("no error")

def child():
    global level
    level += 1
    refused(lambda: vkrunner.open_device(index))
    refused(vkrunner.open_device)
    refused(vkrunner.devices)
    with vkrunner.open_device("reference") as machine:
        use(machine)
    return end_of_fork(child) if level == 1 else 0

level, parent = 0, os.getpid()
device = use(vkrunner.open_device(index))
for _ in range(3):
    assert end_of_fork(child) == 0
    use(device)
device.close()
"""

# Children open devices, and end in both ways, while their parents have none open
CLOSED = """
def child():
    use(vkrunner.open_device(index)).close()
    return 0

for turn in range(2):
    use(vkrunner.open_device(index)).close()
    vkrunner.devices()
    assert end_of_fork(child) == 0
    forked = os.fork()
    if forked == 0:
        signal.alarm(30)
        child()
        sys.exit(0)
    assert os.waitpid(forked, 0)[1] == 0
"""


def run(device: Device, program: str) -> None:
    """Without the timer of `processes.run`: Python waits for its thread at the end of a child."""
    run_python("-c", _USE + program, str(device.info.index))


def test_a_child_of_a_process_with_an_open_device(device: Device) -> None:
    run(device, OPEN)


def test_a_child_of_a_process_that_closed_its_devices(device: Device) -> None:
    run(device, CLOSED)


def test_a_child_closes_a_buffer_that_is_mapped(device: Device) -> None:
    """As all that a child closes: it does nothing."""
    buffer = device.buffer(np.arange(4, dtype=np.uint32))

    def close() -> int:
        buffer.close()
        return 0

    with buffer.map("r") as view:
        assert end_of_fork(close) == 0
        assert view.tolist() == [0, 1, 2, 3]
    assert buffer.read().tolist() == [0, 1, 2, 3]


def test_objects_of_a_device_are_not_pickled(device: Device) -> None:
    """A pool of processes would send them to each."""
    with device.record() as recording:
        objects = (device, device.kernel(ADD), device.buffer(4), recording)
    for one, kind in zip(objects, ("Device", "Kernel", "Buffer", "Recording"), strict=True):
        with pytest.raises(TypeError, match=f"a {kind} stays in its process"):
            pickle.dumps(one)
        with pytest.raises(TypeError, match=f"a {kind} stays in its process"):
            copy.deepcopy(one)
