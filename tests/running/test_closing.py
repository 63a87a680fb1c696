"""Closing what another thread works with: it gets its result or an error, never freed memory."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest

from tests.running.conftest import opened
from tests.running.shaders import ADD, NEXT, SPIN
from tests.running.starts import in_time
from vkrunner import ArgumentError, Device
from vkrunner.recording import Recording as DeviceRecording
from vkrunner.vulkan import logical as logical_module
from vkrunner.vulkan.pool import IDLE_BYTES

NOT_READY = 1  # VK_NOT_READY
CLOSERS = ["kernel", "buffer", "device"]

Act = Callable[[], None]


class Setting:
    """A device with one of each, and the order in which they are destroyed."""

    def __init__(self, own: Device):
        self.device, self.logical = own, own._backend
        self.ended: list[str] = []
        texels = np.arange(16, dtype=np.float32).reshape(4, 4)
        self.kernel = self._made("kernel", lambda: own.kernel(NEXT))
        self.buffer = self._made("buffer", lambda: own.buffer(np.arange(4, dtype=np.uint32)))
        self.texture = self._made("texture", lambda: own.texture(texels))
        self.logical._stack.callback(self.ended.append, "device")

    def _made(self, name: str, make: Callable[[], Any]) -> Any:
        stacks = self.logical.deletions._open
        count, made = len(stacks), make()
        [*stacks][count].callback(self.ended.append, name)
        return made

    def closed_elsewhere(self, name: str) -> None:
        """Closed by another thread, which does not destroy it yet."""
        with ThreadPoolExecutor(1) as other:
            other.submit(getattr(self, name).close).result(timeout=60)
        assert name not in self.ended


@pytest.fixture
def setting(own: Device) -> Setting:
    return Setting(own)


def once(patch: pytest.MonkeyPatch, owner: Any, name: str, act: Act, *, first: bool) -> None:
    """Have `act` happen at the next call of a method, before or behind it."""
    method, acts = getattr(owner, name), [act]

    def call(*arguments: Any, **named: Any) -> Any:
        patch.undo()
        if first and acts:
            acts.pop()()
        result = method(*arguments, **named)
        if acts:
            acts.pop()()
        return result

    patch.setattr(owner, name, call)


@pytest.mark.parametrize("name", CLOSERS)
def test_between_the_end_of_a_dispatch_and_its_results(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for turn in range(2):  # the first of its kind, and one that repeats it
        if turn == 1:
            act = lambda: setting.closed_elsewhere(name)  # noqa: E731
            once(monkeypatch, setting.logical.queue, "wait", act, first=False)
        result = setting.kernel.dispatch(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
        assert result.u0.tolist() == [1, 4, 7, 10]
    setting.logical.collect()
    assert setting.ended[-1] == name


@pytest.mark.parametrize("name", ["kernel", "buffer"])
def test_before_a_dispatch_is_submitted(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Which goes on as if it had been submitted before; the work outlives the call."""
    queue = setting.logical.queue
    status = queue._status
    once(monkeypatch, queue, "submit", lambda: setting.closed_elsewhere(name), first=True)
    with pytest.MonkeyPatch.context() as running:
        running.setattr(queue, "_status", lambda *_: NOT_READY)
        future = setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
        setting.logical.collect()
        assert not setting.ended, "the device works with it"
    assert queue._status == status
    assert future.result().u0.tolist() == [1, 4, 7, 10]
    setting.logical.collect()
    assert setting.ended == [name]


