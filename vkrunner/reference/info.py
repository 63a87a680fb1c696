"""The reference machine's features and limits, described like a Vulkan device's.

Limits are those of Direct3D 11; limits that D3D does not have are unlimited, except that arrays of
resources have one.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from translate import FloatControl
from vkrunner.info.device_info import DeviceFeatures, DeviceInfo, DeviceLimits
from vkrunner.values.numbers import host_memory_bytes

INDEX = -1  # always the last of `devices()`
TYPE = "reference"
NAME = "reference machine"

_CLOCK = "timestamps"
_UNLIMITED = 2**63 - 1
_GROUPS = 65535  # D3D11_CS_DISPATCH_MAX_THREAD_GROUPS_PER_DIMENSION
_SAMPLERS = 2048  # D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE
_RESOURCES = 1 << 16  # of arrays of resources; null ones take memory too
_FLOAT_CONTROLS: frozenset[FloatControl] = frozenset(
    {
        "denorm_flush_to_zero_32",
        "denorm_preserve_16",
        "denorm_preserve_64",
        "rounding_mode_rte_32",
        "rounding_mode_rte_64",
        "rounding_mode_rtz_16",
        "signed_zero_inf_nan_preserve_16",
        "signed_zero_inf_nan_preserve_32",
        "signed_zero_inf_nan_preserve_64",
    }
)


def reference_info() -> DeviceInfo:
    """The reference machine as `devices()` lists it."""
    return DeviceInfo(
        index=INDEX,
        name=NAME,
        type=TYPE,
        driver="NumPy",
        driver_version=np.__version__,
        api_version="",
        memory_bytes=host_memory_bytes(),
        features=_features(),
        limits=_limits(),
        float_controls=_FLOAT_CONTROLS,
        extensions=frozenset(),
        is_cpu=True,
    )


def _features() -> DeviceFeatures:
    names = [field.name for field in dataclasses.fields(DeviceFeatures)]
    return DeviceFeatures(**{name: name != _CLOCK for name in names})


def _limits() -> DeviceLimits:
    return DeviceLimits(
        max_workgroup_count=(_GROUPS, _GROUPS, _GROUPS),
        max_workgroup_size=(1024, 1024, 64),  # D3D11_CS_THREAD_GROUP_MAX_X, _Y, _Z
        max_workgroup_invocations=1024,
        max_shared_memory_bytes=32768,
        max_storage_buffer_range=_UNLIMITED,
        max_uniform_buffer_range=65536,  # 4096 vectors
        max_texel_buffer_elements=_UNLIMITED,
        storage_buffer_offset_alignment=4,
        uniform_buffer_offset_alignment=4,
        texel_buffer_offset_alignment=1,
        max_bound_descriptor_sets=_UNLIMITED,
        max_push_constants_bytes=0,
        max_uniform_buffers=_UNLIMITED,
        max_storage_buffers=_UNLIMITED,
        max_sampled_images=_UNLIMITED,
        max_storage_images=_UNLIMITED,
        max_samplers=_SAMPLERS,
        max_sampler_lod_bias=math.inf,
        max_resources=_RESOURCES,
        max_memory_allocation_count=_UNLIMITED,
        max_memory_allocation_bytes=_UNLIMITED,
        timestamp_period_ns=0.0,
    )
