"""A long run through every path: `python -m checks.soak --dispatches 100000 --cycles 1000`.

Every result is checked, while handlers of signals, finalizers, Ctrl-C and other threads' closing
come at any moment. The process's memory, the driver's allocations, Vulkan objects and open files
are counted after the warm-up and at the end: they must not grow. With `--minutes 60` the dispatches
are repeated for so long, and counted after each time. A run that hangs prints all threads' calls.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from math import inf

import numpy as np

import vkrunner
from checks.driver import CountingDriver, counted
from checks.running.devices import opened
from checks.running.processes import resident_bytes
from checks.running.shaders import ADD

from .disturbance import Disturbance
from .paths import PERIOD, Paths

THREADS = 4
WARM = 0.2  # of the run
# How many executables are idle, and how many fences each has, depends on how threads meet
SLACK = {
    "resident_bytes": 16 << 20,  # the driver's allocator varies as threads open devices
    "python_blocks": 5000,
    "files": 0,
    "device_bytes": THREADS << 20,
}
SLACK_OBJECTS = 6 * THREADS  # of each kind
ROUND = 10_000  # dispatches from one count to the next
WARM_CYCLES = 40  # until the allocators of Python and of the driver have reached their sizes
LONGEST_S = 300  # from one count to the next, until the run counts as hanging


@dataclass(frozen=True, slots=True)
class Held:
    """Resources that are held at one time."""

    resident_bytes: int
    python_blocks: int
    files: int
    device_bytes: int = 0
    objects: Counter[str] = field(default_factory=Counter[str])  # of Vulkan, by kind

    def grown(self, before: Held) -> list[str]:
        """The resources that have grown."""
        found = [
            f"{name}: {getattr(before, name)} to {getattr(self, name)}"
            for name, slack in SLACK.items()
            if getattr(self, name) > getattr(before, name) + slack
        ]
        more = self.objects - before.objects
        return [*found, *(f"{n} more of Vk{kind}" for kind, n in more.items() if n > SLACK_OBJECTS)]


def held(driver: CountingDriver | None = None) -> Held:
    gc.collect()  # collects the objects that refer to a device
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    files = len(os.listdir("/proc/self/fd"))
    own = (resident_bytes(), sys.getallocatedblocks(), files)
    return Held(*own, driver.memory_bytes, driver.objects) if driver else Held(*own)


def soak(
    device: vkrunner.Device,
    driver: CountingDriver,
    dispatches: float,
    say: Callable[[str], object] = print,
    paths: Callable[[vkrunner.Device], Paths] = Paths,
    seconds: float = inf,
) -> Held:
    """Run all paths, first in one thread and then in several; returns what is held at the end.

    The device was opened with this driver. The end is after so many dispatches or seconds.
    Raises AssertionError for a wrong result, and where something has grown since the warm-up.
    """
    workers, disturbance = [paths(device) for _ in range(THREADS)], Disturbance(device)
    runs = [partial(_run, disturbance, worker) for worker in workers]
    with disturbance.running():
        done = sum(run(PERIOD) for run in runs)
    start, before, count = time.monotonic(), None, PERIOD * 2 * THREADS
    while True:
        done += _turns(disturbance, runs, count)
        after = held(driver)
        say(f"after {done} dispatches, {disturbance}: {after}")
        progress = max(done / dispatches, (time.monotonic() - start) / seconds)
        if before is None or progress < WARM:
            before = after
        grown = after.grown(before)
        assert not grown, f"grown: {'; '.join(grown)}"
        if after is not before and progress >= 1:
            return after
        count = round(max(PERIOD, min(ROUND, dispatches - done)))


def _turns(disturbance: Disturbance, runs: list[Callable[[int], int]], dispatches: int) -> int:
    """Half of the dispatches in one thread, half in several threads, of which this is one."""
    with disturbance.running(), ThreadPoolExecutor(len(runs)) as pool:
        done = runs[0](dispatches // 2)
        share = (dispatches - done) // len(runs)
        others = [pool.submit(run, share) for run in runs[1:]]
        return done + runs[0](share) + sum(other.result() for other in others)


def _run(disturbance: Disturbance, worker: Paths, dispatches: int) -> int:
    done = number = 0
    while done < dispatches:
        done += disturbance.turn(worker, number)
        number += 1
    return done


def cycles(
    index: int, count: int, say: Callable[[str], object] = print, validated: int | None = None
) -> None:
    """Open a device repeatedly, and close it except in every third cycle.

    The first `validated` cycles, or all for None, have the validation layer if the environment
    asks for it. With the layer a cycle takes five times as long.
    Raises AssertionError for a wrong result, and where something has grown since the warm-up.
    """
    before = held()
    for number in range(count):
        validation = None if validated is None or number < validated else False
        _cycle(index, validation, forget=number % 3 == 2)
        if number % 3 == 2:  # else devices stay open until Python's collector runs
            gc.collect()
            gc.collect()
        if number == max(WARM_CYCLES, round(count * WARM)):
            before = held()
            say(f"warm after {number} cycles: {before}")
    after = held()
    say(f"after {count} cycles: {after}")
    grown = after.grown(before)
    assert not grown, f"grown: {'; '.join(grown)}"


def _cycle(index: int, validation: bool | None, *, forget: bool) -> None:
    device = vkrunner.open_device(index, validation=validation)
    kernel, buffer = device.kernel(ADD), device.buffer(np.zeros(2, np.uint32))
    kernel.dispatch(2, u0=buffer, cb0=3)
    with device.record() as work:
        step = work.dispatch(kernel, 2, u0=buffer, cb0=4)
    future = work.submit()
    np.testing.assert_array_equal(future.result(step).u0, [7, 7])
    if not forget:
        device.close()


def _say(text: str) -> None:
    print(text, flush=True)
    faulthandler.dump_traceback_later(LONGEST_S, exit=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m checks.soak", description=__doc__)
    parser.add_argument("--dispatches", type=float, default=100_000)
    parser.add_argument("--minutes", type=float, help="in place of a number of dispatches")
    parser.add_argument("--cycles", type=int, default=1000, help="of opening and closing")
    parser.add_argument("--device", default=os.environ.get("SM5VK_DEVICE") or "lavapipe")
    parser.add_argument("--memory", choices=("shared", "staged", "written"), help="validated")
    given = parser.parse_args()
    with counted() as driver, vkrunner.open_device(given.device) as device, ExitStack() as stack:
        index = device.info.index
        own = stack.enter_context(opened(given.memory, device)) if given.memory else device
        end = (given.dispatches, inf) if given.minutes is None else (inf, given.minutes * 60)
        soak(own, driver, end[0], _say, seconds=end[1])
    cycles(index, given.cycles, _say)
    return 1 if vkrunner.validation_messages() else 0


if __name__ == "__main__":
    sys.exit(main())
