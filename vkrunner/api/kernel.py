"""Kernel: a shader on a device, ready to be dispatched."""

# `dispatch_step` is for recordings, and no method that callers see.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from translate import ShaderInterface
from translate.interface import brief_of, interface_table
from vkrunner.binding.arguments import Place
from vkrunner.binding.making import make_arguments
from vkrunner.binding.matching import match_arguments
from vkrunner.binding.overlaps import check_overlaps
from vkrunner.binding.registers import Key
from vkrunner.binding.unused import used_resources
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import Faults, no_faults
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.closing import Closing
from vkrunner.resources.device_objects import DeviceChild, DevicePipeline, object_of
from vkrunner.shader.shader import Shader, Source
from vkrunner.work.backend import Backend, Executable
from vkrunner.work.future import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S, DispatchFuture, nanoseconds
from vkrunner.work.groups import Indirect, check_groups, check_indirect
from vkrunner.work.messages import DEFAULT_CAPACITY, check_capacity
from vkrunner.work.plan_cache import PlanKey
from vkrunner.work.plans import DispatchPlan, is_repeatable, key_of
from vkrunner.work.result import Resident, Result, ResultLayout, residents_of
from vkrunner.work.steps import DispatchStep
from vkrunner.work.submission import Origin, Submission, report_time


