"""Each kind of memory's name in an interface, its registers and its descriptors."""

from __future__ import annotations

from collections.abc import Mapping

from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    SAMPLER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
)
from translate.ir.memory import ImageShape, MemoryKind, Resource

_NAMES: Mapping[MemoryKind, str] = {
    MemoryKind.RAW: RAW_BUFFER,
    MemoryKind.STRUCTURED: STRUCTURED_BUFFER,
    MemoryKind.SHARED_RAW: "group_shared",
    MemoryKind.SHARED_STRUCTURED: "group_shared",
    MemoryKind.CONSTANTS: CONSTANT_BUFFER,
    MemoryKind.IMMEDIATE_CONSTANTS: "immediate_constant_buffer",
    MemoryKind.INDEXABLE_TEMP: "indexable_temp",
    MemoryKind.SAMPLER: SAMPLER,
}
_DESCRIPTORS: Mapping[MemoryKind, str] = {
    MemoryKind.RAW: "storage_buffer",
    MemoryKind.STRUCTURED: "storage_buffer",
    MemoryKind.CONSTANTS: "uniform_buffer",
    MemoryKind.SAMPLER: "sampler",
}
_CLASSES: Mapping[MemoryKind, str] = {MemoryKind.CONSTANTS: "cb", MemoryKind.SAMPLER: "s"}


def name_of(kind: MemoryKind, shape: ImageShape) -> str:
    """As interfaces and reports say it."""
    if kind is MemoryKind.TYPED:
        return TYPED_BUFFER if shape.is_buffer else TEXTURE
    return _NAMES[kind]


def descriptor_type(resource: Resource) -> str:
    if not resource.is_texels:
        return _DESCRIPTORS[resource.kind]
    if resource.is_image:
        return "storage_image" if resource.is_uav else "sampled_image"
    return "storage_texel_buffer" if resource.is_uav else "uniform_texel_buffer"


def register_class(resource: Resource) -> str:
    """`cb`, `s`, `t` or `u`."""
    return _CLASSES.get(resource.kind, "u" if resource.is_uav else "t")
