"""The storage class of each kind of memory, and the name of its descriptors in capabilities.

An x# is Private instead of Function if several functions share it.
"""

from __future__ import annotations

from collections.abc import Mapping

from translate.ir.memory import MemoryKind, Resource
from translate.spirv.grammar import StorageClass

STORAGE_CLASSES: Mapping[MemoryKind, int] = {
    MemoryKind.RAW: StorageClass.StorageBuffer,
    MemoryKind.STRUCTURED: StorageClass.StorageBuffer,
    MemoryKind.TYPED: StorageClass.UniformConstant,
    MemoryKind.SHARED_RAW: StorageClass.Workgroup,
    MemoryKind.SHARED_STRUCTURED: StorageClass.Workgroup,
    MemoryKind.CONSTANTS: StorageClass.Uniform,
    MemoryKind.IMMEDIATE_CONSTANTS: StorageClass.Private,
    MemoryKind.INDEXABLE_TEMP: StorageClass.Function,
    MemoryKind.SAMPLER: StorageClass.UniformConstant,
}
_DESCRIPTORS: Mapping[MemoryKind, str] = {
    MemoryKind.RAW: "StorageBuffer",
    MemoryKind.STRUCTURED: "StorageBuffer",
    MemoryKind.CONSTANTS: "UniformBuffer",
    MemoryKind.SAMPLER: "SampledImage",
}


def descriptor_name(resource: Resource) -> str:
    """The name in capabilities of a resource's kind of descriptor, such as `StorageBuffer`."""
    if not resource.is_texels:
        return _DESCRIPTORS[resource.kind]
    if resource.is_image:
        return "StorageImage" if resource.is_uav else "SampledImage"
    return "StorageTexelBuffer" if resource.is_uav else "UniformTexelBuffer"
