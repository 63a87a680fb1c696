"""`sm5vk devices`: lists Vulkan's devices and the reference machine.

For each device: index, name, type, driver, memory, the number of known faults of its driver
(docs/drivers.md), and a line about results that may be wrong because a fault has no workaround. The
default device is the one that SM5VK_DEVICE names, otherwise the best.
"""

from __future__ import annotations

import argparse
import dataclasses
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from vkrunner import DeviceInfo, NoDeviceError, RunnerError, open_device
from vkrunner.api.opening import TYPE, VARIABLE, default_of, reference_info, vulkan_devices
from vkrunner.cli.output import plain, write_json, write_lines, write_message
from vkrunner.info.faults import FAULTS, notice

_INDENT, _WIDTH = "    ", 100


def configure(parser: argparse.ArgumentParser) -> None:
    details = "list the features that shaders may need, missing ones, and the driver's faults too"
    parser.add_argument("--details", action="store_true", help=details)
    parser.add_argument("--json", action="store_true", help="print all of it as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = [*_vulkan_devices(), reference_info()]
    default = _default(found)
    if arguments.json:
        write_json([{**info.to_dict(), **_more(info, default)} for info in found])
    else:
        details = bool(arguments.details)
        write_lines(line for info in found for line in _lines(info, default, details))
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


def _lines(info: DeviceInfo, default: DeviceInfo | None, details: bool) -> Iterator[str]:
    """A line for the device, then lines for its faults, and with `details` for its features."""
    yield _line(info) + (", the default" if info is default else "")
    faults = _faults(info) or ()
    if details:
        yield from _wrapped(f"has    {', '.join(info.features.names()) or 'nothing'}")
        yield from _wrapped(f"lacks  {', '.join(_lacking(info)) or 'nothing'}")
    by_remedy = _by_remedy(faults)
    if details:
        for remedy, names in by_remedy.items():
            yield from _wrapped(f"faults, {remedy}: {', '.join(names)}")
    elif faults:
        counts = ", ".join(f"{len(names)} {remedy}" for remedy, names in by_remedy.items())
        yield from _wrapped(f"{len(faults)} known faults (--details): {counts}")
    text = notice(info.name, faults)
    if text is not None:
        yield from _wrapped(text)


def _by_remedy(faults: Sequence[str]) -> dict[str, list[str]]:
    """The names of the faults with each remedy."""
    found: dict[str, list[str]] = {}
    for name in faults:
        remedy = FAULTS[name].remedy
        found.setdefault("without a remedy" if remedy == "none" else remedy, []).append(name)
    return found


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
