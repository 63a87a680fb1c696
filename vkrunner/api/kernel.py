"""Kernel: a shader on a device, ready to be dispatched."""

# `dispatch_step` is for recordings; it is not a method, so that callers do not see it.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Never, cast

import numpy as np

from translate.dataclass import replace
from translate.interface import MESSAGES, ShaderInterface, brief_of, interface_table
from vkrunner.binding.making import RESOURCES
from vkrunner.binding.registers import Key, has_resource, register_of, unnamed_error
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_NS, DEFAULT_TIMEOUT_S, Backend, nanoseconds
from vkrunner.dispatch.future import DispatchFuture
from vkrunner.dispatch.groups import Indirect, check_indirect, groups_for
from vkrunner.dispatch.plans import Dispatcher, run_once
from vkrunner.dispatch.result import Result
from vkrunner.dispatch.steps import DispatchStep
from vkrunner.errors import CallersLine, DuplicateError, UnknownNameError, WrongTypeError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.device_objects import Closing
from vkrunner.shader.shader import Shader
from vkrunner.values.numbers import BYTES_LIKE, as_array


class Kernel(Dispatcher, Closing):
    """A compute shader, ready to be dispatched; made by `Device.kernel`.

    A shader is translated when the kernel is made, with two exceptions. A shader with typed buffers
    or textures is translated at the first dispatch with each combination of formats. A shader with
    unbounded arrays is translated for each combination of lengths. A view that the device cannot
    bind directly needs one more translation.

    Attributes
    ----------
    name : str
        The kernel's name in a profile: the file's name, or "shader". You may set it.
    interface : ShaderInterface
        The resources and constants to bind, on every device the same ones.
    """

    name: str
    interface: ShaderInterface

    @property
    def device_info(self) -> DeviceInfo:
        """Name, type, limits, and everything else that `Device.info` reports."""
        return self._backend.context.info

    def groups_for(self, *threads: int) -> tuple[int, int, int]:
        """The least number of thread groups that has a thread for every element.

        Parameters
        ----------
        *threads : int
            The number of threads in x, y and z; omitted numbers are 1. For a shader with one thread
            for each texel they are the width and the height of the picture.

        Returns
        -------
        tuple of int
            The groups in x, y and z for `dispatch`: `threads` divided by the size that the shader
            declares ([numthreads] in HLSL), rounded up.

        Raises
        ------
        ArgumentError
            `threads` are not one to three whole numbers.

        Examples
        --------
        >>> import vkrunner
        >>> with vkrunner.open_device() as device:
        ...     kernel = device.kernel("shaders/saxpy.dxbc")
        ...     print(kernel.interface.thread_group, kernel.groups_for(1000))
        (64, 1, 1) (16, 1, 1)
        """
        with CallersLine():
            return groups_for(self.interface.thread_group, threads)

    def dispatch(
        self,
        groups: int | Sequence[int],
        /,
        *unnamed: Never,
        bindings: Mapping[Key, Any] | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        strict: bool = True,
        **resources: Any,
    ) -> Result:
        """Run the shader and wait for its end.

        Parameters
        ----------
        groups : int or sequence of int
            The number of thread groups in x, y and z; omitted numbers are 1. Elements without a
            thread stay as they were, and no error says so: `groups_for` counts enough groups.
        *unnamed
            Must be empty: arrays and constants are passed by name.
        bindings : mapping, optional
            Further arguments, by register, HLSL name, or (class, space, number), as ("u", 0, 2).
        timeout : float, optional
            The longest time of the work, in seconds.
        strict : bool, optional
            With False, resources that the shader does not have are ignored, so that you can pass
            one set to several kernels. It is unrelated to `Options.strict`.
        **resources
            Arguments by register (`t0`, `u0`, `cb0`) or HLSL name. An array is uploaded and never
            changed. Buffers, textures and their views stay on the device. A constant buffer also
            takes a dict. An array of resources takes a list, by its name or first register. None is
            a null resource; an omitted sampler is D3D's default. If a resource has the name of a
            parameter, use its register or `bindings`.

        Returns
        -------
        Result
            The UAVs after the dispatch, and its messages.

        Raises
        ------
        ArgumentError
            An argument does not fit.
        LimitError
            The device or D3D does not allow so many groups, or so large a resource.
        FeatureError
            The device lacks a feature that the dispatch needs.
        DispatchTimeout
            The work did not end in time.
        AbortError
            A thread of the shader called `abort`.
        LoopLimitError
            The driver ended a loop, so the results are wrong.
        DeviceLostError
            The device was lost.
        VulkanError
            A call of the driver failed.

        Warns
        -----
        RuntimeWarning
            An array has fewer components than the shader stores, or for a typed buffer more than
            it declares, and its format was not named.

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
        if unnamed:
            raise unnamed_error(unnamed, self.interface)
        if bindings or strict is not True:
            resources = self._given(resources, bindings, strict)
        with self._backend.context.in_use("kernel"):
            timeout_ns = nanoseconds(timeout)
            return self._submit(groups, resources, timeout_ns).run(timeout_ns)

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
        """Run the shader with the number of thread groups that a buffer on the device contains.

        Parameters
        ----------
        buffer : Buffer
            The buffer with the numbers of groups: three uint32 (x, y, z). The device does not check
            them. The results of more groups than `device.limits.max_workgroup_count` are undefined;
            on a device with the fault `group_count` also those of 2^32 or more groups in total.
        offset : int, optional
            The byte offset of the numbers, a multiple of 4.
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
            The UAVs after the dispatch, and its messages.

        Raises
        ------
        ArgumentError
            The buffer cannot hold the numbers there, or an argument does not fit.
        RunnerError
            As `dispatch` raises.
        """
        if bindings or strict is not True:
            resources = self._given(resources, bindings, strict)
        with self._backend.context.in_use("kernel"):
            groups, timeout_ns = check_indirect(self._backend, buffer, offset), nanoseconds(timeout)
            return self._submit(groups, resources, timeout_ns).run(timeout_ns)

    def dispatch_async(
        self,
        groups: int | Sequence[int],
        /,
        *unnamed: Never,
        bindings: Mapping[Key, Any] | None = None,
        strict: bool = True,
        **resources: Any,
    ) -> DispatchFuture:
        """Submit a dispatch and return at once.

        The arrays have been copied when this returns. Later submissions that use the same resources
        run after this one.

        Parameters
        ----------
        groups
            See `Kernel.dispatch`.
        *unnamed
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
        if unnamed:
            raise unnamed_error(unnamed, self.interface)
        if bindings or strict is not True:
            resources = self._given(resources, bindings, strict)
        with self._backend.context.in_use("kernel"):
            submission = self._submit(groups, resources, DEFAULT_TIMEOUT_NS)
            submission.lend()
        return DispatchFuture(submission)

    def _given(
        self, resources: Mapping[str, Any], bindings: Mapping[Key, Any] | None, strict: object
    ) -> dict[Any, Any]:
        """The arguments in `resources` and `bindings`; unless `strict`, only those of the shader.

        Raises the errors of `used_resources`, and ArgumentError for a name in both mappings.
        """
        given: dict[Key, Any] = {**resources, **(bindings or {})}
        if bindings and len(given) < len(resources) + len(bindings):
            twice = next(key for key in bindings if key in resources)
            raise DuplicateError(f"{register_of(self.interface, twice)} is given twice")
        return given if strict is True else used_resources(self.interface, given, strict)

    def page(self, title: str | None = None) -> str:
        """The shader's page: its code in all forms, resources, and each access with its guard.

        The page needs the extra `explain` (Jinja2 and Pygments). It shows the translation for this
        device, before formats and lengths of arrays are known. For `guards="report"` the guards are
        those of a translation without reports.

        Parameters
        ----------
        title
            See `Violations.page`.

        Returns
        -------
        str
            The HTML of a page that needs no other file, as `sm5vk explain --for-device` writes it.
            A notebook shows it in a frame.

        Raises
        ------
        ArgumentError
            A package is missing, or the kernel was made of a SpirvModule.
        """
        with CallersLine():
            return self._explained.page(title)

    def close(self) -> None:
        """Free the pipelines when their work has ended. A second call does nothing."""
        self._close()

    def _brief(self) -> tuple[str, ...]:
        return repr(self.name), *brief_of(self._shown)

    def _facts(self) -> list[tuple[str, object]]:
        return [("name", self.name)]

    def _repr_html_(self) -> str:
        return super()._repr_html_() + interface_table(self._shown)

    @property
    def _shown(self) -> ShaderInterface:
        """The interface without `messages` if only the driver's ends of loops may be in it."""
        if self._whole.sends_messages:
            return self._whole
        bindings = tuple(one for one in self._whole if one.kind != MESSAGES)
        return replace(self._whole, bindings=bindings)


