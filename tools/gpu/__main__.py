"""`python -m tools.gpu --device D`: test and measure a device, and write a folder of reports.

Runs the self-test, the suite, the differential fuzzer and the benchmarks. A test that loses the
device, ends its process or does not end is named, and the other tests run in a new process. The
folder has `summary.md`, `report.json`, JUnit's XML of the suite and of the self-test, the fuzzer's
findings and the benchmarks' tables. The exit code is 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np

import vkrunner
from translate.version import VERSION

from .parts import PARTS, TABLES, Plan, Report
from .suite import SuiteError


def main() -> int:
    given = _arguments()
    info = _device(given.device)
    folder: Path = given.into
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"gpu: {folder} is not empty")
    folder.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        **{field.name: getattr(given, field.name) for field in dataclasses.fields(Plan)[2:]},
        device=given.device,
        folder=folder.resolve(),
    )
    about = _about(info)
    reports: dict[str, Report] = {}
    for part in given.parts:
        print(f"gpu: {part} on {info.name}", file=sys.stderr, flush=True)
        start = time.monotonic()
        reports[part] = _run(part, plan)
        seconds = time.monotonic() - start
        print(f"gpu: {part}: {reports[part].line} ({seconds:.0f} s)", file=sys.stderr, flush=True)
        _write(folder, about, reports)  # after each part: the next one may take the machine down
    return 1 if any(report.faults for report in reports.values()) else 0


def _run(part: str, plan: Plan) -> Report:
    try:
        return PARTS[part](plan)
    except SuiteError as error:
        return Report("did not run", [str(error)])


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sh ci/gpu.sh", description=__doc__)
    add = parser.add_argument
    add("--device", required=True, help="a part of its name, or its index")
    add("--into", type=Path, default=Path("gpu-report"), help="a new folder (gpu-report)")
    add(
        "--parts",
        type=_some_of(PARTS, "part"),
        default=list(PARTS),
        help=f"of {','.join(PARTS)}; all",
    )
    add("--processes", type=int, default=os.cpu_count() or 1, help="for the suite")
    add("--silence", type=float, default=300, help="seconds after which a process is ended (300)")
    add("--minutes", type=float, default=10, help="of the fuzzer (10)")
    add("--seed", type=int, help="of the fuzzer; without it, a fresh one")
    add("--scale", type=float, default=1.0, help="of the benchmarks, less than 1 to try")
    add("--tests", nargs="+", default=[], metavar="PATH", help="other tests than the suite's")
    add("--tables", type=_some_of(TABLES, "table"), default=TABLES, help="of the benchmarks; all")
    add("-k", dest="expression", default="", metavar="EXPR", help="those that pytest's -k chooses")
    return parser.parse_args()


def _some_of(names: Collection[str], kind: str) -> Callable[[str], list[str]]:
    """A parser of comma-separated names, which have to be among `names`."""

    def read(text: str) -> list[str]:
        found = text.split(",")
        unknown = [name for name in found if name not in names]
        if unknown:
            there = ", ".join(names)
            raise argparse.ArgumentTypeError(f"no {kind} {unknown[0]!r}; there are {there}")
        return found

    return read


def _device(name: str) -> vkrunner.DeviceInfo:
    try:
        with vkrunner.open_device(name) as device:
            return device.info
    except vkrunner.RunnerError as error:
        sys.exit(f"gpu: {error}")


def _about(info: vkrunner.DeviceInfo) -> dict[str, Any]:
    return {
        "device": info.to_dict(),
        "sm5vk": VERSION,
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "time": time.strftime("%Y-%m-%d %H:%M:%S %Z"),
    }


def _write(folder: Path, about: dict[str, Any], reports: dict[str, Report]) -> None:
    parts = {name: dataclasses.asdict(report) for name, report in reports.items()}
    text = json.dumps({"about": about, "parts": parts}, indent=2)
    (folder / "report.json").write_text(f"{text}\n", encoding="utf-8")
    (folder / "summary.md").write_text(_summary(about, reports), encoding="utf-8")


def _summary(about: dict[str, Any], reports: dict[str, Report]) -> str:
    device = about["device"]
    lines = [
        f"# {device['name']}",
        "",
        f"{device['driver']} {device['driver_version']}, Vulkan {device['api_version']};"
        f" sm5vk {about['sm5vk']}; {about['system']}; Python {about['python']},"
        f" NumPy {about['numpy']}; {about['time']}",
        "",
        "| part | result | faults |",
        "|---|---|---|",
        *(f"| {name} | {report.line} | {len(report.faults)} |" for name, report in reports.items()),
    ]
    for name, report in reports.items():
        if report.faults or report.notes:
            lines += ["", f"## {name}", "", *(f"- {line}" for line in report.faults + report.notes)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
