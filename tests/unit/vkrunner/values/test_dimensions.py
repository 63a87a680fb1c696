"""Dimensions: arrays' axes to sizes, sizes of mips back to axes, and errors."""

import pytest

from vkrunner.errors import ArgumentError, UnknownNameError
from vkrunner.values.texture_layout import (
    DIMENSIONS,
    ImageSize,
    Part,
    dimension_of_name,
    size_of_shape,
)

from ....complete import check_complete

CASES = [
    ("1d", (9,), ImageSize(1, 9)),
    ("1darray", (2, 9), ImageSize(1, 9, layers=2)),
    ("2d", (7, 9), ImageSize(2, 9, 7)),
    ("2darray", (2, 7, 9), ImageSize(2, 9, 7, layers=2)),
    ("2dms", (7, 9, 4), ImageSize(2, 9, 7, samples=4)),
    ("2dmsarray", (2, 7, 9, 4), ImageSize(2, 9, 7, layers=2, samples=4)),
    ("3d", (5, 7, 9), ImageSize(3, 9, 7, 5)),
    ("cube", (6, 8, 8), ImageSize(2, 8, 8, layers=6)),
    ("cubearray", (12, 8, 8), ImageSize(2, 8, 8, layers=12)),
]


def test_every_dimension_is_tested() -> None:
    place = "CASES of tests/unit/vkrunner/values/test_dimensions.py"
    check_complete([name for name, _, _ in CASES], DIMENSIONS, place)


@pytest.mark.parametrize(("name", "shape", "size"), CASES)
def test_shapes(name: str, shape: tuple[int, ...], size: ImageSize) -> None:
    dimension = dimension_of_name(name)
    assert size_of_shape(dimension, shape, 1) == size
    assert size.shape(dimension, 0, size.layers) == shape


def test_mips_are_halved_and_layers_are_not() -> None:
    size = size_of_shape(DIMENSIONS["2darray"], (3, 5, 13), 4)
    shapes = [size.shape(DIMENSIONS["2darray"], mip, 3) for mip in range(4)]
    assert shapes == [(3, 5, 13), (3, 2, 6), (3, 1, 3), (3, 1, 1)]
    volume = size_of_shape(DIMENSIONS["3d"], (5, 2, 8), 2)
    assert volume.extent(1) == (4, 1, 2)
    assert volume.part_extent(Part(1, 1, 0, 1), 1) == (4, 1, 2)
    assert size_of_shape(DIMENSIONS["3d"], (16, 2, 1), 5).extent(4) == (1, 1, 1)
    assert volume.part_extent(Part(0, 1, 0, 1, 2, 3), 0) == (8, 2, 3)


@pytest.mark.parametrize(
    ("other", "meet"),
    [
        *((Part(0, 1, 0, 1), False), (Part(1, 1, 0, 1), True), (Part(1, 1, 1, 1), False)),
        *((Part(0, 2, 0, 1), True), (Part(1, 1, 0, 1, 0, 2), False)),
        *((Part(1, 1, 0, 1, 0, 3), True), (Part(1, 1, 0, 1, 4, 1), True)),
        (Part(1, 1, 0, 1, 5, 1), False),
    ],
)
def test_parts_that_meet(other: Part, meet: bool) -> None:
    part = Part(1, 1, 0, 1, 2, 3)
    assert (part.meets(other), other.meets(part)) == (meet, meet)


def test_names_as_hlsl_and_listings_have_them() -> None:
    for name in ("2D", "texture2d", "Texture2D"):
        assert dimension_of_name(name) is DIMENSIONS["2d"]
    with pytest.raises(UnknownNameError, match=r"'4d'.*1d"):
        dimension_of_name("4d")


@pytest.mark.parametrize(
    ("name", "shape", "mips", "message"),
    [
        ("2d", (4,), 1, r"the shape of a 2d is \[height, width\], not \[4\]"),
        ("cube", (5, 4, 4), 1, "a cube has 6 layers, not 5"),
        ("cubearray", (9, 4, 4), 1, "a cubearray has a multiple of 6 layers, not 9"),
        ("2d", (4, 9), 5, r"a 2d of \[4, 9\] has 1 to 4 mips, not 5"),
        ("2d", (4, 9), 0, "has 1 to 4 mips, not 0"),
        ("2dms", (4, 9, 4), 2, "has 1 to 1 mips, not 2"),
    ],
)
def test_invalid_arrays(name: str, shape: tuple[int, ...], mips: int, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        size_of_shape(DIMENSIONS[name], shape, mips)
