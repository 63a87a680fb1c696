"""Clock: timestamps in a command buffer.

Source: Vulkan specification, "Queries".
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import RLock

from vkrunner.backend import Settling
from vkrunner.process import check_process
from vkrunner.vulkan import vk
from vkrunner.vulkan.deletion import Deletions

_QUERY_BYTES = 8


class Clock:
    """Timestamps around steps of a command buffer, each taken when all before it has ended.

    `lock` is held while they are fetched, `latest` is a weak reference to their last reading.
    """

    def __init__(
        self,
        device: vk.Handle,
        count: int,
        period_ns: float,
        mask: int,
        own: Callable[[object], Deletions],
    ):
        self.lock = RLock()
        self.latest: Callable[[], Settling | None] = _no_reading
        self._pid = os.getpid()
        self._count = 2 * count
        self._period_ns, self._mask = period_ns, mask
        info = vk.struct(
            "VkQueryPoolCreateInfo",
            queryType=vk.constant("VK_QUERY_TYPE_TIMESTAMP"),
            queryCount=self._count,
        )
        stack, null = own(self), vk.ffi().NULL
        name, kind = "vkCreateQueryPool", "VkQueryPool"
        self._pool = vk.create(name, kind, device, info, null, stack=stack)
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

    def check_process(self) -> None:
        """Raises ArgumentError in another process than that which opened the device."""
        check_process(self._pid)

    def settle(self) -> None:
        """Have the last reading fetched."""
        latest = self.latest()
        if latest is not None:
            latest.settle()

    def durations_ns(self) -> list[int]:
        """The time of each step, when the submission has ended."""
        vk.check("vkGetQueryPoolResults", self._get(*self._query))
        ticks, mask, period = list(self._ticks), self._mask, self._period_ns
        return [
            round((end - start & mask) * period)
            for start, end in zip(ticks[::2], ticks[1::2], strict=True)
        ]


def _no_reading() -> None:
    """In place of a weak reference."""
