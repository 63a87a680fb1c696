"""The interface of an emitted module: a binding for each descriptor, and needed device features."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, cast
from zlib import crc32

from translate.bindings.places import (
    Rows,
    by_register,
    components_of,
    descriptor_type,
    name_of,
    place_of,
    placed,
    rdef_binding_of,
    register_class,
    rows_of,
)
from translate.bindings.views import push_offsets_of, table_bytes, tables_of, windows_of
from translate.choices import SPECIALIZATIONS
from translate.dataclass import replace
from translate.interface import (
    COUNTER,
    PUSH_CONSTANTS,
    STORAGE_BUFFER,
    TABLES,
    UNIFORM_TEXEL_BUFFER,
    Binding,
    MessageSite,
    ReportSite,
    ShaderInterface,
    SpecializationConstant,
    StaticSampler,
)
from translate.interface.binding import VECTOR_BYTES
from translate.interface.root_signature import RootSignature
from translate.ir.memory import (
    BOUND,
    MAX_VECTORS,
    MemoryKind,
    Message,
    Resource,
    Site,
    shared_bytes,
)
from translate.ir.values import Module
from translate.options import WORKAROUNDS, Options
from translate.passes.guards.messages import REGISTER as MESSAGES
from translate.passes.guards.report import REGISTER as REPORT
from translate.passes.guards.rules import POLICIES
from translate.reflection import BufferTypes, Reflection, constants_of_buffer, element_of_buffer
from translate.spirv.emit import Emitted
from translate.spirv.grammar import Capability

if TYPE_CHECKING:
    from translate.choices import FormatName

_REGISTERS = 1 << 32
_TBUFFER = 1  # D3D_CT_TBUFFER
_TBUFFER_FORMAT = "r32g32b32a32_uint"  # fxc loads any variables as bits


def bindings_of(
    module: Module,
    options: Options,
    reflection: Reflection | None,
    root_signature: RootSignature | None = None,
) -> tuple[Binding, ...]:
    """The bindings in order of declaration; a counter follows its resource.

    Raises TranslateError if two of them have the same place, or if an option names an unknown
    register.
    """
    options = by_register(options, module, reflection)
    bindings: list[Binding] = []
    rows = rows_of(reflection)
    types = BufferTypes(reflection)
    pushed = push_offsets_of(module)
    for resource in module.resources:
        if resource.kind in BOUND:
            binding = _binding(resource, module, options, rows, types)
            if resource.register in pushed:
                binding = _in_push_constants(binding, pushed[resource.register])
            if root_signature is not None and resource.kind is MemoryKind.SAMPLER:
                binding = replace(binding, static_samplers=_static(resource, root_signature))
            bindings.append(binding)
            if module.tables.usage[resource].counter:
                bindings.append(_counter(resource, bindings[-1], options))
    if POLICIES[options.guards].reports:
        bindings.append(_own_binding(REPORT, options))
    if module.messages:
        bindings.append(_own_binding(MESSAGES, options))
    tables = tables_of(module)
    if tables:
        bindings.append(_tables(table_bytes(tables, module), options))
    return placed(bindings, options)


def _binding(
    resource: Resource, module: Module, options: Options, rows: Rows, types: BufferTypes
) -> Binding:
    usage, view = module.tables.usage[resource], module.tables.views[resource]
    set_number, binding = _place(resource, options)
    row = rdef_binding_of(resource, rows)
    dtype = types.dtype(row.name) if row else None
    definition = types.by_name[row.name] if row and dtype is not None else None
    constants = resource.kind is MemoryKind.CONSTANTS
    is_tbuffer = resource.is_texels and definition is not None and definition.kind == _TBUFFER
    structured = resource.kind is MemoryKind.STRUCTURED
    return Binding(
        register=resource.register,
        kind=name_of(resource.kind, resource.shape),
        set=set_number,
        binding=binding,
        descriptor_type=descriptor_type(resource),
        name=row.name if row else None,
        read=usage.read,
        written=usage.written,
        atomic=usage.atomic,
        stride=resource.stride or None,
        size_bytes=resource.length * VECTOR_BYTES if constants else None,
        declared_bytes=None if resource.declared is None else resource.declared * VECTOR_BYTES,
        most_bytes=MAX_VECTORS * VECTOR_BYTES if usage.past_end else None,
        dimension=_dimension(resource, view.single_sample),
        component=resource.component if resource.is_texels else None,
        components=components_of(row) if row and resource.is_texels and not is_tbuffer else None,
        format=_TBUFFER_FORMAT if is_tbuffer else cast("FormatName | None", view.format or None),
        count=resource.count,
        comparison=_compares(resource, module),
        samplers=tuple(sorted(usage.samplers)) or None,
        textures=_sampled_with(resource, module),
        dtype_data=dtype,
        element=element_of_buffer(definition) if structured and definition else None,
        constants=(
            constants_of_buffer(definition) if (constants or is_tbuffer) and definition else None
        ),
    )


def _in_push_constants(buffer: Binding, offset: int) -> Binding:
    nowhere = -1
    return replace(
        buffer,
        set=nowhere,
        binding=nowhere,
        descriptor_type=PUSH_CONSTANTS,
        push_offset=offset,
    )


def _dimension(resource: Resource, single_sample: bool) -> str | None:
    """The dimension to bind; Vulkan's textures with one sample are not multisampled."""
    name = resource.dimension.removeprefix("texture")
    return (name.replace("2dms", "2d") if single_sample else name) or None


