"""Read files of limited size safely, and write files completely or not at all."""

from __future__ import annotations

import codecs
import errno
import fnmatch
import glob
import os
import signal
import stat
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, BinaryIO, TextIO, TypeVar

from translate.errors import did_you_mean, escaped

F = TypeVar("F", bound=IO[Any])


MOST_INPUT_BYTES = 64 << 20
_MOST_NAMES = 1000  # of a folder, for a hint at a similar name
_FOLDER = getattr(os, "O_PATH", 0)  # opens one that this user may enter, but not list
_NO_LINK = getattr(os, "O_NOFOLLOW_ANY", getattr(os, "O_NOFOLLOW", 0))  # macOS: none on the way
_ACCESS_LIST = "system.posix_acl_access"
_LINK = "a symbolic link in place of an output's folder"
_MOST_LINKS = 40  # as Linux follows
PROCESSES = "/proc/"
_ENDING = {  # with their handlers where a program sets none
    getattr(signal, name): usual
    for name, usual in (
        ("SIGINT", signal.default_int_handler),
        ("SIGTERM", signal.SIG_DFL),
        ("SIGHUP", signal.SIG_DFL),
    )
    if hasattr(signal, name)
}
_NEEDS_A_LINE = "; text of a shader needs a line break, otherwise it is a path"


class MissingFileError(FileNotFoundError):
    """No file has the name, which comes first in the text: a hint at another name follows."""

    def __str__(self) -> str:
        return f"{escaped(os.fsdecode(self.filename))}: {self.strerror}"


def read_input(path: str | os.PathLike[str]) -> bytes:
    """Read a shader, a test or a profile; text in UTF-16 becomes UTF-8.

    Raises OSError as `read_file` does.
    """
    return as_utf8(read_file(Path(path), MOST_INPUT_BYTES))


def read_named(path: str | os.PathLike[str]) -> bytes:
    """Read an input that the user named.

    The error for a missing file names a similar one. If the path is rather a shader of one line, it
    says so.
    """
    try:
        return read_input(path)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENAMETOOLONG):
            raise
        name = os.fspath(path)
        hint = _NEEDS_A_LINE if _looks_like_text(name) else similar_file(path)
        text = f"{os.strerror(errno.ENOENT)}{hint}"
        raise MissingFileError(errno.ENOENT, text, name) from None


def _looks_like_text(name: str) -> bool:
    """Whether a path has a brace, or a blank and no suffix of a file."""
    suffix = os.path.splitext(name)[1]
    return "{" in name or (" " in name and (not suffix or " " in suffix))


