"""Futures of single dispatches, indirect dispatches, profiles."""

import gc
import io
import itertools
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from checks.driver import NOT_READY, TIMEOUT, Driver
from checks.running.devices import opened
from checks.running.shaders import ADD, NEXT, SPIN, slow, spun
from vkrunner import (
    ArgumentError,
    ClosedError,
    Device,
    DispatchTimeout,
    Future,
    InvalidValueError,
    UnknownNameError,
    WrongDeviceError,
    WrongTypeError,
)


def test_several_dispatches_in_flight(either: Device) -> None:
    kernel = either.kernel(NEXT)
    arrays = [np.array([n, n + 1], np.uint32) for n in range(5)]
    futures = [kernel.dispatch_async(2, t0=x, u0=np.zeros(2, "u4")) for x in arrays]
    for x, future in reversed([*zip(arrays, futures, strict=True)]):
        np.testing.assert_array_equal(future.result().u0, 3 * x + 1)
        assert future.done()
        future.wait()
        assert future.result() is future.result()
        with pytest.raises(UnknownNameError):
            future.result(1)


def test_arrays_were_read_when_it_returns(either: Device) -> None:
    kernel, array = either.kernel(ADD), np.array([1], np.uint32)
    future = kernel.dispatch_async(1, u0=array, cb0=1)
    array[0] = 50
    assert future.result().u0[0] == 2
    assert array[0] == 50


def test_a_wait_that_ends_too_early(device: Device, own: Device) -> None:
    kernel, count = own.kernel(SPIN), slow(device, 60000)
    future = kernel.dispatch_async(300, u0=np.zeros(1, np.uint32), cb0=count)
    assert not future.done()
    with pytest.raises(DispatchTimeout, match=r"did not end its work in 0\.001 s"):
        future.wait(timeout=0.001)
    with pytest.raises(InvalidValueError):
        future.wait(timeout=0)
    other = kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=3)
    assert other.u0[0] == spun(3), "the device stays usable"
    assert future.result(timeout=60).u0[0] == spun(count)


def test_a_wait_takes_its_timeout_once(driven: Device, driver: Driver) -> None:
    kernel, waits = driven.kernel(ADD), list[int]()
    kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1)
    future = kernel.dispatch_async(1, u0=np.zeros(1, np.uint32), cb0=1)

    def wait(*arguments: Any) -> int:
        waits.append(arguments[-1])
        return TIMEOUT

    driver.fail("vkGetFenceStatus", NOT_READY)
    driver.replace("vkWaitForFences", wait)
    with pytest.raises(DispatchTimeout):
        future.wait(timeout=0.001)
    driver.restore()
    assert waits == [1_000_000]
    assert future.result().u0[0] == 1


@pytest.mark.slow(reason="hundreds of futures")
def test_work_is_resubmitted_while_others_poll(own: Device) -> None:
    """Work whose fence was signalled may be in flight again when that is noted."""
    kernel, total = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    with own.record() as recording:
        recording.dispatch(kernel, 1, u0=total, cb0=1)
    latest, ended, count = [recording.submit()], Event(), 100

    def read() -> None:
        seen = 0
        while not ended.is_set():
            now = int(total.read()[0])
            assert seen <= now <= count
            seen = now

    def look() -> None:
        while not ended.is_set():
            future = latest[0]
            if future.done():
                future.wait()
            time.sleep(1e-4)

    with ThreadPoolExecutor(4) as others:
        looks = [others.submit(work) for work in (read, look, read, look)]
        for _ in range(count - 1):
            latest[0].wait()
            latest[0] = recording.submit()
        latest[0].wait()
        ended.set()
        for one in looks:
            one.result(timeout=60)
    assert total.read()[0] == count


def test_futures_that_are_not_kept(driven: Device, driver: Driver) -> None:
    kernel, total = driven.kernel(ADD), driven.buffer(np.zeros(1, np.uint32))
    before = driver.objects["Fence"]
    for _ in range(40):
        kernel.dispatch_async(1, u0=total, cb0=1)
        kernel.dispatch_async(1, u0=np.zeros(1, np.uint32), cb0=1)
    assert total.read()[0] == 40
    del total
    gc.collect()
    assert kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1).u0[0] == 1
    assert driver.objects["Fence"] <= before + 2, "the objects kept for two dispatches"


def test_awaited_futures_without_results(driven: Device, driver: Driver) -> None:
    """The next dispatch takes their command buffer, though they are kept."""
    kernel, total = driven.kernel(ADD), driven.buffer(np.zeros(1, np.uint32))
    kept, fences = list[Future](), list[int]()
    for _ in range(3):
        kept.append(kernel.dispatch_async(1, u0=total, cb0=1))
        kept[-1].wait()
        fences.append(driver.objects["Fence"])
    assert fences == [fences[0]] * 3


