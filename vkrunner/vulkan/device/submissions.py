"""Queue: submits command buffers, waits for their end, and knows which have not ended.

Several may be in flight, and many threads may submit: the device's lock is held around calls that
Vulkan wants synchronised, never while waiting. A signalled fence says that all submissions before
it have ended, too. Source: Vulkan specification, "Command Buffer Submission", "Fences".
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

from vkrunner.errors import ArgumentError, DeviceLostError, DispatchTimeout
from vkrunner.vulkan.device.commands import CommandBuffer, Fence
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.deletion import DeletionQueue

_call: Callable[..., Any] = operator.call

COPY_TIMEOUT_NS = 60_000_000_000
_TIMEOUT = 2  # VK_TIMEOUT
_NOT_READY = 1  # VK_NOT_READY
_DEVICE_LOST = -4  # VK_ERROR_DEVICE_LOST
_SLICE_NS = 50_000_000  # a wait is cut into slices, so that Ctrl-C is heard
_POLL_NS = 60_000
_OVERSHOT_NS = 1_000_000  # a longer overshoot means that another thread held the GIL
_PAUSE_NS = 100_000_000

# The device may be threads of this machine. Windows has no sched_yield
_let_others_run: Callable[[], object] = getattr(os, "sched_yield", partial(time.sleep, 0))


class Queue:
    """The device's queue; `deletions` learns of submissions and of their ends."""

    def __init__(
        self, device: vk.Handle, handle: vk.Handle, name: str, lock: RLock, deletions: DeletionQueue
    ):
        lib = vk.lib()
        self.lock = lock
        self._deletions = deletions
        self._device = device
        self._handle = handle
        self._name = name
        self._in_flight: dict[int, CommandBuffer] = {}  # by serial, oldest first
        deletions.in_flight = self._in_flight
        self._given_up = 0  # the latest serial that the caller stopped waiting for
        self._overdue = 0  # the latest of those that did not end in time
        self._lost = False
        self._lost_serials: frozenset[int] = frozenset()
        self._closed = False
        self._no_poll_before = 0
        self._reset, self._submit = lib.vkResetFences, lib.vkQueueSubmit
        self._wait, self._status = lib.vkWaitForFences, lib.vkGetFenceStatus

    def submit(self, work: CommandBuffer) -> None:
        """Hand recorded work, which is not in flight, to the device.

        Raises VulkanError, ArgumentError after `close`, and as `check_usable`.
        """
        with self.lock:
            if self._overdue or self._lost or self._closed:
                self._check_submitting()
            fence = work.fence
            if fence.waiters:
                fence = work.take_other_fence()
            if not fence.was_seen:  # the validation layer wants to see it, too
                self._status(self._device, fence.handle)
            self._reset(self._device, 1, fence.pointer)
            fence.was_seen = False
            deletions = self._deletions
            serial = work.serial = deletions.latest = deletions.latest + 1
            # Both calls are made in C, where no Ctrl-C comes between them.
            note = self._in_flight.__setitem__, serial, work
            submit = self._submit, self._handle, 1, work.submit_info, fence.handle
            _, result = starmap(_call, (note, submit))
            if result:
                del self._in_flight[serial]
                self._failed("vkQueueSubmit", result)
            if work.compiles_first:
                work.compile_no_more()

    def _check_submitting(self) -> None:
        if self._closed:
            raise ArgumentError("the device is closed")
        self.check_usable()

    def close(self) -> None:
        """Nothing is submitted any more."""
        with self.lock:
            self._closed = True

    def wait_for_end(self, serial: int, timeout_ns: int) -> None:
        """Return when a submission has ended; many threads may wait. Raises DispatchTimeout."""
        with self.lock:
            work = self._in_flight.get(serial)  # which is not destroyed while this refers to it
            if work is None:
                self._check_kept(serial)
                return
            fence = work.fence
            fence.waiters += 1
        try:
            self._wait_until_signalled(fence, timeout_ns)
        finally:
            self._leave(fence)
        self._note_end(serial)

    def finish(self, work: CommandBuffer, timeout_ns: int) -> None:
        """Wait for the last time.

        Raises DispatchTimeout; the device is then unusable until the work ends. If Ctrl-C
        interrupts the wait, the work goes on, and later work runs after it.
        """
        try:
            self._wait_until_signalled(work.fence, timeout_ns)
            self._note_end(work.serial)
        except BaseException as error:
            with self.lock:
                self._given_up = max(self._given_up, work.serial)
                if isinstance(error, DispatchTimeout):
                    self._overdue = max(self._overdue, work.serial)
            raise

    def wait_for(self, token: int) -> None:
        """Wait for the work in flight that uses a resource. Raises DispatchTimeout."""
        if self._in_flight:
            self._wait_for_latest(lambda work: token in work.uses, COPY_TIMEOUT_NS)

    def wait_idle(self, timeout_ns: int) -> None:
        """Wait for all work in flight. Raises DispatchTimeout."""
        self._wait_for_latest(lambda work: True, timeout_ns)

    def _wait_for_latest(self, concerns: Callable[[CommandBuffer], bool], timeout_ns: int) -> None:
        """Wait for work that other threads may release or submit again meanwhile."""
        with self.lock:
            found = [work for work in list(self._in_flight.values()) if concerns(work)]
            if not found:
                return
            serial = found[-1].serial
        self.wait_for_end(serial, timeout_ns)

    def ends_within(self, serial: int, timeout_ns: int) -> bool:
        """Whether a submission, which may be another thread's, ends in time."""
        with self.lock:
            work = self._in_flight.get(serial)
            if work is None:
                return True
            fence = work.fence
            fence.waiters += 1
        try:
            result = self._wait(self._device, 1, fence.pointer, 1, timeout_ns)
            if result == _TIMEOUT:
                return False
            if result:
                self._failed("vkWaitForFences", result)
            fence.was_seen = True
        finally:
            self._leave(fence)
        self._note_end(serial)
        return True

    def _leave(self, fence: Fence) -> None:
        """Count a waiter off."""
        with self.lock:
            fence.waiters -= 1

    def _check_kept(self, serial: int) -> None:
        """Raise DeviceLostError for a submission that was lost."""
        if serial in self._lost_serials:
            raise DeviceLostError("vkWaitForFences", _DEVICE_LOST)

    def _wait_until_signalled(self, fence: Fence, timeout_ns: int) -> None:
        """Raises DispatchTimeout when it is not in time."""
        result = self._poll(fence)
        if result == _NOT_READY:
            result = self._sleep(fence, timeout_ns)
        if result:
            self._failed("vkWaitForFences", result)
        fence.was_seen = True

    def _poll(self, fence: Fence) -> int:
        """The fence's status once it is not VK_NOT_READY, or after a short while.

        Small work ends sooner than a sleeping thread is woken. But each look offers the interpreter
        to other threads, and one that computes keeps it for 5 ms: then it is left for a while.
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

    def _sleep(self, fence: Fence, timeout_ns: int) -> int:
        first = min(timeout_ns, _SLICE_NS)
        result: int = self._wait(self._device, 1, fence.pointer, 1, first)
        if result == _TIMEOUT:
            result = self._wait_on(fence, timeout_ns - (0 if self.is_compiling else first))
        if result == _TIMEOUT:
            raise DispatchTimeout(
                f"the device {self._name} did not end its work in {timeout_ns / 1e9:g} s:"
                " close it and open it anew, or wait with a longer timeout"
            )
        return result

    def _wait_on(self, fence: Fence, timeout_ns: int) -> int:
        """Wait in slices, of which those do not count in which the driver compiles."""
        end = time.monotonic_ns() + timeout_ns
        while True:
            start, compiling = time.monotonic_ns(), self.is_compiling
            left = _SLICE_NS if compiling else max(0, end - start)
            result = self._wait(self._device, 1, fence.pointer, 1, min(left, _SLICE_NS))
            if result != _TIMEOUT or left == 0:
                return result
            if compiling:
                end += time.monotonic_ns() - start

    @property
    def is_compiling(self) -> bool:
        """Whether the device waits for its driver to compile."""
        with self.lock:
            found = [work.compilation for work in list(self._in_flight.values())]
            return any(c is not None and c.is_running for c in found)

    def has_ended(self, work: CommandBuffer) -> bool:
        """Whether the work is not in flight; true of work that was lost with its device."""
        with self.lock:  # else its owner may submit it again between the answer and its use
            self.look()
            return self._in_flight.get(work.serial) is not work

    def look(self) -> None:
        """Note which submissions have ended; the caller has the lock."""
        for serial, work in list(self._in_flight.items()):
            result = self._status(self._device, work.fence.handle)
            if result == _NOT_READY:
                break
            work.fence.was_seen = True
            with suppress(DeviceLostError):
                if result:
                    self._failed("vkGetFenceStatus", result)
            self._in_flight.pop(serial, None)

    def _note_end(self, serial: int) -> None:
        """Note that submissions up to this one ended; destroy the objects that waited for it."""
        in_flight = self._in_flight
        with self.lock:
            for earlier in [*in_flight]:
                if earlier > serial:
                    break
                in_flight.pop(earlier, None)
            self._deletions.collect()

    def _failed(self, call: str, result: int) -> None:
        """Raise the error; work that was lost has ended, and objects may be destroyed."""
        if result == _DEVICE_LOST:
            with self.lock:
                self._lost = True
                self._lost_serials |= self._in_flight.keys()
                self._in_flight.clear()
        vk.check(call, result)

    @property
    def is_stuck(self) -> bool:
        """Whether work that was given up still runs."""
        return self._runs(self._given_up)

    def _runs(self, serial: int) -> bool:
        with self.lock:
            self.look()
            return serial in self._in_flight

    def check_usable(self) -> None:
        """Raises DispatchTimeout while overdue work runs, DeviceLostError ever after a loss."""
        if self._lost:
            raise DeviceLostError("vkQueueSubmit", _DEVICE_LOST)
        if not self._overdue:
            return
        with self.lock:
            if self._runs(self._overdue):
                raise DispatchTimeout(f"the device {self._name} is still busy: open it anew")
            self._overdue = 0
