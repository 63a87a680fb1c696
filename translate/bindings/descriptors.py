"""The bindings of a module: one for each descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

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
from translate.bindings.views import push_offsets_of, table_bytes, tables_of
from translate.dataclass import replace
from translate.interface import (
    COUNTER,
    PUSH_CONSTANTS,
    STORAGE_BUFFER,
    TABLES,
    UNIFORM_TEXEL_BUFFER,
    Binding,
    StaticSampler,
)
from translate.interface.constant import VECTOR_BYTES
from translate.interface.root_signature import RootSignature
from translate.ir.memory import BOUND, MAX_VECTORS, MemoryKind, Resource
from translate.ir.values import Module
from translate.options import Options
from translate.passes.guards.messages import REGISTER as MESSAGES
from translate.passes.guards.report import REGISTER as REPORT
from translate.passes.guards.rules import POLICIES
from translate.reflection import BufferTypes, Reflection, constants_of_buffer, element_of_buffer

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
