"""Guards of typed loads: coordinates, layers, mips and samples, each with its own limit.

Drivers often return 0 outside by themselves; so the checks are found in the code.
"""

from __future__ import annotations

import pytest

from translate.ir import ops
from translate.ir.builder import Builder
from translate.ir.memory import Access, ImageShape, MemoryKind, Resource
from translate.ir.tables import Table, View
from translate.ir.types import TEXELS, U32
from translate.ir.values import Block, Value
from translate.passes.guards.texel_bounds import TexelGuards

SHAPES = {
    "texture1d": ImageShape(1),
    "texture2d": ImageShape(2),
    "texture2darray": ImageShape(2, arrayed=True),
    "texture3d": ImageShape(3),
    "texture2dms": ImageShape(2, multisampled=True),
    "texture2dmsarray": ImageShape(2, arrayed=True, multisampled=True),
}


def comparisons(value: Value) -> list[tuple[Value, Value]]:
    """(x, limit) for each comparison x < limit in a conjunction."""
    if value.op is ops.LAND:
        return [test for arg in value.args for test in comparisons(arg)]
    if value.op is ops.CONST:
        assert value.data
        return []
    assert value.op is ops.ULT
    return [(value.args[0], value.args[1])]


def guard(
    dimension: str, is_uav: bool, more: int, has_alpha: bool = True
) -> tuple[list[Value], list[Value], Value]:
    """An address of coordinates and `more`, its limits in that order, and the texel loaded."""
    shape, b = SHAPES[dimension], Builder(Block())
    resource = Resource(
        "t0", MemoryKind.TYPED, 0, is_uav=is_uav, shape=shape, dimension=dimension,
        component="uint",
    )  # fmt: skip
    size = b.image_size(resource, [])
    views = Table(View(has_alpha=has_alpha))
    guards = TexelGuards(b, views, lambda resource: size)
    address = [b.input("vThreadID", axis) for axis in range(shape.coordinates + more)]
    tests = dict(comparisons(guards.inside(resource, address)))
    assert set(tests) == set(address)
    load = Value(
        ops.LOAD_TYPED, TEXELS["uint"], address, Access(resource, shape.coordinates), b.where
    )
    return address, [tests[part] for part in address], guards.load(load, b.bool(True))


@pytest.mark.parametrize("dimension", ["texture1d", "texture2d", "texture2darray", "texture3d"])
def test_mips_have_their_own_extents(dimension: str) -> None:
    address, limits, _ = guard(dimension, is_uav=False, more=1)
    axes = SHAPES[dimension].axes
    assert limits[-1].op is ops.IMAGE_LEVELS
    for axis, limit in enumerate(limits[:axes]):
        assert limit.op is not ops.EXTRACT
        assert address[-1] in _leaves(limit)
        assert axis in {v.data for v in _leaves(limit) if v.op is ops.EXTRACT}
    for layer in limits[axes:-1]:
        assert layer.op is ops.EXTRACT
        assert layer.data == axes


@pytest.mark.parametrize("dimension", ["texture1d", "texture2d", "texture2darray", "texture3d"])
def test_uavs_have_one_mip(dimension: str) -> None:
    _, limits, _ = guard(dimension, is_uav=True, more=0)
    assert [(limit.op, limit.data) for limit in limits] == [
        (ops.EXTRACT, axis) for axis in range(len(limits))
    ]


@pytest.mark.parametrize("dimension", ["texture2dms", "texture2dmsarray"])
def test_samples(dimension: str) -> None:
    _, limits, _ = guard(dimension, is_uav=False, more=1)
    assert limits[-1].op is ops.IMAGE_SAMPLES
    assert all(limit.op is ops.EXTRACT for limit in limits[:-1])


def test_outside_the_first_texel_is_loaded_and_not_used() -> None:
    """0 in red, green and blue; alpha is 1 where the view has none, if there is a view."""
    address, _, texel = guard("texture2d", is_uav=True, more=0, has_alpha=False)
    assert texel.op is ops.COMPOSE
    assert all(part.op is ops.SELECT for part in texel.args)
    loaded = texel.args[0].args[1].args[0]
    assert loaded.op is ops.LOAD_TEXEL
    for place, given in zip(loaded.args, address, strict=True):
        assert place.op is ops.SELECT
        assert place.args[1] is given
        assert (place.args[2].op, place.args[2].data) == (ops.CONST, 0)
    assert [part.args[2].data for part in texel.args[:3]] == [0, 0, 0]
    alpha = texel.args[3].args[2]
    assert alpha.op is ops.SELECT
    assert [arg.data for arg in alpha.args[1:]] == [1, 0]
    assert alpha.type is U32


def test_alpha_that_the_view_has_is_zero_outside() -> None:
    _, _, texel = guard("texture2d", is_uav=True, more=0, has_alpha=True)
    assert texel.args[3].args[2].data == 0


def _leaves(value: Value) -> set[Value]:
    """A value and all values that it is computed from."""
    found = {value}
    for arg in value.args:
        found |= _leaves(arg)
    return found
