"""The name, register letters and descriptor type of each kind of memory."""

from __future__ import annotations

from collections.abc import Mapping

from translate.errors import row_of
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
_CLASSES: Mapping[MemoryKind, str] = {MemoryKind.CONSTANTS: "cb", MemoryKind.SAMPLER: "s"}


def name_of(kind: MemoryKind, shape: ImageShape) -> str:
    """The kind's name in interfaces and reports."""
    if kind is MemoryKind.TYPED:
        return TYPED_BUFFER if shape.is_buffer else TEXTURE
    return row_of(_NAMES, kind, "_NAMES of translate/bindings/kinds.py")


def descriptor_type(resource: Resource) -> str:
    """The value of `Binding.descriptor_type`."""
    return SAMPLER if resource.kind is MemoryKind.SAMPLER else resource.descriptor


def register_class(resource: Resource) -> str:
    """The register letters: `cb`, `s`, `t` or `u`."""
    return _CLASSES.get(resource.kind, "u" if resource.is_uav else "t")
