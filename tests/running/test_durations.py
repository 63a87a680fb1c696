"""Durations are fetched on request, and are those of their own submission."""

import copy
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from checks.driver import DEVICE_LOST, Driver
from checks.running.devices import opened
from checks.running.processes import end_of_fork, refusals
from checks.running.shaders import ADD, SPIN, slow
from vkrunner import Device, DeviceLostError, DispatchTimeout, Kernel, Result

QUERY = "vkGetQueryPoolResults"
BITS = 36  # the fewest of a queue with timestamps


@pytest.fixture(params=["shared", "staged", "written"])
def own(request: pytest.FixtureRequest, device: Device, driver: Driver) -> Iterator[Device]:
    """A device for one test with timestamps in nanoseconds, of 36 bits."""

    def describe(function: Callable[..., None], physical: Any, properties: Any) -> None:
        function(physical, properties)
        properties.limits.timestampPeriod = 1

    def describe_queues(
        function: Callable[..., None], physical: Any, count: Any, rows: Any
    ) -> None:
        function(physical, count, rows)
        for number in range(count[0] if rows else 0):
            rows[number].timestampValidBits = min(BITS, rows[number].timestampValidBits)

    driver.replace("vkGetPhysicalDeviceProperties", describe)
    driver.replace("vkGetPhysicalDeviceQueueFamilyProperties", describe_queues)
    with opened(request.param, device, timestamps=True) as timed:
        yield timed
        driver.restore()


@pytest.fixture
def fetched(own: Device, driver: Driver) -> list[int]:
    """The device's answers to the requests, in order: 1, 2, 3, ..."""
    if not own.features.timestamps:
        pytest.skip(f"{own.name} has no timestamps")
    times: list[int] = []

    def answered(function: Callable[..., int], *arguments: Any) -> int:
        result, ticks = function(*arguments), arguments[5]
        assert ticks[1] > ticks[0]
        times.append(len(times) + 1)
        ticks[0], ticks[1] = 0, times[-1]
        return result

    driver.replace(QUERY, answered)
    return times


def add(kernel: Kernel) -> Result:
    return kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)


def test_each_result_has_its_own(own: Device, fetched: list[int]) -> None:
    kernel = own.kernel(ADD)
    for _ in range(5):
        assert add(kernel).u0[0] == 1
    assert fetched == [], "no request"
    results = [add(kernel) for _ in range(4)]
    assert [result.duration_ns for result in reversed(results)] == [4, 3, 2, 1]
    assert [result.duration_ns for result in results] == [1, 2, 3, 4]
    assert fetched == [1, 2, 3, 4]


def test_a_counter_that_wraps(own: Device, driver: Driver, fetched: list[int]) -> None:
    """Only the valid bits count (Vulkan specification, "Timestamp Queries")."""

    def answered(function: Callable[..., int], *arguments: Any) -> int:
        result, ticks = function(*arguments), arguments[5]
        ticks[0], ticks[1] = (0xABC << BITS) + (1 << BITS) - 5, (0xDEF << BITS) + 7
        return result

    driver.replace(QUERY, answered)
    assert add(own.kernel(ADD)).duration_ns == 5 + 7


def test_of_several_in_flight(own: Device, fetched: list[int]) -> None:
    kernel = own.kernel(ADD)
    for _ in range(2):
        futures = [kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1) for _ in range(3)]
        results = [future.result() for future in futures]
    assert sorted(result.duration_ns or 0 for result in results) == fetched[-3:]
    assert [future.duration_ns for future in futures] == [r.duration_ns for r in results]


@pytest.mark.parametrize("what", ["kernel", "device"])
def test_after_closing(own: Device, fetched: list[int], what: str) -> None:
    kernel = own.kernel(ADD)
    results = [add(kernel) for _ in range(2)]
    (kernel if what == "kernel" else own).close()
    assert [result.duration_ns for result in results] == [1, 2]


