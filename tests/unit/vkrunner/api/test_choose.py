"""Choosing a device, on simulated machines."""

from collections.abc import Callable
from typing import Any

import pytest

import vkrunner
from checks.driver import Driver
from vkrunner import Device, NoDeviceError, ReferenceDevice
from vkrunner.api import opening
from vkrunner.vulkan.loader import vk

from ..shader.test_limits import chained

CPU, INTEGRATED, DISCRETE = 4, 1, 2  # VkPhysicalDeviceType
DRIVER_PROPERTIES = 1000196000  # VkStructureType
ROWS = [
    ("llvmpipe (LLVM 15.0.6, 256 bits)", CPU, "llvmpipe"),
    ("Intel(R) UHD Graphics", INTEGRATED, "Intel open-source Mesa driver"),
    ("NVIDIA GeForce", DISCRETE, "NVIDIA"),
    ("Old Card", DISCRETE, "Old"),
]
OF_ONE_DEVICE = (
    *("vkGetPhysicalDeviceFeatures2", "vkGetPhysicalDeviceMemoryProperties"),
    *("vkGetPhysicalDeviceQueueFamilyProperties", "vkEnumerateDeviceExtensionProperties"),
    "vkCreateDevice",
)


class Machine:
    """The devices of ROWS; each is this machine's first device with another name."""

    def __init__(self, driver: Driver):
        self.rows: list[tuple[str, int, str]] = []
        self._real: Any = None
        driver.replace("vkEnumeratePhysicalDevices", self._enumerate)
        driver.replace("vkGetPhysicalDeviceProperties", self._describe)
        driver.replace("vkGetPhysicalDeviceProperties2", self._describe)
        for name in OF_ONE_DEVICE:
            driver.replace(name, self._forward)

    def __call__(self, *numbers: int) -> None:
        self.rows = [ROWS[number] for number in numbers]

    def _enumerate(
        self, function: Callable[..., int], instance: Any, count: Any, place: Any
    ) -> int:
        number, real = vk.out("uint32_t"), vk.ffi().new("VkPhysicalDevice[1]")
        number[0] = 1
        function(instance, number, real)
        self._real = real[0]
        for row in range(len(self.rows) if place != vk.ffi().NULL else 0):
            place[row] = vk.ffi().cast("VkPhysicalDevice", row + 1)
        count[0] = len(self.rows)
        return 0

    def _forward(self, function: Callable[..., Any], handle: Any, *rest: Any) -> Any:
        return function(self._real, *rest)

    def _describe(self, function: Callable[..., None], handle: Any, top: Any) -> None:
        name, kind, driver = self.rows[int(vk.ffi().cast("uintptr_t", handle)) - 1]
        function(self._real, top)
        properties = getattr(top, "properties", top)
        properties.deviceName, properties.deviceType = name.encode(), kind
        if name == "Old Card":
            properties.apiVersion = 1 << 22 | 2  # 1.0.2
        if properties is not top:
            for found in chained(top, DRIVER_PROPERTIES, "VkPhysicalDeviceDriverProperties"):
                found.driverName = driver.encode()


@pytest.fixture
def machine(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Replaces this machine's devices by rows of ROWS."""
    monkeypatch.delenv(opening.VARIABLE, raising=False)
    return Machine(driver)


def chosen(wish: Any) -> str:
    with vkrunner.open_device(wish, validation=False) as opened:
        return opened.name


@pytest.mark.parametrize(
    ("rows", "wish", "name"),
    [
        ((0, 1, 2), None, "NVIDIA GeForce"),
        ((0, 1), None, "Intel(R) UHD Graphics"),
        ((0,), None, "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((3, 0), None, "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((2, 1, 0), "lavapipe", "llvmpipe (LLVM 15.0.6, 256 bits)"),
        ((2, 1, 0), "uhd", "Intel(R) UHD Graphics"),
        ((2, 1, 0), "mesa", "Intel(R) UHD Graphics"),
        ((2, 1, 0), 1, "Intel(R) UHD Graphics"),
        ((2, 1, 0), "1", "Intel(R) UHD Graphics"),
    ],
)
def test_the_device_that_is_chosen(machine: Any, rows: Any, wish: Any, name: str) -> None:
    machine(*rows)
    assert chosen(wish) == name


def test_the_variable_stands_for_the_argument(machine: Any, monkeypatch: Any) -> None:
    machine(2, 1, 0)
    monkeypatch.setenv(opening.VARIABLE, "uhd")
    assert chosen(None) == "Intel(R) UHD Graphics"
    assert chosen("nvidia") == "NVIDIA GeForce"


@pytest.mark.parametrize("wish", ["amd", 3, "7"])
def test_no_such_device(machine: Any, wish: Any) -> None:
    machine(2, 1)
    with pytest.raises(NoDeviceError, match="there are 0: NVIDIA GeForce; 1: Intel"):
        chosen(wish)


def test_a_device_that_cannot_be_used(machine: Any) -> None:
    """Without another device the reference machine is chosen."""
    machine(3)
    for wish in ("old", 0):
        with pytest.raises(NoDeviceError, match=r"Old Card cannot be used: Vulkan 1\.1 is needed"):
            chosen(wish)
    advice = "reference machine: Old Card cannot be used.*mesa-vulkan-drivers"
    with pytest.warns(RuntimeWarning, match=advice), vkrunner.open_device() as opened:
        assert isinstance(opened, ReferenceDevice)


def test_devices_of_this_machine(device: Device) -> None:
    *found, last = vkrunner.devices()
    assert [info.index for info in found] == list(range(len(found)))
    assert (last.index, last.type) == (-1, "reference")
    assert device.info in [*found, last]
    assert device.limits.max_workgroup_invocations >= 128  # Vulkan's required minimum
    assert device.name == device.info.name
