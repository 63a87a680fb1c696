"""Device: what `open_device` gives. Everything else is made by it and lives no longer than it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, TextIO, TypeAlias, TypeVar, Unpack, overload

from translate import FormatName
from translate.interface import html_table, line_of
from vkrunner.backend import Backend
from vkrunner.choose import Wish, choose, is_reference, wished
from vkrunner.closing import Closing
from vkrunner.device_info import DeviceFeatures, DeviceInfo, DeviceLimits, facts_of
from vkrunner.errors import ArgumentError, NoDeviceError
from vkrunner.kernel import Kernel
from vkrunner.messages import DEFAULT_CAPACITY
from vkrunner.profile import Profile
from vkrunner.recording import Recording
from vkrunner.resources.buffers import Buffer
from vkrunner.resources.samplers import Sampler
from vkrunner.resources.textures import Texture, make_texture
from vkrunner.shader import KernelOptions, Source, shader_of
from vkrunner.values.arrays import Array
from vkrunner.values.dimensions import DimensionName
from vkrunner.values.samplers import AddressName, ComparisonName, FilterName, sampler_state
from vkrunner.vulkan.backend import VulkanBackend
from vkrunner.vulkan.faults import SHARED_THREADS
from vkrunner.vulkan.instance import create_instance
from vkrunner.vulkan.logical import end_abandoned
from vkrunner.vulkan.validation import validation_wanted

if TYPE_CHECKING:
    from vkrunner.reference_device import ReferenceDevice

AnyKernel = TypeVar("AnyKernel", bound=Kernel)
Validation: TypeAlias = bool | Literal["sync", "1", "0", ""]

_FALLING_BACK = (
    "shaders run on the reference machine, which is slow; the package mesa-vulkan-drivers brings a"
    " faster device:"
)
_STILL_BUSY = (
    "what timed out on a device that was closed still runs in this process, so that what runs on"
    " this one may be late"
)


class Device(Closing):
    """An open device. Close it, or use it in a `with`; many threads may use it.

    After a DispatchTimeout or a DeviceLostError it is of no more use: close it, open another.
    """

    def __init__(self, backend: Backend):
        self._backend = backend

    @property
    def info(self) -> DeviceInfo:
        """Name, type, driver, and all else that `vkrunner.devices()` reports."""
        return self._backend.info

    @property
    def name(self) -> str:
        return self._backend.info.name

    @property
    def limits(self) -> DeviceLimits:
        return self._backend.info.limits

    @property
    def features(self) -> DeviceFeatures:
        return self._backend.info.features

    @property
    def faults(self) -> tuple[str, ...]:
        """Known faults of the driver that concern this project, by name; none of most drivers.

        They are worked around; docs/drivers.md describes each. A small shader is run to find out
        when this is first asked for, or when a kernel is made that one of them concerns.
        """
        with self._backend.in_use():
            return self._backend.faults

    @property
    def is_compiling(self) -> bool:
        """Whether the driver is busy with a pipeline: of a new kernel, or at a first dispatch.

        No timeout counts the time that it takes.
        """
        with suppress(ArgumentError), self._backend.in_use():
            return not self._backend.closed and self._backend.is_compiling
        return False

    def kernel(
        self,
        source: Source,
        *,
        message_capacity: int = DEFAULT_CAPACITY,
        file: str | None = None,
        **options: Unpack[KernelOptions],
    ) -> Kernel:
        """A shader made ready: a path, a Program, bytes or text of a container, listing or HLSL.

        `options` are those of `translate.Options`, for HLSL also those of `translate.HlslOptions`:
        `entry`, `profile`, `defines`, `include`, `fxc_flags`. What its compiler warns of is a
        RuntimeWarning. `file` is what errors call bytes or a text that were read from there. Of
        what a dispatch sends by `printf` and `errorf`, `message_capacity` messages are kept. A
        SpirvModule is taken as it is. Raises TranslateError, LimitError or FeatureError.
        """
        return self._make_kernel(Kernel, source, message_capacity, file, options)

    def _make_kernel(
        self,
        kind: type[AnyKernel],
        source: Source,
        message_capacity: int,
        file: str | None,
        options: KernelOptions,
    ) -> AnyKernel:
        with self._backend.in_use():
            shader, rest = shader_of(source, file, options)
            kernel = kind(self._backend, shader, rest, message_capacity)
        if shader is not source:  # else its owner sees to them
            for warning in shader.compiler_warnings:
                warnings.warn(warning, RuntimeWarning, stacklevel=3)
        return kernel

    def buffer(self, source: Array | bytes | int, counter: int | None = None) -> Buffer:
        """A buffer that stays on the device: a copy of an array, or as many zero bytes.

        `counter` gives it a hidden counter that starts there.
        """
        with self._backend.in_use():
            return Buffer(self._backend, source, counter)

    def texture(
        self,
        source: Array | bytes | Sequence[int],
        format: FormatName | None = None,
        dimension: DimensionName = "2d",
        mips: int | Sequence[Array] = 1,
        samples: int | None = None,
    ) -> Texture:
        """A texture that stays on the device: a copy of an array, or zeros of a shape.

        Axes are depth or layers (a cube's faces), height, width, samples, components, as many of
        them as `dimension` has: 1d, 1darray, 2d, 2darray, 2dms, 2dmsarray, 3d, cube, cubearray.
        `samples` makes a 2d a 2dms. Without `format`, a DXGI name, dtype and components choose it;
        with it, only the bytes of a texel have to fit. `mips` is how many there are, the further
        ones zero, or a sequence of arrays for those below the first; none are computed.
        Raises ArgumentError, LimitError, or FeatureError for what the device does not have.
        """
        with self._backend.in_use():
            return make_texture(self._backend, source, format, dimension, mips, samples)

    def sampler(
        self,
        filter: FilterName | Sequence[FilterName] = "linear",
        address: AddressName | Sequence[AddressName] = "clamp",
        *,
        comparison: ComparisonName | None = None,
        border: float | Sequence[float] = 1.0,
        lod_bias: float = 0.0,
        min_lod: float = 0.0,
        max_lod: float = 1000.0,
    ) -> Sampler:
        """A sampler; without arguments D3D11's default, as a register has it that got none.

        `filter` is "point" or "linear", or three for minification, magnification and mips.
        `address` is "wrap", "mirror", "clamp", "border" or "mirror_once", or three for u, v and w.
        `comparison` ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal",
        "always", "never") makes a comparison sampler. `border` is one number or four.
        """
        state = sampler_state(
            filter,
            address,
            border,
            comparison=comparison,
            lod_bias=lod_bias,
            min_lod=min_lod,
            max_lod=max_lod,
        )
        with self._backend.in_use():
            return Sampler(self._backend, state)

    def record(self, *, timestamps: bool = False) -> Recording:
        """A recording of several dispatches, copies and clears, to be submitted repeatedly.

        `timestamps`: have its dispatches timed, each on its own, which keeps them from overlapping.
        """
        return Recording(self._backend, timestamps=timestamps)

    def profile(self, file: TextIO | None = None) -> Profile:
        """A `with` in which the dispatches of each kernel are timed; see `Profile`."""
        return Profile(self._backend, file)

    def close(self) -> None:
        """Wait for work in flight and free all that was made by it; harmless a second time.

        Where other threads are in the midst of a call, it is freed when they leave it. Futures
        whose work has ended keep their results. Raises nothing when work does not end: then all is
        left as it stands.
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
        return "closed" if self._backend.closed else None


