"""Durations are fetched when asked for, and are still those of their own submission."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

from tests.running.conftest import opened
from tests.running.forks import forget, refusals
from tests.running.shaders import ADD, SPIN
from vkrunner import Device, DeviceLostError, DispatchTimeout, Kernel, Result
from vkrunner.vulkan.clock import Clock
from vkrunner.vulkan.reading import StepTime


@pytest.fixture(params=["shared", "staged", "written"])
def own(request: pytest.FixtureRequest, device: Device) -> Iterator[Device]:
    """A device for one test, which times its dispatches."""
    with opened(request.param, device, timestamps=True) as timed:
        yield timed


@pytest.fixture
def fetched(own: Device, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the device says, with each time that it was asked: 1, 2, 3, ..."""
    if not own.features.timestamps:
        pytest.skip(f"{own.name} has no timestamps")
    times: list[int] = []
    ask = Clock.durations_ns

    def durations_ns(clock: Clock) -> list[int]:
        assert ask(clock)[0] > 0
        times.append(len(times) + 1)
        return [times[-1]]

    monkeypatch.setattr(Clock, "durations_ns", durations_ns)
    return times


def add(kernel: Kernel) -> Result:
    return kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)


def test_each_result_has_its_own(own: Device, fetched: list[int]) -> None:
    kernel = own.kernel(ADD)
    results = [add(kernel) for _ in range(4)]
    assert [result.duration_ns for result in reversed(results)] == [4, 3, 2, 1]
    assert [result.duration_ns for result in results] == [1, 2, 3, 4]
    assert fetched == [1, 2, 3, 4]


def test_nobody_asks(own: Device, fetched: list[int]) -> None:
    kernel = own.kernel(ADD)
    for _ in range(5):
        assert add(kernel).u0[0] == 1
    assert fetched == []


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
    child = os.fork()
    if child == 0:
        known = asked.duration_ns == 1
        os._exit(refusals([lambda: unasked.duration_ns]) or forget(own) or not known)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert unasked.duration_ns == 2


def test_after_a_fork_in_the_midst_of_something(own: Device, fetched: list[int]) -> None:
    """A lock that another thread of the parent holds stays locked in the child."""
    result = add(own.kernel(ADD))
    assert isinstance(result._duration, StepTime)
    locks = [own._backend.queue.lock, result._duration._reading._clock.lock]
    with ThreadPoolExecutor(1) as other, ExitStack() as held:
        other.submit(lambda: [lock.acquire() for lock in locks]).result()
        held.callback(lambda: other.submit(lambda: [lock.release() for lock in locks]).result())
        child = os.fork()
        if child == 0:
            signal.alarm(10)
            os._exit(refusals([lambda: result.duration_ns]))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert result.duration_ns == 1


def test_while_work_runs_that_was_given_up(own: Device, fetched: list[int]) -> None:
    """lavapipe would wait for it."""
    kernel, spin = own.kernel(ADD), own.kernel(SPIN)
    result, owned = add(kernel), own._backend.owned
    with pytest.raises(DispatchTimeout, match="did not end"):
        spin.dispatch(200, u0=own.buffer(4), cb0=60000, timeout=0.001)
    attempts: list[Callable[[], object]] = [lambda: result.duration_ns, lambda: add(kernel)]
    for attempt in attempts:
        with pytest.raises(DispatchTimeout, match="still busy"):
            attempt()
    assert fetched == []
    own._backend.queue.wait_idle(6 * 10**10)
    assert result.duration_ns == 1
    assert add(kernel).u0[0] == 1
    assert own._backend.owned <= owned + 1, "nothing but what was given up is left"


@pytest.mark.parametrize("when", ["asked", "repeated", "not repeated"])
def test_others_may_submit_meanwhile(
    own: Device, monkeypatch: pytest.MonkeyPatch, fetched: list[int], when: str
) -> None:
    kernel, lock, free = own.kernel(ADD), own._backend.queue.lock, list[bool]()
    ask = Clock.durations_ns

    def is_free() -> bool:
        taken = lock.acquire(blocking=False)
        if taken:
            lock.release()
        return taken

    def durations_ns(clock: Clock) -> list[int]:
        free.append(other.submit(is_free).result())
        return ask(clock)

    monkeypatch.setattr(Clock, "durations_ns", durations_ns)
    with ThreadPoolExecutor(1) as other:
        if when == "not repeated":
            result = kernel.dispatch(1, bindings={"u0": np.zeros(1, "u4"), "cb0": 1})
        else:
            result = add(kernel)
        if when == "repeated":
            add(kernel)
        assert result.duration_ns == 1
    assert free == [True]


def test_of_a_device_that_was_lost(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be fetched before the device is closed is not asked for behind."""
    result, asked = add(own.kernel(ADD)), list[Clock]()
    if result.duration_ns is None:
        pytest.skip(f"{own.name} has no timestamps")
    result = add(own.kernel(ADD))

    def lost(clock: Clock) -> list[int]:
        asked.append(clock)
        raise DeviceLostError("vkGetQueryPoolResults", -4)

    monkeypatch.setattr(Clock, "durations_ns", lost)
    own.close()
    for _ in range(2):
        with pytest.raises(DeviceLostError, match="vkGetQueryPoolResults"):
            _ = result.duration_ns
    assert len(asked) == 1


@pytest.mark.parametrize("turn", range(3))
def test_two_threads_ask_at_once(own: Device, fetched: list[int], turn: int) -> None:
    """The other one comes in front of a line that the first is about to execute."""
    result, answers = add(own.kernel(ADD)), list[int | None]()
    code, lines = type(result).duration_ns.fget.__code__, list[int]()

    def trace(frame: Any, event: str, _argument: Any) -> Any:
        if frame.f_code is not code:
            return None
        if event == "line":
            lines.append(frame.f_lineno)
            if len(lines) == turn + 1:
                answers.append(other.submit(lambda: result.duration_ns).result())
        return trace

    before = sys.gettrace()
    with ThreadPoolExecutor(1) as other:
        sys.settrace(trace)
        try:
            answers.append(result.duration_ns)
        finally:
            sys.settrace(before)
    assert answers == [1, 1]
