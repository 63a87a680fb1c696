"""`sm5vk extract`: extracts DXBC containers from files of any kind.

A file may be a pak, an executable, a library, source text with byte arrays (as `fxc /Fh` writes),
or a folder, which is searched recursively. Each container with a program, of any stage, is written
once, as HASH.PROFILE.dxbc: equal contents have equal names. A damaged container is not written; a
note names it, and the exit code is 1. The exit code is 2 if no container is found.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from translate.files import files_below, write_whole
from vkrunner import FileError
from vkrunner.cli.output import output_folder, write_lines, write_message


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file of any kind, or a folder")
    parser.add_argument(
        "--output-dir",
        metavar="DIR",
        type=output_folder,
        default=os.curdir,
        help="the folder for the containers; it is created if it is missing (default: .)",
    )


def run(arguments: argparse.Namespace) -> int:
    from translate.bulk import Note, find_parts  # imported here, so that other verbs start faster

    folder = Path(arguments.output_dir)
    written: set[str] = set()
    is_damaged = False
    for path in list(_files(arguments.files)):
        for part in find_parts(path):
            if isinstance(part, Note):
                write_message(str(part))
                is_damaged = True
            elif part.name not in written:
                write_whole({folder / part.name: part.read(path)})
                written.add(part.name)
                write_lines([f"{part.name}  {path}: byte {part.start:#x}"])
    if not written and not is_damaged:
        raise FileError(f"no DXBC container with a program is in {', '.join(arguments.files)}")
    return 1 if is_damaged else 0


def _files(sources: Sequence[str]) -> Iterator[Path]:
    """The given files and all files below the given folders, sorted; not the output folder."""
    for source in sources:
        if not os.path.isdir(source):
            yield Path(source)
            continue
        yield from map(Path, files_below(source))
