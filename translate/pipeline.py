"""Program to SpirvModule: lowering, the passes, the binding map, emission, the interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from translate.constants import constants_of_buffer
from translate.errors import TranslateError
from translate.interface import (
    CONSTANT_BUFFER,
    COUNTER,
    RAW_BUFFER,
    SAMPLER,
    SIZES,
    STRUCTURED_BUFFER,
    TEXTURE,
    TYPED_BUFFER,
    Binding,
    ReportSite,
    ShaderInterface,
)
from translate.ir.formats import has_alpha
from translate.ir.memory import VIEWS, MemoryKind, Resource, Site
from translate.ir.values import Module
from translate.lower import lower_program
from translate.lower.resources import shared_bytes
from translate.options import Options
from translate.passes.pipeline import run_passes
from translate.passes.report import REGISTER as REPORT
from translate.program import Program
from translate.reflection import BufferTypes, Reflection, ResourceBinding
from translate.spirv.emit import Emitted, emit_module
from translate.spirv.grammar import Capability
from translate.spirv.module import SpirvModule
from translate.spirv.tools import validate, validate_if_available

# First binding number of each register class, in the set of the register's space
BINDING_BASES: Mapping[str, int] = {"cb": 0, "s": 16, "t": 32, "u": 160}
COUNTER_BASE = 224
REPORT_BASE = 288
SIZES_BASES: Mapping[str, int] = {"t": 320, "u": 448}
COUNTER_SIZES_BASE = 512
_MAX_U32 = 0xFFFFFFFF

_KINDS = {
    MemoryKind.CONSTANTS: (CONSTANT_BUFFER, "uniform_buffer"),
    MemoryKind.RAW: (RAW_BUFFER, "storage_buffer"),
    MemoryKind.STRUCTURED: (STRUCTURED_BUFFER, "storage_buffer"),
    MemoryKind.SAMPLER: (SAMPLER, "sampler"),
}
_REPORTED_KINDS = {
    MemoryKind.CONSTANTS: CONSTANT_BUFFER,
    MemoryKind.RAW: RAW_BUFFER,
    MemoryKind.STRUCTURED: STRUCTURED_BUFFER,
    MemoryKind.SHARED_RAW: "group_shared",
    MemoryKind.SHARED_STRUCTURED: "group_shared",
    MemoryKind.IMMEDIATE_CONSTANTS: "immediate_constant_buffer",
    MemoryKind.INDEXABLE_TEMP: "indexable_temp",
}
_FEATURES = {
    Capability.Float64: "float64",
    Capability.MinLod: "resource_min_lod",
    Capability.ImageGatherExtended: "image_gather_extended",
    Capability.SampledCubeArray: "image_cube_array",
    Capability.StorageImageExtendedFormats: "storage_image_extended_formats",
    Capability.StorageImageReadWithoutFormat: "storage_image_read_without_format",
    Capability.StorageImageWriteWithoutFormat: "storage_image_write_without_format",
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


def lowered(program: Program, options: Options) -> Module:
    """A program's module as the passes take it: with the lengths, formats, tables and windows."""
    module = lower_program(program, options.class_instances, options.guards == "report")
    facts = _facts(program.reflection)
    _apply_lengths(module, options)
    for resource in module.resources:
        _apply_format(resource, options.formats, facts)
    _choose_tables(module, options)
    _mark_windows(module, options)
    return module


def translate_program(program: Program, options: Options) -> SpirvModule:
    """See `translate.to_spirv`."""
    module = lowered(program, options)
    return translate_module(module, options, program.reflection, program.file)


def translate_module(
    module: Module,
    options: Options,
    reflection: Reflection | None = None,
    file: str | None = None,
) -> SpirvModule:
    """Run the passes that are left, and emit. `file` names the listing in line information."""
    bindings = _bindings(module, options, reflection)
    run_passes(module, options)
    emitted = _emit(module, bindings, file, options)
    if options.validate:
        check = validate_if_available if options.validate == "available" else validate
        check(emitted.words, options.target)
    return SpirvModule(emitted.words, _interface(module, bindings, emitted, options))


def _robustness(bindings: list[Binding], options: Options) -> list[str]:
    """The device features that stand in for checks which are left to them."""
    if options.guards != "robustness2":
        return []
    types = {b.descriptor_type for b in bindings}
    kinds = ("buffer", "image")
    return [f"robust_{kind}_access2" for kind in kinds if any(t.endswith(kind) for t in types)]


