"""Durations are fetched when asked for, and are still those of their own submission."""

from __future__ import annotations

import copy
import os
import pickle
from typing import Any

import numpy as np
import pytest

from tests.running.shaders import ADD
from tests.running.test_threads import forget, refusals
from vkrunner import Device, Kernel, Result
from vkrunner.clock import Clock


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
