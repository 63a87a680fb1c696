"""The manifest of an output folder, by which a later run skips shaders that are up to date.

It is a file of JSON lines. During a run, each result is appended as soon as its files are written;
at the end, the file is sorted and rewritten. Incomplete lines, as after a crash, are ignored.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from io import BufferedReader
from pathlib import Path
from typing import IO

from translate.bulk.jobs import HEADS
from translate.dataclass import asdict, dataclass
from translate.files import is_own, open_appended, open_own, real_path, write_below

NAME = "sm5vk-manifest.jsonl"
_LONGEST_LINE = 1 << 20
_MOST_BYTES = 64 << 20  # of an interface
_WORD_BYTES = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """The result for one input.

    `contents` is the input's SHA-256, `files` has those of its outputs by suffix. `recipe` is
    Recipe.key. A refused input has no files, but a `reason` and a `detail`, which is the message to
    append to the file's path. `warnings` are such messages too. `path` is the input's file.
    """

    name: str
    contents: str
    recipe: str
    words: int
    files: Mapping[str, str]
    reason: str | None = None
    detail: str | None = None
    warnings: Sequence[str] = ()
    path: str = ""


class Manifest:
    """The manifest of an output folder during a run; a context manager."""

    def __init__(self, folder: Path) -> None:
        self.folder = Path(real_path(folder))
        self.path = self.folder / NAME
        self._file: IO[str] = open_appended(self.folder, NAME)
        self.entries = _read(self.path)
        self._is_own = is_own(self.path, os.fstat(self._file.fileno()))
        if self._file.tell():
            self._file.write("\n")  # in case the last line is incomplete

    def __enter__(self) -> Manifest:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
        lines = [_line(entry) for _, entry in sorted(self.entries.items())]
        write_below(self.folder, {NAME: "".join(lines).encode()})

    def add(self, entry: Entry) -> None:
        """Record a result after its files are written."""
        self.entries[entry.name] = entry
        self._file.write(_line(entry))
        self._file.flush()

    def replace(
        self, name: str, files: Mapping[str, bytes], spared: Collection[tuple[int, int]]
    ) -> tuple[list[str], list[str]]:
        """Write the outputs of an input by their suffixes, and remove those of its entry, dropped.

        Nothing else is ever deleted. Anybody may have written the manifest, and its author must not
        gain by that. So only an intact file goes, in the folder of a manifest of this user, with
        the head of an output, and not one of `spared`, by identities. Returns the removed files and
        those that are left, by their paths in the folder.
        """
        before = self.entries.pop(name, None)
        old = sorted(before.files.items()) if before else ()
        names = {f"{name}{suffix}": (suffix, d) for suffix, d in old if suffix not in files}
        names = {path: row for path, row in names.items() if os.path.lexists(self.folder / path)}

        def is_output(suffix: str, digest: str) -> Callable[[BufferedReader], bool]:
            def check(file: BufferedReader) -> bool:
                is_spared = identity(os.fstat(file.fileno())) in spared
                head = file.read(len(HEADS[suffix]))
                file.seek(0)
                return not is_spared and head == HEADS[suffix] and _is_intact(file, digest, most)

            return check

        most = _most_bytes(before) if before else 0
        checks = {path: is_output(*row) for path, row in names.items()} if self._is_own else {}
        contents = {f"{name}{suffix}": data for suffix, data in files.items()}
        removed = write_below(self.folder, contents, checks)
        return removed, [path for path in names if path not in removed]

    def done(
        self, name: str, contents: str, recipe: str, suffixes: Collection[str]
    ) -> Entry | None:
        """The entry of an input that is up to date; None if it must be translated.

        `suffixes` are those of the recipe's outputs; a refused input has none.
        """
        entry = self.entries.get(name)
        if entry is None or (entry.contents, entry.recipe) != (contents, recipe):
            return None
        if {*entry.files} != ({*suffixes} if entry.reason is None else set()):
            return None
        most = _most_bytes(entry)
        for suffix, digest in entry.files.items():
            try:
                with open_own(self.folder / f"{name}{suffix}") as file:
                    if not _is_intact(file, digest, most):
                        return None
            except OSError:
                return None
        return entry

    def gone(self, sources: Collection[str], names: Collection[str]) -> list[Entry]:
        """The entries of other inputs than `names` whose files, below folders, exist no more."""
        around = [os.path.join(os.path.abspath(source), "") for source in sources]
        others = [entry for name, entry in self.entries.items() if name not in names]
        return [
            entry
            for entry in others
            if any(entry.path.startswith(folder) for folder in around) and _is_gone(entry.path)
        ]


def _line(entry: Entry) -> str:
    return json.dumps(asdict(entry)) + "\n"


def _read(path: Path) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    with open_own(path) as file:
        while line := file.readline(_LONGEST_LINE):
            entry = _entry(line.decode("utf-8", "replace"))
            if entry is not None:
                entries[entry.name] = entry
            if len(line) == _LONGEST_LINE:  # the rest is not a manifest
                break
    return entries


def _entry(line: str) -> Entry | None:
    """Parse a line; None if it is damaged, or names files that no system has or no recipe makes."""
    try:
        entry = Entry(**json.loads(line))
        texts: list[object] = [entry.name, entry.contents, entry.recipe, entry.path]
        texts += [*entry.files, *entry.files.values(), *entry.warnings]
        if not HEADS.keys() >= entry.files.keys() or not _is_count(entry.words):
            return None
        place = Path(entry.name)
        if place.anchor or ".." in place.parts or place.as_posix() != entry.name:
            return None
        if b"\0" in os.fsencode(entry.name):
            return None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    texts += [text for text in (entry.reason, entry.detail) if text is not None]
    return entry if all(isinstance(text, str) for text in texts) else None


def _is_count(words: object) -> bool:
    return isinstance(words, int) and 0 <= words < 1 << 32


def _is_gone(path: str) -> bool:
    """Whether nothing has this path; False if that is not known, as for lack of permissions."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def identity(found: os.stat_result) -> tuple[int, int]:
    """What tells a file from all others, whatever its names."""
    return found.st_dev, found.st_ino


def _most_bytes(entry: Entry) -> int:
    """The size of an entry's outputs at most: a larger file, which would take long, is none."""
    return max(_MOST_BYTES, _WORD_BYTES * entry.words)


def _is_intact(file: BufferedReader, digest: str, most: int) -> bool:
    """Whether a file has at most `most` bytes, of this SHA-256."""
    is_small = os.fstat(file.fileno()).st_size <= most
    return is_small and hashlib.file_digest(file, "sha256").hexdigest() == digest