def _emit(module: Module, bindings: list[Binding], file: str | None, options: Options) -> Emitted:
    places = {b.register: (b.set, b.binding) for b in bindings}
    line_file = (file or "listing") if options.debug_lines else None
    return emit_module(
        module,
        places.__getitem__,
        options.target,
        options.float_controls,
        line_file,
        _windows(module),
    )


def _apply_lengths(module: Module, options: Options) -> None:
    """Give unbounded ranges the lengths that are known."""
    unbounded = {r.register: r for r in module.resources if r.count == 0}
    for register, length in options.array_lengths.items():
        resource = unbounded.get(register)
        if resource is None or length < 1:
            raise TranslateError(f"{register} is no unbounded range to be given length {length}")
        resource.count, resource.unbounded = length, True


def _choose_tables(module: Module, options: Options) -> None:
    """Mark the arrays whose sizes come from tables."""
    for resource in module.resources:
        if resource.kind in VIEWS and resource.is_array and options.size_tables != "none":
            varying = options.size_tables == "dynamic" and resource.dynamic
            resource.size_table = resource.non_uniform or varying


def _mark_windows(module: Module, options: Options) -> None:
    """Mark the windowed buffers."""
    for resource in module.resources:
        if resource.register in options.windows:
            if not (resource.kind in VIEWS or resource.shape.is_buffer) or resource.is_array:
                raise TranslateError(f"{resource} cannot have a window: it is no single buffer")
            resource.windowed = True
    missing = sorted(options.windows - set(_windows(module)))
    if missing:
        raise TranslateError(f"{missing[0]} is no register of this shader that could be windowed")


def _windows(module: Module) -> tuple[str, ...]:
    """The registers of windowed buffers in order of their push constants."""
    return tuple(resource.register for resource in module.resources if resource.windowed)


# --- what reflection tells ----------------------------------------------------------------------

Facts = dict[tuple[str, int, int], ResourceBinding]


def _facts(reflection: Reflection | None) -> Facts:
    """RDEF's bindings by register letters, number and space."""
    if reflection is None:
        return {}
    return {(b.register_prefix, b.bind_point, b.space): b for b in reflection.bindings}


def _fact(resource: Resource, facts: Facts) -> ResourceBinding | None:
    return facts.get((register_class(resource), resource.number, resource.space))


def register_class(resource: Resource) -> str:
    """`cb`, `s`, `t` or `u`."""
    if resource.kind is MemoryKind.CONSTANTS:
        return "cb"
    if resource.kind is MemoryKind.SAMPLER:
        return "s"
    return "u" if resource.is_uav else "t"


def _apply_format(
    resource: Resource, formats: Mapping[str, str | Sequence[str]], facts: Facts
) -> None:
    """The view's format, or at least whether it has an alpha (for loads outside)."""
    if resource.kind is not MemoryKind.TYPED:
        return
    chosen = formats.get(resource.register, "")
    names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    if not isinstance(chosen, str) and len(names) != resource.count:
        message = f"{resource} has {resource.count or 'any number of'} registers, not {len(names)}"
        raise TranslateError(f"{message}: give one format, or one for each")
    if len(set(names)) > 1:
        resource.formats = names
        return
    resource.format = names[0]
    if resource.format:
        resource.has_alpha = has_alpha(resource.format)
        return
    fact = _fact(resource, facts)
    if fact is not None:
        resource.has_alpha = (fact.flags >> 2 & 3) == 3  # D3D_SIF_TEXTURE_COMPONENTS: 4 of them


# --- the interface ------------------------------------------------------------------------------


def _bindings(module: Module, options: Options, reflection: Reflection | None) -> list[Binding]:
    """The descriptors in order of declaration, counters and tables after their resources."""
    bindings: list[Binding] = []
    facts = _facts(reflection)
    types = BufferTypes(reflection)
    for resource in module.resources:
        if resource.kind in _KINDS or resource.kind is MemoryKind.TYPED:
            bindings.append(_binding(resource, options, facts, types))
            bindings += _hidden_bindings(resource, bindings[-1], options)
    if options.guards == "report":
        bindings.append(_report_binding(options))
    _check_places(bindings, options)
    return bindings


def _place(resource: Resource, register: str, base: int, options: Options) -> tuple[int, int]:
    chosen = options.bindings.get(register)
    return chosen if chosen is not None else (resource.space, base + resource.number)


