"""ReferenceBackend, ReferenceExecutable: a device that is the reference machine. No Vulkan."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from vkrunner.binding.arguments import Argument, ArrayArgument, Place
from vkrunner.info.faults import Faults
from vkrunner.reference.info import reference_info
from vkrunner.reference.machine import Machine
from vkrunner.reference.memory import HostBuffer, HostObject, HostTexture
from vkrunner.reference.turn import Turn
from vkrunner.resources.device_objects import object_of
from vkrunner.shader.shader import Shader
from vkrunner.values.arrays import Array, Bytes, as_array, bytes_of
from vkrunner.values.dimensions import one_mip
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.work.backend import Backend, Input, Settling
from vkrunner.work.result import Outcome
from vkrunner.work.steps import (
    SOURCE,
    BufferRegion,
    CopyStep,
    DispatchStep,
    FillStep,
    Region,
    Step,
    TextureRegion,
)


class ReferenceExecutable:
    """An `Executable`. A submission has ended when `start` returns; an input is (step, place)."""

    nbytes = 0
    tokens: frozenset[int] = frozenset()
    has_outputs = True
    is_timed = False
    serial = 0

    def __init__(self, steps: Mapping[Any, Step], turn: Turn):
        self._steps = steps
        self._turn = turn
        self._outcomes: dict[Any, Outcome] = {}
        self.inputs: Mapping[Any, Mapping[Place, Input]] = {
            name: {place: (name, place) for place in _places(step)} for name, step in steps.items()
        }

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        with self._turn.taken(timeout_ns):
            self._run(values, timeout_ns)

    def _run(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        self._outcomes = {}
        # Arrays that do not fit are refused before the first step runs.
        dispatches = {
            name: _with_values(name, step, values)
            for name, step in self._steps.items()
            if isinstance(step, DispatchStep)
        }
        for name, step in self._steps.items():
            if isinstance(step, DispatchStep):
                machine = object_of(step.kernel)
                assert isinstance(machine, Machine), "kernels of other devices were refused"
                with self._turn.dispatching():
                    self._outcomes[name] = machine.run(dispatches[name], timeout_ns)
            elif isinstance(step, FillStep):
                _fill(step)
            else:
                _copy(step, values.get((name, (SOURCE, 0)), step.source))

    def has_ended(self) -> bool:
        return True

    def wait(self, serial: int, timeout_ns: int) -> None:
        """It has ended."""

    def finish(self, timeout_ns: int) -> None:
        """It has ended."""

    def outcomes(self) -> Mapping[Any, Outcome]:
        return self._outcomes


def _places(step: Step) -> list[Place]:
    if isinstance(step, DispatchStep):
        return [a.place for a in step.arguments if isinstance(a, ArrayArgument)]
    return [(SOURCE, 0)]


def _with_values(name: Any, step: DispatchStep, values: Mapping[Input, Any]) -> DispatchStep:
    """The dispatch with the arrays of one submission."""

    def replaced(argument: Argument) -> Argument:
        key = name, argument.place
        if key not in values or not isinstance(argument, ArrayArgument):
            return argument
        return argument.with_value(values[key])

    return dataclasses.replace(step, arguments=[replaced(a) for a in step.arguments])


def _fill(step: FillStep) -> None:
    region, count = step.region, -(-step.region.nbytes // 4)
    data = np.full(count, step.dword, np.uint32).view(np.uint8)
    size = min(region.nbytes, region.buffer.nbytes - region.first)
    object_of(region.buffer).write(region.first, data[:size])


def _copy(step: CopyStep, source: Any) -> None:
    """Copy; `source` is the step's, or an array in its place."""
    target = step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        _write(target, source.buffer.read_bytes(source.first, source.nbytes))
    elif isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        ours, theirs = source.view, target.view
        for mip, to_mip in zip(ours.part.mips, theirs.part.mips, strict=True):
            data = object_of(ours.texture).read(one_mip(ours.part, mip))
            object_of(theirs.texture).write(one_mip(theirs.part, to_mip), data)
    else:
        _write(target, bytes_of(as_array(source, "")))


def _write(target: Region, data: Bytes) -> None:
    if isinstance(target, BufferRegion):
        object_of(target.buffer).write(target.first, data)
    else:
        object_of(target.view.texture).write(target.view.part, data)


class ReferenceBackend(Backend):
    """Work ends before the call that starts it; dispatches are not kept.

    Nothing has to be destroyed: closing refuses further use.
    """

    def __init__(self) -> None:
        super().__init__(reference_info(), keeps_plans=False)
        self._turn = Turn()

    def make_buffer(self, nbytes: int) -> HostBuffer:
        return HostBuffer(nbytes, self._turn)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> HostTexture:
        return HostTexture(layout, levels, self._turn)

    def make_sampler(self, state: SamplerState) -> HostObject:
        return HostObject()

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any], faults: Faults) -> Machine:
        return Machine(self.info, shader, options)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> ReferenceExecutable:
        return ReferenceExecutable(steps, self._turn)

    def check_open(self) -> None:
        self.check_alive()

    def forget(self, token: int) -> None:
        self.closings += 1

    def forget_with(self, child: object, token: int) -> None:
        """Nothing is kept that uses it."""

    def call_after(self, serial: int, call: Callable[[], None]) -> None:
        """The submission has ended."""
        call()

    def collect(self) -> None:
        """All memory is Python's."""

    def in_use(self) -> AbstractContextManager[None]:
        return nullcontext()

    def settle_before_close(self, settling: Settling) -> None:
        """All results are on the host already."""

    def close(self) -> None:
        if self.is_here:
            self.closed = True
