"""Closing what another thread uses: its call gets a result or an error, never freed memory."""

from __future__ import annotations

import gc
import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest

import vkrunner
from tests.driver import Driver
from tests.running.conftest import opened
from tests.running.forks import refusals
from tests.running.resident import resident_bytes
from tests.running.setting import CALLS, CLOSERS, Setting
from tests.running.shaders import ADD, SPIN, spun
from vkrunner import ArgumentError, ClosedError, Device

THREADS = 16
LONG = 40_000  # iterations of SPIN

Act = Callable[[], None]


@pytest.mark.slow(reason="a long dispatch for each call")
@pytest.mark.parametrize("closed", CLOSERS)
def test_beside_calls_of_another_thread(own: Device, closed: str) -> None:
    """Closed at a random moment of each call; open objects stay usable."""
    chance = random.Random(3)
    for name in CALLS * (1 if closed == "device" else 3):
        device = vkrunner.open_device(own.info.index) if closed == "device" else own
        setting, begun, stop = Setting(device), Event(), Event()
        with ThreadPoolExecutor(1) as other:
            call = getattr(setting, name)
            calls = other.submit(_until_refused, call, begun, stop)
            assert begun.wait(60)
            time.sleep(chance.random() * 0.004)
            _close(getattr(setting, closed))
            stop.set()
            calls.result(timeout=120)
        if closed != "device":
            getattr(Setting(device), name)()


def test_of_a_device_by_two_threads(own: Device) -> None:
    """Both calls return when the device's work has ended."""
    for _ in range(8):
        device = vkrunner.open_device(own.info.index)
        future = device.kernel(SPIN).dispatch_async(4, u0=np.zeros(1, "u4"), cb0=LONG)
        both = Barrier(2)
        with ThreadPoolExecutor(2) as pool:

            def close(device: Device = device, both: Barrier = both) -> None:
                both.wait(60)
                device.close()

            for closer in [pool.submit(close) for _ in range(2)]:
                closer.result(timeout=60)
        assert future.done()
        assert future.result().u0[0] == spun(LONG)


def test_of_a_recording_after_its_device(own: Device) -> None:
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 1, u0=np.zeros(1, "u4"), cb0=1)
    recording.submit()
    own.close()
    recording.close()
    recording.close()


def test_of_all_while_the_device_works(own: Device) -> None:
    """Submitted work keeps its results; closed objects are refused immediately."""
    setting, spin = Setting(own), own.kernel(SPIN)
    futures = [spin.dispatch_async(8, u0=np.zeros(1, "u4"), cb0=LONG)]
    futures.append(setting.recording.submit())
    futures.append(setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4")))
    for closed in (spin, setting.buffer, setting.texture, setting.kernel, setting.recording):
        closed.close()
    for call in (setting.dispatch, setting.recorded, setting.read, setting.texel):
        with pytest.raises(ClosedError):
            call()
    others = [own.buffer(np.full(64, n, np.uint32)) for n in range(16)]
    assert futures[0].result().u0[0] == spun(LONG)
    assert futures[1].result(setting.step).u0.tolist() == [1, 4, 7, 10]
    assert futures[2].result().u0.tolist() == [1, 4, 7, 10]
    assert [int(other.read()[5]) for other in others] == [*range(16)]


@pytest.mark.parametrize("how", ["closed", "collected"])
def test_of_a_kernel_before_its_result_is_fetched(own: Device, how: str) -> None:
    for number in range(3):
        kernel = own.kernel(ADD)
        future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=number)
        if how == "closed":
            kernel.close()
        del kernel
        assert future.result().u0[0] == number


def test_by_finalizers(own: Device) -> None:
    """They run within any call: each turn leaves cycles to the garbage collector."""
    thresholds = gc.get_threshold()
    gc.set_threshold(20, 1, 1)
    try:
        for _ in range(25):
            setting = Setting(own)
            cycle: list[Any] = [setting, setting.kernel.dispatch_async(
                4, t0=setting.buffer, u0=np.zeros(4, "u4")
            )]  # fmt: skip
            cycle.append(cycle)
            other = Setting(own)
            del setting, cycle
            for name in CALLS:
                getattr(other, name)()
    finally:
        gc.set_threshold(*thresholds)


def test_a_fork_that_drops_the_last_view(own: Device) -> None:
    """The child releases nothing of its parent, whose view stays valid."""
    buffer = own.buffer(np.arange(4, dtype=np.uint32))
    with buffer.map("r") as view:
        pass
    own.close()
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # a driver without its threads may wait for ever
        del view
        gc.collect()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert view.tolist() == [0, 1, 2, 3]


def test_objects_made_and_closed_during_a_call(own: Device) -> None:
    """A long call of another thread does not hold memory of objects that it does not use."""
    spin, zeros = own.kernel(SPIN), np.zeros(1, "u4")
    data = np.ones(32 << 20, np.uint8)
    spin.dispatch(1, u0=zeros, cb0=0)
    with ThreadPoolExecutor(1) as other:
        call = other.submit(spin.dispatch, 400, u0=zeros, cb0=LONG)
        own.buffer(data).close()
        before, made = resident_bytes(), 0
        while made < 60 and not call.done():
            own.buffer(data).close()
            made += 1
        grown = resident_bytes() - before
        assert call.result(timeout=120).u0[0] == spun(LONG)
    assert grown < 448 << 20, f"{grown >> 20} MiB after {made} buffers of 32"