def dispatch_step(
    kernel: Kernel,
    groups: int | Sequence[int] | Indirect,
    resources: Mapping[str, Any],
    bindings: Mapping[Key, Any] | None,
    strict: object,
) -> DispatchStep:
    """A dispatch of a kernel for a recording. Raises as `Kernel.dispatch` does."""
    return kernel._step(groups, kernel._given(resources, bindings, strict))


@contextmanager
def brief_kernel(
    backend: Backend, source: str | Shader, options: Mapping[str, Any]
) -> Generator[Callable[[int, Mapping[str, Any]], Result]]:
    """A kernel for the length of a `with`, which gives a function that dispatches it.

    The function takes the number of thread groups and the resources; profiles do not count its
    dispatches. Raises as `Device.kernel`; the function raises as `Kernel.dispatch`.
    """
    with Kernel(backend, source, options) as kernel:

        def dispatch(groups: int, resources: Mapping[str, Any]) -> Result:
            return run_once(backend, dispatch_step(kernel, groups, resources, None, True))

        yield dispatch


_ARRAYS = (*BYTES_LIKE, np.ndarray, np.generic)
_NUMBERS = (bool, int, float)
_VALUES = (type(None), *_NUMBERS, *RESOURCES, Mapping)  # beside arrays


def used_resources(
    interface: ShaderInterface, given: Mapping[Key, Any], strict: object
) -> dict[Key, Any]:
    """The given resources that the kernel has; if `strict`, all, so that unknown ones raise later.

    Raises ArgumentError if `strict` is not a bool, and for values that no register could take.
    """
    if not isinstance(strict, (bool, np.bool_)):
        raise WrongTypeError(
            f"strict is True or False, not {type(strict).__name__}: a resource of this name goes"
            " by its register, or into bindings"
        )
    made: dict[Key, Any] = {}
    for key, value in given.items():
        if strict or has_resource(interface, key):
            made[key] = value
        else:
            _check_unused(key, value)
    return made


def _check_unused(key: Key, value: Any) -> None:
    """Raise ArgumentError for a value of a type that no kind of register takes."""
    several = isinstance(value, (list, tuple))
    for one in cast("Sequence[Any]", value) if several else (value,):
        if isinstance(one, _ARRAYS):
            as_array(one, str(key))
        elif not isinstance(one, _VALUES):
            raise UnknownNameError(f"{key!r}: no resource is of type {type(one).__name__}")