def test_of_a_device_before_a_dispatch_is_submitted(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = setting.logical.queue
    once(monkeypatch, queue, "submit", lambda: setting.closed_elsewhere("device"), first=True)
    with pytest.raises(ArgumentError, match="the device is closed"):
        setting.kernel.dispatch(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
    assert setting.ended[-1] == "device"


def test_of_a_device_behind_a_submission(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The future keeps its result, though nobody knew of it when the device was closed."""
    queue = setting.logical.queue
    once(monkeypatch, queue, "submit", lambda: setting.closed_elsewhere("device"), first=False)
    future = setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
    assert setting.ended[-1] == "device"
    assert future.result().u0.tolist() == [1, 4, 7, 10]


@pytest.mark.parametrize("name", ["kernel", "buffer", "device"])
@pytest.mark.parametrize("first", [True, False])
def test_while_a_recording_is_submitted(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, name: str, first: bool
) -> None:
    with setting.device.record() as recording:
        recording.dispatch(setting.kernel, 4, t0=setting.buffer, u0=np.zeros(4, "u4"))
    queue = setting.logical.queue
    once(monkeypatch, queue, "submit", lambda: setting.closed_elsewhere(name), first=first)
    if name == "device" and first:
        with pytest.raises(ArgumentError, match="the device is closed"):
            recording.submit()
    else:
        assert recording.submit().result().u0.tolist() == [1, 4, 7, 10]
    recording.close()
    assert setting.ended[-1] == name


@pytest.mark.parametrize("name", ["buffer", "device"])
def test_while_a_buffer_is_read_and_written(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    buffer, act = setting.buffer, lambda: setting.closed_elsewhere(name)
    once(monkeypatch, setting.logical, "wait_for", act, first=False)
    call = lambda: (buffer.write(np.ones(4, "u4")), buffer.read())  # noqa: E731
    with pytest.raises(ArgumentError, match=f"the {name} is closed"):
        call()
    setting.logical.collect()
    assert setting.ended[-1] == name


@pytest.mark.parametrize("name", ["texture", "device"])
def test_while_a_texture_is_read(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    act = lambda: setting.closed_elsewhere(name)  # noqa: E731
    once(monkeypatch, setting.logical, "execute", act, first=False)
    assert setting.texture.read().reshape(-1).tolist() == list(range(16))
    setting.logical.collect()
    assert setting.ended[-1] == name


def test_while_a_buffer_is_mapped(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread may see that it is not mapped, and close it when another has begun to map it."""
    buffer = setting.buffer
    if buffer._memory.storage.slot.writable is None:
        pytest.skip("the host maps copies of this device's memory")

    def close() -> None:
        maps, buffer._maps = buffer._maps, []
        setting.closed_elsewhere("buffer")
        buffer._maps = maps

    once(monkeypatch, setting.logical, "wait_for", close, first=True)
    with buffer.map("w") as view:
        setting.logical.collect()
        assert not setting.ended
        view[:] = 7
        assert view.tolist() == [7] * 4
    del view
    setting.logical.collect()
    assert setting.ended == ["buffer"]


def test_one_after_another_in_one_thread(setting: Setting) -> None:
    """Nothing is put off where nothing is in the way, even within a call of the same thread."""
    setting.kernel.dispatch(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
    setting.texture.close()
    assert setting.ended == ["texture"]
    setting.buffer.close()
    assert setting.ended == ["texture", "buffer"]
    setting.kernel.close()
    assert setting.ended == ["texture", "buffer", "kernel"]
    setting.device.close()
    assert setting.ended == ["texture", "buffer", "kernel", "device"]


def test_a_submission_while_the_device_is_being_closed(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in flight is not taken for what has ended, to be submitted anew."""
    logical = own._backend
    with own.record() as recording:
        recording.dispatch(own.kernel(SPIN), 1, u0=np.zeros(1, "u4"), cb0=60000)
    recording.submit()  # nobody keeps the future
    closing, go_on, close = Event(), Event(), logical.queue.close

    def slowly() -> None:
        closing.set()
        go_on.wait(60)
        close()

    def act() -> None:
        other.submit(own.close)
        assert closing.wait(60)

    monkeypatch.setattr(logical.queue, "close", slowly)
    with ThreadPoolExecutor(1) as other:
        with pytest.MonkeyPatch.context() as patch, pytest.MonkeyPatch.context() as running:
            once(patch, recording, "_take", act, first=True)
            running.setattr(logical.queue, "_status", lambda *_: NOT_READY)
            in_flight = next(iter(recording._busy))
            with suppress(ArgumentError):
                assert recording.submit()._submission.executable is not in_flight
        go_on.set()


def test_two_threads_close_one_device(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both looked whether it is closed before either said so: the later one destroys it."""
    both, looks = Barrier(2), itertools.count()

    class Os:
        @staticmethod
        def getpid() -> int:
            if next(looks) < 2:
                both.wait(60)
            return os.getpid()

    with ThreadPoolExecutor(2) as pool, monkeypatch.context() as patch:
        patch.setattr(logical_module, "os", Os)
        closers = [pool.submit(setting.logical.close) for _ in range(2)]
        for closer in closers:
            closer.result(timeout=60)
    assert setting.ended.count("device") == 1
    setting.device.close()
    assert setting.ended.count("device") == 1


def test_by_a_handler_that_has_the_lock(own: Device) -> None:
    """A signal's handler closes the device, whatever its thread was about."""

    def work() -> None:
        with own._backend.lock:
            own.close()

    in_time(work, 30)


def test_of_a_recording_behind_its_device(own: Device) -> None:
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 1, u0=np.zeros(1, "u4"), cb0=1)
    recording.submit()
    own.close()
    recording.close()
    recording.close()


def test_of_a_recording_that_another_thread_waits_to_submit(own: Device) -> None:
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 1, u0=np.zeros(1, "u4"), cb0=1)
    assert isinstance(recording, DeviceRecording)
    check, checked = recording.check_open, Event()

    def checking() -> None:
        check()
        checked.set()

    with ThreadPoolExecutor(1) as other:
        with recording._lock:
            recording.check_open = checking
            late = other.submit(recording.submit)
            assert checked.wait(60)
            recording.close()
        with pytest.raises(ArgumentError, match="the recording is closed"):
            late.result(timeout=60)


def test_of_a_kernel_before_its_result_is_fetched(own: Device) -> None:
    """Nothing is kept for repetitions that cannot come."""
    owned = own._backend.owned
    for how in ("closed", "collected"):
        kernel = own.kernel(ADD)
        future = kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=1)
        if how == "closed":
            kernel.close()
        del kernel
        assert future.result().u0[0] == 1
        del future
        assert own._backend.owned == owned, how


def test_by_a_finalizer_while_results_are_copied(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which runs in the same thread, and passes every lock that it has."""
    future = setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4"))
    future.wait()

    def close() -> None:
        setting.device.close()
        assert not setting.ended

    once(monkeypatch, future._submission.executable, "outcomes", close, first=True)
    assert future.result().u0.tolist() == [1, 4, 7, 10]
    assert setting.ended[-1] == "device"


def test_of_a_recording_while_results_are_copied(
    own: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    with own.record() as recording:
        recording.dispatch(own.kernel(ADD), 8, u0=np.zeros(8, "u4"), cb0=1)
    future = recording.submit()
    future.wait()

    executable, ended = future._submission.executable, list[int]()
    executable._work.stack.callback(ended.append, 1)

    def close() -> None:
        recording.close()
        assert not ended

    once(monkeypatch, executable, "outcomes", close, first=True)
    del executable
    assert (future.result().u0 == 1).all()
    own._backend.collect()
    assert ended


@pytest.mark.parametrize("step", ["_has_settled", "_settle", "_destroy"])
def test_interrupted_at_any_step(
    setting: Setting, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    future = setting.kernel.dispatch_async(4, t0=setting.buffer, u0=np.zeros(4, "u4"))

    def interrupted() -> None:
        raise KeyboardInterrupt

    once(monkeypatch, setting.logical, step, interrupted, first=True)
    with pytest.raises(KeyboardInterrupt):
        setting.device.close()
    with pytest.raises(ArgumentError, match="the device is closed"):
        setting.buffer.read()
    setting.device.close()
    assert setting.ended[-1] == "device"
    assert future.result().u0.tolist() == [1, 4, 7, 10]


def test_a_fork_that_drops_the_last_view(setting: Setting) -> None:
    if setting.buffer._memory.storage.slot.writable is None:
        pytest.skip("the host maps copies of this device's memory")
    with setting.buffer.map("w") as view:
        view[:] = 0
    setting.device.close()
    assert "device" not in setting.ended
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # a driver without its threads may wait for ever
        try:
            del view
        finally:
            os._exit("device" in setting.ended)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    del view
    assert setting.ended[-1] == "device"


def test_what_is_made_and_closed_beside_a_call(own: Device) -> None:
    """A long call of another thread does not hold the memory of what it cannot know."""
    pool = own._backend.device_pool
    with ThreadPoolExecutor(1) as other, own._backend.in_use():
        for _ in range(50):
            other.submit(lambda: own.buffer(8 << 20).close()).result(timeout=60)
        assert pool.reserved_bytes <= IDLE_BYTES + (64 << 20)


def test_anything_at_any_time(device: Device) -> None:
    """Threads that go on until they are refused; the validation layer looks on."""
    chance = random.Random(5)
    for turn in range(12):
        kind = ("shared", "staged", "written", "reference")[turn % 4]
        own = opened(kind, device, timestamps=turn % 3 == 0)
        things = _things(own)
        works, stop = _works(own, things), Event()
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

    return [arrays, resident, recorded, textures, made]


def _until_refused(work: Act, begun: Event, stop: Event) -> None:
    with refused("is closed"):
        while not stop.is_set():
            work()
            begun.set()


def _close(thing: Any) -> None:
    with refused("the buffer is mapped|the device is closed"):
        thing.close()


@contextmanager
def refused(match: str) -> Iterator[None]:
    """It may be refused for this reason, and for no other."""
    try:
        yield
    except ArgumentError as error:
        if not re.search(match, str(error)):
            raise
