"""Memory that runs out and devices that are lost: one clear error, and work can go on."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import vkrunner
from checks.driver import DEVICE_LOST, OUT_OF_DEVICE_MEMORY, Driver
from vkrunner import Device, OutOfMemoryError, VulkanError

SAXPY = Path(__file__).parents[2] / "shaders" / "saxpy.dxbc"
OUT_OF_HOST_MEMORY = -1  # VkResult
INITIALIZATION_FAILED, INCOMPATIBLE_DRIVER = -3, -9
INVALID_EXTERNAL_HANDLE = -1000072003


@pytest.fixture
def own(driver: Driver, device: Device) -> Iterator[Device]:
    """A device for one test, whose driver functions can be made to fail."""
    with vkrunner.open_device(device.info.index) as opened:
        yield opened
        driver.restore()


def saxpy(device: Device) -> list[float]:
    ones = np.ones(4, np.float32)
    kernel = device.kernel(SAXPY)
    return kernel.dispatch(1, x=ones, y=ones, Params={"a": 2, "count": 3}).y.tolist()


@pytest.mark.parametrize(
    ("result", "advice"),
    [
        (OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY; .*the host has no memory left"),
        (OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY; .*: close buffers and textures"),
    ],
)
def test_no_memory_for_a_buffer(own: Device, driver: Driver, result: int, advice: str) -> None:
    driver.fail("vkAllocateMemory", result)
    with pytest.raises(OutOfMemoryError, match=f"vkAllocateMemory failed: {advice}") as error:
        own.buffer(50_000_000)
    assert "bytes were asked for" in str(error.value)
    asked = int(str(error.value).split("; ")[1].split()[0])
    assert asked >= 50_000_000
    driver.restore()
    assert own.buffer(50_000_000).nbytes == 50_000_000
    assert saxpy(own) == [3, 3, 3, 1]


@pytest.mark.parametrize(
    "function",
    [
        *("vkCreateBuffer", "vkBindBufferMemory", "vkCreateShaderModule", "vkCreateFence"),
        *("vkCreateDescriptorSetLayout", "vkCreatePipelineLayout", "vkCreateComputePipelines"),
        *("vkCreateDescriptorPool", "vkAllocateDescriptorSets", "vkAllocateCommandBuffers"),
        *("vkBeginCommandBuffer", "vkEndCommandBuffer"),
    ],
)
def test_the_device_works_after_any_failure(own: Device, driver: Driver, function: str) -> None:
    """Objects that were made before the failure are freed: the validation layer reports leaks."""
    driver.fail(function, OUT_OF_HOST_MEMORY)
    with pytest.raises(OutOfMemoryError, match=f"{function} failed: VK_ERROR_OUT_OF_HOST_MEMORY"):
        saxpy(own)
    assert driver.failures[function] >= 1
    driver.restore()
    assert saxpy(own) == [3, 3, 3, 1]


def test_a_driver_without_fences(own: Device, driver: Driver) -> None:
    """RADV's null hardware crashes when a command buffer is freed: none is allocated."""
    driver.fail("vkCreateFence", INVALID_EXTERNAL_HANDLE)
    before = driver.calls["vkAllocateCommandBuffers"]
    with pytest.raises(VulkanError, match=r"vkCreateFence failed: VK_ERROR_INVALID_EXTERNAL_H"):
        saxpy(own)
    assert driver.calls["vkAllocateCommandBuffers"] == before


@pytest.mark.parametrize("result", [INITIALIZATION_FAILED, OUT_OF_HOST_MEMORY, DEVICE_LOST])
def test_a_device_that_cannot_be_opened(device: Device, driver: Driver, result: int) -> None:
    driver.fail("vkCreateDevice", result)
    with pytest.raises(VulkanError, match="vkCreateDevice failed"):
        vkrunner.open_device(device.info.index)
    driver.restore()
    with vkrunner.open_device(device.info.index) as own:
        assert saxpy(own) == [3, 3, 3, 1]


def test_a_loader_without_drivers(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES"):  # these would be the error's subject
        monkeypatch.delenv(variable, raising=False)
    driver.fail("vkCreateInstance", INCOMPATIBLE_DRIVER)
    with pytest.raises(vkrunner.NoDeviceError, match="apt-get install mesa-vulkan-drivers"):
        vkrunner.open_device("lavapipe")
