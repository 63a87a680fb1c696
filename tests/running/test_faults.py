"""Device failures: no memory, a lost device, errors in the middle of a call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import DEVICE_LOST, NOT_READY, OUT_OF_DEVICE_MEMORY, Driver
from checks.running.shaders import ADD, NEXT
from vkrunner import Device, DeviceLostError, OutOfMemoryError
from vkrunner.vulkan.device.pool import IDLE_BYTES, slot_bytes

LARGE = 5 << 20


def test_unused_memory_is_freed_first(driven: Device, driver: Driver) -> None:
    kernel = driven.kernel(NEXT)
    array = np.zeros(LARGE, np.uint32)
    kernel.dispatch(1, t0=array, u0=array)
    driven.buffer(array).close()
    before = driver.memory_bytes

    def fail_once(*_: Any) -> int:
        driver.restore()
        return OUT_OF_DEVICE_MEMORY

    driver.replace("vkAllocateMemory", fail_once)
    driven.buffer(np.zeros(LARGE // 2, np.uint32))
    assert driver.memory_bytes < before
    assert kernel.dispatch(1, t0=array, u0=array).u0[0] == 1


def test_no_memory_at_all(driven: Device, driver: Driver) -> None:
    kernel = driven.kernel(NEXT)
    kernel.dispatch(1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
    array = np.zeros(LARGE, np.uint32)
    before = driver.objects
    with driven.record() as work:
        work.dispatch(kernel, 1, t0=array, u0=array)
    attempts: list[Callable[[], object]] = [
        lambda: driven.buffer(array),
        lambda: kernel.dispatch(1, t0=array, u0=array),
        lambda: driven.texture(np.zeros((64, 64), np.uint32)),
        lambda: work.submit(),
    ]
    driver.fail("vkAllocateMemory", OUT_OF_DEVICE_MEMORY)
    for attempt in attempts:
        with pytest.raises(OutOfMemoryError, match="VK_ERROR_OUT_OF_DEVICE_MEMORY"):
            attempt()
    driver.restore()
    assert driver.objects <= before, "the failed calls left no objects"
    assert work.submit().result().u0[0] == 1
    assert kernel.dispatch(1, t0=array, u0=array).u0[0] == 1


def test_a_lost_device(driven: Device, driver: Driver) -> None:
    kernel, buffer = driven.kernel(ADD), driven.buffer(np.zeros(1, np.uint32))
    for _ in range(2):
        kernel.dispatch(1, u0=buffer, cb0=1)
    with driven.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
    future = work.submit()
    buffer.read()  # the real driver has finished all work: destroying is allowed
    driver.fail("vkQueueSubmit", DEVICE_LOST)
    attempts: list[Callable[[], object]] = [
        lambda: kernel.dispatch(1, u0=buffer, cb0=1),
        lambda: kernel.dispatch_async(1, u0=buffer, cb0=1),
        lambda: kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1),
        lambda: driven.buffer(4),
        work.submit,
    ]
    advice = "vkQueueSubmit failed: VK_ERROR_DEVICE_LOST; the device was lost.*: close it and open"
    for attempt in attempts:
        with pytest.raises(DeviceLostError, match=advice):
            attempt()
        driver.restore()  # all further work is refused
    assert future.done()
    driven.close()
    with vkrunner.open_device(driven.info.index) as again:
        assert again.kernel(ADD).dispatch(1, u0=np.zeros(1, "u4"), cb0=1).u0[0] == 1


def ended_and_lost(driver: Driver) -> Callable[..., int]:
    """A function that says that the device is lost.

    The real driver has ended all work then: destroying is allowed.
    """

    def answer(_: object, device: Any, *arguments: Any) -> int:
        driver.vkDeviceWaitIdle(device)
        return DEVICE_LOST

    return answer


@pytest.mark.parametrize("asleep", [False, True])
def test_a_device_lost_while_waiting(driven: Device, driver: Driver, asleep: bool) -> None:
    kernel = driven.kernel(ADD)
    kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
    future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
    if asleep:
        driver.fail("vkGetFenceStatus", NOT_READY)
    else:
        driver.replace("vkGetFenceStatus", ended_and_lost(driver))
    driver.replace("vkWaitForFences", ended_and_lost(driver))
    with pytest.raises(DeviceLostError):
        future.wait()
    with pytest.raises(DeviceLostError):
        kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)


def test_a_device_that_a_look_at_the_queue_finds_lost(driven: Device, driver: Driver) -> None:
    """The work counts as ended, but has no result."""
    kernel = driven.kernel(ADD)
    future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
    driver.replace("vkGetFenceStatus", ended_and_lost(driver))
    assert future.done()
    driver.restore()
    with pytest.raises(DeviceLostError):
        future.result()
    with pytest.raises(DeviceLostError):
        kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)


def test_constants_that_do_not_fit_change_nothing(driven: Device, driver: Driver) -> None:
    kernel = driven.kernel(ADD)
    objects = None
    for value in (1, "x", 2, 2.5 + 1j, 3):
        if isinstance(value, int):
            assert kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=value).u0[0] == value
            objects = objects or driver.objects
            continue
        with pytest.raises(vkrunner.WrongTypeError):
            kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=value)
    assert driver.objects == objects


def test_idle_memory_is_bounded(driven: Device, driver: Driver) -> None:
    before = driver.memory_bytes
    buffers = [driven.buffer(LARGE << 2) for _ in range(20)]
    assert driver.memory_bytes - before >= 20 * (LARGE << 2)
    for buffer in buffers:
        buffer.close()
    assert driver.memory_bytes - before <= IDLE_BYTES + (8 << 20)


def test_many_small_buffers_share_memory(driven: Device, driver: Driver) -> None:
    before = driver.calls["vkAllocateMemory"]
    buffers = [driven.buffer(np.full(size, size % 256, np.uint8)) for size in range(1, 700)]
    assert driver.calls["vkAllocateMemory"] - before < 20
    assert all((buffer.read() == size % 256).all() for size, buffer in enumerate(buffers, 1))


@pytest.mark.parametrize("nbytes", [0, 1, 256, 257, 4096, 262144, 262145, 1 << 20, 10**9 + 1])
def test_sizes_of_slots(nbytes: int) -> None:
    size = slot_bytes(nbytes)
    assert size >= max(nbytes, 256)
    assert size % 256 == 0
    assert size <= max(2 * nbytes, 256)
    if nbytes > 262144:
        assert size <= 1.25 * nbytes
    assert slot_bytes(size) == size
