"""VkPipelineCache: what a driver gives is given back to it, and to no other device or driver.

Lavapipe and SwiftShader give a header alone, so that here a driver is played that gives more.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from vkrunner import Device
from vkrunner.vulkan import pipeline_cache as pipelines
from vkrunner.vulkan import vk

DATA = Path(__file__).parents[1] / "data"
CODE = b"what a driver compiled"


@pytest.fixture
def own(device: Device) -> Iterator[Device]:
    with vkrunner.open_device(device.info.index) as opened:
        yield opened


def header_of(device: Device) -> bytes:
    """VkPipelineCacheHeaderVersionOne, as the specification lays it out."""
    properties = vk.struct("VkPhysicalDeviceProperties")
    vk.lib().vkGetPhysicalDeviceProperties(device._backend.physical, properties)
    numbers = struct.pack("<IIII", 32, 1, properties.vendorID, properties.deviceID)
    return numbers + bytes(properties.pipelineCacheUUID)


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What the driver was given at each creation of a cache."""
    seen: list[bytes] = []
    original: Callable[[bytes], Any] = pipelines._create_info

    def create_info(data: bytes) -> Any:
        seen.append(data)
        return original(data)

    monkeypatch.setattr(pipelines, "_create_info", create_info)
    return seen


def play_driver(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(pipelines, "_contents", lambda logical, handle: data)


def saxpy(device: Device) -> list[float]:
    kernel = device.kernel(DATA / "saxpy.dxbc")
    y = np.ones(4, np.float32)
    values = kernel.dispatch(1, x=y, y=y, Params={"a": 2, "count": 3}).y.tolist()
    kernel.close()
    return values


def test_what_the_driver_gives_begins_with_the_header(
    folder: Path, own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    original: Callable[..., bytes] = pipelines._contents

    def contents(logical: Any, handle: Any) -> bytes:
        seen.append(original(logical, handle))
        return seen[-1]

    monkeypatch.setattr(pipelines, "_contents", contents)
    assert saxpy(own) == [3, 3, 3, 1]
    assert [data[:32] for data in seen] == [header_of(own)]


def test_what_was_kept_is_given_back(
    folder: Path, own: Device, given: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = header_of(own) + CODE
    play_driver(monkeypatch, data)
    for _ in range(3):
        assert saxpy(own) == [3, 3, 3, 1]
    assert given == [b"", data, data]


def test_a_header_alone_is_not_kept(
    folder: Path, own: Device, given: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    play_driver(monkeypatch, header_of(own))
    saxpy(own)
    saxpy(own)
    assert given == [b"", b""]


@pytest.mark.parametrize("at", [0, 4, 8, 12, 16, 31])
def test_another_devices_data_are_not_given(
    folder: Path, own: Device, given: list[bytes], monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """A driver may crash on them."""
    strange = bytearray(header_of(own) + CODE)
    strange[at] ^= 1
    play_driver(monkeypatch, bytes(strange))
    saxpy(own)
    saxpy(own)
    assert given == [b"", b""]


def test_another_driver_version_is_another_cache(
    folder: Path, own: Device, given: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    play_driver(monkeypatch, header_of(own) + CODE)
    saxpy(own)
    header, version = pipelines._identity(own._backend)
    monkeypatch.setattr(pipelines, "_identity", lambda logical: (header, version + b"1"))
    saxpy(own)
    assert given == [b"", b""]


def test_off(own: Device, given: list[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SM5VK_CACHE", "0")
    assert saxpy(own) == [3, 3, 3, 1]
    assert given == []
