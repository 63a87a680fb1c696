"""VkPipelineCache: a driver's data is passed to it again, and to no other device or driver.

lavapipe and SwiftShader return only a header; here a simulated driver returns more.
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from vkrunner import Device
from vkrunner.vulkan.loader import vk

DATA = Path(__file__).parents[2] / "data"
CODE = b"what a driver compiled"
VENDOR, DEVICE, UUID = 0x10001, 0x20002, bytes(range(1, 17))
# VkPipelineCacheHeaderVersionOne, in the specification's layout
HEADER = struct.pack("<IIII", 32, 1, VENDOR, DEVICE) + UUID


class Played:
    """A driver whose caches have `data`; `given` has the initial data of each cache."""

    def __init__(self, driver: Driver):
        self.data, self.version, self.given = HEADER, 1, list[bytes]()
        driver.replace("vkGetPhysicalDeviceProperties", self._describe)
        driver.replace("vkCreatePipelineCache", self._create)
        driver.replace("vkGetPipelineCacheData", self._read)

    def _describe(self, function: Callable[..., None], physical: Any, properties: Any) -> None:
        function(physical, properties)
        properties.vendorID, properties.deviceID = VENDOR, DEVICE
        properties.driverVersion = self.version
        properties.pipelineCacheUUID = list(UUID)

    def _create(self, function: Callable[..., int], device: Any, info: Any, *rest: Any) -> int:
        size = int(info.initialDataSize)
        self.given.append(bytes(vk.ffi().buffer(info.pInitialData, size)) if size else b"")
        info.initialDataSize = 0  # it is not the real driver's
        return function(device, info, *rest)

    def _read(self, function: object, device: Any, cache: Any, size: Any, place: Any) -> int:
        if place == vk.ffi().NULL:
            size[0] = len(self.data)
        else:
            vk.ffi().memmove(place, self.data, len(self.data))
        return 0


@pytest.fixture
def played(driver: Driver) -> Played:
    return Played(driver)


@pytest.fixture
def own(device: Device, played: Played) -> Iterator[Device]:
    with vkrunner.open_device(device.info.index) as opened:
        assert opened.faults == device.faults  # its probes run now, before the test's kernel
        played.given.clear()
        yield opened


def saxpy(device: Device) -> list[float]:
    kernel = device.kernel(DATA / "saxpy.dxbc")
    y = np.ones(4, np.float32)
    values = kernel.dispatch(1, x=y, y=y, Params={"a": 2, "count": 3}).y.tolist()
    kernel.close()
    return values


def test_cached_data_is_passed_to_the_driver(folder: Path, own: Device, played: Played) -> None:
    played.data = HEADER + CODE
    for _ in range(3):
        assert saxpy(own) == [3, 3, 3, 1]
    assert played.given == [b"", HEADER + CODE, HEADER + CODE]


@pytest.mark.parametrize("at", [None, 0, 4, 8, 12, 16, 31])
def test_data_that_is_not_kept(folder: Path, own: Device, played: Played, at: int | None) -> None:
    """A header alone, and data of another device: a driver may crash on them."""
    if at is not None:
        strange = bytearray(HEADER + CODE)
        strange[at] ^= 1
        played.data = bytes(strange)
    for _ in range(2):
        saxpy(own)
    assert played.given == [b"", b""]


def test_another_driver_version_is_another_cache(folder: Path, own: Device, played: Played) -> None:
    played.data = HEADER + CODE
    saxpy(own)
    played.version = 2
    with vkrunner.open_device(own.info.index) as updated:
        saxpy(updated)
    assert played.given == [b"", b""]


def test_off(own: Device, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "0")
    assert saxpy(own) == [3, 3, 3, 1]
    assert played.given == []


def test_a_real_driver(folder: Path, device: Device) -> None:
    """It accepts its own data."""
    for _ in range(2):
        with vkrunner.open_device(device.info.index) as opened:
            assert saxpy(opened) == [3, 3, 3, 1]
