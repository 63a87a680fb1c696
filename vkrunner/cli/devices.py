"""`sm5vk devices`: what Vulkan devices there are."""

from __future__ import annotations

import argparse
import json

from vkrunner.choose import devices
from vkrunner.cli.output import write_text
from vkrunner.records import DeviceInfo

HELP = "list the Vulkan devices"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(arguments: argparse.Namespace) -> int:
    found = devices()
    if arguments.json:
        write_text(json.dumps([info.to_dict() for info in found], indent=2) + "\n", None)
    else:
        write_text("".join(f"{_line(info)}\n" for info in found), None)
    return 0


def _line(info: DeviceInfo) -> str:
    memory = f"{info.memory_bytes >> 20} MiB"
    driver = f"{info.driver} {info.driver_version}".strip()
    text = f"{info.index}: {info.name} ({info.type}, Vulkan {info.api_version}, {driver}, {memory})"
    return f"{text}, cannot be used: {info.missing}" if info.missing else text
