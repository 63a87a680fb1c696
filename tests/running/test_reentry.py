"""Signals' handlers, finalizers and other threads come while the device is within a call.

Handlers and finalizers within the device's lock are refused by a ReentryError.
"""

import gc
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, Event
from types import FrameType
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import NOT_READY, Driver
from checks.running.processes import LONGEST_S, run, run_python
from checks.running.shaders import ADD, NEXT, SPIN, TYPED, spun
from vkrunner import ArgumentError, Device, ReentryError

# --- finalizers ---------------------------------------------------------------------------------

# An owner that collects itself, and closes its buffer, while the device is destroyed
CLOSING = """
for threshold in range(1, 50):  # the collector comes before the end with the first 26
    device = vkrunner.open_device(index)
    kept = [device.buffer(64) for _ in range(20)]
    collected(threshold, device.buffer(4).close, device.close)
"""


@pytest.mark.slow(reason="devices are opened and closed many times")
def test_a_finalizer_closes_a_buffer_while_its_device_is_destroyed(device: Device) -> None:
    run(device, CLOSING)


def test_a_finalizer_closes_the_device(device: Device, driver: Driver) -> None:
    """It may run while its thread has the device's lock."""
    own = vkrunner.open_device(device.info.index)

    class Owner:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            own.close()

    buffer = own.buffer(16)
    gc.disable()  # the owner must not be collected before
    Owner()

    def collect(function: Callable[..., Any], *arguments: Any) -> Any:
        driver.restore("vkDestroyBuffer")
        gc.enable()
        gc.collect()
        assert driver.objects["Device"], "it is destroyed when this thread has left the lock"
        return function(*arguments)

    driver.replace("vkDestroyBuffer", collect)
    large = own.buffer(300 << 20)  # is freed when it is closed
    large.close()
    assert driver.objects["Device"] == driver.objects["Buffer"] == 0
    buffer.close()
    own.close()


# Finalizers act within each call
WITHIN = """
device = vkrunner.open_device(index)
name, expected = words[0], {"dispatch": 1, "start": 1, "submit": spun(2000)}
kernel, spin = device.kernel(ADD), device.kernel(SPIN)
recording, sizes = device.record(), itertools.count(1)
recording.dispatch(spin, 1, u0=np.zeros(1, "u4"), cb0=2000)
ignored, kept, refused = [], [], []
sys.unraisablehook = lambda about: ignored.append(about.exc_value)

def act():
    if name == "dispatch":
        size = next(sizes)
        assert kernel.dispatch(1, u0=np.zeros(size, "u4"), cb0=size).u0[0] == size
    elif name == "start":
        kept.append(kernel.dispatch_async(1, u0=zeros, cb0=1))
    else:
        kept.append(recording.submit())
    del kept[:-20]

def close_and_act():
    device.buffer(4).close()
    act()

def try_to_act():
    try:
        act()
    except vkrunner.ReentryError:
        refused.append(True)

for name in words:
    kept, refused = [], []
    for threshold in range(1, 120):
        for _ in range(3):
            act()
        collected(threshold, try_to_act, close_and_act)
    assert not ignored, ignored[0]
    assert 0 < len(refused) < 119
    for future in kept:
        assert future.result().u0[0] == expected[name]
"""


@pytest.mark.slow(reason="hundreds of calls, each with many finalizers")
def test_finalizers_within_each_call(device: Device) -> None:
    """They are refused, or do what they ask for, and the interrupted call ends as always."""
    run(device, WITHIN, "dispatch", "start", "submit")


TAKEN = {
    # No thread waits for these while it holds the lock of the devices.
    "vkrunner/vulkan/encode/variants.py takes vkrunner/dispatch/context.py",
    "vkrunner/vulkan/encode/variants.py takes vkrunner/shader/cache/store.py",
}
# lavapipe waits until its queue is idle, which needs no lock.
WAITS = {"vkrunner/vulkan/encode/command_list.py vkGetQueryPoolResults"}


@pytest.mark.slow(reason="a call under each lock")
def test_under_each_lock(device: Device) -> None:
    """Nothing waits, joins a thread or calls a caller's code while it holds a lock."""
    found = set(run_python("-m", "checks.locks", str(device.info.index)).splitlines())
    assert found >= TAKEN, "the program notes locks"
    assert found <= TAKEN | WAITS


# --- threads ------------------------------------------------------------------------------------


