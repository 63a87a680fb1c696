"""Signals' handlers, finalizers and other threads come while the device is within a call."""

from __future__ import annotations

import gc
import itertools
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from time import sleep
from types import FrameType
from typing import Any

import numpy as np
import pytest

import vkrunner
from checks.driver import Driver
from checks.running.processes import LONGEST_S, run, run_python
from checks.running.shaders import ADD, NEXT, SPIN, TYPED, spun
from tests.slow import share
from vkrunner import ArgumentError, Device

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
        return function(*arguments)

    driver.replace("vkDestroyBuffer", collect)
    large = own.buffer(300 << 20)  # is freed when it is closed
    large.close()
    buffer.close()
    own.close()
    while driver.objects["Device"]:  # another thread destroys it when this one has left the lock
        sleep(0.01)
    assert driver.objects["Buffer"] == 0


# A finalizer uses another device while its thread submits, as one of that device does in turn
TWO_DEVICES = """
from contextlib import suppress
from threading import Barrier, BrokenBarrierError, get_ident

both, finalized = Barrier(2), set()

def submit(function, *arguments):
    if get_ident() not in finalized:
        finalized.add(get_ident())
        with suppress(BrokenBarrierError):  # while one thread submits, the other one waits
            both.wait(1)
        theirs[get_ident()].dispatch(1, u0=np.zeros(1, "u4"), cb0=1)
    return function(*arguments)

def work(mine, other):
    theirs[get_ident()] = other
    return mine.dispatch(1, u0=np.zeros(1, "u4"), cb0=5).u0[0]

with replaced() as driver, ThreadPoolExecutor(2) as threads:
    kernels, theirs = [vkrunner.open_device(index).kernel(ADD) for _ in range(2)], {}
    driver.replace("vkQueueSubmit", submit)
    assert list(threads.map(work, kernels, kernels[::-1])) == [5, 5]
    assert len(finalized) == 2
"""


def test_finalizers_use_two_devices(device: Device) -> None:
    run(device, TWO_DEVICES)


# A handler comes while its thread has the lock, and needs what another thread is making, which
# needs the lock to end: a variant of a kernel, or the results of a future
WAITING = """
making, handled = threading.Event(), threading.Event()

def make(function, *arguments):
    driver.restore(made)
    result = function(*arguments)
    making.set()
    handled.wait()
    return result

def handle(function, *arguments):
    driver.restore("vkQueueSubmit")
    result = function(*arguments)
    handled.set()
    use()
    return result

with replaced() as driver, ThreadPoolExecutor(1) as thread:
    device = vkrunner.open_device(index, timestamps=True)
    kernel, add = device.kernel(TYPED), device.kernel(ADD)
    future = add.dispatch_async(1, u0=zeros, cb0=3)
    with device.profile(open("/dev/null", "w")):
        made, use = {
            "variant": ("vkCreateComputePipelines", lambda: kernel.dispatch(1, u0=zeros).u0[0]),
            "result": ("vkGetQueryPoolResults", lambda: future.result().u0[0]),
        }[words[0]]
        driver.replace(made, make)
        other = thread.submit(use)
        making.wait()
        driver.replace("vkQueueSubmit", handle)
        device.kernel(ADD).dispatch(1, u0=zeros, cb0=1)
        assert other.result() == 3
"""


@pytest.mark.parametrize("made", ["variant", "result"])
def test_a_handler_needs_what_another_thread_makes(device: Device, made: str) -> None:
    run(device, WAITING, made)


# A finalizer submits at each place of a submission
BETWEEN = """
device = vkrunner.open_device(index)
add, spin = device.kernel(ADD), device.kernel(SPIN)
tuples = [tuple(range(n)) for n in range(1, 9) for _ in range(4000)]  # new ones take memory
dispatch = lambda: add.dispatch(1, u0=zeros, cb0=1)
start = lambda: spin.dispatch_async(4, u0=zeros, cb0=20000)
for threshold in [*range(45)] * 3:
    future = collected(threshold, dispatch, start)
    assert future.result().u0[0] == spun(20000), threshold
"""