def as_utf8(data: bytes) -> bytes:
    """Convert UTF-16 with a byte order mark, as PowerShell writes it, to UTF-8; keep other data."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16").encode()
    return data


def similar_file(path: str | os.PathLike[str], suffixes: Iterable[str] = ("",)) -> str:
    """A hint at a file of the same folder with a similar name, or an empty text.

    The name has to end with one of the suffixes.
    """
    place = Path(path)
    with suppress(OSError), os.scandir(place.parent) as entries:
        ends = tuple(suffixes)
        names = [entry.name for entry in islice(entries, _MOST_NAMES)]
        names = [name for name in names if name.lower().endswith(ends)]
        # Not only the suffix may be similar
        names = [name for name in names if did_you_mean(place.stem, [Path(name).stem])]
        return did_you_mean(place.name, names, lambda name: os.fspath(place.with_name(name)))
    return ""


def read_file(path: Path, most_bytes: int | None = None) -> bytes:
    """Read a regular file of at most `most_bytes`.

    Raises OSError for a larger file, and for the reasons of `open_regular`.
    """
    with open_regular(path) as file:
        if most_bytes is not None:
            check_size(file, path, most_bytes)
        return file.read()


def check_size(file: BinaryIO, path: Path, most_bytes: int = MOST_INPUT_BYTES) -> None:
    """Raise OSError if an open file is larger."""
    if os.fstat(file.fileno()).st_size > most_bytes:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(path))


@contextmanager
def open_regular(path: Path) -> Generator[BinaryIO]:
    """Open a regular file. Raises OSError for a pipe or a device, which may never end.

    These are not even opened: that alone would end the program that writes to a pipe.
    """
    with open(path, "rb", opener=_open_at_once) as file:
        yield _regular(file, path)


@contextmanager
def open_own(path: Path) -> Generator[BufferedReader]:
    """Open a file that this package wrote. Also raises OSError for a symbolic link."""
    with open(path, "rb", opener=_open_itself) as file:
        yield _regular(file, path)


def open_appended(folder: Path, name: str) -> TextIO:
    """Open a file of this package for appending; it and its folder are created if missing.

    Raises OSError for a symbolic link, as `write_below` does, and for a file with several names.
    """
    path = folder / name
    with _opened_below(folder, "") as (base, descriptor, _), errors_of(path):
        at = partial(_open_itself, around=descriptor)
        file = open(os.path.join(base, name), "a", encoding="utf-8", opener=at)  # noqa: SIM115
    file = _regular(file, path)
    if os.fstat(file.fileno()).st_nlink > 1:
        file.close()
        raise OSError(errno.EMLINK, "the file has another name too", os.fspath(path))
    return file


def _regular(file: F, path: Path) -> F:
    """The file; another may have got its name since `_open_at_once` looked."""
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _not_regular(path)
    return file


def _not_regular(path: str | os.PathLike[str]) -> OSError:
    return OSError(errno.EINVAL, "not a regular file", os.fspath(path))


def _open_at_once(path: str, flags: int, around: int | None = None) -> int:
    with suppress(FileNotFoundError):  # `os.open` raises it too, or makes the file
        mode = os.stat(path, dir_fd=around).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a folder has an error of its own
            raise _not_regular(path)
    flags |= getattr(os, "O_NONBLOCK", 0)  # a pipe would wait
    return os.open(path, flags, 0o666, dir_fd=around)


def _open_itself(path: str, flags: int, around: int | None = None) -> int:
    return _open_at_once(path, flags | getattr(os, "O_NOFOLLOW", 0), around)


def real_path(path: str | os.PathLike[str]) -> str:
    """The path of an output without symbolic links; those to files without a path stay.

    Raises OSError for another user's link in a folder that all can write to, such as /tmp, and for
    a link there that changes meanwhile. Linux follows none where a program opens it, and only as
    the last part of a path (proc(5), protected_symlinks): `os.path.realpath` follows all.
    """
    if not hasattr(os, "geteuid"):
        return os.path.realpath(path)
    at, rest, left = "", os.fspath(path), _MOST_LINKS
    while rest:
        around = at
        part, _, rest = rest.partition("/")
        at, rest = os.path.join(around, part or "/"), rest.lstrip("/")
        with errors_of(at):
            if named := _behind_link(at, around or os.curdir):
                at, rest, left = around, os.path.join(named, rest), left - 1
            if left < 0:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return at


def _behind_link(path: str, folder: str) -> str | None:
    """The path that a symbolic link in a folder names; None for another file and a missing one.

    Also None for a link of a process to a file without a path, or in another root (proc(5)).
    """
    try:
        link = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISLNK(link.st_mode):
        return None
    is_shared = os.stat(folder).st_mode & stat.S_IWOTH
    if is_shared and link.st_uid not in (0, os.geteuid()):
        raise OSError(errno.EACCES, "another user's link, in a folder that all can write to")
    named = os.readlink(path)
    if is_shared and _identity(os.lstat(path)) != _identity(link):
        raise OSError(errno.EAGAIN, "the link changes while it is read")
    if path.startswith(PROCESSES):
        target = os.path.join(folder, named)
        return named if os.path.exists(target) and os.path.samefile(path, target) else None
    return named


def _identity(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_dev, found.st_ino, found.st_ctime_ns


def write_below(
    folder: Path,
    contents: Mapping[str, bytes],
    removed: Mapping[str, Callable[[BufferedReader], bool]] = MappingProxyType({}),
) -> list[str]:
    """Write files by their paths below a folder of a `real_path`, and remove others there.

    All are in the same folder, and none gets its final name before all are complete. A file is
    removed if it and each folder from `folder` on are this user's own, it is no symbolic link, and
    its function in `removed` says so; the names of those that were are returned. Raises OSError,
    with the final name, for a symbolic link in place of any folder, also for one that is put there
    meanwhile (except on Windows).
    """
    if not contents and not removed:
        return []
    (place,) = {os.path.dirname(name) for name in (*contents, *removed)}
    done: list[str] = []
    with _opened_below(folder, place) as (base, descriptor, is_own_place):
        names = {os.path.join(base, os.path.basename(n)): data for n, data in contents.items()}
        _write(names, descriptor, folder / place)

        def open_there(path: str, flags: int) -> int:
            return _open_itself(path, flags, descriptor)

        for name, may_go in removed.items() if is_own_place else ():
            path = os.path.join(base, os.path.basename(name))
            with suppress(OSError), open(path, "rb", opener=open_there) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode) or not is_own(folder / name, found):
                    continue
                if may_go(file):
                    done.append(name)
            if done[-1:] == [name]:  # closed before, for Windows
                with errors_of(folder / name):
                    os.unlink(path, dir_fd=descriptor)
    return done


def is_own(path: Path, found: os.stat_result) -> bool:
    """Whether a file or folder is this user's, and no other user can write to it.

    True on Windows, where a file has the permissions of the folders around it.
    """
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not others_write(path, found)


def others_write(path: str | os.PathLike[str], found: os.stat_result) -> bool:
    """Whether other users can write to a file or folder: all, or a group.

    Not if this user has the group alone. Debian and others give each user a group, and let it write
    to new folders. Its members are those that it lists, and those whose own group it is.
    """
    if found.st_mode & stat.S_IWOTH:
        return True
    if not found.st_mode & stat.S_IWGRP:
        return False
    import grp  # not on Windows
    import pwd

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(found.st_gid)
    except KeyError:
        return True
    # with an access control list, the group's bit stands for all that the list names
    listed = hasattr(os, "listxattr") and _ACCESS_LIST in os.listxattr(path)
    own = user.pw_gid == group.gr_gid and user.pw_name == group.gr_name
    if listed or not own:
        return True
    primary = (row.pw_name for row in pwd.getpwall() if row.pw_gid == group.gr_gid)
    return not {user.pw_name}.issuperset((*group.gr_mem, *primary))


def _write(contents: Mapping[str, bytes], descriptor: int | None, shown: Path) -> None:
    """Write files by their paths from an open folder (None: from the current one).

    Errors show them in the folder `shown`.
    """
    prepared: list[tuple[str, str]] = []

    def create(path: str, flags: int) -> int:
        return os.open(path, flags, 0o666, dir_fd=descriptor)

    with signals_held():
        try:
            for path, data in contents.items():
                with errors_of(shown / path):
                    temporary = os.path.join(os.path.dirname(path), temporary_name())
                    prepared.append((temporary, path))
                    with open(temporary, "xb", opener=create) as file:
                        file.write(data)
            for temporary, path in prepared:
                with errors_of(shown / path):
                    os.replace(temporary, path, src_dir_fd=descriptor, dst_dir_fd=descriptor)
        finally:
            for temporary, _ in prepared:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=descriptor)


@contextmanager
def _opened_below(folder: Path, place: str) -> Generator[tuple[str, int | None, bool]]:
    """A folder below another; both are made if missing.

    Comes as its path, the open folder where that starts, and whether it and all from `folder` on
    are this user's own. Windows opens no folders: there the path is whole, and None comes in place
    of a descriptor.
    """
    whole = folder / place
    if os.open not in os.supports_dir_fd:
        _check_below(folder, place)
        make_folder(whole)
        yield os.fspath(whole), None, is_own(whole, os.stat(whole))
        return
    # Without O_PATH, this user would have to be allowed to list the folders around it
    reached = Path(whole.anchor) if _FOLDER else folder
    make_folder(reached)
    at = os.open(reached, os.O_DIRECTORY | _NO_LINK | _FOLDER)
    try:
        is_own_place = reached != folder or is_own(folder, os.fstat(at))
        for part in whole.relative_to(reached).parts:
            reached /= part
            with errors_of(reached):
                around, at = at, _opened_in(at, part)
            os.close(around)
            if reached.is_relative_to(folder):
                is_own_place = is_own_place and is_own(reached, os.fstat(at))
        yield "", at, is_own_place
    finally:
        os.close(at)


def _opened_in(around: int, name: str) -> int:
    """Open the folder of this name in an open one; it is made if missing."""
    flags = os.O_DIRECTORY | os.O_NOFOLLOW | _FOLDER
    try:
        return os.open(name, flags, dir_fd=around)
    except FileNotFoundError:
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=around)
        return os.open(name, flags, dir_fd=around)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=around, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, _LINK) from None
        raise


def _check_below(folder: Path, place: str) -> None:
    """Raise OSError if a symbolic link is on the way from a folder to a place below it."""
    for part in (folder / place, *(folder / place).parents):
        if part == folder:
            return
        if part.is_symlink():
            raise OSError(errno.ELOOP, _LINK, os.fspath(part))


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder and the missing ones around it, each with this mode.

    `mkdir(parents=True)` has the mode for the last one only, and calls itself for each.
    """
    missing = [*takewhile(lambda one: not one.exists(), (folder, *folder.parents))]
    for one in reversed(missing):
        one.mkdir(mode, exist_ok=True)


