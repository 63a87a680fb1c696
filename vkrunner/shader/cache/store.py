"""Bytes under keys, in files that processes share.

A file is written under a temporary name and renamed, so that no process reads half of it. It
contains its key and a checksum, so that a file damaged by a crash or a bad disk is ignored;
therefore files need not be flushed to the disk. A killed process leaves at most a temporary file,
which is removed later.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from translate.files import make_folder, read_file
from vkrunner.shader.cache.folder import location, refusal, size_limit, why_not_own

if TYPE_CHECKING:
    import logging

_FORMAT = "1"  # the folder's name; changes with the layout of entries or of their keys
_MAGIC = b"sm5vk cache 1\n\0\0"
_DIGEST_BYTES = 32
_PREFIX_BYTES = len(_MAGIC) + 2 * _DIGEST_BYTES
_SHARES = 16  # subfolders, one for each first digit of a key; each has an equal part of the limit
_TEMPORARY = ".tmp"
_NAME = re.compile(r"[0-9a-f]{64}(\.\d+\.[0-9a-f]{8}\.tmp)?")  # as `_path` and `_replace` make them
_ABANDONED_S = 3600.0  # the writer of a temporary file this old no longer exists


@dataclass(frozen=True, slots=True)
class Usage:
    """The number of entries in a store, and their size."""

    entries: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of entries, at most `limit_bytes` in all; keys are 64 hexadecimal digits.

    Methods do not raise: an entry that cannot be read counts as missing, and one that cannot be
    written, or is larger than a sixteenth of the limit, is not kept.
    """

    folder: Path
    limit_bytes: int

    def read(self, key: str) -> bytes | None:
        """The payload last written under a key; None if the entry is missing or damaged."""
        path = self._path(key)
        try:
            if why_not_own(path.parent):
                return None
            data = read_file(path, self._share_bytes)
            os.utime(path)  # the least recently used entries are removed first
        except OSError:
            return None
        payload = data[_PREFIX_BYTES:]
        return payload if data[:_PREFIX_BYTES] == _prefix(key, payload) else None

    def write(self, key: str, payload: bytes) -> None:
        """Keep a payload under a key; a full store drops its least recently used entries."""
        data = _prefix(key, payload) + payload
        if len(data) > self._share_bytes:
            return
        path = self._path(key)
        try:
            make_folder(path.parent, 0o700)
            if why_not_own(path.parent):
                return
            _replace(path, data)
        except OSError as error:
            _note(f"not cached: {error}")
            return
        self._trim(path.parent)

    def usage(self) -> Usage:
        """The count and size of all files, temporary files of killed processes included."""
        found = [row for share in self._shares() for row in _files(share)]
        return Usage(len(found), sum(row.st_size for _, row in found))

    def clear(self) -> None:
        """Remove every entry, and nothing else; none of a subfolder that others can write to."""
        for share in self._shares():
            if _is_own(share):
                for path, _ in _files(share):
                    _remove(path)

    @property
    def _share_bytes(self) -> int:
        return self.limit_bytes // _SHARES

    def _path(self, key: str) -> Path:
        return self.folder / key[0] / key

    def _shares(self) -> list[Path]:
        return [self.folder / f"{digit:x}" for digit in range(_SHARES)]

    def _trim(self, share: Path) -> None:
        rows = sorted(_files(share), key=lambda row: row[1].st_mtime_ns)
        total = sum(row.st_size for _, row in rows)
        newest = rows[-1][1].st_mtime if rows else 0.0
        for path, row in rows:
            abandoned = path.suffix == _TEMPORARY and newest - row.st_mtime > _ABANDONED_S
            if total > self._share_bytes or abandoned:
                _remove(path)
                total -= row.st_size


def open_store() -> Store | None:
    """The store at the configured location; None if the cache is off or its folder unusable."""
    folder = store_folder()
    reason = refusal(folder)
    if reason is not None:
        _note(f"no cache: {reason}")
        return None
    return Store(folder, size_limit())


def _is_own(share: Path) -> bool:
    try:
        return why_not_own(share) is None
    except OSError:
        return False


def store_folder() -> Path:
    """The folder of entries, within the cache's folder, so that it is created with mode 700."""
    return location() / _FORMAT


def _prefix(key: str, payload: bytes) -> bytes:
    checksum = hashlib.blake2b(payload, digest_size=_DIGEST_BYTES).digest()
    return _MAGIC + bytes.fromhex(key) + checksum


def _replace(path: Path, data: bytes) -> None:
    """Write a file atomically. Raises OSError, after removing the temporary file."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}{_TEMPORARY}")
    with open(temporary, "xb", opener=_open_private) as file:
        try:
            file.write(data)
            file.close()
            os.replace(temporary, path)
        except BaseException:
            _remove(temporary)
            raise


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _files(share: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The cache's files in a folder, with size and times.

    Other processes may remove files meanwhile. A folder behind a link is not the cache's.
    """
    if share.is_symlink():
        return
    with suppress(OSError), os.scandir(share) as rows:
        for row in rows:
            with suppress(OSError):
                if _NAME.fullmatch(row.name):
                    yield Path(row.path), row.stat(follow_symlinks=False)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _note(text: str) -> None:
    """Log a message for debugging, if this process logs at all: the import would take longer."""
    if "logging" in sys.modules:
        _logger().debug(text)


@cache
def _logger() -> logging.Logger:
    """Asked for once: Ctrl-C in `getLogger` can leave the lock of all loggers held for ever."""
    import logging

    return logging.getLogger("vkrunner")
