"""ReferenceDevice, ReferenceKernel: the public face of the reference machine.

Everything that is passed and returned is as on a Vulkan device. Beyond that it can follow a thread
(`ReferenceKernel.trace`), and finds races and barriers that not all threads of a group meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from translate import reference
from vkrunner.binding.registers import Key
from vkrunner.device import Device
from vkrunner.device_objects import object_of
from vkrunner.future import DEFAULT_TIMEOUT_S, nanoseconds
from vkrunner.kernel import Kernel
from vkrunner.messages import DEFAULT_CAPACITY
from vkrunner.reference.backend import ReferenceBackend
from vkrunner.reference.machine import Machine
from vkrunner.shader import KernelOptions, Source


class ReferenceKernel(Kernel):
    """A compute shader on the reference machine, which runs the program itself.

    Results are `ReferenceResult`. It is translated all the same: that checks it, and gives its
    interface.
    """

    def trace(
        self,
        groups: int | Sequence[int],
        /,
        *,
        thread: Sequence[int],
        bindings: Mapping[Key, Any] | None = None,
        limit: int | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        strict: bool = True,
        **resources: Any,
    ) -> Iterator[reference.Step]:
        """Every instruction that one thread executes, with the values that go in and come out.

        `thread` is its place in the dispatch (SV_DispatchThreadID), `limit` a number of
        instructions to stop after, all else as in `dispatch`. Nothing that is passed is changed.
        Raises as `dispatch` does, and ArgumentError for a thread that is not in the dispatch.
        """
        timeout_ns = nanoseconds(timeout)
        if strict is not True:
            resources, bindings = self._used(resources, bindings, strict)
        step = self._step(groups, resources, bindings)
        machine = object_of(self)
        assert isinstance(machine, Machine)
        return machine.trace(step, thread, limit, timeout_ns)


class ReferenceDevice(Device):
    """The reference machine, as `open_device("reference")` gives it. Nothing is timed."""

    def __init__(self) -> None:
        super().__init__(ReferenceBackend())

    def kernel(
        self,
        source: Source,
        *,
        message_capacity: int = DEFAULT_CAPACITY,
        file: str | None = None,
        **options: Unpack[KernelOptions],
    ) -> ReferenceKernel:
        """A shader made ready, as `Device.kernel`; a SpirvModule is refused (ArgumentError)."""
        return self._make_kernel(ReferenceKernel, source, message_capacity, file, options)
