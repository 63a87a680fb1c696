"""The storage class of each kind of memory, and its name in capabilities.

x# is Private if functions share it, else Function.
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
    """The name of a resource's kind of descriptor in capabilities."""
    if not resource.is_texels:
        return _DESCRIPTORS[resource.kind]
    if resource.is_image:
        return "StorageImage" if resource.is_uav else "SampledImage"
    return "StorageTexelBuffer" if resource.is_uav else "UniformTexelBuffer"