def _compares(resource: Resource, module: Module) -> bool | None:
    """Whether a sampler is a comparison sampler, or a texture is used with one."""
    if resource.kind is MemoryKind.SAMPLER:
        return resource.comparison
    samplers = module.tables.usage[resource].samplers
    if not samplers:
        return None
    return any(other.comparison and other.register in samplers for other in module.resources)


def _static(sampler: Resource, root_signature: RootSignature) -> tuple[StaticSampler, ...] | None:
    """The static samplers of a register or range, or None without any."""
    registers = range(sampler.number, sampler.number + (sampler.count or _REGISTERS))
    static = (one for one in root_signature.samplers if one.space == sampler.space)
    return tuple(one for one in static if one.number in registers) or None


def _sampled_with(sampler: Resource, module: Module) -> tuple[str, ...] | None:
    """The textures that a sampler is used with; None for other resources."""
    if sampler.kind is not MemoryKind.SAMPLER:
        return None
    usage = module.tables.usage
    return tuple(r.register for r in module.resources if sampler.register in usage[r].samplers)


def _counter(resource: Resource, owner: Binding, options: Options) -> Binding:
    """The binding of a resource's hidden counters."""
    hidden = f".{COUNTER}"
    return Binding(
        resource.register + hidden,
        COUNTER,
        *_place(resource, options, hidden),
        STORAGE_BUFFER,
        owner.name,
        read=True,
        written=True,
        atomic=True,
        size_bytes=4,
        count=resource.count,
    )


def _place(resource: Resource, options: Options, hidden: str = "") -> tuple[int, int]:
    register, class_ = resource.register + hidden, register_class(resource) + hidden
    return place_of(register, class_, options, resource.space, resource.number)


def _own_binding(register: str, options: Options) -> Binding:
    """A buffer that the translation adds: violation reports, messages."""
    set_number, binding = place_of(register, register, options)
    return Binding(
        register=register,
        kind=register,
        set=set_number,
        binding=binding,
        descriptor_type=STORAGE_BUFFER,
        read=True,
        written=True,
        atomic=True,
    )


def _tables(size_bytes: int | None, options: Options) -> Binding:
    """The texel buffer with the sizes and view ranges of buffers in arrays."""
    return Binding(
        TABLES,
        TABLES,
        *place_of(TABLES, TABLES, options),
        UNIFORM_TEXEL_BUFFER,
        read=True,
        size_bytes=size_bytes,
        dimension="buffer",
        component="uint",
        format="r32_uint",
    )


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
        specialization=tuple(
            SpecializationConstant(name, number)
            for number, name in enumerate(SPECIALIZATIONS)
            if name in emitted.specializations
        ),
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
