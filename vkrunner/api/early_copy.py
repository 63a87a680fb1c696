"""prepare: copy this process for the first probes of a device, before it loads a driver.

With the probes' work, a copy of `sm5vk` takes a quarter of the time of a new interpreter, which has
to import the same modules again.
"""

from __future__ import annotations

from contextlib import suppress

from vkrunner.api.opening import Wish, is_reference, wished
from vkrunner.errors import NoDeviceError
from vkrunner.probes.device_faults import was_probed
from vkrunner.vulkan.loader.instance import has_drivers
from vkrunner.vulkan.loader.vk import binding


def prepare(*wishes: Wish) -> None:
    """Copy this process if a device is opened next on which probes will probably run.

    That is if none have run with this cache. Only a process with one thread that has not loaded
    a driver can be copied; another one starts an interpreter when it needs a child.
    """
    has_vulkan = not all(is_reference(wished(wish)) for wish in wishes)
    if not has_vulkan or has_drivers() or was_probed():
        return
    from translate.child import can_copy  # all of these are for the first use of a cache only

    if not can_copy():
        return
    from vkrunner.api.probe_child import exit_code
    from vkrunner.probes.asking import keep_ready

    with suppress(NoDeviceError):
        binding()  # for both processes; it loads no driver
        keep_ready(exit_code)
