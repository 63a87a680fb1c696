"""Find the files that a source may include, without the compiler.

Each `#include` counts, even in an `#if` that is false, and each folder that contains an included
file is searched. So all files that a compiler reads are among these, whatever its search rules:
with equal files in equal places, results are equal.
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
_NAME = re.compile(r"""(?:"([^"\n]{0,4096})"|<([^>\n]{0,4096})>)""")  # longer than any path
_LINE_ENDS = frozenset("\r\n\f\v")
_SPLICE = re.compile(r"\\[ \t]*(?:\r\n|\r|\n)")
_WINDOWS = re.compile(r"[A-Za-z]:|//")  # a drive, share or device
_MOST_PLACES = 50_000

Listing = Callable[[str], Mapping[str, list[str]]]  # the names in a folder, by lower-case name


@dataclass
class Includes:
    """All paths that may be read, with their contents; None for a path without a file.

    `complete` is False if some cannot be determined: for a name that is a macro, a Windows path on
    another system, text in UTF-16, or too many places to search.
    """

    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    complete: bool = True


def find_includes(source: HlslSource, folders: Sequence[str]) -> Includes:
    """The files that a source may include from its folder, `folders`, and these files' folders."""
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
    """The included names, with slashes."""
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
    """The name after each `#include`; "" for a macro.

    A `#` counts at the start of a line or after a comment. It also counts inside `/*` comments,
    because compilers disagree about where these begin, but not after `//`.
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
    """Whether only whitespace separates a # from the line's start or a comment's end."""
    start = hash
    while start > 0 and text[start - 1].isspace():
        start -= 1
        if text[start] in _LINE_ENDS:
            return True
    return start == 0 or text.endswith("*/", 0, start)


class _Blanks:
    """Skips whitespace and comments, in linear time for all positions together."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._closes = [match.start() for match in re.finditer(r"\*/", text)]
        self._ends: dict[int, int] = {}

    def end(self, start: int) -> int:
        """The position after whitespace and comments."""
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
    """The files for a name: its exact spelling, or else any case, as on Windows."""
    exact = os.path.normpath(os.path.join(folder, name))
    # Windows resolves `..` in the name; other systems follow symbolic links first.
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
    """The names in a folder by lower-case name."""
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
