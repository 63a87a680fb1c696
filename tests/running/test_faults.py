"""What goes wrong on the device: no memory, a lost device, errors in the midst of something."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import vkrunner
from tests.running.shaders import ADD, NEXT, SPIN, spun
from tests.running.starts import starter
from vkrunner import Device, DeviceLostError, OutOfMemoryError
from vkrunner.vulkan import vk
from vkrunner.vulkan.pool import IDLE_BYTES, slot_bytes
from vkrunner.vulkan.submissions import Queue

OUT_OF_DEVICE_MEMORY, DEVICE_LOST, NOT_READY = -2, -4, 1
LARGE = 5 << 20


class Failing:
    """vkAllocateMemory that fails as often as it is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.failures = 0
        real = vk.create

        def create(name: str, *arguments: Any, **named: Any) -> Any:
            if name == "vkAllocateMemory" and self.failures:
                self.failures -= 1
                raise OutOfMemoryError(name, OUT_OF_DEVICE_MEMORY)
            return real(name, *arguments, **named)

        monkeypatch.setattr(vk, "create", create)


def test_memory_that_nobody_uses_is_given_back_first(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = own.kernel(NEXT)
    array = np.zeros(LARGE, np.uint32)
    kernel.dispatch(1, t0=array, u0=array)
    own.buffer(array).close()
    pool = own._backend.device_pool
    before = pool.reserved_bytes
    failing = Failing(monkeypatch)
    failing.failures = 1
    own.buffer(np.zeros(LARGE // 2, np.uint32))
    assert pool.reserved_bytes < before
    assert kernel.dispatch(1, t0=array, u0=array).u0[0] == 1


def test_no_memory_at_all(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = own.kernel(NEXT)
    kernel.dispatch(1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
    array = np.zeros(LARGE, np.uint32)
    failing = Failing(monkeypatch)
    owned = own._backend.owned
    with own.record() as work:
        work.dispatch(kernel, 1, t0=array, u0=array)
    attempts: list[Callable[[], object]] = [
        lambda: own.buffer(array),
        lambda: kernel.dispatch(1, t0=array, u0=array),
        lambda: own.texture(np.zeros((64, 64), np.uint32)),
        lambda: work.submit(),
    ]
    for attempt in attempts:
        failing.failures = 3  # as often as it is tried
        with pytest.raises(OutOfMemoryError, match="VK_ERROR_OUT_OF_DEVICE_MEMORY"):
            attempt()
    failing.failures = 0
    assert own._backend.owned <= owned, "nothing is left of what failed"
    assert work.submit().result().u0[0] == 1
    assert kernel.dispatch(1, t0=array, u0=array).u0[0] == 1


def test_a_lost_device(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, buffer = own.kernel(ADD), own.buffer(np.zeros(1, np.uint32))
    for _ in range(2):
        kernel.dispatch(1, u0=buffer, cb0=1)
    with own.record() as work:
        work.dispatch(kernel, 1, u0=buffer, cb0=1)
    future = work.submit()
    queue = own._backend.queue
    queue.wait_idle(10**10)  # the driver is well: destroying is allowed
    monkeypatch.setattr(queue, "_submit", lambda *arguments: DEVICE_LOST)
    attempts: list[Callable[[], object]] = [
        lambda: kernel.dispatch(1, u0=buffer, cb0=1),
        lambda: kernel.dispatch_async(1, u0=buffer, cb0=1),
        lambda: kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1),
        lambda: own.buffer(4),
        work.submit,
    ]
    for attempt in attempts:
        with pytest.raises(DeviceLostError, match="vkQueueSubmit failed: VK_ERROR_DEVICE_LOST"):
            attempt()
    assert future.done()
    own.close()
    with vkrunner.open_device(own.info.index) as again:
        assert again.kernel(ADD).dispatch(1, u0=np.zeros(1, "u4"), cb0=1).u0[0] == 1


@pytest.mark.parametrize("asleep", [False, True])
def test_a_device_lost_while_waiting(
    own: Device, monkeypatch: pytest.MonkeyPatch, asleep: bool
) -> None:
    kernel = own.kernel(ADD)
    future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
    own._backend.queue.wait_idle(10**10)
    future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
    queue = own._backend.queue
    wait = queue._wait

    def lost(*arguments: Any) -> int:
        wait(queue._device, 1, future._submission.executable._work.fence.pointer, 1, 10**10)
        return DEVICE_LOST

    monkeypatch.setattr(queue, "_status", (lambda *_: NOT_READY) if asleep else lost)
    monkeypatch.setattr(queue, "_wait", lost)
    with pytest.raises(DeviceLostError):
        future.wait()
    with pytest.raises(DeviceLostError):
        kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)


def test_ctrl_c_while_waiting(own: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = own.kernel(ADD)

    def interrupted(queue: Queue, *arguments: Any) -> None:
        raise KeyboardInterrupt

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(Queue, "wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
        own._backend.queue.wait_idle(10**10)
        assert kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=1).u0[0] == 1


def test_work_after_an_interrupted_dispatch_waits_for_it(own: Device) -> None:
    spin, add = own.kernel(SPIN), own.kernel(ADD)
    state = own.buffer(np.zeros(1, "u4"))
    spin.dispatch(1, u0=state, cb0=0)  # so that nothing is left to be compiled
    with interrupted_after(0.1):
        spin.dispatch(500, u0=state, cb0=60000)
    assert add.dispatch(1, u0=np.zeros(1, "u4"), cb0=7).u0[0] == 7
    assert state.read()[0] == spun(60000), "the interrupted dispatch has ended"
    assert spin.dispatch(1, u0=state, cb0=2).u0[0] == spun(2)


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Around a call that a signal's handler ends by KeyboardInterrupt, as Ctrl-C does."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("recorded", [False, True])
def test_ctrl_c_while_submitting(
    own: Device, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    """Python hears of it right behind the call of vkQueueSubmit: the work is in flight."""
    queue, start = own._backend.queue, starter(own, own.kernel(SPIN), recorded=recorded)
    submit = queue._submit

    def submitted(*arguments: Any) -> int:
        result = submit(*arguments)
        signal.raise_signal(signal.SIGUSR1)
        return result

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        for turn in range(2):  # the first of its kind, and one that repeats it
            with monkeypatch.context() as patch:
                patch.setattr(queue, "_submit", submitted)
                patch.setattr(queue, "_status", lambda *_: NOT_READY)
                with pytest.raises(KeyboardInterrupt):
                    start(60000)
                assert queue._in_flight
            assert start(turn + 3).result().u0[0] == spun(turn + 3)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_constants_that_do_not_fit_spoil_nothing(own: Device) -> None:
    kernel = own.kernel(ADD)
    owned = None
    for value in (1, "x", 2, 2.5 + 1j, 3):
        if isinstance(value, int):
            assert kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=value).u0[0] == value
            owned = owned or own._backend.owned
            continue
        with pytest.raises(vkrunner.ArgumentError):
            kernel.dispatch(1, u0=np.zeros(1, "u4"), cb0=value)
    assert own._backend.owned == owned


def test_idle_memory_is_bounded(own: Device) -> None:
    pool = own._backend.device_pool
    buffers = [own.buffer(LARGE << 2) for _ in range(20)]
    assert pool.reserved_bytes >= 20 * (LARGE << 2)
    for buffer in buffers:
        buffer.close()
    assert pool.reserved_bytes <= IDLE_BYTES + (8 << 20)
    pool.trim()
    assert pool.reserved_bytes <= 8 << 20


def test_many_small_buffers_share_memory(own: Device) -> None:
    pool = own._backend.device_pool
    buffers = [own.buffer(np.full(size, size % 256, np.uint8)) for size in range(1, 700)]
    assert len(pool._blocks) < 20
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
