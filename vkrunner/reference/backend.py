"""ReferenceBackend: a backend whose device is the reference machine. It needs no Vulkan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from vkrunner.backend import Backend, Settling
from vkrunner.reference.executable import ReferenceExecutable
from vkrunner.reference.info import reference_info
from vkrunner.reference.machine import Machine
from vkrunner.reference.memory import HostBuffer, HostObject, HostTexture
from vkrunner.shader import Shader
from vkrunner.steps import Step
from vkrunner.values.arrays import Array
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout


class ReferenceBackend(Backend):
    """Work ends before the call that starts it; dispatches are not kept.

    Nothing has to be destroyed: closing refuses further use.
    """

    def __init__(self) -> None:
        super().__init__(reference_info(), keeps_plans=False)

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

    def check_open(self) -> None:
        self.check_alive()

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