class Kernel(DeviceChild[DevicePipeline], Closing):
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader with typed buffers or textures is translated once for each combination of formats that
    it is dispatched with, one with unbounded arrays for each combination of lengths, any other when
    the kernel is made; and each anew for views that the device cannot bind as they are.

    Attributes
    ----------
    name : str
        What a profile calls it: the file's name, or "kernel". It may be set.
    interface : ShaderInterface
        What has to be bound.
    """

    _noun = "kernel"

    def __init__(
        self,
        backend: Backend,
        source: Source,
        options: Mapping[str, Any],
        message_capacity: int = DEFAULT_CAPACITY,
        faults: Faults = no_faults,
    ):
        self._backend = backend
        self._message_capacity = check_capacity(message_capacity)
        self._shader = source if isinstance(source, Shader) else Shader(source)
        self.name = self._shader.name or "kernel"  # in a profile
        self._formats: Mapping[str, str | Sequence[str]] = options.get("formats") or {}
        made = backend.make_pipeline(self._shader, options, faults)
        super().__init__(backend, made)
        self.interface: ShaderInterface = made.interface

    @property
    def device_info(self) -> DeviceInfo:
        """Name, type, limits, and all else that there is to know of its device."""
        return self._backend.info

    def dispatch(
        self,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        strict: bool = True,
        **resources: Any,
    ) -> Result:
        """Run the shader and wait for its end.

        Parameters
        ----------
        groups : int or sequence of int
            Thread groups in x, y and z; those left out are 1.
        bindings : mapping, optional
            Further arguments, by register, HLSL name, or (class, space, number), as ("u", 0, 2).
        timeout : float, optional
            Seconds that the work may take.
        strict : bool, optional
            With False, resources that the shader does not have are ignored, so that one set can be
            passed to several kernels. It has nothing to do with `Options.strict`.
        **resources
            Arguments by register (`t0`, `u0`, `cb0`) or HLSL name. Arrays are uploaded and not
            changed; `device.buffer(...)`, its views and textures stay on the device; a constant
            buffer takes a dict too; None is a null resource; a sampler that is left out is D3D's
            default; an array of resources takes a list. A resource that is called like a parameter
            goes by its register, or into `bindings`.

        Returns
        -------
        Result
            What the shader wrote.

        Raises
        ------
        ArgumentError
            An argument does not fit.
        LimitError
            The device or D3D does not allow that many groups, or so large a resource.
        FeatureError
            The device lacks a feature that is needed.
        DispatchTimeout
            The work did not end in time.
        AbortError
            The shader ended it by `abort`.
        LoopLimitError
            The driver ended a loop, so that results are wrong.
        DeviceLostError
            The device was lost.
        VulkanError
            The driver refused.

        Examples
        --------
        >>> import numpy as np
        >>> import vkrunner
        >>> x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
        >>> with vkrunner.open_device() as device:
        ...     kernel = device.kernel("shaders/saxpy.dxbc")
        ...     print(kernel.dispatch(1, x=x, y=y, Params={"a": 2, "count": 4}).y)
        [1. 3. 5. 7.]
        """
        if strict is not True:
            resources, bindings = self._used(resources, bindings, strict)
        with self._backend.in_use():
            return self._dispatch(groups, resources, bindings, timeout)

    def dispatch_indirect(
        self,
        buffer: Buffer,
        offset: int = 0,
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        strict: bool = True,
        **resources: Any,
    ) -> Result:
        """Run the shader over as many thread groups as a buffer on the device has.

        Parameters
        ----------
        buffer : Buffer
            Where the numbers of groups stand: three uint32 (x, y, z). They are not looked at before
            the device takes them: more than `device.limits.max_workgroup_count` of them are
            undefined, and so are 2^32 or more together on a device with the fault `group_count`.
        offset : int, optional
            The byte at which they begin, a multiple of 4.
        bindings : mapping, optional
            Further arguments, as of `dispatch`.
        timeout : float, optional
            Seconds that the work may take.
        strict : bool, optional
            With False, resources that the shader does not have are ignored.
        **resources
            Arguments by register or HLSL name, as of `dispatch`.

        Returns
        -------
        Result
            What the shader wrote.

        Raises
        ------
        ArgumentError
            The buffer cannot hold the numbers there, or an argument does not fit.
        RunnerError
            As `dispatch` raises.
        """
        if strict is not True:
            resources, bindings = self._used(resources, bindings, strict)
        with self._backend.in_use():
            groups = check_indirect(self._backend, buffer, offset)
            return self._dispatch(groups, resources, bindings, timeout)

    def dispatch_async(
        self,
        groups: int | Sequence[int],
        /,
        *,
        bindings: Mapping[Key, Any] | None = None,
        strict: bool = True,
        **resources: Any,
    ) -> DispatchFuture:
        """Hand a dispatch to the device and return at once.

        Arrays were read when this returns. What is submitted later runs later where it uses the
        same resources.

        Parameters
        ----------
        groups : int or sequence of int
            Thread groups in x, y and z, as of `dispatch`.
        bindings : mapping, optional
            Further arguments, as of `dispatch`.
        strict : bool, optional
            With False, resources that the shader does not have are ignored.
        **resources
            Arguments by register or HLSL name, as of `dispatch`.

        Returns
        -------
        DispatchFuture
            The work; `future.result()` or `await future` gives the dispatch's Result.

        Raises
        ------
        RunnerError
            As `dispatch` raises for its arguments.
        """
        if strict is not True:
            resources, bindings = self._used(resources, bindings, strict)
        with self._backend.in_use():
            started = self._start(groups, resources, bindings, DEFAULT_TIMEOUT_NS)
            plan, executable, residents = started
            origin = Origin(self.name, plan.layout, residents)
            submission = Submission(self._backend, executable, {None: origin}, plan)
            self._backend.settle_before_close(submission)
        return DispatchFuture(submission)

    def _step(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
    ) -> DispatchStep:
        """A dispatch with checked arguments.

        Raises ArgumentError or LimitError as `dispatch` does.
        """
        object_of(self)
        sizes = groups
        if not isinstance(sizes, Indirect):
            sizes = check_groups(self._backend.info, sizes)
        given = match_arguments(self.interface, resources, bindings or {})
        arguments = make_arguments(self.interface, given, self._formats)
        for argument in arguments:
            argument.check_owner(self._backend)
        check_overlaps(arguments)
        kept = self._message_capacity
        return DispatchStep(self.name, self, self.interface, sizes, arguments, kept)

    def _used(
        self, resources: Mapping[str, Any], bindings: Mapping[Key, Any] | None, strict: object
    ) -> tuple[dict[str, Any], dict[Key, Any]]:
        """The resources that the shader has, of both. Raises as `used_resources`."""
        named = used_resources(self.interface, resources, strict)
        return named, used_resources(self.interface, bindings, strict)

    def close(self) -> None:
        """Free the pipelines, when work in flight has ended; harmless a second time."""
        self._close()

    def _brief(self) -> tuple[str, ...]:
        return repr(self.name), *brief_of(self.interface)

    def _facts(self) -> list[tuple[str, object]]:
        return [("name", self.name)]

    def _repr_html_(self) -> str:
        return super()._repr_html_() + interface_table(self.interface)

    def _dispatch(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
        timeout: float,
    ) -> Result:
        timeout_ns = nanoseconds(timeout)
        plan, executable, residents = self._start(groups, resources, bindings, timeout_ns)
        executable.finish(timeout_ns)
        outcome = executable.outcomes()[None]
        if self._backend.on_dispatch:
            report_time(self._backend, self.name, outcome)
        self._backend.plans.give(plan, executable)
        return plan.layout.result(outcome, residents)

    def _start(
        self,
        groups: int | Sequence[int] | Indirect,
        resources: Mapping[str, Any],
        bindings: Mapping[Key, Any] | None,
        timeout_ns: int,
    ) -> tuple[DispatchPlan, Executable, dict[Place, Resident]]:
        """Submit a dispatch, by what is left of one like it where there was one."""
        backend, token = self._backend, self._token
        timed = backend.timestamps
        if not token:
            object_of(self)
        backend.check_alive()  # the queue itself checks whether it can be used
        key = None if bindings else key_of(token, timed, groups, resources)
        if key is not None:
            found = backend.plans.take(key)
            if found is not None:
                plan, executable = found
                return plan, executable, plan.repeat(executable, resources, timeout_ns)
        step = self._step(groups, resources, bindings)
        return self._first(step, key, resources, timed, timeout_ns)

    def _first(
        self,
        step: DispatchStep,
        key: PlanKey | None,
        resources: Mapping[str, Any],
        timed: bool,
        timeout_ns: int,
    ) -> tuple[DispatchPlan, Executable, dict[Place, Resident]]:
        """Submit a dispatch with new arguments, and keep it for repetitions where they may come."""
        backend, arguments, closings = self._backend, step.arguments, self._backend.closings
        executable = backend.encode({None: step}, timed=timed, is_recorded=False)
        layout = ResultLayout(step.interface, arguments)
        plan = DispatchPlan(backend, layout, resources, arguments)
        if key is not None and is_repeatable(arguments):
            with backend.lock:
                if closings == backend.closings:  # else it may use what was closed meanwhile
                    plan = backend.plans.keep(key, plan, executable)
        executable.start({}, timeout_ns)
        return plan, executable, residents_of(arguments)


def dispatch_step(
    kernel: Kernel,
    groups: int | Sequence[int] | Indirect,
    resources: Mapping[str, Any],
    bindings: Mapping[Key, Any] | None,
    strict: object,
) -> DispatchStep:
    """A dispatch of a kernel for a recording. Raises as `Kernel.dispatch` does."""
    if strict is not True:
        resources, bindings = kernel._used(resources, bindings, strict)
    return kernel._step(groups, resources, bindings)


def dispatch_once(
    backend: Backend, listing: str, options: Mapping[str, Any], resources: Mapping[str, Any]
) -> Result:
    """Dispatch one group of a listing. Raises as `Kernel.dispatch`; no profile counts it."""
    with Kernel(backend, listing, options) as kernel:
        step = dispatch_step(kernel, 1, resources, None, True)
        executable = backend.encode({None: step}, timed=False, is_recorded=True)
        executable.start({}, DEFAULT_TIMEOUT_NS)
        executable.finish(DEFAULT_TIMEOUT_NS)
        outcome = executable.outcomes()[None]
        return ResultLayout(step.interface, step.arguments).result(outcome, {})