@contextmanager
def signals_held() -> Generator[Callable[[], bool]]:
    """In the block, Ctrl-C, SIGTERM and SIGHUP are only noted; after it they have their effect.

    So temporary files are removed, and children ended. The block gets a function that tells whether
    one came, and has to end soon then. Only in the main thread, which alone gets signals, and for
    those that the caller does not handle.
    """
    own, came = os.getpid(), list[int]()
    held: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        held = [one for one, usual in _ENDING.items() if signal.getsignal(one) is usual]

    def note(number: int, frame: object) -> None:
        if os.getpid() == own:
            came.append(number)  # no lock: another signal may come in between
        else:  # a process that another thread forked
            _end_by(number)

    try:
        with suppress(ValueError):  # a sub-interpreter, which gets no signals
            for one in held:
                signal.signal(one, note)
        yield lambda: bool(came)
    finally:
        for one in reversed(held):  # Ctrl-C last: it may raise at once
            if signal.getsignal(one) is note:
                signal.signal(one, _ENDING[one])
        if came:  # in place of an error, which the ends of children may cause
            _end_by(max(came, key=lambda number: number != signal.SIGINT))


def _end_by(number: int) -> None:
    """Let a signal have its usual effect."""
    signal.signal(number, _ENDING[signal.Signals(number)])
    signal.raise_signal(number)


