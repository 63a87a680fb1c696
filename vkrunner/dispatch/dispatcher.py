"""Dispatcher: turns the arguments of a dispatch into a submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from translate import ShaderInterface
from vkrunner.binding.arguments import ResidentArgument
from vkrunner.binding.making import make_arguments
from vkrunner.binding.registers import bound_by_callers, elements_of, look_up, register_of
from vkrunner.binding.views import check_overlaps
from vkrunner.dispatch.backend import Backend
from vkrunner.dispatch.groups import Indirect, check_groups
from vkrunner.dispatch.plans import DispatchPlan, key_of, submit_first
from vkrunner.dispatch.result import Result
from vkrunner.dispatch.steps import DispatchStep
from vkrunner.dispatch.submission import Submission
from vkrunner.errors import ArgumentError, WrongTypeError
from vkrunner.info.device_info import Tried
from vkrunner.report.messages import DEFAULT_CAPACITY, check_capacity
from vkrunner.report.page import ExplainedKernel
from vkrunner.resources.device_objects import DeviceChild, DevicePipeline, object_of
from vkrunner.shader.shader import Shader, Source
from vkrunner.values.formats import format_of_name


class Dispatcher(DeviceChild[DevicePipeline]):
    """A shader on a device; Kernel adds the public methods."""

    _noun = "kernel"

    def __init__(
        self,
        backend: Backend,
        source: Source,
        options: Mapping[str, Any],
        message_capacity: int = DEFAULT_CAPACITY,
        tried: Tried | None = None,
    ):
        self._backend = backend
        self._message_capacity = check_capacity(message_capacity)
        self._shader = source if isinstance(source, Shader) else Shader(source)
        self.name = self._shader.name
        tried = tried or Tried()
        made = backend.make_pipeline(self._shader, options, tried)
        super().__init__(backend, made)
        self._explained = ExplainedKernel(self._shader, made.options, tried.faults)
        self.interface: ShaderInterface = bound_by_callers(made.interface)
        self._whole: ShaderInterface = made.interface
        formats: Mapping[str, str | Sequence[str]] = options.get("formats") or {}
        self._formats = {register_of(made.interface, key): one for key, one in formats.items()}
        for names in self._formats.values():
            for name in [names] if isinstance(names, str) else names:
                format_of_name(name)  # arrays cannot have all formats of Options

    def _submit(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[Any, Any],
        timeout_ns: int,
    ) -> Submission:
        """Submit a dispatch; reuse an idle executable of an equal dispatch if one exists."""
        backend, token = self._backend, self._token
        context = backend.context
        if not token:
            object_of(self)
        context.check_alive("kernel")  # a submission checks whether the queue can be used
        timed = context.times_dispatches or bool(context.on_dispatch)
        key = key_of(token, timed, groups, resources)
        plan = context.plans.by_key.get(key) if key is not None else None
        if isinstance(plan, DispatchPlan):
            executable = context.plans.take(plan)
            if executable is not None:
                return plan.submit(backend, executable, self.name, resources, timeout_ns)
        step = self._step(groups, resources)
        return submit_first(backend, step, key, resources, timeout_ns, timed=timed)

    def _step(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[Any, Any],
    ) -> DispatchStep:
        """Check the arguments of a dispatch. Raises ArgumentError or LimitError."""
        object_of(self)
        info, sizes = self._backend.context.info, groups
        if not isinstance(sizes, Indirect):
            sizes = check_groups(info, sizes)
        try:
            arguments = make_arguments(self.interface, resources, self._formats, info.limits)
        except ArgumentError as error:
            removed = ", ".join(self._removed(resources))
            if not removed:
                _check_no_results(resources)
                raise
            reason = f"the compiler removed {removed}, because nothing uses it"
            raise type(error)(f"{error}; {reason}") from None
        residents = [a for a in arguments if isinstance(a, ResidentArgument)]
        for argument in residents:
            argument.check_owner(self._backend)
        check_overlaps(residents)
        kept, page = self._message_capacity, self._explained
        return DispatchStep(self.name, self, self._whole, sizes, arguments, kept, page)

    def _removed(self, resources: Mapping[Any, Any]) -> list[str]:
        """The names that the HLSL declares, and the compiled shader lacks."""
        return [
            key
            for key in resources
            if isinstance(key, str)
            and look_up(self.interface, key) is None
            and not elements_of(self.interface, key)
            and self._shader.declares(key)
        ]


def _check_no_results(resources: Mapping[Any, Any]) -> None:
    """Raise ArgumentError if a whole result is passed, and not one of its arrays."""
    for key, value in resources.items():
        if isinstance(value, Result):
            names = value._ipython_key_completions_()  # pyright: ignore[reportPrivateUsage]
            name = names[-1] if names else "u0"  # HLSL names are last
            advice = f"pass one of its arrays, such as result.{name}"
            raise WrongTypeError(f"{key} takes an array, not a whole result: {advice}")
