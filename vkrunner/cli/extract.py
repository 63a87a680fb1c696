"""`sm5vk extract`: extracts DXBC containers from files of any kind.

A file may be a pak, an executable, a library, source text with byte arrays (as `fxc /Fh` writes),
or a folder, which is searched recursively. Each container with a program, of any stage, is written
once, as HASH.PROFILE.dxbc: equal contents have equal names. A damaged container is not written; a
note names it, and the exit code is 1. The exit code is 2 if no container is found.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from translate.errors import escaped
from translate.files import files_below, real_path, write_below
from vkrunner import DuplicateError, FileError
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

    folder = Path(real_path(arguments.output_dir))
    written: set[str] = set()
    is_damaged = False
    sources = list(_files(arguments.files))
    inputs = {os.path.realpath(path) for path in sources}
    for path in sources:
        for part in find_parts(path):
            if isinstance(part, Note):
                write_message(str(part))
                is_damaged = True
            elif part.name not in written:
                _write(folder, part.name, part.read(path), inputs)
                written.add(part.name)
                write_lines([f"{part.name}  {path}: byte {part.start:#x}"])
    if not written and not is_damaged:
        raise FileError(f"no DXBC container with a program is in {', '.join(arguments.files)}")
    return 1 if is_damaged else 0


def _write(folder: Path, name: str, data: bytes, inputs: Container[str]) -> None:
    """Write a container. Raises ArgumentError if it would replace an input with other contents."""
    target = folder / name
    if os.path.realpath(target) in inputs:
        if os.path.getsize(target) != len(data) or target.read_bytes() != data:
            raise DuplicateError(f"{escaped(str(target))} is an input: name another --output-dir")
        return
    write_below(folder, {name: data})


def _files(sources: Sequence[str]) -> Iterator[Path]:
    """The given files and all files below the given folders, sorted; not the output folder."""
    for source in sources:
        if not os.path.isdir(source):
            yield Path(source)
            continue
        yield from map(Path, files_below(source))
