"""The files that a source may include, found without the compiler.

Every `#include` counts, in whatever `#if` it stands, and every folder in which some file was found.
So what a compiler reads is among these files, whichever of the usual rules it follows: equal files
in the same places give equal results.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from translate.hlsl.source import HlslSource, decoded, without_comments

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>)?', re.MULTILINE)
_SPLICE = re.compile(r"\\\r?\n")
_DRIVE = re.compile(r"[A-Za-z]:")
_MOST_PLACES = 50_000

Listing = Callable[[str], Mapping[str, list[str]]]  # a folder's names by their lower case


@dataclass
class Includes:
    """Every path that may be read, with its contents, None where there is no file.

    `complete` is False where something cannot be found out: a name that is a macro, a path of
    Windows on another system, or too many places to look at.
    """

    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    complete: bool = True


def find_includes(source: HlslSource, folders: Sequence[str]) -> Includes:
    """What a source may include, from its own folder, from `folders`, from those found there."""
    listing = cache(_listing)
    found = Includes()
    places = dict.fromkeys(os.path.normpath(folder) for folder in (source.folder, *folders))
    names = dict.fromkeys(_names(source.text, found))
    done: set[tuple[str, str]] = set()
    while pending := [(f, n) for f in places for n in names if (f, n) not in done]:
        if len(done) + len(pending) > _MOST_PLACES:
            found.complete = False
            return found
        done.update(pending)
        for folder, name in pending:
            for path in _paths(folder, name, listing):
                if path not in found.files:
                    data = found.files[path] = _read(path)
                    if data is not None:
                        names.update(dict.fromkeys(_names(decoded(data), found)))
                        places[os.path.dirname(path)] = None
    return found


def _names(text: str, found: Includes) -> Iterator[str]:
    """The names that are included, with slashes."""
    for version in dict.fromkeys((text, _SPLICE.sub("", text))):
        for match in _INCLUDE.finditer(without_comments(version)):
            name = (match[1] or match[2] or "").replace("\\", "/")
            if not name or (_DRIVE.match(name) and os.name != "nt"):
                found.complete = False
            else:
                yield name


def _paths(folder: str, name: str, listing: Listing) -> list[str]:
    """The files of that name: as it is written, or else in other case, as Windows has names."""
    exact = os.path.normpath(os.path.join(folder, name))
    if os.path.isfile(exact):
        return [exact]
    there = ["/" if name.startswith("/") else folder]
    for part in name.split("/"):
        if part in ("", "."):
            continue
        if part == "..":
            there = [os.path.dirname(place) for place in there]
        else:
            there = [os.path.join(p, n) for p in there for n in listing(p).get(part.lower(), ())]
    return sorted(there) or [exact]


def _listing(folder: str) -> dict[str, list[str]]:
    """A folder's names by what they are in lower case."""
    rows: dict[str, list[str]] = {}
    try:
        for name in os.listdir(folder):
            rows.setdefault(name.lower(), []).append(name)
    except OSError:
        pass
    return rows


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read() if os.path.isfile(path) else None
    except OSError:
        return None
