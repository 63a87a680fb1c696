"""Clock: timestamps in a command buffer, and Reading: what they were in one submission.

Source: Vulkan specification, "Queries".
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from threading import RLock

from vkrunner import vk
from vkrunner.process import check_process

_QUERY_BYTES = 8


class Clock:
    """Timestamps around steps of a command buffer, each taken when all before it has ended."""

    def __init__(
        self, device: vk.Handle, count: int, period_ns: float, mask: int, stack: ExitStack
    ):
        self._count = 2 * count
        self._period_ns, self._mask = period_ns, mask
        info = vk.struct(
            "VkQueryPoolCreateInfo",
            queryType=vk.constant("VK_QUERY_TYPE_TIMESTAMP"),
            queryCount=self._count,
        )
        null = vk.ffi().NULL
        self._pool = vk.create("vkCreateQueryPool", "VkQueryPool", device, info, null)
        stack.callback(vk.lib().vkDestroyQueryPool, device, self._pool, null)
        self._ticks = vk.ffi().new("uint64_t[]", self._count)
        self._stage = vk.flags("VK_PIPELINE_STAGE", "BOTTOM_OF_PIPE")
        flags = vk.flags("VK_QUERY_RESULT", "64", "WAIT")
        size = self._count * _QUERY_BYTES
        self._get = vk.lib().vkGetQueryPoolResults
        self._query = (device, self._pool, 0, self._count, size, self._ticks, _QUERY_BYTES, flags)

    def record_reset(self, commands: vk.Handle) -> None:
        """At the command buffer's beginning."""
        vk.lib().vkCmdResetQueryPool(commands, self._pool, 0, self._count)

    def record_start(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step)

    def record_end(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step + 1)

    def durations_ns(self) -> list[int]:
        """The time of each step, when the submission has ended."""
        vk.check("vkGetQueryPoolResults", self._get(*self._query))
        ticks, mask, period = list(self._ticks), self._mask, self._period_ns
        return [
            round((end - start & mask) * period)
            for start, end in zip(ticks[::2], ticks[1::2], strict=True)
        ]


class Reading:
    """The timestamps of one submission that has ended, fetched when somebody asks for them.

    Few do, and fetching takes some drivers longer than a small dispatch: lavapipe waits for its
    queue to be idle.
    """

    def __init__(self, clock: Clock, lock: RLock):
        self._clock: Clock | None = clock
        self._lock = lock
        self._pid = os.getpid()
        self._times: list[int] = []

    @property
    def durations_ns(self) -> list[int]:
        """The time of each timed step.

        Raises ArgumentError in a forked process, DeviceLostError where the device was lost since.
        """
        with self._lock:
            if self._clock is not None:
                check_process(self._pid)
                self._times = self._clock.durations_ns()
                self._clock = None
            return self._times
