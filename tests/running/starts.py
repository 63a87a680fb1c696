"""How tests start work: in a thread that has to end, or as either kind of submission."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

import numpy as np

from vkrunner import Device, Future, Kernel

T = TypeVar("T")


def in_time(work: Callable[[], T], seconds: float = 20) -> T:
    """What it gives in a thread of its own, which nobody waits for that never ends."""
    found: list[T] = []
    thread = Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert not thread.is_alive()
    return found[0]


def starter(own: Device, kernel: Kernel, *, recorded: bool) -> Callable[[int], Future]:
    """What submits one group with a zero in `u0` and a count in `cb0`, recorded or not."""
    if not recorded:
        return lambda count: kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=count)
    with own.record() as recording:
        step = recording.dispatch(kernel, 1, u0=np.zeros(1, "u4"), cb0=0)
    return lambda count: recording.submit({step: {"cb0": count}})
