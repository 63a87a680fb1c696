"""Place and largest size of the cache: SM5VK_CACHE, SM5VK_CACHE_DIR, SM5VK_CACHE_SIZE.

Files in the folder are trusted, so that no other user may write into it.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

from vkrunner.errors import ArgumentError

SWITCH, FOLDER, SIZE = "SM5VK_CACHE", "SM5VK_CACHE_DIR", "SM5VK_CACHE_SIZE"
DEFAULT_SIZE_BYTES = 256 << 20

_OFF = ("0", "off", "no", "false")
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def is_on() -> bool:
    """Whether anything is cached at all."""
    return os.environ.get(SWITCH, "").strip().lower() not in _OFF and size_limit() > 0


def size_limit() -> int:
    """The most bytes that the cache may have. Raises ArgumentError for a text that is no size."""
    text = os.environ.get(SIZE, "").strip()
    if not text:
        return DEFAULT_SIZE_BYTES
    match = _SIZE.fullmatch(text)
    if match is None:
        raise ArgumentError(f"{SIZE} is a number of bytes, as 67108864 or 64M, not {text!r}")
    return int(match[1]) << 10 * " KMGT".index(match[2].upper() or " ")


def location() -> Path:
    """SM5VK_CACHE_DIR, else a folder in the platform's place for caches.

    The rules are platformdirs' own; importing that takes longer than reading an entry.
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
    """Why nothing is cached in a folder, None where it is; the folder is made."""
    if is_on():
        return make_private(folder)
    return f"{SIZE} is 0" if size_limit() == 0 else f"{SWITCH} turns it off"


def make_private(folder: Path) -> str | None:
    """Make a folder of this user alone; gives why it cannot be used, or None where it can."""
    if not folder.is_absolute():  # "~" is not expanded without a home
        return "there is no home folder"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is no folder"
    if not hasattr(os, "geteuid"):
        return None  # on Windows it lies in the user's profile, with the rights of that
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & _OTHERS_WRITE:
        return f"others may write into {folder}: chmod 700 it"
    return None if os.access(folder, os.W_OK | os.X_OK) else f"{folder} cannot be written to"
