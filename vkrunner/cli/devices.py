"""`sm5vk devices`: what devices there are: Vulkan's, and the reference machine.

Of each: index, name, type, driver, memory, which of the features that shaders may need it has, and
which known faults its driver has, which are worked around (docs/drivers.md).
The default is the one that SM5VK_DEVICE names, else the best.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import textwrap
from typing import Any

from vkrunner.choose import VARIABLE, default_of, vulkan_devices
from vkrunner.cli.output import plain, write_text
from vkrunner.device import open_device
from vkrunner.device_info import DeviceInfo
from vkrunner.errors import NoDeviceError, RunnerError
from vkrunner.reference.info import TYPE, reference_info

_INDENT, _WIDTH = "    ", 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = [*_vulkan_devices(), reference_info()]
    default = _default(found)
    if arguments.json:
        rows = [{**info.to_dict(), **_more(info, default)} for info in found]
        write_text(json.dumps(rows, indent=2) + "\n", None)
    else:
        write_text("".join(_text(info, default) for info in found), None)
    return 0


def _default(found: list[DeviceInfo]) -> DeviceInfo | None:
    """None, with a line on standard error, where SM5VK_DEVICE names none that is there."""
    try:
        return default_of(found)
    except NoDeviceError as error:
        print(f"sm5vk: warning: {VARIABLE}: {error}", file=sys.stderr)
        return None


def _more(info: DeviceInfo, default: DeviceInfo | None) -> dict[str, Any]:
    limits = {name: plain(value) for name, value in dataclasses.asdict(info.limits).items()}
    found = {"lacks": _lacking(info), "faults": _faults(info), "limits": limits}
    return {**found, "default": info is default}


def _text(info: DeviceInfo, default: DeviceInfo | None) -> str:
    """A line, and below it what the device has and lacks, and its faults."""
    lines = [_line(info) + (", the default" if info is default else "")]
    rows = {"has": info.features.names(), "lacks": _lacking(info)}
    faults = _faults(info)
    if faults:
        rows["faults"] = faults
    for what, names in rows.items():
        text = f"{what:<6} {', '.join(names) or 'nothing'}"
        lines += textwrap.wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)
    return "".join(f"{line}\n" for line in lines)


def _lacking(info: DeviceInfo) -> list[str]:
    there = info.features.names()
    return [f.name for f in dataclasses.fields(info.features) if f.name not in there]


def _faults(info: DeviceInfo) -> list[str] | None:
    """The known faults, for which the device is opened; None where it cannot be."""
    if info.missing is not None:
        return None
    try:
        with open_device(info.index) as device:
            return list(device.faults)
    except RunnerError as error:
        print(f"sm5vk: warning: {info.name} cannot be probed: {error}", file=sys.stderr)
        return None


def _vulkan_devices() -> list[DeviceInfo]:
    """Those that are there; where there are none, a line on standard error says why."""
    try:
        return vulkan_devices()
    except NoDeviceError as error:
        print(f"sm5vk: warning: {error}", file=sys.stderr)
        return []


def _line(info: DeviceInfo) -> str:
    memory = f"{info.memory_bytes >> 20} MiB"
    driver = f"{info.driver} {info.driver_version}".strip()
    if info.type == TYPE:
        return f"{info.index}: {info.name} ({info.type}, on the CPU, {driver}, {memory})"
    text = f"{info.index}: {info.name} ({info.type}, Vulkan {info.api_version}, {driver}, {memory})"
    return f"{text}, cannot be used: {info.missing}" if info.missing else text
