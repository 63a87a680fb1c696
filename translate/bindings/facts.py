"""What the options and RDEF say of a module's resources: lengths, formats, tables, windows."""

from __future__ import annotations

from translate.bindings.described import Rows, row_of, rows_of
from translate.errors import TranslateError
from translate.ir.formats import has_alpha
from translate.ir.memory import VIEWS, MemoryKind, Resource
from translate.ir.values import Module
from translate.options import Options
from translate.reflection import Reflection

_COMPONENTS_SHIFT, _FOUR_COMPONENTS = 2, 3  # D3D_SIF_TEXTURE_COMPONENTS


def apply_facts(module: Module, options: Options, reflection: Reflection | None) -> None:
    """Give the resources what is known of them. Raises TranslateError where it does not fit."""
    rows = rows_of(reflection)
    _apply_lengths(module, options)
    for resource in module.resources:
        _apply_format(resource, options, rows)
    _choose_tables(module, options)
    _mark_windows(module, options)


def windows_of(module: Module) -> tuple[str, ...]:
    """The registers of windowed buffers in order of their push constants."""
    return tuple(resource.register for resource in module.resources if resource.windowed)


def _apply_lengths(module: Module, options: Options) -> None:
    """Give unbounded ranges the lengths that are known."""
    unbounded = {r.register: r for r in module.resources if r.count == 0}
    for register, length in options.array_lengths.items():
        resource = unbounded.get(register)
        if resource is None or length < 1:
            raise TranslateError(f"{register} is no unbounded range to be given length {length}")
        resource.count, resource.unbounded = length, True


def _apply_format(resource: Resource, options: Options, rows: Rows) -> None:
    """The view's format, or at least whether it has an alpha (for loads outside)."""
    if resource.kind is not MemoryKind.TYPED:
        return
    names = _chosen_formats(resource, options)
    if len(set(names)) > 1:
        resource.formats = names
        return
    resource.format = names[0]
    if resource.format:
        resource.has_alpha = has_alpha(resource.format)
        return
    row = row_of(resource, rows)
    if row is not None:
        resource.has_alpha = (row.flags >> _COMPONENTS_SHIFT & 3) == _FOUR_COMPONENTS


def _chosen_formats(resource: Resource, options: Options) -> tuple[str, ...]:
    """One format, or one for each register of a range; an empty name for none."""
    chosen = options.formats.get(resource.register, "")
    if isinstance(chosen, str):
        return (chosen,)
    names = tuple(chosen)
    if len(names) != resource.count:
        message = f"{resource} has {resource.count or 'any number of'} registers, not {len(names)}"
        raise TranslateError(f"{message}: give one format, or one for each")
    return names


def _choose_tables(module: Module, options: Options) -> None:
    """Mark the arrays whose sizes come from tables."""
    for resource in module.resources:
        if resource.kind in VIEWS and resource.is_array and options.size_tables != "none":
            usage = module.tables.usage[resource]
            varying = options.size_tables == "dynamic" and usage.dynamic
            resource.size_table = usage.non_uniform or varying


def _mark_windows(module: Module, options: Options) -> None:
    """Mark the windowed buffers."""
    for resource in module.resources:
        if resource.register in options.windows:
            if not (resource.kind in VIEWS or resource.shape.is_buffer) or resource.is_array:
                raise TranslateError(f"{resource} cannot have a window: it is no single buffer")
            resource.windowed = True
    missing = sorted(options.windows - set(windows_of(module)))
    if missing:
        raise TranslateError(f"{missing[0]} is no register of this shader that could be windowed")
