"""Bytes under keys, in files that processes share; SM5VK_CACHE, SM5VK_CACHE_DIR, SM5VK_CACHE_SIZE.

Files in the folder are trusted, so the folder is used only if no other user can write to it, or put
another one in its place.

A file is written under a temporary name and renamed, so that no process reads half of it. It
contains its key and a checksum, so that a file damaged by a crash or a bad disk is ignored;
therefore files need not be flushed to the disk. A killed process leaves at most a temporary file,
which is removed later.

`Recent` keeps values in memory.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from _blake2 import blake2b  # hashlib would load OpenSSL beside it, which takes 4 MB
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Generic, TypeVar

from translate.dataclass import dataclass
from translate.files import check_size, is_own, make_folder, open_own, others_write
from vkrunner.errors import InvalidValueError, logger

SWITCH, FOLDER, SIZE = "SM5VK_CACHE", "SM5VK_CACHE_DIR", "SM5VK_CACHE_SIZE"
DEFAULT_SIZE_BYTES = 256 << 20

_OFF = ("0", "off", "no", "false")
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_MOST_LINKS = 40  # as Linux follows
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_FORMAT = "1"  # the folder's name; changes with the layout of entries or of their keys
_MAGIC = b"sm5vk cache 1\n\0\0"
_DIGEST_BYTES = 32
_PREFIX_BYTES = len(_MAGIC) + 2 * _DIGEST_BYTES
_SHARES = 16  # subfolders, one for each first digit of a key; each has an equal part of the limit
_TEMPORARY = ".tmp"
_NAME = re.compile(r"[0-9a-f]{64}(\.\d+\.[0-9a-f]{8}\.tmp)?")  # as `_path` and `_replace` make them
_ABANDONED_S = 3600.0  # the writer of a temporary file this old no longer exists
T = TypeVar("T")


def is_on() -> bool:
    """Whether the environment variables allow a cache."""
    return os.environ.get(SWITCH, "").strip().lower() not in _OFF and size_limit() > 0


def size_limit() -> int:
    """The cache's limit in bytes. Raises ArgumentError if SM5VK_CACHE_SIZE is not a size."""
    text = os.environ.get(SIZE, "").strip()
    if not text:
        return DEFAULT_SIZE_BYTES
    match = _SIZE.fullmatch(text)
    if match is None:
        raise InvalidValueError(f"{SIZE} is a number of bytes, as 67108864 or 64M, not {text!r}")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


def location() -> Path:
    """SM5VK_CACHE_DIR, or else the folder `sm5vk` in the platform's folder for caches.

    The rules are those of platformdirs; importing it takes longer than reading an entry.
    """
    chosen = os.environ.get(FOLDER)
    if chosen:
        return Path(chosen).absolute()
    return _caches() / "sm5vk"


def _caches() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return Path(chosen) if os.path.isabs(chosen) else home / ".cache"


def refusal(folder: Path) -> str | None:
    """Create the folder if needed; return why it cannot be used as the cache, or None if it can."""
    if is_on():
        return make_private(folder)
    return f"{SIZE} is 0" if size_limit() == 0 else f"{SWITCH} turns it off"


def make_private(folder: Path) -> str | None:
    """Create a folder for this user alone; return why it cannot be used, or None if it can."""
    if not folder.is_absolute():  # "~" is not expanded without a home folder
        return "this user has no home folder"
    try:
        make_folder(folder, 0o700)
        reason = why_not_own(folder)
        if reason is None and not os.access(folder, os.W_OK | os.X_OK):
            reason = f"{folder} cannot be written to"
        return reason or _why_replaceable(folder)
    except OSError as error:
        return f"{folder}: {error.strerror or error}"


def why_not_own(folder: Path) -> str | None:
    """Return why a folder is not this user's alone, or None if it is. Raises OSError."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    if not hasattr(os, "geteuid"):
        return None  # on Windows the folder has the permissions of the user's profile
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return f"other users can write to {folder}: run chmod 700 on it"
    return None


def _why_replaceable(folder: Path) -> str | None:
    """Return why another user can put another folder in this one's place, or None. Raises OSError.

    The owner of the folder around a folder or link can replace it, and so can others who can write
    there, unless the sticky bit keeps them from renaming it.
    """
    if not hasattr(os, "geteuid"):
        return None
    trusted = (0, os.geteuid())
    way, at, left = folder.parts[1:], folder.anchor, _MOST_LINKS
    around = os.lstat(at)
    while way:
        place = os.path.join(at, way[0])
        found = os.lstat(place)
        is_sticky = around.st_mode & stat.S_ISVTX and found.st_uid in trusted
        if around.st_uid not in trusted or (others_write(at, around) and not is_sticky):
            return f"other users can replace {place}: choose another folder by {FOLDER}"
        way = way[1:]
        if not stat.S_ISLNK(found.st_mode):
            at, around = place, found
            continue
        target, left = Path(os.readlink(place)), left - 1
        if not left:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if target.is_absolute():
            at, around = target.anchor, os.lstat(target.anchor)
        way = (*target.parts[bool(target.anchor) :], *way)
    return None


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
            with open_own(path) as file:
                if not is_own(path, os.fstat(file.fileno())):  # left from when others could write
                    return None
                check_size(file, path, self._share_bytes)
                data = file.read()
                # The least recently used entries are removed first.
                os.utime(file.fileno() if os.utime in os.supports_fd else path)
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
    checksum = blake2b(payload, digest_size=_DIGEST_BYTES).digest()
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
        logger().debug(text)


class Recent(Generic[T]):
    """Values by key, at most `limit_bytes`; the least recently used value is dropped first.

    A signal handler may call a method while its thread is in one.
    """

    def __init__(self, limit_bytes: int):
        self._limit_bytes = limit_bytes
        self._rows: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._size_bytes = 0
        self._lock = RLock()

    def get(self, key: Hashable) -> T | None:
        """The value of a key; None if it is not here."""
        with self._lock:
            row = self._rows.get(key)
            if row is None:
                return None
            with suppress(KeyError):  # if a signal handler dropped it
                self._rows.move_to_end(key)
            return row[0]

    def put(self, key: Hashable, value: T, size_bytes: int) -> None:
        """Keep a value, and drop others if the limit is exceeded."""
        with self._lock:
            _, replaced = self._rows.pop(key, (None, 0))
            self._rows[key] = (value, size_bytes)
            self._size_bytes += size_bytes - replaced
            while self._size_bytes > self._limit_bytes and self._rows:
                with suppress(KeyError):  # if a signal handler dropped the last one
                    _, (_, freed) = self._rows.popitem(last=False)
                    self._size_bytes -= freed

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._rows.clear()
            self._size_bytes = 0
