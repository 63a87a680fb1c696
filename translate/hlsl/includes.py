"""Find the files that a source may include, without the compiler.

Each `#include` counts, even in an `#if` that is false, and each folder that contains an included
file is searched. So all files that a compiler reads are among these, whatever its search rules:
with equal files in equal places, results are equal. A name that compilers or systems may read as
that of another file makes the files unknown: a name that is not ASCII, since a compiler decodes it
by a code page, one that Windows and Wine replace, one that Wine may make of a name that is not
ASCII, and a symbolic link whose target depends on the process, such as /proc/self/cwd.
"""

from __future__ import annotations

import codecs
import os
import re
import stat
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

from translate.files import read_file
from translate.hlsl.source import HlslSource, decoded, is_replaced

_BLANKS = re.compile(r"\s*+")
_INCLUDE = re.compile(r"include\b")
_NAME = re.compile(r"""(?:"([^"\n]{0,4096})"|<([^>\n]{0,4096})>)""")  # longer than any path
_LINE_ENDS = frozenset("\r\n\f\v")
_MARK = re.compile(r"""[#"'\r\n\f\v]|//|\*/""")
_SPLICE = re.compile(r"\\(?:\r\n|\r|\n)")
_ODD_SPLICE = re.compile(r"\\[ \t\f\v]+[\r\n]")
MOST_PARENTS = 16  # `..` in a name; the copy that is compiled is so many folders deep
_MOST_PARTS = 64  # of a name
_WINDOWS = re.compile(r"[A-Za-z]:|//")  # a drive, share or device
_MOST_PLACES = 50_000  # parts of names in folders
_MOST_BYTES = 64 << 20  # of all files together; compilers take minutes for less
_MOST_LINKS = 40  # in one path; Linux follows as many
_OF_PROCESSES = ("/proc/self", "/dev/fd")


class Folder(NamedTuple):
    """The names in a folder by lower-case name, and names that Wine may make of some.

    Of a name that is not ASCII, Wine keeps the low seven bits of each byte if the locale has no
    encoding.
    """

    names: Mapping[str, list[str]]
    aliases: Set[str]


Listing = Callable[[str], Folder]
Depends = Callable[[str], bool]  # whether a path leads through a file system of processes


@dataclass
class Includes:
    """All paths that may be read, with their contents; None for a path without a file.

    `unknown` is the reason if some cannot be determined, else "".
    """

    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    unknown: str = ""


def find_includes(source: HlslSource, folders: Sequence[str]) -> Includes:
    """The files that a source may include from its folder, `folders`, and these files' folders."""
    listing, reader = cache(_listing), _Reader()
    found = Includes()
    depends = _process_links()
    places = dict.fromkeys(os.path.normpath(folder) for folder in (source.folder, *folders))
    found.unknown = next((reason for place in places if (reason := _unknown_folder(place))), "")
    names = dict.fromkeys(_names(source.data, found))
    done: set[tuple[str, str]] = set()
    searched = 0
    while pending := [(f, n) for f in places for n in names if (f, n) not in done]:
        searched += sum(name.count("/") + 1 for _, name in pending)
        if searched > _MOST_PLACES:
            found.unknown = f"there are more than {_MOST_PLACES} places for #include to search"
            return found
        done.update(pending)
        for folder, name in pending:
            for path in _paths(folder, name, listing, depends, found):
                if path not in found.files:
                    data, is_new = reader.read(path)
                    found.files[path] = data
                    if data is not None:
                        names.update(dict.fromkeys(_names(data, found) if is_new else ()))
                        places[os.path.dirname(path)] = None
        if reader.left < 0:
            found.unknown = f"#include finds more than {_MOST_BYTES >> 20} MiB"
            return found
    return found


def _names(data: bytes, found: Includes) -> Iterator[str]:
    """Each included name with slashes, and with its backslashes if it has some."""
    text = decoded(data)
    if "\0" in text or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        found.unknown = "it is UTF-16, which compilers read as bytes"
    if _ODD_SPLICE.search(text):  # compilers take it for a splice in some places only
        found.unknown = "a line ends with a backslash and blanks"
    for version in dict.fromkeys((text, _SPLICE.sub("", text))):
        for written in _included(version):
            name = written.replace("\\", "/")
            found.unknown = _unknown(name) or found.unknown
            if name and "\0" not in name and name.count("/") < _MOST_PARTS:
                yield name
                if name != written and os.name != "nt":
                    yield written


def _unknown(name: str) -> str:
    """Why an included name with slashes does not tell the file, or ""."""
    if not name or "\0" in name:
        return "an #include has no name in quotes"
    if _WINDOWS.match(name) and os.name != "nt":
        return f"{name!a} is a path of Windows"
    if not name.isascii():
        return f"{name!a} is not ASCII: compilers decode it differently"
    if is_replaced(name) or (name.startswith("/") and os.name != "nt"):  # of any drive's root
        return f"{name!a} may be another file on Windows"
    parts = name.split("/")
    if parts.count("..") > MOST_PARENTS:
        return f"a name has more than {MOST_PARENTS} folders above"
    if len(parts) > _MOST_PARTS:
        return f"a name has more than {_MOST_PARTS} parts"
    return ""


