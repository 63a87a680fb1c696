"""Backend: what runs steps on a device. `vulkan` and `reference` each have one.

The public face (`Device`, `Kernel`, `Recording`, `Buffer`, ...) is the same over both.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, Protocol

from vkrunner.binding.arguments import Place
from vkrunner.errors import ArgumentError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import Faults
from vkrunner.resources.device_objects import DevicePipeline, ObjectMaker
from vkrunner.shader.shader import Shader
from vkrunner.work.plan_cache import PlanCache
from vkrunner.work.result import Outcome
from vkrunner.work.steps import Step

OnDispatch = Callable[[str, int], None]  # (kernel, nanoseconds)
Input = Any  # where an executable takes an array of a submission; hashable


class Executable(Protocol):
    """Encoded steps with memory for their arrays: submitted again and again, once at a time.

    `inputs` are by step and place; `nbytes` is what they take; `tokens` name the objects that it
    refers to. `has_outputs`: whether a submission leaves anything that has to be copied.
    `is_timed`: whether the device times its dispatches. `serial` is the number of its latest
    submission. It is freed some time after it is collected, when the work in flight has ended.
    """

    inputs: Mapping[Any, Mapping[Place, Input]]
    nbytes: int
    tokens: frozenset[int]
    has_outputs: bool
    is_timed: bool

    @property
    def serial(self) -> int: ...

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Write the inputs and submit.

        Inputs that `values` leaves out get the arrays that they were encoded with. Raises
        DispatchTimeout where the work ends in this call, and has not after `timeout_ns`.
        """
        ...

    def has_ended(self) -> bool:
        """Whether it is not in flight."""
        ...

    def wait(self, serial: int, timeout_ns: int) -> None:
        """Return when a submission of it has ended; many threads may wait.

        Raises DispatchTimeout.
        """
        ...

    def finish(self, timeout_ns: int) -> None:
        """Wait for the last time. After a timeout the device is not usable until the work ends."""
        ...

    def outcomes(self) -> Mapping[Any, Outcome]:
        """Copy the results of the submission that has ended, by dispatch."""
        ...


class Settling(Protocol):
    """Something that has to fetch its results before the device is destroyed."""

    def settle(self) -> None: ...


class Backend(ObjectMaker, ABC):
    """A device. Many threads may use it.

    `closings` counts the objects that were closed; `on_dispatch` is called with the time of each
    dispatch; `plans` keeps dispatches for repetition, and is changed under `lock`.
    """

    def __init__(self, info: DeviceInfo, *, keeps_plans: bool = True):
        self.info = info
        self.closed = False
        self.closings = 0
        self.on_dispatch: list[OnDispatch] = []
        self.lock = RLock()
        self.plans = PlanCache(self.lock, is_on=keeps_plans)
        self.pid = os.getpid()

    @property
    def timestamps(self) -> bool:
        """Whether the device times single dispatches now."""
        return False

    @property
    def is_compiling(self) -> bool:
        """Whether the driver compiles a pipeline now."""
        return False

    @property
    def build(self) -> bytes:
        """Identifies the device and the build of its driver, as far as Vulkan does."""
        return b""

    @property
    def is_here(self) -> bool:
        """Whether this is the process that opened it."""
        return os.getpid() == self.pid

    def check_alive(self) -> None:
        """Raises ArgumentError when closed, or in a process that was forked."""
        if self.closed:
            raise ArgumentError("the device is closed")
        check_process(self.pid)

    @abstractmethod
    def make_pipeline(
        self, shader: Shader, options: Mapping[str, Any], faults: Faults
    ) -> DevicePipeline:
        """A shader made ready for a device with these faults.

        Raises TranslateError, LimitError or FeatureError, and as `faults`.
        """

    @abstractmethod
    def encode(self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool) -> Executable:
        """Encode steps, which are run in their order.

        `is_recorded`: a submission may leave arrays out. Raises LimitError or FeatureError.
        """

    @abstractmethod
    def call_after(self, serial: int, call: Callable[[], None]) -> None:
        """Make a call, from a thread of the device's, when a submission has ended."""

    @abstractmethod
    def collect(self) -> None:
        """Free what nothing refers to and no work in flight needs. Not for finalizers."""

    @abstractmethod
    def settle_before_close(self, settling: Settling) -> None:
        """Have its results fetched before the device is destroyed; now, if it is closed."""

    @abstractmethod
    def close(self) -> None:
        """Wait for work in flight and free everything; harmless a second time."""


def check_process(pid: int) -> None:
    """Raises ArgumentError in another process: a fork has none of the driver's threads."""
    if os.getpid() != pid:
        raise ArgumentError(
            f"the device was opened by process {pid}, and cannot be used after a fork: open one"
            " here"
        )
