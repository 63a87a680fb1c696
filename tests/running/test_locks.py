"""Nothing waits, joins a thread or calls a caller's code while it holds a lock."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vkrunner import Device

ROOT = Path(__file__).parents[2]
LONGEST_S = 600  # until the program counts as hanging; the test measures no time

TAKEN = {
    # A thread that is within the device's lock waits for none of these.
    "vkrunner/vulkan/encode/variants.py takes vkrunner/work/context.py",
    "vkrunner/vulkan/encode/variants.py takes vkrunner/shader/cache/recent.py",
}
# lavapipe waits until its queue is idle, which needs no lock.
WAITS = {"vkrunner/vulkan/device/clock.py vkGetQueryPoolResults"}


@pytest.mark.slow(reason="a call under each lock")
def test_under_each_lock(device: Device) -> None:
    command = [sys.executable, "-m", "tests.running.locks", str(device.info.index)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S)
    assert done.returncode == 0, done.stderr[-3000:]
    found = set(done.stdout.splitlines())
    assert found >= TAKEN, "the program notes locks"
    assert found <= TAKEN | WAITS
