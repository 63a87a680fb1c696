"""Checks that a device has the features and limits that a module needs."""

from __future__ import annotations

import math

from translate import ShaderInterface
from translate.interface import (
    SAMPLED_IMAGE,
    SAMPLER,
    STORAGE_BUFFER,
    STORAGE_IMAGE,
    STORAGE_TEXEL_BUFFER,
    UNIFORM_BUFFER,
    UNIFORM_TEXEL_BUFFER,
)
from vkrunner.errors import FeatureError, LimitError
from vkrunner.info.device_info import MOST_DESCRIPTORS, DeviceInfo, DeviceLimits
from vkrunner.info.faults import Faults

_DWORD = 4
BINDING_NUMBERS = 1 << 15  # a layout costs memory for each; lavapipe confuses those from 65,535 on


def check_device(info: DeviceInfo, interface: ShaderInterface) -> None:
    """Raise FeatureError or LimitError if the device cannot run a module of this interface."""
    lacking = [n for n in interface.features if not getattr(info.features, n, False)]
    if lacking:
        raise FeatureError(f"{info.name} lacks features of the shader: {', '.join(lacking)}")
    _check_target(info, interface.target)
    name, most = info.name, info.limits.max_workgroup_size
    size = interface.thread_group
    if any(n > m for n, m in zip(size, most, strict=True)):
        raise LimitError(f"a thread group of {size}; {name} allows {most}")
    longest = max((binding.count for binding in interface), default=0)
    if longest > MOST_DESCRIPTORS:
        raise LimitError(f"an array of {longest} resources; D3D allows {MOST_DESCRIPTORS}")
    for resource, needed, allowed in _needs(interface, info.limits):
        if needed > allowed:
            raise LimitError(f"{needed} {resource}; {name} allows {allowed}")


def check_workarounds(info: DeviceInfo, interface: ShaderInterface, faults: Faults) -> None:
    """Raise FeatureError if a fault of the device can spoil the results of the module."""
    exposed = interface.exposed_to
    there = faults() if exposed else ()
    met = [name for name in exposed if name in there]
    if met:
        raise FeatureError(
            f"{info.name} has faults that the module does not work around: translate it with"
            f" Options(workarounds={met!r})"
        )


def _needs(interface: ShaderInterface, limits: DeviceLimits) -> list[tuple[str, int, int]]:
    """(resource, needed count, the device's limit) for each kind of resource.

    Textures and typed buffers share a limit, as in Vulkan.
    """
    shared, sets = interface.shared_memory_bytes, max((b.set + 1 for b in interface), default=0)
    numbers = max((b.binding + 1 for b in interface), default=0)
    count = dict.fromkeys((b.descriptor_type for b in interface), 0)
    for binding in interface:
        count[binding.descriptor_type] += binding.count

    def total(*kinds: str) -> int:
        return sum(count.get(kind, 0) for kind in kinds)

    sampled = total(UNIFORM_TEXEL_BUFFER, SAMPLED_IMAGE)
    storage = total(STORAGE_TEXEL_BUFFER, STORAGE_IMAGE)
    return [
        ("threads in a group", math.prod(interface.thread_group), limits.max_workgroup_invocations),
        ("bytes of group-shared memory", shared, limits.max_shared_memory_bytes),
        ("descriptor sets", sets, limits.max_bound_descriptor_sets),
        ("binding numbers in a set", numbers, BINDING_NUMBERS),
        (
            "bytes of push constants, for view ranges",
            window_bytes(interface),
            limits.max_push_constants_bytes,
        ),
        ("constant buffers", total(UNIFORM_BUFFER), limits.max_uniform_buffers),
        ("storage buffers", total(STORAGE_BUFFER), limits.max_storage_buffers),
        ("typed buffers and textures", sampled, limits.max_sampled_images),
        ("typed UAVs", storage, limits.max_storage_images),
        ("samplers", total(SAMPLER), limits.max_samplers),
        ("resources", sum(count.values()) - total(SAMPLER), limits.max_resources),
    ]


def window_bytes(interface: ShaderInterface) -> int:
    """The bytes of push constants that a module uses: two dwords for each view range."""
    return 2 * _DWORD * len(interface.windows)


def _check_target(info: DeviceInfo, target: str) -> None:
    wanted = [int(n) for n in target.removeprefix("vulkan").split(".")]
    have = [int(n) for n in info.api_version.split(".")]
    if wanted > have:
        version = info.api_version
        raise FeatureError(f"the shader's target is {target}; {info.name} has {version}")
