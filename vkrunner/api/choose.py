"""The choice of a device: the one that the caller names, otherwise the best.

A caller that names none leaves it to the environment variable SM5VK_DEVICE. The reference machine,
which needs no Vulkan, is the last of all devices: it is chosen by name, or if it is the only one.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from vkrunner.errors import NoDeviceError
from vkrunner.info.device_info import DeviceInfo
from vkrunner.reference.info import INDEX, NAME, TYPE, reference_info
from vkrunner.vulkan.loader import vk
from vkrunner.vulkan.loader.instance import Instance, create_instance, no_driver
from vkrunner.vulkan.loader.physical import describe

VARIABLE = "SM5VK_DEVICE"
_BEST_FIRST = ("discrete", "integrated", "virtual", "other", "cpu")

Wish = str | int | None
Row = tuple[vk.Handle, DeviceInfo]


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
