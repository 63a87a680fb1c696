"""Context: the state of an open device that does not depend on its backend.

Timeouts. A wait counts the device's work, not the time in which the driver compiles.
After the timeout of a future the work can be waited for again. A dispatch and a copy are waited
for once: after their timeout nothing is submitted until the work ends, as it would run after that.
A device with such work, or with work that Ctrl-C stopped the wait for, is not destroyed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import RLock
from time import monotonic_ns
from types import TracebackType
from typing import Protocol, Self
from weakref import ref

from vkrunner.errors import (
    ArgumentError,
    DeviceLostError,
    DispatchTimeout,
    RunnerError,
    VulkanError,
)
from vkrunner.info.device_info import DeviceInfo
from vkrunner.resources.collected import Alive
from vkrunner.work.executable import WorkQueue
from vkrunner.work.plan_cache import PlanCache
from vkrunner.work.waiter import Waiter

OnDispatch = Callable[[str, int], None]  # (kernel, nanoseconds)

DEFAULT_TIMEOUT_S = 60.0
DEFAULT_TIMEOUT_NS = round(DEFAULT_TIMEOUT_S * 1e9)
_SLICE_NS = 50_000_000  # a wait is cut into slices, so that Ctrl-C is heard


_locks: dict[int, RLock] = {}  # by process: a fork copies locks that other threads hold


def lock_of_process() -> RLock:
    """The lock of all devices of this process.

    A finalizer may use a device while its thread holds the lock of another one. Two threads that do
    so with two locks would wait for each other.
    """
    return _locks.setdefault(os.getpid(), RLock())


class Settling(Protocol):
    """Something that has to fetch its results before the device is destroyed."""

    def settle(self) -> None: ...


class DeviceUse:
    """Keeps a device in use while referenced; `at_end` is called with the last reference."""

    at_end: Callable[[], None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """The `with` drops its reference."""

    def __del__(self) -> None:
        if self.at_end is not None:
            self.at_end()


class Context:
    """The state of a device and of its submissions. Many threads may use it.

    `lock` is that of the process. The device times dispatches if it `times_dispatches`, and while
    something in `on_dispatch` is to be called with the time of each. `plans` has the executables
    that are idle. A context does not refer to the device, which is destroyed without it.
    """

    def __init__(
        self,
        info: DeviceInfo,
        queue: WorkQueue,
        *,
        times_dispatches: bool = False,
        keeps_plans: bool = True,
    ):
        self.info = info
        self.queue = queue
        self.lock = queue.lock
        self.pid = os.getpid()
        self.closed = False
        self.times_dispatches = times_dispatches
        self.on_dispatch: list[OnDispatch] = []
        self.plans = PlanCache(queue, is_on=keeps_plans)
        self.overdue = 0  # the latest submission that did not end in time
        self._given_up = 0  # the latest that its caller stopped waiting for
        self._unsettled = Alive[Settling]()
        self._waiter = Waiter()
        self._use: DeviceUse | None = DeviceUse()
        self._last_use = ref(self._use)

    # --- whether it can be used ------------------------------------------------------------------

    @property
    def is_here(self) -> bool:
        """Whether this is the process that opened the device."""
        return os.getpid() == self.pid

    def in_use(self) -> DeviceUse:
        """An object that keeps the device from being destroyed, during a `with` or longer.

        Raises ArgumentError when it is closed and may be destroyed already. Whether it is closed
        has to be asked within the `with`.
        """
        use = self._use
        if use is None:
            raise ArgumentError("the device is closed")
        return use

    def check_alive(self) -> None:
        """Raises ArgumentError when closed, or in a process that was forked."""
        if self.closed:
            raise ArgumentError("the device is closed")
        if os.getpid() != self.pid:
            self.check_process()

    def check_process(self) -> None:
        """Raises ArgumentError in another process: a fork does not copy the driver's threads."""
        if os.getpid() != self.pid:
            raise ArgumentError(
                f"the device was opened by process {self.pid}, and cannot be used after a fork:"
                " open one here"
            )

    def check_open(self) -> None:
        """As `check_alive` and `check_usable`."""
        self.check_alive()
        self.check_usable()

    def check_usable(self) -> None:
        """Raises DispatchTimeout while overdue work runs, DeviceLostError ever after a loss."""
        self.queue.check_usable()
        if self.overdue:
            self.check_overdue()

    def check_overdue(self) -> None:
        """Raises DispatchTimeout while overdue work runs."""
        with self.lock:
            if not self.queue.has_ended(self.overdue):
                raise DispatchTimeout(f"the device {self.info.name} is still busy: open it anew")
            self.overdue = 0

    # --- waiting ---------------------------------------------------------------------------------

    def wait(self, serial: int, timeout_ns: int) -> None:
        """Return when a submission has ended; many threads may wait.

        Raises DispatchTimeout, DeviceLostError. It can be waited for again.
        """
        if not self.queue.ends_within(serial, min(timeout_ns, _SLICE_NS)):
            self._wait_on(serial, timeout_ns)

    def _wait_on(self, serial: int, timeout_ns: int) -> None:
        """Wait further slices, of which those do not count in which the driver compiles."""
        is_compiling = self.queue.is_compiling
        left = timeout_ns if is_compiling else timeout_ns - _SLICE_NS
        while left > 0:
            start, was_compiling = monotonic_ns(), is_compiling
            if self.queue.ends_within(serial, min(left, _SLICE_NS)):
                return
            is_compiling = self.queue.is_compiling
            if not (was_compiling or is_compiling):
                left -= monotonic_ns() - start
        raise DispatchTimeout(
            f"the device {self.info.name} did not end its work in {timeout_ns / 1e9:g} s:"
            " close it and open it anew, or wait with a longer timeout"
        )

    def finish(self, serial: int, timeout_ns: int) -> None:
        """Wait for the last time, as `wait` does."""
        try:
            if self.queue.ends_within(serial, min(timeout_ns, _SLICE_NS)):
                return
            self._wait_on(serial, timeout_ns)
        except BaseException as error:
            with self.lock:
                self._given_up = max(self._given_up, serial)
                if isinstance(error, DispatchTimeout):
                    self.overdue = max(self.overdue, serial)
            raise

    @property
    def is_stuck(self) -> bool:
        """Whether work that was given up still runs."""
        return not self.queue.has_ended(self._given_up)

    def call_after(self, serial: int, call: Callable[[], None]) -> None:
        """Make a call, from a thread of the device's, when a submission has ended."""
        self._waiter.add(serial, call, self._ends_within)

    def _ends_within(self, serial: int, timeout_ns: int) -> bool:
        """Whether a submission ends in time, or is lost; closing has waited for its end."""
        try:
            with self.in_use():
                return self.queue.ends_within(serial, timeout_ns, polls=False)
        except RunnerError:
            return True

    # --- closing ---------------------------------------------------------------------------------

    def forget(self, token: int) -> None:
        """Note that an object was closed: plans that use it are dropped."""
        self.plans.forget(token)

    def forget_with(self, child: object, token: int) -> None:
        """Forget a token when `child` is collected."""
        self.plans.forget_with(child, token)

    def settle_before_close(self, settling: Settling) -> None:
        """Have its results fetched before the device is destroyed."""
        with self.lock:
            self._unsettled.add(settling)

    def close(self, destroy: Callable[[], None]) -> bool:
        """Wait for work in flight, have its results fetched, and call `destroy`.

        That is after the last call that is in progress, and the last mapped view. False if
        given-up work still runs: then all is left as it stands. After Ctrl-C it can be closed
        again.
        """
        self.closed = True
        use = self._use
        if use is not None:
            self.queue.close()
            if not self._becomes_idle():
                return False
            self._settle()
            self._use = None
            del use
        use = self._last_use()
        if use is None:
            destroy()
        else:  # calls or views have it
            use.at_end = destroy
        return True

    def _becomes_idle(self) -> bool:
        """Whether the work in flight ends in time, or was lost with the device."""
        try:
            if not self.is_stuck:
                self.wait(self.queue.latest, DEFAULT_TIMEOUT_NS)
        except DeviceLostError:
            return True
        except (DispatchTimeout, VulkanError):
            return False
        return not self.is_stuck

    def _settle(self) -> None:
        """Have all results fetched."""
        self.plans.settle()
        with self.lock:
            unsettled = self._unsettled.items()
        for settling in unsettled:
            settling.settle()
