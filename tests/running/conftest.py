"""Devices for tests that repeat, record, map and share between threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import vkrunner
from tests.driver import Driver, discrete_gpu


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


@pytest.fixture(scope="module", params=["shared", "staged", "written", "reference"])
def either(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """Devices with shared, staged and host-written memory, and the reference machine."""
    with opened(request.param, device) as own:
        yield own


@pytest.fixture(params=["shared", "staged", "written"])
def own(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """A Vulkan device for one test, which may make it unusable."""
    with opened(request.param, device) as opened_device:
        yield opened_device


@pytest.fixture(params=["shared", "staged", "written"])
def driven(
    request: pytest.FixtureRequest, device: vkrunner.Device, driver: Driver
) -> Iterator[vkrunner.Device]:
    """A Vulkan device for one test, whose driver functions the test can replace."""
    with opened(request.param, device) as opened_device:
        yield opened_device
        driver.restore()
