"""`sm5vk translate --output-dir`: many shaders, with progress, a summary and an exit code."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import translate
from vkrunner.cli.output import STDOUT, write_text
from vkrunner.errors import ArgumentError

if TYPE_CHECKING:
    from translate.bulk import Report, Row

_SHOWN = 20  # reasons in the summary


def configure(group: argparse._ArgumentGroup) -> None:  # pyright: ignore[reportPrivateUsage]
    add = group.add_argument
    add("--output-dir", metavar="DIR", help="the folder for the modules, and for a manifest")
    add("--interfaces", action="store_true", help="write each interface too, as NAME.json")
    add("-j", "--jobs", metavar="N", type=int, help="processes; as many as there are CPUs without")
    add("--dask", metavar="ADDRESS", help="use the Dask cluster with this scheduler instead")
    add("--force", action="store_true", help="translate anew what is done already")
    add("--json", action="store_true", help="print what became of each shader as JSON")


def refuse(arguments: argparse.Namespace) -> None:
    """Without --output-dir: raise ArgumentError for many shaders, or an option for them."""
    sources: list[str] = arguments.sources
    if len(sources) > 1:
        raise ArgumentError("more than one shader goes with --output-dir")
    if os.path.isdir(sources[0]):
        raise ArgumentError(f"{sources[0]} is a folder, whose shaders go with --output-dir")
    given = {
        "--interfaces": arguments.interfaces,
        "--jobs": arguments.jobs is not None,
        "--dask": arguments.dask is not None,
        "--force": arguments.force,
        "--json": arguments.json,
    }
    for name, is_given in given.items():
        if is_given:
            raise ArgumentError(f"{name} goes with --output-dir")


def run(arguments: argparse.Namespace) -> int:
    # here, for other verbs start without them
    from tqdm import tqdm

    from translate.bulk import Recipe, find_inputs, translate_files

    _check(arguments)
    inputs = find_inputs(arguments.sources)
    options = translate.Options(
        guards=arguments.guards, target=arguments.target, size_tables=arguments.size_tables
    )
    recipe = Recipe(options, text=arguments.text, interfaces=arguments.interfaces)
    with tqdm(total=len(inputs), unit="shader", disable=None, leave=False) as bar:

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
    for row in report.refused:
        print(row.message, file=sys.stderr)
    text = json.dumps(report.to_dict(), indent=2) + "\n" if arguments.json else _summary(report)
    write_text(text, None)
    return 1 if report.refused else 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.output != STDOUT:
        raise ArgumentError("-o and --output-dir do not go together")
    if arguments.interface is not None:
        raise ArgumentError("--interface is for one shader; --interfaces writes them all")
    if arguments.bind:
        raise ArgumentError("--bind is for one shader")
    if arguments.jobs is not None and arguments.jobs < 1:
        raise ArgumentError(f"-j takes a number of processes, not {arguments.jobs}")


def _usable_cpus() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _summary(report: Report) -> str:
    """Counts in a table, and the reasons of what was refused."""
    kept = sum(row.kept for row in report.rows)
    same = sum(row.same_as is not None for row in report.rows)
    rows = [
        ("translated", f"{report.translated:,}"),
        ("refused", f"{len(report.refused):,}"),
        ("  done before", f"{kept:,}"),
        ("  like another", f"{same:,}"),
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
    return "".join(f"{line}\n" for line in lines)
