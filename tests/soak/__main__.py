"""A long run through every path: `python -m tests.soak --dispatches 100000 --cycles 1000`.

Every result is checked. The process's memory, the driver's allocations, Vulkan objects and open
files are counted after the warm-up and at the end: they must not grow.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import vkrunner
from tests.driver import Driver, replaced
from tests.running.shaders import ADD

from .paths import PERIOD, Paths

THREADS = 4
WARM = 0.2  # of the run
SLACK_BYTES = 4 << 20  # by which a process's memory may vary; a leak of 100 bytes a turn is more
# A command buffer gets another fence, and keeps it, if a thread still waits for its first: another
# worker, or the thread that makes the callbacks of three awaited dispatches
SLACK_OBJECTS = Counter(Fence=4 * THREADS)
WARM_CYCLES = 40  # until the allocators of Python and of the driver have reached their sizes
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Held:
    """Resources that are held at one time."""

    resident_bytes: int
    device_bytes: int
    objects: Counter[str]  # of Vulkan, by kind
    files: int

    def grown(self, before: Held) -> list[str]:
        """The resources that have grown."""
        found: list[str] = []
        if self.resident_bytes > before.resident_bytes + SLACK_BYTES:
            found.append(
                f"memory: {before.resident_bytes >> 10} to {self.resident_bytes >> 10} KiB"
            )
        for name in ("device_bytes", "files"):
            ours, theirs = getattr(before, name), getattr(self, name)
            if theirs > ours:
                found.append(f"{name}: {ours} to {theirs}")
        more = self.objects - before.objects - SLACK_OBJECTS
        return [*found, *(f"{more[kind]} more of Vk{kind}" for kind in sorted(more))]


def held(driver: Driver | None = None) -> Held:
    gc.collect()  # collects the objects that refer to a device
    gc.collect()
    resident = int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
    files = len(os.listdir("/proc/self/fd"))
    if driver is None:
        return Held(resident, 0, Counter(), files)
    return Held(resident, driver.memory_bytes, driver.objects, files)


def soak(
    device: vkrunner.Device,
    driver: Driver,
    dispatches: int,
    say: Callable[[str], object] = print,
    paths: Callable[[vkrunner.Device], Paths] = Paths,
) -> Held:
    """Run all paths, first in one thread and then in several; returns what is held at the end.

    The device was opened with this driver.
    Raises AssertionError for a wrong result, and where something has grown since the warm-up.
    """
    workers = [paths(device) for _ in range(THREADS)]
    done = sum(_run(worker, PERIOD) for worker in workers)
    done += _turns(workers, max(PERIOD * 2 * THREADS, round(dispatches * WARM) - done))
    before = held(driver)
    say(f"warm after {done} dispatches: {before}")
    done += _turns(workers, max(PERIOD, dispatches - done))
    after = held(driver)
    say(f"after {done} dispatches: {after}")
    grown = after.grown(before)
    assert not grown, f"grown: {'; '.join(grown)}"
    return after


def _turns(workers: list[Paths], dispatches: int) -> int:
    """Half of the dispatches in one thread, half in several threads."""
    done = _run(workers[0], dispatches // 2)
    share = (dispatches - done) // len(workers)
    with ThreadPoolExecutor(len(workers)) as pool:
        done += sum(pool.map(lambda worker: _run(worker, share), workers))
    return done


def _run(worker: Paths, dispatches: int) -> int:
    done = number = 0
    while done < dispatches:
        done += worker.turns[number % len(worker.turns)](number)
        number += 1
    return done


def cycles(
    index: int,
    count: int,
    say: Callable[[str], object] = print,
    validated: int | None = None,
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--dispatches", type=int, default=100_000)
    parser.add_argument("--cycles", type=int, default=1000, help="of opening and closing")
    parser.add_argument("--device", default=os.environ.get("SM5VK_DEVICE") or "lavapipe")
    given = parser.parse_args()
    with replaced() as driver, vkrunner.open_device(given.device) as device:
        index = device.info.index
        soak(device, driver, given.dispatches)
    cycles(index, given.cycles)
    return 1 if vkrunner.validation_messages() else 0


if __name__ == "__main__":
    sys.exit(main())
