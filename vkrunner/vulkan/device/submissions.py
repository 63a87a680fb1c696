"""Queue: submits command buffers, waits for them, and knows which are in flight.

Several may be in flight, and many threads may submit. The device's lock is held around calls that
Vulkan requires to be synchronised, never while waiting. When a fence is signalled, all earlier
submissions have ended too. Source: Vulkan specification, "Command Buffer Submission", "Fences".
"""

from __future__ import annotations

import operator
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import starmap
from threading import RLock
from typing import Any

from vkrunner.errors import ClosedError, DeviceLostError
from vkrunner.vulkan.device.commands import CommandBuffer, Fence
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import DeletionQueue

_call: Callable[..., Any] = operator.call

_TIMEOUT = 2  # VK_TIMEOUT
_NOT_READY = 1  # VK_NOT_READY
_DEVICE_LOST = -4  # VK_ERROR_DEVICE_LOST
_POLL_NS = 60_000
_OVERSHOT_NS = 1_000_000  # a poll that took longer shows that another thread held the GIL
_PAUSE_NS = 100_000_000

# The device may be a driver's threads on this machine's CPU. Windows has no sched_yield
_let_others_run: Callable[[], object] = getattr(os, "sched_yield", partial(time.sleep, 0))


class Queue:
    """The device's `WorkQueue`. It tells `deletions` about submissions and their ends."""

    def __init__(self, device: vk.Handle, handle: vk.Handle, lock: RLock, deletions: DeletionQueue):
        lib = vk.lib()
        self.lock = lock
        self._deletions = deletions
        self._device = device
        self._handle = handle
        self._in_flight: dict[int, CommandBuffer] = {}  # by serial, oldest first
        deletions.in_flight = self._in_flight
        self._is_lost = False
        self._lost: dict[int, CommandBuffer] = {}  # in flight when the device was lost
        self._closed = False
        self._no_poll_before = 0
        self._reset, self._submit = lib.vkResetFences, lib.vkQueueSubmit
        self._wait, self._status = lib.vkWaitForFences, lib.vkGetFenceStatus

    @property
    def latest(self) -> int:
        return self._deletions.latest

    def submit(self, work: CommandBuffer) -> None:
        """Submit recorded work that is not in flight.

        Raises VulkanError, ArgumentError after `close`, and the errors of `check_usable`.
        """
        with self.lock:
            if self._is_lost or self._closed:
                self._check_submitting()
            fence = work.fence
            if fence.waiters:
                fence = work.take_other_fence()
            if not fence.was_seen:  # the validation layer needs this call
                status = self._status(self._device, fence.handle)
                if status and status != _NOT_READY:  # as it is after a submission that failed
                    self._failed("vkGetFenceStatus", status)
            if result := self._reset(self._device, 1, fence.pointer):
                self._failed("vkResetFences", result)
            fence.was_seen = False
            serial = work.serial = self._deletions.latest = self._deletions.latest + 1
            note = self._in_flight.__setitem__, serial, work
            submit = self._submit, self._handle, 1, work.submit_info, fence.handle
            _, result = starmap(_call, (note, submit))  # in C: Ctrl-C comes before or after both
            if result:
                del self._in_flight[serial]
                self._failed("vkQueueSubmit", result)
            if work.compiles_first:
                work.compile_no_more()

    def _check_submitting(self) -> None:
        if self._closed:
            raise ClosedError("the device is closed")
        self.check_usable()

    def close(self) -> None:
        with self.lock:
            self._closed = True

    def ends_within(self, serial: int, timeout_ns: int, *, polls: bool = True) -> bool:
        with self.lock:
            # The command buffer is not destroyed while `work` refers to it.
            work = self._in_flight.get(serial) or self._lost.get(serial)
            if work is None:
                return True
            fence = work.fence
            fence.waiters += 1
        call, result = "vkGetFenceStatus", _TIMEOUT
        try:
            result = self._poll(fence) if polls else _NOT_READY
            if result == _NOT_READY:
                call = "vkWaitForFences"
                result = self._wait(self._device, 1, fence.pointer, 1, timeout_ns)
        finally:
            with self.lock:
                fence.waiters -= 1
                if not result:
                    fence.was_seen = True
                    self._note_end(serial)
        if result == _TIMEOUT:
            return False
        if result or serial in self._lost:
            self._failed(call, result or _DEVICE_LOST)
        return True

    def _poll(self, fence: Fence) -> int:
        """Poll a fence for a short while. Returns its last status.

        Small work ends before a sleeping thread would wake up. But each poll lets other threads
        take the GIL, and a computing thread keeps it for 5 ms. After such a delay, polling pauses
        for a while.
        """
        status, device, handle = self._status, self._device, fence.handle
        now = time.perf_counter_ns()
        end = now + _POLL_NS if now >= self._no_poll_before else now
        while (result := status(device, handle)) == _NOT_READY and time.perf_counter_ns() < end:
            _let_others_run()
        now = time.perf_counter_ns()
        if now - end > _OVERSHOT_NS:
            self._no_poll_before = now + _PAUSE_NS
        return result

    @property
    def is_compiling(self) -> bool:
        with self.lock:
            found = [work.compilation for work in self._in_flight.values()]
            return any(c is not None and c.is_running for c in found)

    def has_ended(self, serial: int) -> bool:
        with self.lock:  # or its owner could submit again before the status is used
            self.look()
            return serial not in self._in_flight

    def latest_use(self, token: int) -> int:
        """The serial of the latest submission in flight that uses a resource; 0 if none does."""
        if not self._in_flight:
            return 0
        with self.lock:
            uses = (n for n, work in self._in_flight.items() if token in work.uses)
            return max(uses, default=0)

    def look(self) -> None:
        """Note which submissions have ended. The caller holds the lock."""
        for serial, work in self._in_flight.copy().items():
            result = self._status(self._device, work.fence.handle)
            if result == _NOT_READY:
                break
            with suppress(DeviceLostError):
                if result:
                    self._failed("vkGetFenceStatus", result)
            work.fence.was_seen = True
            self._in_flight.pop(serial, None)

    def _note_end(self, serial: int) -> None:
        """Note that this and all earlier submissions ended; destroy objects that waited for that.

        The caller holds the lock.
        """
        in_flight = self._in_flight
        for earlier in [*in_flight]:
            if earlier > serial:
                break
            del in_flight[earlier]
        self._deletions.collect()

    def _failed(self, call: str, result: int) -> None:
        """Raise the error of a failed Vulkan call; `result` is its VkResult.

        If the device is lost, work in flight counts as ended, so that objects can be destroyed.
        """
        if result == _DEVICE_LOST:
            with self.lock:
                self._is_lost = True
                self._lost.update(self._in_flight)
                self._in_flight.clear()
        vk.check(call, result)

    def check_usable(self) -> None:
        if self._is_lost:
            raise DeviceLostError("vkQueueSubmit", _DEVICE_LOST)
