"""Starting work in tests, by either kind of submission."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vkrunner import Device, Future, Kernel


def starter(own: Device, kernel: Kernel, *, recorded: bool) -> Callable[[int], Future]:
    """A function that submits one group with zero in `u0` and a count in `cb0`, recorded or not."""
    if not recorded:
        return lambda count: kernel.dispatch_async(1, u0=np.zeros(1, "u4"), cb0=count)
    with own.record() as recording:
        step = recording.dispatch(kernel, 1, u0=np.zeros(1, "u4"), cb0=0)
    return lambda count: recording.submit({step: {"cb0": count}})
