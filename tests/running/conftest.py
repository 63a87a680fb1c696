"""Devices for what is run repeatedly, recorded, mapped and shared between threads."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

import vkrunner
from vkrunner import choose
from vkrunner.device_info import DeviceInfo


def opened(kind: str, device: vkrunner.Device, **options: Any) -> vkrunner.Device:
    """A device of its own, with synchronisation validation where the layer is installed."""
    if kind == "reference":
        return vkrunner.open_device("reference")
    options = {"validation": "sync", **options}
    if kind == "written" and device.info.index >= 0:
        return discrete(device.info.index, **options)
    return vkrunner.open_device(device.info.index, staged=kind == "staged", **options)


def discrete(index: int, **options: Any) -> vkrunner.Device:
    """A device taken for a discrete GPU, all of whose memory the host can map."""

    def chosen(instance: Any, wish: Any) -> tuple[Any, DeviceInfo]:
        handle, info = choose.choose(instance, wish)
        return handle, dataclasses.replace(info, type="discrete")

    with mock.patch.object(vkrunner.device, "choose", chosen):
        own = vkrunner.open_device(index, **options)
    assert own._backend.staged
    return own


@pytest.fixture(scope="module", params=["shared", "staged", "written", "reference"])
def either(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """Memory that both see, that is copied, that the host writes; and the reference machine."""
    with opened(request.param, device) as own:
        yield own


@pytest.fixture(params=["shared", "staged", "written"])
def own(request: pytest.FixtureRequest, device: vkrunner.Device) -> Iterator[vkrunner.Device]:
    """A Vulkan device for one test, which may spoil it."""
    with opened(request.param, device) as opened_device:
        yield opened_device
