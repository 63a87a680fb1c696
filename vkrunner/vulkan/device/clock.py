"""Clock: timestamps in a command buffer; Reading: their values in one submission.

Source: Vulkan specification, "Queries".
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from threading import RLock

from vkrunner.dispatch.result import Span
from vkrunner.errors import RunnerError
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.loader import vk

_QUERY_BYTES = 8


class Clock:
    """Timestamps around steps of a command buffer. Each is taken when all earlier work has ended.

    `lock` is held while the timestamps are fetched. A clock does not refer to the device.
    """

    def __init__(self, logical: LogicalDevice, steps: int):
        self.lock = RLock()
        self.context = logical.context
        self._latest: Callable[[], Reading | None] = _no_reading
        self._count = 2 * steps
        self._mask, self._period_ns = (
            logical.timestamp_mask,
            logical.info.limits.timestamp_period_ns,
        )
        info = vk.struct(
            "VkQueryPoolCreateInfo",
            queryType=vk.constant("VK_QUERY_TYPE_TIMESTAMP"),
            queryCount=self._count,
        )
        self._pool = logical.create("VkQueryPool", info, logical.own(self))
        self._ticks = vk.ffi().new("uint64_t[]", self._count)
        self._stage = vk.flags("VK_PIPELINE_STAGE", "BOTTOM_OF_PIPE")
        flags, size = vk.flags("VK_QUERY_RESULT", "64", "WAIT"), self._count * _QUERY_BYTES
        into = (0, self._count, size, self._ticks, _QUERY_BYTES, flags)
        self._query = (logical.handle, self._pool, *into)
        self._get = vk.lib().vkGetQueryPoolResults
        self.context.settle_before_close(self)

    def record_reset(self, commands: vk.Handle) -> None:
        """Reset the queries, at the beginning of the command buffer."""
        vk.lib().vkCmdResetQueryPool(commands, self._pool, 0, self._count)

    def record_start(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step)

    def record_end(self, commands: vk.Handle, step: int) -> None:
        vk.lib().vkCmdWriteTimestamp(commands, self._stage, self._pool, 2 * step + 1)

    def reading(self) -> Reading:
        """The timestamps of a submission that has ended."""
        made = Reading(self)
        self._latest = weakref.ref(made)
        return made

    def fetch_latest(self) -> None:
        """Fetch timings that callers may still ask for, before the timestamps are overwritten.

        Raises the errors of `Reading.spans`.
        """
        latest = self._latest()
        if latest is not None:
            _ = latest.spans

    def settle(self) -> None:
        """Fetch the latest reading, or store the error, before the device is destroyed."""
        latest = self._latest()
        if latest is not None:
            latest.settle()

    def fetch(self) -> list[Span]:
        """The span of each timed step. Raises the errors of `Reading.spans`."""
        with self.context.in_use():
            self.context.check_usable()
            return self._spans()

    def _spans(self) -> list[Span]:
        vk.check("vkGetQueryPoolResults", self._get(*self._query))
        ticks, mask, period = list(self._ticks), self._mask, self._period_ns
        return [
            (round((start & mask) * period), round((end - start & mask) * period))
            for start, end in zip(ticks[::2], ticks[1::2], strict=True)
        ]


class Reading:
    """The timestamps of one submission that has ended. They are fetched when they are asked for.

    Callers rarely ask, and on some drivers fetching takes longer than a small dispatch: lavapipe
    waits until its queue is idle. Therefore the device's lock is not held meanwhile, and a device
    with stuck work is not asked. A reading refers to its clock until the timestamps are fetched.
    """

    def __init__(self, clock: Clock):
        self._clock: Clock | None = clock
        self._spans: list[Span] = []
        self._error: RunnerError | None = None

    @property
    def spans(self) -> list[Span]:
        """The span of each timed step.

        Raises ArgumentError in a forked process, DispatchTimeout while work still runs that took
        longer than its timeout, and DeviceLostError if the device was lost since.
        """
        clock = self._clock
        if clock is not None:
            clock.context.check_process()  # first: a lock that was held at a fork is never released
            with clock.lock:
                if self._clock is not None:  # if None, another thread has fetched them
                    self._spans, self._clock = clock.fetch(), None
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._spans

    def settle(self) -> None:
        """Fetch the timestamps, or store the error."""
        try:
            _ = self.spans
        except RunnerError as error:
            self._error, self._clock = error, None


class StepTime:
    """The time of one timed step; `step` is its number among the timed steps."""

    __slots__ = ("_reading", "_step")

    def __init__(self, reading: Reading, step: int):
        self._reading = reading
        self._step = step

    @property
    def span(self) -> Span:
        """Start and duration. Raises the errors of `Reading.spans`."""
        return self._reading.spans[self._step]

    @property
    def duration_ns(self) -> int:
        """The nanoseconds. Raises the errors of `Reading.spans`."""
        return self.span[1]


def _no_reading() -> None:
    """Called in place of a weak reference to the latest reading, until one is made."""
