"""Futures awaited in asyncio's loops, and done callbacks."""

import asyncio
import functools
import logging
import signal
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator
from threading import Event
from typing import Any

import numpy as np
import pytest

from checks.driver import DEVICE_LOST, Driver
from checks.running.devices import opened
from checks.running.processes import end_of_fork, refusals
from checks.running.shaders import ADD, NEXT, SPIN, listing, spun
from tests.running.conftest import devices
from vkrunner import AbortError, Device, DeviceLostError, DispatchFuture, DispatchTimeout, Future

ABORT = listing("""
dcl_uav_structured u0, 4
abort
""")
LONG = 60000
NOT_READY, TIMED_OUT = 1, 2  # VkResult
TIMEOUT_S = 600


each = devices("shared", "reference")
one = devices("shared")


class Held:
    """A Vulkan device whose work seems to run until `release` is set."""

    def __init__(self, device: Device, driver: Driver):
        self.device = device
        self.release = Event()
        self._add = device.kernel(ADD)
        self._add.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
        driver.replace("vkGetFenceStatus", self._status)
        driver.replace("vkWaitForFences", self._wait)

    def start(self, number: int = 1) -> DispatchFuture:
        """A dispatch whose result is [number]."""
        return self._add.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=number)

    def _status(self, function: Callable[..., int], *arguments: Any) -> int:
        return function(*arguments) if self.release.is_set() else NOT_READY

    def _wait(self, function: Callable[..., int], *arguments: Any) -> int:
        return function(*arguments) if self.release.wait(0.002) else TIMED_OUT


@pytest.fixture
def held(device: Device, driver: Driver) -> Iterator[Held]:
    with opened("shared", device) as own:
        made = Held(own, driver)
        yield made
        made.release.set()


def spin(device: Device, groups: int = 100) -> DispatchFuture:
    """A dispatch that takes a while."""
    return device.kernel(SPIN).dispatch_async(groups, u0=np.zeros(1, "u4"), cb0=LONG)


def called(future: Future) -> Event:
    """An event that is set at the end of a future."""
    event = Event()
    future.add_done_callback(lambda _: event.set())
    return event


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in a new event loop."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*arguments, **named), TIMEOUT_S))

    return run


# --- await --------------------------------------------------------------------------------------


@in_a_loop
async def test_a_dispatch_gives_its_result(each: Device) -> None:
    kernel = each.kernel(NEXT)
    arrays = [np.array([n, n + 1], np.uint32) for n in range(5)]
    zeros = np.zeros(2, np.uint32)
    futures = [kernel.dispatch_async(2, t0=x, u0=zeros) for x in arrays]
    results = await asyncio.gather(*futures)
    for x, result in zip(arrays, results, strict=True):
        np.testing.assert_array_equal(result.u0, 3 * x + 1)
    assert await futures[0] is results[0], "again, and at once"


@in_a_loop
async def test_a_recording_gives_its_future(each: Device) -> None:
    kernel = each.kernel(ADD)
    with each.record() as recording:
        first = recording.dispatch(kernel, 1, u0=np.array([1], np.uint32), cb0=1)
        second = recording.dispatch(kernel, 1, u0=np.array([1], np.uint32), cb0=2)
    future = recording.submit()
    assert await future is future
    assert future.done()
    assert [future.result(step).u0[0] for step in (first, second)] == [2, 3]


@in_a_loop
async def test_the_loop_runs_meanwhile(held: Held) -> None:
    task = asyncio.ensure_future(held.start(5))
    for _ in range(3):
        await asyncio.sleep(0.001)
        assert not task.done()
    held.release.set()
    assert (await task).u0[0] == 5


@in_a_loop
async def test_the_work_continues_when_the_task_is_cancelled(held: Held) -> None:
    future = held.start(3)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(future, 0.01)
    assert not future.done()
    held.release.set()
    assert (await held.start(4)).u0[0] == 4
    assert (await future).u0[0] == 3


def test_a_loop_that_is_closed_before_the_end(held: Held, caplog: pytest.LogCaptureFixture) -> None:
    loop, future = asyncio.new_event_loop(), held.start(6)
    task = loop.create_task(asyncio.wait_for(future, TIMEOUT_S))
    loop.run_until_complete(asyncio.sleep(0.001))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()
    end = called(future)
    held.release.set()
    assert end.wait(TIMEOUT_S), "after that of the loop"
    assert future.result().u0[0] == 6
    assert not caplog.records


def test_ctrl_c_in_a_loop(held: Held) -> None:
    future = held.start(7)

    async def work() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        await future

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(work())
    held.release.set()
    assert held.start(8).result().u0[0] == 8
    assert future.result().u0[0] == 7


@pytest.mark.parametrize("by", ["device", "recording"])
@in_a_loop
async def test_closing_while_a_future_is_awaited(device: Device, by: str) -> None:
    own = opened("shared", device)
    with own.record() as recording:
        step = recording.dispatch(own.kernel(SPIN), 100, u0=np.zeros(1, "u4"), cb0=LONG)
    future = recording.submit()
    task = asyncio.ensure_future(future)
    await asyncio.sleep(0)
    await asyncio.to_thread(own.close if by == "device" else recording.close)
    assert (await task).result(step).u0[0] == spun(LONG)
    own.close()


@pytest.mark.parametrize("driven", ["shared"], indirect=True)
@in_a_loop
async def test_a_lost_device(driven: Device, driver: Driver) -> None:
    future = spin(driven)
    for name in ("vkWaitForFences", "vkGetFenceStatus"):  # at the end of the work
        driver.replace(name, lambda function, *arguments: function(*arguments) or DEVICE_LOST)
    with pytest.raises(DeviceLostError):
        await future
    assert isinstance(future.exception(), DeviceLostError)


