"""VulkanBackend, VulkanExecutable: the backend of a Vulkan device, and steps encoded for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vkrunner.backend import check_process
from vkrunner.binding.arguments import Place
from vkrunner.result import Duration, Outcome
from vkrunner.shader import Shader
from vkrunner.steps import Step
from vkrunner.values.arrays import Array
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.vulkan.clock import StepTime
from vkrunner.vulkan.command_list import CommandList, Input
from vkrunner.vulkan.encode import Prepared, encode_step
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.probes import faults_of
from vkrunner.vulkan.samplers import SamplerObject
from vkrunner.vulkan.storage import Storage
from vkrunner.vulkan.texture import TextureImage
from vkrunner.vulkan.variants import Variants


class VulkanExecutable:
    """An `Executable`."""

    def __init__(
        self, logical: LogicalDevice, given: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ):
        self._logical = logical
        self._work = CommandList(logical)
        stack = self._work.stack
        try:
            steps = {
                name: encode_step(logical, step, stack, is_recorded=is_recorded)
                for name, step in given.items()
            }
            self._work.record_steps([*steps.values()], timed=timed)
        except BaseException:  # whose traceback may keep this for long
            logical.deletions.destroy_after(stack)
            raise
        self.tokens = frozenset(owner.token for s in steps.values() for owner in s.owners)
        self.is_timed = timed
        self.inputs: Mapping[Any, Mapping[Place, Input]] = {n: s.inputs for n, s in steps.items()}
        every = [there for inputs in self.inputs.values() for there in inputs.values()]
        self.nbytes = sum(there.target.nbytes for there in every)
        self._dispatches = {n: step for n, step in steps.items() if isinstance(step, Prepared)}
        self._reported = [step for step in self._dispatches.values() if step.has_report]
        self.has_outputs = any(step.has_outputs for step in self._dispatches.values())
        self._spent = {there for there in every if there.is_spent}
        self._stale: set[Input] = set()  # inputs without their recorded data

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Write the inputs and submit.

        Raises ArgumentError for constants that do not fit, and as `Reading.durations_ns` and
        `Queue.submit`.
        """
        if self._work.clock is not None:
            self._work.clock.fetch_latest()
        stale = self._stale
        self._stale = stale.union(self._spent, values)  # until all is written
        for there in stale.difference(values):
            there.restore()
        for there, value in values.items():
            there.write(value)
        self._stale = self._spent.union(values)
        for step in self._reported:
            step.clear_report()
        self._logical.queue.submit(self._work)

    def has_ended(self) -> bool:
        check_process(self._logical.pid)
        return self._logical.queue.has_ended(self._work)

    def wait(self, timeout_ns: int) -> None:
        with self._logical.in_use():
            self._logical.check_alive()
            self._logical.queue.wait(self._work, timeout_ns)

    def finish(self, timeout_ns: int) -> None:
        self._logical.queue.finish(self._work, timeout_ns)

    def outcomes(self, elapsed_ns: int | None) -> dict[Any, Outcome]:
        durations = self._durations(elapsed_ns)
        found: dict[Any, Outcome] = {}
        for name, step in self._dispatches.items():
            arrays: dict[Place, Array] = {}
            for place, (data, dtype, shape) in step.outputs.items():
                arrays[place] = data.copy().view(dtype).reshape(shape)
            violations, log = step.reported() if step.has_report else _NOT_REPORTED
            found[name] = Outcome(arrays, violations, durations.get(name), messages=log)
        return found

    def _durations(self, elapsed_ns: int | None) -> Mapping[Any, Duration]:
        """The time of each dispatch, which is fetched when asked for."""
        clock = self._work.clock
        if clock is None:
            if elapsed_ns is None:
                return _UNTIMED
            return {n: 0 if s.is_nothing else elapsed_ns for n, s in self._dispatches.items()}
        reading = clock.reading()
        durations: dict[Any, Duration] = {}
        for name, step in self._dispatches.items():
            durations[name] = 0 if step.is_nothing else StepTime(reading, len(durations))
        return durations


_NOT_REPORTED = (None, None)
_UNTIMED: Mapping[Any, Duration] = {}


class VulkanBackend(LogicalDevice):
    """A `LogicalDevice` with all that a `Backend` makes."""

    @property
    def faults(self) -> tuple[str, ...]:
        return faults_of(self)

    def make_buffer(self, nbytes: int) -> Storage:
        return Storage(self, nbytes)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> TextureImage:
        return TextureImage(self, layout, levels)

    def make_sampler(self, state: SamplerState) -> SamplerObject:
        return SamplerObject(self, state)

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any]) -> Variants:
        return Variants(self, shader, options)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> VulkanExecutable:
        return VulkanExecutable(self, steps, timed=timed, is_recorded=is_recorded)