def test_waiting_for_work_that_has_ended(own: Device) -> None:
    """It does not wait for a thread that copies the results."""
    kernel, many = own.kernel(ADD), np.zeros(16 << 20, np.uint32)
    for _ in range(3):
        future = kernel.dispatch_async(1, u0=many, cb0=1)
        future.wait()
        with ThreadPoolExecutor(1) as threads:
            copying = threads.submit(future.result)
            while not copying.done():
                future.wait(1e-6)
            assert copying.result().u0[0] == 1


def test_a_recording_is_closed_while_a_thread_waits_for_its_oldest_work(
    driven: Device, driver: Driver
) -> None:
    """The thread waits in the driver, and goes on only after the recording is closed."""
    waits, goes_on = Event(), Event()
    spin = driven.kernel(SPIN)
    with driven.record() as recording:
        step = recording.dispatch(spin, 8, u0=np.zeros(1, np.uint32), cb0=30000)
    recording.submit().wait()

    def wait(function: Callable[..., Any], *arguments: Any) -> Any:
        waits.set()
        goes_on.wait(LONGEST_S)
        return function(*arguments)

    futures = [recording.submit() for _ in range(8)]
    driver.replace("vkWaitForFences", wait)
    with ThreadPoolExecutor(1) as threads:
        one_more = threads.submit(recording.submit)
        if waits.wait(0.5):  # else the oldest ended at once
            recording.close()
            goes_on.set()
            with pytest.raises(ArgumentError, match="the recording is closed"):
                one_more.result()
        goes_on.set()
    driver.restore()
    for future in futures:
        assert future.result(step).u0[0] == spun(30000)


def test_a_variant_is_compiled_once(driven: Device, driver: Driver) -> None:
    kernel, barrier = driven.kernel(TYPED), Barrier(4)
    before = driver.calls["vkCreateComputePipelines"]

    def work(_number: int) -> int:
        barrier.wait()
        return int(kernel.dispatch(1, u0=np.zeros(4, np.uint32)).u0[0])

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(4))) == [3] * 4
    assert driver.calls["vkCreateComputePipelines"] == before + 1


def test_variants_are_let_go(driven: Device, driver: Driver) -> None:
    """A kernel keeps a bounded number of pipelines."""
    kernel = driven.kernel(
        "cs_5_1\ndcl_uav_structured U0[0:*], 4, space=0\ndcl_thread_group 1, 1, 1\nret\n"
    )
    if not driven.features.runtime_descriptor_array:
        pytest.skip("lengths of arrays make the variants")
    for length in range(1, 300):
        kernel.dispatch(1, u0=[None] * length)
    gc.collect()
    driven.buffer(4).close()
    assert driver.objects["Pipeline"] < 300


# --- handlers of signals ------------------------------------------------------------------------

# What makes the runner call this driver's function while it holds the device's lock
INSIDE: dict[str, Callable[[Device], object]] = {
    "vkQueueSubmit": lambda device: dispatched(device, 1),
    "vkResetFences": lambda device: dispatched(device, 1),
    "vkCreateFence": lambda device: dispatched(device, 2),
    "vkBeginCommandBuffer": lambda device: dispatched(device, 2),
    "vkDestroyPipeline": lambda device: dispatched(device, 1) and device.kernel(ADD).close(),
}


def dispatched(device: Device, size: int) -> bool:
    with device.kernel(ADD) as kernel:
        result = kernel.dispatch(1, u0=np.zeros(size, np.uint32), cb0=3)
    return bool(result.u0[0] == 3)


