"""`sm5vk selftest`: runs the conformance tests on a device, and reports on its driver.

The tests come with sm5vk: out-of-bounds accesses, numbers, atomics, barriers, textures. The verdict
on each test is exact; tolerated (numbers differ within D3D's tolerance); unsupported (the device
lacks a feature); wrong; or an error (the driver failed or ended the process).
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from translate.version import VERSION
from vkrunner import UnknownNameError, open_device
from vkrunner.cli.output import report_file, write_all, write_json, write_lines
from vkrunner.cli.parser import UsageError
from vkrunner.cli.test import Show, idle, usable_devices
from vkrunner.info.faults import Remedy, with_remedy
from vkrunner.shadertest.cases import ShaderTest
from vkrunner.shadertest.outcome import Outcome, to_junit
from vkrunner.shadertest.selection import Predicate, find_files, parse_expression
from vkrunner.shadertest.session import Job, Wish, read_tests, run_jobs
from vkrunner.shadertest.verdicts import CONFORMANCE, DeviceReport, settled, short_path

_REMEDIES: Mapping[Remedy, str] = {
    "worked around": "faults worked around",
    "refused": "faults refused",
    "tolerated": "faults tolerated",
    "none": "without a remedy",
}


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", help="other tests: a file, a folder, or a glob")
    add(
        "--device",
        metavar="D",
        action="append",
        help="a part of its name, its index, or reference; repeatable",
    )
    add("-k", dest="expression", metavar="EXPR", help="tests with these parts in path::name")
    add("-j", dest="processes", metavar="N", type=int, default=1, help="processes (1)")
    add("--junit", metavar="XML", type=report_file, help="write JUnit's XML there")
    add("--json", action="store_true", help="print the report as JSON")
    add("--folder", action="store_true", help="print the folder with the tests, and end")


def run(arguments: argparse.Namespace) -> int:
    if arguments.folder:
        write_lines([str(CONFORMANCE)])
        return 0
    if arguments.processes < 1:
        raise UsageError(f"-j takes a number from 1 on, not {arguments.processes}")
    expression: str | None = arguments.expression
    files = find_files(arguments.paths or [str(CONFORMANCE)])
    tests, unread = read_tests(files, _chosen(expression))
    if not tests and not unread:
        raise UnknownNameError(f"-k {expression!r} chooses no test")
    devices, without = usable_devices(arguments.device or [None])
    reports = [_report(tests, unread, device, arguments.processes) for device in devices]
    _write(arguments, reports)
    outcomes = [*without, *(outcome for report in reports for outcome in report.outcomes)]
    return max((*(outcome.code for outcome in outcomes), idle(outcomes)))


def _chosen(expression: str | None) -> Predicate | None:
    if expression is None:
        return None
    chosen = parse_expression(expression)
    return lambda identity: chosen(short_path(identity))


def _report(
    tests: Sequence[ShaderTest], unread: Sequence[Outcome], device: Wish, processes: int
) -> DeviceReport:
    about = _about(device)
    jobs = [Job(test, device) for test in tests]
    show = Show(as_json=True, verbose=False)
    start = time.perf_counter()
    found = [*unread]
    for done, outcomes in enumerate(run_jobs(jobs, processes, apart=True), 1):
        show.progress(done, jobs)
        found.extend(outcomes)
    show.clear()
    found = [settled(outcome, about["device"]) for outcome in found]
    found.sort(key=lambda outcome: (outcome.path, outcome.line))
    return DeviceReport(about, found, time.perf_counter() - start)


def _about(wish: Wish) -> dict[str, str]:
    """The lines of the report about the device and this machine."""
    with open_device(wish) as device:
        info = device.info
        faults = {
            text: ", ".join(row.name for row in with_remedy(device.faults, kind))
            for kind, text in _REMEDIES.items()
        }
        return {
            "device": info.name,
            "type": info.type,
            "driver": f"{info.driver} {info.driver_version}".strip(),
            "Vulkan": info.api_version,
            "float controls": ", ".join(sorted(info.float_controls)) or "none",
            **{text: names for text, names in faults.items() if names},
            "sm5vk": VERSION,
            "system": f"{_system()}, Python {platform.python_version()}",
        }


def _system() -> str:
    """Without `platform.platform`, which runs the first program `uname` of PATH."""
    return f"{platform.system()}-{platform.release()}-{platform.machine()}"


def _write(arguments: argparse.Namespace, reports: Sequence[DeviceReport]) -> None:
    if arguments.junit is not None:
        Path(arguments.junit).parent.mkdir(parents=True, exist_ok=True)
        outcomes = [outcome for report in reports for outcome in report.outcomes]
        properties = {report.device["device"]: report.device for report in reports}
        write_all({arguments.junit: to_junit(outcomes, properties)}, binary=False)
    if arguments.json:
        write_json([report.to_dict() for report in reports])
        return
    for number, report in enumerate(reports):
        write_lines([*([""] if number else []), *report.lines()])
