"""VulkanBackend, VulkanExecutable: the backend of a Vulkan device, and steps encoded for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter_ns
from typing import Any

from vkrunner.binding.arguments import Place
from vkrunner.dispatch.result import Duration, Outcome
from vkrunner.dispatch.steps import DispatchStep, Step
from vkrunner.info.device_info import Tried
from vkrunner.shader.shader import Shader
from vkrunner.values.numbers import Array
from vkrunner.values.samplers import SamplerState
from vkrunner.values.texture_layout import TextureLayout
from vkrunner.vulkan.device.logical import LogicalDevice
from vkrunner.vulkan.encode.command_list import CommandList, Input, Reading, StepTime
from vkrunner.vulkan.encode.step_commands import Prepared, transfer_of
from vkrunner.vulkan.encode.texture import TextureImage
from vkrunner.vulkan.encode.variants import Variants
from vkrunner.vulkan.objects.samplers import SamplerObject
from vkrunner.vulkan.objects.storage import Storage

Time = int | Reading | None  # of a submission: nanoseconds, or timestamps to be fetched


class VulkanExecutable:
    """An `Executable` for a Vulkan device."""

    def __init__(
        self, logical: LogicalDevice, given: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ):
        self._logical = logical
        self._work = CommandList(logical)
        stack = self._work.stack
        try:
            steps = {
                name: Prepared(logical, step, stack, is_recorded=is_recorded)
                if isinstance(step, DispatchStep)
                else transfer_of(step, stack)
                for name, step in given.items()
            }
            is_timed = timed and logical.info.features.timestamps
            self._work.record_steps([*steps.values()], timed=is_timed)
        except BaseException:  # its traceback may keep this object alive for long
            logical.deletions.destroy_after(stack)
            raise
        self.tokens = frozenset(owner.token for s in steps.values() for owner in s.owners)
        self.is_timed = timed
        self.inputs: Mapping[Any, Mapping[Place, Input]] = {n: s.inputs for n, s in steps.items()}
        every = [there for inputs in self.inputs.values() for there in inputs.values()]
        self.nbytes = sum(there.target.nbytes for there in every)
        dispatches = [(n, step) for n, step in steps.items() if isinstance(step, Prepared)]
        self._numbers = {n: None if s.is_nothing else s.number for n, s in dispatches}
        self._reported = [step for _, step in dispatches if step.has_report]
        self.has_outputs = any(step.has_outputs for _, step in dispatches)
        single = len(dispatches) == 1  # its caller waits for the outcome
        self._copied = [(n, step) for n, step in dispatches if single or step.has_outputs]
        self._recorded = any(there.is_recorded for there in every)
        self._spent = {there for there in every if there.is_spent}
        self._stale: set[Input] = set()  # inputs that have other data than recorded
        self._pushes = any(step.pushes_constants for _, step in dispatches)
        self._host_clock = logical.host_clock and not is_recorded
        self._started_ns = 0
        self.serial = 0

    def start(self, values: Mapping[Input, Any], timeout_ns: int) -> None:
        """Write the inputs and submit.

        Raises ArgumentError for constants that do not fit, and the errors of `Reading.spans`
        and `Queue.submit`.
        """
        if self._work.clock is not None:
            self._work.clock.fetch_latest()
        elif self._host_clock:
            self._started_ns = perf_counter_ns()
        if self._recorded:
            self._restore_all_but(values)
        for there, value in values.items():
            there.write(value)
        if self._pushes and (values or self._recorded):
            self._work.record_again()
        for step in self._reported:
            step.clear_report()
        self._logical.queue.submit(self._work)
        self.serial = self._work.serial

    def _restore_all_but(self, values: Mapping[Input, Any]) -> None:
        """Write the recorded arrays to inputs that hold other data, except those in `values`."""
        for there in self._stale.difference(values):
            there.restore()
        self._stale = self._spent.union(values)

    def outcomes(self, *, copied: bool = True) -> Mapping[Any, Outcome]:
        time: Time = None
        if self._work.clock is not None:
            time = self._work.clock.reading()
        elif self._host_clock:
            time = perf_counter_ns() - self._started_ns
        found: dict[Any, Outcome] = {}
        for name, step in self._copied:
            duration = _duration(time, self._numbers[name]) if time is not None else None
            found[name] = (
                step.outcome(duration, copied) if step.has_outputs else Outcome({}, None, duration)
            )
        if len(found) == len(self._numbers):
            return found
        return _Outcomes(found, self._numbers, time)


class _Outcomes(Mapping[Any, Outcome]):
    """Step's name -> outcome, for the dispatches of one submission.

    An outcome that has only a duration is made when it is asked for.
    """

    def __init__(
        self, copied: Mapping[Any, Outcome], numbers: Mapping[Any, int | None], time: Time
    ):
        self._copied = copied
        self._numbers = numbers
        self._time = time

    def __getitem__(self, name: Any) -> Outcome:
        copied = self._copied.get(name)
        return copied or Outcome({}, None, _duration(self._time, self._numbers[name]))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def _duration(time: Time, number: int | None) -> Duration:
    """The duration of dispatch `number` of a submission; None if the submission was not timed.

    `number` counts the timed dispatches. It is None for a dispatch of no groups, which takes 0.
    """
    if number is None:
        return None if time is None else 0
    return StepTime(time, number) if isinstance(time, Reading) else time


class VulkanBackend:
    """A `Backend` for a Vulkan device."""

    def __init__(self, logical: LogicalDevice):
        self._logical = logical
        self.context = logical.context

    @property
    def build(self) -> bytes:
        return self._logical.build

    @property
    def is_compiling(self) -> bool:
        return bool(self._logical.creating) or self._logical.queue.is_compiling

    def make_buffer(self, nbytes: int) -> Storage:
        return Storage(self._logical, nbytes)

    def make_texture(self, layout: TextureLayout, levels: Sequence[Array]) -> TextureImage:
        return TextureImage(self._logical, layout, levels)

    def make_sampler(self, state: SamplerState) -> SamplerObject:
        return SamplerObject(self._logical, state)

    def make_pipeline(self, shader: Shader, options: Mapping[str, Any], tried: Tried) -> Variants:
        return Variants(self._logical, shader, options, tried)

    def encode(
        self, steps: Mapping[Any, Step], *, timed: bool, is_recorded: bool
    ) -> VulkanExecutable:
        return VulkanExecutable(self._logical, steps, timed=timed, is_recorded=is_recorded)

    def collect(self) -> None:
        self._logical.collect()

    def close(self) -> None:
        self._logical.close()
