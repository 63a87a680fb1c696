"""Views that begin and end where no descriptor can: at elements that the caller names.

D3D lets a view start at any element; Vulkan only at multiples of the device's offset alignment, and
it has no empty view. Such a buffer is bound in whole, and its accesses, which are in bounds of the
view by now, are moved to where the view begins.
"""

from __future__ import annotations

from collections.abc import Set

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.types import U32
from translate.ir.values import Module, Value
from translate.passes.rewrite import rewrite

_COUNTS = (ops.DWORD_COUNT, ops.TEXEL_COUNT)
_ACCESSES = (
    *(ops.LOAD_ELEMENT, ops.STORE_ELEMENT, ops.ATOMIC_ELEMENT),
    *(ops.LOAD_TEXEL, ops.STORE_TEXEL, ops.ATOMIC_TEXEL),
)


def apply_windows(module: Module) -> None:
    """Rewrite sizes of and accesses to windowed buffers."""
    views = module.tables.views
    windowed = {resource for resource in module.resources if views[resource].windowed}
    if windowed:
        rewrite(module, lambda b, value: _move(b, value, windowed))


def _move(b: Builder, value: Value, windowed: Set[Resource]) -> Value | None:
    if value.op in _COUNTS:
        resource = row.RESOURCE.of(value)
        if resource in windowed:
            return b.emit(ops.WINDOW_COUNT, value.type, value.args, resource)
    elif value.op in _ACCESSES:
        access = row.ACCESS.of(value)
        if access.resource in windowed:
            descriptor = value.args[-1:] if access.resource.is_array else []
            first = b.emit(ops.WINDOW_FIRST, U32, descriptor, access.resource)
            moved = b.iadd(value.args[0], first)
            return b.emit(value.op, value.type, [moved, *value.args[1:]], access)
    return None
