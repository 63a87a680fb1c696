"""Addresses of accesses: dwords in bounds, and view ranges, by which accesses are moved.

No address wraps. Byte offsets are divided to dwords first, so a dword offset is below 2^30, and
adding a component cannot reach 2^32. An index is compared with the count before it is multiplied,
so index * stride + offset stays below the size of the view. If the device checks the view's end
instead, the index is limited first: it stays past the end of every such view, but cannot wrap.

An atomic needs no check if its result is unused, since Vulkan does not define that result. A load
from a buffer to which the thread may have stored keeps its check: after a store out of bounds, a
compiler that knows both addresses to be equal may hand the stored number to the load.

In D3D a view of a buffer starts at any element. In Vulkan it starts at a multiple of the device's
offset alignment, and is not empty. In D3D a 3D UAV may show some slices (D3D11_TEX3D_UAV); few
Vulkan drivers have such views. So the whole resource is bound, and accesses, which the guards have
put in bounds of the view, are moved by the view's first element.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import BYTES, Access, Resource
from translate.ir.tables import Layout, Table
from translate.ir.types import U32
from translate.ir.values import Block, Module, Value, walk
from translate.passes.guards.rules import Element
from translate.passes.rewrite import rewrite
from translate.target_device import LARGEST_VIEW, Promise, Robustness

_LOADS = (ops.LOAD, ops.LOAD_TYPED)
_WRITES = (ops.STORE, ops.STORE_TYPED, ops.ATOMIC)
_ACCESSES = (*_LOADS, *_WRITES)


def unless(b: Builder, promise: Promise, check: Callable[[], Value]) -> Value:
    """The check that `check` builds, or true where the device keeps the promise to make it."""
    if promise is True:
        return b.bool(True)
    return b.lor(b.specialized(promise), check()) if promise else check()


class Addresses:
    """Builds addresses. `size` returns a raw view's number of dwords, or a structured view's number
    of structures."""

    def __init__(self, builder: Builder, layouts: Table[Layout], size: Callable[[Resource], Value]):
        self.b = builder
        self.layouts = layouts
        self.size = size

    def element(
        self, access: Access, address: list[Value], component: int, *, left: Promise = False
    ) -> Element:
        """The dword that is `component` dwords after `address`, and whether it is in bounds.

        With `left` the device checks the view's end, so the shader does not compare with it. The
        two low bits of a byte offset are ignored (FS §7.13 leaves other uses undefined).
        """
        b, resource = self.b, access.resource
        if access.address_count == 1 and resource.kind in BYTES:
            start = self._limited(address[0], LARGEST_VIEW, left)
            dword = b.iadd(b.ushr(start, b.u32(2)), b.u32(component))
            inside = unless(b, left, lambda: b.ult(dword, self._dwords(resource)))
            return Element(inside, dword)
        if access.address_count == 2:
            return self._structure_element(resource, address, component, left)
        return Element(b.ult(address[0], b.u32(resource.length)), address[0])

    def structures(self, resource: Resource) -> Value:
        """The number of structures: declared for g#, else that of the bound view."""
        return self.b.u32(resource.length) if resource.length else self.size(resource)

    def _structure_element(
        self, resource: Resource, address: list[Value], component: int, left: Promise
    ) -> Element:
        b = self.b
        byte_offset = address[1]
        index = self._limited(address[0], LARGEST_VIEW // resource.stride, left)
        if self.layouts[resource].nested:
            within = b.u32(row.BITS.of(byte_offset) // 4 + component)
            return Element(self._exists(resource, index, left), index, within)
        stride = b.u32(resource.stride // 4)
        within = b.iadd(b.ushr(byte_offset, b.u32(2)), b.u32(component))
        inside = b.land(self._exists(resource, index, left), b.ult(within, stride))
        return Element(inside, b.iadd(b.imul(index, stride), within))

    def _exists(self, resource: Resource, index: Value, left: Promise) -> Value:
        return unless(self.b, left, lambda: self.b.ult(index, self.structures(resource)))

    def _limited(self, index: Value, limit: int, left: Promise) -> Value:
        """The index, limited if the device checks the view's end."""
        if not left:
            return index
        limited = self.b.limit_index(index, self.b.u32(limit))
        return limited if left is True else self.b.select(self.b.specialized(left), limited, index)

    def _dwords(self, resource: Resource) -> Value:
        return self.b.u32(resource.length // 4) if resource.length else self.size(resource)


def left_accesses(module: Module, robustness: Robustness) -> dict[Value, Promise]:
    """The accesses for which the device gives D3D's result, except for an alpha that the format
    lacks: it is 1 in D3D; with the promises of that."""
    if not robustness.replaces_checks:
        return {}
    views, values = module.tables.views, module.walk()
    used = {arg for value in values for arg in value.args if arg.op is ops.ATOMIC}
    stored = _written(values) if module.functions else set[Resource]()
    checked = set[Value]()  # loads from buffers that the thread may have written
    for body in module.bodies():
        _find_checked(checked, body, stored, in_loop=False)
    left: dict[Value, Promise] = {}
    for value in values:
        if value.op in _ACCESSES:
            resource = row.ACCESS.of(value).resource
            has_mip = value.op is ops.LOAD_TYPED and resource.has_mips
            is_known = (
                value.args[resource.address_count - 1].constant_bits == 0
                if has_mip
                else (value not in used and value not in checked)
            )
            promise = is_known and robustness.bounds(resource, views[resource])
            if promise:
                left[value] = promise
    return left


def _find_checked(
    checked: set[Value], block: Block, stored: set[Resource], *, in_loop: bool
) -> None:
    """Find loads from resources in `stored`, to which the stores on the way are added."""
    for value in block.values:
        if value.op in _LOADS:
            resource = row.ACCESS.of(value).resource
            if resource.is_buffer and resource in stored:
                checked.add(value)
        elif value.op in _WRITES:
            stored.add(row.ACCESS.of(value).resource)
        looping = in_loop or value.op is ops.LOOP
        for inner in value.blocks:
            if looping and not in_loop:
                stored |= _written(walk(inner))
            _find_checked(checked, inner, stored, in_loop=looping)


def _written(values: Sequence[Value]) -> set[Resource]:
    return {row.ACCESS.of(value).resource for value in values if value.op in _WRITES}


_COUNTS = (ops.DWORD_COUNT, ops.TEXEL_COUNT)
_IN_BOUNDS = (
    *(ops.LOAD_ELEMENT, ops.STORE_ELEMENT, ops.ATOMIC_ELEMENT),
    *(ops.LOAD_TEXEL, ops.STORE_TEXEL, ops.ATOMIC_TEXEL),
)
_SLICE = 2  # the coordinate of a 3D image that a window moves


def apply_windows(module: Module) -> None:
    """Use the view's size for windowed resources, and move accesses by the view's first element."""
    views = module.tables.views
    windowed = {resource for resource in module.resources if views[resource].windowed}
    if windowed:
        touched = (*_COUNTS, ops.IMAGE_SIZE, *_IN_BOUNDS)
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
