"""open_device: open a device by its name, or the best device.

A caller that names none leaves it to the environment variable SM5VK_DEVICE. The reference machine,
which needs no Vulkan, is the last of all devices: it is chosen by name, or if it is the only one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from vkrunner.api.device import Device
from vkrunner.errors import CallersLine, NoDeviceError, warn
from vkrunner.info.device_info import DeviceInfo
from vkrunner.info.faults import SHARED_THREADS
from vkrunner.probes.device_faults import was_probed
from vkrunner.reference.info import INDEX, NAME, TYPE, reference_info
from vkrunner.vulkan.backend import VulkanBackend
from vkrunner.vulkan.device.logical import LogicalDevice, end_abandoned
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.instance import (
    MANIFESTS,
    Instance,
    create_instance,
    has_drivers,
    no_driver,
    validation_wanted,
)
from vkrunner.vulkan.loader.physical import describe

if TYPE_CHECKING:
    from vkrunner.api.reference_device import ReferenceDevice

VARIABLE = "SM5VK_DEVICE"
_BEST_FIRST = ("discrete", "integrated", "virtual", "other", "cpu")

Wish = str | int | None
Row = tuple[vk.Handle, DeviceInfo]
Validation: TypeAlias = bool | Literal["sync", "1", "0", ""]
FALLING_BACK = "shaders run on the slow reference machine:"
_DRIVERS = "mesa-vulkan-drivers"
_REOPEN_TIMEOUT_NS = 20_000_000_000
_STILL_BUSY = (
    "a dispatch that timed out on a closed device still runs in this process, and may delay those"
    " of this device"
)


def devices() -> list[DeviceInfo]:
    """All devices of this machine.

    Returns
    -------
    list of DeviceInfo
        The Vulkan devices by their index, then the reference machine, which is always there.

    Raises
    ------
    ForkError
        The process was forked while its parent had a Vulkan device open.

    Examples
    --------
    >>> import vkrunner
    >>> vkrunner.devices()[-1].name
    'reference machine'
    """
    try:
        return [*vulkan_devices(), reference_info()]
    except NoDeviceError:
        return [reference_info()]


def vulkan_devices() -> list[DeviceInfo]:
    """All Vulkan devices of this machine. Raises NoDeviceError without a loader or driver."""
    instance = create_instance()
    try:
        return [info for _, info in _described(instance)]
    finally:
        instance.close()


def wished(argument: Wish) -> Wish:
    """The caller's name of a device, else that in SM5VK_DEVICE; None if neither names one."""
    return argument if argument is not None else os.environ.get(VARIABLE) or None


def is_reference(wish: Wish) -> bool:
    """Whether `wish` is the reference machine: "reference", its name, or its index."""
    if isinstance(wish, str):
        return wish.strip().lower() in (TYPE, NAME, str(INDEX))
    return wish == INDEX


def is_in_ci() -> bool:
    """Whether this is a job of continuous integration, where a missing driver is a failure."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def prepare(*wishes: Wish) -> None:
    """Copy this process if a device is opened next on which probes will probably run.

    That is if none have run with this cache. Only a process with one thread that has not loaded
    a driver can be copied; another one starts an interpreter when it needs a child.
    """
    has_vulkan = not all(is_reference(wished(wish)) for wish in wishes)
    if not has_vulkan or has_drivers() or was_probed():
        return
    from translate.child import can_copy  # what only the first use of a cache needs

    if not can_copy():
        return
    from vkrunner.probes.asking import keep_ready

    with suppress(NoDeviceError):
        vk.binding()  # for both processes; it loads no driver
        keep_ready()


def choose(instance: Instance, wish: Wish) -> tuple[vk.Handle, DeviceInfo]:
    """The Vulkan device that `wish` or SM5VK_DEVICE names, otherwise the best one.

    A number is an index of `devices()`; a text is a part of the device's or driver's name, ignoring
    case. Raises NoDeviceError if no such device is found, or if it cannot be used.
    """
    wish = wished(wish)
    found = _described(instance)
    chosen = _best(found) if wish is None else _wished(found, wish)
    if chosen[1].missing is not None:
        raise NoDeviceError(f"{chosen[1].name} cannot be used: {chosen[1].missing}")
    return chosen


def default_of(found: Sequence[DeviceInfo]) -> DeviceInfo:
    """The device among `found`, all `devices()`, that `open_device()` opens by default.

    Raises NoDeviceError if SM5VK_DEVICE names a device that is not there.
    """
    wish, vulkan = wished(None), [(None, info) for info in found if info.type != TYPE]
    if is_reference(wish) or (wish is None and not vulkan):
        return next(info for info in found if info.type == TYPE)
    return (_best(vulkan) if wish is None else _wished(vulkan, wish))[1]


def _described(instance: Instance) -> list[tuple[vk.Handle, DeviceInfo]]:
    handles = instance.physical_devices()
    return [(h, describe(h, i, instance.api_version)) for i, h in enumerate(handles)]


def _best(found: list[Row]) -> Row:
    usable = [row for row in found if row[1].missing is None] or found
    if not usable:
        raise no_driver()
    return min(usable, key=lambda row: _BEST_FIRST.index(row[1].type))


def _wished(found: list[Row], wish: str | int) -> Row:
    if isinstance(wish, str) and wish.strip().isdecimal():
        wish = int(wish)
    if isinstance(wish, int):
        matching = found[wish : wish + 1] if wish >= 0 else []
    else:
        matching = [row for row in found if row[1].is_called(wish)]
    if not matching:
        there = "; ".join(f"{info.index}: {info.name}" for _, info in found)
        raise NoDeviceError(f"no device {wish!r}; there are {there}; {INDEX}: {NAME}")
    return _best(matching)


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
