"""Texels: accesses as D3D has them, and accesses that have to be in bounds.

From FS §22.4.6-9 (docs/out-of-bounds.md): a load with any coordinate, slice, mip or sample outside
gives 0, and the default for an alpha that the format lacks, 1; with no view at all 0. A store or
atomic does nothing. An extent of a mip is half of that before, rounded down, and at least 1; slices
of arrays do not shrink.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from translate.ir import ops, row
from translate.ir.memory import Resource
from translate.ir.tables import View as Described
from translate.ir.values import Value

from .meaning import Term, word
from .world import TexelView, World, key_of

_ONE = 0x3F800000  # 1.0f


@dataclass(frozen=True, slots=True)
class Asked:
    """An access to texels: the operation, and the descriptor's index in an array."""

    world: World
    described: Described
    value: Value
    descriptor: Term | None

    @property
    def resource(self) -> Resource:
        return row.ACCESS.of(self.value).resource

    @property
    def view(self) -> TexelView:
        return self.world.texel_view(self.resource, self.descriptor)


@dataclass(frozen=True, slots=True)
class Bounded:
    """`wrong`: the access may do harm."""

    key: Term
    inside: Term
    outside: Term
    wrong: Term


def _inside(asked: Asked, address: Sequence[Term]) -> Term:
    """Whether a view has the texel."""
    resource, view = asked.resource, asked.view
    shape, extents, kept = resource.shape, [*view.extents], [view.exists]
    if resource.has_mips:
        mip = address[-1]
        kept.append(z3.ULT(mip, view.levels))
        for axis in range(shape.axes):
            halved = z3.LShR(extents[axis], mip)
            extents[axis] = z3.If(halved == 0, word(1), halved)
    if shape.multisampled:
        kept.append(z3.ULT(address[-1], view.samples))
    kept += [z3.ULT(at, end) for at, end in zip(address, extents, strict=False)]
    return z3.And(*kept)


def _texel(alpha: Term) -> Term:
    return z3.Concat(alpha, word(0), word(0), word(0))


def _lacks_alpha(asked: Asked) -> Term:
    """Whether the view's format has no alpha."""
    view = asked.described
    if not view.formats:
        return z3.BoolVal(not view.has_alpha)
    assert asked.descriptor is not None
    lacking = [number for number, name in enumerate(view.formats) if "a" not in name.split("_")[0]]
    return z3.Or(*(asked.descriptor == number for number in lacking))


def texel_in_d3d(asked: Asked, address: Sequence[Term], exists: Term) -> tuple[Term, Term, Term]:
    """The key, whether it is inside, and the result of a load outside; 0 of an atomic."""
    one = word(_ONE if asked.resource.component == "float" else 1)
    default = z3.And(exists, asked.view.exists, _lacks_alpha(asked))
    outside = _texel(z3.If(default, one, word(0)))
    if asked.value.op is ops.ATOMIC:
        outside = _texel(word(0))
    return key_of(asked.descriptor, *address), z3.And(exists, _inside(asked, address)), outside


def texel_in_bounds(asked: Asked, address: Sequence[Term], *, moved: bool) -> Bounded:
    """An access that has to be inside, or that the device bounds.

    A load of the first texel is harmless, since every image has one, and so has a buffer that is
    not empty. Vulkan defines neither a load from a mip outside, nor the result of an atomic.
    """
    resource, view, robustness = asked.resource, asked.view, asked.world.robustness
    address, axis = [*address], view.axis
    if moved:
        address[axis] = address[axis] - view.first
    inside, key = _inside(asked, address), key_of(asked.descriptor, *address)
    unknown = z3.Select(
        z3.Array(f"outside.{resource.register}", key.sort(), z3.BitVecSort(128)), key
    )
    is_load = asked.value.op is ops.LOAD_TEXEL
    if robustness.bounds(resource, asked.described):
        one = word(_ONE if resource.component == "float" else 1)
        either = z3.And(_lacks_alpha(asked), z3.Bool(f"alpha.{resource.register}"))
        outside = _texel(z3.If(either, one, word(0))) if is_load else unknown
        defined = address[-1] == 0 if resource.has_mips else z3.BoolVal(True)
        return Bounded(key, inside, outside, z3.Not(z3.Or(inside, defined)))
    allowed = inside
    if is_load:
        allowed = z3.Or(inside, *([z3.And(*(at == 0 for at in address))]))
        if robustness.reads(resource):
            allowed = z3.BoolVal(True)
    return Bounded(key, inside, unknown, z3.Not(allowed))
