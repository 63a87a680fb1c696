"""Run: one submission of one kernel's dispatch, the first of its kind or a repetition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import perf_counter_ns
from typing import Any

from translate import ShaderInterface
from vkrunner.binding.arguments import Argument
from vkrunner.errors import RunnerError
from vkrunner.futures import Finished
from vkrunner.plans import Plan, Ready, plan_of
from vkrunner.result import Duration, Result, contents_of
from vkrunner.vulkan.logical import LogicalDevice
from vkrunner.vulkan.plan_cache import Key


class Run:
    """What a repeated dispatch is while in flight: a `futures.Submission`."""

    has_outputs = True

    def __init__(
        self,
        logical: LogicalDevice,
        name: str,
        ready: Ready,
        resources: Mapping[str, Any],
        key: Key | None,
    ):
        self._logical = logical
        self._name = name
        self._ready = ready
        self._resources = resources  # which keeps alive what the device works with
        self._key = key
        self._submitted_ns = 0

    def submit(self) -> None:
        """Hand it to the device."""
        self._submitted_ns = perf_counter_ns()
        try:
            self._logical.queue.submit(self._ready.work)
        except BaseException:
            self._logical.release(self._ready.stack)
            raise

    def has_ended(self) -> bool:
        return self._logical.has_ended(self._ready.work)

    def is_compiling(self) -> bool:
        return self._logical.is_compiling

    def wait(self, timeout_ns: int) -> None:
        self._logical.wait(self._ready.work, timeout_ns)

    def finish(self, timeout_ns: int) -> Result:
        """Wait and give the result; who does not wait to the end leaves the device unusable."""
        try:
            self._logical.finish(self._ready.work, timeout_ns)
        except BaseException:
            self._logical.release(self._ready.stack)
            raise
        result = self._result(self._duration())
        self.give_back()
        return result

    def results(self) -> Finished:
        with self._logical.in_use():
            return Finished(self._result(self._duration()))

    def drop(self) -> None:
        self._logical.release_later(self._ready.stack)

    def _duration(self) -> Duration:
        if self._ready.prepared.is_nothing:
            return 0
        reading = self._ready.work.reading()
        if reading is None:
            return perf_counter_ns() - self._submitted_ns if self._logical.host_clock else None
        for call in self._logical.on_dispatch:
            call(self._name, reading.durations_ns[0])
        return reading

    def _result(self, duration: Duration) -> Result:
        raise NotImplementedError

    def give_back(self) -> None:
        raise NotImplementedError


class FirstRun(Run):
    """A dispatch with new arguments, which is kept for repetitions where they may come."""

    def __init__(
        self,
        *run: Any,
        interface: ShaderInterface,
        arguments: Sequence[Argument],
        is_wanted: Callable[[], bool],
    ):
        """`is_wanted`: whether the kernel is there that a repetition needs."""
        super().__init__(*run)
        self._interface = interface
        self._arguments = arguments
        self._is_wanted = is_wanted

    def _result(self, duration: Duration) -> Result:
        prepared = self._ready.prepared
        values, counters = contents_of(self._interface, self._arguments, prepared.read)
        result = Result(self._interface, values, counters, duration)
        result.violations = prepared.violations()
        return result

    def give_back(self) -> None:
        logical, ready = self._logical, self._ready
        plan = None
        if self._key is not None and ready.prepared.is_repeatable:
            plan = plan_of(self._interface, self._resources, self._arguments)
        if self._key is None or plan is None:
            with suppress(RunnerError):  # later, then
                ready.work.settle()  # while nobody waits for the queue's lock, as when it is closed
            logical.release(ready.stack)
            return
        ready.repeat(self._interface, self._resources)
        with logical.deferral.lock:  # under which the plans of a kernel that is closed are dropped
            if self._is_wanted():
                logical.plans.add(self._key, plan, ready)
            else:
                logical.release(ready.stack)


class RepeatedRun(Run):
    """A dispatch that differs from one before in nothing but its data."""

    def __init__(self, *run: Any, plan: Plan):
        super().__init__(*run)
        self._plan = plan

    def write(self) -> None:
        """Bring the data to the device.

        Raises ArgumentError for constants that do not fit, and as `CommandList.settle`.
        """
        try:
            self._ready.work.settle()
            self._ready.write(self._resources)
        except BaseException:
            self.give_back()
            raise

    def _result(self, duration: Duration) -> Result:
        return self._plan.result(self._ready, self._resources, duration)

    def give_back(self) -> None:
        assert self._key is not None
        self._logical.plans.give(self._key, self._plan, self._ready)
