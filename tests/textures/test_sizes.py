"""`resinfo`, `sampleinfo` and `samplepos`: every dimension and return type, mips past the end."""

from typing import Any

import numpy as np
import pytest

from translate import Options, load, to_spirv

from ..conftest import needs
from ..corpus.spirv_words import instructions
from ..listings import listing, store
from .shaders import SHAPES, Array, level_shape, shader

FLOAT = "(float,float,float,float)"
MIPS = 3
_QUERY_LEVELS = 106  # OpImageQueryLevels
TEXTURES = {
    "one": "1d",
    "ones": "1darray",
    "two": "2d",
    "twos": "2darray",
    "three": "3d",
    "cube": "cube",
    "cubes": "cubearray",
}
UAVS = {f"{name}_out": TEXTURES[name] for name in ("one", "ones", "two", "twos", "three")}


def sizes_of(dimension: str, mip: int) -> list[int]:
    """The results of GetDimensions without the number of mips: width first, layers last."""
    width, *others = level_shape(dimension, SHAPES[dimension], mip)[::-1]
    if dimension.startswith("cube"):
        others[1:] = [others[1] // 6] if dimension == "cubearray" else []
    return [width, *others]


def zeros(device: Any, dimension: str, mips: int) -> Any:
    return device.texture(SHAPES[dimension], "r32_float", dimension, mips)


def test_get_dimensions(device: Any) -> None:
    with needs(device, "image_cube_array"):
        kernel = device.kernel(shader("sizes"))
        mips = np.array([0, 1, 2, 3, 2**31, 2**32 - 1], np.uint32)
        bound = {name: zeros(device, dimension, MIPS) for name, dimension in TEXTURES.items()}
        bound |= {name: zeros(device, dimension, 1) for name, dimension in UAVS.items()}
        seen = np.full((len(mips), 12, 4), 9, np.uint32)
        result = kernel.dispatch(len(mips), mips=mips, sizes=seen, **bound).sizes
        for mip, row in zip(mips, result, strict=True):
            for n, dimension in enumerate(TEXTURES.values()):
                sizes = sizes_of(dimension, int(mip)) if mip < MIPS else []
                assert row[n].tolist() == [*[*sizes, 0, 0, 0][:3], MIPS], (dimension, mip)
            for n, dimension in enumerate(UAVS.values()):
                assert row[7 + n].tolist() == [*sizes_of(dimension, 0), 0, 0, 0][:4], dimension


def test_null_has_no_sizes(device: Any) -> None:
    with needs(device, "image_cube_array", "null_descriptor"):
        kernel = device.kernel(shader("sizes"))
        given = dict.fromkeys((*TEXTURES, *UAVS))
        seen = np.full((2, 12, 4), 9, np.uint32)
        mips = np.array([0, 1], np.uint32)
        assert not kernel.dispatch(2, mips=mips, sizes=seen, **given).sizes.any()


def test_sizes_of_the_first_mip_need_no_count_of_mips(device: Any) -> None:
    declared = [f"dcl_resource_texture2darray {FLOAT} t0", "dcl_uav_structured u0, 16"]
    query = f"resinfo_indexable(texture2darray){FLOAT}_uint r1.xyz, l(0), t0.xyzw"
    source = listing(["mov r1.w, l(5)", query, store("r1")], declared, group=(1, 1, 1))
    kernel, seen = device.kernel(source), np.full((1, 4), 9, np.uint32)
    assert kernel.dispatch(1, t0=zeros(device, "2darray", MIPS), u0=seen).u0.tolist() == [
        [*sizes_of("2darray", 0), 5]
    ]
    words = to_spirv(load(source), Options(guards="off")).words
    assert _QUERY_LEVELS not in {opcode for opcode, *_ in instructions(words)}
    with needs(device, "null_descriptor"):
        assert kernel.dispatch(1, t0=None, u0=seen).u0.tolist() == [[0, 0, 0, 5]]


def test_a_view_has_its_own_sizes(device: Any) -> None:
    texture = zeros(device, "2darray", MIPS)
    seen = resinfo(device, "_uint", texture.view(1, num_mips=2, first_slice=1), [0, 1, 2], "array")
    assert seen.view(np.uint32).tolist() == [[6, 3, 2, 2], [3, 1, 2, 2], [0, 0, 0, 2]]


def resinfo(device: Any, kind: str, texture: Any, mips: list[int], array: str = "") -> Array:
    lines = [
        "ld_structured r0.x, vThreadID.x, l(0), t1.xxxx",
        f"resinfo_indexable(texture2d{array}){FLOAT}{kind} r1.xyzw, r0.x, t0.xyzw",
        store("r1"),
    ]
    declared = [f"dcl_resource_texture2d{array} {FLOAT} t0", "dcl_resource_structured t1, 4"]
    declared.append("dcl_uav_structured u0, 16")
    kernel = device.kernel(listing(lines, declared, group=(1, 1, 1)))
    seen = np.full((len(mips), 4), 9, np.float32)
    return kernel.dispatch(len(mips), t0=texture, t1=np.array(mips, np.uint32), u0=seen).u0


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("", [[13, 7, 3, 3], [6, 3, 3, 3], [0, 0, 0, 3]]),
        ("_rcpfloat", [[1 / 13, 1 / 7, 3, 3], [1 / 6, 1 / 3, 3, 3], [np.inf, np.inf, 0, 3]]),
    ],
)
def test_float_returns(device: Any, kind: str, expected: list[list[float]]) -> None:
    """Only extents become reciprocals; layers and mips are plain numbers (FS §22.4.14)."""
    seen = resinfo(device, kind, zeros(device, "2darray", MIPS), [0, 1, 3], "array")
    np.testing.assert_allclose(seen, expected, rtol=1e-6)


