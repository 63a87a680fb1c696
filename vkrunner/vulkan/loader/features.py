"""Vulkan's features by our names: field, struct, extension, and the version with it in core."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any

from vkrunner.info.device_info import DeviceFeatures
from vkrunner.info.names import FEATURE_EXTENSIONS, NON_SEMANTIC_EXTENSION, feature_name
from vkrunner.vulkan.loader import vk

MINIMUM_VERSION = vk.version(1, 1)


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features in one struct of the features chain; core from `core_since` on.

    From `until` on another struct has these features.
    """

    struct: str
    extension: str = ""
    core_since: int | None = None
    until: int | None = None

    def is_core(self, api_version: int) -> bool:
        """Whether every device of this version knows the struct."""
        return self.core_since is not None and api_version >= self.core_since

    def is_used(self, api_version: int, offered: Collection[str]) -> bool:
        """Whether the chain has the struct, for a device of this version with these extensions."""
        if self.until is not None and api_version >= self.until:
            return False
        return self.is_core(api_version) or self.extension in offered


_VERSION_1_2, _VERSION_1_3 = vk.version(1, 2), vk.version(1, 3)
FEATURE_GROUPS = (
    FeatureGroup("VkPhysicalDeviceRobustness2FeaturesEXT", "VK_EXT_robustness2"),
    FeatureGroup("VkPhysicalDeviceVulkan12Features", core_since=_VERSION_1_2),
    FeatureGroup(
        "VkPhysicalDeviceDescriptorIndexingFeatures",
        "VK_EXT_descriptor_indexing",
        until=_VERSION_1_2,
    ),
    FeatureGroup(
        "VkPhysicalDeviceShaderFloat16Int8Features",
        "VK_KHR_shader_float16_int8",
        until=_VERSION_1_2,
    ),
    FeatureGroup(
        "VkPhysicalDeviceImageRobustnessFeatures",
        "VK_EXT_image_robustness",
        core_since=_VERSION_1_3,
    ),
    FeatureGroup("VkPhysicalDevice4444FormatsFeaturesEXT", "VK_EXT_4444_formats"),
)


def feature_fields(struct: Any) -> dict[str, str]:
    """Name in DeviceFeatures -> field, for the features of a struct that this project uses."""
    kind = vk.ffi().typeof(struct)
    names = [name for name, _ in (kind.item if kind.kind == "pointer" else kind).fields]
    ours = {feature_name(name): name for name in names}
    return {f.name: ours[f.name] for f in fields(DeviceFeatures) if f.name in ours}


FLOAT_CONTROLS_EXTENSION = "VK_KHR_shader_float_controls"
_PORTABILITY_SUBSET = "VK_KHR_portability_subset"  # must be enabled on devices that offer it


def needed_extensions(api_version: int, offered: frozenset[str]) -> list[str]:
    """The extensions to enable: offered by the device, used, and not core in its version."""
    used = [
        group.extension
        for group in FEATURE_GROUPS
        if group.is_used(api_version, offered) and not group.is_core(api_version)
    ]
    if api_version < _VERSION_1_2:
        used += [FLOAT_CONTROLS_EXTENSION, *FEATURE_EXTENSIONS.values()]
    if api_version < _VERSION_1_3:
        used.append(NON_SEMANTIC_EXTENSION)
    return [name for name in (*used, _PORTABILITY_SUBSET) if name in offered]


DEVICE_TYPES = ("other", "integrated", "discrete", "virtual", "cpu")


def version_text(number: int) -> str:
    """A Vulkan version as text, such as 1.3."""
    return f"{number >> 22 & 127}.{number >> 12 & 1023}.{number & 4095}"
