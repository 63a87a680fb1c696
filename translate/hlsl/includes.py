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

from translate.hlsl.source import HlslSource, decoded

# At the start of a line or after a comment; in comments too, for compilers do not agree on where
# those begin. After // there is none.
_BLANK = r"(?:\s|/\*.*?\*/)*"
_INCLUDE = re.compile(
    rf'(?:\A|[\r\n\f\v]|\*/)\s*#{_BLANK}include\b{_BLANK}(?:"([^"\n]*)"|<([^>\n]*)>)?', re.DOTALL
)
_SPLICE = re.compile(r"\\[ \t]*(?:\r\n|\r|\n)")
_WINDOWS = re.compile(r"[A-Za-z]:|//")  # a drive, a share or a device
_MOST_PLACES = 50_000

Listing = Callable[[str], Mapping[str, list[str]]]  # a folder's names by their lower case


@dataclass
class Includes:
    """Every path that may be read, with its contents, None where there is no file.

    `complete` is False where something cannot be found out: a name that is a macro, a path of
    Windows on another system, text in UTF-16, or too many places to look at.
    """

    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    complete: bool = True


def find_includes(source: HlslSource, folders: Sequence[str]) -> Includes:
    """The files that a source may include, from its folder, `folders`, and files there."""
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
    if "\0" in text:
        found.complete = False
    for version in dict.fromkeys((text, _SPLICE.sub("", text))):
        for match in _INCLUDE.finditer(version):
            name = (match[1] or match[2] or "").replace("\\", "/")
            if not name or "\0" in name or (_WINDOWS.match(name) and os.name != "nt"):
                found.complete = False
            else:
                yield name


def _paths(folder: str, name: str, listing: Listing) -> list[str]:
    """The files of that name: as it is written, or else in other case, as Windows has names."""
    exact = os.path.normpath(os.path.join(folder, name))
    # Windows takes `..` from the name; other systems follow a symbolic link first.
    physical = os.path.realpath(os.path.join(folder, name))
    paths = [exact] if physical == os.path.realpath(exact) else [exact, physical]
    if files := [path for path in paths if os.path.isfile(path)]:
        return files
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
    if not os.path.isfile(path):  # a pipe would wait
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
