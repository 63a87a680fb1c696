"""A Vulkan driver that fails, answers and is interrupted as a test requires.

It replaces the loader's functions in the package `vulkan`, so that all code of this project runs
unchanged. Functions that it does not replace call the real driver.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import pytest

from vkrunner.vulkan.loader import vk

SUCCESS, NOT_READY, TIMEOUT, DEVICE_LOST, OUT_OF_DEVICE_MEMORY = 0, 1, 2, -4, -2  # VkResult
DISCRETE_GPU = 2  # VkPhysicalDeviceType
_DRIVER_PROPERTIES = 1000196000  # VkStructureType
LOOK_UPS = "vkGetInstanceProcAddr", "vkGetDeviceProcAddr"  # of functions of extensions
_MESSAGE_DATA = "VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT"
ERROR_SEVERITY, VALIDATION_MESSAGE = 0x1000, 0x2  # of VK_EXT_debug_utils

D = TypeVar("D")
Instead = Callable[..., Any]  # takes the real function and its arguments


class CountingDriver:
    """A driver that counts the calls of functions that make and destroy objects, and memory.

    All other functions are the driver's own: handlers of signals would run within a function of
    Python's that stood for `vkQueueSubmit`, as they never do within one of C's.
    """

    def __init__(self, lib: Any):
        self._lib = lib
        self._sizes: dict[int, int] = {}
        self.calls: Counter[str] = Counter()  # successful ones
        self.failures: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._lib, name)
        if callable(function) and self.is_counted(name):
            function = self.counting(name, function)
        setattr(self, name, function)
        return function

    def is_counted(self, name: str) -> bool:
        return name.startswith(("vkCreate", "vkDestroy", "vkAllocate", "vkFree"))

    def counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            result = function(*arguments)
            if isinstance(result, int) and result < 0:
                self.failures[name] += 1
            elif not result and not _ends_nothing(name, arguments):
                self.calls[name] += 1
                self._note_memory(name, arguments)
            return result

        return call

    @property
    def objects(self) -> Counter[str]:
        """The number of living objects of each kind: "Fence", "Buffer", "Memory", ..."""
        made = Counter(Memory=self.calls["vkAllocateMemory"] - self.calls["vkFreeMemory"])
        for name, count in self.calls.items():
            for verb, sign in (("vkCreate", 1), ("vkDestroy", -1)):
                if name.startswith(verb):
                    kind = name.removeprefix(verb).removeprefix("Compute").rstrip("s")
                    made[kind] += sign * count
        return made

    @property
    def memory_bytes(self) -> int:
        """The allocated memory in bytes."""
        return sum(self._sizes.values())

    def _note_memory(self, name: str, arguments: tuple[Any, ...]) -> None:
        if name == "vkAllocateMemory":
            self._sizes[_number(arguments[3][0])] = int(arguments[1].allocationSize)
        elif name == "vkFreeMemory":
            self._sizes.pop(_number(arguments[1]), None)


class Driver(CountingDriver):
    """A driver that counts all calls, and whose functions a test can replace."""

    def __init__(self, lib: Any):
        super().__init__(lib)
        self._instead: dict[str, Instead] = {}
        self._extensions: dict[bytes, Any] = {}  # C functions, which have to stay alive

    def is_counted(self, name: str) -> bool:
        return True

    def counting(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def replaceable(*arguments: Any) -> Any:
            instead = self._instead.get(name)
            return function(*arguments) if instead is None else instead(function, *arguments)

        return super().counting(name, replaceable)

    def replace(self, name: str, instead: Instead) -> None:
        """Call `instead(function, *arguments)` in place of a function."""
        self._instead[name] = instead

    def wrap(self, name: str, around: Instead) -> None:
        """Call `around(function, *arguments)`; `function` is what would be called without it."""
        inner = self._instead.get(name)
        if inner is not None:
            self._instead[name] = lambda real, *given: around(partial(inner, real), *given)
        else:
            self._instead[name] = around

    def fail(self, name: str, result: int) -> None:
        """Make a function do nothing and return this VkResult."""
        self._instead[name] = lambda function, *arguments: result

    def replace_extension(self, name: str, instead: Callable[..., int]) -> None:
        """Call `instead(*arguments)` in place of an extension's function that is looked up then."""
        self._extensions[name.encode()] = vk.ffi().callback(f"PFN_{name}", instead)
        for look_up in LOOK_UPS:
            self._instead[look_up] = self._look_up

    def _look_up(self, function: Instead, owner: Any, name: bytes) -> Any:
        instead = self._extensions.get(name)
        found = function(owner, name) if instead is None else instead
        return vk.ffi().cast("PFN_vkVoidFunction", found)

    def restore(self, *names: str) -> None:
        """Make these functions, or all if none is named, call the real driver again."""
        for name in names or list(self._instead):
            self._instead.pop(name, None)
        if not names:
            self._extensions.clear()


