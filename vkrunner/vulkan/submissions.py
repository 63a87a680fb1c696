"""Queue: what submits command buffers, waits for their end, and knows which have not ended.

Several may be in flight, and many threads may submit: a lock is held around what Vulkan wants
synchronised, never while waiting. Source: Vulkan specification, "Command Buffer Submission",
"Fences".
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Condition, get_ident
from typing import Any, Protocol

from vkrunner.errors import ArgumentError, DeviceLostError, DispatchTimeout
from vkrunner.vulkan import vk
from vkrunner.vulkan.commands import Compilation
from vkrunner.vulkan.deferral import Deferral

_TIMEOUT = 2  # VK_TIMEOUT
_NOT_READY = 1  # VK_NOT_READY
_DEVICE_LOST = -4  # VK_ERROR_DEVICE_LOST
_SLICE_NS = 50_000_000  # a wait is cut into slices, so that Ctrl-C is heard
_POLL_NS = 60_000
_OVERSHOT_NS = 1_000_000  # what a poll is not late by unless another thread took the interpreter
_PAUSE_NS = 100_000_000

# The device may be threads of this machine. Windows has no sched_yield
_let_others_run: Callable[[], object] = getattr(os, "sched_yield", partial(time.sleep, 0))


class Submittable(Protocol):
    """A recorded command buffer with the structs of its submission, made once.

    `uses` are the tokens of resources that outlive it; `serial` is the number of its last
    submission.
    """

    submit_info: Any
    fence: vk.Handle
    fences: Any
    uses: frozenset[int]
    serial: int
    compilation: Compilation | None
    compiles_first: bool

    def compile_no_more(self) -> None: ...


class _Pin:
    """That a thread waits for work that is not its own."""

    __slots__ = ("thread", "work")

    def __init__(self, work: Submittable):
        self.work = work
        self.thread = get_ident()


class Queue:
    """The device's queue."""

    def __init__(self, device: vk.Handle, handle: vk.Handle, name: str):
        lib = vk.lib()
        self.deferral = Deferral(self._oldest)
        self.lock = self.deferral.lock
        self._device = device
        self._handle = handle
        self._name = name
        self._in_flight: dict[Submittable, None] = {}  # oldest first
        self._pins: dict[_Pin, None] = {}
        self._unpinned = Condition(self.lock)
        self._given_up: list[Submittable] = []  # of which the caller did not see the end
        self._overdue: list[Submittable] = []  # those of them that did not end in time
        self._lost = False
        self._closed = False
        self._no_poll_before = 0
        self._reset, self._submit = lib.vkResetFences, lib.vkQueueSubmit
        self._wait, self._status = lib.vkWaitForFences, lib.vkGetFenceStatus

    def submit(self, work: Submittable) -> None:
        """Hand recorded work, which is not in flight, to the device.

        Raises VulkanError, ArgumentError after `close`, and as `check_usable`.
        """
        with self.lock:
            while self._pins and self._is_pinned(work):
                self._unpinned.wait()
            if self._overdue or self._lost or self._closed:
                self._check_submitting()
            self._reset(self._device, 1, work.fences)
            self.deferral.serial += 1
            work.serial = self.deferral.serial
            result = 0
            try:
                result = self._submit(self._handle, 1, work.submit_info, work.fence)
            finally:  # Ctrl-C is raised right behind the call, before its result is assigned
                if not result:
                    self._in_flight[work] = None
            if result:
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

    def wait(self, work: Submittable, timeout_ns: int) -> None:
        """Return when the caller's own work has ended. Raises DispatchTimeout."""
        self._wait_until_ended(work, timeout_ns)
        self._forget(work)

    def _wait_until_ended(self, work: Submittable, timeout_ns: int) -> None:
        """Return when its fence was signalled. Raises DispatchTimeout when it is not in time."""
        result = self._poll(work)
        first = timeout_ns if timeout_ns < _SLICE_NS else _SLICE_NS
        if result == _NOT_READY:
            result = self._wait(self._device, 1, work.fences, 1, first)
        if result == _TIMEOUT:
            result = self._wait_on(work, timeout_ns - (0 if self.is_compiling else first))
        if result == _TIMEOUT:
            raise DispatchTimeout(
                f"the device {self._name} did not end its work in {timeout_ns / 1e9:g} s:"
                " close it and open it anew, or wait with a longer timeout"
            )
        if result:
            self._failed("vkWaitForFences", result)

    def _poll(self, work: Submittable) -> int:
        """The fence's status once it is not VK_NOT_READY, or after a short while.

        Small work ends sooner than a sleeping thread is woken. But each look offers the interpreter
        to other threads, and one that computes keeps it for 5 ms: then it is left for a while.
        """
        status, device, fence = self._status, self._device, work.fence
        now = time.perf_counter_ns()
        end = now + _POLL_NS if now >= self._no_poll_before else now
        while (result := status(device, fence)) == _NOT_READY and time.perf_counter_ns() < end:
            _let_others_run()
        now = time.perf_counter_ns()
        if now - end > _OVERSHOT_NS:
            self._no_poll_before = now + _PAUSE_NS
        return result

    def _wait_on(self, work: Submittable, timeout_ns: int) -> int:
        """Wait in slices, of which those do not count in which the driver compiles."""
        end = time.monotonic_ns() + timeout_ns
        while True:
            start, compiling = time.monotonic_ns(), self.is_compiling
            left = _SLICE_NS if compiling else max(0, end - start)
            result = self._wait(self._device, 1, work.fences, 1, min(left, _SLICE_NS))
            if result != _TIMEOUT or left == 0:
                return result
            if compiling:
                end += time.monotonic_ns() - start

    @property
    def is_compiling(self) -> bool:
        """Whether the device waits for its driver to compile."""
        with self.lock:
            found = [work.compilation for work in self._in_flight]
            return any(c is not None and c.is_running for c in found)

    def has_ended(self, work: Submittable) -> bool:
        """Whether the work is not in flight; true of work that was lost with its device."""
        with self.lock:  # else its owner may submit it anew between the answer and its use
            if work not in self._in_flight:
                return True
            if not self._is_signalled(work):
                return False
            self._forget(work)
            return True

    def _is_signalled(self, work: Submittable) -> bool:
        """Whether the work, which is in flight, has ended or is lost."""
        result = self._status(self._device, work.fence)
        if result == _NOT_READY:
            return False
        with suppress(DeviceLostError):
            if result:
                self._failed("vkGetFenceStatus", result)
        return True

    def _forget(self, work: Submittable) -> None:
        """Of work that has ended, and that nobody can have submitted anew."""
        self._in_flight.pop(work, None)
        self.deferral.sweep_soon()

    def _failed(self, call: str, result: int) -> None:
        """Raise the error; work that was lost has ended, and objects may be destroyed."""
        if result == _DEVICE_LOST:
            with self.lock:
                self._lost = True
                self._in_flight.clear()
                self._given_up.clear()
                self._overdue.clear()
        vk.check(call, result)

    def wait_for(self, token: int, timeout_ns: int) -> None:
        """Wait for the work in flight that uses a resource."""
        for work in list(self._in_flight):
            if token in work.uses:
                self._wait_pinned(work, timeout_ns)

    def wait_idle(self, timeout_ns: int) -> None:
        """Wait for all work in flight."""
        for work in list(self._in_flight):
            self._wait_pinned(work, timeout_ns)

    def _wait_pinned(self, work: Submittable, timeout_ns: int) -> None:
        """Wait for somebody else's work, whose owner may release or submit it anew meanwhile."""
        pin = _Pin(work)
        try:
            with self.lock:
                if work not in self._in_flight:
                    return
                self._pins[pin] = None
            self._wait_until_ended(work, timeout_ns)
        finally:
            with self.lock:
                self._pins.pop(pin, None)
                self._unpinned.notify_all()
                self.deferral.sweep()

    def _is_pinned(self, work: Submittable) -> bool:
        """Whether another thread still looks at the fence of work that has ended."""
        ours = get_ident()  # which waits below us, where a finalizer or a signal's handler submits
        return any(pin.work is work and pin.thread != ours for pin in self._pins)

    def give_up(self, work: Submittable, *, overdue: bool) -> None:
        """The caller left its wait. While `overdue` work runs, nothing else is submitted."""
        with self.lock:
            if not self.has_ended(work):
                self._given_up.append(work)
                if overdue:
                    self._overdue.append(work)

    @property
    def is_stuck(self) -> bool:
        """Whether work that was given up still runs."""
        with self.lock:
            self._given_up = self._running(self._given_up)
            return bool(self._given_up)

    def _running(self, works: list[Submittable]) -> list[Submittable]:
        return [work for work in works if not self.has_ended(work)]

    def check_usable(self) -> None:
        """Raises DispatchTimeout while overdue work runs, DeviceLostError ever after a loss."""
        if self._lost:
            raise DeviceLostError("vkQueueSubmit", _DEVICE_LOST)
        if not self._overdue:
            return
        with self.lock:
            self._overdue = self._running(self._overdue)
            if self._overdue:
                raise DispatchTimeout(f"the device {self._name} is still busy: open it anew")

    def _oldest(self, default: int) -> int:
        """The serial of the oldest work that is in flight, or whose fence is waited for."""
        for work in list(self._in_flight):
            if self._is_signalled(work):
                self._in_flight.pop(work, None)
        pinned = (pin.work for pin in self._pins)
        return min((work.serial for work in (*self._in_flight, *pinned)), default=default)
