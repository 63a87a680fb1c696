"""Clock: timestamps in a command buffer.

Source: Vulkan specification, "Queries".
"""

from __future__ import annotations

from contextlib import ExitStack

from vkrunner.vulkan import vk

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
