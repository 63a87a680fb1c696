"""Vulkan's features by our names: field, struct, extension, and the version that made it core."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vkrunner.vulkan import vk

MINIMUM_VERSION = vk.version(1, 1)

# our name -> field of VkPhysicalDeviceFeatures
CORE_FEATURES = {
    "robust_buffer_access": "robustBufferAccess",
    "float64": "shaderFloat64",
    "int64": "shaderInt64",
    "int16": "shaderInt16",
    "storage_image_read_without_format": "shaderStorageImageReadWithoutFormat",
    "storage_image_write_without_format": "shaderStorageImageWriteWithoutFormat",
    "storage_image_extended_formats": "shaderStorageImageExtendedFormats",
    "storage_image_multisample": "shaderStorageImageMultisample",
    "image_gather_extended": "shaderImageGatherExtended",
    "image_cube_array": "imageCubeArray",
    "sampler_anisotropy": "samplerAnisotropy",
    "resource_min_lod": "shaderResourceMinLod",
    "uniform_buffer_dynamic_indexing": "shaderUniformBufferArrayDynamicIndexing",
    "storage_buffer_dynamic_indexing": "shaderStorageBufferArrayDynamicIndexing",
    "sampled_image_dynamic_indexing": "shaderSampledImageArrayDynamicIndexing",
    "storage_image_dynamic_indexing": "shaderStorageImageArrayDynamicIndexing",
}
ROBUSTNESS_FEATURES = {
    "robust_buffer_access2": "robustBufferAccess2",
    "robust_image_access2": "robustImageAccess2",
    "null_descriptor": "nullDescriptor",
}
INDEXING_FEATURES = {
    "runtime_descriptor_array": "runtimeDescriptorArray",
    "descriptor_binding_partially_bound": "descriptorBindingPartiallyBound",
    "uniform_texel_buffer_dynamic_indexing": "shaderUniformTexelBufferArrayDynamicIndexing",
    "storage_texel_buffer_dynamic_indexing": "shaderStorageTexelBufferArrayDynamicIndexing",
    "uniform_buffer_non_uniform_indexing": "shaderUniformBufferArrayNonUniformIndexing",
    "storage_buffer_non_uniform_indexing": "shaderStorageBufferArrayNonUniformIndexing",
    "sampled_image_non_uniform_indexing": "shaderSampledImageArrayNonUniformIndexing",
    "storage_image_non_uniform_indexing": "shaderStorageImageArrayNonUniformIndexing",
    "uniform_texel_buffer_non_uniform_indexing": "shaderUniformTexelBufferArrayNonUniformIndexing",
    "storage_texel_buffer_non_uniform_indexing": "shaderStorageTexelBufferArrayNonUniformIndexing",
}


@dataclass(frozen=True, slots=True)
class FeatureGroup:
    """Features that one struct of a features chain holds, core from `core_since` on."""

    struct: str
    extension: str
    core_since: int | None
    names: Mapping[str, str]

    def is_core(self, api_version: int) -> bool:
        """Whether all devices of this version know the struct."""
        return self.core_since is not None and api_version >= self.core_since


FEATURE_GROUPS = (
    FeatureGroup(
        "VkPhysicalDeviceRobustness2FeaturesEXT",
        "VK_EXT_robustness2",
        None,
        ROBUSTNESS_FEATURES,
    ),
    FeatureGroup(
        "VkPhysicalDeviceDescriptorIndexingFeatures",
        "VK_EXT_descriptor_indexing",
        vk.version(1, 2),
        INDEXING_FEATURES,
    ),
)


def float_control_field(name: str) -> str:
    """The field of VkPhysicalDeviceFloatControlsProperties: denorm_preserve_32 is
    shaderDenormPreserveFloat32.
    """
    *words, bits = name.split("_")
    camel = "".join("RTE" if word == "rte" else word.capitalize() for word in words)
    return f"shader{camel}Float{bits}"


FLOAT_CONTROLS_EXTENSION = "VK_KHR_shader_float_controls"
MIRROR_ONCE_EXTENSION = "VK_KHR_sampler_mirror_clamp_to_edge"
_PORTABILITY_SUBSET = "VK_KHR_portability_subset"  # must be enabled where it is offered


def needed_extensions(api_version: int, offered: frozenset[str]) -> list[str]:
    """The extensions to enable: what is offered and used, unless the version has it."""
    used = [group.extension for group in FEATURE_GROUPS if not group.is_core(api_version)]
    if api_version < vk.version(1, 2):
        used.append(FLOAT_CONTROLS_EXTENSION)
    return [n for n in (*used, MIRROR_ONCE_EXTENSION, _PORTABILITY_SUBSET) if n in offered]


DEVICE_TYPES = ("other", "integrated", "discrete", "virtual", "cpu")


def version_text(number: int) -> str:
    """A Vulkan version as people write it."""
    return f"{number >> 22 & 127}.{number >> 12 & 1023}.{number & 4095}"
