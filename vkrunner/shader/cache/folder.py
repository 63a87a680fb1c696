"""The cache's location and size limit: SM5VK_CACHE, SM5VK_CACHE_DIR, SM5VK_CACHE_SIZE.

Files in the folder are trusted, so the folder is used only if no other user can write to it, or put
another one in its place.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path

from vkrunner.errors import InvalidValueError

SWITCH, FOLDER, SIZE = "SM5VK_CACHE", "SM5VK_CACHE_DIR", "SM5VK_CACHE_SIZE"
DEFAULT_SIZE_BYTES = 256 << 20

_OFF = ("0", "off", "no", "false")
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_ACCESS_LIST = "system.posix_acl_access"
_MOST_LINKS = 40  # as Linux follows
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


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
        for one in (folder.parent, folder):
            one.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    if not stat.S_ISDIR(found.st_mode):
        return f"{folder} is not a folder"
    if not hasattr(os, "geteuid"):
        return None  # on Windows the folder has the permissions of the user's profile
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & OTHERS_WRITE:
        return f"other users can write to {folder}: run chmod 700 on it"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"{folder} cannot be written to"
    try:
        replaced = _replaceable(folder)
    except OSError as error:
        return f"{folder}: {error.strerror or error}"
    return replaced and f"other users can replace {replaced}: choose another folder by {FOLDER}"


def _replaceable(path: Path) -> Path | None:
    """The first folder or link on the way to an absolute path that another user can replace.

    Raises OSError.
    """
    trusted = (0, os.geteuid())
    way, at, left = path.parts[1:], Path(path.anchor), _MOST_LINKS
    while way:
        around, found = at.stat(), (at / way[0]).lstat()
        is_open = bool(around.st_mode & stat.S_IWOTH) or _is_shared_with_group(at, around)
        if around.st_uid not in trusted or (
            is_open and not (around.st_mode & stat.S_ISVTX and found.st_uid in trusted)
        ):
            return at / way[0]
        if not stat.S_ISLNK(found.st_mode):
            way, at = way[1:], at / way[0]
            continue
        target, left = Path(os.readlink(at / way[0])), left - 1
        if not left:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        way = (*(target.parts[1:] if target.is_absolute() else target.parts), *way[1:])
        at = Path(target.anchor) if target.is_absolute() else at
    return None


def _is_shared_with_group(folder: Path, found: os.stat_result) -> bool:
    """Whether a group can write to a folder, other than the one that a user has alone.

    Debian and others give each user a group, and let it write to new folders.
    """
    import grp  # not on Windows
    import pwd

    if not found.st_mode & stat.S_IWGRP:
        return False
    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(found.st_gid)
    except KeyError:
        return True
    # with an access control list, the group's bit stands for all that the list names
    listed = hasattr(os, "listxattr") and _ACCESS_LIST in os.listxattr(folder)
    own = user.pw_gid == group.gr_gid and user.pw_name == group.gr_name
    return listed or not own or not {user.pw_name}.issuperset(group.gr_mem)
