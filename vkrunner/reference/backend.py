"""ReferenceBackend, ReferenceExecutable: the reference machine as a device, without Vulkan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from translate.dataclass import replace
from vkrunner.binding.arguments import Argument, ArrayArgument, Place
from vkrunner.dispatch.context import Context, lock_of_process
from vkrunner.dispatch.executable import Input
from vkrunner.dispatch.result import Outcome
from vkrunner.dispatch.steps import (
    SOURCE,
    BufferRegion,
    CopyStep,
    DispatchStep,
    FillStep,
    Region,
    Step,
    TextureRegion,
)
from vkrunner.info.device_info import Tried
from vkrunner.reference.info import reference_info
from vkrunner.reference.machine import Machine
from vkrunner.reference.resources import HostBuffer, HostObject, HostTexture, Turn
from vkrunner.shader.shader import Shader
from vkrunner.values.numbers import Array, Bytes, as_array, bytes_of
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout, one_mip


class ReferenceExecutable:
    """An `Executable` that runs all its steps in `start`. An `Input` is (step's name, place)."""

    nbytes = 0
    tokens: frozenset[int] = frozenset()
    has_outputs = True
    is_timed = True
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
        # Check the arrays of all steps before the first step runs.
        dispatches = {
            name: _with_values(name, step, values)
            for name, step in self._steps.items()
            if isinstance(step, DispatchStep)
        }
        for name, step in self._steps.items():
            if isinstance(step, DispatchStep):
                machine: Machine = step.pipeline
                with self._turn.dispatching():
                    self._outcomes[name] = machine.run(dispatches[name], timeout_ns)
            elif isinstance(step, FillStep):
                _fill(step)
            else:
                _copy(step, values.get((name, (SOURCE, 0)), step.source))

    def outcomes(self, *, copied: bool = True) -> Mapping[Any, Outcome]:
        return self._outcomes


def _places(step: Step) -> list[Place]:
    if isinstance(step, DispatchStep):
        return [a.shown.place for a in step.arguments if isinstance(a, ArrayArgument)]
    return [(SOURCE, 0)]


def _with_values(name: Any, step: DispatchStep, values: Mapping[Input, Any]) -> DispatchStep:
    """The dispatch with the arrays that were passed to one submission."""

    def replaced(argument: Argument) -> Argument:
        key = name, argument.shown.place
        if key not in values or not isinstance(argument, ArrayArgument):
            return argument
        return argument.with_value(values[key])

    return replace(step, arguments=[replaced(a) for a in step.arguments])


def _fill(step: FillStep) -> None:
    region, count = step.region, -(-step.region.nbytes // 4)
    data = np.full(count, step.dword, np.uint32).view(np.uint8)
    size = min(region.nbytes, region.buffer.nbytes - region.first)
    region.on_device.write(region.first, data[:size])


def _copy(step: CopyStep, source: Any) -> None:
    """Copy to the step's target; `source` is the step's source, or an array that replaces it."""
    target = step.target
    if isinstance(source, BufferRegion) and isinstance(target, BufferRegion):
        _write(target, source.buffer.read_bytes(source.first, source.nbytes))
    elif isinstance(source, TextureRegion) and isinstance(target, TextureRegion):
        ours, theirs = source.view, target.view
        for mip, to_mip in zip(ours.part.mips, theirs.part.mips, strict=True):
            data = source.on_device.read(one_mip(ours.part, mip))
            target.on_device.write(one_mip(theirs.part, to_mip), data)
    else:
        _write(target, bytes_of(as_array(source, "")))


def _write(target: Region, data: Bytes) -> None:
    if isinstance(target, BufferRegion):
        target.on_device.write(target.first, data)
    else:
        target.on_device.write(target.view.part, data)


class ReferenceQueue:
    """A `WorkQueue`: each submission ends before the call that makes it returns."""

    latest = 0
    is_compiling = False

    def __init__(self) -> None:
        self.lock = lock_of_process()

    def has_ended(self, serial: int) -> bool:
        return True

    def ends_within(self, serial: int, timeout_ns: int, *, polls: bool = True) -> bool:
        return True

    def check_usable(self) -> None:
        """Do nothing: the reference machine cannot be lost."""

    def close(self) -> None:
        """Do nothing: a closed device is refused before its queue is asked."""


class ReferenceBackend:
    """A `Backend` that keeps no executables for later dispatches, and has nothing to destroy."""

    build = b""
    is_compiling = False

    def __init__(self) -> None:
        self.context = Context(reference_info(), ReferenceQueue(), keeps_plans=False)
        self._turn = Turn()

    def make_buffer(self, nbytes: int) -> HostBuffer:
        return HostBuffer(nbytes, self._turn)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> HostTexture:
        return HostTexture(layout, levels, self._turn)

    def make_sampler(self, state: SamplerState) -> HostObject:
        return HostObject()

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any], tried: Tried) -> Machine:
        shader.shows_lines = True  # races name lines of HLSL too
        return Machine(self.context.info, shader, options)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> ReferenceExecutable:
        return ReferenceExecutable(steps, self._turn)

    def collect(self) -> None:
        """Do nothing: Python frees the memory."""

    def close(self) -> None:
        if self.context.is_here:
            self.context.close(self.collect)
