"""`sm5vk devices`: lists Vulkan's devices and the reference machine.

For each device: index, name, type, driver, memory, the features that shaders may need and it has,
the known faults of its driver (docs/drivers.md), and a line about results that may be wrong because
a fault has no workaround. The default device is the one that SM5VK_DEVICE names, otherwise the
best.
"""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from collections.abc import Iterator
from typing import Any

from vkrunner import DeviceInfo, NoDeviceError, RunnerError, open_device
from vkrunner.api.choose import VARIABLE, default_of, vulkan_devices
from vkrunner.cli.output import plain, write_json, write_lines, write_message
from vkrunner.info.faults import FAULTS, notice
from vkrunner.reference.info import TYPE, reference_info

_INDENT, _WIDTH = "    ", 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = [*_vulkan_devices(), reference_info()]
    default = _default(found)
    if arguments.json:
        write_json([{**info.to_dict(), **_more(info, default)} for info in found])
    else:
        write_lines(line for info in found for line in _lines(info, default))
    return 0


def _default(found: list[DeviceInfo]) -> DeviceInfo | None:
    """The default device; None, with a message, if SM5VK_DEVICE names a missing device."""
    try:
        return default_of(found)
    except NoDeviceError as error:
        write_message(f"sm5vk: warning: {VARIABLE}: {error}")
        return None


def _more(info: DeviceInfo, default: DeviceInfo | None) -> dict[str, Any]:
    limits = {name: plain(value) for name, value in dataclasses.asdict(info.limits).items()}
    faults = _faults(info)
    remedies = {name: FAULTS[name].remedy for name in faults or ()}
    found = {"lacks": _lacking(info), "faults": faults, "remedies": remedies, "limits": limits}
    return {**found, "default": info is default}


def _lines(info: DeviceInfo, default: DeviceInfo | None) -> Iterator[str]:
    """A line for the device, then lines for its features, missing features and faults."""
    yield _line(info) + (", the default" if info is default else "")
    yield from _wrapped(f"has    {', '.join(info.features.names()) or 'nothing'}")
    yield from _wrapped(f"lacks  {', '.join(_lacking(info)) or 'nothing'}")
    faults = _faults(info) or ()
    if faults:
        yield from _wrapped(f"faults {', '.join(faults)}")
    text = notice(info.name, faults)
    if text is not None:
        yield from _wrapped(text)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)


def _lacking(info: DeviceInfo) -> list[str]:
    there = info.features.names()
    return [f.name for f in dataclasses.fields(info.features) if f.name not in there]


def _faults(info: DeviceInfo) -> list[str] | None:
    """The known faults. The device is opened for this; None if it cannot be opened."""
    if info.missing is not None:
        return None
    try:
        with open_device(info.index) as device:
            return list(device.faults)
    except RunnerError as error:
        write_message(f"sm5vk: warning: {info.name} cannot be probed: {error}")
        return None


def _vulkan_devices() -> list[DeviceInfo]:
    """Vulkan's devices; if there are none, a message on standard error gives the reason."""
    try:
        return vulkan_devices()
    except NoDeviceError as error:
        write_message(f"sm5vk: warning: {error}")
        return []


def _line(info: DeviceInfo) -> str:
    memory = f"{info.memory_bytes >> 20} MiB"
    driver = f"{info.driver} {info.driver_version}".strip()
    if info.type == TYPE:
        return f"{info.index}: {info.name} ({info.type}, on the CPU, {driver}, {memory})"
    text = f"{info.index}: {info.name} ({info.type}, Vulkan {info.api_version}, {driver}, {memory})"
    return f"{text}, cannot be used: {info.missing}" if info.missing else text