@pytest.mark.parametrize("copied", [copy.copy, lambda r: pickle.loads(pickle.dumps(r))])
def test_of_a_copy(own: Device, fetched: list[int], copied: Any) -> None:
    result = add(own.kernel(ADD))
    twin = copied(result)
    assert (twin.duration_ns, result.duration_ns, fetched) == (1, 1, [1])
    assert twin.u0[0] == 1


def test_after_a_fork(own: Device, fetched: list[int]) -> None:
    kernel = own.kernel(ADD)
    asked, unasked = [add(kernel) for _ in range(2)]

    def act() -> int:
        missed = refusals([lambda: unasked.duration_ns]) + (asked.duration_ns != 1)
        own.close()
        return missed

    assert end_of_fork(act) == 0
    assert unasked.duration_ns == 2


def test_while_abandoned_work_runs(
    device: Device, own: Device, driver: Driver, fetched: list[int]
) -> None:
    """lavapipe would wait for it."""
    kernel, spin, idle = own.kernel(ADD), own.kernel(SPIN), own.buffer(4)
    result, before = add(kernel), driver.objects
    with pytest.raises(DispatchTimeout, match=r"did not end its work in 0\.001 s.*anew"):
        spin.dispatch(200, u0=own.buffer(4), cb0=slow(device, 60000), timeout=0.001)
    attempts = [lambda: result.duration_ns, lambda: add(kernel), idle.read]
    for attempt in attempts:
        with pytest.raises(DispatchTimeout, match="still busy: open it anew"):
            attempt()
    assert fetched == []
    while not fetched:
        with suppress(DispatchTimeout):
            assert result.duration_ns == 1
        time.sleep(0.01)
    assert add(kernel).u0[0] == 1
    assert driver.objects["Fence"] <= before["Fence"] + 1, "the abandoned work is freed"


@pytest.mark.parametrize("when", ["asked", "repeated", "not repeated"])
def test_others_may_submit_meanwhile(
    own: Device, driver: Driver, fetched: list[int], when: str
) -> None:
    """Other threads submit while one waits for the duration of its dispatch."""
    kernel, another = own.kernel(ADD), own.kernel(ADD)

    def answered(function: Callable[..., int], *arguments: Any) -> int:
        driver.restore(QUERY)
        assert other.submit(lambda: add(another)).result(timeout=60).u0[0] == 1
        done.append(when)
        return function(*arguments)

    done: list[str] = []
    driver.replace(QUERY, answered)
    with ThreadPoolExecutor(1) as other:
        if when == "not repeated":
            result = kernel.dispatch(1, bindings={"u0": np.zeros(1, "u4"), "cb0": 1})
        else:
            result = add(kernel)
        if when == "repeated":
            add(kernel)
        assert result.duration_ns is not None
    assert done == [when]


def test_of_a_device_that_was_lost(own: Device, driver: Driver) -> None:
    """Durations that cannot be fetched before the device is closed are not requested later."""
    result, asked = add(own.kernel(ADD)), list[int]()
    if result.duration_ns is None:
        pytest.skip(f"{own.name} has no timestamps")
    result = add(own.kernel(ADD))

    def lost(*_: object) -> int:
        asked.append(1)
        return DEVICE_LOST

    driver.replace(QUERY, lost)
    own.close()
    for _ in range(2):
        with pytest.raises(DeviceLostError, match="vkGetQueryPoolResults"):
            _ = result.duration_ns
    assert asked == [1]


def test_threads_ask_at_the_same_time(own: Device, fetched: list[int]) -> None:
    """The device is asked once for each duration."""
    kernel, threads = own.kernel(ADD), 4
    both = Barrier(threads)

    def ask(result: Result) -> int | None:
        both.wait(60)
        return result.duration_ns

    with ThreadPoolExecutor(threads) as pool:
        for turn in range(1, 41):
            result = add(kernel)
            assert [*pool.map(ask, [result] * threads)] == [turn] * threads
    assert fetched == [*range(1, 41)]
