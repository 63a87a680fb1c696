"""Buffers that stay on the device, and views of them."""

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from vkrunner import Device, errors
from vkrunner.vulkan.loader import vk

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module", params=[False, True], ids=["shared", "staged"])
def either(request: pytest.FixtureRequest, device: Device) -> Iterator[Device]:
    with vkrunner.open_device(device.info.index, staged=request.param) as opened:
        yield opened


@pytest.mark.parametrize("shape", [(2, 4), (8,), (2, 2, 2)])
def test_results_of_whole_buffers_have_their_shape(device: Device, shape: tuple[int, ...]) -> None:
    kernel = device.kernel(DATA / "saxpy.dxbc")
    x = np.arange(8, dtype=np.float32)
    y = device.buffer(x.reshape(shape))
    result = kernel.dispatch(1, x=x, y=y, Params={"a": 1, "count": 8})
    np.testing.assert_array_equal(result.y, (2 * x).reshape(shape), strict=True)
    np.testing.assert_array_equal(y.read(), result.y, strict=True)
    part = kernel.dispatch(1, x=x, y=y.view(num_elements=6), Params={"a": 0, "count": 6}).y
    np.testing.assert_array_equal(part, 2 * x[:6], strict=True)


def test_written_contents_are_read(either: Device) -> None:
    array = np.arange(12, dtype=np.int16).reshape(3, 4)
    buffer = either.buffer(array)
    np.testing.assert_array_equal(buffer.read(), array)
    assert buffer.read().dtype == np.int16
    assert buffer.nbytes == 24
    buffer.write(array[::-1])
    np.testing.assert_array_equal(buffer.read(), array[::-1])
    with pytest.raises(errors.ShapeError, match=r"24.*8"):
        buffer.write(np.zeros(2, np.int32))
    assert buffer.read_bytes(5, 3).tobytes() == array[::-1].tobytes()[5:8]
    with pytest.raises(errors.InvalidValueError, match="3 bytes from 22 on: the buffer has 24"):
        buffer.read_bytes(22, 3)


def test_a_buffer_of_a_size_is_zero(either: Device) -> None:
    assert either.buffer(5).read().tolist() == [0] * 5
    assert either.buffer(0).read().shape == (0,)
    with pytest.raises(errors.InvalidValueError, match=r"0.*-1"):
        either.buffer(-1)


def test_views_count_in_the_registers_elements(either: Device) -> None:
    kernel = either.kernel(DATA / "sizes.dxbc")
    buffer, cells, raw, texels = (either.buffer(np.zeros(240, np.uint32)) for _ in range(4))
    result = kernel.dispatch(
        1,
        cells=buffer.view(num_elements=7),
        bytes=buffer.view(num_elements=7),
        texels=buffer.view(num_elements=7, format="r16g16b16a16_float"),
        sizes=np.zeros(6, np.uint32),
        cells_out=cells.view(stride=12),
        bytes_out=raw.view(first_element=64),
        texels_out=texels.view(first_element=64, num_elements=0, format="r32_uint"),
    )
    assert result.sizes.tolist() == [7, 28, 7, 80, 960 - 256, 0]


def test_views_that_do_not_fit_their_register(either: Device) -> None:
    kernel = either.kernel(DATA / "typed.dxbc")
    buffer = either.buffer(np.zeros(16, np.uint32))
    sized, seen = either.buffer(64), np.zeros((1, 4), np.float32)
    for changes, message in (
        ({"t0": buffer}, "t0 .* is read as float, but r32_uint is uint"),
        ({"t0": sized}, "a typed buffer needs a format"),
        ({"t0": buffer.view(stride=4)}, "t0 .* is typed: its view has a format, not a stride"),
        ({"u1": buffer.view(format="r32_uint")}, "u1 .* is not typed: its view has no format"),
        ({"u1": buffer.view(stride=8)}, "u1 .* has a stride of 16, the view of 8"),
        ({"u1": either.buffer(20)}, "u1 .* has elements of 16 bytes, the buffer 20 bytes"),
    ):
        given: Any = {"t0": np.zeros(4, "f4"), "u0": np.zeros(4, "u4"), "u1": seen, **changes}
        with pytest.raises(errors.ArgumentError, match=message):
            kernel.dispatch(1, **given)


@pytest.mark.parametrize("first", [0, 1, 3, 4, 5, 63, 64, 65, 200])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_views_start_anywhere_and_may_be_empty(either: Device, first: int, count: int) -> None:
    """Views do not depend on the device's offset alignment; stores past the end are dropped."""
    kernel = either.kernel(DATA / "saxpy.dxbc")
    before = np.arange(300, dtype="f4")
    x, y = either.buffer(before), either.buffer(before)
    shown = slice(first, first + count)
    view = y.view(first_element=first, num_elements=count)
    kernel.dispatch(1, x=x.view(first_element=2), y=view, Params={"a": 1, "count": 64})
    expected = before.copy()
    expected[shown] += np.arange(2, 2 + count, dtype="f4")
    np.testing.assert_array_equal(y.read(), expected)
    np.testing.assert_array_equal(view.read(), expected[shown])


