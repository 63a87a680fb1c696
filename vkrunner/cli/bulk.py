"""`sm5vk translate --output-dir`: many shaders, with progress, a summary and an exit code."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

import translate
from translate.dataclass import dataclass
from vkrunner import FeatureError, LimitError
from vkrunner.cli.output import STDOUT, output_folder, write_json, write_lines, write_message
from vkrunner.cli.parser import UsageError
from vkrunner.cli.translation_flags import check_runs, info_of, refuse_for_many

if TYPE_CHECKING:
    from translate.bulk import Note, Report, Row
    from vkrunner import Device, DeviceInfo

_SHOWN = 20  # reasons in the summary
_OPTIONS = ("interfaces", "jobs", "dask", "force", "json")


def configure(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    add = group.add_argument
    add(
        "--output-dir",
        metavar="DIR",
        type=output_folder,
        help="the folder for the modules, and for a manifest",
    )
    add("--interfaces", action="store_true", help="write each interface too, as NAME.json")
    add("-j", "--jobs", metavar="N", type=int, help="processes (default: one for each CPU)")
    add("--dask", metavar="ADDRESS", help="use the Dask cluster with this scheduler instead")
    add("--force", action="store_true", help="also translate shaders that are up to date")
    add("--json", action="store_true", help="print the outcome of each shader as JSON")


def refuse(arguments: argparse.Namespace) -> None:
    """Raise UsageError for many shaders, or options for them, without --output-dir."""
    sources: list[str] = arguments.sources
    if len(sources) > 1:
        raise UsageError("more than one shader goes with --output-dir")
    if os.path.isdir(sources[0]):
        raise UsageError(f"{sources[0]} is a folder, whose shaders go with --output-dir")
    for option in _OPTIONS:
        value = getattr(arguments, option)
        if value is not None and value is not False:
            raise UsageError(f"--{option} goes with --output-dir")


@dataclass(frozen=True)
class RunsOn:
    """The check of a recipe that a device can run the modules."""

    info: DeviceInfo

    def __call__(self, interface: translate.ShaderInterface) -> None:
        """Raise UnsupportedError for a module that the device cannot run."""
        try:
            check_runs(self.info, interface)
        except (FeatureError, LimitError) as error:
            raise translate.UnsupportedError(str(error)) from None


def run(
    arguments: argparse.Namespace, options: translate.Options, device: Device | DeviceInfo | None
) -> int:
    # imported here, so that other verbs start faster
    from tqdm import tqdm

    from translate.bulk import Recipe, find_inputs, translate_files
    from translate.child import safe_path

    _check(arguments)
    damaged: list[Note] = []
    inputs = find_inputs(arguments.sources, damaged.append)
    check = RunsOn(info_of(device)) if device is not None else None
    recipe = Recipe(options, text=arguments.text, interfaces=arguments.interfaces, check=check)
    with safe_path():  # since Python 3.14 its lock starts a process
        shown = tqdm(total=len(inputs), unit="shader", disable=None, leave=False)
    with shown as bar:

        def progress(row: Row) -> None:
            bar.update()

        report = translate_files(
            inputs,
            Path(arguments.output_dir),
            recipe,
            processes=arguments.jobs or _usable_cpus(),
            cluster=arguments.dask,
            force=arguments.force,
            progress=progress,
        )
    for note in damaged:
        write_message(str(note))
    for row in report.refused:
        write_message(row.message or "")
    if arguments.json:
        write_json(report.to_dict())
    else:
        write_lines(_summary(report))
    return 1 if report.refused or damaged else 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.output != STDOUT:
        raise UsageError("-o and --output-dir do not go together")
    if arguments.interface is not None:
        raise UsageError("--interface is for one shader; --interfaces writes them all")
    refuse_for_many(arguments)
    if arguments.jobs is not None and arguments.jobs < 1:
        raise UsageError(f"-j takes a number of processes, not {arguments.jobs}")


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _summary(report: Report) -> list[str]:
    """A table of counts, and the reasons of refusals."""
    kept = sum(row.kept for row in report.rows)
    same = sum(row.same_as is not None for row in report.rows)
    rows = [
        ("translated", f"{report.translated:,}"),
        ("refused", f"{len(report.refused):,}"),
        ("  up to date", f"{kept:,}"),
        ("  copies", f"{same:,}"),
        ("words", f"{report.words:,}"),
        ("seconds", f"{report.seconds:,.1f}"),
    ]
    lines = [f"{name:<16}{figure:>14}" for name, figure in rows]
    reasons = report.reasons()
    if reasons:
        lines += ["", "refused because"]
        lines += [f"{count:>7,}  {reason}" for reason, count in reasons[:_SHOWN]]
    if len(reasons) > _SHOWN:
        lines.append(f"and for {len(reasons) - _SHOWN:,} more reasons, which --json has")
    return lines
