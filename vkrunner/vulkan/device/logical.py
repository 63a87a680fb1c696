"""LogicalDevice: the VkDevice with its queue and memory. `deletion` explains lifetimes."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from types import MappingProxyType
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, Context, lock_of_process
from vkrunner.dispatch.executable import Input, Plan
from vkrunner.dispatch.result import Outcome
from vkrunner.dispatch.submission import Submission
from vkrunner.errors import LimitError, RunnerError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.vulkan.device.commands import (
    AFTER_ALL,
    AFTER_COPY,
    BEFORE_COPY,
    BEFORE_HOST,
    CommandBuffer,
    CommandPool,
    Record,
    record_barrier,
)
from vkrunner.vulkan.device.pool import DeviceMemory, MemoryPlace, Pool, Suballocation
from vkrunner.vulkan.device.submissions import Queue
from vkrunner.vulkan.loader import physical, vk
from vkrunner.vulkan.loader.deletion import DeletionQueue, Deletions
from vkrunner.vulkan.loader.instance import Instance


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

    def outcomes(self, *, copied: bool = True) -> Mapping[Any, Outcome]:
        return {}


class LogicalDevice:
    """A VkDevice with all features of `info` enabled.

    `staged` decides where buffers are. True: in the device's own memory, written and read through
    copies. False: in memory that host and device share. None: as True for a discrete GPU, but
    written directly if the host can map its memory; as False for others. `timestamps`: whether the
    device times single dispatches. None: unless it is a CPU; then the host does (`host_clock`).
    """

    _is_destroyed = False

    def __init__(
        self,
        instance: Instance,
        handle: vk.Handle,
        info: DeviceInfo,
        staged: bool | None = None,
        timestamps: bool | None = None,
    ):
        self.info = info
        self.lock = lock_of_process()
        self.creating: set[object] = set()  # pipelines that the driver is creating
        self.deletions = DeletionQueue()
        self.staged = info.type == "discrete" if staged is None else staged
        times_dispatches = not info.is_cpu if timestamps is None else timestamps
        self.host_clock = timestamps is None and not times_dispatches
        self.physical = handle
        self._was_awaited = False  # whether a closed device was waited for
        self._stack = Deletions()
        with ExitStack() as undo:
            undo.callback(self._stack.close)
            self._stack.add(instance.stack)
            instance.is_used = True
            self._create(instance.api_version, in_place=staged is None)
            self.context = Context(info, self.queue, times_dispatches=times_dispatches)
            self._copies = Plan(self.context.plans)
            self._copies.is_kept = True
            undo.pop_all()

    def _create(self, api_version: int, *, in_place: bool) -> None:
        """Create the device. With `in_place`, the host writes device memory if it can map all."""
        family = physical.compute_family(self.physical)
        assert family is not None, "such a device is not offered"
        self.build = physical.build_of(self.physical)  # also for reports after the device's end
        self.timestamp_mask = (1 << family[1]) - 1
        self.handle = physical.create_device(
            self.physical, self.info, family[0], api_version, self._stack
        )
        place = vk.out("VkQueue")
        vk.lib().vkGetDeviceQueue(self.handle, family[0], 0, place)
        self.queue = Queue(self.handle, place[0], self.lock, self.deletions)
        self.memory = DeviceMemory(self.handle, self.physical, self.info)
        self.host_pool = Pool(self.memory, MemoryPlace.HOST)
        own = (
            MemoryPlace.WRITTEN
            if in_place and self.memory.is_written_in_place
            else MemoryPlace.DEVICE
        )
        self.device_pool = Pool(self.memory, own) if self.staged else self.host_pool
        self.commands = CommandPool(self.handle, family[0], self._stack)

    def create(self, handle_type: str, info: Any, stack: Deletions) -> vk.Handle:
        """Create a child object of the device; `stack` destroys it."""
        return vk.create_child(self.handle, handle_type, info, stack)

    @property
    def compiles_late(self) -> bool:
        """Whether the driver may compile a pipeline at its first dispatch."""
        return self.info.is_cpu

    def check_size(self, size_bytes: int, what: str) -> None:
        """Raise LimitError, which names `what`, for more bytes than the device can allocate."""
        most = self.info.limits.max_memory_allocation_bytes
        if size_bytes > most:
            raise LimitError(f"{what} of {size_bytes} bytes: {self.info.name} allows {most}")

    def slot(self, nbytes: int, stack: Deletions, *, host: bool) -> Suballocation:
        """Memory for a buffer until `stack` closes; with `host`, the host reads and writes it."""
        self.check_size(nbytes, "a buffer")
        pool = self.host_pool if host else self.device_pool
        with self.lock:
            return pool.take(nbytes, self._reclaim, stack)

    def _reclaim(self) -> None:
        """Drop executables kept for later dispatches, and return unused memory to Vulkan."""
        self.context.plans.clear()
        self._collect()
        self.host_pool.trim()
        self.device_pool.trim()

    def own(self, owner: object | None) -> Deletions:
        """A stack for the Vulkan objects of `owner`, closed some time after the owner is garbage.

        Raises the errors of `Context.check_open`.
        """
        self.context.check_open()
        with self.lock:
            self._collect()
            return self.deletions.own(owner)

    @contextmanager
    def temporaries(self) -> Generator[Deletions]:
        """A stack for objects that are needed in a `with`, and by the submissions in it."""
        stack = self.own(None)
        try:
            yield stack
        finally:
            self.deletions.destroy_after(stack)
            self.collect()

    def collect(self) -> None:
        """Free unreferenced objects that no work in flight uses, and end noted devices.

        Within the lock it does nothing: a later call frees what a handler or finalizer closed.
        """
        if not self.context.is_here or self.context.is_entered():
            return
        with self.lock:
            self._collect()
        _close_noted()

    def _collect(self) -> None:
        """Free unreferenced objects that no work in flight uses. The caller holds the lock."""
        self.context.plans.drop_forgotten()
        self.queue.look()
        self.deletions.collect()
        self.host_pool.take_back()
        self.device_pool.take_back()

    def wait_for(self, token: int) -> None:
        """Wait for work in flight that uses the resource `token`. Raises DispatchTimeout."""
        serial = self.queue.latest_use(token)
        if serial:
            self.context.wait(serial, DEFAULT_TIMEOUT_NS)

    def copy(self, *records: Record) -> None:
        """Record copies between host and device, submit them, and wait for their end.

        Raises DispatchTimeout if they take too long; then no work can be submitted until they end.
        """
        self.context.check_open()
        work = self.context.plans.take(self._copies)
        if not isinstance(work, Copies):
            work = Copies(self.queue, self.commands, self.own)
        work.record_copies(records)
        submission = Submission(self.context, self._copies, work, {}, {}, DEFAULT_TIMEOUT_NS)
        submission.finish(DEFAULT_TIMEOUT_NS)

    def close(self) -> None:
        """See `Context.close`. A second call does nothing. Within the lock it is only noted."""
        if not self.context.is_here or self in _abandoned:
            return
        if self.context.is_entered():
            self.context.closed = True
            _noted.append(self)
        elif not self.context.close(self._destroy):
            _abandoned.append(self)  # to destroy it during its work would crash the process

    def close_anew(self, timeout_ns: int) -> None:
        """Destroy the objects that `close` left because work ran, if that work has ended.

        Waits for it up to `timeout_ns`, but only in the first call with more than 1.
        """
        if self._was_awaited:
            timeout_ns = 1
        self._was_awaited |= timeout_ns > 1
        with suppress(RunnerError):
            self.context.wait(self.queue.latest, timeout_ns)
        # It stays in the list until all is done, since Ctrl-C may come at any place.
        if self.queue.has_ended(self.queue.latest) and self.context.close(self._destroy):
            with suppress(ValueError):  # if another thread was faster
                _abandoned.remove(self)

    def _destroy(self) -> None:
        """Destroy everything. Ctrl-C may interrupt it; then `close` or `__del__` calls it again."""
        if not self.context.is_here or sys.is_finalizing():
            return
        if self.context.is_entered():
            _noted.append(self)
            return
        with self.lock:
            self.context.plans.clear()
            self.deletions.destroy_all()
            self.host_pool.close()
            self.device_pool.close()
            self._stack.close()
            self._is_destroyed = True

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if hasattr(self, "context") and not (self._is_destroyed or is_finalizing()):
            _noted.append(self)  # until it is closed: Ctrl-C may interrupt that, and had before
            _close_noted()


_abandoned: list[LogicalDevice] = []  # closed while their work ran
_noted: deque[LogicalDevice] = deque()  # to be closed outside of the lock


def _close_noted() -> None:
    """Close the devices that handlers and finalizers ended within the lock, unless it is held."""
    for logical in list(_noted):
        if not logical.context.is_entered():
            logical.close()
            with suppress(ValueError):  # if another thread was faster
                _noted.remove(logical)


def end_abandoned(info: DeviceInfo, timeout_ns: int = 1) -> bool:
    """Destroy closed devices of the same driver whose work ran on, if that work has ended.

    Waits up to `timeout_ns` for each device, and only once. Returns False if any work still runs.
    Within the lock it does nothing.
    """
    _close_noted()
    mine = [
        logical
        for logical in list(_abandoned)
        if logical.context.is_here and logical.info == info and not logical.context.is_entered()
    ]
    for logical in mine:
        logical.close_anew(timeout_ns)
    return not any(logical in _abandoned for logical in mine)