@pytest.mark.parametrize("first", range(6))
def test_texels_of_twelve_bytes_start_anywhere(either: Device, first: int) -> None:
    """Their size is no multiple of the alignment of descriptors, nor a part of it."""
    buffer = either.buffer(np.arange(30, dtype=np.float32))
    given = {"target": np.zeros(1, np.uint32), "seen": np.zeros((1, 4), np.float32)}
    source = buffer.view(first_element=first, num_elements=1, format="r32g32b32_float")
    try:
        result = either.kernel(DATA / "typed.dxbc").dispatch(1, source=source, **given)
    except errors.FeatureError as error:
        if "does not take r32g32b32_float as a uniform texel buffer" not in str(error):
            raise
        return
    assert result.seen.tolist() == [[3 * first, 3 * first + 1, 3 * first + 2, 1]]


def test_a_buffer_in_a_format_of_other_numbers(either: Device) -> None:
    """A buffer of bytes and a view are meant to be read so, a whole buffer of floats is not."""
    kernel = either.kernel(DATA / "typed.dxbc", formats={"source": "r8g8b8a8_unorm"})
    ones = np.full(4, 255, np.uint8)
    given = {"target": np.zeros(1, np.uint32), "seen": np.zeros((1, 4), np.float32)}
    floats = either.buffer(ones.view(np.float32))
    for meant in (ones, either.buffer(ones), floats.view(format="r8g8b8a8_unorm")):
        assert kernel.dispatch(1, source=meant, **given).seen.tolist() == [[1, 1, 1, 1]]
    advice = r"float32.*buffer\.view\(format='r8g8b8a8_unorm'\)"
    with pytest.raises(errors.WrongTypeError, match=advice):
        kernel.dispatch(1, source=floats, **given)


def test_formats_for_one_type_of_texel_buffer(device: Device, driver: Driver) -> None:
    """Their views are of VkBuffers for that type alone, which end with the views."""
    for_one = {
        vk.constant("VK_FORMAT_R8_UNORM"): vk.flags("VK_FORMAT_FEATURE", "UNIFORM_TEXEL_BUFFER"),
        vk.constant("VK_FORMAT_R8_UINT"): vk.flags("VK_FORMAT_FEATURE", "STORAGE_TEXEL_BUFFER"),
    }

    def describe(function: Any, physical: Any, number: int, properties: Any) -> None:
        function(physical, number, properties)
        properties.bufferFeatures = for_one.get(number, properties.bufferFeatures)

    driver.replace("vkGetPhysicalDeviceFormatProperties", describe)
    with vkrunner.open_device(device.info.index) as own:
        kernel, bytes_ = own.kernel(DATA / "typed.dxbc"), own.buffer(np.arange(12, dtype=np.uint8))
        seen = own.buffer(np.zeros((1, 4), np.float32))
        before = driver.objects["Buffer"]
        source, target = bytes_.view(3, 1, format="r8_unorm"), bytes_.view(7, 1, format="r8_uint")
        kernel.dispatch(1, source=source, target=target, seen=seen)
        np.testing.assert_allclose(seen.read(), [[3 / 255, 0, 0, 1]])
        assert bytes_.read().tolist() == [0, 1, 2, 3, 4, 5, 6, 8, 8, 9, 10, 11]
        assert driver.objects["Buffer"] == before + 2
        kernel.close()
        gc.collect()
        own.buffer(16)
        assert driver.objects["Buffer"] == before
    assert driver.objects["Buffer"] == 0


def test_buffers_and_kernels_end(either: Device) -> None:
    kernel = either.kernel(DATA / "saxpy.dxbc")
    with either.buffer(16) as buffer, kernel:
        pass
    buffer.close()
    kernel.close()
    with pytest.raises(errors.ClosedError):
        buffer.read()


@pytest.mark.parametrize("staged", [False, True])
def test_collected_buffers_are_destroyed(device: Device, driver: Driver, staged: bool) -> None:
    with vkrunner.open_device(device.info.index, staged=staged) as own:
        kept = own.buffer(16)
        before = driver.objects["Pipeline"]
        for _ in range(3):
            own.buffer(16)
            own.kernel(DATA / "saxpy.dxbc")
        gc.collect()
        assert own.buffer(kept.nbytes).read().nbytes == 16
        assert driver.objects["Pipeline"] == before


def test_a_closed_device_is_refused(device: Device) -> None:
    own = vkrunner.open_device(device.info.index)
    buffer, kernel = own.buffer(16), own.kernel(DATA / "saxpy.dxbc")
    texture = own.texture((2, 2), "r32_uint")
    own.close()
    own.close()
    params = {"a": 1, "count": 1}
    for message, use in (
        ("the device is closed", lambda: own.buffer(16)),
        ("the device is closed", lambda: own.kernel(DATA / "saxpy.dxbc")),
        ("make the buffer again on an open device", buffer.read),
        ("make the texture again on an open device", texture.read),
        ("make the kernel again", lambda: kernel.dispatch(1, x=None, y=None, Params=params)),
        ("make the kernel again", lambda: kernel.dispatch_async(1, x=None, y=None, Params=params)),
        ("make the buffer again", lambda: added(device, x=buffer, y=buffer, Params=params)),
    ):
        with pytest.raises(errors.ClosedError, match=message):
            use()


def added(device: Device, **given: Any) -> Any:
    return device.kernel(DATA / "saxpy.dxbc").dispatch(1, **given)


def test_a_buffer_of_another_device_is_refused(device: Device, either: Device) -> None:
    kernel = either.kernel(DATA / "saxpy.dxbc")
    with pytest.raises(errors.WrongDeviceError, match=r"u0 \(y\)"):
        kernel.dispatch(1, x=np.ones(1, "f4"), y=device.buffer(16), Params={"a": 1, "count": 1})
