"""Find the files that a source may include, without the compiler, and copy them into a folder.

Each `#include` counts, even in an `#if` that is false, and each folder that contains an included
file is searched. So all files that a compiler reads are among these, whatever its search rules.
The compiler gets copies, in a tree of folders with nothing else: it cannot open another file,
however it or Wine reads the names of files. A name that compilers or systems may read as that of
another file makes the files unknown: one that is not ASCII, since a compiler decodes it by a code
page, one that Windows and Wine replace, and one with a `..` after a symbolic link.
"""

from __future__ import annotations

import codecs
import itertools
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from translate.dataclass import dataclass, field
from translate.files import read_file
from translate.hlsl.source import HlslSource, decoded, is_replaced

_BLANKS = re.compile(r"\s*+")
_INCLUDE = re.compile(r"include\b")
_NAME = re.compile(r"""(?:"([^"\n]{0,4096})"|<([^>\n]{0,4096})>)""")  # longer than any path
_LINE_ENDS = frozenset("\r\n\f\v")
_MARK = re.compile(r"""[#"'\r\n\f\v]|//|\*/""")
_SPLICE = re.compile(r"\\(?:\r\n|\r|\n)")
_ODD_SPLICE = re.compile(r"\\[ \t\f\v]+[\r\n]")
MOST_PARENTS = 16  # `..` in a name; the tree of copies is so many folders deep
_MOST_PARTS = 64  # of a name
_WINDOWS = re.compile(r"[A-Za-z]:|//")  # a drive, share or device
_SHORT = "_"  # short names of folders begin with it
_MOST_PLACES = 50_000  # parts of names in folders
_MOST_BYTES = 64 << 20  # of all files together; compilers take minutes for less


Listing = Callable[[str], Mapping[str, list[str]]]  # ASCII names by lower-case name


@dataclass
class Includes:
    """All paths that may be read, with their contents; None for a path without a file.

    Paths begin with the real paths of the folders that are searched. `names` are the included names
    with slashes, `folders` those folders that they lead through or to, `blocking` the files where a
    name has a folder. `unknown` is the reason if some files cannot be determined, else "";
    `refused` is the reason if the compiler might leave its temporary folder.
    """

    files: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    names: dict[str, None] = field(default_factory=dict[str, None])
    folders: dict[str, None] = field(default_factory=dict[str, None])
    blocking: dict[str, None] = field(default_factory=dict[str, None])
    unknown: str = ""
    refused: str = ""

    def parts(self) -> set[str]:
        """The parts of all included names, in lower case."""
        return {part.lower() for name in self.names for part in name.split("/")}


def find_includes(
    source: HlslSource, folders: Sequence[str], may_read: Callable[[str], bool] = lambda path: True
) -> Includes:
    """The files that a source may include from its folder, `folders`, and these files' folders.

    A file that `may_read` forbids is not opened, and has no contents.
    """
    listing, reader, found = cache(_listing), _Reader(), Includes()
    places = dict.fromkeys(os.path.realpath(folder) for folder in (source.folder, *folders))
    names = [*dict.fromkeys(_names(source.data, found))]
    found.names.update(dict.fromkeys(names))
    done = searched = 0  # names that `old` places were searched for; parts of names
    old: list[str] = []
    while pending := [
        *((folder, name) for folder in old for name in names[done:]),
        *((folder, name) for folder in [*places][len(old) :] for name in names),
    ]:
        searched += sum(name.count("/") + 1 for _, name in pending)
        if searched > _MOST_PLACES:
            found.unknown = f"there are more than {_MOST_PLACES} places for #include to search"
            return found
        done, old = len(names), [*places]
        for folder, name in pending:
            path = _path(folder, name, listing, found)
            if path not in found.files:
                data, is_new = reader.read(path) if may_read(path) else (None, False)
                found.files[path] = data
                if data is not None:
                    new = dict.fromkeys(_names(data, found) if is_new else ())
                    names += [one for one in new if one not in found.names]
                    found.names.update(new)
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
    plain = [*_included(text)]
    splices = [*_SPLICE.finditer(text)]
    joined = _joined(text, splices) if splices else plain
    if joined != plain:  # fxc joins lines before `include`, but not within the end of a comment
        found.unknown = found.unknown or "an #include goes on in the next line"
    for _, written in dict.fromkeys((*plain, *joined)):
        name = written.replace("\\", "/")
        found.unknown = _unknown(name) or found.unknown
        found.refused = _refused(name) or found.refused
        if name and "\0" not in name and name.count("/") < _MOST_PARTS:
            yield name
            if name != written and os.name != "nt":
                yield written


def _joined(text: str, splices: Sequence[re.Match[str]]) -> list[tuple[int, str]]:
    """`_included` of the text with joined lines, with places in the text as it is."""
    removed = [0, *itertools.accumulate(len(splice[0]) for splice in splices)]
    starts = [splice.start() - before for splice, before in zip(splices, removed, strict=False)]
    found = _included(_SPLICE.sub("", text))
    return [(at + removed[bisect_right(starts, at)], name) for at, name in found]


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
    return _refused(name)


def _refused(name: str) -> str:
    """Why an included name may lead out of the compiler's folder, or ""."""
    parts = name.split("/")
    if parts.count("..") > MOST_PARENTS:
        return f"a name has more than {MOST_PARENTS} folders above"
    if len(parts) > _MOST_PARTS:
        return f"a name has more than {_MOST_PARTS} parts"
    return ""


