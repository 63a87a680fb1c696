"""Vulkan's names for the features, float controls and limits of this package."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from translate import FloatControl
from vkrunner.info.device_info import FLOAT_CONTROLS, DeviceLimits

_CAPITAL = re.compile("[A-Z][A-Z0-9]+(?![a-z])|[A-Z]")
_ARRAY_OF = re.compile("Array(?=DynamicIndexing|NonUniformIndexing)")
_ROUNDINGS = ("rte", "rtz")
_SEPARATE = ("ALL", "32_BIT_ONLY")  # independences with which 32-bit floats have their own mode
INDEPENDENCE = "VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_"
# In a larger view, an address outside might wrap to one inside (`Options.robust_access`).
_LARGEST_VIEW = (1 << 32) - (1 << 13)
_LEAST_ALLOCATION_BYTES = 1 << 30  # VkPhysicalDeviceMaintenance3Properties, "Required Limits"

BALLOT, COMPUTE = "VK_SUBGROUP_FEATURE_BALLOT_BIT", "VK_SHADER_STAGE_COMPUTE_BIT"

# Features of Vulkan 1.2 that were extensions without a feature struct before
FEATURE_EXTENSIONS = {
    "sampler_filter_minmax": "VK_EXT_sampler_filter_minmax",
    "sampler_mirror_clamp_to_edge": "VK_KHR_sampler_mirror_clamp_to_edge",
}
NON_SEMANTIC_EXTENSION = "VK_KHR_shader_non_semantic_info"
_NON_SEMANTIC_SINCE = (1, 3)


def features_of_extensions(offered: Collection[str]) -> dict[str, bool]:
    """The features of FEATURE_EXTENSIONS that a device has by the extensions that it offers."""
    return {name: True for name, extension in FEATURE_EXTENSIONS.items() if extension in offered}


def has_non_semantic_info(version: tuple[int, int], extensions: Collection[str]) -> bool:
    """Whether the device has `non_semantic_info`, which is an extension, not a feature field."""
    return version >= _NON_SEMANTIC_SINCE or NON_SEMANTIC_EXTENSION in extensions


def feature_name(field: str) -> str:
    """The name in DeviceFeatures for a field of Vulkan: in snake case, without "shader".

    "Array" before "DynamicIndexing" and "NonUniformIndexing" is dropped:
    shaderStorageBufferArrayDynamicIndexing is storage_buffer_dynamic_indexing.
    """
    short = _ARRAY_OF.sub("", field.removeprefix("shader"))
    return _CAPITAL.sub(r"_\g<0>", short).lower().removeprefix("_")


def float_control_field(name: str) -> str:
    """The field of VkPhysicalDeviceFloatControlsProperties for a name of `Options.float_controls`:
    shaderDenormPreserveFloat32 for denorm_preserve_32.
    """
    *words, bits = name.split("_")
    camel = "".join(word.upper() if word in _ROUNDINGS else word.capitalize() for word in words)
    return f"shader{camel}Float{bits}"


def float_controls_of(
    read: Callable[[str], object], independence: Callable[[str], str], has_halves: bool
) -> frozenset[FloatControl]:
    """The float controls that a module may declare together.

    `read` returns a field of VkPhysicalDeviceFloatControlsProperties; `independence` returns one of
    its two fields that say which widths may have different modes, without the prefix. `has_halves`
    is True if modules may compute with 16-bit floats.
    """
    apart: set[FloatControl] = set()  # those that conflict with the modes of other widths
    denormals = independence("denormBehaviorIndependence")
    if denormals not in _SEPARATE and read("shaderDenormFlushToZeroFloat32"):
        apart = {"denorm_preserve_16", "denorm_preserve_64"}
    elif denormals != "ALL" and not read("shaderDenormPreserveFloat64"):
        apart = {"denorm_preserve_16"}
    if not has_halves or independence("roundingModeIndependence") not in _SEPARATE:
        apart.add("rounding_mode_rtz_16")
    found: frozenset[FloatControl] = frozenset(
        name for name in FLOAT_CONTROLS if name not in apart and read(float_control_field(name))
    )
    return found


def limits_of(read: Callable[[str], Any], max_allocation_bytes: int) -> DeviceLimits:
    """The limits of a device; `read` returns a field of VkPhysicalDeviceLimits by its name.

    0 for `max_allocation_bytes` means the least that Vulkan allows.
    """

    def number(name: str) -> int:
        return int(read(name))

    def triple(name: str) -> tuple[int, int, int]:
        x, y, z = read(name)
        return int(x), int(y), int(z)

    return DeviceLimits(
        max_workgroup_count=triple("maxComputeWorkGroupCount"),
        max_workgroup_size=triple("maxComputeWorkGroupSize"),
        max_workgroup_invocations=number("maxComputeWorkGroupInvocations"),
        max_shared_memory_bytes=number("maxComputeSharedMemorySize"),
        max_storage_buffer_range=min(number("maxStorageBufferRange"), _LARGEST_VIEW),
        max_uniform_buffer_range=number("maxUniformBufferRange"),
        max_texel_buffer_elements=number("maxTexelBufferElements"),
        storage_buffer_offset_alignment=number("minStorageBufferOffsetAlignment"),
        uniform_buffer_offset_alignment=number("minUniformBufferOffsetAlignment"),
        texel_buffer_offset_alignment=number("minTexelBufferOffsetAlignment"),
        max_bound_descriptor_sets=number("maxBoundDescriptorSets"),
        max_push_constants_bytes=number("maxPushConstantsSize"),
        max_uniform_buffers=number("maxPerStageDescriptorUniformBuffers"),
        max_storage_buffers=number("maxPerStageDescriptorStorageBuffers"),
        max_sampled_images=number("maxPerStageDescriptorSampledImages"),
        max_storage_images=number("maxPerStageDescriptorStorageImages"),
        max_samplers=number("maxPerStageDescriptorSamplers"),
        max_sampler_lod_bias=float(read("maxSamplerLodBias")),
        max_resources=number("maxPerStageResources"),
        max_memory_allocation_count=number("maxMemoryAllocationCount"),
        max_memory_allocation_bytes=max_allocation_bytes or _LEAST_ALLOCATION_BYTES,
        timestamp_period_ns=float(read("timestampPeriod")),
    )
