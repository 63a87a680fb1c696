"""Values that no buffer, texture, view or sampler accepts raise this project's own errors."""

from typing import Any

import numpy as np
import pytest

from vkrunner import ArgumentError, Device, LimitError

SQUARE = np.zeros((4, 4), np.float32)
VALUES = np.zeros(8, np.float32)
ALPHA = "the array's 3: add a fourth component, alpha, for instance by numpy.asarray"
STACK = (
    r"the array's 1: the array has one number for each texel; name a format with one component, or"
    r" give it 4: numpy.stack\(\[array\] \* 4, axis=-1\)"
)


def view(device: Any, *range: int, **arguments: Any) -> Any:
    return device.buffer(VALUES).view(*range, **arguments)


def image_view(device: Any, **arguments: Any) -> Any:
    return device.texture((3, 4, 6), "r32_uint", "2darray", mips=2).view(**arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda device: view(device, first_element=1.0), "first_element is a whole .*, not 1.0"),
        (lambda device: view(device, first_element=True), "first_element is a whole .*, not True"),
        (lambda device: view(device, num_elements="a"), "num_elements is a whole number, not 'a'"),
        (lambda device: view(device, stride=2.5), "stride is a whole number, not 2.5"),
        (lambda device: view(device, format=3), "'?3'? is not a format"),
        (lambda device: view(device, format="r33_uint"), "did you mean r32_uint"),
        (lambda device: view(device, stride=4, format="r32_uint"), "stride or a format, not both"),
        (lambda device: view(device, stride=6), "positive multiple of 4, not 6"),
        (lambda device: view(device, first_element=-1), "cannot be negative"),
        (lambda device: view(device, 6, 3, stride=4), "leaves the buffer, which has 8"),
        (lambda device: view(device, 0, 9, format="r32_uint"), "a view of 9 elements from 0 on"),
        (lambda device: view(device, 9, stride=4), "a view of 0 elements from 9 on leaves"),
        (lambda device: image_view(device, mip=0.0), "mip is a whole number, not 0.0"),
        (lambda device: image_view(device, num_mips="1"), "num_mips is a whole number, not '1'"),
        (lambda device: image_view(device, first_slice="a"), "first_slice is a whole .*, not 'a'"),
        (lambda device: image_view(device, num_slices=1.0), "num_slices is a whole .*, not 1.0"),
        (lambda device: image_view(device, dimension=2), "2 is not a dimension"),
        (lambda device: image_view(device, mip=2), "1 mips from 2 on: the texture has 2"),
        (lambda device: image_view(device, mip=1, num_mips=2), "2 mips from 1 on"),
        (lambda device: image_view(device, mip=-1), "1 mips from -1 on"),
        (lambda device: image_view(device, first_slice=3), "0 slices from 3 on: the texture has 3"),
        (lambda device: image_view(device, first_slice=1, num_slices=3), "3 slices from 1 on"),
        (lambda device: image_view(device, dimension="3d"), "a 2darray .* cannot be seen as a 3d"),
        (lambda device: image_view(device, dimension="2d", num_slices=2), "one layer, not 2"),
        (lambda device: image_view(device, dimension="cube"), "a cube needs six square layers"),
        (lambda device: image_view(device, dimension="2dms", mip=1), "shows the first mip, and no"),
        (lambda device: device.texture(VALUES), r"a 2d texture takes \[height, width\] or"),
        (lambda device: device.texture(np.zeros((4,) * 4, "f4")), r"takes \[height, width\] or"),
        (lambda device: device.texture(np.zeros((4, 4, 5), "f4")), r"components.*\[4, 4, 5\]"),
        (lambda device: device.texture(SQUARE.view("u4"), "r8_unorm"), "1 bytes, the array's 4"),
        (lambda device: device.texture(SQUARE, "r8_unorm"), r"float\) \* 255\)\.round"),
        (lambda device: device.texture(np.zeros((4, 4, 3), "u1"), "r8g8b8a8_unorm"), ALPHA),
        (lambda device: device.texture(np.zeros((4, 4), "u1"), "r8g8b8a8_unorm"), STACK),
        (lambda device: device.texture((4, 4)), "made from a shape needs a format"),
        (lambda device: device.texture((4, -4), "r8_unorm"), "no lengths below 0"),
        (lambda device: device.texture((4, 0), "r8_unorm"), r"a texture has texels, not \[4, 0\]"),
        (lambda device: device.texture((4, 4), "r8"), "'r8' is not a format"),
        (lambda device: device.texture((4, 4), "r8_unorm", "5d"), "'5d' is not a dimension"),
        (lambda device: device.texture("image.png", "r8_unorm"), "a NumPy array or bytes, not"),
        (lambda device: device.texture(SQUARE).read("a"), "'a'"),
        (lambda device: device.buffer(True), "a buffer's size is a whole number, not True"),
        (lambda device: device.buffer(VALUES, counter=True), "a counter is a number from 0"),
        (lambda device: device.texture((4, 4.5), "r32_float"), "a length of a shape is a whole"),
        (lambda device: device.texture(SQUARE, mips="ab"), "mips is a whole number or a list"),
        (lambda device: device.texture(SQUARE, mips=1.5), "mips is a whole number or a list"),
        (lambda device: device.texture(SQUARE, format=7), "7 is not a format"),
        (lambda device: device.texture(SQUARE, dimension=2), "2 is not a dimension"),
        (lambda device: device.sampler(filter=3), "filter is one name or three, not 3"),
        (lambda device: device.sampler(filter=(1, 2, 3)), "no filter 1"),
        (lambda device: device.sampler("cubic"), "no filter 'cubic'; there are point, linear"),
        (lambda device: device.sampler(("point", "linear")), "filter is one name or three"),
        (lambda device: device.sampler(address="repeat"), "no address 'repeat'; there are wrap"),
        (lambda device: device.sampler(comparison="lower"), "no comparison 'lower'"),
        (lambda device: device.sampler(border=(0, 0, 0)), "a border has one number or four"),
        (lambda device: device.sampler(min_lod=2, max_lod=1), "min_lod 2 is above max_lod 1"),
        (lambda device: device.sampler("linear", 5), "address is one name or three, not 5"),
        (lambda device: device.sampler(comparison=[]), r"no comparison \[\]"),
        (lambda device: device.sampler(border=(0, 0, 0, "a")), "border is a number, not 'a'"),
        (lambda device: device.sampler(border=None), "a border has one number or four, not None"),
        (lambda device: device.sampler(lod_bias="a"), "lod_bias is a number, not 'a'"),
        (lambda device: device.sampler(max_lod=None), "max_lod is a number, not None"),
    ],
)
def test_values_that_are_refused(either: Device, make: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        make(either)


@pytest.mark.parametrize("exponent", [40, 62, 63, 64, 200])
def test_buffers_that_no_memory_holds(either: Device, exponent: int) -> None:
    with pytest.raises(LimitError, match=f"a buffer of {2**exponent} bytes"):
        either.buffer(2**exponent)


def test_textures_that_no_memory_holds(either: Device) -> None:
    """Also on a system that overcommits memory."""
    with pytest.raises(LimitError, match=f"a texture of {2**42} bytes: the host lacks the memory"):
        either.texture((2**20, 2**20), "r32_float")


def test_numbers_of_numpy_are_taken(either: Device) -> None:
    buffer = either.buffer(VALUES).view(first_element=np.int64(2), stride=np.uint8(4))
    assert buffer.read().size == 6
    texture = either.texture((np.int32(4), 4), "r32_float", mips=np.int64(3))
    assert texture.view(mip=np.uint8(2)).shape == (1, 1)
    assert either.sampler(border=np.float32(0), max_lod=np.int32(3)).state.max_lod == 3.0
