"""Sampling: addresses, filters, levels of detail, cubes, gathering. Source: FS §7.18, §22.4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from translate.reference import Sampler, Texture
from translate.reference.addressing import cube_place, texel_in_axis

from .listings import Array, execute, listing, words

POINT = Sampler("point", "point", "point")
LINEAR = Sampler()
RED = "(float,float,float,float)"


def texture(*levels: Array, dimension: str = "2d") -> Texture:
    """r32_float mips of arrays [slices, height, width]."""
    mips = tuple(
        np.ascontiguousarray(level, np.float32).view(np.uint8).reshape(*level.shape, 1, 4)
        for level in levels
    )
    return Texture(mips, "r32_float", dimension)


def sampled(
    instruction: str,
    image: Texture | None,
    sampler: Sampler | None,
    *,
    dimension: str = "2d",
    mode: str = "mode_default",
    returns: str = RED,
) -> list[float]:
    """r0 after an instruction on t0 and s0, as floats."""
    text = listing(
        [instruction, "store_structured u0.xyzw, l(0), l(0), r0.xyzw", "ret"],
        [f"dcl_resource_texture{dimension} {returns} t0", f"dcl_sampler s0, {mode}",
         "dcl_uav_structured u0, 16"],
        group=(1, 1, 1),
    )  # fmt: skip
    out = np.zeros(4, np.uint32)
    return words(execute(text, t0=image, s0=sampler, u0=out), dtype=np.float32).tolist()


def sample_l(
    at: Sequence[float], lod: float, image: Texture | None, sampler: Sampler | None, **more: Any
) -> float:
    place = "l({:f}, {:f}, {:f}, {:f})".format(*(*at, 0, 0, 0, 0)[:4])
    name = f"sample_l_indexable(texture{more.get('dimension', '2d')}){RED}"
    return sampled(f"{name} r0.xyzw, {place}, t0.xyzw, s0, l({lod:.6f})", image, sampler, **more)[0]


ROW = texture(np.array([[[10, 20, 30, 40]]]))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("wrap", [2, 3, 0, 1, 2, 3, 0, 1]),
        ("mirror", [1, 0, 0, 1, 2, 3, 3, 2]),
        ("clamp", [0, 0, 0, 1, 2, 3, 3, 3]),
        ("mirror_once", [1, 0, 0, 1, 2, 3, 3, 3]),
        ("border", [None, None, 0, 1, 2, 3, None, None]),
    ],
)
def test_address_modes(mode: str, expected: list[int | None]) -> None:
    places, inside = texel_in_axis(np.arange(-2, 6), 4, mode)
    found = [int(p) if here else None for p, here in zip(places, inside, strict=True)]
    assert found == expected


@pytest.mark.parametrize(("u", "expected"), [(0.124, 10), (0.251, 20), (0.999, 40), (-3.0, 10)])
def test_point_takes_the_texel_that_a_place_is_in(u: float, expected: float) -> None:
    assert sample_l((u, 0.5), 0, ROW, POINT) == expected


@pytest.mark.parametrize(
    ("u", "expected"), [(0.125, 10), (0.25, 15), (0.3125, 17.5), (0.0, 10), (0.9375, 40)]
)
def test_linear_weighs_the_two_nearest(u: float, expected: float) -> None:
    assert sample_l((u, 0.5), 0, ROW, LINEAR) == expected


def test_linear_in_two_and_three_dimensions() -> None:
    square = texture(np.array([[[0, 1], [2, 3]]]))
    assert sample_l((0.375, 0.625), 0, square, LINEAR) == 0.25 + 2 * 0.75
    cubic = texture(np.arange(8).reshape(2, 2, 2), dimension="3d")
    assert sample_l((0.5, 0.5, 0.5), 0, cubic, LINEAR, dimension="3d") == 3.5
    assert sample_l((0.75, 0.25, 0.5), 0, cubic, LINEAR, dimension="3d") == 3


def test_a_border_and_an_infinity_without_weight() -> None:
    border = Sampler(address=("border",) * 3, border=(8, 0, 0, 0))
    assert sample_l((0.0, 0.5), 0, texture(np.full((1, 1, 4), 2.0)), border) == 5
    edge = texture(np.array([[[1, np.inf, 3, 4]]]))
    assert sample_l((0.125, 0.5), 0, edge, LINEAR) == 1


MIPS = texture(np.full((1, 4, 4), 100.0), np.full((1, 2, 2), 200.0), np.full((1, 1, 1), 300.0))


@pytest.mark.parametrize(
    ("lod", "nearest", "between"),
    [(-3, 100, 100), (0.25, 100, 125), (0.75, 200, 175), (9, 300, 300)],
)
def test_mips(lod: float, nearest: float, between: float) -> None:
    assert sample_l((0.5, 0.5), lod, MIPS, POINT) == nearest
    assert sample_l((0.5, 0.5), lod, MIPS, LINEAR) == between


@pytest.mark.parametrize("texel", [np.inf, -0.0])
@pytest.mark.parametrize("lod", [0, 0.5])
def test_a_mean_of_equal_texels_is_their_value(texel: float, lod: float) -> None:
    """Of texels and of mips: the differences between infinities would be NaN."""
    mips = texture(np.full((1, 2, 2), texel), np.full((1, 1, 1), texel))
    found = sample_l((0.5, 0.5), lod, mips, LINEAR)
    assert (found, np.signbit(found)) == (texel, np.signbit(texel))


def test_bias_and_limits_of_the_level_of_detail() -> None:
    assert sample_l((0.5, 0.5), 0.25, MIPS, Sampler(lod_bias=0.5)) == 175
    assert sample_l((0.5, 0.5), 0.25, MIPS, Sampler(min_lod=1.5)) == 250
    assert sample_l((0.5, 0.5), 2, MIPS, Sampler(max_lod=0.5)) == 150


def test_magnification_and_minification_have_filters_of_their_own() -> None:
    levels = texture(np.array([[[10, 20, 30, 40]]]), np.array([[[50, 70]]]))
    sampler = Sampler(min_filter="point", mag_filter="linear", mip_filter="point")
    assert sample_l((0.25, 0.5), 0, levels, sampler) == 15
    assert sample_l((0.5, 0.5), 1, levels, sampler) == 70


def test_gradients_choose_the_mip_by_the_longer() -> None:
    """ddx is half a texel, ddy is two texels of the first mip: level 1."""
    name = f"sample_d_indexable(texture2d){RED}"
    gradients = "l(0.125, 0.0, 0, 0), l(0.0, -0.5, 0, 0)"
    found = sampled(f"{name} r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0, {gradients}", MIPS, LINEAR)
    assert found[0] == 200


@pytest.mark.parametrize(
    ("ddx", "mip"),
    [
        ("0xff800000, 0, 0x7f800000", 300),
        ("0x7f800000, 0, 0xff800000", 300),
        ("0, 0x7f800000, 0", 300),
        ("0x7fc00000, 0x7f800000, 0", 100),
    ],
)
def test_an_infinite_gradient_of_a_cube_chooses_the_last_mip(ddx: str, mip: float) -> None:
    """A gradient with a NaN has no length (FS §7.18.11); the other is shorter than a texel."""
    cube = Texture(tuple(np.repeat(level, 6, axis=0) for level in MIPS.mips), MIPS.format, "cube")
    name = f"sample_d_indexable(texturecube){RED}"
    line = f"{name} r0.xyzw, l(10,0.5,0,0), t0.xyzw, s0, l({ddx}, 0), l(0, 0, 0.25, 0)"
    assert sampled(line, cube, POINT, dimension="cube")[0] == mip


def test_layers_are_rounded_to_even_and_clamped() -> None:
    layers = texture(np.arange(4.0).reshape(4, 1, 1))
    found = [
        sample_l((0.5, 0.5, layer), 0, layers, POINT, dimension="2darray")
        for layer in (-5.0, 0.5, 1.5, 2.4, 99.0)
    ]
    assert found == [0, 0, 2, 2, 3]


def test_offsets_count_in_texels_before_the_address_mode() -> None:
    name = f"sample_l_aoffimmi_indexable(-1,0,0)(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.125,0.5,0,0), t0.xyzw, s0, l(0.0)"
    wrapping = Sampler("point", "point", "point", ("wrap",) * 3)
    assert sampled(line, ROW, wrapping)[0] == 40
    assert sampled(line, ROW, POINT)[0] == 10


SQUARE = texture(np.array([[[1, 2], [3, 4]]]))


def test_gathering_goes_round_from_the_lower_left() -> None:
    name = f"gather4_indexable(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0.x"
    assert sampled(line, SQUARE, POINT) == [3, 4, 2, 1]
    # A channel that the format lacks: green is 0, alpha 1.
    assert sampled(line.replace("s0.x", "s0.y"), SQUARE, POINT) == [0, 0, 0, 0]
    assert sampled(line.replace("s0.x", "s0.w"), SQUARE, POINT) == [1, 1, 1, 1]


def test_programmable_offsets_are_six_bits_and_signed() -> None:
    image = texture(np.arange(64.0).reshape(1, 1, 64).repeat(2, axis=1))
    name = f"gather4_po_indexable(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.5,0.5,0,0), l(0x7f,64,0,0), t0.xyzw, s0.x"
    assert sampled(line, image, POINT) == [30, 31, 31, 30]


@pytest.mark.parametrize(
    ("comparison", "expected"),
    [
        ("never", [0, 0, 0, 0]), ("less", [1, 1, 0, 0]), ("equal", [0, 0, 1, 0]),
        ("less_equal", [1, 1, 1, 0]), ("greater", [0, 0, 0, 1]), ("not_equal", [1, 1, 0, 1]),
        ("greater_equal", [0, 0, 1, 1]), ("always", [1, 1, 1, 1]),
    ],
)  # fmt: skip
def test_comparisons_have_the_reference_on_the_left(comparison: str, expected: list[float]) -> None:
    name = f"gather4_c_indexable(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0.x, l(2.0)"
    sampler = Sampler(comparison=comparison)
    assert sampled(line, SQUARE, sampler, mode="mode_comparison") == expected


def test_comparisons_come_before_the_filter() -> None:
    name = f"sample_c_lz_indexable(texture2d){RED}"
    line = f"{name} r0.x, l(0.375,0.5,0,0), t0.xxxx, s0, l(2.5)"
    image = texture(np.array([[[1.0, 4.0]]]))
    found = sampled(line, image, Sampler(comparison="less"), mode="mode_comparison")
    assert found[0] == 0.25


def test_nothing_bound_gives_zero_in_every_component() -> None:
    name = f"sample_l_indexable(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.5,0.5,0,0), t0.xyzw, s0, l(0.0)"
    assert sampled(line, None, None) == [0, 0, 0, 0]
    assert sampled(line, SQUARE, None) == [2.5, 0, 0, 1]  # the default sampler is linear


@pytest.mark.parametrize(
    ("direction", "face", "place"),
    [
        ((2, 1, -1), 0, (0.75, 0.25)),
        ((-2, 1, -1), 1, (0.25, 0.25)),
        ((1, 2, -1), 2, (0.75, 0.25)),
        ((1, -2, -1), 3, (0.75, 0.75)),
        ((1, 1, 2), 4, (0.75, 0.25)),
        ((1, 1, -2), 5, (0.25, 0.25)),
    ],
)
def test_cube_faces(direction: Sequence[float], face: int, place: Sequence[float]) -> None:
    """The table of faces: +x has u along -z and v along -y, and so on (FS §7.18.12)."""
    found, at = cube_place([np.array([float(axis)]) for axis in direction])
    assert (int(found[0]), [float(axis[0]) for axis in at]) == (face, list(place))


def test_cubes_are_filtered_across_edges_and_at_corners() -> None:
    """Each face is filled with one number. Two faces meet at an edge, three at a corner."""
    faces = texture(np.arange(6.0).reshape(6, 1, 1).repeat(4, 1).repeat(4, 2), dimension="cube")

    def at(*direction: float) -> float:
        return sample_l(direction, 0, faces, LINEAR, dimension="cube")

    assert at(1, 0, 0) == 0
    assert at(1, 1, 0) == pytest.approx(1.0)  # of +x (0) and +y (2)
    assert at(0, -1, -1) == pytest.approx(4.0)  # of -y (3) and -z (5)
    assert at(1, 1, 1) == pytest.approx(2.0)  # of +x (0), +y (2) and +z (4)


RESINFO = "resinfo_indexable(texture2d)(float,float,float,float)"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (f"{RESINFO}_uint r0.xyzw, l(1), t0.xyzw", [2, 2, 0, 3]),
        (f"{RESINFO}_uint r0.xyzw, l(2), t0.xyzw", [1, 1, 0, 3]),
        (f"{RESINFO}_uint r0.xyzw, l(3), t0.xyzw", [0, 0, 0, 3]),
        (f"{RESINFO} r0.xyzw, l(0), t0.wzyx", [3.0, 0.0, 4.0, 4.0]),
        (f"{RESINFO}_rcpfloat r0.xyzw, l(0), t0.xyzw", [0.25, 0.25, 0.0, 3.0]),
    ],
)
def test_sizes(line: str, expected: list[float]) -> None:
    found = np.array(sampled(line, MIPS, None), np.float32)
    bits = found.view(np.uint32) if "uint" in line else found
    assert bits.tolist() == expected


def test_sizes_of_arrays_of_cubes_count_cubes() -> None:
    cubes = texture(np.zeros((12, 4, 4)), dimension="cubearray")
    line = f"resinfo_indexable(texturecubearray){RED} r0.xyzw, l(0), t0.xyzw"
    assert sampled(line, cubes, None, dimension="cubearray") == [4, 4, 2, 1]


def test_sizes_of_nothing_are_zero_and_infinite() -> None:
    assert sampled(f"{RESINFO}_rcpfloat r0.xyzw, l(0), t0.xyzw", None, None) == [
        *(np.inf, np.inf, 0, 0)
    ]