# Sixteenths of a texel: D3D11_STANDARD_MULTISAMPLE_QUALITY_LEVELS.
POSITIONS = {
    1: [(0, 0)],
    2: [(4, 4), (-4, -4)],
    4: [(-2, -6), (6, -2), (-6, 2), (2, 6)],
    8: [(1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7)],
    16: [
        *((1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5)),
        *((-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8)),
    ],
}


def samples_of(device: Any, flat: Any, layers: Any) -> Any:
    """The sizes and the positions of the samples of a 2dms and a 2dmsarray."""
    sizes, positions = np.full((2, 4), 9, np.uint32), np.full((36, 2), 9, np.float32)
    given = {"flat": flat, "layers": layers, "sizes": sizes, "positions": positions}
    return device.kernel(shader("samples")).dispatch(1, **given)


def check_positions(result: Any, samples: int) -> None:
    expected = np.zeros((18, 2))
    expected[:samples] = np.array(POSITIONS[samples]) / 16
    np.testing.assert_array_equal(result.positions, np.concatenate([expected, expected]))


def test_samples(device: Any) -> None:
    flat = device.texture((5, 6, 4), "r8g8b8a8_unorm", samples=4)
    layers = device.texture((3, 5, 6, 4), "r32g32b32a32_float", "2dmsarray")
    result = samples_of(device, flat, layers)
    assert result.sizes.tolist() == [[6, 5, 0, 4], [6, 5, 3, 4]]
    check_positions(result, 4)


@pytest.mark.parametrize("samples", POSITIONS)
def test_positions(machine: Any, samples: int) -> None:
    """Few Vulkan devices have 2 or 16 samples."""
    flat = machine.texture((1, 1, samples), "r8_unorm", samples=samples)
    layers = machine.texture((1, 1, 1, samples), "r8_unorm", "2dmsarray")
    check_positions(samples_of(machine, flat, layers), samples)


def test_null_has_no_samples(device: Any) -> None:
    with needs(device, "null_descriptor"):
        result = samples_of(device, None, None)
        assert not result.sizes.any()
        assert not result.positions.any()


@pytest.mark.parametrize(("kind", "dtype"), [("", np.float32), ("_uint", np.uint32)])
def test_sampleinfo_returns(device: Any, kind: str, dtype: Any) -> None:
    declared = [f"dcl_resource_texture2dms(4) {FLOAT} t0", "dcl_uav_structured u0, 16"]
    lines = [f"sampleinfo{kind} r0.xyzw, t0.xyzw", store("r0")]
    source = listing(lines, declared, group=(1, 1, 1))
    texture = device.texture((2, 2, 4), "r32_float", samples=4)
    seen = device.kernel(source).dispatch(1, t0=texture, u0=np.full((1, 4), 9, dtype)).u0
    assert seen.tolist() == [[4, 0, 0, 0]]
