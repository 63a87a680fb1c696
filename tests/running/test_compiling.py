"""Timeouts do not count the driver's compilation; devices can be reopened after a timeout."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event, Thread

import numpy as np
import pytest

from checks.driver import Driver
from checks.running.devices import opened
from checks.running.shaders import ADD, NEXT, SPIN, slow, spun
from tests.running.conftest import devices
from tests.running.slow_pipelines import seconds_to_compile, slow_to_compile
from vkrunner import ClosedError, Device, DispatchTimeout

LONG = 30_000


either = devices("shared", "reference", scope="function")
own = devices("shared", scope="function")


@contextmanager
def watched(own: Device) -> Iterator[list[float]]:
    """The times at which the driver was seen compiling."""
    seen, ended = list[float](), Event()

    def watch() -> None:
        while not ended.wait(0.01):
            if own.is_compiling:
                seen.append(time.monotonic())

    thread = Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        ended.set()
        thread.join()


def check_slow(own: Device, seconds: float, timeout: float) -> None:
    """Check that the driver took longer than the timeout; else nothing was tested."""
    if own.info.driver != "llvmpipe":
        pytest.skip(f"{own.name} compiles when the kernel is made, or is fast")
    assert seconds > timeout


@pytest.mark.slow(reason="a pipeline that takes long")
def test_a_dispatch(own: Device) -> None:
    timeout = seconds_to_compile(own) / 3
    kernel, ones = own.kernel(slow_to_compile()), np.ones(32, np.uint32)
    assert not own.is_compiling
    with watched(own) as seen:
        start = time.monotonic()
        assert kernel.dispatch(1, u0=ones, timeout=timeout).u0[0] == 1
        took = time.monotonic() - start
    assert not own.is_compiling
    check_slow(own, took, timeout)
    assert seen[-1] - seen[0] > 0.5 * took
    assert kernel.dispatch(1, u0=ones + 1, timeout=timeout).u0[0] == 2


@pytest.mark.slow(reason="a pipeline that takes long")
def test_threads_that_wait_meanwhile(own: Device) -> None:
    """They wait for the same work, for later work, for a resource, and for all work."""
    timeout = seconds_to_compile(own) / 3
    slow, add, zero = own.kernel(slow_to_compile()), own.kernel(ADD), np.zeros(1, np.uint32)
    buffer = own.buffer(np.ones(32, np.uint32))
    add.dispatch(1, u0=zero, cb0=1)
    with own.record() as work:
        step = work.dispatch(slow, 1, u0=buffer)
    start = time.monotonic()
    future = work.submit()
    with ThreadPoolExecutor(4) as threads:
        waits = [threads.submit(future.wait, timeout) for _ in range(2)]
        later = threads.submit(add.dispatch, 1, u0=zero, cb0=3, timeout=timeout)
        read = threads.submit(buffer.read)
        for wait in waits:
            wait.result()
        took = time.monotonic() - start
        assert later.result().u0[0] == 3
        assert read.result()[0] == 1
    assert future.result(step).u0[0] == 1
    check_slow(own, took, timeout)


def test_work_counts_before_and_after(device: Device, own: Device) -> None:
    """The time of a kernel after its compilation counts, and that of work before it."""
    spin, add, zero = own.kernel(SPIN), own.kernel(ADD), np.zeros(1, np.uint32)
    first = spin.dispatch_async(300, u0=zero, cb0=slow(device, LONG))
    with pytest.raises(DispatchTimeout, match="did not end its work in"):
        first.wait(0.001)
    if "Mesa 26." in own.info.driver_version:
        pytest.skip(f"{own.name} makes no pipeline while a dispatch runs")
    fresh = add.dispatch_async(1, u0=zero, cb0=1)
    with pytest.raises(DispatchTimeout, match="did not end its work in"):
        fresh.wait(0.001)
    assert fresh.result().u0[0] == 1


def test_devices_that_never_compile(either: Device) -> None:
    kernel = either.kernel(ADD)
    kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1)
    assert not either.is_compiling
    either.close()
    assert not either.is_compiling
    with pytest.raises(ClosedError):
        kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1)


def test_a_pipeline_is_made_once(driven: Device, driver: Driver) -> None:
    """With the kernel; by drivers that compile at the first dispatch, not before that.

    lavapipe of Mesa 22.3 keeps memory of pipelines that are never dispatched.
    """
    driven.kernel(ADD)  # the first kernel tries the driver for faults
    before = driver.calls["vkCreateComputePipelines"]
    kernel = driven.kernel(NEXT)
    made = driver.calls["vkCreateComputePipelines"] - before
    assert made == (0 if driven.info.is_cpu else 1)
    for _ in range(3):
        ends = {"t0": np.array([2], np.uint32), "u0": np.zeros(1, np.uint32)}
        assert kernel.dispatch(1, **ends).u0[0] == 7
    assert driver.calls["vkCreateComputePipelines"] == before + 1


def test_a_reopened_device(device: Device) -> None:
    """It has the driver's threads to itself, also where devices share them."""
    first, count = opened("shared", device), slow(device, LONG)
    future = first.kernel(SPIN).dispatch_async(300, u0=first.buffer(4), cb0=count)
    with pytest.raises(DispatchTimeout, match="did not end its work in"):
        first.kernel(SPIN).dispatch(300, u0=first.buffer(4), cb0=count, timeout=0.001)
    first.close()
    with opened("shared", device) as second:
        if "SwiftShader" in second.info.driver:
            assert future.done()
        kernel = second.kernel(SPIN)
        for count in range(16):
            result = kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=count)
            assert result.u0[0] == spun(count)
