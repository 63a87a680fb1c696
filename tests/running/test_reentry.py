"""Signals' handlers, finalizers and other threads come while the device is within a call."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from time import sleep
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

import vkrunner
from tests.driver import Driver
from tests.running.shaders import ADD, NEXT, SPIN, spun
from vkrunner import ArgumentError, Device
from vkrunner.api import opening
from vkrunner.vulkan.device import pool
from vkrunner.vulkan.loader import instance

ROOT = Path(__file__).parents[2]
LONGEST_S = 600  # until a program counts as hanging; the tests measure no time


def run(program: str, *words: str) -> str:
    """The output of a Python program, which must end without an error."""
    command = [sys.executable, "-X", "faulthandler", "-c", program, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


# --- finalizers ---------------------------------------------------------------------------------

# An owner that collects itself, and closes its buffer, while the device is destroyed
CLOSING = """
import gc, sys
import numpy as np
import vkrunner

class Owner:
    def __init__(self, device):
        self.buffer, self.me = device.buffer(4), self
    def __del__(self):
        self.buffer.close()

for threshold in range(1, 120):
    device = vkrunner.open_device(int(sys.argv[1]))
    kept = [device.buffer(64) for _ in range(20)]
    gc.disable()
    Owner(device)
    gc.set_threshold(threshold)
    gc.enable()
    device.close()
    gc.set_threshold(700)
"""


def test_a_finalizer_closes_a_buffer_while_its_device_is_destroyed(device: Device) -> None:
    run(CLOSING, str(device.info.index))


def test_a_finalizer_closes_the_device(device: Device, driver: Driver) -> None:
    """It may run while its thread has the device's lock."""
    own = vkrunner.open_device(device.info.index)

    class Owner:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            own.close()

    buffer = own.buffer(16)
    Owner()

    def collect(function: Callable[..., Any], *arguments: Any) -> Any:
        driver.restore("vkDestroyBuffer")
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


def test_updates_by_threads_are_all_kept(either: Device) -> None:
    kernel, total = either.kernel(ADD), either.buffer(np.zeros(1, np.uint32))
    barrier = Barrier(4)

    def work(_number: int) -> None:
        barrier.wait()
        for _ in range(40):
            kernel.dispatch(1, u0=total, cb0=1)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert total.read()[0] == 160


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


TYPED = """cs_5_0
dcl_uav_typed_buffer (uint,uint,uint,uint) u0
dcl_input vThreadID.x
dcl_temps 1
dcl_thread_group 1, 1, 1
store_uav_typed u0.xyzw, vThreadID.xxxx, l(3, 3, 3, 3)
ret
"""


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
import faulthandler, signal, sys
import numpy as np
import vkrunner
from tests.running.shaders import ADD, NEXT
faulthandler.dump_traceback_later(500, exit=True)
device = vkrunner.open_device(int(sys.argv[1]))
kernel, total = device.kernel(ADD), device.buffer(np.zeros(1, "u4"))
array, done, kept = np.zeros(64, "u4"), [0], []

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
mine, theirs = (acts[name] for name in sys.argv[2:4])

def handle(*_):
    theirs()
    done[0] += 1
    signal.setitimer(signal.ITIMER_REAL, 1e-4)

signal.signal(signal.SIGALRM, handle)
with device.profile(open("/dev/null", "w")) as profile:
    signal.setitimer(signal.ITIMER_REAL, 1e-4)
    while done[0] < int(sys.argv[4]):
        mine()
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    profile.table()
assert kernel.dispatch(1, u0=array, cb0=5).u0[0] == 5
"""


@pytest.mark.parametrize("theirs", ["dispatch", "keep", "close", "make", "record"])
@pytest.mark.parametrize("mine", ["dispatch", "make", "record"])
def test_a_handler_uses_the_device(device: Device, mine: str, theirs: str) -> None:
    count = 100 if "make" in (mine, theirs) else 1000
    run(HANDLING, str(device.info.index), mine, theirs, str(count))


IMPORTS = """
import sys
import numpy as np
import vkrunner
from tests.running.shaders import ADD
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
    run(IMPORTS, str(device.info.index))


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
import itertools, random, signal, sys
import numpy as np
import vkrunner
chance, ignored = random.Random(3), []
sys.unraisablehook = lambda about: ignored.append(about)
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
device = vkrunner.open_device(int(sys.argv[1]))
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
    run(HEARD, str(device.info.index))


# --- Ctrl-C at each line of a function ----------------------------------------------------------


def lines_of(file: str) -> list[int]:
    """The lines of a module's functions."""
    found: set[int] = set()
    codes = [compile(Path(file).read_text(encoding="utf-8"), file, "exec")]
    while codes:
        inner = [c for c in codes.pop().co_consts if isinstance(c, CodeType)]
        found.update(line for code in inner for _, _, line in code.co_lines() if line)
        codes += inner
    return sorted(found)


def interrupted_at(file: str, line: int, act: Callable[[], object]) -> bool:
    """Whether the act came to a line of a module, where Ctrl-C ended it."""

    def local(frame: FrameType, event: str, _argument: object) -> Any:
        if event == "line" and frame.f_lineno == line:
            sys.settrace(None)
            raise KeyboardInterrupt
        return local

    def trace(frame: FrameType, _event: str, _argument: object) -> Any:
        return local if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Collecting garbage looks at the test's own objects alone, not at all those of the suite."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("few_objects")
@pytest.mark.parametrize("nbytes", [1000, 300 << 10])
@pytest.mark.parametrize("staged", [False, True])
def test_interrupted_calls_lose_no_memory(
    device: Device, driver: Driver, nbytes: int, staged: bool
) -> None:
    """Buffers are made and closed, with Ctrl-C at each line of the pool."""
    with vkrunner.open_device(device.info.index, staged=staged) as own:
        own.buffer(np.zeros(nbytes, np.uint8)).close()

        def use() -> None:
            buffers = [own.buffer(np.zeros(nbytes, np.uint8)) for _ in range(40)]
            for buffer in buffers:
                buffer.close()
            own.buffer(4).close()

        use()
        gc.collect()
        own.buffer(4).close()
        before, hits = driver.memory_bytes, 0
        for line in lines_of(pool.__file__):
            if interrupted_at(pool.__file__, line, use):
                hits += 1
                gc.collect()
                use()
        assert hits > 20
        gc.collect()
        own.buffer(4).close()
        assert driver.memory_bytes <= before + (1 << 20)


@pytest.mark.usefixtures("few_objects")
def test_an_interrupted_opening_leaves_no_instance(device: Device, driver: Driver) -> None:
    destroyed = 0

    def destroy(function: Callable[..., Any], handle: Any, *arguments: Any) -> Any:
        nonlocal destroyed
        destroyed += bool(handle)
        return function(handle, *arguments)

    driver.replace("vkDestroyInstance", destroy)
    hits = 0
    for file in (opening.__file__, instance.__file__):
        for line in lines_of(file):
            if interrupted_at(file, line, lambda: vkrunner.open_device(device.info.index).close()):
                hits += 1
                gc.collect()
            assert driver.calls["vkCreateInstance"] == destroyed
    assert hits > 10
