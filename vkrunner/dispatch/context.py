"""Backend: an open device, `vkrunner.vulkan` or `reference`; Context: its state; Waiter: callbacks.

Timeouts. A timeout limits the device's work; the driver's compile time does not count. After a
timeout of a future, callers may wait for the work again. `dispatch` and `copy` wait only once:
after their timeout, nothing can be submitted until the work ends, because it would run after that
work. A device is not destroyed while such work runs, or work whose wait was interrupted by Ctrl-C.

Both backends have the same public classes (`Device`, `Kernel`, `Recording`, `Buffer`, ...).
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections.abc import Callable, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from operator import attrgetter
from os import getpid
from threading import RLock
from time import monotonic_ns
from typing import Any, Protocol, SupportsFloat
from weakref import ref

from vkrunner.dispatch.executable import Executable, PlanCache, WorkQueue
from vkrunner.dispatch.steps import Step
from vkrunner.errors import (
    REENTRY,
    SPAWN,
    CallersLine,
    ClosedError,
    DeviceLostError,
    DispatchTimeout,
    InvalidValueError,
    ReentryError,
    RunnerError,
    VulkanError,
    logger,
)
from vkrunner.info.device_info import DeviceInfo, Tried
from vkrunner.resources.device_objects import Alive, DevicePipeline, ObjectMaker
from vkrunner.shader.shader import Shader

Call = Callable[[], None]
EndsWithin = Callable[[int, int], bool]  # called with a serial and nanoseconds

_LOOK_NS = 50_000_000  # after which the thread looks for calls of older submissions
OnDispatch = Callable[[str, int, int], None]  # called with a kernel's name, and a dispatch's span
DEFAULT_TIMEOUT_S = 60.0
DEFAULT_TIMEOUT_NS = round(DEFAULT_TIMEOUT_S * 1e9)
_FOREVER_NS = 2**62
_SLICE_NS = 50_000_000  # of one slice of a wait; Python handles Ctrl-C between slices
_STILL_WORKING = """the device is still working, and its next dispatch waits for that; to go on now,
close it, which does not wait, and open it again, with its kernels and buffers"""
_locks: dict[int, RLock] = {}  # by process, because a fork copies held locks
_owned: Callable[[RLock], Callable[[], bool]] = attrgetter("_is_owned")  # as Condition asks


@lru_cache(64)
def nanoseconds(timeout: Any) -> int:
    """A timeout in ns. Raises ArgumentError unless it is a positive number of seconds."""
    seconds = float(timeout) if isinstance(timeout, SupportsFloat) else 0.0
    if not seconds > 0:
        raise InvalidValueError(f"a timeout is a positive number of seconds, not {timeout!r}")
    return round(min(seconds * 1e9, _FOREVER_NS))


class Waiter:
    """Calls functions when submissions in flight end, in the order in which they end.

    One thread makes all calls for the device. `add` starts it if it does not run; it ends when no
    call is left. If a signal handler starts a second thread at the same time, one of the two ends
    at once.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._calls: list[tuple[int, int, Call]] = []  # a heap, by serial and by their own order
        self._numbers = count()
        self._process: int | None = None  # with the thread; a fork lacks it

    def add(self, serial: int, call: Call, ends_within: EndsWithin) -> None:
        """Call a function when a submission has ended; `ends_within` waits for the end."""
        with self._lock:
            heappush(self._calls, (serial, next(self._numbers), call))
            is_served = self._is_served()
        if not is_served:
            # `threading.Thread.start` would wait for a lock that the thread below a handler holds.
            start_new_thread(self._run, (ends_within,))

    def _is_served(self) -> bool:
        return self._process == getpid()

    def _run(self, ends_within: EndsWithin) -> None:
        with self._lock:
            if self._is_served():
                return
            self._process = getpid()
        try:
            while (serial := self._oldest()) is not None:
                if ends_within(serial, _LOOK_NS):
                    self._call_until(serial)
        except BaseException:
            self._process = None
            raise

    def _oldest(self) -> int | None:
        """The oldest submission with a call; None tells the thread to end."""
        with self._lock:
            if self._calls:
                return self._calls[0][0]
            self._process = None
            return None

    def _call_until(self, serial: int) -> None:
        """Call the functions of a submission and of earlier ones."""
        while True:
            with self._lock:
                if not self._calls or self._calls[0][0] > serial:
                    return
                call = heappop(self._calls)[2]
            try:
                call()
            except BaseException:  # such as SystemExit, which would end the thread
                logger().exception("a callback at the end of a submission failed")


