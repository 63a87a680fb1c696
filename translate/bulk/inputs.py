"""Which files are meant by paths, folders and patterns, and what their outputs are called."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"DXBC"


@dataclass(frozen=True, slots=True, order=True)
class Input:
    """A file to translate: `name` is its path below the inputs' common folder, with slashes."""

    name: str
    path: Path


def find_inputs(sources: Sequence[str]) -> list[Input]:
    """The files that `sources` name, each once, in the order of their names.

    A source is a file, a folder (every DXBC container below it, whatever it is called) or a
    pattern with `*`, `?`, `[]` and `**` (every file that it matches). Names are relative to the
    deepest folder that holds all sources. Raises FileNotFoundError for a source that gives none.
    """
    paths: dict[str, None] = {}
    bases: list[str] = []
    for source in sources:
        base, found = _expand(source)
        if not found:
            raise FileNotFoundError(f"nothing to translate: {source}")
        bases.append(base)
        paths.update(dict.fromkeys(found))
    root = os.path.commonpath(bases)
    return sorted(Input(Path(os.path.relpath(p, root)).as_posix(), Path(p)) for p in paths)


def _expand(source: str) -> tuple[str, list[str]]:
    """The folder that a source's files are below, and their absolute paths."""
    absolute = os.path.abspath(source)
    if os.path.isdir(source):
        return absolute, [path for path in _walk(absolute) if _may_be_container(path)]
    if not _is_pattern(source):
        return os.path.dirname(absolute), [absolute] if os.path.exists(source) else []
    found = glob.glob(absolute, recursive=True, include_hidden=True)
    return _fixed_part(absolute), sorted(path for path in found if os.path.isfile(path))


def _is_pattern(source: str) -> bool:
    return glob.has_magic(source) and not os.path.exists(source)


def _fixed_part(pattern: str) -> str:
    """The folders in front of the first wildcard."""
    parts = Path(pattern).parts
    first = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return str(Path(*parts[:first]))


def _walk(folder: str) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in files)


def _may_be_container(path: str) -> bool:
    """Whether a regular file begins as a container; True where that cannot be read."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return True  # to be refused with the reason
