"""Build the interface of an emitted module."""

from __future__ import annotations

from zlib import crc32

from translate.bindings.features import extensions_of, features_of
from translate.bindings.host_tables import tables_of
from translate.bindings.kinds import name_of
from translate.bindings.views import windows_of
from translate.interface import Binding, MessageSite, ReportSite, ShaderInterface
from translate.ir.memory import Message, Site, shared_bytes
from translate.ir.values import Module
from translate.options import WORKAROUNDS, Options
from translate.spirv.emit import Emitted


def interface_of(
    module: Module,
    bindings: tuple[Binding, ...],
    emitted: Emitted,
    options: Options,
) -> ShaderInterface:
    """The facts that a caller needs to bind and dispatch a module."""
    capabilities = emitted.capabilities
    features = tuple(features_of(capabilities, bindings, options))
    return ShaderInterface(
        thread_group=module.thread_group,
        bindings=bindings,
        shared_memory_bytes=sum(shared_bytes(resource) for resource in module.resources),
        features=features,
        extensions=tuple(extensions_of(capabilities, features, options.target)),
        float_controls=emitted.float_controls,
        windows=windows_of(module),
        tables=tables_of(module),
        sites=tuple(_site(site) for site in module.sites),
        shortfalls=tuple(r.register for r in module.report.shortfalls) if module.report else (),
        messages=tuple(_message(message) for message in module.messages),
        exposed_to=tuple(sorted(WORKAROUNDS.intersection(module.exposed))),
        target=options.target,
        profile=module.profile,
        spirv_crc32=crc32(emitted.data),
    )


def _site(site: Site) -> ReportSite:
    where = site.where
    return ReportSite(
        where.instruction,
        where.line,
        site.register,
        name_of(site.kind, site.shape),
        site.defined,
        where.hlsl_file,
        where.hlsl_line,
        site.used,
        site.coordinates,
    )


def _message(message: Message) -> MessageSite:
    where = message.where
    return MessageSite(
        message.name,
        message.text,
        message.widths,
        where.instruction,
        where.line,
        where.hlsl_file,
        where.hlsl_line,
    )
