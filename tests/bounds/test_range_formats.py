"""Ranges of typed resources (cs_5_1) whose registers show different formats."""

from typing import Any

import numpy as np
import pytest

import translate

from ..conftest import needs
from .test_ranges import PICKS, THREADS, dispatched, shader

MARKS = {"uniform": "", "divergent": " {nonuniform}"}
ONE = np.float32(1).view(np.uint32)
UINT, FLOAT = "(uint,uint,uint,uint)", "(float,float,float,float)"


def loading(dimension: str, returns: str, index: str) -> str:
    """A load outside of the register with that index."""
    return f"ld_indexable({dimension}){returns} r0.xyzw, l(9, 9, 9, 0), T0[{index}].xyzw"


def views(device: Any, dimension: str, formats: list[str | None]) -> list[Any]:
    """A buffer or texture for every format, null for None."""
    made: list[Any] = []
    for name in formats:
        if name is None:
            made.append(None)
        elif dimension == "buffer":
            made.append(device.buffer(np.ones(4, np.uint32)).view(format=name))
        else:
            made.append(device.texture((2, 2), name))
    return made


RANGES = {  # what each register shows, and the alpha of a load outside of it
    "uint buffers": (
        "buffer", UINT, ["r32_uint", "r32g32b32a32_uint", None, "r32g32_uint"], [1, 0, 0, 1],
    ),
    "float buffers": (
        "buffer", FLOAT, ["r8g8b8a8_unorm", "r16g16_float", "r32_float"], [0, ONE, ONE, 0],
    ),
    "textures": (
        "texture2d", FLOAT, ["r32g32b32a32_float", "r32_float", None], [0, ONE, 0, 0],
    ),
}  # fmt: skip


@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("name", RANGES)
def test_loads_outside_have_the_alpha_of_their_register(device: Any, name: str, pick: str) -> None:
    """1 where the register's format has no alpha (FS §19.1.3.3), 0 where nothing is bound."""
    dimension, returns, formats, alphas = RANGES[name]
    declared = f"dcl_resource_{dimension} {returns} T0[0:{len(formats) - 1}], space=0"
    line = loading(dimension, returns, "vThreadID.x + 0") + MARKS[pick]
    # Null buffers need no null descriptor
    features = ["null_descriptor"] if dimension != "buffer" and None in formats else []
    with needs(device, *features):
        bound = views(device, dimension, formats)
        result = dispatched(device, [declared], [line], pick, t0=bound)
        assert result.u9.tolist() == [[0, 0, 0, alpha] for alpha in alphas]


@pytest.mark.parametrize("dimension", ["buffer", "texture2d"])
def test_constant_indices(device: Any, dimension: str) -> None:
    bound = views(device, dimension, ["r32_uint", "r32g32b32a32_uint", "r32g32_uint"])
    declared = f"dcl_resource_{dimension} {UINT} T0[0:2], space=0"
    for at, alpha in enumerate([1, 0, 1]):
        result = dispatched(device, [declared], [loading(dimension, UINT, str(at))], t0=bound)
        assert result.u9.tolist() == [[0, 0, 0, alpha]] * THREADS


def test_long_ranges(device: Any) -> None:
    """Registers 0, 13, 26 and 39, of which the first and the last have no alpha."""
    formats: list[str | None] = ["r32g32b32a32_uint"] * 40
    formats[0] = formats[39] = "r32_uint"
    lines = ["imul null, r1.x, vThreadID.x, l(13)", loading("buffer", UINT, "r1.x + 0")]
    declared = f"dcl_resource_buffer {UINT} T0[0:39], space=0"
    bound = views(device, "buffer", formats)
    result = dispatched(device, [declared], lines, "uniform", t0=bound)
    assert result.u9[:, 3].tolist() == [1, 0, 0, 1]


STORES = {  # what is stored to every register, the formats, and what each then holds
    "uint": (
        "l(0x12345678, 3, 0xffff, 0x100)",
        {
            "r8g8b8a8_uint": [255, 3, 255, 255],
            "r32_uint": [0x12345678],
            "r16g16b16a16_uint": [0xFFFF, 3, 0xFFFF, 0x100],
        },
    ),
    "float": (
        "l(1.5, -0.25, nan, 0.2)",
        {
            "r8g8b8a8_unorm": [255, 0, 0, 51],
            "r8g8b8a8_snorm": [127, -32, 0, 25],
            "r32g32_float": [1.5, -0.25],
        },
    ),
}


@pytest.mark.parametrize("pick", PICKS)
@pytest.mark.parametrize("component", STORES)
def test_stores_convert_for_their_register(device: Any, component: str, pick: str) -> None:
    """Values are clamped and rounded, and NaN becomes 0, by the register's format (FS §3.2.3)."""
    value, expected = STORES[component]
    returns = {"uint": UINT, "float": FLOAT}[component]
    declared = f"dcl_uav_typed_texture2d {returns} U0[0:2], space=0"
    target = f"U0[vThreadID.x + 0].xyzw{MARKS[pick]}"
    line = f"store_uav_typed {target}, l(0, 0, 0, 0), {value.replace('nan', '0x7fc00000')}"
    with needs(device, "storage_image_write_without_format"):
        textures = [device.texture((1, 1), name) for name in expected]
        dispatched(device, [declared], [line], pick, u0=textures)
        for texture, wanted in zip(textures, expected.values(), strict=True):
            assert texture.read().reshape(-1).tolist() == wanted


def test_one_format_for_each_register() -> None:
    """The options have to fit the range; a list of equal formats is the same as one format."""
    declared = f"dcl_resource_buffer {UINT} T0[0:1], space=0"
    program = translate.load(shader([declared], [loading("buffer", UINT, "1")], "uniform"))

    def words(formats: Any) -> list[int]:
        options = translate.Options(formats={"t0": formats})
        return translate.to_spirv(program, options).words.tolist()

    assert words(["r32_uint", "r32_uint"]) == words("r32_uint")
    assert words(["r32_uint", "r32g32b32a32_uint"]) == words("r32g32b32a32_uint")
    with pytest.raises(translate.OptionError, match=r"t0.*2.*3"):
        words(["r32_uint"] * 3)
