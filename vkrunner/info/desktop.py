"""The built-in profile `desktop`: the common features of desktop GPUs (docs/porting.md).

Sources: the reports of devices that LunarG's profile VP_LUNARG_desktop_baseline_2026 was made from
(KhronosGroup/Vulkan-Profiles), without Apple's devices and llvmpipe: AMD's, Intel's and NVIDIA's
drivers of 2026 for Windows, Mesa's RADV and ANV, NVIDIA's for Linux and FreeBSD, on 16 GPUs. The
profile has the features that all of them report, and the strictest of their limits. DXVK requires
`robustBufferAccess2` and `nullDescriptor` (VP_DXVK_requirements), Vulkan 1.3 `robustImageAccess`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from vkrunner.info.device_info import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.info.device_profile import NO_INDEX, TYPE

BuiltIn: TypeAlias = Literal["desktop"]

_FEATURES = DeviceFeatures(
    robust_buffer_access=True,
    int64=True,
    int16=True,
    storage_image_write_without_format=True,
    storage_image_extended_formats=True,
    image_gather_extended=True,
    image_cube_array=True,
    sampler_anisotropy=True,
    texture_compression_bc=True,
    format_a4r4g4b4=True,
    uniform_buffer_dynamic_indexing=True,
    storage_buffer_dynamic_indexing=True,
    sampled_image_dynamic_indexing=True,
    storage_image_dynamic_indexing=True,
    robust_image_access=True,
    robust_buffer_access2=True,
    robust_image_access2=True,
    null_descriptor=True,
    runtime_descriptor_array=True,
    descriptor_binding_partially_bound=True,
    uniform_texel_buffer_dynamic_indexing=True,
    storage_texel_buffer_dynamic_indexing=True,
    uniform_buffer_non_uniform_indexing=True,
    storage_buffer_non_uniform_indexing=True,
    sampled_image_non_uniform_indexing=True,
    storage_image_non_uniform_indexing=True,
    uniform_texel_buffer_non_uniform_indexing=True,
    storage_texel_buffer_non_uniform_indexing=True,
    subgroup_ballot=True,
    non_semantic_info=True,
)
_LIMITS = DeviceLimits(
    max_workgroup_count=(65535, 65535, 65535),
    max_workgroup_size=(1024, 1024, 64),
    max_workgroup_invocations=1024,
    max_shared_memory_bytes=32768,
    max_storage_buffer_range=1073741820,
    max_uniform_buffer_range=65536,
    max_texel_buffer_elements=134217728,
    storage_buffer_offset_alignment=64,
    uniform_buffer_offset_alignment=64,
    texel_buffer_offset_alignment=64,
    max_bound_descriptor_sets=32,
    max_push_constants_bytes=256,
    max_uniform_buffers=200,
    max_storage_buffers=200,
    max_sampled_images=200,
    max_storage_images=16,
    max_samplers=64,
    max_sampler_lod_bias=15.0,
    max_resources=200,
    max_memory_allocation_count=4096,
    max_memory_allocation_bytes=1073741824,
    timestamp_period_ns=0.0,
)
_DESKTOP = DeviceInfo(
    index=NO_INDEX,
    name="desktop",
    type=TYPE,
    driver="",
    driver_version="",
    api_version="1.3.0",
    memory_bytes=0,
    features=_FEATURES,
    limits=_LIMITS,
    float_controls=frozenset(
        {
            "rounding_mode_rte_32",
            "rounding_mode_rte_64",
            "signed_zero_inf_nan_preserve_32",
            "signed_zero_inf_nan_preserve_64",
        }
    ),
    extensions=frozenset(
        {
            "VK_EXT_descriptor_indexing",
            "VK_EXT_image_robustness",
            "VK_EXT_robustness2",
            "VK_KHR_shader_float_controls",
            "VK_KHR_shader_non_semantic_info",
        }
    ),
)
BUILT_IN: Mapping[BuiltIn, DeviceInfo] = {"desktop": _DESKTOP}
