"""The Vulkan instance: its layers, and the messages of the validation layer.

Every instance reports to the same callback, which is made once and never freed, since a driver's
thread may still be in it.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from vkrunner.errors import NoDeviceError, VulkanError
from vkrunner.vulkan import vk

VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation"
DEBUG_EXTENSION = "VK_EXT_debug_utils"
PORTABILITY_EXTENSION = "VK_KHR_portability_enumeration"

_INCOMPATIBLE_DRIVER = -9  # VK_ERROR_INCOMPATIBLE_DRIVER
NO_DRIVER = (
    "no Vulkan driver is installed: on Debian and Ubuntu,"
    " apt-get install mesa-vulkan-drivers (it brings lavapipe, which needs no GPU)"
)

_messages: list[str] = []
_callbacks: list[Any] = []


def validation_messages() -> list[str]:
    """What the validation layer said since the last clearing, oldest first."""
    return list(_messages)


def clear_validation_messages() -> None:
    """Forget the messages so far."""
    _messages.clear()


def validation_wanted(argument: bool | str | None) -> str:
    """ "" for none, "1" for validation, "sync" with synchronisation validation too.

    `argument` is what the caller said; None asks the environment variable SM5VK_VALIDATION.
    """
    if argument is None:
        argument = os.environ.get("SM5VK_VALIDATION", "")
    if isinstance(argument, str):
        return "" if argument == "0" else argument
    return "1" if argument else ""


@dataclass
class Instance:
    """A VkInstance and its physical devices; `validation` tells whether the layer is on."""

    handle: vk.Handle
    api_version: int
    validation: bool
    stack: ExitStack = field(default_factory=ExitStack)

    def physical_devices(self) -> list[vk.Handle]:
        """Raises NoDeviceError when no driver shows a device."""
        devices, _owner = vk.listing("vkEnumeratePhysicalDevices", "VkPhysicalDevice", self.handle)
        if not devices:
            raise NoDeviceError(NO_DRIVER)
        return devices

    def close(self) -> None:
        """Destroy it; harmless a second time."""
        self.stack.close()


def create_instance(validation: bool | str | None = None) -> Instance:
    """An instance of the newest version up to 1.3, with validation where wanted and installed."""
    wanted = validation_wanted(validation)
    layered = bool(wanted) and VALIDATION_LAYER in instance_layers()
    version = min(_loader_version(), vk.version(1, 3))
    if version < vk.version(1, 1):
        raise NoDeviceError("the Vulkan loader is older than 1.1: update libvulkan1")
    handle = _create(version, layered, wanted == "sync")
    instance = Instance(handle, version, layered)
    instance.stack.callback(vk.lib().vkDestroyInstance, handle, vk.ffi().NULL)
    if layered:
        _attach_messenger(instance)
    return instance


def instance_layers() -> frozenset[str]:
    """Names of the layers that are installed."""
    rows, _owner = vk.listing("vkEnumerateInstanceLayerProperties", "VkLayerProperties")
    return frozenset(vk.text(row.layerName) for row in rows)


def _instance_extensions() -> frozenset[str]:
    rows, _owner = vk.listing(
        "vkEnumerateInstanceExtensionProperties", "VkExtensionProperties", vk.ffi().NULL
    )
    return frozenset(vk.text(row.extensionName) for row in rows)


def _loader_version() -> int:
    version = vk.out("uint32_t")
    vk.call("vkEnumerateInstanceVersion", version)
    return int(version[0])


def _create(version: int, layered: bool, synchronisation: bool) -> vk.Handle:
    extensions = [DEBUG_EXTENSION] if layered else []
    flags = 0
    if PORTABILITY_EXTENSION in _instance_extensions():
        extensions.append(PORTABILITY_EXTENSION)
        flags = vk.constant("VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR")
    layers = [VALIDATION_LAYER] if layered else []
    info = vk.struct(
        "VkInstanceCreateInfo",
        pNext=_validation_features() if layered and synchronisation else vk.ffi().NULL,
        flags=flags,
        pApplicationInfo=vk.struct(
            "VkApplicationInfo", pApplicationName="sm5vk", pEngineName="sm5vk", apiVersion=version
        ),
        enabledLayerCount=len(layers),
        ppEnabledLayerNames=layers,
        enabledExtensionCount=len(extensions),
        ppEnabledExtensionNames=extensions,
    )
    try:
        return vk.create("vkCreateInstance", "VkInstance", info, vk.ffi().NULL)
    except VulkanError as error:
        if error.result == _INCOMPATIBLE_DRIVER:  # so says a loader that found none
            raise NoDeviceError(NO_DRIVER) from None
        raise


def _validation_features() -> Any:
    sync = vk.constant("VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT")
    return vk.struct(
        "VkValidationFeaturesEXT",
        enabledValidationFeatureCount=1,
        pEnabledValidationFeatures=[sync],
    )


def _attach_messenger(instance: Instance) -> None:
    info = vk.struct(
        "VkDebugUtilsMessengerCreateInfoEXT",
        messageSeverity=_ext_flags("VK_DEBUG_UTILS_MESSAGE_SEVERITY", "WARNING", "ERROR"),
        messageType=_ext_flags("VK_DEBUG_UTILS_MESSAGE_TYPE", "GENERAL", "VALIDATION"),
        pfnUserCallback=_callback(),
    )
    place = vk.out("VkDebugUtilsMessengerEXT")
    make = vk.instance_function(instance.handle, "vkCreateDebugUtilsMessengerEXT")
    destroy = vk.instance_function(instance.handle, "vkDestroyDebugUtilsMessengerEXT")
    vk.check("vkCreateDebugUtilsMessengerEXT", make(instance.handle, info, vk.ffi().NULL, place))
    instance.stack.callback(destroy, instance.handle, place[0], vk.ffi().NULL)


def _ext_flags(prefix: str, *names: str) -> int:
    return sum(vk.constant(f"{prefix}_{name}_BIT_EXT") for name in names)


def _callback() -> Any:
    """The process's one callback; it must not raise, for it is called from C."""
    if not _callbacks:
        kind = "PFN_vkDebugUtilsMessengerCallbackEXT"
        _callbacks.append(vk.ffi().callback(kind, _note, error=0))
    return _callbacks[0]


def _note(severity: int, kind: int, data: Any, user: Any) -> int:
    _messages.append(vk.text(data.pMessage) if data.pMessage else "a message without text")
    return 0