def _included(text: str) -> Iterator[tuple[int, str]]:
    """The place of each `#` of an `#include`, and the name after it; "" for a macro.

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
            yield mark.start(), (name[1] or name[2] or "") if name is not None else ""


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


def _path(folder: str, name: str, listing: Listing, found: Includes) -> str:
    """The path of the file that a name means, or else its own.

    Windows and Wine resolve `..` by the name, and take any case; other systems follow symbolic
    links first.
    """
    written = os.path.join(folder, name)
    path = os.path.normpath(written)
    if ".." in name.split("/") and os.path.realpath(written) != os.path.realpath(path):
        found.unknown = f"{name!a} has a .. after a symbolic link"
    for parent in itertools.accumulate(name.split("/")[:-1], os.path.join):
        above = os.path.normpath(os.path.join(folder, parent))
        if os.path.isdir(above):
            found.folders[above] = None
        elif os.path.exists(above):
            found.blocking[above] = None
    if os.path.isfile(path):
        return path
    if os.path.isdir(path):
        found.folders[path] = None
    place: str | None = "/" if name.startswith("/") else folder
    for part in os.path.normpath(name).split("/"):
        place = _step(place, part, listing, found) if place is not None else None
    return place if place is not None and os.path.isfile(place) else path


def _step(place: str, part: str, listing: Listing, found: Includes) -> str | None:
    """The path of an entry in a folder, in any case; None without one."""
    if part in ("", "."):
        return place
    if part == "..":
        return os.path.dirname(place)
    names, exact = listing(place).get(part.lower(), ()), os.path.join(place, part)
    if part in names and os.path.exists(exact):
        return exact
    others = [name for name in names if name != part]
    if part in names and others:  # Wine takes either, by their order in the folder
        found.unknown = f"{part!a} is a link that leads nowhere, beside one in other case"
    if len(others) > 1:
        found.unknown = f"{part!a} is the name of several files, but for the case of letters"
    return os.path.join(place, others[0]) if others else None


def is_other_folder(path: str) -> bool:
    """Whether Wine takes the absolute path of a folder for another's.

    It drops dots and blanks at the end of a name, and a backslash separates names.
    """
    ends = (part.endswith((".", " ")) for part in path.split("/"))
    return os.name != "nt" and ("\\" in path or any(ends))


def _listing(folder: str) -> Mapping[str, list[str]]:
    rows: dict[str, list[str]] = {}
    try:
        for name in filter(str.isascii, os.listdir(folder)):
            rows.setdefault(name.lower(), []).append(name)
    except OSError:
        pass
    return rows


def free_name(name: str, includes: Includes) -> str:
    """A name for the copy of the source that no `#include` names: the source's own, or another.

    If a name may be that of another file, as Wine's short ones are, nobody can guess the copy's.
    """
    if includes.unknown:
        return f"source{os.urandom(8).hex()}.hlsl"
    named = includes.parts()
    others = (f"source{number}.hlsl" for number in itertools.count())
    own = [] if name.startswith(_SHORT) else [name]
    return next(one for one in itertools.chain(own, others) if one.lower() not in named)


class Tree:
    """Copies of files below a folder, each at its path, but for folders that no `#include` names.

    These have other names, which are short and the same on every system.
    """

    def __init__(self, root: str, includes: Includes):
        self._root = root
        self._kept = includes.parts()
        self._mark = _SHORT
        while any(part.startswith(self._mark) for part in self._kept):
            self._mark += _SHORT
        self._numbers: dict[str, int] = {}  # by path
        self._originals: dict[str, str] = {}  # of copies, by their paths below the root
        copies: dict[int, str] = {}  # the first one of each file
        for folder in includes.folders:
            os.makedirs(self.place(folder), exist_ok=True)
        for file in includes.blocking:
            os.makedirs(os.path.dirname(self.place(file)), exist_ok=True)
            Path(self.place(file)).touch()
        for path, data in includes.files.items():
            if data is not None:
                copy = self.place(path)
                self._originals["/" + os.path.relpath(copy, root).replace(os.sep, "/")] = path
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                if not _linked(copies.setdefault(id(data), copy), copy):
                    Path(copy).write_bytes(data)

    def place(self, path: str) -> str:
        """The path in the tree for an absolute path."""
        place, above = self._root, ""
        for part in Path(path).parts:
            above = os.path.join(above, part)
            is_kept = part.isascii() and part.lower() in self._kept
            place = os.path.join(place, part if is_kept else self._short(above))
        return place

    def original(self, name: str) -> str | None:
        """The path of the file for that of its copy, as a compiler writes it, if it is whole."""
        parts = name.replace("\\", "/").split("/")
        ends = ("/" + "/".join(parts[start:]) for start in range(1, len(parts)))
        return next((self._originals[end] for end in ends if end in self._originals), None)

    def _short(self, path: str) -> str:
        return f"{self._mark}{self._numbers.setdefault(path, len(self._numbers))}"


def _linked(first: str, copy: str) -> bool:
    """Make another name of the first copy of a file; False for that one, and without links."""
    try:
        os.link(first, copy)
    except OSError:
        return False
    return True


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