def _ends_nothing(name: str, arguments: tuple[Any, ...]) -> bool:
    """Whether the call destroys a null handle."""
    if not name.startswith(("vkDestroy", "vkFreeMemory")):
        return False
    return not _number(arguments[name not in ("vkDestroyInstance", "vkDestroyDevice")])


def _number(handle: Any) -> int:
    binding = vk.binding()
    return int(binding.ffi.cast("uintptr_t", handle))


@contextmanager
def _driven_by(make: Callable[[Any], D]) -> Iterator[D]:
    """`make(driver)` is the driver of all devices that are opened within the block."""
    binding = vk.binding()
    driver = make(binding.lib)
    with mock.patch.object(binding, "lib", driver):
        yield driver


@pytest.fixture
def driver() -> Iterator[Driver]:
    with replaced() as made:
        yield made


Play = Callable[..., None]  # `play(driver, *arguments)` replaces functions of a driver


@pytest.fixture
def play_in_children(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`play_in_children(play, *arguments)`: processes started in the test have such a driver.

    Arguments are texts without a colon.
    """

    def start(play: Play, *arguments: str) -> None:
        words = [play.__module__, play.__qualname__, *arguments]
        monkeypatch.setenv("SM5VK_TEST_PLAY", ":".join(words))
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).with_name("child_drivers")))

    return start


@pytest.fixture
def counting_driver() -> Iterator[CountingDriver]:
    with counted() as made:
        yield made


class DiscreteGpu:
    """A driver that describes its devices as discrete GPUs; all else is the driver's own."""

    def __init__(self, lib: Any):
        self._lib = lib

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lib, name)

    def vkGetPhysicalDeviceProperties(self, physical: Any, properties: Any) -> None:
        self._lib.vkGetPhysicalDeviceProperties(physical, properties)
        properties.deviceType = DISCRETE_GPU

    def vkGetPhysicalDeviceProperties2(self, physical: Any, properties: Any) -> None:
        self._lib.vkGetPhysicalDeviceProperties2(physical, properties)
        properties.properties.deviceType = DISCRETE_GPU


# Devices that are opened within the block of one have such a driver
replaced = functools.partial(_driven_by, Driver)
counted = functools.partial(_driven_by, CountingDriver)
discrete_gpu = functools.partial(_driven_by, DiscreteGpu)


class Layer:
    """A validation layer that sends only the messages of a test.

    Devices that are opened with this driver and ask for validation have it.
    """

    def __init__(self, driver: Driver):
        self._binding = vk.binding()
        self._ffi = self._binding.ffi
        self._instance: Any = None
        driver.replace("vkEnumerateInstanceLayerProperties", self._list)
        driver.replace("vkEnumerateInstanceExtensionProperties", self._list_extensions)
        driver.replace("vkCreateInstance", self._create)

    def say(self, text: str) -> None:
        """Send a message to the messenger of the latest instance with this layer."""
        message = self._ffi.new("char[]", text.encode())
        data = self._ffi.new("VkDebugUtilsMessengerCallbackDataEXT*")
        data.sType = vk.constant(_MESSAGE_DATA)
        data.pMessage = message
        find = self._binding.lib.vkGetInstanceProcAddr
        address = find(self._instance, b"vkSubmitDebugUtilsMessageEXT")
        submit = self._ffi.cast("PFN_vkSubmitDebugUtilsMessageEXT", address)
        submit(self._instance, ERROR_SEVERITY, VALIDATION_MESSAGE, data)

    def _list(self, function: Instead, count: Any, rows: Any) -> int:
        count[0] = 1
        if rows != self._ffi.NULL:
            rows[0].layerName = b"VK_LAYER_KHRONOS_validation"
            rows[0].specVersion = 1 << 22 | 3 << 12
        return SUCCESS

    def _list_extensions(self, function: Instead, layer: Any, count: Any, rows: Any) -> int:
        if layer == self._ffi.NULL:
            return function(layer, count, rows)
        count[0] = 0
        return SUCCESS

    def _create(self, function: Instead, info: Any, allocator: Any, place: Any) -> int:
        is_validated, info.enabledLayerCount = info.enabledLayerCount > 0, 0
        # The loader itself has the extension for messages
        result = function(info, allocator, place)
        if is_validated:
            self._instance = place[0]
        return result


_numbers = itertools.count()


def has_another_name(function: Callable[..., None], physical: Any, properties: Any) -> None:
    """For vkGetPhysicalDeviceProperties: a name that no device had; a process tries a name once."""
    function(physical, properties)
    properties.deviceName = f"new {next(_numbers)}".encode()


def renaming(name: bytes) -> Instead:
    """For vkGetPhysicalDeviceProperties2: the driver's own answer, with another driver's name."""

    def describe(function: Callable[..., None], physical: Any, top: Any) -> None:
        function(physical, top)
        link = top.pNext
        while link != vk.ffi().NULL:
            base = vk.ffi().cast("VkBaseOutStructure*", link)
            if base.sType == _DRIVER_PROPERTIES:
                vk.ffi().cast("VkPhysicalDeviceDriverProperties*", base).driverName = name
            link = base.pNext

    return describe
