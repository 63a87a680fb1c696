"""The files that a source may include, found without the compiler.

Every `#include` counts, in whatever `#if` it stands, and every folder in which some file was found.
So what a compiler reads is among these files, whichever of the usual rules it follows: equal files
in the same places give equal results.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from translate.files import read_input
from translate.hlsl.source import HlslSource, decoded

_BLANKS = re.compile(r"\s*+")
_INCLUDE = re.compile(r"include\b")
_NAME = re.compile(r"""(?:"([^"\n]{0,4096})"|<([^>\n]{0,4096})>)""")  # no path is longer
_LINE_ENDS = frozenset("\r\n\f\v")
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
        for written in _included(version):
            name = written.replace("\\", "/")
            if not name or "\0" in name or (_WINDOWS.match(name) and os.name != "nt"):
                found.complete = False
            else:
                yield name


def _included(text: str) -> Iterator[str]:
    """What stands after each `#include`; "" for a macro.

    It is at the start of a line or after a comment; in comments too, for compilers do not agree on
    where those begin. After // there is none.
    """
    blanks = _Blanks(text)
    for hash in re.finditer("#", text):
        if not _begins_directive(text, hash.start()):
            continue
        word = _INCLUDE.match(text, blanks.end(hash.end()))
        if word is not None:
            name = _NAME.match(text, blanks.end(word.end()))
            yield (name[1] or name[2] or "") if name is not None else ""


def _begins_directive(text: str, hash: int) -> bool:
    """Whether blanks alone stand between a # and its line's start, or a comment's end."""
    start = hash
    while start > 0 and text[start - 1].isspace():
        start -= 1
        if text[start] in _LINE_ENDS:
            return True
    return start == 0 or text.endswith("*/", 0, start)


class _Blanks:
    """Blanks and comments in a text. Each is passed over once, wherever one begins to look."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes = [match.start() for match in re.finditer(r"\*/", text)]
        self._ends: dict[int, int] = {}

    def end(self, start: int) -> int:
        """Where something else follows."""
        passed: list[int] = []
        at = self._blank_end(start)
        while at not in self._ends and self._text.startswith("/*", at):
            close = bisect_left(self._closes, at + 2)
            if close == len(self._closes):
                break
            passed.append(at)
            at = self._blank_end(self._closes[close] + 2)
        at = self._ends.get(at, at)
        self._ends.update(dict.fromkeys(passed, at))
        return at

    def _blank_end(self, start: int) -> int:
        match = _BLANKS.match(self._text, start)
        return match.end() if match is not None else start


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
    try:
        return read_input(path)
    except OSError:
        return None
