"""Guards of typed accesses: checks of coordinates, layers, mips and samples.

An out-of-bounds load gives 0 in the components that the view's format has, and the default in the
others (FS §22.4.6-8, §19.1.3.3): 1 for alpha, otherwise 0.

The registers of a range may have different formats: their components are looked up by the index in
a table of truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from translate.ir import ops, row
from translate.ir.builder import Builder
from translate.ir.memory import Resource
from translate.ir.tables import Table, View
from translate.ir.types import F32, U32, Type, has_alpha
from translate.ir.values import Value
from translate.passes.guards.addresses import unless
from translate.target_device import NONE, Promise, Robustness

_BITS = 32


def holds_for(b: Builder, index: Value, facts: Sequence[bool]) -> Value:
    """`facts[index]`: whether a fact holds for the register with this index in its range.

    The facts are packed into bits of constants, so they need no memory. The result is undefined for
    an index out of range.
    """
    if index.op is ops.CONST:
        number: int = row.BITS.of(index)
        return b.bool(number < len(facts) and facts[number])
    words = [_packed(facts[at : at + _BITS]) for at in range(0, len(facts), _BITS)]
    word, which = b.u32(words[0]), b.ushr(index, b.u32(5))
    for number, bits in enumerate(words[1:], 1):
        word = b.select(b.ieq(which, b.u32(number)), b.u32(bits), word)
    bit = b.iand(b.ushr(word, b.iand(index, b.u32(_BITS - 1))), b.u32(1))
    return b.nonzero(bit)


def _packed(facts: Sequence[bool]) -> int:
    return sum(int(fact) << bit for bit, fact in enumerate(facts))


class TexelGuards:
    """Builds checks. `size` returns a buffer's number of texels, or an image's extents in mip 0."""

    def __init__(
        self,
        builder: Builder,
        views: Table[View],
        size: Callable[[Resource], Value],
        robustness: Robustness = NONE,
    ):
        self.b = builder
        self.views = views
        self.size = size
        self.robustness = robustness

    def inside(self, resource: Resource, address: list[Value]) -> Value:
        """Whether an address is in the view; its last number is the mip or sample, if any."""
        b, shape = self.b, resource.shape
        if shape.is_buffer:
            return b.ult(address[0], self.size(resource))
        size, inside = self.size(resource), b.bool(True)
        extents = [b.extract(U32, size, axis) for axis in range(shape.coordinates)]
        if resource.has_mips and address[-1].constant_bits != 0:
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

    def load(self, value: Value, exists: Value, *, left: Promise = False) -> Value:
        """The texel at an address, or D3D's zeros and alpha if that is out of bounds.

        An out-of-bounds load reads the view's first texel, unless the device makes it harmless.
        `exists`: the descriptor's index is in range. With `left` the device gives the zeros itself.
        """
        b, access = self.b, row.ACCESS.of(value)
        resource, address = access.resource, value.args
        lacking, harmless = self._lacking_alpha(resource), self.robustness.reads(resource)
        colour = inside = exists
        if left is not True or any(lacking):
            within = self.inside(resource, address)
            inside = b.land(exists, within)
            if isinstance(left, str):
                colour = b.land(exists, unless(b, left, lambda: within))
                inside = inside if any(lacking) else colour
            elif not left:
                colour = inside
        if left is not True and harmless is not True:
            readable = unless(b, harmless, lambda: colour)
            address = [b.select(readable, arg, b.u32(0)) for arg in address]
        texel = b.emit(ops.LOAD_TEXEL, value.type, [*address, *b.descriptor], access)
        scalar = F32 if value.type is Type.TEXEL_F32 else U32
        zero, alpha = b.constant(scalar, 0), self._missing_alpha(resource, scalar, exists, lacking)
        outside = [(colour, zero), (colour, zero), (colour, zero), (inside, alpha)]
        parts = [
            b.select(holds, b.extract(scalar, texel, c), other)
            for c, (holds, other) in enumerate(outside)
        ]
        return b.compose(value.type, *parts)

    def _lacking_alpha(self, resource: Resource) -> list[bool]:
        """For each possible format of the view, whether it lacks an alpha."""
        view = self.views[resource]
        return [not has_alpha(name) for name in view.formats] or [not view.has_alpha]

    def _missing_alpha(
        self, resource: Resource, scalar: Type, exists: Value, lacking: list[bool]
    ) -> Value:
        """The alpha of an out-of-bounds load: 1 if a bound view's format lacks alpha, else 0."""
        b = self.b
        if not any(lacking):
            return b.constant(scalar, 0)
        if not all(lacking):
            exists = b.land(exists, holds_for(b, b.descriptor[0], lacking))
        one = b.f32(1.0) if scalar is F32 else b.u32(1)
        size = self.size(resource)
        width = size if resource.shape.is_buffer else b.extract(U32, size, 0)
        return b.select(b.land(exists, b.nonzero(width)), one, b.constant(scalar, 0))
