"""Device: an open device, made by `open_device`. Its objects live no longer than it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from os import PathLike
from typing import TextIO, TypeVar, Unpack

from translate import ExactFunction, ExactSample, FloatControl, FormatName
from translate.interface import html_table, line_of
from vkrunner.api.kernel import Kernel
from vkrunner.api.profile import Profile
from vkrunner.api.recording import Recording
from vkrunner.dispatch.context import Backend
from vkrunner.errors import ClosedError, warn
from vkrunner.info.device_info import DeviceFeatures, DeviceInfo, DeviceLimits, facts_of
from vkrunner.info.faults import TOPICS
from vkrunner.probes.device_faults import tried_of, untold
from vkrunner.report.messages import DEFAULT_CAPACITY
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.device_objects import Closing, Sampler
from vkrunner.resources.textures import Texture, make_texture
from vkrunner.shader.device_options import KernelOptions
from vkrunner.shader.shader import Source, shader_of
from vkrunner.values.numbers import Array
from vkrunner.values.samplers import (
    AddressName,
    ComparisonName,
    FilterName,
    ReductionName,
    sampler_state,
)
from vkrunner.values.texture_layout import DimensionName

AnyKernel = TypeVar("AnyKernel", bound=Kernel)


class Device(Closing):
    """An open device. Close it, or use it in a `with`; many threads may use it.

    After a DispatchTimeout or a DeviceLostError it is unusable: close it and open it again.
    """

    def __init__(self, backend: Backend):
        self._backend = backend
        self._tried = tried_of(backend)

    @property
    def info(self) -> DeviceInfo:
        """Name, type, driver, and everything else that `vkrunner.devices()` reports."""
        return self._backend.context.info

    @property
    def name(self) -> str:
        """The device's name."""
        return self._backend.context.info.name

    @property
    def limits(self) -> DeviceLimits:
        """The device's limits: sizes, counts and alignments."""
        return self._backend.context.info.limits

    @property
    def features(self) -> DeviceFeatures:
        """The optional features that the device has."""
        return self._backend.context.info.features

    @property
    def faults(self) -> tuple[str, ...]:
        """Names of the driver's known faults that concern this project.

        docs/drivers.md describes each fault and its remedy. The first use of this property runs
        small shaders that test for faults, in a process of its own; the result is cached. A kernel
        needs only the faults that may concern its shader.
        """
        with self._backend.context.in_use():
            return tuple(self._tried.faults())

    @property
    def exact_samples(self) -> frozenset[ExactSample]:
        """The kinds of operands of sample instructions that kernels on this device do not test.

        For these kinds the device itself gives D3D's results, even if operands are NaN, infinite or
        very large (`translate.Options.exact_samples`). The first use of this property, or the first
        kernel that samples, runs small shaders to find these kinds, once in a process; the result
        is cached.
        """
        with self._backend.context.in_use():
            return frozenset(self._tried.exact_samples())

    @property
    def exact_functions(self) -> frozenset[ExactFunction]:
        """The functions in which the device itself gives D3D's results.

        Kernels on this device have no other code for them (`translate.Options.exact_functions`).
        Small shaders find them out before the first kernel with such a function, once in a
        process; the result is cached.
        """
        with self._backend.context.in_use():
            return frozenset(self._tried.exact_functions(TOPICS))

    @property
    def needless_modes(self) -> frozenset[FloatControl]:
        """The float modes of `info.float_controls` that kernels on this device do not declare.

        The driver makes slower code if a module declares them, and the device computes as in these
        modes without the declaration. Small shaders find that out before the first kernel, once in
        a process; the result is cached. Only `rounding_mode_rte_32` is tried, and only on NVIDIA's
        driver.
        """
        with self._backend.context.in_use():
            return frozenset(self._tried.needless_modes())

    @property
    def is_compiling(self) -> bool:
        """Whether the driver is compiling a pipeline: of a new kernel, or at a first dispatch.

        Timeouts do not count this time.
        """
        with suppress(ClosedError), self._backend.context.in_use():
            return not self._backend.context.closed and self._backend.is_compiling
        return False

    def kernel(
        self,
        source: Source,
        *,
        message_capacity: int = DEFAULT_CAPACITY,
        file: str | None = None,
        **options: Unpack[KernelOptions],
    ) -> Kernel:
        """Make a kernel: a shader that is ready to be dispatched.

        Parameters
        ----------
        source : str, bytes, path, Program or SpirvModule
            A path, or the bytes or text of a container, a listing or HLSL; a Program that
            `translate.load` returned; or a SpirvModule, which is used unchanged.
        message_capacity : int, optional
            The largest number of `printf` and `errorf` messages that each dispatch keeps.
        file : str, optional
            The file name in errors, for a source that is passed as bytes or text.
        **options
            Fields of `translate.Options`, such as `guards="report"`, which records out-of-bounds
            accesses; `formats={"image": "r8g8b8a8_unorm"}`, the formats of arrays by register or
            HLSL name; and `strict=True`, by which warnings about the shader are errors. For HLSL
            also those of `translate.HlslOptions`: `entry="CSMain"`, `defines={"N": 4}`, `include`,
            `profile`, `fxc_flags`, `compile_timeout`.

        Returns
        -------
        Kernel
            The kernel, which lives no longer than the device.

        Raises
        ------
        TranslateError
            The shader cannot be translated, or an option has an invalid value.
        LimitError
            The kernel exceeds a limit of the device.
        FeatureError
            The kernel needs a feature that the device lacks.

        Warns
        -----
        RuntimeWarning
            The compiler of HLSL warned; or results may be wrong on this device because its driver
            has known faults (warned once).

        Examples
        --------
        >>> import vkrunner
        >>> with vkrunner.open_device() as device:
        ...     print(device.kernel("shaders/saxpy.dxbc", guards="off").interface)
        cs_5_0, thread group 64 x 1 x 1 cb0 Params constant buffer 16 bytes {a: float32, count:
        uint32} (set 0, binding 0, uniform_buffer) t0 x structured buffer stride 4 float32 (set 0,
        binding 32, storage_buffer) u0 y structured buffer stride 4 float32 (set 0, binding 160,
        storage_buffer)
        """
        with self._backend.context.in_use():
            return self._make_kernel(Kernel, source, message_capacity, file, options)

    def _make_kernel(
        self,
        kind: type[AnyKernel],
        source: Source,
        message_capacity: int,
        file: str | None,
        options: KernelOptions,
    ) -> AnyKernel:
        shader, rest = shader_of(source, file, options)
        kernel = kind(self._backend, shader, rest, message_capacity, self._tried)
        faults = self._tried.faults(shader.topics(strict=False))
        text = untold(self._backend, faults, kernel.interface)
        if text is not None:
            warn(text)
        if shader is not source:  # otherwise its owner reports them
            for warning in shader.compiler_warnings:
                warn(warning)
        return kernel

    def buffer(self, source: Array | bytes | int, counter: int | None = None) -> Buffer:
        """Make a buffer that stays on the device.

        Parameters
        ----------
        source : array_like, bytes or int
            The array or bytes to copy, or a number of zero bytes.
        counter : int, optional
            Initial value of a hidden counter (of append and consume buffers). Without it the buffer
            has no counter.

        Returns
        -------
        Buffer
            With the array's dtype and shape, or `uint8[source]`.

        Raises
        ------
        LimitError
            The device allows no buffer of that size, or the host lacks the memory.

        Examples
        --------
        >>> import numpy as np
        >>> import vkrunner
        >>> with vkrunner.open_device() as device:
        ...     buffer = device.buffer(np.arange(6).reshape(2, 3))
        ...     print(buffer.shape, buffer.read()[1])
        (2, 3) [3 4 5]
        """
        with self._backend.context.in_use():
            return Buffer(self._backend, source, counter)

    def texture(
        self,
        source: Array | bytes | Sequence[int],
        format: FormatName | None = None,
        dimension: DimensionName = "2d",
        mips: int | Sequence[Array] = 1,
        samples: int | None = None,
    ) -> Texture:
        """Make a texture that stays on the device.

        Parameters
        ----------
        source : array_like, bytes or sequence of int
            The array or bytes to copy, or the shape of a texture of zeros, without components.
            The axes, if `dimension` has them, are depth or layers (a cube's faces), height, width,
            samples, components.
        format : str, optional
            A DXGI name in lower case, such as `r8g8b8a8_unorm`, with as many bytes for a texel as
            the array has. By default the dtype and the number of components determine the format.
        dimension : str, optional
            1d, 1darray, 2d, 2darray, 2dms, 2dmsarray, 3d, cube or cubearray.
        mips : int or sequence of arrays, optional
            The number of mips; those after the first are zeros. Or arrays for the mips after the
            first. Mips are not computed from the first one.
        samples : int, optional
            The number of samples of a texel; it turns `dimension` 2d into 2dms.

        Returns
        -------
        Texture
            The texture.

        Raises
        ------
        ArgumentError
            Array, format and dimension do not fit each other.
        LimitError
            The device allows no texture of that size, or the host lacks the memory.
        FeatureError
            The device does not have the format or dimension.
        """
        with self._backend.context.in_use():
            return make_texture(self._backend, source, format, dimension, mips, samples)

    def sampler(
        self,
        filter: FilterName | Sequence[FilterName] = "linear",
        address: AddressName | Sequence[AddressName] = "clamp",
        *,
        comparison: ComparisonName | None = None,
        reduction: ReductionName | None = None,
        max_anisotropy: int = 1,
        border: float | Sequence[float] = 1.0,
        lod_bias: float = 0.0,
        min_lod: float = 0.0,
        max_lod: float = 1000.0,
    ) -> Sampler:
        """Make a sampler. The defaults are D3D11's, which an unbound sampler register also has.

        Parameters
        ----------
        filter : {"linear", "point"}, or three of them, optional
            For minification, magnification and mips.
        address : {"clamp", "wrap", "mirror", "border", "mirror_once"}, or three of them, optional
            For u, v and w.
        comparison : str, optional
            Makes a comparison sampler: "less", "less_equal", "greater", "greater_equal", "equal",
            "not_equal", "always" or "never".
        reduction : {"minimum", "maximum"}, optional
            Returns the smallest or largest number of the filtered texels instead of their mean, as
            D3D11_FILTER_MINIMUM_... and D3D11_FILTER_MAXIMUM_... do.
        max_anisotropy : int, optional
            The most samples, up to 16, along the longer of two gradients (`SampleGrad`); above 1
            the filter is D3D11_FILTER_ANISOTROPIC. Devices choose the samples in different ways;
            the reference machine takes those of Vulkan's specification.
        border : float or sequence of float, optional
            The border colour: one number for all components, or four.
        lod_bias : float, optional
            A number that is added to the level of detail.
        min_lod : float, optional
            The smallest level of detail.
        max_lod : float, optional
            The largest level of detail.

        Returns
        -------
        Sampler
            The sampler, which lives as long as the device.

        Raises
        ------
        ArgumentError
            A setting has an invalid value, or two settings exclude each other.
        FeatureError
            The device lacks the feature that a setting needs.
        LimitError
            The device does not allow so large a `lod_bias`.

        References
        ----------
        D3D11_SAMPLER_DESC.
        """
        with self._backend.context.in_use():
            state = sampler_state(
                filter,
                address,
                border,
                comparison=comparison,
                reduction=reduction,
                max_anisotropy=max_anisotropy,
                lod_bias=lod_bias,
                min_lod=min_lod,
                max_lod=max_lod,
            )
            return Sampler(self._backend, state)

    def record(self, *, timestamps: bool = False) -> Recording:
        """Record dispatches, copies and clears, which you can then submit repeatedly.

        Parameters
        ----------
        timestamps : bool, optional
            Measure the time of each dispatch; dispatches then do not overlap.

        Returns
        -------
        Recording
            A context manager: the end of its `with` ends the recording.
        """
        return Recording(self._backend, timestamps=timestamps)

    def profile(
        self, file: TextIO | None = None, *, trace: str | PathLike[str] | None = None
    ) -> Profile:
        """Measure the time of each kernel's dispatches during a `with`.

        Parameters
        ----------
        file : file object, optional
            The file to which the table is printed at the end; by default standard output.
        trace : str or path, optional
            A JSON file to write at the end, in Chrome's Trace Event Format, with the start and the
            duration of each dispatch. It opens as a timeline in ui.perfetto.dev and in
            chrome://tracing.

        Returns
        -------
        Profile
            The times of the kernels.
        """
        return Profile(self._backend, file, trace)

    def close(self) -> None:
        """Wait for work in flight and free everything. A second call does nothing.

        If other threads are in calls of the device, it is freed after the last of these calls.
        Futures of ended work keep their results. If work does not end, nothing is freed and no
        error is raised.
        """
        self._backend.close()

    def __repr__(self) -> str:
        info = self.info
        return line_of(self, f"{info.index} {info.name!r}", info.type, self._state)

    def _repr_html_(self) -> str:
        rows = [*facts_of(self.info), ("state", self._state or "open")]
        return html_table(type(self).__name__, rows)

    @property
    def _state(self) -> str | None:
        return "closed" if self._backend.context.closed else None
