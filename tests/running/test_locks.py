"""Nothing waits, joins a thread or calls a caller's code while it holds a lock."""

from __future__ import annotations

import pytest

from checks.running.processes import run_python
from vkrunner import Device

TAKEN = {
    # A thread that is within the device's lock waits for none of these.
    "vkrunner/vulkan/encode/variants.py takes vkrunner/dispatch/context.py",
    "vkrunner/vulkan/encode/variants.py takes vkrunner/shader/cache/store.py",
}
# lavapipe waits until its queue is idle, which needs no lock.
WAITS = {"vkrunner/vulkan/encode/command_list.py vkGetQueryPoolResults"}


@pytest.mark.slow(reason="a call under each lock")
def test_under_each_lock(device: Device) -> None:
    found = set(run_python("-m", "checks.locks", str(device.info.index)).splitlines())
    assert found >= TAKEN, "the program notes locks"
    assert found <= TAKEN | WAITS