def lock_of_process() -> RLock:
    """The lock that all devices of this process share.

    A thread that holds it is within a device: handlers and finalizers that come there are refused.
    With a lock for each device, a finalizer could use another device within the lock of one, and
    two such threads could wait for each other forever.
    """
    return _locks.setdefault(os.getpid(), RLock())


class Settling(Protocol):
    """An object that fetches its results before the device is destroyed."""

    def settle(self) -> None: ...


def _closed(owner: str) -> ClosedError:
    if not owner:
        return ClosedError("the device is closed")
    again = f"make the {owner} again on an open device"
    return ClosedError(f"the {owner}'s device is closed: {again}")


class DeviceUse(CallersLine):
    """Keeps a device from being destroyed; `at_end` is called when the last reference is gone.

    The end of a `with` drops its reference.
    """

    at_end: Callable[[], None] | None = None

    def __del__(self) -> None:
        if self.at_end is not None:
            self.at_end()


class Context:
    """The state of a device and of its submissions. Many threads may use it.

    `lock` is the process's lock. The device times dispatches if `times_dispatches` is set, or while
    `on_dispatch` has functions, which are called with the time of each dispatch. `plans` has the
    idle executables. A context does not refer to its device, so that the device can be destroyed
    first.
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
        self.is_entered = _owned(queue.lock)  # whether this thread holds the lock
        self.pid = os.getpid()
        self.closed = False
        self.times_dispatches = times_dispatches
        self.on_dispatch: list[OnDispatch] = []
        self.plans = PlanCache(queue, is_on=keeps_plans)
        self.overdue = 0  # serial of the latest submission that timed out
        self._given_up = 0  # serial of the latest submission whose caller stopped waiting
        self._unsettled = Alive[Settling]()
        self._waiter = Waiter()
        self._use: DeviceUse | None = DeviceUse()
        self._last_use = ref(self._use)

    # --- whether it can be used ------------------------------------------------------------------

    @property
    def is_here(self) -> bool:
        """Whether this is the process that opened the device."""
        return os.getpid() == self.pid

    def in_use(self, owner: str = "") -> DeviceUse:
        """An object that keeps the device from being destroyed, for a `with` or longer.

        Raises ArgumentError if the device is closed and may already be destroyed, and the errors
        of `check_outside`. Check inside the `with` whether it is closed. `owner` says in the error
        what needs the device: a "kernel".
        """
        use = self._use
        if use is None:
            raise _closed(owner)
        if self.is_entered():
            raise ReentryError(REENTRY)
        return use

    def check_alive(self, owner: str = "") -> None:
        """Raise ArgumentError if the device is closed, or belongs to another process."""
        if self.closed:
            raise _closed(owner)
        if os.getpid() != self.pid:
            self.check_process()

    def check_process(self) -> None:
        """Raise ArgumentError in a forked process: a fork does not copy the driver's threads."""
        if os.getpid() != self.pid:
            raise ClosedError(
                f"the device was opened by process {self.pid}, and cannot be used after a fork:"
                f" {SPAWN}"
            )

    def check_outside(self) -> None:
        """Raise ReentryError if this thread holds the lock.

        The caller is a signal handler or finalizer, which cannot wait for the code that it
        interrupted, and must not change what that code works on.
        """
        if self.is_entered():
            raise ReentryError(REENTRY)

    def check_entry(self) -> None:
        """Raise the errors of `check_process` and `check_outside`, before a lock is taken.

        A lock that was held at a fork is never released.
        """
        self.check_process()
        self.check_outside()

    def check_open(self, owner: str = "") -> None:
        """Raise the errors of `check_alive` and `check_usable`."""
        self.check_alive(owner)
        self.check_usable()

    def check_usable(self) -> None:
        """Raise DispatchTimeout while work that timed out runs, DeviceLostError once lost."""
        self.queue.check_usable()
        if self.overdue:
            self.check_overdue()

    def check_overdue(self) -> None:
        """Raise DispatchTimeout while work that timed out (`overdue`) still runs."""
        with self.lock:
            if not self.queue.has_ended(self.overdue):
                raise DispatchTimeout(f"the device {self.info.name} is still busy: open it anew")
            self.overdue = 0

    # --- waiting ---------------------------------------------------------------------------------

    def wait(self, serial: int, timeout_ns: int) -> None:
        """Return when a submission has ended. Many threads may wait, each several times.

        Raises DispatchTimeout or DeviceLostError.
        """
        if not self.queue.ends_within(serial, min(timeout_ns, _SLICE_NS)):
            self._wait_on(serial, timeout_ns)

    def _wait_on(self, serial: int, timeout_ns: int) -> None:
        """Wait in further slices; a slice in which the driver compiles does not count."""
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
            f"the device {self.info.name} did not end its work in {timeout_ns / 1e9:g} s: ",
            "close it and open it anew, or wait with a longer timeout",
        )

    def finish(self, serial: int, timeout_ns: int) -> None:
        """Wait as `wait` does, for a caller that waits once: an error means that it gave up."""
        try:
            if self.queue.ends_within(serial, min(timeout_ns, _SLICE_NS)):
                return
            self._wait_on(serial, timeout_ns)
        except BaseException as error:
            with self.lock:
                self._given_up = max(self._given_up, serial)
                if isinstance(error, DispatchTimeout):
                    self.overdue = max(self.overdue, serial)
            if isinstance(error, KeyboardInterrupt):
                error.add_note(_STILL_WORKING)
            raise

    @property
    def is_stuck(self) -> bool:
        """Whether work still runs whose caller stopped waiting."""
        return not self.queue.has_ended(self._given_up)

    def call_after(self, serial: int, call: Callable[[], None]) -> None:
        """Have a thread of the device call a function when a submission has ended."""
        self._waiter.add(serial, call, self._ends_within)

    def _ends_within(self, serial: int, timeout_ns: int) -> bool:
        """Whether a submission ends in time; True if the device is lost or closed."""
        try:
            with self.in_use():
                return self.queue.ends_within(serial, timeout_ns, polls=False)
        except RunnerError:
            return True

    # --- closing ---------------------------------------------------------------------------------

    def forget(self, token: int) -> None:
        """Note that the object with this token was closed; plans that use it are dropped."""
        self.plans.forget(token)

    def forget_with(self, child: object, token: int) -> None:
        """When `child` is garbage-collected, `forget` its token."""
        self.plans.forget_with(child, token)

    def settle_before_close(self, settling: Settling) -> None:
        """Note an object whose results are fetched before the device is destroyed."""
        with self.lock:
            self._unsettled.add(settling)

    def close(self, destroy: Callable[[], None]) -> bool:
        """Wait for work in flight, fetch its results, and call `destroy`.

        If a call is in progress, or a view of mapped memory exists, `destroy` is called after the
        last of these. Returns False, and changes nothing, if given-up work still runs. After
        Ctrl-C, `close` can be called again.
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
        else:  # calls or views still use the device
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
        """Fetch all results that callers may still ask for."""
        self.plans.settle()
        with self.lock:
            unsettled = self._unsettled.items()
        for settling in unsettled:
            settling.settle()


class Backend(ObjectMaker, Protocol):
    """An open device, with Vulkan or the reference machine. Many threads may use it."""

    @property
    def context(self) -> Context: ...

    @property
    def build(self) -> bytes:
        """Bytes that identify the device and its driver's build, as far as Vulkan reports them."""
        ...

    @property
    def is_compiling(self) -> bool:
        """Whether the driver is compiling a pipeline at this moment."""
        ...

    def make_pipeline(
        self, shader: Shader, options: Mapping[str, Any], tried: Tried
    ) -> DevicePipeline:
        """Translate a shader for the device, and prepare it for dispatches.

        `tried` tells the device's faults and exact samples. Raises TranslateError, LimitError or
        FeatureError, and the errors of `tried`.
        """
        ...

    def encode(self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool) -> Executable:
        """Encode steps, which run in their order.

        With `is_recorded`, the arrays of the steps are kept: a submission that passes no other
        array for an input uses them again. Raises LimitError or FeatureError.
        """
        ...

    def close(self) -> None:
        """Wait for work in flight and free everything. A second call does nothing."""
        ...
