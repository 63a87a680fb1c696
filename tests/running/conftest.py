"""Devices for what is run repeatedly, recorded, mapped and shared between threads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import vkrunner


def opened(kind: str, device: vkrunner.Device, **options: Any) -> vkrunner.Device:
    """A device of its own, with synchronisation validation where the layer is installed."""
    if kind == "reference":
        return vkrunner.open_device("reference")
    index = device.info.index
    return vkrunner.open_device(index, validation="sync", staged=kind == "staged", **options)


@pytest.fixture(scope="module", params=["shared", "staged", "reference"])
def either(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """Memory that both sides see, memory that is copied, and the reference machine."""
    with opened(request.param, device) as own:
        yield own


@pytest.fixture(params=["shared", "staged"])
def own(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """A Vulkan device for one test, which may spoil it."""
    with opened(request.param, device) as opened_device:
        yield opened_device