def _binding(resource: Resource, options: Options, facts: Facts, types: BufferTypes) -> Binding:
    base = BINDING_BASES[register_class(resource)]
    set_number, binding = _place(resource, resource.register, base, options)
    typed = resource.kind is MemoryKind.TYPED
    kind, descriptor_type = _KINDS[resource.kind] if not typed else _typed_kind(resource)
    fact = _fact(resource, facts)
    dtype = types.dtype(fact.name) if fact else None
    definition = types.by_name[fact.name] if fact and dtype is not None else None
    constants = resource.kind is MemoryKind.CONSTANTS
    return Binding(
        register=resource.register,
        kind=kind,
        set=set_number,
        binding=binding,
        descriptor_type=descriptor_type,
        name=fact.name if fact else None,
        read=resource.read,
        written=resource.written,
        atomic=resource.atomic,
        stride=resource.stride or None,
        size_bytes=resource.length * 16 if constants else None,
        dimension=resource.dimension or None,
        component=resource.component if typed else None,
        format=resource.format or None,
        count=resource.count,
        comparison=resource.comparison or None,
        samplers=tuple(sorted(resource.samplers)) or None,
        dtype=dtype,
        constants=constants_of_buffer(definition) if constants and definition else None,
    )


def _typed_kind(resource: Resource) -> tuple[str, str]:
    """Kind and descriptor type of a typed resource."""
    if resource.shape.is_buffer:
        return TYPED_BUFFER, "storage_texel_buffer" if resource.is_uav else "uniform_texel_buffer"
    return TEXTURE, "storage_image" if resource.is_uav else "sampled_image"


def _hidden_bindings(resource: Resource, owner: Binding, options: Options) -> list[Binding]:
    """What a resource has beside its own descriptors: a counter, a table of sizes."""
    found: list[Binding] = []
    if resource.counter:
        counter = _hidden_binding(resource, COUNTER, COUNTER_BASE, owner, options)
        counted = replace(counter, written=True, atomic=True, size_bytes=4, count=resource.count)
        found.append(counted)
    if resource.size_table:
        base = SIZES_BASES[register_class(resource)]
        tables = [_hidden_binding(resource, SIZES, base, owner, options)]
        if resource.counter:
            kind = f"{COUNTER}.{SIZES}"
            table = _hidden_binding(resource, kind, COUNTER_SIZES_BASE, owner, options)
            tables.append(replace(table, kind=SIZES))
        found += [replace(table, size_bytes=4 * resource.count or None) for table in tables]
    return found


def _hidden_binding(
    resource: Resource, kind: str, base: int, owner: Binding, options: Options
) -> Binding:
    register = f"{resource.register}.{kind}"
    place = _place(resource, register, base, options)
    return Binding(register, kind, *place, "storage_buffer", owner.name, read=True)


def _report_binding(options: Options) -> Binding:
    set_number, binding = options.bindings.get(REPORT, (0, REPORT_BASE))
    return Binding(
        register=REPORT,
        kind=REPORT,
        set=set_number,
        binding=binding,
        descriptor_type="storage_buffer",
        read=True,
        written=True,
        atomic=True,
    )


def _check_places(bindings: list[Binding], options: Options) -> None:
    """Every descriptor has a place of its own, and every choice a register."""
    registers = {b.register for b in bindings}
    for register in (*options.bindings, *options.formats):
        if register not in registers:
            there = ", ".join(b.register for b in bindings) or "none"
            raise TranslateError(f"{register} is no register of this shader; it has {there}")
    taken: dict[tuple[int, int], str] = {}
    for b in bindings:
        if not (0 <= b.set <= _MAX_U32 and 0 <= b.binding <= _MAX_U32):
            raise TranslateError(f"{b.register} has no place: choose one by bindings")
        other = taken.setdefault((b.set, b.binding), b.register)
        if other != b.register:
            place = f"set {b.set}, binding {b.binding}"
            raise TranslateError(f"{other} and {b.register} are both bound to {place}")


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


def _interface(
    module: Module,
    bindings: list[Binding],
    emitted: Emitted,
    options: Options,
) -> ShaderInterface:
    return ShaderInterface(
        thread_group=module.thread_group,
        bindings=tuple(bindings),
        shared_memory_bytes=sum(shared_bytes(resource) for resource in module.resources),
        features=(
            *(name for wanted, name in _FEATURES.items() if wanted in emitted.capabilities),
            *_robustness(bindings, options),
        ),
        windows=_windows(module),
        sites=tuple(_site(site) for site in module.sites),
        shortfalls=tuple(resource.register for resource in module.shortfalls),
        target=options.target,
        profile=module.profile,
    )
