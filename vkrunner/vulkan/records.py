"""DeviceLimits, DeviceFeatures, DeviceInfo: what a physical device can do, read once and frozen.

The tables say under which name of Vulkan each of our features stands, and where it was promoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

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
    extension: str | None
    core_since: int | None
    names: Mapping[str, str]

    def offered(self, api_version: int, extensions: frozenset[str]) -> bool:
        """Whether a device of this version and with these extensions knows the struct."""
        promoted = self.core_since is not None and api_version >= self.core_since
        return promoted or self.extension in extensions


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

_ALIASES = {"lavapipe": "llvmpipe"}  # the driver's name, and what it calls its device

# our name (Options.float_controls) -> field of VkPhysicalDeviceFloatControlsProperties
FLOAT_CONTROLS = {
    "denorm_flush_to_zero_32": "shaderDenormFlushToZeroFloat32",
    "denorm_preserve_32": "shaderDenormPreserveFloat32",
    "denorm_preserve_64": "shaderDenormPreserveFloat64",
    "signed_zero_inf_nan_preserve_32": "shaderSignedZeroInfNanPreserveFloat32",
    "signed_zero_inf_nan_preserve_64": "shaderSignedZeroInfNanPreserveFloat64",
    "rounding_mode_rte_32": "shaderRoundingModeRTEFloat32",
    "rounding_mode_rte_64": "shaderRoundingModeRTEFloat64",
}
FLOAT_CONTROLS_EXTENSION = "VK_KHR_shader_float_controls"
MIRROR_ONCE_EXTENSION = "VK_KHR_sampler_mirror_clamp_to_edge"

DEVICE_TYPES = ("other", "integrated", "discrete", "virtual", "cpu")


@dataclass(frozen=True, slots=True)
class DeviceFeatures:
    """The optional features that this project can use; True where the device has them."""

    robust_buffer_access: bool = False
    float64: bool = False
    int64: bool = False
    int16: bool = False
    storage_image_read_without_format: bool = False
    storage_image_write_without_format: bool = False
    storage_image_extended_formats: bool = False
    storage_image_multisample: bool = False
    image_gather_extended: bool = False
    image_cube_array: bool = False
    sampler_anisotropy: bool = False
    resource_min_lod: bool = False
    uniform_buffer_dynamic_indexing: bool = False
    storage_buffer_dynamic_indexing: bool = False
    sampled_image_dynamic_indexing: bool = False
    storage_image_dynamic_indexing: bool = False
    robust_buffer_access2: bool = False
    robust_image_access2: bool = False
    null_descriptor: bool = False
    runtime_descriptor_array: bool = False
    descriptor_binding_partially_bound: bool = False
    uniform_texel_buffer_dynamic_indexing: bool = False
    storage_texel_buffer_dynamic_indexing: bool = False
    uniform_buffer_non_uniform_indexing: bool = False
    storage_buffer_non_uniform_indexing: bool = False
    sampled_image_non_uniform_indexing: bool = False
    storage_image_non_uniform_indexing: bool = False
    uniform_texel_buffer_non_uniform_indexing: bool = False
    storage_texel_buffer_non_uniform_indexing: bool = False
    timestamps: bool = False

    def names(self) -> list[str]:
        """The names of those that are there."""
        return [f.name for f in fields(self) if getattr(self, f.name)]


@dataclass(frozen=True, slots=True)
class DeviceLimits:
    """VkPhysicalDeviceLimits, as far as it concerns compute; sizes in bytes."""

    max_workgroup_count: tuple[int, int, int]
    max_workgroup_size: tuple[int, int, int]
    max_workgroup_invocations: int
    max_shared_memory_bytes: int
    max_storage_buffer_range: int
    max_uniform_buffer_range: int
    max_texel_buffer_elements: int
    storage_buffer_offset_alignment: int
    uniform_buffer_offset_alignment: int
    texel_buffer_offset_alignment: int
    max_bound_descriptor_sets: int
    max_push_constants_bytes: int
    max_uniform_buffers: int
    max_storage_buffers: int
    max_sampled_images: int
    max_storage_images: int
    max_samplers: int
    max_sampler_lod_bias: float
    max_resources: int
    max_memory_allocation_count: int
    max_memory_allocation_bytes: int
    timestamp_period_ns: float


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One physical device as `vkrunner.devices()` lists it.

    `index` is what `open_device` takes; `missing` names what keeps the device from being used, or
    is None; `memory_bytes` is the sum of its device-local heaps.
    """

    index: int
    name: str
    type: str
    driver: str
    driver_version: str
    api_version: str
    memory_bytes: int
    features: DeviceFeatures
    limits: DeviceLimits
    float_controls: frozenset[str]
    extensions: frozenset[str]
    missing: str | None = None
    FLOAT_CONTROLS: ClassVar[tuple[str, ...]] = tuple(FLOAT_CONTROLS)  # that a driver may have

    def is_called(self, part: str, *more: str) -> bool:
        """Whether a text is a part of its name, its driver's, or of `more`; so is `lavapipe`."""
        wanted = part.strip().lower()
        wanted = _ALIASES.get(wanted, wanted)
        return wanted in "\n".join((self.name, self.driver, *more)).lower()

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without limits and extensions."""
        return {
            "index": self.index,
            "name": self.name,
            "type": self.type,
            "driver": self.driver,
            "driver_version": self.driver_version,
            "api_version": self.api_version,
            "memory_bytes": self.memory_bytes,
            "features": self.features.names(),
            "float_controls": sorted(self.float_controls),
            "missing": self.missing,
        }


def version_text(number: int) -> str:
    """A Vulkan version as people write it."""
    return f"{number >> 22 & 127}.{number >> 12 & 1023}.{number & 4095}"