@pytest.mark.slow(reason="hundreds of futures")
def test_futures_leave_nothing(own: Device) -> None:
    """Python's memory does not grow with the futures whose results were fetched."""
    kernel, zeros = own.kernel(ADD), np.zeros(4, np.uint32)
    with own.record() as recording:
        recording.dispatch(kernel, 4, u0=zeros, cb0=1)

    def use() -> int:
        for _ in range(300):
            kernel.dispatch_async(4, u0=zeros, cb0=1).result()
            recording.submit().result()
        gc.collect()
        return sys.getallocatedblocks()

    before = use()
    assert use() < before + 300


def test_futures_that_are_dropped_by_other_threads(own: Device) -> None:
    """Resources of a finished submission are reused immediately, and never by two."""
    kernel = own.kernel(ADD)
    with own.record() as recording:
        step = recording.dispatch(kernel, 1, u0=np.zeros(1, "u4"), cb0=1)

    def submitted(number: int) -> Future:
        return recording.submit({step: {"u0": np.full(1, number, np.uint32)}})

    def work(first: int) -> None:
        for number in range(first, first + 60):
            dropped, kept = submitted(number), submitted(1000 + number)
            if number % 3 == 0:
                kept.wait()
            del dropped
            assert kept.result().u0[0] == 1001 + number

    with ThreadPoolExecutor(5) as threads:
        for one in [threads.submit(work, 100 * n) for n in range(5)]:
            one.result(timeout=120)


def test_a_future_is_no_result(own: Device) -> None:
    future = own.kernel(ADD).dispatch_async(1, u0=np.array([1], np.uint32), cb0=1)
    with pytest.raises(AttributeError, match=r"future\.result\(\)\.u0"):
        getattr(future, "u0")  # noqa: B009 (checkers know that it has none)
    assert future.result().u0[0] == 2


def test_closing_waits_and_results_stay(own: Device) -> None:
    spin, add = own.kernel(SPIN), own.kernel(ADD)
    with own.record() as work:
        step = work.dispatch(add, 1, u0=np.array([1], np.uint32), cb0=1)
    state = own.buffer(np.zeros(1, np.uint32))
    futures = [spin.dispatch_async(100, u0=np.zeros(1, np.uint32), cb0=60000)]
    futures.append(work.submit())
    resident = spin.dispatch_async(1, u0=state, cb0=5)
    own.close()
    assert futures[0].result().u0[0] == spun(60000)
    assert futures[1].result(step).u0[0] == 2
    with pytest.raises(ClosedError):
        _ = resident.result().u0


def test_a_result_is_asked_for_while_the_device_is_closed(driven: Device, driver: Driver) -> None:
    future = driven.kernel(SPIN).dispatch_async(100, u0=np.zeros(1, np.uint32), cb0=60000)
    found: list[Any] = []

    def ask_first(wait: Callable[..., int], *arguments: Any) -> int:
        if not found:
            found.append(None)
            with ThreadPoolExecutor(1) as other:
                found[0] = other.submit(future.result).result(60).u0[0]
        return wait(*arguments)

    def work_is_seen_once_asked(status: Callable[..., int], *arguments: Any) -> int:
        return status(*arguments) if found else NOT_READY  # a GPU may end it at once

    driver.replace("vkGetFenceStatus", work_is_seen_once_asked)
    driver.replace("vkWaitForFences", ask_first)
    driven.close()
    assert found == [spun(60000)]


def test_an_indirect_dispatch(either: Device) -> None:
    kernel = either.kernel(ADD)
    groups = either.buffer(np.array([9, 2, 1, 1, 0, 1, 1], np.uint32))
    for _ in range(2):
        result = kernel.dispatch_indirect(groups, 4, u0=np.zeros(3, "u4"), cb0=5)
        assert result.u0.tolist() == [5, 5, 0]
        result = kernel.dispatch_indirect(groups, 16, u0=np.zeros(3, "u4"), cb0=5)
        assert result.u0.tolist() == [0, 0, 0]
    groups.write(np.array([0, 3, 1, 1, 0, 1, 1], np.uint32))
    assert kernel.dispatch_indirect(groups, 4, u0=np.zeros(3, "u4"), cb0=6).u0.tolist() == [6] * 3


@pytest.mark.parametrize(
    ("offset", "message"),
    [
        (20, "the groups take 12 bytes from byte 20 on, the buffer has 28"),
        (2, "at a multiple of 4 bytes, not at 2"),
        (-4, "at a multiple of 4 bytes, not at -4"),
        (1.0, "at a multiple of 4 bytes"),
    ],
)
def test_indirect_groups_outside_of_the_buffer(either: Device, offset: Any, message: str) -> None:
    kernel, groups = either.kernel(ADD), either.buffer(28)
    with pytest.raises(ArgumentError, match=message):
        kernel.dispatch_indirect(groups, offset, u0=np.zeros(1, "u4"), cb0=1)


