"""ReferenceBackend: a backend whose device is the reference machine. It needs no Vulkan."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from threading import RLock
from typing import Any

from vkrunner.backend import OnDispatch, Settling
from vkrunner.errors import ArgumentError
from vkrunner.plan_cache import PlanCache
from vkrunner.process import check_process
from vkrunner.reference.executable import ReferenceExecutable
from vkrunner.reference.info import reference_info
from vkrunner.reference.machine import Machine
from vkrunner.reference.memory import HostBuffer, HostObject, HostTexture
from vkrunner.shader import Shader
from vkrunner.steps import Step
from vkrunner.values.arrays import Array
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout


class ReferenceBackend:
    """A `Backend`. Work ends before the call that starts it; dispatches are not kept.

    Nothing has to be destroyed: closing refuses further use.
    """

    faults: tuple[str, ...] = ()
    timestamps = False
    host_clock = False
    is_compiling = False

    def __init__(self) -> None:
        self.info = reference_info()
        self.closings = 0
        self.closed = False
        self._pid = os.getpid()
        self.on_dispatch: list[OnDispatch] = []
        self.lock = RLock()
        self.plans: PlanCache[Any] = PlanCache(self.lock, is_on=False)

    def make_buffer(self, nbytes: int) -> HostBuffer:
        return HostBuffer(nbytes)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> HostTexture:
        return HostTexture(layout, levels)

    def make_sampler(self, state: SamplerState) -> HostObject:
        return HostObject()

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any]) -> Machine:
        return Machine(self.info, shader, options)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> ReferenceExecutable:
        return ReferenceExecutable(steps)

    @property
    def is_here(self) -> bool:
        return os.getpid() == self._pid

    def check_alive(self) -> None:
        if self.closed:
            raise ArgumentError("the device is closed")
        check_process(self._pid)

    check_open = check_alive

    def forget(self, token: int) -> None:
        self.closings += 1

    def forget_with(self, child: object, token: int) -> None:
        """Nothing is kept that uses it."""

    def collect(self) -> None:
        """All memory is Python's."""

    def in_use(self) -> AbstractContextManager[None]:
        return nullcontext()

    def settle_before_close(self, settling: Settling) -> None:
        """All results are on the host already."""

    def close(self) -> None:
        if self.is_here:
            self.closed = True