@pytest.mark.slow(reason="hundreds of calls")
def test_a_finalizer_submits_within_a_submission(device: Device) -> None:
    """The results that are asked for are those of a submission that has ended."""
    run(device, BETWEEN)


# Finalizers act while the runner goes through its dictionaries
CHANGING = """
device, name = vkrunner.open_device(index), words[0]
kernel, spin = device.kernel(ADD), device.kernel(SPIN)
recording, sizes = device.record(), itertools.count(1)
recording.dispatch(spin, 1, u0=np.zeros(1, "u4"), cb0=2000)
ignored, kept = [], []
sys.unraisablehook = lambda about: ignored.append(about.exc_value)

def act():
    if name == "dispatch":
        kernel.dispatch(1, u0=np.zeros(next(sizes), "u4"), cb0=1)
    else:
        start = name == "start"
        kept.append(kernel.dispatch_async(1, u0=zeros, cb0=1) if start else recording.submit())
        del kept[:-20]

def close_and_act():
    device.buffer(4).close()
    act()

for threshold in range(1, 120):
    for name in words:
        for _ in range(3):
            act()
        collected(threshold, act, close_and_act)
assert not ignored, ignored[0]
"""


@pytest.mark.slow(reason="hundreds of calls, each with many finalizers")
def test_finalizers_within_each_call(device: Device) -> None:
    run(device, CHANGING, "dispatch", "start", "submit")


TAKEN = {
    # A thread that is within the device's lock waits for none of these.
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

# A handler does as the main program does, at random moments
HANDLING = """
device = vkrunner.open_device(index)
kernel, array, done, kept = device.kernel(ADD), np.zeros(64, "u4"), [0], []

def dispatch():
    kernel.dispatch(1, u0=array, cb0=1)

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

acts = dict(dispatch=dispatch, keep=keep, close=close, make=make, record=record)
mine, theirs = (acts[name] for name in words[:2])

def handle(*_):
    theirs()
    done[0] += 1
    signal.setitimer(signal.ITIMER_REAL, 1e-4)

signal.signal(signal.SIGALRM, handle)
with device.profile(open("/dev/null", "w")) as profile:
    signal.setitimer(signal.ITIMER_REAL, 1e-4)
    while done[0] < int(words[2]):
        mine()
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    profile.table()
assert kernel.dispatch(1, u0=array, cb0=5).u0[0] == 5
"""


MINE, THEIRS = ("dispatch", "make", "record"), ("dispatch", "keep", "close", "make", "record")
PAIRS = [*itertools.product(MINE, THEIRS)]


@pytest.mark.parametrize("pair", share(PAIRS, "-".join, 4, "a process for each pair"))
def test_a_handler_uses_the_device(device: Device, pair: tuple[str, str]) -> None:
    mine, theirs = pair
    count = 50 if "make" in (mine, theirs) else 300
    run(device, HANDLING, mine, theirs, str(count))


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


# The device is closed where a signal's handler might come, on each line of `Thread.start`
STARTING = """
devices = [vkrunner.open_device(index) for _ in range(8)]
closed = []

def trace(frame, event, argument):
    if event == "line" and len(closed) < len(devices):
        closed.append(frame.f_lineno)
        devices[len(closed) - 1].close()
    return trace

def enter(frame, event, argument):
    return trace if frame.f_code is threading.Thread.start.__code__ else None

sys.settrace(enter)
threading.Thread(target=print).start()
sys.settrace(None)
assert len(closed) > 4, closed
"""


def test_a_handler_closes_the_device_while_a_thread_starts(device: Device) -> None:
    run(device, STARTING)


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
            except ArgumentError as error:
                said.append(str(error))

        before = signal.signal(signal.SIGALRM, handle)
        try:
            while not said:
                signal.setitimer(signal.ITIMER_REAL, 0.01)
                kernel.dispatch(1, u0=total, cb0=300)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert "within a dispatch of this thread" in said[0]
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
