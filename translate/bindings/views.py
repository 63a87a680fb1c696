"""Facts about the views to be bound: formats, view ranges, sizes; the binding `tables`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from translate.bindings.places import (
    Rows,
    by_register,
    components_of,
    rdef_binding_of,
    rows_of,
    unknown_register,
)
from translate.errors import OptionError, UnsupportedError
from translate.interface import (
    Table,
    component_of,
    format_hint,
    has_uavs,
    reread_format,
    vulkan_format,
)
from translate.interface.binding import VECTOR_BYTES
from translate.ir.memory import BOUND, VIEWS, MemoryKind, Resource
from translate.ir.tables import Table as SideTable
from translate.ir.tables import Tables, Usage, View
from translate.ir.types import has_alpha
from translate.ir.values import Module
from translate.options import Options
from translate.reflection import Reflection
from translate.spirv.host_tables import COUNTERS, SIZES, WINDOWS, Entries
from translate.spirv.images import (
    has_unused_alpha,
    is_alpha_in_red,
    is_normalised_depth,
    packed_fields,
)

_WORDS: Mapping[str, int] = {SIZES: 1, COUNTERS: 1, WINDOWS: 2}  # for each buffer
_RGBA = 4  # components of a texel with alpha


def entries_of(module: Module) -> Entries:
    """The places of the tables, by the register of the array and the kind."""
    return {(t.register, t.kind): (t.first, t.stride) for t in tables_of(module)}


def tables_of(module: Module) -> tuple[Table, ...]:
    """The tables that a module reads.

    The tables of arrays with a length come first, one after another. The tables of unbounded arrays
    follow, interleaved, so that the arrays may have any number of buffers.
    """
    wanted = [(r, kind) for r in module.resources for kind in _kinds(r, module.tables)]
    found: list[Table] = []
    position = 0
    for resource, kind in wanted:
        if resource.count:
            found.append(Table(resource.register, kind, position, _WORDS[kind]))
            position += _WORDS[kind] * resource.count
    unbounded = [one for one in wanted if not one[0].count]
    stride = sum(_WORDS[kind] for _, kind in unbounded)
    for resource, kind in unbounded:
        found.append(Table(resource.register, kind, position, stride))
        position += _WORDS[kind]
    return tuple(found)


def table_bytes(tables: Sequence[Table], module: Module) -> int | None:
    """The bytes of a module's tables; None if one of them is of an unbounded array."""
    counts = {resource.register: resource.count for resource in module.resources}
    if not all(counts[table.register] for table in tables):
        return None
    return 4 * sum(_WORDS[table.kind] * counts[table.register] for table in tables)


def _kinds(resource: Resource, tables: Tables) -> Iterator[str]:
    """The kinds of tables that a resource has."""
    view = tables.views[resource]
    if view.size_table:
        yield SIZES
        if tables.usage[resource].counter:
            yield COUNTERS
    if view.windowed and resource.is_array:
        yield WINDOWS


def views_of(module: Module, options: Options, reflection: Reflection | None) -> SideTable[View]:
    """The views of a module's resources. Raises TranslateError for an option that does not fit."""
    options = by_register(options, module, reflection)
    rows, usage = rows_of(reflection), module.tables.usage
    _check_registers(module, rows, options.windows, "a view range")
    _check_registers(module, rows, options.single_sample, "a single sample")
    views = [(r, _view(r, usage[r], options, rows)) for r in module.resources]
    return SideTable(View(), views)


def windows_of(module: Module) -> tuple[str, ...]:
    """The single registers with a view range, in the order of their push constants."""
    views = module.tables.views
    single = (resource for resource in module.resources if not resource.is_array)
    return tuple(resource.register for resource in single if views[resource].windowed)


def push_offsets_of(module: Module) -> dict[str, int]:
    """The first byte of each constant buffer in the push constants, after the view ranges."""
    end, found = 4 * _WORDS[WINDOWS] * len(windows_of(module)), dict[str, int]()
    for resource in module.resources:
        if module.tables.views[resource].pushed:
            found[resource.register] = end + -end % VECTOR_BYTES
            end = found[resource.register] + VECTOR_BYTES * resource.length
    return found


