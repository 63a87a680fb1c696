"""Integers of the other sign: r32_sint views of uint declarations, and the other way round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import translate
import vkrunner

from ..errors.command import sm5vk
from ..rows.listing import listing

Array = np.ndarray[Any, Any]

TYPES = {"uint": np.uint32, "sint": np.int32}
NUMBERS = [[-1, 5], [-(2**31), 2**31 - 1]]


def doubling(component: str, dimension: str) -> str:
    """Doubles four texels of t0 into u0."""
    texel = f"({','.join([component] * 4)})"
    kind, at = ("buffer", "xxxx") if dimension == "buffer" else ("texture2d", "xyyy")
    address = ["mov r0.xy, vThreadID.xyxx", "mov r0.zw, l(0, 0, 0, 0)"]
    if dimension == "buffer":
        address = ["imad r0.x, vThreadID.y, l(2), vThreadID.x", "mov r0.yzw, r0.xxxx"]
    lines = [*address, "ld r1.xyzw, r0.xyzw, t0.xyzw", "iadd r1.xyzw, r1.xyzw, r1.xyzw"]
    lines.append(f"store_uav_typed u0.xyzw, r0.{at}, r1.xyzw")
    declared = [f"dcl_resource_{kind} {texel} t0", f"dcl_uav_typed_{kind} {texel} u0"]
    return listing(lines, declared, group=(2, 2, 1))


def numbers(dtype: Any, dimension: str) -> Array:
    made = np.array(NUMBERS, np.int64).astype(dtype)
    return made.reshape(-1) if dimension == "buffer" else made


@pytest.mark.parametrize("dimension", ["buffer", "2d"])
@pytest.mark.parametrize("component", TYPES)
@pytest.mark.parametrize("read", TYPES)
@pytest.mark.parametrize("written", TYPES)
def test_arrays_and_resources(
    device: Any, component: str, dimension: str, read: str, written: str
) -> None:
    kernel = device.kernel(doubling(component, dimension))
    source = numbers(TYPES[read], dimension)
    target = np.zeros_like(source, TYPES[written])
    expected = (source + source).view(TYPES[written])
    found = kernel.dispatch(1, t0=source, u0=target).u0
    assert found.dtype == target.dtype
    np.testing.assert_array_equal(found, expected)
    if dimension == "buffer":
        t0, u0 = (device.buffer(array) for array in (source, target))
        kernel.dispatch(1, t0=t0.view(format=f"r32_{read}"), u0=u0.view(format=f"r32_{written}"))
    else:
        t0, u0 = device.texture(source), device.texture(target)
        assert u0.format == f"r32_{written}"
        kernel.dispatch(1, t0=t0, u0=u0)
    np.testing.assert_array_equal(u0.read(), expected)


def test_a_range_of_both_signs(device: Any) -> None:
    kernel = device.kernel(
        "cs_5_1\ndcl_globalFlags refactoringAllowed\n"
        "dcl_resource_buffer (uint,uint,uint,uint) T0[0:1], space=0\n"
        "dcl_uav_typed_buffer (uint,uint,uint,uint) U0[0:0], space=0\n"
        "dcl_temps 2\ndcl_thread_group 1, 1, 1\n"
        "ld r0.xyzw, l(0,0,0,0), T0[0].xyzw\nld r1.xyzw, l(0,0,0,0), T0[1].xyzw\n"
        "iadd r0.xyzw, r0.xyzw, r1.xyzw\n"
        "store_uav_typed U0[0].xyzw, l(0,0,0,0), r0.xyzw\nret\n"
    )
    arrays = [np.array([-3], np.int32), np.array([10], np.uint32)]
    assert kernel.dispatch(1, t0=arrays, u0=np.zeros(1, np.uint32)).u0.tolist() == [7]


@pytest.mark.parametrize("dtype", [np.int16, np.int8])
def test_narrower_integers_are_refused(device: Any, dtype: Any) -> None:
    """A uint of an r8_sint texel would have 8 or 32 bits: drivers differ."""
    kernel = device.kernel(doubling("uint", "buffer"))
    with pytest.raises(vkrunner.FormatError, match=r"t0.*r"):
        kernel.dispatch(1, t0=np.zeros(4, dtype), u0=np.zeros(4, np.uint32))
    with pytest.raises(vkrunner.FormatError, match=r"u0.*r"):
        kernel.dispatch(1, t0=np.zeros(4, np.uint32), u0=np.zeros(4, dtype))


def test_formats_of_options(device: Any) -> None:
    """The module and its interface have the format to bind: that of the shader's sign."""
    source = doubling("uint", "2d")
    options = translate.Options(formats={"u0": "r32_sint", "t0": "r32_sint"})
    interface = translate.to_spirv(translate.load(source), options).interface
    assert (interface["u0"].format, interface["u0"].vk_format) == ("r32_uint", "VK_FORMAT_R32_UINT")
    with pytest.raises(translate.OptionError, match="r16_sint"):
        translate.to_spirv(translate.load(source), translate.Options(formats={"u0": "r16_sint"}))
    kernel = device.kernel(source, formats={"u0": "r32_sint"})
    found = kernel.dispatch(1, t0=numbers(np.int32, "2d"), u0=np.zeros((2, 2), np.int32)).u0
    assert found.tolist() == [[-2, 10], [0, -2]]


def test_command_line(tmp_path: Path) -> None:
    (tmp_path / "twice.asm").write_text(doubling("uint", "2d"))
    np.save(tmp_path / "image.npy", numbers(np.int32, "2d"))
    words = "run twice.asm --groups 1 --t0 image.npy --u0 zeros:2x2:r32_sint --save u0=out.npy"
    done = sm5vk(words, tmp_path)
    assert done.returncode == 0, done.stderr
    found = np.load(tmp_path / "out.npy")
    assert found.dtype == np.int32
    assert found.tolist() == [[-2, 10], [0, -2]]