@pytest.mark.parametrize("inside", [*INSIDE])
def test_calls_within_the_lock(driven: Device, driver: Driver, inside: str) -> None:
    """All are refused at once, also of another device; what they close is freed afterwards."""
    kernel, buffer, before = driven.kernel(ADD), driven.buffer(4), driver.objects["Device"]
    spin, other = driven.kernel(SPIN), vkrunner.open_device(driven.info.index)
    others, third = other.kernel(ADD), vkrunner.open_device(driven.info.index)
    views = [np.asarray(third.buffer(4))]  # of the device's memory, where that can be mapped
    third.close()
    devices = driver.objects["Device"]
    with driven.record(timestamps=driven.features.timestamps) as work:
        step = work.dispatch(kernel, 1, u0=np.zeros(1, np.uint32), cb0=1)
    timed, zero = work.submit().result(step), np.zeros(1, np.uint32)
    future = spin.dispatch_async(8, u0=zero, cb0=30000)
    calls: list[Callable[[], object]] = [
        *(lambda: kernel.dispatch(1, u0=zero, cb0=1), lambda: others.dispatch(1, u0=zero, cb0=1)),
        *(lambda: kernel.dispatch_async(1, u0=zero, cb0=1), work.submit, future.result),
        *(future.done, future.wait, lambda: future.add_done_callback(print), buffer.read),
        *(lambda: buffer.write(zero), lambda: np.asarray(buffer), lambda: driven.kernel(ADD)),
        *(lambda: driven.buffer(4), lambda: driven.texture((4, 4)), driven.sampler),
        *(lambda: driven.is_compiling, lambda: driven.faults),
        *([lambda: timed.duration_ns] if driven.features.timestamps else []),
    ]
    refused: list[int] = []

    def handle(function: Callable[..., Any], *arguments: Any) -> Any:
        driver.restore(inside)
        for number, call in enumerate(calls):
            with suppress(ReentryError):
                call()
                raise AssertionError(f"call {number} was not refused")
        for closed in (buffer, spin, work, other):
            closed.close()
        views.clear()
        assert driver.objects["Device"] == devices
        refused.append(len(calls))
        return function(*arguments)

    driver.replace(inside, handle)
    INSIDE[inside](driven)
    assert kernel.dispatch(1, u0=np.zeros(3, np.uint32), cb0=7).u0.tolist() == [7, 0, 0]
    assert refused == [len(calls)]
    assert future.result().u0[0] == spun(30000)
    driven.buffer(4).close()
    assert driver.objects["Device"] == before
    assert driven.features.timestamps is False or timed.duration_ns is not None


def test_a_time_that_another_thread_fetches(driven: Device, driver: Driver) -> None:
    """A handler within the lock does not wait for that thread."""
    if not driven.features.timestamps:
        pytest.skip("the device has no timestamps")
    fetches, goes_on = Event(), Event()
    with driven.record(timestamps=True) as work:
        step = work.dispatch(driven.kernel(ADD), 1, u0=np.zeros(1, np.uint32), cb0=1)
    timed = work.submit().result(step)

    def fetch(function: Callable[..., Any], *arguments: Any) -> Any:
        fetches.set()
        goes_on.wait(LONGEST_S / 10)
        return function(*arguments)

    def handle(function: Callable[..., Any], *arguments: Any) -> Any:
        driver.restore("vkQueueSubmit")
        with pytest.raises(ReentryError):
            _ = timed.duration_ns
        goes_on.set()
        return function(*arguments)

    driver.replace("vkGetQueryPoolResults", fetch)
    driver.replace("vkQueueSubmit", handle)
    with ThreadPoolExecutor(1) as thread:
        fetching = thread.submit(lambda: timed.duration_ns)
        assert fetches.wait(LONGEST_S)
        assert dispatched(driven, 1)
        assert fetching.result() is not None


def test_a_handler_within_a_wait(driven: Device, driver: Driver) -> None:
    """Its thread only waits, so that it may use the device."""
    kernel, spin, found = driven.kernel(ADD), driven.kernel(SPIN), list[int]()

    def wait(function: Callable[..., Any], *arguments: Any) -> Any:
        driver.restore("vkWaitForFences")
        found.append(int(kernel.dispatch(1, u0=np.zeros(1, np.uint32), cb0=5, timeout=600).u0[0]))
        return function(*arguments)

    driver.replace("vkWaitForFences", wait)
    driver.replace("vkGetFenceStatus", lambda function, *arguments: NOT_READY)
    future = spin.dispatch_async(8, u0=np.zeros(1, np.uint32), cb0=30000)
    assert future.result().u0[0] == spun(30000)
    assert found == [5]


