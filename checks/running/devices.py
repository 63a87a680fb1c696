"""Devices whose memory is shared, staged or written, or that are the reference machine."""

from __future__ import annotations

from typing import Any

import vkrunner
from checks.driver import discrete_gpu


def opened(kind: str, device: vkrunner.Device, **options: Any) -> vkrunner.Device:
    """A new device, with synchronisation validation where the layer is installed."""
    if kind == "reference":
        return vkrunner.open_device("reference")
    options = {"validation": "sync", **options}
    if kind == "written" and device.info.index >= 0:
        return discrete(device.info.index, **options)
    return vkrunner.open_device(device.info.index, staged=kind == "staged", **options)


def discrete(index: int, **options: Any) -> vkrunner.Device:
    """A device that appears as a discrete GPU; the host can map all of its memory."""
    with discrete_gpu():
        own = vkrunner.open_device(index, **options)
    assert own.info.type == "discrete"
    return own
