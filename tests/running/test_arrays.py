"""Buffers, textures and views as NumPy arrays: their memory where it is shared, else a copy."""

from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.running.shaders import ADD, SPIN, spun
from tests.conftest import needs
from tests.running.conftest import devices
from vkrunner import ClosedError, Device

CPU = (1, 0)  # DLPack's kDLCPU
GPU = (2, 0)
IMAGE = np.arange(48, dtype=np.uint8).reshape(3, 4, 4)


sharing = devices("shared", "reference")  # their memory is the host's too
copying = devices("staged", "written")  # the host does not read their memory


def test_shared_memory_is_not_copied(sharing: Device) -> None:
    buffer = sharing.buffer(np.arange(6, dtype=np.uint32).reshape(2, 3))
    array = np.asarray(buffer)
    assert (array.dtype, array.shape) == (np.uint32, (2, 3))
    array[0] = 10
    sharing.kernel(ADD).dispatch(6, u0=buffer, cb0=1)
    np.testing.assert_array_equal(array, [[11, 11, 11], [4, 5, 6]])
    for other in (np.asarray(buffer, np.uint32), np.asarray(buffer.view()), np.from_dlpack(buffer)):
        assert np.shares_memory(array, other)
    copies = (np.array(buffer), np.asarray(buffer, np.int64), buffer.__array__(copy=True))
    for copy in copies:
        np.testing.assert_array_equal(copy, array)
        assert not np.shares_memory(array, copy)
    assert np.shares_memory(array, buffer.__array__(copy=False))
    with pytest.raises(ValueError, match="an array of float32 is a copy"):
        buffer.__array__(np.float32, copy=False)


def test_other_memory_is_read(copying: Device) -> None:
    """Writes to a copy would be lost: it is read-only, unless the caller asked for a copy."""
    buffer = copying.buffer(np.arange(6, dtype=np.uint32))
    copying.kernel(ADD).dispatch(6, u0=buffer, cb0=1)
    expected = np.arange(1, 7, dtype=np.uint32)
    for source in (buffer, buffer.view()):
        array = np.asarray(source)
        np.testing.assert_array_equal(array, expected)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
        copy = np.array(source)
        copy[0] = 9
        for kept in (array, np.asarray(source), np.from_dlpack(source)):
            np.testing.assert_array_equal(kept, expected)
        with pytest.raises(ValueError, match="the host does not share this memory"):
            source.__array__(copy=False)
        with pytest.raises(BufferError, match="the host does not share this memory"):
            source.__dlpack__(copy=False)


def test_arrays_of_numpy_and_dlpack(either: Device) -> None:
    buffer = either.buffer(np.arange(4, dtype=np.float32))
    assert np.asarray(buffer).dtype == np.float32
    assert np.asarray(buffer, dtype=np.int16).tolist() == [0, 1, 2, 3]
    assert np.add(buffer, buffer).tolist() == [0, 2, 4, 6]
    assert (np.ones(4, np.float32) + buffer).tolist() == [1, 2, 3, 4]
    assert np.asarray(either.buffer(np.float32(5))).shape == ()
    assert np.asarray(either.buffer(np.zeros((0, 3), np.int16))).shape == (0, 3)
    cells = np.array([(1, 2.5), (3, 4.5)], [("id", "u4"), ("weight", "f4")])
    np.testing.assert_array_equal(np.asarray(either.buffer(cells)), cells)
    with pytest.raises(BufferError):
        either.buffer(cells).__dlpack__()


def test_views_of_buffers(either: Device) -> None:
    values = np.arange(8, dtype=np.uint32)
    buffer = either.buffer(values)
    views: list[tuple[dict[str, Any], np.ndarray[Any, Any]]] = [
        ({"first_element": 2, "num_elements": 3}, values[2:5]),
        ({"first_element": 1, "num_elements": 2, "stride": 8}, values[2:6]),
        ({"first_element": 1, "format": "r32g32_uint"}, values[2:].reshape(3, 2)),
        ({"first_element": 3, "format": "r16_uint"}, values.view(np.uint16)[3:]),
        ({"first_element": 8, "num_elements": 0}, values[:0]),
    ]
    for arguments, expected in views:
        view = buffer.view(**arguments)
        for array in (np.asarray(view), np.from_dlpack(view), view.read()):
            np.testing.assert_array_equal(array, expected, strict=True)
        assert (view.dtype, view.shape) == (expected.dtype, expected.shape)
        assert len(view) == len(expected)
    wide = either.buffer(np.zeros(2, np.float64)).view(num_elements=3, stride=4)
    np.testing.assert_array_equal(np.asarray(wide), np.zeros(12, np.uint8), strict=True)


