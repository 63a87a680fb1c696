"""The interface of a module that is emitted."""

from __future__ import annotations

from collections.abc import Collection

from translate.bindings.features import features_of
from translate.bindings.views import windows_of
from translate.interface import (
    CONSTANT_BUFFER,
    RAW_BUFFER,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    ReportSite,
    ShaderInterface,
)
from translate.ir.memory import MemoryKind, Site, shared_bytes
from translate.ir.values import Module
from translate.options import Options

_REPORTED_KINDS = {
    MemoryKind.CONSTANTS: CONSTANT_BUFFER,
    MemoryKind.RAW: RAW_BUFFER,
    MemoryKind.STRUCTURED: STRUCTURED_BUFFER,
    MemoryKind.SHARED_RAW: "group_shared",
    MemoryKind.SHARED_STRUCTURED: "group_shared",
    MemoryKind.IMMEDIATE_CONSTANTS: "immediate_constant_buffer",
    MemoryKind.INDEXABLE_TEMP: "indexable_temp",
}


def interface_of(
    module: Module,
    bindings: tuple[Binding, ...],
    capabilities: Collection[int],
    options: Options,
) -> ShaderInterface:
    """What a caller has to know of a module to bind and dispatch it."""
    return ShaderInterface(
        thread_group=module.thread_group,
        bindings=bindings,
        shared_memory_bytes=sum(shared_bytes(resource) for resource in module.resources),
        features=tuple(features_of(capabilities, bindings, options)),
        windows=windows_of(module),
        sites=tuple(_site(site) for site in module.sites),
        shortfalls=tuple(resource.register for resource in module.shortfalls),
        target=options.target,
        profile=module.profile,
    )


def _site(site: Site) -> ReportSite:
    kind = _REPORTED_KINDS.get(site.kind)
    if kind is None:
        kind = TYPED_BUFFER if site.shape.is_buffer else TEXTURE
    where = site.where
    return ReportSite(
        where.instruction,
        where.line,
        site.register,
        kind,
        site.defined,
        where.hlsl_file,
        where.hlsl_line,
    )
