"""`sm5vk selftest`: runs the conformance tests on a device, and reports on its driver.

The tests come with sm5vk: out-of-bounds accesses, numbers, atomics, barriers, textures. The verdict
on each test is exact; tolerated (numbers differ within D3D's tolerance); unsupported (the device
lacks a feature); wrong; or an error (the driver failed or ended the process).
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from translate.dataclass import dataclass, replace
from translate.errors import escaped
from translate.version import VERSION
from vkrunner import UnknownNameError, open_device
from vkrunner.cli.output import report_file, write_all, write_json, write_lines
from vkrunner.cli.parser import UsageError
from vkrunner.cli.test import Show, idle, usable_devices
from vkrunner.info.faults import FAULTS, Remedy, with_remedy
from vkrunner.shadertest.cases import SUFFIX, ShaderTest
from vkrunner.shadertest.outcome import FAILED, SKIPPED, Failure, Outcome, to_json, to_junit
from vkrunner.shadertest.session import (
    Job,
    Predicate,
    Wish,
    find_files,
    parse_expression,
    read_tests,
    run_jobs,
)
from vkrunner.values.comparison import text_table

_REMEDIES: Mapping[Remedy, str] = {
    "worked around": "faults worked around",
    "refused": "faults refused",
    "tolerated": "faults tolerated",
    "none": "without a remedy",
}
CONFORMANCE = Path(__file__).parents[1] / "conformance"
EXACT, TOLERATED, UNSUPPORTED, WRONG, ERROR = VERDICTS = (
    *("exact", "tolerated", "unsupported"),
    *("wrong", "error"),
)
_FAULTS = {fault.test: fault for fault in FAULTS.values()}
_INDENT = "  "
_SHOWN = 4  # the most probes and failures that are shown for a test


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


def verdict(outcome: Outcome) -> str:
    """The verdict on a test."""
    if outcome.failures:
        return WRONG if outcome.status == FAILED else ERROR
    if outcome.status == SKIPPED:
        return UNSUPPORTED
    return TOLERATED if outcome.tolerated else EXACT


def short_path(path: str) -> str:
    """A path relative to the folder of the conformance tests, if it is below.

    So a report does not name other folders of its machine.
    """
    return path.removeprefix(f"{CONFORMANCE}{os.sep}")


def settled(outcome: Outcome, device: str) -> Outcome:
    """The outcome with this name of the device, and short paths.

    If all failures are features, formats or limits that the device lacks, the test was skipped.
    """
    if outcome.failures and all(failure.is_lacking for failure in outcome.failures):
        reason = "; ".join(failure.message for failure in outcome.failures)
        outcome = replace(outcome, failures=(), reason=reason)
    path, failures = short_path(outcome.path), tuple(map(_shortened, outcome.failures))
    return replace(outcome, device=device, path=path, failures=failures)


def _shortened(failure: Failure) -> Failure:
    path = failure.where.file and short_path(failure.where.file)
    return replace(failure, where=replace(failure.where, file=path))


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """All outcomes on one device; `device` describes it: a name and a text for each line."""

    device: Mapping[str, str]
    outcomes: Sequence[Outcome]
    seconds: float

    def lines(self) -> Iterator[str]:
        """The report as text: the device, the table, and each test that is not exact."""
        yield from text_table([*self.device.items()])
        yield ""
        yield from text_table([*self._rows()], align=str.rjust)
        for kind in VERDICTS[1:]:
            yield from self._details(kind)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        counts = Counter(map(verdict, self.outcomes))
        tests = to_json(self.outcomes, self.seconds)["tests"]
        return {
            "device": dict(self.device),
            "summary": {kind: counts[kind] for kind in VERDICTS} | {"seconds": self.seconds},
            "tests": [
                {**test, "verdict": verdict(outcome), "fault": fault.name if fault else None}
                for test, outcome in zip(tests, self.outcomes, strict=True)
                for fault in [_FAULTS.get(file_of(outcome))]
            ],
        }

    def _rows(self) -> Iterator[Sequence[str]]:
        yield ("", *VERDICTS)
        areas = {area_of(outcome): None for outcome in self.outcomes}
        for area in areas:
            yield _row(area, [o for o in self.outcomes if area_of(o) == area])
        yield _row("all", self.outcomes)

    def _details(self, kind: str) -> Iterator[str]:
        chosen = [outcome for outcome in self.outcomes if verdict(outcome) == kind]
        if chosen:
            yield from ("", kind)
        for outcome in chosen:
            about = _after(outcome.reason) or _after_fault(outcome)
            yield escaped(f"{_INDENT}{label_of(outcome)}{about}")
            texts = [*outcome.tolerated, *(failure.text() for failure in outcome.failures)]
            if len(texts) > _SHOWN:
                texts[_SHOWN:] = [f"and {len(texts) - _SHOWN} more, which --json has"]
            for text in texts:
                yield from (_INDENT * 2 + line for line in text.splitlines())


def area_of(outcome: Outcome) -> str:
    """The folder of a test's file: bounds, floats."""
    return Path(outcome.path).parent.name


def label_of(outcome: Outcome) -> str:
    """`bounds/raw: stores`; without the test's name if that is only its number."""
    return f"{file_of(outcome)}{'' if outcome.name.isdecimal() else _after(outcome.name)}"


def file_of(outcome: Outcome) -> str:
    """The test's file and its folder: `bounds/raw`."""
    path = Path(outcome.path)
    return f"{path.parent.name}/{path.name.removesuffix(SUFFIX)}"


def _after(text: str) -> str:
    return f": {text}" if text else ""


def _after_fault(outcome: Outcome) -> str:
    fault = _FAULTS.get(file_of(outcome))
    return f": fault {fault.name}: {fault.effect}" if fault else ""


def _row(name: str, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    counts = Counter(map(verdict, outcomes))
    return name, *(str(counts[kind] or ".") for kind in VERDICTS)
