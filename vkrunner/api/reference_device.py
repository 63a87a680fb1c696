"""ReferenceDevice, ReferenceKernel: the public classes of the reference machine.

Arguments and results are the same as on a Vulkan device. In addition it can trace a thread
(`ReferenceKernel.trace`), and finds races and barriers that only some threads of a group reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Unpack

from translate import reference
from vkrunner.api.device import Device
from vkrunner.api.kernel import Kernel
from vkrunner.binding.registers import Key
from vkrunner.dispatch.context import DEFAULT_TIMEOUT_S, nanoseconds
from vkrunner.reference.backend import ReferenceBackend
from vkrunner.reference.machine import Machine
from vkrunner.report.messages import DEFAULT_CAPACITY
from vkrunner.shader.device_options import KernelOptions
from vkrunner.shader.shader import Source


class ReferenceKernel(Kernel):
    """A compute shader on the reference machine, which runs the program itself.

    Results are `ReferenceResult`. The shader is also translated, which checks it and provides the
    interface.
    """

    def trace(
        self,
        groups: int | Sequence[int],
        /,
        *,
        thread: Sequence[int],
        bindings: Mapping[Key, Any] | None = None,
        limit: int | None = None,
        timeout: float = DEFAULT_TIMEOUT_S,
        strict: bool = True,
        **resources: Any,
    ) -> Iterator[reference.Step]:
        """Trace one thread: each instruction that it executes, with operands and results.

        Passed arrays and resources do not change.

        Parameters
        ----------
        groups
            See `Kernel.dispatch`.
        thread : sequence of int
            The thread's place in the dispatch (SV_DispatchThreadID): x, y and z.
        bindings
            See `Kernel.dispatch`.
        limit : int, optional
            The largest number of instructions to trace.
        timeout
            See `Kernel.dispatch`.
        strict
            See `Kernel.dispatch`.
        **resources
            See `Kernel.dispatch`.

        Yields
        ------
        translate.reference.Step
            An instruction: `instruction`, `line`, `text`, and its `sources` and `results`.

        Raises
        ------
        ArgumentError
            The thread is not in the dispatch, or an argument does not fit.
        RunnerError
            As `dispatch` raises.

        Examples
        --------
        >>> import numpy as np
        >>> import vkrunner
        >>> with vkrunner.open_device("reference") as device:
        ...     kernel = device.kernel("shaders/saxpy.dxbc")
        ...     x, y = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
        ...     given = {"x": x, "y": y, "Params": {"a": 2, "count": 4}}
        ...     steps = list(kernel.trace(1, thread=(2, 0, 0), **given))
        >>> print(steps[-3].text, steps[-3].results[0].values)
        mad r0.x, cb0[0].x, r0.x, r0.y (5.0,)
        """
        timeout_ns = nanoseconds(timeout)
        step = self._step(groups, self._given(resources, bindings, strict))
        machine: Machine = step.pipeline
        return machine.trace(step, thread, limit, timeout_ns)


class ReferenceDevice(Device):
    """The reference machine, opened by `open_device("reference")`. It measures no times."""

    def __init__(self) -> None:
        super().__init__(ReferenceBackend())

    def kernel(
        self,
        source: Source,
        *,
        message_capacity: int = DEFAULT_CAPACITY,
        file: str | None = None,
        **options: Unpack[KernelOptions],
    ) -> ReferenceKernel:
        """Make a kernel, like `Device.kernel`.

        Parameters
        ----------
        source : str, bytes, path or Program
            The shader, as for `Device.kernel`, but not a SpirvModule.
        message_capacity
            See `Device.kernel`.
        file
            See `Device.kernel`.
        **options
            See `Device.kernel`.

        Returns
        -------
        ReferenceKernel
            The kernel.

        Raises
        ------
        ArgumentError
            The source is a SpirvModule.
        TranslateError, LimitError, FeatureError
            See `Device.kernel`.
        """
        with self._backend.context.in_use():
            return self._make_kernel(ReferenceKernel, source, message_capacity, file, options)
