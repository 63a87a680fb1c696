"""`sm5vk run`: runs a shader with arrays from files, and shows or saves the results."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from typing import Any

from translate import ShaderInterface
from vkrunner import ReferenceResult
from vkrunner.binding.making import Formatted
from vkrunner.binding.registers import Key, register_of
from vkrunner.cli.array_files import WRITTEN, check_name, save
from vkrunner.cli.dispatching import (
    NAMES,
    Job,
    add_device_option,
    add_dispatch_options,
    add_group_options,
    dispatch,
    group_counts,
    numbers_of,
    open_job,
    read_values,
)
from vkrunner.cli.explain import check_packages, title_of
from vkrunner.cli.output import STDOUT, write_json, write_lines, write_text
from vkrunner.cli.parser import UsageError
from vkrunner.cli.results import (
    print_races,
    show_result,
    show_text,
    trace_data,
    trace_lines,
    write_trace,
)
from vkrunner.cli.source import SOURCE
from vkrunner.cli.translation_flags import pairs, translation_options
from vkrunner.cli.value_parser import SYNTAX

_TRACE_HELP = (
    "show, in place of results, each instruction that this thread (SV_DispatchThreadID) executes,"
    " with its values; needs --device reference"
)


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("source", metavar="IN", help=SOURCE)
    add_group_options(parser)
    add(
        "--save",
        metavar="REG=FILE",
        action="append",
        default=[],
        help=f"write results as {WRITTEN} files instead of showing them; - writes .npy to"
        " standard output; u0.counter=FILE writes a hidden counter",
    )
    add_device_option(parser)
    _add_report_options(parser)
    add("--trace", metavar="X,Y,Z", help=_TRACE_HELP)
    add("--time", action="store_true", help="print the time on the device to standard error")
    add("--json", action="store_true", help="print the results' summary as JSON")
    add_dispatch_options(parser)
    parser.usage = (
        "sm5vk run IN --groups|--threads X[,Y[,Z]] [--REGISTER VALUE]... [options];"
        " see sm5vk run --help"
    )
    parser.description = f"{parser.description}\n\n{SYNTAX}\n{NAMES}"


def _add_report_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--report",
        action="store_true",
        help="list the instructions with violations (accesses out of bounds), and exit with 1"
        " if there is one whose result is used",
    )
    add(
        "--every-violation",
        action="store_true",
        help="with --report: list the violations one by one, of which some 4096 are recorded",
    )
    add(
        "-o",
        dest="page",
        metavar="PAGE",
        help="with --report or --trace: write a page with the violations or the instructions",
    )


def run(arguments: argparse.Namespace) -> int:
    counts = group_counts(arguments)
    saves = pairs("--save", arguments.save, "REG=FILE, for instance u0=out.npy")
    if arguments.json and STDOUT in saves.values():
        raise UsageError("--json and --save REG=- both write to standard output")
    thread = _thread(arguments)
    with open_job(arguments, arguments.source, counts, _options(arguments)) as job:
        interface = job.kernel.interface
        saves = _saves(interface, saves)
        _check_page(arguments, saves.values())
        values = read_values(arguments, job, arguments.source)
        if thread is not None:
            return _trace(arguments, job, thread, values)
        result = dispatch(arguments, job, values)
        job.say("writing results")
        if saves:
            save(interface, result, saves, _formats(interface, values))
        job.say("")
        show_result(arguments, job.device.name, interface, result, saves)
    if not arguments.report:
        if isinstance(result, ReferenceResult):
            print_races(result)
        return 0
    if arguments.page is not None:
        page = result.violations.page(title_of(arguments.source))
        write_text(page, arguments.page)
    if not arguments.json:
        found = result.violations
        table = found.table() if arguments.every_violation else found.summary()
        if isinstance(result, ReferenceResult):
            table = "\n".join([table, *result.race_summary().splitlines()])
        show_text(table, to_stdout=STDOUT not in saves.values())
    return 1 if result.violations.harmful().total else 0


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the translation, with those of a report."""
    options = translation_options(arguments)
    if arguments.report:
        options["guards"] = "report"
    elif arguments.every_violation or (arguments.page and not arguments.trace):
        raise UsageError("--every-violation needs --report, and -o needs --report or --trace")
    if arguments.page is not None:
        check_packages()
    return options


def _thread(arguments: argparse.Namespace) -> tuple[int, ...] | None:
    """The thread of `--trace`; None without it. Raises UsageError for options that exclude it."""
    if arguments.trace is None:
        return None
    for option in ("save", "report", "time"):
        if getattr(arguments, option):
            raise UsageError(f"--trace shows what one thread does: leave out --{option}")
    return numbers_of("--trace", arguments.trace, at_least=3)


def _trace(
    arguments: argparse.Namespace, job: Job, thread: tuple[int, ...], values: Mapping[Key, Any]
) -> int:
    from vkrunner import ReferenceKernel

    if not isinstance(job.kernel, ReferenceKernel):
        raise UsageError(
            "only the reference machine, an interpreter, can trace: add --device reference"
        )
    steps = job.kernel.trace(job.groups, thread=thread, bindings=values, timeout=arguments.timeout)
    if arguments.page is not None:
        write_trace(arguments, job.shader.program, steps)
    elif arguments.json:
        write_json(trace_data(steps))
    else:
        write_lines(trace_lines(steps))
    return 0


def _saves(interface: ShaderInterface, saves: Mapping[str, str]) -> dict[str, str]:
    """The values of `--save` as register -> file.

    Raises UsageError for a register that cannot be saved, and for two results in one file.
    """
    made: dict[str, str] = {}
    for key, path in saves.items():
        register = register_of(interface, key)
        label = interface[register].label
        if not register.startswith("u"):
            raise UsageError(f"--save: {label} is not written by a shader")
        if interface[register].count != 1:
            raise UsageError(f"--save: {label} is an array of resources")
        check_name(path)
        made[register] = path
    if len(made) != len(saves) or len(set(made.values())) != len(made):
        raise UsageError("--save: each register once, and each to a file of its own")
    return made


def _check_page(arguments: argparse.Namespace, saved: Iterable[str]) -> None:
    """Raise UsageError if the page of a report would go where results go."""
    if arguments.page is None or arguments.trace is not None:
        return
    if arguments.page == STDOUT:
        raise UsageError("-o names a file: standard output has the results")
    if os.path.realpath(arguments.page) in map(os.path.realpath, saved):
        raise UsageError(f"-o and --save both name {arguments.page}: name two files")


def _formats(interface: ShaderInterface, values: Mapping[Key, Any]) -> dict[str, str]:
    """Register -> DXGI format, for the values that have one."""
    given = [(key, value) for key, value in values.items() if isinstance(value, Formatted)]
    return {register_of(interface, key): value.format for key, value in given}
