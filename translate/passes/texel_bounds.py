"""Guards of typed accesses: coordinates, layers, mips and samples against the view's.

Outside, a load gives 0 in the components that the view's format has and the default in those that
it lacks (FS §22.4.6-8, §19.1.3.3): alpha is 1, all others are 0 as well.
"""

from __future__ import annotations

from collections.abc import Callable

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.formats import has_alpha
from translate.ir.memory import Resource
from translate.ir.tables import Table, View
from translate.ir.types import F32, U32, Type
from translate.ir.values import Value
from translate.passes.elements import holds_for


class TexelGuards:
    """`size` gives a buffer's texel count or an image's extents in its first mip."""

    def __init__(self, builder: Builder, views: Table[View], size: Callable[[Resource], Value]):
        self.b = builder
        self.views = views
        self.size = size

    def inside(self, resource: Resource, address: list[Value]) -> Value:
        """Whether an address, its mip or sample included, lies in the view."""
        b, shape = self.b, resource.shape
        if shape.is_buffer:
            return b.ult(address[0], self.size(resource))
        size, inside = self.size(resource), b.bool(True)
        extents = [b.extract(U32, size, axis) for axis in range(shape.coordinates)]
        if resource.has_mips and not _is_zero(address[-1]):
            inside = b.ult(address[-1], b.image_levels(resource))
            extents = [
                b.mip_extent(extent, address[-1]) if axis < shape.axes else extent
                for axis, extent in enumerate(extents)
            ]
        elif shape.multisampled:
            inside = b.ult(address[-1], b.image_samples(resource))
        for coordinate, extent in zip(address, extents, strict=False):
            inside = b.land(inside, b.ult(coordinate, extent))
        return inside

    def load(self, value: Value, exists: Value) -> Value:
        """The texel at an address, or at the view's first where that lies outside.

        `exists` is whether there is a view at all.
        """
        b, access = self.b, row.ACCESS.of(value)
        inside = b.land(exists, self.inside(access.resource, value.args))
        address = [b.select(inside, arg, b.u32(0)) for arg in value.args]
        texel = b.emit(ops.LOAD_TEXEL, value.type, [*address, *b.descriptor], access)
        scalar = F32 if value.type is Type.TEXEL_F32 else U32
        zero = b.constant(scalar, 0)
        outside = [zero, zero, zero, self._missing_alpha(access.resource, scalar, exists)]
        components = [b.select(inside, b.extract(scalar, texel, c), outside[c]) for c in range(4)]
        return b.compose(value.type, *components)

    def _missing_alpha(self, resource: Resource, scalar: Type, exists: Value) -> Value:
        """1 where the format has no alpha; 0 with nothing bound, which an empty view is."""
        b, view = self.b, self.views[resource]
        lacks_alpha = [not has_alpha(name) for name in view.formats] or [not view.has_alpha]
        if not any(lacks_alpha):
            return b.constant(scalar, 0)
        if not all(lacks_alpha):
            exists = b.land(exists, holds_for(b, b.descriptor[0], lacks_alpha))
        one = b.f32(1.0) if scalar is F32 else b.u32(1)
        size = self.size(resource)
        width = size if resource.shape.is_buffer else b.extract(U32, size, 0)
        return b.select(b.land(exists, b.nonzero(width)), one, b.constant(scalar, 0))


def _is_zero(value: Value) -> bool:
    return value.op is ops.CONST and row.BITS.of(value) == 0
