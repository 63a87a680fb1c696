"""Ranges of `cs_5_1` whose registers show these formats, or nothing."""

from typing import Any

import numpy as np
import pytest

import translate

from ..listings import listing

FLOAT = "(float,float,float,float)"
BUFFERS = listing(
    ["ld r0.xyzw, vThreadID.xxxx, T0[0].xyzw", "ld r1.xyzw, vThreadID.xxxx, T0[1].xyzw",
     "store_structured U0[0].xyzw, vThreadID.x, l(0), r0.xyzw",
     "store_structured U0[0].xyzw, vThreadID.x, l(16), r1.xyzw"],
    [f"dcl_resource_buffer {FLOAT} T0[0:1], space=0", "dcl_uav_structured U0[0:0], 32, space=0"],
    group=(4, 1, 1), profile="cs_5_1",
)  # fmt: skip
UAVS = listing(
    [f"store_uav_typed U0[{n}].xyzw, l(0, 0, 0, 0), l(0.2, 0.4, 0.6, 0.8)" for n in (0, 1)],
    [f"dcl_uav_typed_texture2d {FLOAT} U0[0:1], space=0"],
    group=(1, 1, 1), profile="cs_5_1",
)  # fmt: skip
COMPARED = listing(
    [*(f"sample_c_lz r0.{'xy'[n]}, l(0.5, 0.5, 0.0, 0.0), T0[{n}].xxxx, S0[0], l(0.5)"
       for n in (0, 1)), "store_raw U0[0].xy, l(0), r0.xyxx"],
    ["dcl_sampler S0[0:0], mode_comparison, space=0",
     f"dcl_resource_texture2d {FLOAT} T0[0:1], space=0", "dcl_uav_raw U0[0:0], space=0"],
    group=(1, 1, 1), profile="cs_5_1",
)  # fmt: skip


def test_an_unused_alpha_beside_a_null_view(device: Any) -> None:
    """Alpha is 1 in each texel and outside of the view, 0 for a null view."""
    texels = device.buffer(np.full(3, 0x80402010, np.uint32))
    given = {"t0": [texels.view(format="b8g8r8x8_unorm"), None]}
    found = device.kernel(BUFFERS).dispatch(1, **given, u0=np.full((4, 8), 7, "f4")).u0
    texel = (0x40 / 255, 0x20 / 255, 0x10 / 255, 1)
    np.testing.assert_allclose(found[:3, :4], [texel] * 3, rtol=0, atol=2e-7)
    np.testing.assert_array_equal(found[3, :4], (0, 0, 0, 1))
    assert not found[:, 4:].any()


def test_alphas_of_a_range(device: Any) -> None:
    targets = [device.texture((1, 1), "a8_unorm") for _ in range(2)]
    device.kernel(UAVS).dispatch(1, u0=targets)
    assert [target.read().tolist() for target in targets] == [[[204]], [[204]]]


@pytest.mark.parametrize(
    ("listing", "register", "formats"),
    [
        (BUFFERS, "t0", ("b8g8r8a8_unorm", "b8g8r8x8_unorm")),
        (BUFFERS, "t0", ("r8_unorm", "b5g6r5_unorm")),
        (UAVS, "u0", ("a8_unorm", "r8_unorm")),
        (COMPARED, "t0", ("d32_float", "r24_unorm_x8_typeless")),
    ],
)
def test_formats_that_share_no_range(listing: str, register: str, formats: tuple[str, ...]) -> None:
    """Accesses are translated for one of the formats."""
    program = translate.load(listing)
    for chosen in (formats[0], formats[1], (formats[1], formats[1])):
        translate.to_spirv(program, translate.Options(formats={register: chosen}))
    message = f"{register} is a range of {formats[0]}, {formats[1]}: if a register of a range"
    with pytest.raises(translate.UnsupportedError, match=message):
        translate.to_spirv(program, translate.Options(formats={register: formats}))