def temporary_name() -> str:
    """A name that no other file has: short, so that its path is not longer than the final one."""
    return f".sm5vk-{os.urandom(8).hex()}"


@contextmanager
def errors_of(path: str | os.PathLike[str]) -> Generator[None]:
    """In the block, an OSError gets this path, in place of a temporary file's or none."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def files_below(
    folder: str, is_entered: Callable[[str], bool] = lambda path: True
) -> Iterator[str]:
    """The paths of the files below a folder at any depth, sorted within each folder.

    Folders behind links, and links that lead nowhere, are left out. Raises OSError for a folder
    that cannot be read. `os.walk` of Python 3.11 fails below 1,000 folders.
    """
    waiting = [folder]
    while waiting:
        folders: list[str] = []
        for entry in _entries(waiting.pop()):
            if _leads_to_file(entry):
                yield entry.path
            elif entry.is_dir(follow_symlinks=False) and is_entered(entry.path):
                folders.append(entry.path)
        waiting += reversed(folders)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """The entries of a folder by name; none if it is gone."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
    return []


def _leads_to_file(entry: os.DirEntry[str]) -> bool:
    """False also for a link to itself, or through a folder that this user may not enter."""
    with suppress(OSError):
        return entry.is_file()
    return False


def matching(pattern: str, *, include_hidden: bool = False) -> list[str]:
    """The paths of files that match a pattern; `**` stands for folders at any depth.

    Unlike `glob`, `**` does not enter links: two to their own folder would take exponential time.
    """
    parts = Path(pattern).parts
    if "**" not in parts:
        return glob.glob(pattern, include_hidden=include_hidden)
    first = next(number for number, part in enumerate(parts) if glob.has_magic(part))
    base = os.path.join(*parts[:first]) if first else os.curdir
    wanted = parts[first:] if parts[-1] != "**" else (*parts[first:], "*")
    found = (os.path.relpath(path, base) for path in files_below(base))
    return [
        os.path.join(base, path) if first else path
        for path in found
        if _fits(Path(path).parts, wanted, include_hidden=include_hidden)
    ]


def _fits(parts: Sequence[str], wanted: Sequence[str], *, include_hidden: bool) -> bool:
    """Whether the parts of a path match those of a pattern."""
    any_depth = {number for number, pattern in enumerate(wanted) if pattern == "**"}
    reached = {0}  # how many parts of `wanted` may be matched so far
    for part in parts:
        reached |= _after(reached, any_depth)
        is_hidden = part.startswith(".") and not include_hidden
        matched = {
            number + 1
            for number in reached - any_depth - {len(wanted)}
            if fnmatch.fnmatch(part, wanted[number])
            and (not is_hidden or wanted[number].startswith("."))
        }
        reached = matched if is_hidden else matched | (reached & any_depth)
    return len(wanted) in reached


def _after(reached: set[int], any_depth: set[int]) -> set[int]:
    """The numbers that are reached if each `**` stands for no folder."""
    found: set[int] = set()
    for number in sorted(any_depth):
        if number in reached or number in found:
            found.add(number + 1)
    return found
