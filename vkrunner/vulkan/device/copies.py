"""Copies: an executable for copies between host and device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.vulkan.device.barriers import (
    AFTER_ALL,
    AFTER_COPY,
    BEFORE_COPY,
    BEFORE_HOST,
    record_barrier,
)
from vkrunner.vulkan.device.commands import CommandBuffer, CommandPool, Record
from vkrunner.vulkan.device.submissions import Queue
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import Deletions
from vkrunner.work.executable import Input
from vkrunner.work.result import Outcome


class Copies(CommandBuffer):
    """An `Executable` without inputs and outcomes, recorded again before each submission."""

    inputs: Mapping[Any, Mapping[Place, Input]] = MappingProxyType({})
    nbytes = 0
    tokens: frozenset[int] = frozenset()
    has_outputs = False
    is_timed = False

    def __init__(self, queue: Queue, pool: CommandPool, own: Callable[[object], Deletions]):
        with queue.lock:
            super().__init__(pool, own)
        self._queue = queue

    def record_copies(self, records: tuple[Record, ...]) -> None:
        """Record copies that run after all earlier work, and whose results the host can read."""

        def record_all(commands: vk.Handle) -> None:
            record_barrier(commands, AFTER_ALL, BEFORE_COPY)
            for record in records:
                record(commands)
            record_barrier(commands, AFTER_COPY, BEFORE_HOST)

        with self._queue.lock:
            self.record(record_all)

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        self._queue.submit(self)

    def outcomes(self) -> Mapping[Any, Outcome]:
        return {}