def test_indirect_groups_without_a_buffer(either: Device, machine: Any, device: Device) -> None:
    kernel = either.kernel(ADD)
    array: Any = np.zeros(3, np.uint32)
    with pytest.raises(WrongTypeError):
        kernel.dispatch_indirect(array, u0=np.zeros(1, "u4"), cb0=1)
    for other in (machine, device):
        with pytest.raises(WrongDeviceError):
            kernel.dispatch_indirect(other.buffer(12), u0=np.zeros(1, "u4"), cb0=1)


def test_a_profile(own: Device, capsys: pytest.CaptureFixture[str]) -> None:
    add, following = own.kernel(ADD), own.kernel(NEXT)
    add.name, following.name = "add", "next"
    results: list[Any] = []
    with own.profile() as profile:
        for _ in range(3):
            results.append(add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1))
        following.dispatch(1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
    add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
    printed = capsys.readouterr().out
    assert printed == profile.table() + "\n"
    assert printed.split("\n")[0].split() == [
        *("kernel", "count", "total", "ms", "mean", "us", "min", "us", "max", "us")
    ]
    if not own.features.timestamps:
        assert profile.kernels == []
        return
    times = {row.name: row for row in profile.kernels}
    durations = [result.duration_ns for result in results]
    assert (times["add"].count, times["next"].count) == (3, 1)
    assert times["add"].total_ns == sum(durations)
    assert times["add"].min_ns == min(durations)
    assert times["add"].max_ns == max(durations)
    assert times["add"].mean_ns == sum(durations) / 3
    assert profile.total_ns == sum(row.total_ns for row in profile.kernels)
    assert "add" in printed


def test_a_timeline(own: Device, tmp_path: Path) -> None:
    """A row for each dispatch, in its order, with the durations of the results."""
    add, following = own.kernel(ADD), own.kernel(NEXT)
    add.name, following.name = "add", 'next "é"'
    with own.record() as recording:
        for _ in range(2):
            recording.dispatch(following, 1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
    with own.profile(io.StringIO(), trace=tmp_path / "trace.json"):
        result = add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
        recording.submit().result(recording.dispatches[0])
    name, *rows = json.loads((tmp_path / "trace.json").read_text("utf-8"))["traceEvents"]
    assert name == {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": own.name}}
    if not own.features.timestamps:
        assert rows == []
        return
    assert [row["name"] for row in rows] == ["add", 'next "é"', 'next "é"']
    assert {(row["ph"], row["pid"], row["tid"]) for row in rows} == {("X", 0, 0)}
    assert rows[0]["ts"] == 0
    assert result.duration_ns is not None
    assert rows[0]["dur"] == result.duration_ns / 1e3
    for one, other in itertools.pairwise(rows):
        assert one["ts"] + one["dur"] <= other["ts"], "dispatches that are timed do not overlap"


@pytest.mark.parametrize("kind", ["shared", "written"])
@pytest.mark.parametrize("asked", [None, True, False])
def test_which_devices_time(device: Device, kind: str, asked: bool | None) -> None:
    """By default the device, if its timestamps cost little, else the host; False for neither."""
    with opened(kind, device, timestamps=asked) as own:
        by_host = asked is None and own.info.type == "cpu"
        by_device = asked is not False and own.features.timestamps
        kernel = own.kernel(ADD)
        for _ in range(2):  # the first, and one that reuses its recorded commands
            before = time.perf_counter_ns()
            duration = kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=1).duration_ns
            took = time.perf_counter_ns() - before
            assert (duration is not None) == (by_host or by_device)
            assert duration is None or duration > 0
            assert duration is None or not by_host or duration < took


@pytest.mark.parametrize("timestamps", [None, False])
def test_a_profile_turns_timing_on(device: Device, timestamps: bool | None) -> None:
    with opened("shared", device, timestamps=timestamps) as own:
        clock = own.features.timestamps
        timed = timestamps is None and (clock or own.info.type == "cpu")
        kernel = own.kernel(ADD)
        found: list[bool] = []
        for profiled in (False, True, False):
            if profiled:
                with own.profile(io.StringIO()):
                    result = kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
            else:
                result = kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
            found.append(result.duration_ns is not None)
        assert found == [timed, timed or clock, timed]


def test_names_of_kernels(either: Device, tmp_path: Any) -> None:
    path = tmp_path / "add_one.asm"
    path.write_text(ADD)
    assert either.kernel(path).name == "add_one"
    assert either.kernel(ADD).name == "shader"
