"""Closing what another thread uses: its call gets a result or an error, never freed memory."""

import gc
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.devices import opened
from checks.running.processes import end_of_fork, refusals, resident_bytes
from checks.running.setting import CALLS, CLOSERS, Setting, refused
from checks.running.shaders import ADD, SPIN, spun
from vkrunner import ClosedError, Device

THREADS = 16
LONG = 40_000  # iterations of SPIN


@pytest.mark.slow(reason="a long dispatch for each call")
@pytest.mark.parametrize("closed", CLOSERS)
def test_beside_calls_of_another_thread(own: Device, closed: str) -> None:
    """Closed at a random moment of each call; open objects stay usable."""
    chance = random.Random(3)
    for name in CALLS * (1 if closed == "device" else 2):
        device = vkrunner.open_device(own.info.index) if closed == "device" else own
        setting = Setting(device)
        with _used(setting, [name]):
            time.sleep(chance.random() * 0.004)
            _close(getattr(setting, closed))
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
    setting, spin, state = Setting(own), own.kernel(SPIN), own.buffer(np.zeros(1, "u4"))
    futures = [spin.dispatch_async(8, u0=np.zeros(1, "u4"), cb0=LONG)]
    spin.dispatch_async(8, u0=state, cb0=LONG)
    futures.append(setting.recording.submit())
    futures.append(setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4")))
    for closed in (spin, state, setting.buffer, setting.texture, setting.kernel, setting.recording):
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

    def drop() -> int:
        nonlocal view
        del view
        gc.collect()
        return 0

    assert end_of_fork(drop) == 0
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
    setting = Setting(own)
    with _used(setting, (CALLS * 2)[:THREADS]) as pool:
        time.sleep(chance.random() * 0.02)
        names = chance.sample(CLOSERS, 3)
        closers = [pool.submit(_close, getattr(setting, name)) for name in names]
        time.sleep(0.005)
    for closer in closers:
        closer.result()
    own.close()


@pytest.mark.slow(reason="sixteen threads and many processes")
def test_forks_beside_sixteen_threads(device: Device) -> None:
    """Locks that the threads hold stay locked in the child; its calls are refused all the same."""
    own = opened("shared", device)
    setting = Setting(own)
    with _used(setting, (CALLS * 2)[:THREADS]):
        ends = [end_of_fork(lambda: _not_refused(setting)) for _ in range(12)]
    assert ends == [0] * 12
    setting.dispatch()
    own.close()


def _not_refused(setting: Setting) -> int:
    """The number of calls that a forked child is not refused."""
    own, kernel = setting.device, setting.kernel
    ends: dict[str, Any] = {"t0": setting.buffer, "u0": setting.target}
    missed = refusals([
        lambda: kernel.dispatch(1, **ends),
        lambda: kernel.dispatch_async(1, **ends),
        setting.buffer.read,
        lambda: setting.texture.write(setting.texels),
        setting.recording.submit,
        lambda: own.buffer(4),
        lambda: own.kernel(ADD),
    ])  # fmt: skip
    for name in CLOSERS:
        _close(getattr(setting, name))
    return missed


@contextmanager
def _used(setting: Setting, names: list[str]) -> Iterator[ThreadPoolExecutor]:
    """A thread for each call, which it repeats until it is refused or the block ends."""
    stop, begun = Event(), [Event() for _ in names]
    with ThreadPoolExecutor(len(names) + 3) as pool:
        calls = [
            pool.submit(_until_refused, getattr(setting, name), event, stop)
            for name, event in zip(names, begun, strict=True)
        ]
        try:
            assert all(event.wait(60) for event in begun)
            yield pool
        finally:
            stop.set()
        for call in calls:
            call.result(timeout=120)


def _until_refused(call: Callable[[], None], begun: Event, stop: Event) -> None:
    with refused("is closed"):
        while not stop.is_set():
            call()
            begun.set()


def _close(thing: Any) -> None:
    with refused("the buffer is mapped|the device is closed"):
        thing.close()
