"""The Vulkan instance, its layers, and the checks and messages of the validation layer.

All instances report to the same callback. It is made once and never freed, because a thread of the
driver may still be in it.

Without an instance the loader unloads the drivers, and a process can load NVIDIA's only some 30
times. Therefore the process keeps one instance more. It is destroyed before a fork, so that the
child loads the drivers itself. It cannot if a device is open at the fork: the child has the loaded
driver without its threads, and would wait for them forever, or crash at its end.

Layers from 1.3.280 on take settings (`VK_EXT_layer_settings`); older ones take a list of features
(`VK_EXT_validation_features`), which newer ones deprecate. The layer offers these extensions, not
the loader or a driver.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from translate.dataclass import dataclass
from vkrunner.errors import SPAWN, ForkError, InvalidValueError, NoDeviceError, VulkanError, warn
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions

VARIABLE = "SM5VK_VALIDATION"
VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation"
SETTINGS_EXTENSION = "VK_EXT_layer_settings"
FEATURES_EXTENSION = "VK_EXT_validation_features"
SYNC = "sync"

NO_LAYER = (
    f"validation was asked for, but {VALIDATION_LAYER} is not installed, and nothing is validated:"
    " on Debian and Ubuntu, apt-get install vulkan-validationlayers"
)
NO_SYNC = (
    f"synchronisation checks were asked for, but the installed {VALIDATION_LAYER} has neither"
    f" {SETTINGS_EXTENSION} nor {FEATURES_EXTENSION} to turn them on by: all else is validated"
)

# A setting, its value, and the first version of the layer that has it: older ones do without, and
# warn of names that they do not know. By default, the layer reports each fault ten times at most,
# and checks no accesses of shaders for hazards.
_MESSAGE_LIMIT = ("enable_message_limit", False, (1, 4, 304))
_SYNC_SETTINGS = (
    ("validate_sync", True, (1, 0, 0)),
    ("syncval_shader_accesses_heuristic", True, (1, 3, 290)),
)
DEBUG_EXTENSION = "VK_EXT_debug_utils"
PORTABILITY_EXTENSION = "VK_KHR_portability_enumeration"
_INCOMPATIBLE_DRIVER = -9  # VK_ERROR_INCOMPATIBLE_DRIVER
_NO_DRIVER = (
    "no Vulkan driver is installed; on Debian and Ubuntu: apt-get install mesa-vulkan-drivers"
    " (its lavapipe needs no GPU)"
)
MANIFESTS = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")  # variables of the loader
_messages: list[str] = []
_callbacks: list[Any] = []
_kept: list[Deletions] = []
_living: dict[Deletions, int] = {}  # the stack of an instance -> the process that made it


def validation_wanted(argument: bool | str | None) -> str:
    """The wanted validation: "" for none, "1", or "sync" with synchronisation validation.

    `argument` is the caller's value; None means the environment variable SM5VK_VALIDATION. Raises
    ArgumentError for any other value.
    """
    if isinstance(argument, bool):
        return "1" if argument else ""
    value = os.environ.get(VARIABLE, "") if argument is None else argument
    if value not in ("", "0", "1", SYNC):
        source = VARIABLE if argument is None else "validation"
        raise InvalidValueError(
            f'{source} is {value!r}: "1" turns on the validation layer, "{SYNC}" its'
            ' synchronisation checks too, "0" or nothing neither'
        )
    return "" if value == "0" else value


@dataclass(frozen=True)
class ValidationLayer:
    """The installed validation layer: its version (major, minor, patch) and its extensions."""

    version: tuple[int, int, int]
    extensions: frozenset[str]

    @property
    def checks_synchronisation(self) -> bool:
        """Whether its synchronisation checks can be turned on."""
        return bool({SETTINGS_EXTENSION, FEATURES_EXTENSION} & self.extensions)

    def configuration(self, wanted: str) -> tuple[Any, list[str]]:
        """The `pNext` chain of VkInstanceCreateInfo, and the extensions that it needs.

        `wanted` is a result of `validation_wanted`.
        """
        if SETTINGS_EXTENSION in self.extensions:
            rows = (_MESSAGE_LIMIT, *(_SYNC_SETTINGS if wanted == SYNC else ()))
            return _settings([row[:2] for row in rows if row[2] <= self.version])
        if wanted == SYNC and self.checks_synchronisation:
            return _sync_feature()
        return vk.ffi().NULL, []


def validation_layer() -> ValidationLayer | None:
    """The installed validation layer; None if it is not installed."""
    rows, _owner = vk.listing("vkEnumerateInstanceLayerProperties", "VkLayerProperties")
    for row in rows:
        if vk.text(row.layerName) == VALIDATION_LAYER:
            version = int(row.specVersion)
            parts = (version >> 22 & 0x7F, version >> 12 & 0x3FF, version & 0xFFF)
            return ValidationLayer(parts, vk.instance_extensions(VALIDATION_LAYER))
    return None


def _settings(values: list[tuple[str, bool]]) -> tuple[Any, list[str]]:
    settings = [
        vk.struct(
            "VkLayerSettingEXT",
            pLayerName=VALIDATION_LAYER,
            pSettingName=name,
            type=vk.constant("VK_LAYER_SETTING_TYPE_BOOL32_EXT"),
            valueCount=1,
            pValues=vk.array("VkBool32", [value]),
        )
        for name, value in values
    ]
    info = vk.struct("VkLayerSettingsCreateInfoEXT", settingCount=len(settings), pSettings=settings)
    return info, [SETTINGS_EXTENSION]


def _sync_feature() -> tuple[Any, list[str]]:
    sync = vk.constant("VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT")
    info = vk.struct(
        "VkValidationFeaturesEXT",
        enabledValidationFeatureCount=1,
        pEnabledValidationFeatures=[sync],
    )
    return info, [FEATURES_EXTENSION]


def no_driver() -> NoDeviceError:
    """The error if no driver has a device.

    If an environment variable hides installed drivers, the error names it.
    """
    for variable in MANIFESTS:
        named = os.environ.get(variable, "")
        missing = [path for path in named.split(os.pathsep) if path and not os.path.exists(path)]
        if missing:
            return NoDeviceError(
                f"{variable} names {missing[0]!r}, which does not exist, and hides the installed"
                f" drivers; unset it, or name the manifest of a driver (.json)"
            )
        if named:
            return NoDeviceError(f"no driver of {variable}={named} has a device; unset it")
    return NoDeviceError(_NO_DRIVER)


def validation_messages() -> list[str]:
    """The validation layer's messages since the last clearing.

    Returns
    -------
    list of str
        The messages, oldest first.
    """
    return list(_messages)


def clear_validation_messages() -> None:
    """Forget the messages so far."""
    _messages.clear()


class Instance:
    """A VkInstance and its physical devices; `validation`: whether the validation layer is on.

    A device that was made from it destroys it (`is_used`). Otherwise Python's garbage collector
    does, except in a forked process.
    """

    is_used = True  # during the creation

    def __init__(self, handle: vk.Handle, api_version: int, *, validation: bool, stack: Deletions):
        self.handle = handle
        self.api_version = api_version
        self.validation = validation
        self.stack = stack
        self._pid = os.getpid()
        self.is_used = False

    def physical_devices(self) -> list[vk.Handle]:
        """The physical devices. Raises NoDeviceError if no driver has one."""
        devices, _owner = vk.listing("vkEnumeratePhysicalDevices", "VkPhysicalDevice", self.handle)
        if not devices:
            raise no_driver()
        return devices

    def close(self) -> None:
        """Destroy the instance. A second call does nothing."""
        self.stack.close()

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if not (self.is_used or is_finalizing()) and os.getpid() == self._pid:
            self.close()


def create_instance(wanted: str = "") -> Instance:
    """An instance of the newest version up to 1.3; `wanted` is a result of `validation_wanted`.

    A RuntimeWarning names a requested check that is not available. Raises ForkError.
    """
    _check_process()
    layer = validation_layer() if wanted else None
    version = min(_loader_version(), vk.version(1, 3))
    if version < vk.version(1, 1):
        raise NoDeviceError("the Vulkan loader is older than 1.1: update libvulkan1")
    stack = Deletions()
    try:
        handle = _create(version, layer, wanted, stack)
        instance = Instance(handle, version, validation=layer is not None, stack=stack)
        if layer is not None:
            _attach_messenger(instance)
    except BaseException:
        stack.close()
        raise
    _keep_drivers_loaded(version)
    if wanted and layer is None:
        warn(NO_LAYER)
    elif wanted == SYNC and layer is not None and not layer.checks_synchronisation:
        warn(NO_SYNC)
    return instance


def has_drivers() -> bool:
    """Whether this process has loaded drivers, which cannot be copied."""
    return bool(_living or _kept)


def _check_process() -> None:
    """Raise ForkError in a process that was forked while its parent had an instance."""
    for pid in list(_living.values()):
        if pid != os.getpid():
            raise ForkError(
                f"process {pid} had a Vulkan device open when it forked this process, and a fork"
                f" does not copy the driver's threads: {SPAWN}; or close all devices before, and"
                " delete arrays that show their memory"
            )


def _keep_drivers_loaded(version: int) -> None:
    if not _kept:
        stack = Deletions()
        _kept.append(stack)
        with suppress(VulkanError):
            _create(version, None, "", stack)


def _let_drivers_go() -> None:
    while _kept:
        _kept.pop().close()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(before=_let_drivers_go)


def _loader_version() -> int:
    version = vk.out("uint32_t")
    vk.call("vkEnumerateInstanceVersion", version)
    return int(version[0])


def _create(
    version: int, layer: ValidationLayer | None, wanted: str, stack: Deletions
) -> vk.Handle:
    """Create an instance. `stack` destroys it, even if Ctrl-C comes right after its creation."""
    layers, extensions, configuration, flags = [], [], vk.ffi().NULL, 0
    if layer is not None:
        configuration, extensions = layer.configuration(wanted)
        layers, extensions = [VALIDATION_LAYER], [DEBUG_EXTENSION, *extensions]
    # Otherwise the validation layer, which the loader's variables can turn on too, takes a
    # vk_layer_settings.txt of the working folder: it could turn off checks, and write to any file
    os.environ["VK_LAYER_SETTINGS_PATH"] = os.environ.get("VK_LAYER_SETTINGS_PATH") or os.devnull
    if PORTABILITY_EXTENSION in vk.instance_extensions():
        extensions.append(PORTABILITY_EXTENSION)
        flags = vk.constant("VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR")
    info = vk.struct(
        "VkInstanceCreateInfo",
        pNext=configuration,
        flags=flags,
        pApplicationInfo=vk.struct(
            "VkApplicationInfo", pApplicationName="sm5vk", pEngineName="sm5vk", apiVersion=version
        ),
        enabledLayerCount=len(layers),
        ppEnabledLayerNames=layers,
        enabledExtensionCount=len(extensions),
        ppEnabledExtensionNames=extensions,
    )
    place = vk.out("VkInstance")
    end = zip(vk.later(place), [vk.ffi().NULL], strict=True)
    _living[stack] = os.getpid()
    stack.callback(_living.pop, stack, None)
    stack.callback_later(vk.lib().vkDestroyInstance, end)
    try:
        vk.call("vkCreateInstance", info, vk.ffi().NULL, place)
    except VulkanError as error:
        if error.result == _INCOMPATIBLE_DRIVER:  # the error of a loader without drivers
            raise no_driver() from None
        raise
    return place[0]


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
    end = zip([instance.handle], vk.later(place), [vk.ffi().NULL], strict=True)
    instance.stack.callback_later(destroy, end)
    vk.check("vkCreateDebugUtilsMessengerEXT", make(instance.handle, info, vk.ffi().NULL, place))


def _ext_flags(prefix: str, *names: str) -> int:
    return sum(vk.constant(f"{prefix}_{name}_BIT_EXT") for name in names)


def _callback() -> Any:
    """The debug messenger's callback, one for the process. C calls it, so it must not raise."""
    if not _callbacks:
        kind = "PFN_vkDebugUtilsMessengerCallbackEXT"
        _callbacks.append(vk.ffi().callback(kind, _note, error=0))
    return _callbacks[0]


def _note(severity: int, kind: int, data: Any, user: Any) -> int:
    _messages.append(_message(data))
    return 0


def _message(data: Any) -> str:
    """The text with the id of the broken rule in front, which newer layers omit."""
    text = vk.text(data.pMessage) if data.pMessage else "a message without text"
    name = vk.text(data.pMessageIdName) if data.pMessageIdName else ""
    return text if name in text else f"{name}: {text}"
