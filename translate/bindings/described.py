"""Look up RDEF's resource bindings by register."""

from __future__ import annotations

from translate.bindings.kinds import register_class
from translate.ir.memory import Resource
from translate.reflection import Reflection, ResourceBinding

_COMPONENTS_SHIFT = 2  # D3D_SIF_TEXTURE_COMPONENTS

Rows = dict[tuple[str, int, int], ResourceBinding]


def rows_of(reflection: Reflection | None) -> Rows:
    """RDEF's bindings by register letters, number and space."""
    if reflection is None:
        return {}
    return {(b.register_prefix, b.bind_point, b.space): b for b in reflection.bindings}


def row_of(resource: Resource, rows: Rows) -> ResourceBinding | None:
    """RDEF's binding for a resource's first register, or None."""
    return rows.get((register_class(resource), resource.number, resource.space))


def components_of(row: ResourceBinding) -> int:
    """The number of components that HLSL declares for a typed resource."""
    return (row.flags >> _COMPONENTS_SHIFT & 3) + 1
