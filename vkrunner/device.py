"""Device: what `open_device` gives. Everything else is made by it and lives no longer than it."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from vkrunner.arrays import Array
from vkrunner.buffers import Buffer
from vkrunner.choose import Wish, choose
from vkrunner.instance import create_instance
from vkrunner.kernel import Kernel, Source
from vkrunner.logical import LogicalDevice
from vkrunner.records import DeviceFeatures, DeviceInfo, DeviceLimits


class Device:
    """An open device. Close it, or use it in a `with`; one thread at a time.

    After a DispatchTimeout or a DeviceLostError it is of no more use: close it, open another.
    """

    def __init__(self, logical: LogicalDevice):
        self._logical = logical

    @property
    def info(self) -> DeviceInfo:
        """Name, type, driver and all that `vkrunner.devices()` tells."""
        return self._logical.info

    @property
    def name(self) -> str:
        return self._logical.info.name

    @property
    def limits(self) -> DeviceLimits:
        return self._logical.info.limits

    @property
    def features(self) -> DeviceFeatures:
        return self._logical.info.features

    def kernel(self, source: Source, **options: Any) -> Kernel:
        """A shader made ready: a path, a container's or listing's bytes, a listing, a Program.

        `options` are those of `translate.Options`. A SpirvModule is taken as it is. Raises
        TranslateError, LimitError or FeatureError.
        """
        return Kernel(self._logical, source, options)

    def buffer(self, source: Array | bytes | int, counter: int | None = None) -> Buffer:
        """A buffer that stays on the device: a copy of an array, or as many zero bytes.

        `counter` gives it a hidden counter that starts there.
        """
        return Buffer(self._logical, source, counter)

    def close(self) -> None:
        """Free everything that was made by it; harmless a second time."""
        self._logical.close()

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Device({self.info.index}, {self.name!r})"


def open_device(
    device: Wish = None, *, validation: bool | str | None = None, staged: bool | None = None
) -> Device:
    """Open a device: a part of its name, its index, "lavapipe", or None for the best.

    None asks the variable SM5VK_DEVICE first; a real GPU is better than a driver on the CPU.
    `validation` turns on the validation layer where it is installed ("sync" with its
    synchronisation checks); None asks SM5VK_VALIDATION. `staged` keeps buffers in device memory
    and copies them, else host and device share them; None decides by the device's type.
    Raises NoDeviceError.
    """
    instance = create_instance(validation)
    try:
        handle, info = choose(instance, device)
    except BaseException:
        instance.close()
        raise
    return Device(LogicalDevice(instance, handle, info, staged))
