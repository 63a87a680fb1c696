"""View ranges: views that are a part of the bound resource, from an element that the caller pushes.

In D3D a view of a buffer starts at any element. In Vulkan it starts at a multiple of the device's
offset alignment, and is not empty. In D3D a 3D UAV may show some slices (D3D11_TEX3D_UAV); few
Vulkan drivers have such views. So the whole resource is bound, and accesses, which the guards have
put in bounds of the view, are moved by the view's first element.
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
_SLICE = 2  # the coordinate of a 3D image that a window moves


def apply_windows(module: Module) -> None:
    """Use the view's size for windowed resources, and move accesses by the view's first element."""
    views = module.tables.views
    windowed = {resource for resource in module.resources if views[resource].windowed}
    if windowed:
        touched = (*_COUNTS, ops.IMAGE_SIZE, *_ACCESSES)
        rewrite(module, dict.fromkeys(touched, lambda b, value: _move(b, value, windowed)))


def _move(b: Builder, value: Value, windowed: Set[Resource]) -> Value | None:
    if value.op in _COUNTS:
        resource = row.RESOURCE.of(value)
        if resource in windowed:
            return b.emit(ops.WINDOW_COUNT, value.type, value.args, resource)
    elif value.op is ops.IMAGE_SIZE:
        resource = row.RESOURCE.of(value)
        if resource in windowed:
            return _size(b, value, resource)
    else:
        access = row.ACCESS.of(value)
        if access.resource in windowed:
            return _access(b, value, access.resource)
    return None


def _size(b: Builder, value: Value, resource: Resource) -> Value:
    """The size of a windowed 3D view: the image's width and height, the view's number of slices."""
    whole = b.emit(value.op, value.type, value.args, resource)
    slices = b.emit(ops.WINDOW_COUNT, U32, value.args, resource)
    width, height = (b.extract(U32, whole, axis) for axis in range(_SLICE))
    return b.compose(value.type, width, height, slices, b.u32(0))


def _access(b: Builder, value: Value, resource: Resource) -> Value:
    descriptor = value.args[-1:] if resource.is_array else []
    first = b.emit(ops.WINDOW_FIRST, U32, descriptor, resource)
    moved, axis = [*value.args], _SLICE if resource.is_image else 0
    moved[axis] = b.iadd(moved[axis], first)
    return b.emit(value.op, value.type, moved, value.data)
