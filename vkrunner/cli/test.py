"""`sm5vk test`: runs shader tests (*.shader_test) on one device or several.

docs/shader-tests.md describes their grammar. A failed test is shown with the numbers that differ.
If a file cannot be read, the tests in other files still run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from translate import TranslateError, Where
from vkrunner import NoDeviceError, RunnerError, UnknownNameError, open_device
from vkrunner.api.opening import is_in_ci, prepare, wished
from vkrunner.cli.output import (
    clear_line,
    coloured,
    has_colour,
    report_file,
    show_line,
    show_work,
    write_all,
    write_error,
    write_json,
    write_message,
    write_text,
)
from vkrunner.cli.parser import UsageError
from vkrunner.reference.info import INDEX as REFERENCE
from vkrunner.shadertest.outcome import (
    DEVICE,
    FAILED,
    INPUT,
    PASSED,
    SKIPPED,
    Failure,
    Outcome,
    github_lines,
    summary,
    to_json,
    to_junit,
)
from vkrunner.shadertest.session import (
    Job,
    Wish,
    find_files,
    parse_expression,
    read_tests,
    run_jobs,
)

_NOTHING_RAN = 1
_NOT_IN_CI = "no Vulkan device, a failure where CI is set; `--device reference` needs none"


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="+", help="a .shader_test file, a folder, or a glob")
    add(
        "--device",
        metavar="D",
        action="append",
        help="a part of its name, its index, or reference; repeatable",
    )
    add(
        "--allow-path",
        dest="allowed",
        metavar="FOLDER",
        type=Path,
        action="append",
        default=[],
        help="tests may name files below it too, not only below their own folders",
    )
    add("-k", dest="expression", metavar="EXPR", help="tests with these parts in path::name")
    add("-j", dest="processes", metavar="N", type=int, default=1, help="processes (1)")
    add("-v", "--verbose", action="store_true", help="a line for each test, and its messages")
    add("--junit", metavar="XML", type=report_file, help="write JUnit's XML there")
    add("--json", action="store_true", help="print outcomes as JSON")
    add(
        "--error-format",
        choices=("text", "github"),
        default="text",
        help="github: print an annotation of its workflows for each distinct failure, at the end",
    )


def run(arguments: argparse.Namespace) -> int:
    try:
        return _run(arguments)
    except (RunnerError, TranslateError, OSError, RuntimeWarning) as error:
        code = error.exit_code if isinstance(error, RunnerError) else INPUT
        _write_reports(arguments, [_not_run("command line", "", str(error), code)])
        raise


def _run(arguments: argparse.Namespace) -> int:
    if arguments.processes < 1:
        raise UsageError(f"-j takes a number from 1 on, not {arguments.processes}")
    missing = next((folder for folder in arguments.allowed if not folder.is_dir()), None)
    if missing is not None:
        raise UsageError(f"--allow-path {missing}: no such folder")
    expression: str | None = arguments.expression
    chosen = parse_expression(expression) if expression is not None else None
    tests, outcomes = read_tests(find_files(arguments.paths), chosen, arguments.allowed)
    if not tests and not outcomes:
        raise UnknownNameError(f"-k {expression!r} chooses no test")
    show = Show(arguments.json, arguments.verbose)
    for outcome in outcomes:
        show.outcome(outcome)
    wishes: list[Wish] = arguments.device or [None]
    if arguments.processes == 1:
        prepare(*wishes)
    devices, without = usable_devices(wishes)
    outcomes += without
    start = time.perf_counter()
    jobs = [Job(test, device) for device in devices for test in tests]
    for done, found in enumerate(run_jobs(jobs, arguments.processes, show_work), 1):
        show.progress(done, jobs)
        for outcome in found:
            show.outcome(outcome)
        outcomes.extend(found)
    show.clear()
    seconds = time.perf_counter() - start
    _finish(arguments, outcomes, seconds)
    return max((*(outcome.code for outcome in outcomes), idle(outcomes)))


def usable_devices(wishes: Sequence[Wish]) -> tuple[list[Wish], list[Outcome]]:
    """The devices that can be opened; for the others, a message and an outcome."""
    found: dict[int, Wish] = {}  # two wishes may name one device
    without: list[Outcome] = []
    for wish in dict.fromkeys(wishes):
        try:
            with open_device(wish) as device:  # to see that it works
                index = device.info.index
            if index == REFERENCE and wished(wish) is None and is_in_ci():
                raise NoDeviceError(_NOT_IN_CI)
            found.setdefault(index, index if wish is None else wish)
        except NoDeviceError as error:
            write_message(f"sm5vk: error: {error}")
            without.append(_not_run("open the device", str(wish or ""), str(error), DEVICE))
    return [*found.values()], without


def _not_run(name: str, device: str, message: str, code: int) -> Outcome:
    """The outcome for an error that concerns no file."""
    return Outcome("", name, device, failures=(Failure(message, Where(), code=code),))


def idle(outcomes: Sequence[Outcome]) -> int:
    """The exit code 1 if no test ran, which is not a success; otherwise 0."""
    return _NOTHING_RAN if all(outcome.status == SKIPPED for outcome in outcomes) else 0


def _write_reports(arguments: argparse.Namespace, outcomes: Sequence[Outcome]) -> None:
    """Write JUnit's XML and the annotations, if these are wanted."""
    if arguments.junit is not None:
        Path(arguments.junit).parent.mkdir(parents=True, exist_ok=True)
        write_all({arguments.junit: to_junit(outcomes)}, binary=False)
    if arguments.error_format == "github" and not arguments.json:
        write_text("".join(f"{line}\n" for line in github_lines(outcomes)), None)


def _finish(arguments: argparse.Namespace, outcomes: Sequence[Outcome], seconds: float) -> None:
    _write_reports(arguments, outcomes)
    if arguments.json:
        write_json(to_json(outcomes, seconds))
        return
    print(summary(outcomes, seconds))
    if outcomes and idle(outcomes):
        write_message("sm5vk: error: nothing ran: every test was skipped")


class Show:
    """The output while tests run: failures when they come, and progress on a terminal."""

    def __init__(self, as_json: bool, verbose: bool):
        self._as_json = as_json
        self._verbose = verbose
        self._terminal = sys.stderr.isatty()
        self._warned: set[str] = set()

    def outcome(self, outcome: Outcome) -> None:
        """Show a test's failures or its line; on standard error if it could not run.

        Its warnings come first, each once.
        """
        for text in outcome.warnings:
            if text not in self._warned:
                self._warned.add(text)
                self.clear()
                write_message(text)  # begins with its place
        if self._as_json:
            return
        self.clear()
        if not outcome.failures and outcome.status == PASSED and not self._verbose:
            return
        text = outcome.text()
        is_error = outcome.failures and outcome.status != FAILED
        shown = coloured(text) if has_colour(sys.stderr if is_error else sys.stdout) else text
        if is_error:
            write_error(shown)
        else:
            print(shown, flush=True)

    def progress(self, done: int, jobs: Sequence[Job]) -> None:
        if self._terminal:
            show_line(f"[{done}/{len(jobs)}] {jobs[done - 1].test.path}")

    def clear(self) -> None:
        if self._terminal:
            clear_line()
