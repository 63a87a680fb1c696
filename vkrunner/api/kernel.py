"""Kernel: a shader on a device, ready to be dispatched."""

# `dispatch_step` is for recordings, and no method that callers see.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from translate.interface import ShaderInterface, brief_of, interface_table
from vkrunner.binding.registers import Key
from vkrunner.binding.unused import used_resources
from vkrunner.info.device_info import DeviceInfo
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.closing import Closing
from vkrunner.work.backend import Backend
from vkrunner.work.context import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S
from vkrunner.work.dispatcher import Dispatcher
from vkrunner.work.future import DispatchFuture, nanoseconds
from vkrunner.work.groups import Indirect, check_indirect
from vkrunner.work.plans import run_once
from vkrunner.work.result import Result
from vkrunner.work.steps import DispatchStep


class Kernel(Dispatcher, Closing):
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader with typed buffers or textures is translated once for each combination of formats that
    it is dispatched with, one with unbounded arrays for each combination of lengths, any other when
    the kernel is made. A view that the device cannot bind directly needs one more translation.

    Attributes
    ----------
    name : str
        The kernel's name in a profile: the file's name, or "kernel". It may be set.
    interface : ShaderInterface
        The resources and constants to bind.
    """

    name: str
    interface: ShaderInterface

    @property
    def device_info(self) -> DeviceInfo:
        """Name, type, limits, and everything else that `Device.info` reports."""
        return self._backend.context.info

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
        with self._backend.context.in_use():
            timeout_ns = nanoseconds(timeout)
            return self._submit(groups, resources, bindings, timeout_ns).run(timeout_ns)

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
            The buffer with the numbers of groups: three uint32 (x, y, z). The device reads them
            unchecked: more than `device.limits.max_workgroup_count` of them are undefined, and so
            are 2^32 or more together on a device with the fault `group_count`.
        offset : int, optional
            The byte at which they begin, a multiple of 4.
        bindings
            See `Kernel.dispatch`.
        timeout
            See `Kernel.dispatch`.
        strict
            See `Kernel.dispatch`.
        **resources
            See `Kernel.dispatch`.

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
        with self._backend.context.in_use():
            groups, timeout_ns = check_indirect(self._backend, buffer, offset), nanoseconds(timeout)
            return self._submit(groups, resources, bindings, timeout_ns).run(timeout_ns)

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

        Arrays were read when this returns. Later submissions that use the same resources run after
        this one.

        Parameters
        ----------
        groups
            See `Kernel.dispatch`.
        bindings
            See `Kernel.dispatch`.
        strict
            See `Kernel.dispatch`.
        **resources
            See `Kernel.dispatch`.

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
        with self._backend.context.in_use():
            submission = self._submit(groups, resources, bindings, DEFAULT_TIMEOUT_NS)
            submission.lend()
        return DispatchFuture(submission)

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
        return run_once(backend, dispatch_step(kernel, 1, resources, None, True))
