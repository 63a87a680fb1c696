"""Mapped buffers: arrays over the device's memory, and what becomes of them."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import vkrunner
from tests.running.conftest import discrete
from tests.running.shaders import ADD, SPIN, spun
from vkrunner import ArgumentError, Device, OutOfMemoryError
from vkrunner.values.arrays import Bytes
from vkrunner.vulkan.pool import DeviceMemory, Place
from vkrunner.vulkan.storage import Storage


def test_reading_and_writing(either: Device) -> None:
    kernel = either.kernel(ADD)
    buffer = either.buffer(np.arange(6, dtype=np.uint32).reshape(2, 3))
    with buffer.map() as view:
        assert view.shape == (2, 3)
        np.testing.assert_array_equal(view, [[0, 1, 2], [3, 4, 5]])
        view[1] = 10
    kernel.dispatch(6, u0=buffer, cb0=1)
    with buffer.map("r") as view:
        np.testing.assert_array_equal(view, [[1, 2, 3], [11, 11, 11]])
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 0
    with buffer.map("w") as view:
        view[:] = 7
    np.testing.assert_array_equal(buffer.read(), np.full((2, 3), 7))
    with pytest.raises(ArgumentError, match="mapped as 'r', 'w' or 'rw', not 'x'"), buffer.map("x"):
        pass


def test_it_is_the_memory_itself(device: Device) -> None:
    with vkrunner.open_device(device.info.index, staged=False) as own:
        buffer = own.buffer(np.zeros(4, np.uint32))
        with buffer.map() as view, buffer.map() as other:
            view[2] = 5
            assert other[2] == 5
            assert np.shares_memory(view, other)


def test_what_the_host_only_writes(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is copied on the way in; reading is left to the device."""
    with discrete(device.info.index) as own:
        kernel, buffer = own.kernel(ADD), own.buffer(np.zeros(4, np.uint32))
        copies: list[tuple[int, bool]] = []
        stage = Storage._stage

        def counted(storage: Storage, first: int, chunk: Bytes, *, to_device: bool) -> None:
            copies.append((chunk.nbytes, to_device))
            stage(storage, first, chunk, to_device=to_device)

        monkeypatch.setattr(Storage, "_stage", counted)
        with buffer.map("w") as view, buffer.map("w") as other:
            view[:] = [1, 2, 3, 4]
            assert np.shares_memory(view, other)
        kernel.dispatch(4, u0=buffer, cb0=10)
        assert copies == []
        np.testing.assert_array_equal(buffer.read(), [11, 12, 13, 14])
        with buffer.map("rw") as view:
            view += 1
        assert copies == [(16, False), (16, False)]
        np.testing.assert_array_equal(buffer.read(), [12, 13, 14, 15])


def test_no_memory_that_is_both() -> None:
    memory = DeviceMemory.__new__(DeviceMemory)
    for memory._kinds in ([0x1, 0xE], [0xE]):
        memory._heap_bytes = [1 << 30] * len(memory._kinds)
        assert not memory.is_written_in_place


def test_what_cannot_be_mapped_is_copied(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    with discrete(device.info.index) as own:
        allocate = DeviceMemory.allocate

        def unmapped(memory: DeviceMemory, requirements: Any, place: Place, stack: Any) -> Any:
            if place is Place.WRITTEN:
                raise OutOfMemoryError("vkAllocateMemory", -2)
            return allocate(memory, requirements, place, stack)

        monkeypatch.setattr(DeviceMemory, "allocate", unmapped)
        kernel, buffer = own.kernel(ADD), own.buffer(np.arange(4, dtype=np.uint32))
        assert buffer._memory.storage.slot.writable is None
        for _ in range(2):
            kernel.dispatch(4, u0=buffer, cb0=10)
            result = kernel.dispatch(4, u0=np.arange(4, dtype=np.uint32), cb0=5)
            np.testing.assert_array_equal(result.u0, [5, 6, 7, 8])
        with buffer.map("w") as view:
            view[:] = 3
        np.testing.assert_array_equal(buffer.read(), [3, 3, 3, 3])


@pytest.mark.parametrize("heaps", [(1 << 30, 256 << 20), (1 << 30, 1 << 30)])
def test_a_window_is_not_enough(heaps: tuple[int, int]) -> None:
    """Without resizable BAR the host maps a small heap; that is left to the driver."""
    local, both = 0x1, 0x7  # VkMemoryPropertyFlagBits
    memory = DeviceMemory.__new__(DeviceMemory)
    memory._kinds, memory._heap_bytes = [local, both, 0xE], [*heaps, 1 << 34]
    assert memory.is_written_in_place == (heaps[0] == heaps[1])


def test_structures_and_empty_buffers(either: Device) -> None:
    records = np.zeros(3, np.dtype([("position", "f4", (2,)), ("id", "u4")]))
    buffer, empty = either.buffer(records), either.buffer(0)
    with buffer.map() as view:
        view["id"] = [1, 2, 3]
    np.testing.assert_array_equal(buffer.read()["id"], [1, 2, 3])
    with empty.map() as view:
        assert view.shape == (0,)


def test_a_mapped_buffer_is_not_closed(either: Device) -> None:
    buffer = either.buffer(4)
    with buffer.map(), pytest.raises(ArgumentError, match="the buffer is mapped"):
        buffer.close()
    buffer.close()
    with pytest.raises(ArgumentError, match="the buffer is closed"), buffer.map():
        pass


@pytest.mark.parametrize("close", ["buffer", "device", "nothing"])
def test_a_view_that_is_kept(device: Device, close: str) -> None:
    """Its memory stays, whatever is closed, and goes with it."""
    own = vkrunner.open_device(device.info.index, staged=False)
    gone = weakref.ref(own._backend)
    buffer = own.buffer(np.arange(1 << 20, dtype=np.uint32))
    with buffer.map() as kept:
        pass
    if close != "nothing":
        {"buffer": buffer, "device": own}[close].close()
    del buffer
    if close != "device":
        other = own.buffer(np.full(1 << 20, 9, np.uint32))
        assert other.read()[0] == 9
        del other
    kept[1] = 7
    assert kept[:3].tolist() == [0, 7, 2]
    own.close()
    del own
    gc.collect()
    assert kept[:3].tolist() == [0, 7, 2]
    del kept
    gc.collect()
    assert gone() is None


def test_mapping_waits_for_work_in_flight(own: Device) -> None:
    kernel = own.kernel(SPIN)
    state = own.buffer(np.zeros(1, np.uint32))
    expected = spun(60000)
    futures = [kernel.dispatch_async(20, u0=state, cb0=60000) for _ in range(2)]
    with state.map("r") as view:
        assert view[0] == expected
    assert all(future.done() for future in futures)


def test_reading_into_an_array(either: Device) -> None:
    buffer = either.buffer(np.arange(8, dtype=np.uint32))
    out = np.zeros((2, 4), np.int32)
    assert buffer.read(out) is out
    assert out.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    frozen = np.zeros(8, np.uint32)
    frozen.flags.writeable = False
    wrong: list[Any] = [np.zeros(7, np.uint32), np.zeros((8, 2), np.uint32)[:, 0], frozen]
    for array in wrong:
        with pytest.raises(ArgumentError, match="out is a writable array in C order of 32 bytes"):
            buffer.read(array)
