"""Many threads on one device, processes that fork, and devices that are never closed."""

import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.processes import end_of_fork, refusals
from checks.running.shaders import ADD, NEXT
from vkrunner import Device

THREADS = 6
TURNS = 25


def in_threads(work: Callable[[int], None]) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        for future in [pool.submit(work, number) for number in range(THREADS)]:
            future.result(timeout=120)


def test_the_same_dispatch_in_all_threads(either: Device) -> None:
    kernel, add, total = either.kernel(NEXT), either.kernel(ADD), either.buffer(np.zeros(1, "u4"))
    barrier = Barrier(THREADS)

    def work(number: int) -> None:
        barrier.wait(60)
        for turn in range(TURNS):
            x = np.array([number, turn], np.uint32)
            result = kernel.dispatch(2, t0=x, u0=np.zeros(2, "u4"))
            np.testing.assert_array_equal(result.u0, 3 * x + 1)
            add.dispatch(1, u0=total, cb0=1)

    in_threads(work)
    assert total.read()[0] == THREADS * TURNS


def test_each_thread_makes_its_own_objects(own: Device) -> None:
    def work(number: int) -> None:
        for turn in range(TURNS // 3):  # each compiles a kernel
            with own.kernel(ADD) as kernel, own.buffer(np.zeros(8 + turn, "u4")) as buffer:
                kernel.dispatch(8, u0=buffer, cb0=number)
                future = kernel.dispatch_async(8, u0=buffer, cb0=turn)
                with buffer.map() as view:
                    assert view[:8].tolist() == [number + turn] * 8
                future.wait()

    in_threads(work)


def test_one_future_in_all_threads(own: Device) -> None:
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    for _ in range(TURNS):
        future = kernel.dispatch_async(1, u0=total, cb0=1)
        in_threads(lambda _number, future=future: future.wait())
    assert total.read()[0] == TURNS


@pytest.mark.parametrize("reference", [False, True])
def test_a_fork_is_refused(own: Device, reference: bool) -> None:
    """A child that uses its parent's device gets an error, and releases nothing of the parent."""
    used = vkrunner.open_device("reference") if reference else own
    kernel, buffer = used.kernel(ADD), used.buffer(np.zeros(1, np.uint32))
    kernel.dispatch(1, u0=buffer, cb0=1)
    with used.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
    future = kernel.dispatch_async(1, u0=buffer, cb0=1)
    calls: list[Callable[[], object]] = [
        lambda: kernel.dispatch(1, u0=buffer, cb0=1),
        lambda: kernel.dispatch_async(1, u0=buffer, cb0=1),
        lambda: used.buffer(4),
        buffer.read,
        work.submit,
        *([] if reference else [future.wait, future.done]),
    ]

    def act() -> int:
        missed = refusals(calls)
        used.close()
        work.close()
        return missed

    assert end_of_fork(act) == 0
    future.wait()
    assert buffer.read()[0] == 2


def test_a_device_that_is_never_closed(device: Device, driver: Driver) -> None:
    opened = vkrunner.open_device(device.info.index, validation="sync")
    kernel, buffer = opened.kernel(ADD), opened.buffer(np.zeros(1, np.uint32))
    kernel.dispatch_async(1, u0=buffer, cb0=1)
    with opened.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
    work.submit()
    del opened, kernel, buffer, work
    gc.collect()  # collects the objects that refer to the device
    gc.collect()
    assert driver.objects["Device"] == 0
