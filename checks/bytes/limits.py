"""How much time and memory an input may take: both grow with its size, and no faster.

Time is the process's own (CPU time), so that a busy machine changes nothing.
"""

from __future__ import annotations

import resource
import signal
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Several times the cost of the most expensive inputs known, with coverage recorded.
BASE_SECONDS, SECONDS_PER_BYTE = 10.0, 2e-3
BASE_BYTES, BYTES_PER_BYTE = 16 << 20, 2000
_ROOM = 3 << 30


class LimitError(AssertionError):
    """An input took more than its size allows."""


@contextmanager
def limited_time(
    size: int, base: float = BASE_SECONDS, per_byte: float = SECONDS_PER_BYTE
) -> Iterator[None]:
    """Raise LimitError in the block once it has taken more CPU time than `size` bytes may."""
    allowed = base + per_byte * size

    def stop(number: int, frame: FrameType | None) -> None:
        raise LimitError(f"{size} bytes took more than {allowed:.1f} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, allowed)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def limited_memory(size: int) -> Iterator[None]:
    """Raise LimitError after the block if its peak memory was more than `size` bytes may take."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    allowed = BASE_BYTES + BYTES_PER_BYTE * size
    if peak > allowed:
        raise LimitError(f"{size} bytes took {peak} bytes of memory, allowed are {allowed}")


def limit_process() -> None:
    """Let gigantic allocations end in MemoryError instead of taking the machine's memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + _ROOM, resource.RLIM_INFINITY))