# A handler does as the main program does, at random moments
HANDLING = """
device = vkrunner.open_device(index)
kernel, array, done, kept = device.kernel(ADD), np.zeros(64, "u4"), [0, 0], []

def dispatch():
    assert kernel.dispatch(1, u0=array, cb0=7).u0[0] == 7

def keep():
    kept.append(kernel.dispatch_async(1, u0=array, cb0=1))
    del kept[:-3]

def close():
    device.buffer(64).close()

def make():
    device.kernel("shaders/saxpy.dxbc").close()

def record():
    with device.record() as recording:
        recording.dispatch(kernel, 1, u0=array, cb0=1)
    recording.submit().wait()
    recording.close()

acts = dict(dispatch=dispatch, make=make, record=record)
mine, theirs = acts[words[0]], itertools.cycle([*acts.values(), keep, close])

def handle(*_):
    done[0] += 1
    try:
        next(theirs)()
    except vkrunner.ReentryError:
        done[1] += 1
    signal.setitimer(signal.ITIMER_REAL, 1e-4)

signal.signal(signal.SIGALRM, handle)
with device.profile(open("/dev/null", "w")) as profile:
    signal.setitimer(signal.ITIMER_REAL, 1e-4)
    while done[0] < 300:
        mine()
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    profile.table()
assert kernel.dispatch(1, u0=array, cb0=5).u0[0] == 5
assert done[1] < 300
"""


@pytest.mark.parametrize("mine", ["dispatch", "make", "record"])
def test_a_handler_uses_the_device(device: Device, mine: str) -> None:
    """Or it is refused, where its thread has the lock."""
    run(device, HANDLING, mine)


IMPORTS = """
import sys
import numpy as np
import vkrunner
from checks.running.shaders import ADD
device = vkrunner.open_device(int(sys.argv[1]))
kernel = device.kernel(ADD)
before = set(sys.modules)
array = np.zeros(4, "u4")
kernel.dispatch(1, u0=array, cb0=1)
kernel.dispatch_async(1, u0=array, cb0=1).result()
buffer = device.buffer(array)
with device.record() as recording:
    recording.dispatch(kernel, 1, u0=buffer, cb0=1)
recording.submit().wait()
buffer.read()
assert not set(sys.modules) - before, set(sys.modules) - before
assert "numpy.ma" not in sys.modules  # by trials of the device neither
"""


def test_work_imports_no_module(device: Device) -> None:
    """A handler that comes during an import finds half a module."""
    run_python("-c", IMPORTS, str(device.info.index))


def test_a_handler_within_a_dispatch_of_the_reference_machine() -> None:
    """It cannot wait for its own thread: it gets an error, and the dispatch goes on."""
    said: list[str] = []
    with vkrunner.open_device("reference") as machine:
        kernel, total = machine.kernel(SPIN), machine.buffer(np.zeros(1, np.uint32))
        other = machine.kernel(NEXT)

        def handle(number: int, frame: FrameType | None) -> None:
            try:
                total.write(np.ones(1, np.uint32))
                other.dispatch(1, t0=np.zeros(1, "u4"), u0=np.zeros(1, "u4"))
            except ReentryError as error:
                said.append(str(error))

        before = signal.signal(signal.SIGALRM, handle)
        try:
            while not said:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                kernel.dispatch(1, u0=total, cb0=300)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert "handler or finalizer" in said[0]
        assert kernel.dispatch(1, u0=total, cb0=7).counters == {}
        assert total.read()[0] == spun(7)


# Structs are freed all the time; a Python callback at their end would swallow Ctrl-C
HEARD = """
chance, ignored = random.Random(3), []
sys.unraisablehook = lambda about: ignored.append(about)
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
device = vkrunner.open_device(index)
for turn in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, chance.uniform(1e-5, 2e-3))
        for n in itertools.count():
            device.buffer(np.zeros(4 + n % 7, "u4")).close()
            device.sampler("point")
    except KeyboardInterrupt:
        pass
signal.setitimer(signal.ITIMER_REAL, 0)
assert not ignored, ignored[0]
"""


def test_every_ctrl_c_is_heard(device: Device) -> None:
    run(device, HEARD)


def test_kernels_are_made_while_the_lock_of_loggers_is_held(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python's logging leaves it held where Ctrl-C comes within `getLogger`."""
    monkeypatch.setenv("SM5VK_CACHE", "off")  # each kernel then logs that it was not cached
    device.kernel(ADD).close()
    held, ended = Event(), Event()

    class Held(logging.Logger):
        """`getLogger` makes a logger while it has the lock."""

        def __init__(self, name: str):
            held.set()
            ended.wait()
            super().__init__(name)

    manager = logging.Manager(logging.RootLogger(logging.WARNING))
    manager.setLoggerClass(Held)
    with ThreadPoolExecutor() as threads:
        holding = threads.submit(manager.getLogger, "any")
        held.wait()
        try:
            threads.submit(lambda: device.kernel(ADD).close()).result(LONGEST_S / 10)
        finally:
            ended.set()
        holding.result()
