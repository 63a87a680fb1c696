"""LogicalDevice: the VkDevice with its queue and memory. `deletion` says how long things live."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any
from weakref import ref

from vkrunner.errors import (
    ArgumentError,
    DeviceLostError,
    DispatchTimeout,
    LimitError,
    RunnerError,
    VulkanError,
)
from vkrunner.info.device_info import DeviceInfo
from vkrunner.resources.collected import Alive
from vkrunner.vulkan.device.barriers import (
    AFTER_ALL,
    AFTER_COPY,
    BEFORE_COPY,
    BEFORE_HOST,
    record_barrier,
)
from vkrunner.vulkan.device.commands import CommandBuffer, CommandPool, Record
from vkrunner.vulkan.device.pool import DeviceMemory, MemoryPlace, Pool, Suballocation
from vkrunner.vulkan.device.submissions import COPY_TIMEOUT_NS, Queue
from vkrunner.vulkan.device.waiter import Waiter
from vkrunner.vulkan.loader import physical, vk
from vkrunner.vulkan.loader.deletion import DeletionQueue, Deletions, DeviceUse, run_unsignalled
from vkrunner.vulkan.loader.instance import Instance
from vkrunner.work.backend import Backend, Settling

_CLOSE_TIMEOUT_NS = 60_000_000_000
_REOPEN_TIMEOUT_NS = 20_000_000_000


class LogicalDevice(Backend):
    """A VkDevice made with every feature that `info` has.

    `staged`: whether buffers lie in the device's own memory: where it was asked for, they are
    copied both ways; else memory that the host can map is written in place, and copied to be read.
    `timestamps`: whether the device times single dispatches. None: it does where that costs next to
    nothing; elsewhere the host measures them (`host_clock`).
    """

    def __init__(
        self,
        instance: Instance,
        handle: vk.Handle,
        info: DeviceInfo,
        staged: bool | None = None,
        timestamps: bool | None = None,
    ):
        super().__init__(info)
        self._set_up()
        self.staged = info.type == "discrete" if staged is None else staged
        self._timestamps = info.type != "cpu" if timestamps is None else timestamps
        self.host_clock = timestamps is None and not self._timestamps
        self.physical = handle
        with ExitStack() as undo:
            undo.callback(self._stack.close)
            self._stack.callback(instance.close)
            instance.is_used = True
            self._create(instance.api_version, in_place=staged is None)
            undo.pop_all()
        self.closed = False

    def _set_up(self) -> None:
        self.creating: set[object] = set()  # pipelines that the driver is making
        self._was_awaited = False  # after it was closed
        self._stack = Deletions()
        self._unsettled = Alive[Settling]()
        self._waiter = Waiter()
        self.deletions = DeletionQueue()
        self.closed = True  # until it is made
        self._use: DeviceUse | None = DeviceUse()
        self._last_use = ref(self._use)

    def _create(self, api_version: int, *, in_place: bool) -> None:
        """`in_place`: the host may write the device's own memory, where it can map all of it."""
        family = physical.compute_family(self.physical)
        assert family is not None, "such a device is not offered"
        self.timestamp_mask = (1 << family[1]) - 1
        self.handle = physical.create_device(
            self.physical, self.info, family[0], api_version, self._stack
        )
        place = vk.out("VkQueue")
        vk.lib().vkGetDeviceQueue(self.handle, family[0], 0, place)
        self.queue = Queue(self.handle, place[0], self.info.name, self.lock, self.deletions)
        self.memory = DeviceMemory(self.handle, self.physical, self.info)
        self.host_pool = Pool(self.memory, MemoryPlace.HOST)
        self._stack.callback(self.host_pool.close)
        own = (
            MemoryPlace.WRITTEN
            if in_place and self.memory.is_written_in_place
            else MemoryPlace.DEVICE
        )
        self.device_pool = Pool(self.memory, own) if self.staged else self.host_pool
        self._stack.callback(self.device_pool.close)
        self.commands = CommandPool(self.handle, family[0], self._stack)
        self._one_off: list[CommandBuffer] = []

    def create(self, handle_type: str, info: Any, stack: Deletions) -> vk.Handle:
        """A child object of the device, destroyed when `stack` closes."""
        return vk.create_child(self.handle, handle_type, info, stack)

    @property
    def build(self) -> bytes:
        return physical.build_of(self.physical)

    @property
    def compiles_late(self) -> bool:
        """Whether the driver may compile pipelines when they are first dispatched."""
        return self.info.type == "cpu"

    @property
    def is_compiling(self) -> bool:
        return bool(self.creating) or self.queue.is_compiling

    @property
    def timestamps(self) -> bool:
        return (self._timestamps or bool(self.on_dispatch)) and self.info.features.timestamps

    def check_size(self, size_bytes: int, what: str) -> None:
        """Raise LimitError for an allocation that is larger than the device allows."""
        most = self.info.limits.max_memory_allocation_bytes
        if size_bytes > most:
            raise LimitError(f"{what} of {size_bytes} bytes: {self.info.name} allows {most}")

    def slot(self, nbytes: int, stack: Deletions, *, host: bool) -> Suballocation:
        """Memory for a buffer until `stack` closes: visible to the host, or the device's own."""
        self.check_size(nbytes, "a buffer")
        pool = self.host_pool if host else self.device_pool
        with self.lock:
            return pool.take(nbytes, self._reclaim, stack)

    def _reclaim(self) -> None:
        """Give memory back that nothing uses."""
        self.plans.clear()
        self.collect()
        self.host_pool.trim()
        self.device_pool.trim()

    def own(self, owner: object | None) -> Deletions:
        """A stack for the Vulkan objects of `owner`: closed some time after it, or with the device.

        Raises as `check_open`.
        """
        self.check_open()
        with self.lock:
            self.collect()
            return self.deletions.own(owner)

    @contextmanager
    def temporaries(self) -> Generator[Deletions]:
        """A stack for objects that a `with` and its submissions need."""
        stack = self.own(None)
        try:
            yield stack
        finally:
            self.deletions.destroy_after(stack)
            self.collect()

    def collect(self) -> None:
        if not self.is_here:
            return
        with self.lock:
            self.plans.drop_forgotten()
            self.queue.look()
            self.deletions.collect()
            self.host_pool.take_back()
            self.device_pool.take_back()

    def forget(self, token: int) -> None:
        self.closings += 1
        self.plans.forget(token)
        self.collect()

    def forget_with(self, child: object, token: int) -> None:
        self.plans.forget_with(child, token)

    def in_use(self) -> DeviceUse:
        """An object that keeps the device from being destroyed, during a `with` or longer."""
        use = self._use
        if use is None:
            raise ArgumentError("the device is closed")
        return use

    def settle_before_close(self, settling: Settling) -> None:
        with self.lock:
            self._unsettled.add(settling)
        if self.closed:  # it was closed by another thread, which has settled the others
            settling.settle()

    def call_after(self, serial: int, call: Callable[[], None]) -> None:
        self._waiter.add(serial, call, self._ends_within)

    def _ends_within(self, serial: int, timeout_ns: int) -> bool:
        """Whether a submission ends in time, or is lost; closing has waited for its end."""
        with suppress(RunnerError), self.in_use():
            return self.queue.ends_within(serial, timeout_ns)
        return True

    def copy(self, *records: Record) -> None:
        """Record copies between host and device, submit them and wait until they have ended.

        Raises DispatchTimeout when they do not in time; then nothing more can be submitted until
        they have.
        """

        def record_all(commands: vk.Handle) -> None:
            record_barrier(commands, AFTER_ALL, BEFORE_COPY)
            for record in records:
                record(commands)
            record_barrier(commands, AFTER_COPY, BEFORE_HOST)

        self.check_open()
        with self.lock:
            work = self._take_one_off()
            work.record(record_all)
            self.queue.submit(work)
        self.queue.finish(work, COPY_TIMEOUT_NS)
        self._one_off.append(work)

    def _take_one_off(self) -> CommandBuffer:
        try:
            return self._one_off.pop()
        except IndexError:
            return CommandBuffer(self.commands, self.own)

    def check_open(self) -> None:
        self.check_alive()
        self.queue.check_usable()

    def close(self) -> None:
        """See `Backend.close`.

        It is destroyed after the last call that is in progress, and the last mapped view. Where
        given-up work still runs, all is left as it stands. After Ctrl-C it can be closed again.
        """
        if not self.is_here or self in _abandoned:
            return
        self.closed = True
        use = self._use
        if use is not None:
            if not self._has_settled():
                _abandoned.append(self)  # destroying under its work would crash the process
                return
            self._settle()
            self._use = None
            del use
        use = self._last_use()
        if use is None:
            self._destroy()
        else:  # calls or views have it
            use.at_end = self._destroy

    def close_anew(self) -> None:
        """Destroy the objects that `close` left, if the work ends."""
        timeout_ns = 1 if self._was_awaited else _REOPEN_TIMEOUT_NS
        self._was_awaited = True
        with suppress(RunnerError):
            self.queue.wait_idle(timeout_ns)
        if not self.queue.is_stuck:
            with suppress(ValueError):  # when another thread was faster
                _abandoned.remove(self)
                self.close()

    def _settle(self) -> None:
        """Have all results fetched."""
        with self.lock:
            unsettled = self._unsettled.items()
        for settling in unsettled:
            settling.settle()

    def _destroy(self) -> None:
        if not self.is_here or sys.is_finalizing():
            return
        run_unsignalled(self._destroy_all, self.lock)

    def _destroy_all(self) -> None:
        with self.lock:
            self.plans.clear()
            self.deletions.destroy_all()
            self._stack.close()

    def _has_settled(self) -> bool:
        """Whether the work in flight has ended; nothing more is submitted."""
        self.queue.close()
        try:
            if not self.queue.is_stuck:
                self.queue.wait_idle(_CLOSE_TIMEOUT_NS)
        except DeviceLostError:
            return True  # it is lost with the device
        except (DispatchTimeout, VulkanError):
            return False
        return not self.queue.is_stuck

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if not (getattr(self, "closed", True) or is_finalizing()):
            self.close()


_abandoned: list[LogicalDevice] = []  # which were closed while the device worked


def end_abandoned(info: DeviceInfo) -> bool:
    """Destroy devices like this one that were closed while their work ran, when it has ended.

    Each is waited for once. False where some of it goes on.
    """
    mine = [logical for logical in list(_abandoned) if logical.is_here and logical.info == info]
    for logical in mine:
        logical.close_anew()
    return not any(logical in _abandoned for logical in mine)
