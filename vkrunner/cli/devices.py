"""`sm5vk devices`: what devices there are: Vulkan's, and the reference machine."""

from __future__ import annotations

import argparse
import json
import sys

from vkrunner.choose import vulkan_devices
from vkrunner.cli.output import write_text
from vkrunner.errors import NoDeviceError
from vkrunner.records import DeviceInfo
from vkrunner.reference_info import TYPE, reference_info


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = [*_vulkan_devices(), reference_info()]
    if arguments.json:
        write_text(json.dumps([info.to_dict() for info in found], indent=2) + "\n", None)
    else:
        write_text("".join(f"{_line(info)}\n" for info in found), None)
    return 0


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
