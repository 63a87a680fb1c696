"""Sampling: addresses, filters, levels of detail, cubes, gathering. Source: FS §7.18, §22.4."""

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
    instruction: str, image: Texture | None, sampler: Sampler | None, *, mode: str = "mode_default"
) -> list[float]:
    """r0 after an instruction on t0 and s0, as floats."""
    dimension = image.dimension if image else "2d"
    text = listing(
        [instruction, "store_structured u0.xyzw, l(0), l(0), r0.xyzw", "ret"],
        [f"dcl_resource_texture{dimension} {RED} t0", f"dcl_sampler s0, {mode}",
         "dcl_uav_structured u0, 16"],
        group=(1, 1, 1),
    )  # fmt: skip
    out = np.zeros(4, np.uint32)
    return words(execute(text, t0=image, s0=sampler, u0=out), dtype=np.float32).tolist()


def sample_l(at: Sequence[float], lod: float, image: Texture, sampler: Sampler) -> float:
    place = "l({:f}, {:f}, {:f}, {:f})".format(*(*at, 0, 0, 0, 0)[:4])
    name = f"sample_l_indexable(texture{image.dimension}){RED}"
    return sampled(f"{name} r0.xyzw, {place}, t0.xyzw, s0, l({lod:.6f})", image, sampler)[0]


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


BORDER = Sampler(address=("border",) * 3, border=(8, 0, 0, 0))
OWN_FILTERS = Sampler(min_filter="point", mag_filter="linear", mip_filter="point")
ROW = texture(np.array([[[10, 20, 30, 40]]]))
INFINITE = texture(np.array([[[1, np.inf, 3, 4]]]))
SQUARE = texture(np.array([[[1, 2], [3, 4]]]))
CUBIC = texture(np.arange(8).reshape(2, 2, 2), dimension="3d")
MIPS = texture(np.full((1, 4, 4), 100.0), np.full((1, 2, 2), 200.0), np.full((1, 1, 1), 300.0))
LEVELS = texture(np.array([[[10, 20, 30, 40]]]), np.array([[[50, 70]]]))
LAYERS = texture(np.arange(4.0).reshape(4, 1, 1), dimension="2darray")
# Each face is filled with one number. Two faces meet at an edge, three at a corner.
FACES = texture(np.arange(6.0).reshape(6, 1, 1).repeat(4, 1).repeat(4, 2), dimension="cube")
CENTRE = (0.5, 0.5)

# Texture, sampler, then results by place and level of detail
SAMPLES: list[tuple[Texture, Sampler, dict[Any, Any]]] = [
    # A point filter takes the texel that a place is in, a linear one weighs the two nearest.
    (ROW, POINT, {((u, 0.5), 0): x for u, x in ((0.124, 10), (0.251, 20), (0.999, 40), (-3, 10))}),
    (ROW, LINEAR, {((u, 0.5), 0): x for u, x in ((0.125, 10), (0.25, 15), (0.3125, 17.5),
                                                 (0, 10), (0.9375, 40))}),
    (SQUARE, LINEAR, {((0.375, 0.625), 0): 1 + 0.25 + 2 * 0.75}),
    (CUBIC, LINEAR, {((0.5, 0.5, 0.5), 0): 3.5, ((0.75, 0.25, 0.5), 0): 3}),
    (texture(np.full((1, 1, 4), 2.0)), BORDER, {((0, 0.5), 0): 5}),
    (INFINITE, LINEAR, {((0.125, 0.5), 0): 1}),  # an infinity without weight
    (MIPS, POINT, {(CENTRE, -3): 100, (CENTRE, 0.25): 100, (CENTRE, 0.75): 200, (CENTRE, 9): 300}),
    (MIPS, LINEAR, {(CENTRE, -3): 100, (CENTRE, 0.25): 125, (CENTRE, 0.75): 175, (CENTRE, 9): 300}),
    (MIPS, Sampler(lod_bias=0.5), {(CENTRE, 0.25): 175}),
    (MIPS, Sampler(min_lod=1.5), {(CENTRE, 0.25): 250}),
    (MIPS, Sampler(max_lod=0.5), {(CENTRE, 2): 150}),
    # Magnification and minification have filters of their own.
    (LEVELS, OWN_FILTERS, {((0.25, 0.5), 0): 15, (CENTRE, 1): 70}),
    # Layers are rounded to even, and clamped.
    (LAYERS, POINT, {((0.5, 0.5, layer), 0): x
                     for layer, x in ((-5, 0), (0.5, 0), (1.5, 2), (2.4, 2), (99, 3))}),
    (FACES, LINEAR, {((1, 0, 0), 0): 0, ((1, 1, 0), 0): (0 + 2) / 2, ((0, -1, -1), 0): (3 + 5) / 2,
                     ((1, 1, 1), 0): pytest.approx((0 + 2 + 4) / 3)}),
]  # fmt: skip


@pytest.mark.parametrize(("image", "sampler", "results"), SAMPLES)
def test_samples(image: Texture, sampler: Sampler, results: dict[Any, Any]) -> None:
    found = {(place, lod): sample_l(place, lod, image, sampler) for place, lod in results}
    assert found == results


@pytest.mark.parametrize("texel", [np.inf, -0.0])
@pytest.mark.parametrize("lod", [0, 0.5])
def test_a_mean_of_equal_texels_is_their_value(texel: float, lod: float) -> None:
    """Of texels and of mips: the differences between infinities would be NaN."""
    mips = texture(np.full((1, 2, 2), texel), np.full((1, 1, 1), texel))
    found = sample_l((0.5, 0.5), lod, mips, LINEAR)
    assert (found, np.signbit(found)) == (texel, np.signbit(texel))


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
    line = f"{name} r0.xyzw, l(10.0,0.5,0,0), t0.xyzw, s0, l({ddx}, 0), l(0, 0, 0.25, 0)"
    assert sampled(line, cube, POINT)[0] == mip


def test_offsets_count_in_texels_before_the_address_mode() -> None:
    name = f"sample_l_aoffimmi_indexable(-1,0,0)(texture2d){RED}"
    line = f"{name} r0.xyzw, l(0.125,0.5,0,0), t0.xyzw, s0, l(0.0)"
    wrapping = Sampler("point", "point", "point", ("wrap",) * 3)
    assert sampled(line, ROW, wrapping)[0] == 40
    assert sampled(line, ROW, POINT)[0] == 10


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
    assert sampled(line, cubes, None) == [4, 4, 2, 1]


def test_a_uav_has_the_first_of_several_mips() -> None:
    text = listing(
        [f"{RESINFO} r0.xyzw, l(0), u1.xyzw", "store_structured u0.xyzw, l(0), l(0), r0.xyzw"],
        [f"dcl_uav_typed_texture2d {RED} u1", "dcl_uav_structured u0, 16"],
        group=(1, 1, 1),
    )
    stored = words(execute(text, u0=np.zeros(4, np.uint32), u1=MIPS), dtype=np.float32)
    assert stored.tolist() == [4, 4, 0, 1]  # FS §22.4.14


def test_sizes_of_nothing_are_zero_and_infinite() -> None:
    assert sampled(f"{RESINFO}_rcpfloat r0.xyzw, l(0), t0.xyzw", None, None) == [
        *(np.inf, np.inf, 0, 0)
    ]