def test_textures(either: Device) -> None:
    small = np.full((1, 2, 4), 7, np.uint8)
    with either.texture(IMAGE, mips=[small]) as texture:
        for array in (np.asarray(texture), np.from_dlpack(texture), np.array(texture)):
            np.testing.assert_array_equal(array, IMAGE, strict=True)
        np.testing.assert_array_equal(np.asarray(texture.view(mip=1)), small, strict=True)
        seen = texture.view(format="r8g8b8a8_uint")
        np.testing.assert_array_equal(np.from_dlpack(seen), IMAGE, strict=True)
        assert (len(texture), len(seen), seen.dtype) == (3, 3, np.uint8)
        with pytest.raises(ValueError, match="copy=False"):
            texture.__array__(copy=False)
    blocks = np.arange(32, dtype=np.uint8).reshape(2, 2, 8)
    with needs(either, "texture_compression_bc"):
        compressed = either.texture(blocks, "bc1_unorm")
        np.testing.assert_array_equal(np.asarray(compressed), blocks, strict=True)
    packed = np.array([[1, 2]], np.uint32)
    texture = either.texture(packed, "r10g10b10a2_unorm")
    np.testing.assert_array_equal(np.asarray(texture), packed, strict=True)


def test_arguments_of_dlpack(either: Device) -> None:
    buffer = either.buffer(np.arange(3, dtype=np.int32))
    assert buffer.__dlpack_device__() == CPU
    for arguments in ({}, {"max_version": (1, 0)}, {"dl_device": CPU}, {"copy": True}):
        assert np.from_dlpack(Exported(buffer, arguments)).tolist() == [0, 1, 2]
    copy = np.from_dlpack(Exported(buffer, {"copy": True}))
    assert not np.shares_memory(copy, np.asarray(buffer))
    with pytest.raises(BufferError, match=r"exported to the CPU \(1, 0\), not to \(2, 0\)"):
        buffer.__dlpack__(dl_device=GPU)


class Exported:
    """An exporter as a library sees it that passes other arguments than NumPy."""

    def __init__(self, exporter: Any, arguments: dict[str, Any]):
        self.exporter = exporter
        self.arguments = arguments

    def __dlpack__(self, **_: Any) -> Any:
        return self.exporter.__dlpack__(**self.arguments)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.exporter.__dlpack_device__()


def test_lengths(either: Device) -> None:
    assert len(either.buffer(np.zeros((5, 2), np.float32))) == 5
    assert len(either.buffer(16)) == 16
    empty, scalar = either.buffer(0), either.buffer(np.float32(1))
    assert len(empty) == 0
    with pytest.raises(TypeError, match="no axes"):
        len(scalar)
    assert empty
    assert scalar


def test_work_in_flight_is_waited_for(either: Device) -> None:
    state = either.buffer(np.zeros(1, np.uint32))
    future = either.kernel(SPIN).dispatch_async(20, u0=state, cb0=300)
    assert np.asarray(state).tolist() == [spun(300)]
    assert future.done()


def test_closed(either: Device, device: Device) -> None:
    with vkrunner.open_device(device.info.index) as own:
        of_a_closed_device = own.buffer(4)
    buffer, texture = either.buffer(4), either.texture(IMAGE)
    views = (buffer.view(), texture.view())
    buffer.close()
    texture.close()
    for closed in (buffer, texture, *views, of_a_closed_device):
        with pytest.raises(ClosedError):
            np.asarray(closed)
        with pytest.raises(ClosedError):
            np.from_dlpack(closed)
