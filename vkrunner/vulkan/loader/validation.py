"""The requested checks of the validation layer, and the settings that turn them on.

Layers from 1.3.280 on take settings (`VK_EXT_layer_settings`); older ones take a list of features
(`VK_EXT_validation_features`), which newer ones deprecate. The layer offers these extensions, not
the loader or a driver.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from vkrunner.errors import InvalidValueError
from vkrunner.vulkan.loader import vk

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