def _view(resource: Resource, usage: Usage, options: Options, rows: Rows) -> View:
    names = _formats(resource, options)
    differ = len(set(names)) > 1
    format_ = "" if differ else names[0]
    return View(
        has_alpha=has_alpha(format_) if format_ or differ else _may_have_alpha(resource, rows),
        format=format_,
        formats=names if differ else (),
        size_table=_has_table(resource, usage, options),
        windowed=_has_window(resource, options),
        single_sample=_has_single_sample(resource, options),
        pushed=_is_pushed(resource, options),
    )


def _check_registers(module: Module, rows: Rows, chosen: Set[str], what: str) -> None:
    bound = [resource for resource in module.resources if resource.kind in BOUND]
    missing = sorted(chosen - {resource.register for resource in module.resources})
    if missing:
        named = [
            (r.register, row.name if (row := rdef_binding_of(r, rows)) else None) for r in bound
        ]
        raise unknown_register(missing[0], named, f": it cannot have {what}")


def _formats(resource: Resource, options: Options) -> tuple[str, ...]:
    """One format, or one for each register of a range; '' for an unknown format."""
    if not resource.is_texels:
        return ("",)
    chosen = options.formats.get(resource.register, "")
    given = (chosen,) if isinstance(chosen, str) else tuple(chosen)
    names = tuple(reread_format(name, resource.component or "") for name in given)
    for name in filter(None, names):
        _check_format(name, resource)
    if isinstance(chosen, str):
        return names
    if len(names) != resource.count:
        message = f"{resource} has {resource.count or 'any number of'} registers, not {len(names)}"
        raise OptionError(f"{message}: give one format, or one for each")
    own = next((name for name in names if _has_own_code(resource, name)), None)
    if own is not None and len(set(names)) > 1:
        raise UnsupportedError(
            f"{resource} is a range of {', '.join(dict.fromkeys(names))}: if a register of a range"
            f" has {own}, all must have it"
        )
    return names


def _has_own_code(resource: Resource, name: str) -> bool:
    """Whether accesses to this format need code of their own (`spirv.images`, `spirv.sampling`)."""
    return (
        (resource.is_uav and is_alpha_in_red(name))
        or (resource.shape.is_buffer and (has_unused_alpha(name) or bool(packed_fields(name))))
        or is_normalised_depth(name)
    )


def _check_format(name: str, resource: Resource) -> None:
    try:
        vulkan_format(name)
    except KeyError:
        hint = format_hint(name)
        message = f"{name!r} is not a DXGI format of typed resources in Vulkan{hint}"
        raise OptionError(f"format of {resource}: {message}") from None
    if resource.is_uav and not has_uavs(name):
        raise OptionError(f"format of {resource}: D3D has no UAVs of {name}{_linear(name)}")
    if component_of(name) != resource.component:
        read = f"the shader declares {resource.component}, but {name} is {component_of(name)}"
        raise OptionError(f"format of {resource}: {read}")


def _linear(name: str) -> str:
    """A hint at the format without sRGB, in which a UAV can store the same texels; else ""."""
    stored = name.removesuffix("_srgb")
    return f"; view it as {stored}" if stored != name and has_uavs(stored) else ""


def _may_have_alpha(resource: Resource, rows: Rows) -> bool:
    """Whether a view of unknown format may have alpha, according to RDEF."""
    row = rdef_binding_of(resource, rows) if resource.is_texels else None
    return row is None or components_of(row) == _RGBA


def _has_table(resource: Resource, usage: Usage, options: Options) -> bool:
    """Whether the sizes of an array come from a table."""
    if resource.kind not in VIEWS or not resource.is_array or options.size_tables == "none":
        return False
    return usage.non_uniform or (options.size_tables == "dynamic" and usage.dynamic)


def _has_window(resource: Resource, options: Options) -> bool:
    if resource.register not in options.windows:
        return False
    if not resource.takes_window:
        message = f"{resource} cannot have a view range: it is neither a buffer nor a 3D UAV"
        raise OptionError(message)
    return True


def _has_single_sample(resource: Resource, options: Options) -> bool:
    if resource.register not in options.single_sample:
        return False
    if not resource.shape.multisampled:
        raise OptionError(f"{resource} cannot have a single sample: it is not multisampled")
    return True


def _is_pushed(resource: Resource, options: Options) -> bool:
    most = options.push_constants.get(resource.register)
    if most is None:
        return False
    if resource.kind is not MemoryKind.CONSTANTS:
        raise OptionError(f"{resource} cannot be push constants: it is no constant buffer")
    return not resource.is_array and VECTOR_BYTES * resource.length <= most
