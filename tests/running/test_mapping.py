"""Mapped buffers: arrays over the device's memory, and their lifetimes."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import OUT_OF_DEVICE_MEMORY, Driver
from checks.running.devices import discrete
from checks.running.shaders import ADD, SPIN, spun
from vkrunner import ArgumentError, Buffer, ClosedError, Device, InvalidValueError, ShapeError

Array = np.ndarray[Any, Any]


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
    with pytest.raises(InvalidValueError, match=r"'r', 'w'.*'rw'.*'x'"), buffer.map("x"):
        pass


def test_it_is_the_memory_itself(device: Device) -> None:
    with vkrunner.open_device(device.info.index, staged=False) as own:
        buffer = own.buffer(np.zeros(4, np.uint32))
        with buffer.map() as view, buffer.map() as other:
            view[2] = 5
            assert other[2] == 5
            assert np.shares_memory(view, other)


def test_memory_that_the_host_only_writes(device: Device, driver: Driver) -> None:
    """Writes are not copied; for reads the device copies."""
    with discrete(device.info.index) as own:
        kernel, buffer = own.kernel(ADD), own.buffer(np.zeros(4, np.uint32))
        before = driver.calls["vkCmdCopyBuffer"]
        with buffer.map("w") as view, buffer.map("w") as other:
            view[:] = [1, 2, 3, 4]
            assert np.shares_memory(view, other)
        kernel.dispatch(4, u0=buffer, cb0=10)
        assert driver.calls["vkCmdCopyBuffer"] == before
        np.testing.assert_array_equal(buffer.read(), [11, 12, 13, 14])
        with buffer.map("rw") as view:
            view += 1
        assert driver.calls["vkCmdCopyBuffer"] == before + 2
        np.testing.assert_array_equal(buffer.read(), [12, 13, 14, 15])


LOCAL, SEEN, CACHED = 0x1, 0x6, 0x8  # VkMemoryPropertyFlagBits; host visible and coherent
GIB = 1 << 30


@contextmanager
def memory_of(
    driver: Driver, device: Device, *types: tuple[int, int], failing: int | None = None
) -> Iterator[Device]:
    """A discrete GPU with memory types of these flags and sizes; one cannot be allocated."""

    seen: list[int] = []  # the device's own type of memory that the host sees

    def describe(function: Callable[..., None], physical: Any, properties: Any) -> None:
        function(physical, properties)
        flags = [kind.propertyFlags for kind in properties.memoryTypes]
        seen[:] = [next(n for n, found in enumerate(flags) if found & SEEN == SEEN)]
        properties.memoryTypeCount = properties.memoryHeapCount = len(types)
        for number, (flags, size) in enumerate(types):
            properties.memoryTypes[number].propertyFlags = flags
            properties.memoryTypes[number].heapIndex = number
            properties.memoryHeaps[number].size = size

    def require(function: Callable[..., None], *arguments: Any) -> None:
        function(*arguments)
        arguments[-1].memoryTypeBits = (1 << len(types)) - 1

    def allocate(function: Callable[..., int], handle: Any, info: Any, *rest: Any) -> int:
        if info.memoryTypeIndex == failing:
            return OUT_OF_DEVICE_MEMORY
        info.memoryTypeIndex = seen[0] if types[info.memoryTypeIndex][0] & SEEN else 0
        return function(handle, info, *rest)

    driver.replace("vkGetPhysicalDeviceMemoryProperties", describe)
    driver.replace("vkGetBufferMemoryRequirements", require)
    driver.replace("vkAllocateMemory", allocate)
    with discrete(device.info.index) as own:
        yield own


def is_written_in_place(own: Device) -> bool:
    """Whether two mapped views of a buffer have the same memory."""
    buffer = own.buffer(np.arange(4, dtype=np.uint32))
    with buffer.map("w") as view, buffer.map("w") as other:
        view[:], other[:] = 3, 3
        shared = np.shares_memory(view, other)
    np.testing.assert_array_equal(buffer.read(), [3, 3, 3, 3])
    kernel = own.kernel(ADD)
    for turn in range(2):
        kernel.dispatch(4, u0=buffer, cb0=10)
        result = kernel.dispatch(4, u0=np.arange(4, dtype=np.uint32), cb0=5)
        np.testing.assert_array_equal(result.u0, [5, 6, 7, 8])
        np.testing.assert_array_equal(buffer.read(), np.full(4, 10 * turn + 13))
    return shared


@pytest.mark.parametrize(
    ("types", "in_place"),
    [
        ([(LOCAL, GIB), (SEEN | CACHED, GIB)], False),
        ([(SEEN | CACHED, GIB)], False),
        ([(LOCAL, GIB), (LOCAL | SEEN, 256 << 20), (SEEN | CACHED, 16 * GIB)], False),
        ([(LOCAL, GIB), (LOCAL | SEEN, GIB), (SEEN | CACHED, 16 * GIB)], True),
    ],
)
def test_kinds_of_memory(
    device: Device, driver: Driver, types: list[tuple[int, int]], in_place: bool
) -> None:
    """A small host-visible heap, as without resizable BAR, is left to the driver."""
    with memory_of(driver, device, *types) as own:
        assert is_written_in_place(own) == in_place


def test_memory_that_cannot_be_mapped_is_copied(device: Device, driver: Driver) -> None:
    types = [(LOCAL, GIB), (LOCAL | SEEN, GIB), (SEEN | CACHED, 16 * GIB)]
    with memory_of(driver, device, *types, failing=1) as own:
        assert not is_written_in_place(own)


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
    with pytest.raises(ClosedError), buffer.map():
        pass


def mapped(buffer: Buffer) -> Array:
    with buffer.map() as view:
        return view


def asarray(buffer: Buffer) -> Array:
    return np.asarray(buffer.view(format="r32_uint"))


def from_dlpack(buffer: Buffer) -> Array:
    return np.from_dlpack(buffer)


@pytest.mark.slow(reason="a process for each view")
@pytest.mark.parametrize("take", [mapped, asarray, from_dlpack])
@pytest.mark.parametrize("close", ["buffer", "device", "nothing"])
def test_a_view_that_is_kept(
    device: Device, driver: Driver, close: str, take: Callable[[Buffer], Array]
) -> None:
    """Its memory lives as long as the view, whatever is closed."""
    own = vkrunner.open_device(device.info.index, staged=False)
    buffer = own.buffer(np.arange(1 << 20, dtype=np.uint32))
    kept = take(buffer)
    if close != "nothing":
        {"buffer": buffer, "device": own}[close].close()
    del buffer
    if close != "device":
        other = own.buffer(np.full(1 << 20, 9, np.uint32))
        assert other.read()[0] == 9
        del other
    expected = [0, 1, 2]
    if kept.flags.writeable:  # NumPy before 2.1 treats DLPack's memory as read-only
        kept[1] = expected[1] = 7
    assert kept[:3].tolist() == expected
    own.close()
    del own
    gc.collect()
    assert kept[:3].tolist() == expected
    assert driver.objects["Device"] == 1
    del kept
    gc.collect()
    assert driver.objects["Device"] == 0


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
    swapped = np.zeros(8, np.dtype(np.uint32).newbyteorder())
    wrong: list[Any] = [np.zeros(7, np.uint32), np.zeros((8, 2), np.uint32)[:, 0], frozen, swapped]
    for array in wrong:
        with pytest.raises(ShapeError, match=r"C.*32"):
            buffer.read(array)