@pytest.mark.parametrize("used", ["dispatched", "recorded"])
@pytest.mark.parametrize("how", ["closed", "collected"])
def test_cached_dispatches_end_with_their_buffer(
    driven: Device, driver: Driver, used: str, how: str
) -> None:
    """A closed buffer's memory is freed, though a dispatch or a recording may be repeated."""
    kernel, found, kept = driven.kernel(ADD), list[tuple[int, int]](), list[Any]()
    for _ in range(4):
        buffer = driven.buffer(np.zeros(1 << 20, np.uint32))
        recording = driven.record()
        if used == "recorded":
            recording.dispatch(kernel, 8, u0=buffer, cb0=1)
            recording.submit().wait()
        else:
            kernel.dispatch(8, u0=buffer, cb0=1)
        if how == "closed":
            buffer.close()
            kept.append((buffer, recording))
        del buffer, recording
        gc.collect()
        driven.buffer(4).close()
        found.append((driver.memory_bytes, driver.objects["Fence"]))
    assert found[1:] == [found[1]] * 3


@pytest.mark.parametrize("turn", range(8))
def test_anything_at_any_time(device: Device, turn: int) -> None:
    """Sixteen threads work until they are refused, under the validation layer."""
    chance = random.Random(turn)
    kind = ("shared", "staged", "written", "reference")[turn % 4]
    own = opened(kind, device, timestamps=turn % 3 == 0)
    things = _things(own)
    works, stop = [work for work in _works(own, things) for _ in range(3)][:THREADS], Event()
    with ThreadPoolExecutor(len(works) + 3) as pool:
        begun = [Event() for _ in works]
        futures = [
            pool.submit(_until_refused, work, event, stop)
            for work, event in zip(works, begun, strict=True)
        ]
        assert all(event.wait(60) for event in begun)
        time.sleep(chance.random() * 0.02)
        closed = chance.sample([*things.values(), own], 3)
        futures += [pool.submit(_close, thing) for thing in closed]
        time.sleep(0.005)
        stop.set()
        for future in futures:
            future.result(timeout=120)
    own.close()


@pytest.mark.slow(reason="sixteen threads and many processes")
def test_forks_beside_sixteen_threads(device: Device) -> None:
    """Locks that the threads hold stay locked in the child; its calls are refused all the same."""
    own = opened("shared", device)
    things = _things(own)
    works, stop = [work for work in _works(own, things) for _ in range(3)][:THREADS], Event()
    with ThreadPoolExecutor(len(works)) as pool:
        begun = [Event() for _ in works]
        futures = [
            pool.submit(_until_refused, work, event, stop)
            for work, event in zip(works, begun, strict=True)
        ]
        assert all(event.wait(60) for event in begun)
        ends = [_fork(own, things) for _ in range(12)]
        stop.set()
        for future in futures:
            future.result(timeout=120)
    assert ends == [0] * 12
    assert things["kernel"].dispatch(1, u0=np.zeros(1, "u4"), cb0=9).u0[0] == 9
    own.close()


def _fork(own: Device, things: dict[str, Any]) -> int:
    """The exit of a child: the number of calls that were not refused, or a signal."""
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        zeros = np.zeros(1, "u4")
        missed = refusals([
            lambda: things["kernel"].dispatch(1, u0=zeros, cb0=1),
            lambda: things["kernel"].dispatch_async(1, u0=things["buffer"], cb0=1),
            things["buffer"].read,
            lambda: things["texture"].write(np.ones((8, 8), np.float32)),
            things["recording"].submit,
            lambda: own.buffer(4),
            lambda: own.kernel(ADD),
        ])  # fmt: skip
        for thing in (*things.values(), own):
            thing.close()
        os._exit(missed)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _things(own: Device) -> dict[str, Any]:
    kernel, buffer = own.kernel(ADD), own.buffer(np.zeros(64, np.uint32))
    texture = own.texture(np.ones((8, 8), np.float32))
    with own.record() as recording:
        recording.dispatch(kernel, 64, u0=buffer, cb0=1)
        recording.dispatch(kernel, 8, u0=np.zeros(8, "u4"), cb0=2)
    return {"kernel": kernel, "buffer": buffer, "texture": texture, "recording": recording}


def _works(own: Device, things: dict[str, Any]) -> list[Act]:
    kernel, buffer, texture = things["kernel"], things["buffer"], things["texture"]
    recording, last = things["recording"], things["recording"].dispatches[1]
    groups = own.buffer(np.array([2, 1, 1], np.uint32))

    def arrays() -> None:
        assert (kernel.dispatch(64, u0=np.zeros(64, "u4"), cb0=3).u0 == 3).all()
        for _ in range(3):
            kernel.dispatch_async(8, u0=np.zeros(8, "u4"), cb0=1)

    def resident() -> None:
        future = kernel.dispatch_async(64, u0=buffer, cb0=1)
        buffer.read()
        future.result()

    def recorded() -> None:
        assert (recording.submit().result(last).u0 == 2).all()

    def textures() -> None:
        texture.write(np.ones((8, 8), np.float32))
        assert (texture.read() == 1).all()

    def made() -> None:
        with own.buffer(np.arange(9)) as new, new.map("r") as view:
            assert view.tolist() == list(range(9))

    def indirect() -> None:
        result = kernel.dispatch_indirect(groups, u0=np.zeros(3, "u4"), cb0=5)
        assert result.u0.tolist() == [5, 5, 0]

    return [arrays, resident, recorded, textures, made, indirect]


def _until_refused(work: Act, begun: Event, stop: Event) -> None:
    with _refused("is closed"):
        while not stop.is_set():
            work()
            begun.set()


def _close(thing: Any) -> None:
    with _refused("the buffer is mapped|the device is closed"):
        thing.close()


@contextmanager
def _refused(match: str) -> Iterator[None]:
    """The block may be refused for this reason, and for no other."""
    try:
        yield
    except ArgumentError as error:
        if not re.search(match, str(error)):
            raise
