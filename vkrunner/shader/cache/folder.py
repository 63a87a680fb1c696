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

from translate.files import make_folder
from vkrunner.errors import InvalidValueError

SWITCH, FOLDER, SIZE = "SM5VK_CACHE", "SM5VK_CACHE_DIR", "SM5VK_CACHE_SIZE"
DEFAULT_SIZE_BYTES = 256 << 20

_OFF = ("0", "off", "no", "false")
_SIZE = re.compile(r"(\d{1,15})([KMGT]?)(?:i?B)?", re.IGNORECASE)
_ACCESS_LIST = "system.posix_acl_access"
_MOST_LINKS = 40  # as Linux follows
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


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
        is_open = bool(around.st_mode & stat.S_IWOTH) or _is_shared_with_group(at, around)
        is_sticky = around.st_mode & stat.S_ISVTX and found.st_uid in trusted
        if around.st_uid not in trusted or (is_open and not is_sticky):
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


def _is_shared_with_group(folder: str, found: os.stat_result) -> bool:
    """Whether a group can write to a folder, other than the one that a user has alone.

    Debian and others give each user a group, and let it write to new folders. Its members are those
    that it lists, and those whose own group it is.
    """
    if not found.st_mode & stat.S_IWGRP:
        return False
    import grp  # not on Windows
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(found.st_gid)
    except KeyError:
        return True
    # with an access control list, the group's bit stands for all that the list names
    listed = hasattr(os, "listxattr") and _ACCESS_LIST in os.listxattr(folder)
    own = user.pw_gid == group.gr_gid and user.pw_name == group.gr_name
    if listed or not own:
        return True
    primary = (row.pw_name for row in pwd.getpwall() if row.pw_gid == group.gr_gid)
    return not {user.pw_name}.issuperset((*group.gr_mem, *primary))
