"""Files that are written whole or not at all, and files that are read whole."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, TypeVar

F = TypeVar("F", bound=IO[Any])


MOST_INPUT_BYTES = 64 << 20


def read_input(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a shader, a test or a profile. Raises OSError as `read_file` does."""
    return read_file(Path(path), MOST_INPUT_BYTES)


def read_file(path: Path, most_bytes: int | None = None) -> bytes:
    """The bytes of a regular file of at most that many.

    Raises OSError for a larger one, and as `open_regular` does.
    """
    with open_regular(path) as file:
        if most_bytes is not None and os.fstat(file.fileno()).st_size > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), os.fspath(path))
        return file.read()


@contextmanager
def open_regular(path: Path) -> Generator[BinaryIO]:
    """A regular file. Raises OSError for a pipe or a device, which may have no end."""
    with open(path, "rb", opener=_open_at_once) as file:
        yield _regular(file, path)


@contextmanager
def open_own(path: Path) -> Generator[BinaryIO]:
    """The same of a file that this package wrote. Raises OSError for a symbolic link too."""
    with open(path, "rb", opener=_open_itself) as file:
        yield _regular(file, path)


def open_appended(path: Path) -> TextIO:
    """A file of this package's, to write at its end; it is made where there is none."""
    return _regular(open(path, "a", encoding="utf-8", opener=_open_itself), path)


def check_below(folder: Path, name: str) -> None:
    """Raise OSError if a symbolic link stands between a folder and a file of that name below it."""
    for part in (folder / name).parents:
        if part == folder:
            return
        if part.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link below the output folder", os.fspath(part))


def _regular(file: F, path: Path) -> F:
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return file


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)  # a pipe waits for a writer


def _open_itself(path: str, flags: int) -> int:
    return _open_at_once(path, flags | getattr(os, "O_NOFOLLOW", 0))


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write files together: only when all are complete does any take its name."""
    prepared: list[tuple[Path, Path]] = []
    try:
        for path, data in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            prepared.append((temporary, path))
            temporary.unlink(missing_ok=True)
            with open(temporary, "xb") as file:  # which no link leads elsewhere
                file.write(data)
        for temporary, path in prepared:
            os.replace(temporary, path)
    finally:
        for temporary, _ in prepared:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