@overload
def open_device(
    device: Literal["reference", -1],
    *,
    validation: Validation | None = None,
    staged: bool | None = None,
    timestamps: bool | None = None,
) -> ReferenceDevice: ...


@overload
def open_device(
    device: Wish = None,
    *,
    validation: Validation | None = None,
    staged: bool | None = None,
    timestamps: bool | None = None,
) -> Device: ...


def open_device(
    device: Wish = None,
    *,
    validation: Validation | None = None,
    staged: bool | None = None,
    timestamps: bool | None = None,
) -> Device:
    """Open a device: a part of its name, its index, "lavapipe", "reference", or None for the best.

    None asks the variable SM5VK_DEVICE first; a real GPU is better than a driver on the CPU. Where
    there is neither, it is the reference machine, with a RuntimeWarning; "reference" (or -1) is
    that machine anywhere, and needs no Vulkan: a `vkrunner.ReferenceDevice`.
    `validation` turns on the validation layer ("sync" with its synchronisation checks); None asks
    SM5VK_VALIDATION. A RuntimeWarning says where the layer is not installed or cannot check that;
    the reference machine has nothing to validate. `staged` keeps buffers in device memory
    and copies them, else host and device share them; None decides by the device: discrete GPUs get
    buffers in their own memory, which is written in place where all of it can be mapped.
    `timestamps` has the device time every dispatch; with False, `duration_ns` is None outside of a
    profile. None decides by the device: a GPU times, and for a driver on the CPU, where that takes
    about as long as a small dispatch, the host measures from submission until the end is seen.
    SwiftShader's devices share threads: one is opened when the work has ended that still ran on
    others when they were closed, or after 20 s, with a RuntimeWarning.
    Raises NoDeviceError, and ArgumentError for a `validation` that is none of these.
    """
    wish, wanted = wished(device), validation_wanted(validation)
    if is_reference(wish):
        return _open_reference()
    try:
        return _open_vulkan(wish, wanted, staged, timestamps)
    except NoDeviceError as error:
        if wish is not None:
            raise
        warnings.warn(f"{_FALLING_BACK} {error}", RuntimeWarning, stacklevel=2)
        return _open_reference()


def _open_vulkan(
    wish: Wish, validation: str, staged: bool | None, timestamps: bool | None
) -> Device:
    instance = create_instance(validation)
    try:
        handle, info = choose(instance, wish)
        if info.driver in SHARED_THREADS and not end_abandoned(info):
            warnings.warn(f"{info.name}: {_STILL_BUSY}", RuntimeWarning, stacklevel=3)
    except BaseException:
        instance.close()
        raise
    return Device(VulkanBackend(instance, handle, info, staged, timestamps))


def _open_reference() -> ReferenceDevice:
    from vkrunner.reference_device import ReferenceDevice  # which is made from this module's Device

    return ReferenceDevice()