def _unknown_folder(folder: str) -> str:
    """Why Wine may search another folder than this one, or ""."""
    if os.name == "nt":
        return ""
    whole = os.path.abspath(folder), os.path.realpath(folder)
    parts = [part for path in whole for part in path.split("/")]
    strange = next((part for part in parts if "\\" in part or is_replaced(part)), None)
    return "" if strange is None else f"{strange!a} may be another folder on Windows"


def _included(text: str) -> Iterator[str]:
    """The name after each `#include`; "" for a macro.

    Each `#` counts, after any text, since compilers accept macros without tokens before it; also
    inside `/*` comments, because they disagree about where these begin. But it does not after `//`.
    """
    blanks, is_quoted, is_comment = _Blanks(text), False, False
    for mark in _MARK.finditer(text):
        if mark[0] in _LINE_ENDS:
            is_quoted = is_comment = False
        elif mark[0] == "//":
            is_comment = is_comment or not is_quoted
        elif mark[0] == "*/":
            is_comment = False
        elif mark[0] != "#":
            is_quoted = True  # perhaps: it may be within a comment
        elif not is_comment and (word := _INCLUDE.match(text, blanks.end(mark.end()))):
            name = _NAME.match(text, blanks.end(word.end()))
            yield (name[1] or name[2] or "") if name is not None else ""


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


def _paths(
    folder: str, name: str, listing: Listing, depends: Depends, found: Includes
) -> list[str]:
    """The files that a name may mean, or else its path.

    Windows and Wine resolve `..` by the name, from the real folder, and take any case; other
    systems follow symbolic links first.
    """
    exact = os.path.normpath(os.path.join(folder, name))
    bases = ("/",) if name.startswith("/") else (folder, os.path.realpath(folder))
    parts = [part for part in os.path.normpath(name).split("/") if part not in ("", ".")]
    physical = os.path.realpath(os.path.join(folder, name))
    paths = [exact] if physical == os.path.realpath(exact) else [exact, physical]
    walked = [os.path.join(folder, name), *paths]
    for base in dict.fromkeys(bases):
        place: str | None = base
        for part in parts:
            place = _step(place, part, listing, found) if place is not None else None
            walked += [place] if place is not None else []
        paths += [place] if place is not None else []
    if any(map(depends, walked)):
        found.unknown = f"{name!a} may be another file in each process"
    return [path for path in dict.fromkeys(paths) if os.path.isfile(path)] or [exact]


def _process_links() -> Depends:
    """Whether a path leads through a file system that each process sees differently."""
    devices = {os.stat(path).st_dev for path in _OF_PROCESSES if os.path.exists(path)}

    @cache
    def entry(path: str) -> tuple[bool, str]:
        """Whether an entry is of such a file system, and its target if it is a link."""
        try:
            found = os.lstat(path)
            target = os.readlink(path) if stat.S_ISLNK(found.st_mode) else ""
        except OSError:
            return False, ""
        return found.st_dev in devices, target

    def depends(path: str) -> bool:
        place, left, links = "/", os.path.join(os.getcwd(), path).split("/")[::-1], 0
        while left and links < _MOST_LINKS:
            part = left.pop()
            if part == "..":
                place = os.path.dirname(place)
            elif part not in ("", "."):
                is_found, target = entry(os.path.join(place, part))
                if is_found:
                    return True
                links += target != ""
                place = "/" if target.startswith("/") else place if target else f"{place}/{part}"
                left += reversed(target.split("/"))
        return False

    return depends if devices else lambda path: False


def _step(place: str, part: str, listing: Listing, found: Includes) -> str | None:
    """The path of an entry in a folder, in any case; None without one."""
    if part == "..":
        return os.path.dirname(place)
    there = listing(place)
    if part.lower() in there.aliases:
        found.unknown = f"{part!a} may be a file whose name is not ASCII"
    names = there.names.get(part.lower(), [])
    if len(names) > 1 and part not in names:
        found.unknown = f"{part!a} is the name of several files, but for the case of letters"
    return os.path.join(place, part if part in names else names[0]) if names else None


def _listing(folder: str) -> Folder:
    rows: dict[str, list[str]] = {}
    aliases: set[str] = set()
    try:
        for name in os.listdir(folder):
            rows.setdefault(name.lower(), []).append(name)
            if not name.isascii():
                low_bits = bytes(byte & 0x7F for byte in os.fsencode(name))
                aliases.add(low_bits.decode("ascii").lower())
    except OSError:
        pass
    return Folder(rows, aliases)


class _Reader:
    """Reads each file once, also by several names; `left` is negative if they are too large."""

    def __init__(self) -> None:
        self.left = _MOST_BYTES
        self._known: dict[tuple[int, int], bytes] = {}

    def read(self, path: str) -> tuple[bytes | None, bool]:
        """A file's contents, or None, and whether this is the first of its paths."""
        try:
            found = os.stat(path)
            key = found.st_dev, found.st_ino
            if key in self._known:
                return self._known[key], False
            self.left -= found.st_size
            data = self._known[key] = read_file(Path(path)) if self.left >= 0 else b""  # as it is
        except OSError:
            return None, False
        return data, True
