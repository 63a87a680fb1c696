"""Build the interface of an emitted module: bindings, and the device features that it needs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from zlib import crc32

from translate.bindings.places import name_of
from translate.bindings.views import tables_of, windows_of
from translate.interface import Binding, MessageSite, ReportSite, ShaderInterface
from translate.ir.memory import Message, Site, shared_bytes
from translate.ir.values import Module
from translate.options import WORKAROUNDS, Options
from translate.passes.guards.rules import POLICIES
from translate.spirv.emit import Emitted
from translate.spirv.grammar import Capability

_FEATURES = {
    Capability.Float16: "float16",
    Capability.Float64: "float64",
    Capability.MinLod: "resource_min_lod",
    Capability.ImageGatherExtended: "image_gather_extended",
    Capability.SampledCubeArray: "image_cube_array",
    Capability.StorageImageExtendedFormats: "storage_image_extended_formats",
    Capability.StorageImageReadWithoutFormat: "storage_image_read_without_format",
    Capability.StorageImageWriteWithoutFormat: "storage_image_write_without_format",
    Capability.GroupNonUniformBallot: "subgroup_ballot",
    Capability.RuntimeDescriptorArray: "runtime_descriptor_array",
    Capability.UniformBufferArrayDynamicIndexing: "uniform_buffer_dynamic_indexing",
    Capability.SampledImageArrayDynamicIndexing: "sampled_image_dynamic_indexing",
    Capability.StorageBufferArrayDynamicIndexing: "storage_buffer_dynamic_indexing",
    Capability.StorageImageArrayDynamicIndexing: "storage_image_dynamic_indexing",
    Capability.UniformTexelBufferArrayDynamicIndexing: "uniform_texel_buffer_dynamic_indexing",
    Capability.StorageTexelBufferArrayDynamicIndexing: "storage_texel_buffer_dynamic_indexing",
    Capability.UniformBufferArrayNonUniformIndexing: "uniform_buffer_non_uniform_indexing",
    Capability.SampledImageArrayNonUniformIndexing: "sampled_image_non_uniform_indexing",
    Capability.StorageBufferArrayNonUniformIndexing: "storage_buffer_non_uniform_indexing",
    Capability.StorageImageArrayNonUniformIndexing: "storage_image_non_uniform_indexing",
    Capability.UniformTexelBufferArrayNonUniformIndexing: (
        "uniform_texel_buffer_non_uniform_indexing"
    ),
    Capability.StorageTexelBufferArrayNonUniformIndexing: (
        "storage_texel_buffer_non_uniform_indexing"
    ),
}


_OLDEST = "vulkan1.1"  # where float controls and descriptor indexing are extensions
_NEWEST = "vulkan1.3"  # where debug information and image robustness are core
_DEBUG_INFO = "non_semantic_info"
_NEWER = "2"  # the suffix of VK_EXT_robustness2's features
_IMAGES = "robust_image_access"
_FLOAT_CONTROLS = frozenset(
    (
        Capability.DenormFlushToZero,
        Capability.DenormPreserve,
        Capability.SignedZeroInfNanPreserve,
        Capability.RoundingModeRTE,
        Capability.RoundingModeRTZ,
    )
)
_DESCRIPTOR_INDEXING = frozenset(
    (
        Capability.ShaderNonUniform,
        Capability.RuntimeDescriptorArray,
        Capability.UniformTexelBufferArrayDynamicIndexing,
        Capability.StorageTexelBufferArrayDynamicIndexing,
    )
)


def features_of(
    capabilities: Collection[int], bindings: Sequence[Binding], options: Options
) -> Iterator[str]:
    """The features for capabilities, for options, and for checks left to the device."""
    yield from (name for wanted, name in _FEATURES.items() if wanted in capabilities)
    if options.debug_info:
        yield _DEBUG_INFO
    policy, types = POLICIES[options.guards], {b.descriptor_type for b in bindings}
    asked = options.robust_access if policy.checks else frozenset[str]()
    for kind in ("buffer", "image"):
        if not any(t.endswith(kind) for t in types):
            continue
        robust = f"robust_{kind}_access"
        newer = f"{robust}{_NEWER}"
        needs_newer = policy.needs_robustness or newer in asked
        if robust in asked or (needs_newer and kind == "buffer"):  # Vulkan requires both
            yield robust
        if needs_newer:
            yield newer


def extensions_of(
    capabilities: Collection[int], features: Collection[str], target: str
) -> Iterator[str]:
    """The device extensions to enable; newer targets include some of them."""
    if target == _OLDEST and not _FLOAT_CONTROLS.isdisjoint(capabilities):
        yield "VK_KHR_shader_float_controls"
    if target == _OLDEST and Capability.Float16 in capabilities:
        yield "VK_KHR_shader_float16_int8"
    if target == _OLDEST and not _DESCRIPTOR_INDEXING.isdisjoint(capabilities):
        yield "VK_EXT_descriptor_indexing"
    if target != _NEWEST and _DEBUG_INFO in features:
        yield "VK_KHR_shader_non_semantic_info"
    if target != _NEWEST and _IMAGES in features:
        yield "VK_EXT_image_robustness"
    if any(name.startswith("robust_") and name.endswith(_NEWER) for name in features):
        yield "VK_EXT_robustness2"


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