def test_outside_of_a_loop(one: Device) -> None:
    with pytest.raises(RuntimeError, match="no running event loop"):
        spin(one, 1).__await__().send(None)


# --- callbacks ----------------------------------------------------------------------------------


def test_functions_are_called_once_in_their_order(held: Held) -> None:
    calls: list[tuple[str, Future, int]] = []

    def note(name: str) -> Callable[[Future], None]:
        return lambda future: calls.append((name, future, threading.get_ident()))

    first, second = held.start(1), held.start(2)
    second.add_done_callback(note("c"))
    first.add_done_callback(note("a"))
    first.add_done_callback(note("b"))
    end = called(second)
    held.release.set()
    assert end.wait(TIMEOUT_S)
    assert [call[:2] for call in calls] == [("a", first), ("b", first), ("c", second)]
    assert threading.get_ident() not in {thread for *_, thread in calls}
    for number, future in enumerate((first, second), 1):
        assert future.done()
        assert future.result().u0[0] == number
    assert len(calls) == 3


def test_a_callback_of_a_finished_future_is_called_immediately(each: Device) -> None:
    future = each.kernel(ADD).dispatch_async(1, u0=np.zeros(1, np.uint32), cb0=3)
    calls: list[tuple[Future, int]] = []
    for act in (future.wait, future.result):
        act()
        future.add_done_callback(lambda seen: calls.append((seen, threading.get_ident())))
        assert calls.pop() == (future, threading.get_ident())


def test_exceptions_of_callbacks_are_logged(held: Held, caplog: pytest.LogCaptureFixture) -> None:
    def fail(future: Future) -> None:
        raise ZeroDivisionError("of a callback")

    def leave(future: Future) -> None:
        raise SystemExit

    future = held.start()
    for function in (fail, leave, fail):
        future.add_done_callback(function)
    end = called(future)
    held.release.set()
    assert end.wait(TIMEOUT_S), "the others are called"
    future.add_done_callback(fail)
    logged = [record for record in caplog.records if record.name == "vkrunner"]
    kinds = [record.exc_info[0] for record in logged if record.exc_info]
    assert kinds == [ZeroDivisionError, SystemExit, ZeroDivisionError, ZeroDivisionError]
    assert all(record.levelno == logging.ERROR for record in logged)


def test_one_thread_that_ends(held: Held) -> None:
    """A thread's local objects go when it ends."""
    local = threading.local()

    class Sign:
        """An object of a thread's own."""

    for _ in range(2):
        signs: list[weakref.ref[Sign]] = []

        def call(_: Future, signs: list[weakref.ref[Sign]] = signs) -> None:
            if not hasattr(local, "sign"):
                local.sign = Sign()
                signs.append(weakref.ref(local.sign))

        with held.device.record() as recording:
            recording.clear(held.device.buffer(4))
        futures = [*(held.start() for _ in range(5)), recording.submit()]
        for future in futures:
            future.add_done_callback(call)
        ends = [called(future) for future in futures]
        held.release.set()
        assert all(end.wait(TIMEOUT_S) for end in ends)
        assert len(signs) == 1
        end = time.monotonic() + TIMEOUT_S
        while signs[0]() is not None:
            assert time.monotonic() < end
            time.sleep(0.001)
        held.release.clear()


def test_callbacks_that_submit_again(one: Device) -> None:
    """Each end starts the next submission, while another thread waits for each."""
    total, ended, left = one.buffer(np.zeros(1, np.uint32)), Event(), 50
    with one.record() as recording:
        recording.dispatch(one.kernel(ADD), 1, u0=total, cb0=1)
    latest: list[Future] = []

    def submit(_: Future | None = None) -> None:
        nonlocal left
        if not left:
            ended.set()
            return
        left -= 1
        latest[:] = [recording.submit()]
        latest[0].add_done_callback(submit)

    submit()
    while not ended.is_set():
        latest[0].wait()
    assert total.read()[0] == 50


def test_closing_in_a_callback(device: Device) -> None:
    own = opened("shared", device)
    future, closed = spin(own), Event()

    def close(_: Future) -> None:
        own.close()
        closed.set()

    future.add_done_callback(close)
    assert closed.wait(TIMEOUT_S)
    assert future.result().u0[0] == spun(LONG)


def test_a_fork_beside_the_thread(held: Held) -> None:
    future = held.start(9)
    end = called(future)
    calls: list[Callable[[], object]] = [lambda: future.add_done_callback(lambda _: None)]
    assert end_of_fork(lambda: refusals(calls) + end.is_set()) == 0
    held.release.set()
    assert end.wait(TIMEOUT_S)
    assert future.result().u0[0] == 9


# --- exception ----------------------------------------------------------------------------------


@in_a_loop
async def test_exceptions_of_futures(each: Device) -> None:
    zeros = np.zeros(1, np.uint32)
    add, abort = each.kernel(ADD), each.kernel(ABORT)
    future = abort.dispatch_async(1, u0=zeros)
    found = future.exception()
    assert isinstance(found, AbortError)
    assert found.thread == (0, 0, 0)
    assert add.dispatch_async(1, u0=zeros, cb0=1).exception() is None
    with each.record() as recording:
        recording.dispatch(add, 1, u0=zeros, cb0=1)
        recording.dispatch(abort, 1, u0=zeros)
    assert isinstance(recording.submit().exception(), AbortError)
    with pytest.raises(AbortError):
        await abort.dispatch_async(1, u0=zeros)


def test_an_exception_that_is_asked_for_too_early(held: Held) -> None:
    future = held.start()
    with pytest.raises(DispatchTimeout, match=r"did not end its work in 0\.001 s"):
        future.exception(timeout=0.001)
    held.release.set()
    assert future.exception() is None
