"""open_device: open a device by its name, or the best device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from vkrunner.api.choose import Wish, choose, is_reference, wished
from vkrunner.api.device import Device
from vkrunner.errors import CallersLine, NoDeviceError, warn
from vkrunner.info.faults import SHARED_THREADS
from vkrunner.vulkan.backend import VulkanBackend
from vkrunner.vulkan.device.logical import LogicalDevice, end_abandoned
from vkrunner.vulkan.loader.instance import MANIFESTS, create_instance, validation_wanted

if TYPE_CHECKING:
    from vkrunner.api.reference_device import ReferenceDevice

Validation: TypeAlias = bool | Literal["sync", "1", "0", ""]

FALLING_BACK = "shaders run on the slow reference machine:"
_DRIVERS = "mesa-vulkan-drivers"
_REOPEN_TIMEOUT_NS = 20_000_000_000
_STILL_BUSY = (
    "a dispatch that timed out on a closed device still runs in this process, and may delay those"
    " of this device"
)


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
    """Open a device.

    Parameters
    ----------
    device : str or int, optional
        A part of the device's name, its index, "lavapipe", or "reference" (-1) for the reference
        machine, which needs no Vulkan. Without it, the variable SM5VK_DEVICE names the device.
        Otherwise the best device is opened: a GPU, a driver on the CPU, or the reference machine.
    validation : bool or "sync", optional
        Turn the validation layer on; with "sync" also its synchronisation checks. None uses the
        variable SM5VK_VALIDATION. The reference machine has nothing to validate.
    staged : bool, optional
        True keeps buffers in device memory and copies them; with False, host and device share
        them. By default buffers are in device memory on discrete GPUs; the host writes to them
        directly if it can map all of that memory.
    timestamps : bool, optional
        True measures the time of every dispatch on the device; with False, `duration_ns` is None
        outside of a profile. By default a GPU measures. For a driver on the CPU, where this takes
        as long as a small dispatch, the host measures from the submission until it sees the end.

    Returns
    -------
    Device
        The open device; a ReferenceDevice for "reference".

    Raises
    ------
    NoDeviceError
        No device has that name, or it cannot be used.
    ForkError
        The process was forked while its parent had a Vulkan device open.
    ArgumentError
        `validation` has another value.

    Warns
    -----
    RuntimeWarning
        The reference machine replaces a missing Vulkan device; the validation layer is missing, or
        lacks a requested check; or work of a closed device of SwiftShader still runs after 20 s,
        and may delay this device, because SwiftShader's devices share threads.

    Examples
    --------
    >>> import vkrunner
    >>> with vkrunner.open_device("reference") as device:
    ...     print(device.name)
    reference machine
    """
    with CallersLine():
        return _opened(wished(device), validation_wanted(validation), staged, timestamps)


def _opened(wish: Wish, validation: str, staged: bool | None, timestamps: bool | None) -> Device:
    if is_reference(wish):
        return _open_reference()
    try:
        return _open_vulkan(wish, validation, staged, timestamps)
    except NoDeviceError as error:
        if wish is not None:
            raise
        has_remedy = any(word in str(error) for word in (_DRIVERS, *MANIFESTS))
        remedy = "" if has_remedy else f"; the package {_DRIVERS} has a faster device"
        warn(f"{FALLING_BACK} {error}{remedy}")
        return _open_reference()


def _open_vulkan(
    wish: Wish, validation: str, staged: bool | None, timestamps: bool | None
) -> Device:
    instance = create_instance(validation)
    try:
        handle, info = choose(instance, wish)
        is_shared = info.driver in SHARED_THREADS
        if not end_abandoned(info, _REOPEN_TIMEOUT_NS if is_shared else 1) and is_shared:
            warn(f"{info.name}: {_STILL_BUSY}")
    except BaseException:
        instance.close()
        raise
    logical = LogicalDevice(instance, handle, info, staged, timestamps)
    return Device(VulkanBackend(logical))


def _open_reference() -> ReferenceDevice:
    from vkrunner.api.reference_device import ReferenceDevice  # most programs do not need it

    return ReferenceDevice()
