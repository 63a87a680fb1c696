"""`python -m checks.locks DEVICE`: prints where code waits or calls back under a lock.

Every path is run while each lock of the runner notes the thread that holds it, and calls of the
driver and of the system that wait, and callers' functions, look at these notes. Also printed is
each pair of locks of which a thread takes the second while it holds the first.
"""

from __future__ import annotations

import _thread
import argparse
import inspect
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WAITS = ("vkWaitForFences", "vkQueueWaitIdle", "vkDeviceWaitIdle", "vkGetQueryPoolResults")

found: set[str] = set()
make_lock, here = threading.RLock, threading.local()


def held() -> list[Lock]:
    """The locks of this thread, in the order in which it took them."""
    return here.__dict__.setdefault("held", [])


class Lock:
    """A lock that is known by the file that makes it."""

    def __init__(self, file: str):
        self.lock, self.file = make_lock(), file

    def __getattr__(self, name: str) -> Any:
        return getattr(self.lock, name)

    def __enter__(self) -> None:
        note(f"takes {self.file}", [lock for lock in held() if lock is not self])
        self.lock.acquire()
        held().append(self)

    def __exit__(self, *_: object) -> None:
        held().pop()
        self.lock.release()


def note(what: str, locks: list[Lock]) -> None:
    found.update(f"{lock.file} {what}" for lock in locks)


def made_lock() -> Any:
    """In place of `RLock`."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    file = Path(frame.f_back.f_code.co_filename)
    is_ours = file.is_relative_to(ROOT / "vkrunner") or file.is_relative_to(ROOT / "translate")
    return Lock(str(file.relative_to(ROOT))) if is_ours else make_lock()


def noting(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which notes the locks of the thread that calls it."""

    def call(*arguments: Any, **named: Any) -> Any:
        note(what, held())
        return function(*arguments, **named)

    return call


def watch() -> None:
    """Before the runner is imported."""
    threading.RLock = _thread.RLock = made_lock
    os.sched_yield = noting("polls", os.sched_yield)
    _thread.start_new_thread = noting("starts a thread", _thread.start_new_thread)
    threading.Thread.start = noting("starts a thread", threading.Thread.start)
    threading.Thread.join = noting("joins a thread", threading.Thread.join)


def run(name: str) -> None:
    import vkrunner
    from checks.driver import replaced
    from checks.soak.paths import PERIOD, Paths

    def work(device: vkrunner.Device) -> None:
        worker = Paths(device)
        for number in range(PERIOD):
            worker.turns[number % len(worker.turns)](number)

    with replaced() as driver, ThreadPoolExecutor(2) as pool:
        for wait in WAITS:
            driver.replace(wait, lambda f, *arguments, wait=wait: noting(wait, f)(*arguments))
        for staged in (False, True):
            device = vkrunner.open_device(name, staged=staged, timestamps=True)
            list(pool.map(work, [device] * 2))
            call_back(device)
            device.close()


class Caller(dict[str, Any]):
    """A caller's code: a file, a path, a callback and a dictionary of constants."""

    def write(self, text: str) -> None:
        note("calls back", held())

    def __fspath__(self) -> str:
        note("calls back", held())
        return str(ROOT / "shaders" / "saxpy.dxbc")

    def __call__(self, _: object) -> None:
        note("calls back", held())

    def items(self) -> Any:
        note("calls back", held())
        return super().items()


def call_back(device: Any) -> None:
    import numpy as np

    caller, x = Caller(a=2.0, count=4), np.ones(4, np.float32)
    with device.profile(caller), device.kernel(caller) as kernel:
        for _ in range(3):
            kernel.dispatch(1, x=x, y=x, Params=caller)
            kernel.dispatch_async(1, x=x, y=x, Params=caller).result()
        with device.record() as recording:
            step = recording.dispatch(kernel, 1, x=x, y=x, Params=caller)
        for _ in range(3):
            future = recording.submit({step: {"Params": caller}})
            future.add_done_callback(caller)
            future.result(step)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m checks.locks", description=__doc__)
    parser.add_argument("device", metavar="DEVICE", help="its number or name")
    given = parser.parse_args()
    watch()
    run(given.device)
    print("\n".join(sorted(found)))
