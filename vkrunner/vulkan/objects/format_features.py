"""The uses of images and buffers that a device supports in a format.

Source: Vulkan specification, "Formats".
"""

from __future__ import annotations

from typing import Any

from vkrunner.errors import FeatureError
from vkrunner.values.formats import Format, family_of
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk

SAMPLED, STORAGE = "SAMPLED", "STORAGE"
_FLAGS2_EXTENSION = "VK_KHR_format_feature_flags2"
_FORMAT_FEATURES = (  # by part of the VkFormat's name
    ("_BC", "texture_compression_bc"),
    ("A4R4G4B4", "format_a4r4g4b4"),
)
_DEPTH_COMPARISON = 1 << 33  # VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT


def image_features(logical: LogicalDevice, format: Format) -> int:
    """The VkFormatFeatureFlags of a format's images; 0 if a device feature is missing."""
    if lacking_feature(logical, format):
        return 0
    return int(format_properties(logical, format).optimalTilingFeatures)


def lacking_feature(logical: LogicalDevice, format: Format) -> str | None:
    """The feature that a format needs and the device lacks, or None."""
    needed = next((name for part, name in _FORMAT_FEATURES if part in format.vulkan), None)
    return needed if needed and not getattr(logical.info.features, needed) else None


def lack_text(logical: LogicalDevice, format: Format) -> str:
    """The reason why the device has no images of a format, to append to an error; may be ""."""
    feature = lacking_feature(logical, format)
    if feature is not None:
        return f": it lacks the feature {feature}"
    return ": give its texels a fourth component" if format.components == 3 else ""


def format_properties(logical: LogicalDevice, format: Format) -> Any:
    """The VkFormatProperties of a format."""
    properties = vk.out("VkFormatProperties")
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties(logical.physical, number, properties)
    return properties


def can_compare(logical: LogicalDevice, format: Format) -> bool:
    """Whether comparison samplers may read images of a format.

    Depth formats allow it. For other formats VkFormatProperties3 says so; without that struct,
    they do not count as allowed.
    """
    new_enough = tuple(int(n) for n in logical.info.api_version.split(".")) >= (1, 3)
    if format.is_depth or not (new_enough or _FLAGS2_EXTENSION in logical.info.extensions):
        return format.is_depth
    wide = vk.struct("VkFormatProperties3")
    properties = vk.struct("VkFormatProperties2", pNext=wide)
    number = vk.constant(format.vulkan)
    vk.lib().vkGetPhysicalDeviceFormatProperties2(logical.physical, number, properties)
    return bool(int(wide.optimalTilingFeatures) & _DEPTH_COMPARISON)


def _uses(logical: LogicalDevice, format: Format) -> list[str]:
    able = image_features(logical, format)
    return [u for u in (SAMPLED, STORAGE) if able & vk.flags("VK_FORMAT_FEATURE", f"{u}_IMAGE")]


def can_be(logical: LogicalDevice, format: Format, uses: tuple[str, ...]) -> bool:
    """Whether images support the uses in this very format; others of its family may differ."""
    return {*uses} <= {*_uses(logical, format)}


def possible_uses(logical: LogicalDevice, format: Format, samples: int) -> tuple[str, ...]:
    """The uses, of SAMPLED and STORAGE, that some format of the family supports for images.

    Raises FeatureError if the format itself supports neither. A multisampled image has only the
    uses of its own format.
    """
    uses = _uses(logical, format)
    if samples == 1:
        shown = {use for other in family_of(format) for use in _uses(logical, other)}
        uses = [use for use in (SAMPLED, STORAGE) if use in shown] if uses else []
    if not uses:
        lack = lack_text(logical, format)
        raise FeatureError(f"{logical.info.name} has no textures of {format.name}{lack}")
    if samples > 1 and not logical.info.features.storage_image_multisample:
        return tuple(use for use in uses if use != STORAGE)
    return tuple(uses)
